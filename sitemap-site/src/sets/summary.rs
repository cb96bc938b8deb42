//! The summary of a commit.

use std::fmt;

use sitemap_serde::__internal::grouped;

/// The result of a commit; returned by [`SitemapSet::commit`](crate::SitemapSet::commit) and
/// [`update`](crate::SitemapSet::update).
///
/// `Display` prints it as one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommitSummary {
    /// The number of the commit, from 1.
    pub generation: u64,
    /// The number of listed files, including the index.
    pub files: u64,
    /// The number of entries.
    pub entries: u64,
    /// The size of all parts in bytes, uncompressed.
    pub bytes: u64,
    /// The size of the parts' files in bytes.
    pub stored: u64,
    /// The number of files written, including new ones.
    pub written: u64,
    /// The number of unchanged files.
    pub kept: u64,
    /// The number of files that are no longer listed.
    pub removed: u64,
    /// The names of the written public files, in the order of an upload: `sitemap.xml`, which lists the others, is the last.
    /// `sitemap.css` is included if it was written, but does not count in the numbers.
    pub written_files: Vec<String>,
    /// The names of the files that are no longer listed. A directory keeps them for the [grace period](crate::SetBuilder::grace).
    pub removed_files: Vec<String>,
    /// The number of rows that are [not listed](sitemap_serde::SitemapEntry::is_listed).
    pub not_listed: u64,
    /// The number of rows that were skipped because they are [invalid](crate::SetBuilder::on_invalid).
    pub skipped: u64,
    /// The number of [invalid](crate::SetBuilder::on_invalid) values that were dropped.
    pub dropped: u64,
    /// The messages of the first 20 problems of each task: of rows that were skipped, and of values that were dropped.
    pub problems: Vec<String>,
    /// Warnings about a complete commit, for example about a wrong clock.
    pub warnings: Vec<String>,
    /// Problems with removing old files after the commit. The commit is complete, and the next commit tries again.
    pub cleanup_problems: Vec<String>,
}

impl fmt::Display for CommitSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CommitSummary {
            files,
            entries,
            bytes,
            stored,
            written,
            kept,
            removed,
            skipped,
            dropped,
            warnings,
            ..
        } = self;
        let (files, entries) = (counted(*files, "file"), counted(*entries, "URL"));
        write!(f, "{files} with {entries}, {}", counted(*bytes, "byte"))?;
        if stored != bytes {
            write!(f, " ({} compressed)", grouped(*stored))?;
        }
        let [written, kept, removed] = [*written, *kept, *removed].map(grouped);
        write!(f, ": {written} written, {kept} kept, {removed} removed")?;
        if *skipped > 0 {
            write!(f, "; {} skipped", counted(*skipped, "row"))?;
        }
        if *dropped > 0 {
            write!(f, "; {} dropped", counted(*dropped, "value"))?;
        }
        warnings
            .iter()
            .try_for_each(|warning| write!(f, "; warning: {warning}"))
    }
}

/// A number with its noun.
fn counted(count: u64, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_have_their_nouns() {
        let of = |count: u64| CommitSummary {
            files: count,
            entries: count,
            bytes: count,
            stored: count - 1,
            written: count,
            kept: count,
            removed: count,
            skipped: count,
            dropped: count,
            ..CommitSummary::default()
        };
        assert_eq!(
            of(1).to_string(),
            "1 file with 1 URL, 1 byte (0 compressed): 1 written, 1 kept, 1 removed; 1 row skipped; 1 value dropped"
        );
        assert_eq!(
            of(1_234_567).to_string(),
            "1,234,567 files with 1,234,567 URLs, 1,234,567 bytes (1,234,566 compressed): 1,234,567 written, 1,234,567 kept, \
             1,234,567 removed; 1,234,567 rows skipped; 1,234,567 values dropped"
        );
    }
}

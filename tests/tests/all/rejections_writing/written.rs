//! Refusals of entries that write themselves.

use sitemap_serde::{EntryWriter, Error, ErrorKind, Limits, SitemapEntry, Writer, WriterBuilder};
use sitemap_tests::{CORE, Problem, finished};

/// An entry that makes the given calls.
pub(crate) struct Calls<F>(pub(crate) F);

impl<F: Fn(&mut EntryWriter<'_>) -> sitemap_serde::Result<()>> SitemapEntry for Calls<F> {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        (self.0)(entry)
    }
}

#[track_caller]
fn is_refused_when_written(
    write: impl Fn(&mut EntryWriter<'_>) -> sitemap_serde::Result<()>,
    path: &str,
    message: &str,
) {
    let good = Calls(|entry: &mut EntryWriter<'_>| entry.loc("https://example.com/1"));
    let mut writer = Writer::from_writer(Vec::new());
    writer.write(&good).unwrap();
    let problem = Problem::of(&writer.write(&Calls(write)).unwrap_err());
    let (path, ending) = super::ending(path);
    assert_eq!(problem.message, format!("{message}, {ending}"));
    assert_eq!(
        (problem.kind, problem.path.as_deref()),
        (ErrorKind::Data, Some(path))
    );
    assert_eq!(writer.summary().entries, 1);
    writer.write(&good).unwrap();
    assert_eq!(
        finished(writer),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/1</loc></url>\
             <url><loc>https://example.com/1</loc></url></urlset>"
        )
    );
}

#[test]
fn entries_that_write_themselves() {
    is_refused_when_written(
        |_| Ok(()),
        "entry 2 · loc",
        "no `loc`: every `url` has exactly one (P-DUP); add the entry's URL",
    );
    is_refused_when_written(
        |entry| entry.loc("/2"),
        "entry 2 · loc",
        "`/2` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or give the writer a base and begin it with `/`",
    );
    is_refused_when_written(
        |entry| {
            entry.loc("https://example.com/2")?;
            entry.loc("https://example.com/2")
        },
        "entry 2 · loc, loc `https://example.com/2`",
        "a second `loc`: an entry has at most one (P-DUP); write only one",
    );
    is_refused_when_written(
        |entry| {
            entry.loc("https://example.com/2")?;
            entry.priority(1.5)
        },
        "entry 2 · priority",
        "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
         out",
    );
    is_refused_when_written(
        |entry| {
            entry.loc("https://example.com/2")?;
            Err(Error::custom("the product has no shop"))
        },
        "entry 2, loc `https://example.com/2`",
        "the product has no shop",
    );
    // An error that the caller ignores only drops the value.
    let mut writer = Writer::from_writer(Vec::new());
    writer
        .write(&Calls(|entry: &mut EntryWriter<'_>| {
            entry.loc("https://example.com/")?;
            let _ = entry.priority(f32::NAN);
            let _ = entry.loc("https://example.com/again");
            entry.changefreq("daily")
        }))
        .unwrap();
    let xml = finished(writer);
    assert!(xml.contains("<url><loc>https://example.com/</loc><changefreq>daily</changefreq></url>"));
}

#[test]
fn entries_that_are_not_listed() {
    struct Draft;
    impl SitemapEntry for Draft {
        fn is_listed(&self) -> bool {
            false
        }
        fn write_entry(&self, _: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            panic!("it is not to be asked")
        }
    }
    let mut writer = WriterBuilder::new()
        .limits(Limits::writing().with_entries(0))
        .from_writer(Vec::new());
    writer.write(&Draft).unwrap();
    assert_eq!(writer.summary().entries, 0);

    // They still have a number, like entries of earlier documents.
    for before in [0, 7] {
        let mut writer = WriterBuilder::new().rows_before(before).from_writer(Vec::new());
        writer.write(&Draft).unwrap();
        let error = writer
            .write(&Calls(|entry: &mut EntryWriter<'_>| {
                entry.loc("https://example.com/2")?;
                entry.changefreq("often")
            }))
            .unwrap_err();
        let number = before + 2;
        assert_eq!(
            error.to_string(),
            format!(
                "`often` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); \
                 write one of these, or leave the field out, entry {number} · changefreq, loc `https://example.com/2`"
            )
        );
        assert_eq!(
            (error.entry(), error.field(), error.loc()),
            (Some(number), Some("changefreq"), Some("https://example.com/2"))
        );
    }
}

//! `Rebase`: URLs that change from one base to another.

use crate::error::Result;
use crate::loc::{BaseChange, check_longer};
use crate::reader::Field;
use crate::schema::{LICENSE, LOC, SchemaRow, ValueKind};
use crate::xml::escape::push_escaped_url;
use crate::xml::reference::Mode;

use super::EntryEditor;
use super::changes::place;
use super::element;

/// A change of URLs from one base to another: of a site that moves to another host, or of sitemaps that a staging host or a CMS
/// writes with its own host. See [`EntryEditor::rebase`].
///
/// A URL begins with the old base if it has its scheme, host and port, and the segments of its path. Case does not matter in scheme and
/// host, and `:443` equals no port. User information before the host, which no URL of a sitemap should have, goes with the old base. With
/// the base `https://example.com/shop`, `https://example.com/shopping` stays.
///
/// ```
/// use sitemap_serde::edit::Rebase;
///
/// let rebase = Rebase::new("https://staging.example.com", "https://example.com/shop")?;
/// assert_eq!(rebase.apply("https://Staging.example.com:443/a?b").unwrap(), "https://example.com/shop/a?b");
/// assert_eq!(rebase.apply("https://staging.example.com.evil.example/"), None);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rebase {
    bases: BaseChange,
    /// The new base, escaped for XML.
    escaped: String,
    moved: u64,
    kept: u64,
    first_kept: Option<String>,
}

impl Rebase {
    /// Makes a change from one base to another. A base is a scheme (http or https), a host, a port and a path prefix, such as
    /// `https://example.com` or `https://example.com/shop`.
    ///
    /// # Errors
    /// [`ErrorKind::Settings`](crate::ErrorKind::Settings) if a text is not a base.
    pub fn new(old: impl AsRef<str>, new: impl AsRef<str>) -> Result<Self> {
        let bases = BaseChange::new(old.as_ref(), new.as_ref())?;
        let mut escaped = Vec::new();
        push_escaped_url(&mut escaped, bases.new_base().as_bytes());
        Ok(Rebase {
            escaped: String::from_utf8_lossy(&escaped).into_owned(),
            bases,
            moved: 0,
            kept: 0,
            first_kept: None,
        })
    }

    /// The URL under the new base; `None` if it does not begin with the old base. If one of the bases has a path, URLs with `..` stay:
    /// they may lead out of it.
    pub fn apply(&self, url: &str) -> Option<String> {
        let rest = url.get(self.bases.matched(url)?..)?;
        Some([self.bases.new_base(), rest].concat())
    }

    /// The old base, without a slash at its end.
    #[doc(hidden)]
    pub fn old_base(&self) -> &str {
        self.bases.old()
    }

    /// The new base, without a slash at its end.
    #[doc(hidden)]
    pub fn new_base(&self) -> &str {
        self.bases.new_base()
    }

    /// The number of URLs that [`EntryEditor::rebase`] has changed.
    pub fn moved(&self) -> u64 {
        self.moved
    }

    /// The number of URLs that do not begin with the old base.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// The first URL that does not begin with the old base.
    pub fn first_kept(&self) -> Option<&str> {
        self.first_kept.as_deref()
    }
}

/// Returns `true` if a field is a URL, or text that may be one.
fn is_url(field: &Field<'_>) -> bool {
    is_licence(field) || field.text_row().is_some_and(has_url)
}

fn has_url(row: &SchemaRow) -> bool {
    matches!(row.kind, ValueKind::Loc | ValueKind::Url)
}

/// The licence of an image is an address by its meaning, and any text by the schema.
fn is_licence(field: &Field<'_>) -> bool {
    field.schema_name() == LICENSE
}

impl EntryEditor<'_> {
    /// Changes the entry's URLs from one base to another: its loc, the links to its alternates, and the addresses in images, videos and
    /// page maps. In each, only the bytes of the old base change. URLs that do not begin with it are counted by `rebase`. Values that were
    /// set, replaced or removed, earlier or later, take precedence, and so does an earlier `rebase` from another base.
    ///
    /// Text of other elements stays, even if it is a URL.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the loc would become too long (P-LOCLEN). The entry is then unchanged.
    ///
    /// ```
    /// use sitemap_serde::Editor;
    /// use sitemap_serde::edit::Rebase;
    ///
    /// let xml = r#"<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml"><url>
    ///     <loc><![CDATA[https://staging.example.com/?a=1&b=2]]></loc>
    ///     <xhtml:link rel="alternate" hreflang="de" href="https://STAGING.example.com/de?a=1&#38;b=2"/>
    ///     <xhtml:link rel="alternate" hreflang="fr" href="https://example.fr/"/>
    /// </url></urlset>"#;
    /// let mut rebase = Rebase::new("https://staging.example.com", "https://example.com")?;
    /// let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    /// while let Some(mut entry) = editor.next_entry()? {
    ///     entry.rebase(&mut rebase)?;
    /// }
    /// let edited = xml.replace("staging.", "").replace("STAGING.", "");
    /// assert_eq!(editor.finish()?, edited.as_bytes());
    /// assert_eq!((rebase.moved(), rebase.kept(), rebase.first_kept()), (2, 1, Some("https://example.fr/")));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn rebase(&mut self, rebase: &mut Rebase) -> Result<()> {
        let record = self.record;
        let fixed: Vec<_> = record
            .fields()
            .filter(|field| self.edits.changes_all(field.name()))
            .map(|field| place(record, &field))
            .collect();
        let mut fixed = fixed.into_iter().peekable();
        let (mut moved, mut kept, mut first_kept) = (Vec::new(), 0, None);
        for field in record.all_fields().filter(is_url) {
            let (range, url) = (place(record, &field), field.text());
            // Both are in the order of the document.
            while fixed.next_if(|fixed| fixed.end <= range.start).is_some() {}
            if url.is_empty() || fixed.peek().is_some_and(|fixed| fixed.start <= range.start) {
                continue;
            }
            let Some(len) = rebase.bases.matched(url) else {
                if !is_licence(&field) {
                    kept += 1;
                    first_kept = first_kept.or(Some(url));
                }
                continue;
            };
            let new = rebase.bases.new_base();
            if url.get(..len) == Some(new) {
                continue;
            }
            if field.schema_name() == LOC && new.len() > len {
                let loc = [new, url.get(len..).unwrap_or_default()].concat();
                check_longer(&loc).map_err(|error| {
                    error
                        .within(LOC.shown())
                        .of_loc(record.loc())
                        .in_entry(record.number())
                })?;
            }
            let source = record.source().get(range.clone()).unwrap_or_default();
            let is_attribute = field.name().starts_with('@');
            let found = match field.plain() {
                Some((plain, mode)) => {
                    let new = if mode == Mode::Verbatim {
                        new
                    } else {
                        &rebase.escaped
                    };
                    Some((plain.start..plain.start + len, new.to_owned()))
                }
                None => element::with_start(source, is_attribute, len, [new, &rebase.escaped])
                    .map(|(within, text)| (range.start + within.start..range.start + within.end, text)),
            };
            if let Some((place, text)) = found.filter(|(place, _)| !self.edits.moves(place)) {
                moved.push((place, text));
            }
        }
        rebase.moved += moved.len() as u64;
        rebase.kept += kept;
        if rebase.first_kept.is_none() {
            rebase.first_kept = first_kept.map(str::to_owned);
        }
        self.edits.add_moved(moved);
        Ok(())
    }
}

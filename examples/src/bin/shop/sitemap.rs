//! The shop's sitemap: an index, and parts that stream from the database.

use std::fmt;
use std::io::Write;

use anyhow::{Context, Result};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use sitemap_serde::{Category, IndexEntry, Kind, Limits, SitemapEntry, W3cDateTime, Writer, WriterBuilder};

use crate::model::StaticPage;

/// The stylesheet that a browser shows the sitemap with.
pub(crate) const CSS: &str = include_str!("sitemap.css");
/// Its file, beside the sitemap's.
pub(crate) const CSS_FILE: &str = "sitemap.css";

/// How many ids a part spans, and so how many URLs it has at most.
const SPAN: i64 = Limits::ENTRIES.cast_signed();

/// What the sitemap is divided by first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Pages,
    Posts,
    Products,
}

impl Section {
    const ALL: [Section; 3] = [Section::Pages, Section::Posts, Section::Products];

    fn name(self) -> &'static str {
        match self {
            Section::Pages => "pages",
            Section::Posts => "posts",
            Section::Products => "products",
        }
    }
}

/// One file of the sitemap.
///
/// A part is a span of ids, not so many rows: which ids are in part 2 never changes, so a new product touches the last
/// part only, and no row has to be counted to find where a part begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    section: Section,
    /// From 1.
    number: i64,
}

/// What the index says of a part.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) part: Part,
    /// How many URLs it lists.
    pub(crate) listed: u64,
    /// The newest of its rows.
    lastmod: Option<W3cDateTime>,
}

/// `sitemap-products-1.xml`
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sitemap-{}-{}.xml", self.section.name(), self.number)
    }
}

impl Part {
    /// The part that a file's name names, whether there is one or not.
    pub(crate) fn named(file: &str) -> Option<Part> {
        let (section, number) = file
            .strip_prefix("sitemap-")?
            .strip_suffix(".xml")?
            .split_once('-')?;
        let section = Section::ALL.into_iter().find(|known| known.name() == section)?;
        let part = Part {
            section,
            number: number
                .parse()
                .ok()
                .filter(|number| (1..=i64::MAX / SPAN).contains(number))?,
        };
        // One name a part: not `-01`, not `-+1`.
        (part.to_string() == file).then_some(part)
    }

    /// The ids of the part: above the first, up to the second.
    fn span(self) -> (i64, i64) {
        ((self.number - 1) * SPAN, self.number * SPAN)
    }

    /// What is in the part; `None` if that is nothing.
    pub(crate) fn summary(self, connection: &mut SqliteConnection) -> Result<Option<Summary>> {
        let (listed, newest) = match self.section {
            Section::Pages if self.number > 1 => (0, None),
            Section::Pages => (i64::try_from(StaticPage::ALL.len())?, None),
            Section::Posts => posts::summary(connection, self.span())?,
            Section::Products => products::summary(connection, self.span())?,
        };
        let lastmod = newest
            .map(|newest| W3cDateTime::try_from(newest.and_utc()))
            .transpose()?;
        let listed = u64::try_from(listed).unwrap_or(0);
        Ok((listed > 0).then_some(Summary {
            part: self,
            listed,
            lastmod,
        }))
    }

    /// Writes the part to `out`, row by row, and tells `each` of every row that is to be listed. One that the sitemap
    /// cannot hold is an error there and goes without: a bad slug does not take the other 49,999 pages away.
    pub(crate) fn write<W: Write>(
        self,
        connection: &mut SqliteConnection,
        base: &str,
        out: W,
        mut each: impl FnMut(sitemap_serde::Result<()>),
    ) -> Result<W> {
        let mut writer = WriterBuilder::new()
            .base(base)
            .stylesheet(CSS_FILE)
            .from_writer(out);
        let mut rows = Rows {
            writer: &mut writer,
            each: &mut each,
        };
        match self.section {
            Section::Pages => StaticPage::ALL.iter().try_for_each(|page| rows.write(page)),
            Section::Posts => posts::write(connection, self.span(), &mut rows),
            Section::Products => products::write(connection, self.span(), &mut rows),
        }?;
        Ok(writer.finish()?)
    }
}

/// Every part that lists something, in the index's order.
pub(crate) fn parts(connection: &mut SqliteConnection) -> Result<Vec<Summary>> {
    let mut parts = Vec::new();
    for section in Section::ALL {
        let last = match section {
            Section::Pages => 1,
            Section::Posts => posts::last_id(connection)?,
            Section::Products => products::last_id(connection)?,
        };
        for number in 1..=(last + SPAN - 1) / SPAN {
            parts.extend(Part { section, number }.summary(connection)?);
        }
    }
    Ok(parts)
}

/// Writes the index of the parts, whose files' names end in `suffix` beyond their own.
pub(crate) fn write_index<W: Write>(parts: &[Summary], base: &str, suffix: &str, out: W) -> Result<W> {
    let mut writer = WriterBuilder::new()
        .kind(Kind::SitemapIndex)
        .base(base)
        .stylesheet(CSS_FILE)
        .from_writer(out);
    for summary in parts {
        let mut entry = IndexEntry::new(format!("/{}{suffix}", summary.part));
        entry.lastmod = summary.lastmod;
        writer.write(&entry)?;
    }
    Ok(writer.finish()?)
}

/// Whether the sitemap can be written for that base; it is better to know before the first visitor does.
pub(crate) fn check_base(base: &str) -> Result<()> {
    write_index(
        &[Summary {
            part: Part {
                section: Section::Pages,
                number: 1,
            },
            listed: 1,
            lastmod: None,
        }],
        base,
        "",
        Vec::new(),
    )
    .map(drop)
    .with_context(|| format!("the sitemap cannot have {base:?} as its base"))
}

/// A part on its way out.
struct Rows<'a, W: Write> {
    writer: &'a mut Writer<W>,
    each: &'a mut dyn FnMut(sitemap_serde::Result<()>),
}

impl<W: Write> Rows<'_, W> {
    fn write(&mut self, row: &impl SitemapEntry) -> Result<()> {
        if row.is_listed() {
            match self.writer.write(row) {
                Err(error) if error.category() != Category::Data => return Err(error.into()),
                written => (self.each)(written),
            }
        }
        Ok(())
    }
}

/// The queries of a section, the same for every table that has `id`, `draft` and `updated_at`.
macro_rules! queries {
    ($table:ident, $row:ident) => {
        mod $table {
            use diesel::connection::DefaultLoadingMode;
            use diesel::dsl::{count_star, max};

            use super::*;
            use crate::model::{$row, $table::dsl};

            pub(super) fn last_id(connection: &mut SqliteConnection) -> QueryResult<i64> {
                let last: Option<i64> = dsl::$table.select(max(dsl::id)).first(connection)?;
                Ok(last.unwrap_or(0))
            }

            pub(super) fn summary(
                connection: &mut SqliteConnection,
                (after, last): (i64, i64),
            ) -> QueryResult<(i64, Option<NaiveDateTime>)> {
                dsl::$table
                    .filter(
                        dsl::id
                            .gt(after)
                            .and(dsl::id.le(last))
                            .and(dsl::draft.eq(false)),
                    )
                    .select((count_star(), max(dsl::updated_at)))
                    .first(connection)
            }

            /// One statement, whose rows come one by one: a snapshot of the table in the memory of a row.
            pub(super) fn write<W: Write>(
                connection: &mut SqliteConnection,
                (after, last): (i64, i64),
                rows: &mut Rows<'_, W>,
            ) -> Result<()> {
                let found = dsl::$table
                    .filter(dsl::id.gt(after).and(dsl::id.le(last)))
                    .order(dsl::id)
                    .select($row::as_select())
                    .load_iter::<$row, DefaultLoadingMode>(connection)?;
                for row in found {
                    rows.write(&row?)?;
                }
                Ok(())
            }
        }
    };
}
queries!(posts, Post);
queries!(products, Product);

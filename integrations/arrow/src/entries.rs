//! The rows of a batch as entries.

use std::io::Write;

use arrow_array::RecordBatch;
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use sitemap_serde::{EntryWriter, Priority, SitemapEntry, Writer};
use sitemap_site::{Key, TaskWriter};

use crate::array::{self, Number, Texts, Value, Values};
use crate::error::{BatchError, Result};
use crate::key::KeyColumn;
use crate::model::{Card, ENTRY, LASTMOD_AT, ModelPart, ORIGIN, ValueKind};

/// Builder of [`Entries`].
///
/// ```
/// use std::sync::Arc;
///
/// use arrow_array::{Int64Array, RecordBatch, StringArray};
/// use sitemap_arrow::EntriesBuilder;
/// use sitemap_site::{Key, SitemapSet};
///
/// let batch = RecordBatch::try_from_iter([
///     ("id", Arc::new(Int64Array::from(vec![1, 2])) as _),
///     ("loc", Arc::new(StringArray::from(vec!["/lamp", "/shade"])) as _),
/// ])?;
/// let entries = EntriesBuilder::new().key("id").build(&batch)?;
/// assert_eq!(entries.key(1)?, Some(Key::from(2)));
///
/// # let folder = std::env::temp_dir().join(format!("sitemap-arrow-{}", std::process::id()));
/// let set = SitemapSet::directory(&folder, "https://example.com").open()?;
/// let mut part = set.task_writer("products", "1-2")?;
/// entries.write_to_part(&mut part)?;
/// set.commit(&[part.finish()?])?;
/// assert_eq!(set.entries()?.count(), 2);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EntriesBuilder {
    keys: Vec<String>,
    ignores_others: bool,
}

impl EntriesBuilder {
    /// Makes a builder without a key; columns without a meaning in a sitemap are an error.
    pub fn new() -> Self {
        EntriesBuilder::default()
    }

    /// Adds a column to the [key](Key) of the rows, which determines their order: integers, text, or bytes. Keys cut the parts; if there is
    /// no key, locs do.
    #[must_use]
    pub fn key(mut self, column: impl Into<String>) -> Self {
        self.keys.push(column.into());
        self
    }

    /// Ignores columns, and fields of structs, without a meaning in a sitemap. Off by default: they are errors, since a misspelt `last_mod`
    /// would be lost.
    #[must_use]
    pub fn ignore_others(mut self, ignore: bool) -> Self {
        self.ignores_others = ignore;
        self
    }

    /// Examines the columns of a batch.
    ///
    /// # Errors
    /// If there is no column `loc`, a loc is null, a column has the wrong type or no meaning, or a key's column is missing. The error names
    /// the column and, if it concerns a single row, the row.
    pub fn build(&self, batch: &RecordBatch) -> Result<Entries> {
        let mut columns: [Option<Values>; ENTRY.len()] = [const { None }; ENTRY.len()];
        let mut lastmod_at = None;
        let mut keys: Vec<Option<KeyColumn>> = self.keys.iter().map(|_| None).collect();
        for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
            let name = field.name();
            let mut means = ORIGIN.contains(&name.as_str());
            let mut is_second = false;
            for (key, column) in self.keys.iter().zip(&mut keys) {
                if key == name {
                    is_second |= column.replace(KeyColumn::of(array, name)?).is_some();
                    means = true;
                }
            }
            if name == LASTMOD_AT {
                let values = Values::of(array, &ENTRY[1], name, self.ignores_others)?;
                is_second |= lastmod_at.replace(values).is_some();
            } else if let Some(i) = ENTRY.iter().position(|part| part.name == name) {
                let values = Values::of(array, &ENTRY[i], name, self.ignores_others)?;
                is_second |= columns[i].replace(values).is_some();
            } else if !means && !self.ignores_others {
                let known = ENTRY
                    .iter()
                    .map(|part| part.name)
                    .chain([LASTMOD_AT])
                    .chain(ORIGIN);
                return Err(array::unknown(name, known));
            }
            if is_second {
                return Err(BatchError::column(
                    name,
                    "there are two columns of this name: rename one",
                ));
            }
        }
        let [loc, lastmod, changefreq, priority, rest @ ..] = columns;
        let Some(Values::Text(loc)) = loc else {
            return Err(BatchError::batch(
                "there is no column `loc`, which has the URL of each page: add it, or rename the column that has it",
            ));
        };
        if let Some(row) = (0..batch.num_rows()).find(|row| loc.get(*row).is_none()) {
            return Err(BatchError::column(
                "loc",
                "it is null, and every entry has a loc: leave such rows out",
            )
            .at_row(row));
        }
        let mut all = Vec::new();
        for (name, key) in self.keys.iter().zip(keys) {
            let missing = || {
                BatchError::column(
                    name,
                    "there is no such column, and it is to be the key of the rows",
                )
            };
            all.push((name.clone(), key.ok_or_else(missing)?));
        }
        Ok(Entries {
            len: batch.num_rows(),
            loc,
            lastmod,
            lastmod_at,
            changefreq,
            priority,
            extensions: ENTRY
                .iter()
                .skip(4)
                .zip(rest)
                .filter_map(|(part, values)| Some((part, values?)))
                .collect(),
            keys: all,
        })
    }
}

/// The rows of a batch as entries for writing. [`EntriesBuilder::build`] makes it.
///
/// | column | types |
/// |---|---|
/// | `loc` | Utf8, LargeUtf8, Utf8View, or a dictionary of these; required, no nulls. The writer's base completes a path |
/// | `lastmod`, `lastmod_at` | text in the form of a W3C Datetime, Timestamp of any unit, Date32, Date64. A Timestamp without a zone is in UTC. `lastmod_at` is used if `lastmod` is null or absent |
/// | `changefreq` | text |
/// | `priority` | a float, a decimal, an integer, or text |
/// | `images`, `videos`, `alternates`, `news` | List, LargeList or FixedSizeList of structs with any of the fields of [`schema`](crate::schema); images may also be a list of text, their locs; news may also be a struct |
/// | `mobile` | Boolean |
/// | `page_map` | a struct |
/// | `source`, `entry`, `byte` | ignored |
///
/// A null or an empty list means no value. Values are checked when they are written.
#[derive(Debug)]
pub struct Entries {
    len: usize,
    loc: Texts,
    lastmod: Option<Values>,
    lastmod_at: Option<Values>,
    changefreq: Option<Values>,
    priority: Option<Values>,
    extensions: Vec<(&'static ModelPart, Values)>,
    keys: Vec<(String, KeyColumn)>,
}

impl TryFrom<&RecordBatch> for Entries {
    type Error = BatchError;

    /// Converts a batch like [`EntriesBuilder::build`] without settings.
    fn try_from(batch: &RecordBatch) -> Result<Self> {
        EntriesBuilder::new().build(batch)
    }
}

impl Entries {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The rows, for writing one by one with [`TaskWriter::write`].
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{RecordBatch, StringArray};
    /// use sitemap_arrow::Entries;
    ///
    /// let locs = StringArray::from(vec!["https://example.com/", "mailto:a@example.com"]);
    /// let batch = RecordBatch::try_from_iter([("loc", Arc::new(locs) as _)])?;
    /// let entries = Entries::try_from(&batch)?;
    /// let mut writer = sitemap_serde::Writer::from_writer(Vec::new());
    /// let wrong = entries.rows().filter(|row| writer.write(row).is_err()).count();
    /// assert_eq!((writer.summary().entries, wrong), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&self) -> impl ExactSizeIterator<Item = EntryRow<'_>> {
        (0..self.len).map(|row| EntryRow { entries: self, row })
    }

    /// The key of a row; `None` if no [key](EntriesBuilder::key) was set.
    ///
    /// # Errors
    /// If a value is null, or an integer above 2⁶³ - 1.
    ///
    /// # Panics
    /// If the batch has fewer rows.
    pub fn key(&self, row: usize) -> Result<Option<Key>> {
        assert!(row < self.len, "row {row} of {}", self.len);
        if self.keys.is_empty() {
            return Ok(None);
        }
        let values = self.keys.iter().map(|(name, column)| {
            column
                .get(row)
                .map_err(|message| BatchError::column(name, message).at_row(row))
        });
        Ok(Some(Key::composite(values.collect::<Result<Vec<_>>>()?)))
    }

    /// Writes all rows to a part of a set, and returns the number of entries.
    ///
    /// # Errors
    /// For the first rejected row, with its number in the batch and its column; the rows before it were written.
    pub fn write_to_part(&self, writer: &mut TaskWriter) -> Result<u64> {
        let mut written = 0;
        for row in self.rows() {
            let key = self.key(row.row)?;
            written += writer.write(key, &row).map_err(|error| {
                let path = error
                    .entry_error()
                    .and_then(sitemap_serde::Error::path)
                    .map(str::to_owned);
                BatchError::of_row(row.row, path.as_deref(), error)
            })?;
        }
        Ok(written)
    }

    /// Writes all rows to a document, and returns the number of entries.
    ///
    /// # Errors
    /// For the first rejected row, with its number in the batch and its column; the rows before it were written.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow_array::{Date32Array, RecordBatch, StringViewArray};
    /// use sitemap_arrow::Entries;
    ///
    /// let batch = RecordBatch::try_from_iter([
    ///     ("loc", Arc::new(StringViewArray::from(vec!["https://example.com/"])) as _),
    ///     ("lastmod", Arc::new(Date32Array::from(vec![20_574])) as _),
    /// ])?;
    /// let mut writer = sitemap_serde::Writer::from_writer(Vec::new());
    /// Entries::try_from(&batch)?.write_to(&mut writer)?;
    /// let xml = String::from_utf8(writer.finish()?)?;
    /// assert!(xml.contains("<loc>https://example.com/</loc><lastmod>2026-05-01</lastmod>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_to<W: Write>(&self, writer: &mut Writer<W>) -> Result<u64> {
        let mut written = 0;
        for row in self.rows() {
            written += writer.write(&row).map_err(|error| {
                let path = error.path().map(str::to_owned);
                BatchError::of_row(row.row, path.as_deref(), error)
            })?;
        }
        Ok(written)
    }
}

/// A row of a batch as an entry.
#[derive(Clone, Copy, Debug)]
pub struct EntryRow<'a> {
    entries: &'a Entries,
    row: usize,
}

impl SitemapEntry for EntryRow<'_> {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        let EntryRow { entries, row } = *self;
        entry.loc(entries.loc.get(row))?;
        let lastmod = [&entries.lastmod, &entries.lastmod_at];
        for values in lastmod.into_iter().flatten() {
            match values.get(row)? {
                Some(Value::Text(text)) => entry.lastmod(text)?,
                Some(Value::Time(time)) => entry.lastmod(time)?,
                _ => continue,
            }
            break;
        }
        if let Some(Some(Value::Text(text))) = entries
            .changefreq
            .as_ref()
            .map(|values| values.get(row))
            .transpose()?
        {
            entry.changefreq(text)?;
        }
        match entries
            .priority
            .as_ref()
            .map(|values| values.get(row))
            .transpose()?
            .flatten()
        {
            Some(Value::Number(Number::Float(number))) => entry.priority(number)?,
            Some(Value::Number(Number::Float32(number))) => entry.priority(number)?,
            Some(Value::Number(Number::Integer(number))) => {
                entry.priority(number.to_string().parse::<Priority>()?)?;
            }
            Some(Value::Number(Number::Decimal(text))) => entry.priority(text.parse::<Priority>()?)?,
            Some(Value::Text(text)) => entry.priority(text.parse::<Priority>()?)?,
            _ => {}
        }
        for (part, values) in &entries.extensions {
            if values.is_absent(row) {
                continue;
            }
            match (part.kind, values.get(row)?) {
                (ValueKind::Flag, Some(Value::Flag(flag))) => entry.mobile(flag)?,
                _ => entry.element(
                    part.serde,
                    &Cell {
                        values,
                        row,
                        kind: part.kind,
                    },
                )?,
            }
        }
        Ok(())
    }
}

/// A value of an extension, for serde.
struct Cell<'a> {
    values: &'a Values,
    row: usize,
    kind: ValueKind,
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Cell { values, row, kind } = *self;
        match values {
            _ if values.is_absent(row) => serializer.serialize_none(),
            Values::List {
                lists,
                items,
                card: Card::Joined(separator),
            } => {
                let mut joined = String::new();
                for item in lists.range(row) {
                    let Some(Value::Text(text)) = items.get(item).map_err(S::Error::custom)? else {
                        return Err(null_item(item - lists.range(row).start));
                    };
                    if !joined.is_empty() {
                        joined.push_str(separator);
                    }
                    joined.push_str(text);
                }
                serializer.serialize_str(&joined)
            }
            Values::List {
                lists,
                items,
                card: Card::ListOfOne,
            } if lists.range(row).len() == 1 => {
                let item = lists.range(row).start;
                if items.is_absent(item) {
                    return Err(null_item(0));
                }
                Cell {
                    values: items,
                    row: item,
                    kind,
                }
                .serialize(serializer)
            }
            Values::List { lists, items, .. } => {
                let range = lists.range(row);
                let mut list = serializer.serialize_seq(Some(range.len()))?;
                for item in range.clone() {
                    if items.is_absent(item) {
                        return Err(null_item(item - range.start));
                    }
                    list.serialize_element(&Cell {
                        values: items,
                        row: item,
                        kind,
                    })?;
                }
                list.end()
            }
            Values::Struct { fields, .. } => {
                let mut map = serializer.serialize_map(None)?;
                for (part, values) in fields {
                    if !values.is_absent(row) {
                        map.serialize_entry(
                            part.serde,
                            &Cell {
                                values,
                                row,
                                kind: part.kind,
                            },
                        )?;
                    }
                }
                map.end()
            }
            _ => match values.get(row).map_err(S::Error::custom)? {
                Some(Value::Text(text)) => serializer.serialize_str(text),
                Some(Value::Time(time)) => time.serialize(serializer),
                Some(Value::Flag(flag)) => serializer.serialize_bool(flag),
                Some(Value::Number(Number::Float(number))) => serializer.serialize_f64(number),
                Some(Value::Number(Number::Float32(number))) => serializer.serialize_f32(number),
                Some(Value::Number(Number::Integer(number))) => serializer.collect_str(&number),
                Some(Value::Number(Number::Decimal(text))) => serializer.serialize_str(&text),
                None => serializer.serialize_none(),
            },
        }
    }
}

fn null_item<E: serde::ser::Error>(item: usize) -> E {
    E::custom(format_args!("item {item} of the list is null: leave it out"))
}

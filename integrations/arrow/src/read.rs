//! The reader of batches.

use std::io::Read;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use sitemap_serde::source::StreamSource;
use sitemap_serde::{Error, Kind, Mode, Reader, ReaderBuilder, Record};

use crate::error::ReadError;
use crate::input::Input;
use crate::model;
use crate::problems::Problems;
use crate::rows::{Projection, Rows};

/// More bytes in a batch would not leave room for a large entry below Arrow's limit of 2³¹ - 1.
const MOST_BYTES: usize = 1 << 29;

/// Builder of a [`BatchReader`].
///
/// ```
/// use sitemap_arrow::BatchReaderBuilder;
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/</loc><priority>0.8</priority></url>
///   <url><loc>https://example.com/about</loc></url>
/// </urlset>"#;
/// let mut builder = BatchReaderBuilder::new();
/// builder.columns(["loc", "priority"])?.batch_rows(1);
/// let batches: Vec<_> = builder.read([("https://example.com/sitemap.xml", xml)]).collect::<Result<_, _>>()?;
/// assert_eq!(batches.len(), 2);
/// assert_eq!(batches[0].num_columns(), 2);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BatchReaderBuilder {
    reader: ReaderBuilder,
    rows: usize,
    bytes: usize,
    skip_refused: bool,
    problems: usize,
    problem_bytes: usize,
    projection: Projection,
}

impl Default for BatchReaderBuilder {
    fn default() -> Self {
        BatchReaderBuilder::new()
    }
}

impl BatchReaderBuilder {
    /// Makes a builder with the defaults: strict, all columns, batches of at most 4,096 rows and 16 MiB, and an error for the first
    /// rejected entry.
    pub fn new() -> Self {
        let schema = model::schema();
        BatchReaderBuilder {
            reader: ReaderBuilder::new(),
            // This number fits into a processor's cache: larger batches are slower.
            rows: 4096,
            bytes: 16 << 20,
            skip_refused: false,
            problems: 10_000,
            problem_bytes: 16 << 20,
            projection: Projection {
                columns: (0..schema.fields().len()).collect(),
                schema,
            },
        }
    }

    /// Sets the maximum number of rows of a batch, at least 1; 4,096 by default.
    pub fn batch_rows(&mut self, rows: usize) -> &mut Self {
        self.rows = rows.max(1);
        self
    }

    /// Sets the maximum size of a batch in bytes, at most 512 MiB. The default is 16 MiB. The size counts the text of the entries in their
    /// documents, the names of the documents, and 128 bytes for each row, which is about the batch's size in memory. A batch exceeds it by
    /// one entry at most.
    pub fn batch_bytes(&mut self, bytes: usize) -> &mut Self {
        self.bytes = bytes.clamp(1, MOST_BYTES);
        self
    }

    /// Sets the columns, in this order; all of [`schema`](crate::schema) by default. Other columns are not built. Their values are still
    /// checked, so that the rows do not depend on the columns. If there are no columns, batches have only a number of rows.
    ///
    /// # Errors
    /// [`ArrowError::SchemaError`] if a name is not a column, or occurs twice.
    pub fn columns<N: AsRef<str>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<&mut Self, ArrowError> {
        let schema = model::schema();
        let mut columns = Vec::new();
        for name in names {
            let name = name.as_ref();
            let index = schema.index_of(name).map_err(|_| {
                let known: Vec<&str> = schema
                    .fields()
                    .iter()
                    .map(|field| field.name().as_str())
                    .collect();
                ArrowError::SchemaError(format!(
                    "`{}` is not a column of sitemaps, which are: {}",
                    name.escape_debug(),
                    known.join(", ")
                ))
            })?;
            if columns.contains(&index) {
                return Err(ArrowError::SchemaError(format!(
                    "the column `{name}` is given twice"
                )));
            }
            columns.push(index);
        }
        self.projection = Projection {
            schema: Arc::new(schema.project(&columns)?),
            columns,
        };
        Ok(self)
    }

    /// Sets the treatment of malformed documents; [`Mode::Strict`] by default.
    ///
    /// In a lenient reading, invalid values are dropped and broken XML is repaired; each case is a row of the
    /// [problems](BatchReader::take_problems). If a document's name is an `http` or `https` URL, its relative locs are resolved against it.
    pub fn mode(&mut self, mode: Mode) -> &mut Self {
        self.reader.mode(mode);
        self
    }

    /// Changes the settings for reading documents: [limits](ReaderBuilder::limits), [other formats](ReaderBuilder::other_formats), and so on.
    pub fn reader(&mut self, change: impl FnOnce(&mut ReaderBuilder) -> &mut ReaderBuilder) -> &mut Self {
        change(&mut self.reader);
        self
    }

    /// Continues reading after a rejected entry or document; each is a row of the [problems](BatchReader::take_problems). Off by default:
    /// the first one is an error, after the entries before it.
    pub fn skip_refused(&mut self, skip: bool) -> &mut Self {
        self.skip_refused = skip;
        self
    }

    /// Sets the maximum number of problems that are kept until they are [taken](BatchReader::take_problems), and of their bytes, at most
    /// 512 MiB; the defaults are 10,000 and 16 MiB. Others are [counted](BatchReader::dropped_problems).
    pub fn keep_problems(&mut self, rows: usize, bytes: usize) -> &mut Self {
        (self.problems, self.problem_bytes) = (rows, bytes.min(MOST_BYTES));
        self
    }

    /// Reads documents one after the other; a batch may have entries of several. Each document is opened when the reader reaches it.
    pub fn read<I>(&self, inputs: I) -> BatchReader<I::IntoIter>
    where
        I: IntoIterator,
        I::Item: Into<Input>,
    {
        BatchReader {
            inputs: inputs.into_iter(),
            document: None,
            record: Record::new(),
            rows: Rows::new(self.projection.clone()),
            problems: Problems::new(self.problems, self.problem_bytes),
            failed: None,
            is_done: false,
            builder: self.clone(),
        }
    }
}

/// Reads the entries of sitemaps as record batches, in memory bounded by one batch and one entry.
///
/// It is an iterator and a [`RecordBatchReader`], so it can be passed to everything that reads batches. Rejections and repairs are in a
/// [batch of their own](Self::take_problems).
///
/// ```
/// use sitemap_arrow::BatchReaderBuilder;
/// use sitemap_serde::Mode;
///
/// let cut = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>/about</loc><priority>high</priority></url>"#;
/// let mut builder = BatchReaderBuilder::new();
/// builder.mode(Mode::Lenient);
/// let mut reader = builder.read([("https://example.com/sitemap.xml", cut)]);
/// let rows: usize = reader.by_ref().map(|batch| batch.map_or(0, |batch| batch.num_rows())).sum();
/// assert_eq!(rows, 1);
/// // The relative URL, the priority, and the missing end.
/// assert_eq!(reader.take_problems()?.num_rows(), 3);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Debug)]
pub struct BatchReader<I> {
    builder: BatchReaderBuilder,
    inputs: I,
    document: Option<Box<Document>>,
    record: Record,
    rows: Rows,
    problems: Problems,
    /// The error that comes after the rows before it.
    failed: Option<ArrowError>,
    is_done: bool,
}

type DocumentReader = Reader<StreamSource<Box<dyn Read + Send>>>;

struct Document {
    name: String,
    reader: DocumentReader,
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl<I> BatchReader<I> {
    /// Takes the problems so far as a batch of [`problems_schema`](crate::problems_schema), which makes room for more.
    ///
    /// # Errors
    /// None at present; a `Result` since making a batch checks its columns.
    pub fn take_problems(&mut self) -> Result<RecordBatch, ArrowError> {
        self.problems.finish()
    }

    /// The number of problems that [`take_problems`](Self::take_problems) would return now.
    pub fn problems(&self) -> usize {
        self.problems.len()
    }

    /// The number of problems that [did not fit](BatchReaderBuilder::keep_problems).
    pub fn dropped_problems(&self) -> u64 {
        self.problems.dropped()
    }
}

impl<I> BatchReader<I>
where
    I: Iterator,
    I::Item: Into<Input>,
{
    /// Reads until a batch is full. `false` at the end of all documents, and after an error that ends the reading.
    fn fill(&mut self) -> bool {
        loop {
            // It stays in place while its entries are read: it is large.
            if let Some(mut document) = self.document.take() {
                loop {
                    if self.is_full() {
                        self.document = Some(document);
                        return true;
                    }
                    if self.failed.is_some() {
                        return false;
                    }
                    if !self.step(&mut document) {
                        break;
                    }
                }
            }
            if self.failed.is_some() {
                return false;
            }
            match self.inputs.next() {
                Some(input) => self.document = self.open(input.into()).map(Box::new),
                None => return false,
            }
        }
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= self.builder.rows || self.rows.bytes() >= self.builder.bytes
    }

    fn open(&mut self, input: Input) -> Option<Document> {
        let (name, opened) = input.open();
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                self.refuse_document(name, format!("cannot be opened: {error}"));
                return None;
            }
        };
        let mut builder = self.builder.reader.clone();
        if is_url(&name) {
            builder.location_if_lenient(&name);
        }
        let mut reader = builder.from_reader(opened);
        match reader.kind() {
            Ok(Kind::UrlSet) => Some(Document { name, reader }),
            // The entries of an index are a single error with advice.
            Ok(Kind::SitemapIndex) => {
                if let Some(Err(error)) = reader.entries().next() {
                    self.refuse(&name, error);
                }
                self.note_repairs(&name, &mut reader);
                None
            }
            Err(error) => {
                self.refuse(&name, error);
                self.note_repairs(&name, &mut reader);
                None
            }
        }
    }

    /// Takes the repairs from the reader of a document.
    #[inline]
    fn note_repairs(&mut self, name: &str, reader: &mut DocumentReader) {
        if !reader.diagnostics().is_empty() {
            for diagnostic in reader.take_diagnostics() {
                self.problems.repair(name, &diagnostic);
            }
        }
    }

    /// Reads one entry. `false` if the document has ended.
    #[inline]
    fn step(&mut self, document: &mut Document) -> bool {
        let Document { name, reader } = document;
        let goes_on = match reader.read_record(&mut self.record) {
            Ok(true) => {
                if self.rows.push_record(name, &self.record).is_none() {
                    match reader.diagnose(&self.record) {
                        Ok(entry) => {
                            if self.rows.push_entry(name, &self.record, &entry).is_none() {
                                self.refuse_too_large(name.clone());
                            }
                        }
                        Err(error) => self.refuse(name, error),
                    }
                }
                true
            }
            Ok(false) => false,
            Err(error) => {
                let goes_on = !error.ends_reading();
                self.refuse(name, error);
                goes_on
            }
        };
        self.note_repairs(name, reader);
        if !goes_on {
            self.problems.count_dropped(reader.dropped_diagnostics());
        }
        goes_on
    }

    #[cold]
    fn refuse(&mut self, name: &str, error: Error) {
        if self.builder.skip_refused {
            self.problems.refuse(name, &error);
        } else {
            self.fail(ReadError::new(name.to_owned(), error));
        }
    }

    #[cold]
    fn refuse_document(&mut self, name: String, message: String) {
        if self.builder.skip_refused {
            self.problems.refuse_with(&name, "document", None, &message);
        } else {
            self.fail(ReadError::new(name, Error::custom(message)));
        }
    }

    #[cold]
    fn refuse_too_large(&mut self, name: String) {
        let message = "the entry is too large for a column of Arrow, which has 2,147,483,647 bytes at most: lower the limit with `Limits::with_entry_bytes`";
        if self.builder.skip_refused {
            self.problems
                .refuse_with(&name, "entry", Some(self.record.number()), message);
        } else {
            self.fail(ReadError::new(name, Error::custom(message)));
        }
    }

    fn fail(&mut self, error: ReadError) {
        self.failed = Some(ArrowError::ExternalError(Box::new(error)));
    }
}

/// Returns `true` if a document's name is an address against which relative URLs can be resolved.
fn is_url(name: &str) -> bool {
    let scheme = name.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
}

impl<I> Iterator for BatchReader<I>
where
    I: Iterator,
    I::Item: Into<Input>,
{
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let is_full = self.fill();
        if self.rows.len() > 0 {
            return Some(self.rows.finish());
        }
        if is_full {
            return None;
        }
        self.is_done = true;
        self.failed.take().map(Err)
    }
}

impl<I> RecordBatchReader for BatchReader<I>
where
    I: Iterator,
    I::Item: Into<Input>,
{
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.builder.projection.schema)
    }
}

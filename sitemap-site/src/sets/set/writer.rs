//! Writing the parts of one task.

use std::cmp::Ordering;
use std::error;
use std::sync::Arc;

use sitemap_serde::{OnInvalid, SitemapEntry, UrlEntry, W3cDateTime};

use super::output::{Output, Pipeline};
use super::shape::Shape;
use super::{Shared, lock};
#[cfg(feature = "serve")]
use crate::error::Chain;
use crate::error::{Error, ErrorKind, Result};
use crate::key::{Key, RowKey};
use crate::news::{Articles, MOST_NEWS};
use crate::part::{PartBuilder, PartFacts, PartWriter, WriteOutcome};
use crate::sets::list::{PartList, Problems, StagedPart, StagedParts};
use crate::sets::name::check_name;
use crate::sets::session::{BackgroundSync, Session, StagedPlace};
use crate::sets::settings::Progress;

/// Rows between two calls of the progress function.
const REPORT: u64 = 1024;
/// Maximum number of news entries in memory, for sorting.
const MOST_WAITING: usize = 100_000;

/// Writes the rows of one task as parts, in constant memory; made by [`SitemapSet::task_writer`](crate::SitemapSet::task_writer).
///
/// The parts are not public until the list that [`finish`](Self::finish) returns is committed. Dropping the writer removes its parts.
#[derive(Debug)]
pub struct TaskWriter {
    shared: Arc<Shared>,
    session: Arc<dyn Session>,
    parts: PartBuilder,
    on_invalid: OnInvalid,
    shape: Shape,
    open: Option<OpenPart>,
    /// The previous part, whose last chunks may still be compressed.
    ended: Option<EndedPart>,
    pipeline: Pipeline,
    /// Syncs complete parts while the next ones are written; only on a directory.
    sync: Option<Box<dyn BackgroundSync>>,
    /// `true` once a part could not be written. The list would lack its rows.
    has_failed: bool,
    list: PartList,
    news: Option<News>,
    keys: KeyOrder,
    rows: u64,
    entries: u64,
    bytes: u64,
}

#[derive(Debug)]
struct OpenPart {
    part: PartWriter<Output>,
    /// The number of the previous part that it replaces.
    number: Option<u64>,
    /// `true` if it begins with rows that did not fit in the previous part.
    pushed_out: bool,
    /// The name of its file, which is removed if the part is not finished.
    staged: Option<String>,
}

/// A part with all of its rows, whose file may be incomplete.
#[derive(Debug)]
struct EndedPart {
    number: Option<u64>,
    facts: PartFacts,
    last_loc: Option<String>,
    staged: Option<String>,
}

/// The order of the rows' keys.
#[derive(Debug, Default)]
struct KeyOrder {
    last: Option<Key>,
    /// The order of the first two keys that can be compared.
    order: Option<Ordering>,
}

impl KeyOrder {
    /// Refuses a key that equals the last one, or is not in the order of those before. Texts are in the database's order, which is not
    /// known here.
    fn check(&self, key: Option<&Key>) -> Result<()> {
        let (Some(last), Some(key)) = (&self.last, key) else {
            return Ok(());
        };
        let message = match key.partial_cmp(last) {
            Some(Ordering::Equal) => format!(
                "two rows have the key {key}: a key is unique; write each row once, with a key of columns that are unique together"
            ),
            Some(found) if self.order.is_some_and(|order| order != found) => format!(
                "the key {key} comes after {last}, against the order of the keys before: write the rows in the order of their keys"
            ),
            _ => return Ok(()),
        };
        Err(Error::new(ErrorKind::Source, message))
    }

    fn push(&mut self, key: Key) {
        if let Some(last) = &self.last {
            self.order = self.order.or_else(|| key.partial_cmp(last));
        }
        self.last = Some(key);
    }
}

#[derive(Debug)]
struct News {
    now: Option<W3cDateTime>,
    waiting: Vec<UrlEntry>,
}

impl TaskWriter {
    /// Makes a writer with the set's policy for invalid rows, or `policy` if the set has none.
    pub(super) fn new(shared: &Arc<Shared>, section: &str, task: &str, policy: OnInvalid) -> Result<Self> {
        check_name("section", section)?;
        check_name("task", task)?;
        let news = shared.settings.news.get(section).map(|now| News {
            now: *now,
            waiting: Vec::new(),
        });
        let mut parts = shared.parts.clone();
        let on_invalid = shared.settings.on_invalid.unwrap_or(policy);
        parts.on_invalid(on_invalid);
        if news.is_some() {
            let most = shared.settings.entries.min(MOST_NEWS);
            parts.max_entries(most).declare("news");
        }
        let before = lock(&shared.before).clone();
        let of_section = || {
            let parts = before.iter().flat_map(|before| &before.parts);
            parts.filter(|part| part.section == section)
        };
        let shape = if of_section().any(|part| part.task == task) {
            Shape::of_task(of_section().filter(|part| part.task == task))
        } else {
            Shape::of_section(of_section())
        };
        let session = shared.session()?;
        Ok(TaskWriter {
            sync: session.background_sync(),
            shared: Arc::clone(shared),
            parts,
            on_invalid,
            shape,
            open: None,
            ended: None,
            pipeline: Pipeline::new(shared.settings.gzip),
            has_failed: false,
            list: PartList {
                section: section.to_owned(),
                task: task.to_owned(),
                parts: StagedParts::new(&session),
                not_listed: 0,
                problems: Problems::default(),
            },
            session,
            news,
            keys: KeyOrder::default(),
            rows: 0,
            entries: 0,
            bytes: 0,
        })
    }

    /// Writes a row, and returns the number of its entries: 0 if it is not listed, or was [skipped](crate::SetBuilder::on_invalid).
    ///
    /// The key is the row's key in its table: `writer.write(product.id, &product)?`. Rows are ordered by their keys, ascending or
    /// descending. Only the order of integers can be checked, since the database defines the order of texts. With keys, parts
    /// keep their shape even if their last rows are deleted. News come in any order. A row without a key passes `None`:
    /// `writer.write(None, &page)?`. Then parts keep their shape by comparing locs.
    ///
    /// # Errors
    /// If the set's [policy](crate::SetBuilder::on_invalid) is to fail: [`ErrorKind::Entry`] if the row breaks a rule of the format,
    /// [`ErrorKind::Limit`] if its entries are too large for any part. The row is then in no part, and the writer can be used again. The
    /// message contains the key, the number of the row in this writer, and the loc.
    ///
    /// Under every policy: [`ErrorKind::Source`] if the key repeats the previous row's key, or breaks the order of the keys; the
    /// row is then not written. [`ErrorKind::Io`] if a file cannot be written; the task has then failed.
    pub fn write(&mut self, key: impl RowKey, row: &(impl SitemapEntry + ?Sized)) -> Result<u64> {
        let key = key.into_key();
        self.check()?;
        self.rows += 1;
        if self.rows.is_multiple_of(REPORT) {
            self.report();
        }
        let written = match self.news {
            Some(_) => self.gather(key.as_ref(), row),
            None => {
                let key = key.as_ref();
                self.keys.check(key).and_then(|()| self.place(key, row))
            }
        };
        match written {
            Ok(written) => {
                if let Some(key) = key {
                    self.keys.push(key);
                }
                Ok(written)
            }
            // Other errors, such as a full disk's, are not about the row that is written at the time.
            Err(error) if error.is_of_row() => self.refuse(key.as_ref(), error),
            Err(error) => Err(error.at(format_args!("section {}", self.list.section))),
        }
    }

    /// Returns the error of an invalid row, or skips the row.
    fn refuse(&mut self, key: Option<&Key>, error: Error) -> Result<u64> {
        let error = self.of_row(key, error);
        if self.on_invalid == OnInvalid::Fail {
            return Err(error);
        }
        self.list.problems.skipped += 1;
        self.problem(&error);
        Ok(0)
    }

    /// Skips a row whose entry the source could not make, unless the policy is to fail.
    #[cfg(feature = "serve")]
    pub(crate) fn undecoded(&mut self, key: &Key, error: Box<dyn error::Error + Send + Sync>) -> Result<()> {
        let message = format!("row {key}: {}", Chain(&*error));
        if self.on_invalid == OnInvalid::Fail {
            return Err(Error::caused(ErrorKind::Source, message, error));
        }
        self.skip(message);
        Ok(())
    }

    /// Reports the values that were dropped from a row.
    fn dropped(&mut self, key: Option<&Key>, dropped: Vec<sitemap_serde::Error>) {
        for error in dropped {
            let error = self.of_row(key, error.into());
            self.list.problems.dropped += 1;
            self.problem(&error);
        }
    }

    fn of_row(&self, key: Option<&Key>, error: Error) -> Error {
        match key {
            Some(key) => error.at(format_args!("section {}, row {key}", self.list.section)),
            None => error.at(format_args!("section {}", self.list.section)),
        }
    }

    fn problem(&mut self, error: &Error) {
        if let Some(on_problem) = &self.shared.settings.on_problem {
            on_problem(error);
        }
        self.list.problems.push(|| error.to_string());
    }

    /// Skips a row that the program cannot make, and counts it like an [invalid](crate::SetBuilder::on_invalid) row; `reason` is the
    /// problem's message.
    pub fn skip(&mut self, reason: impl Into<String>) {
        self.list.problems.skipped += 1;
        self.problem(&Error::new(ErrorKind::Source, reason));
    }

    /// Finishes the last part, and returns the list of all parts, to be [committed](crate::SitemapSet::commit).
    ///
    /// The list may be sent to another process: the parts of a serialized list stay for a day.
    ///
    /// # Errors
    /// [`ErrorKind::Io`].
    pub fn finish(mut self) -> Result<PartList> {
        self.check()?;
        if self.finish_news()? {
            self.close()?;
        }
        if let Some(open) = self.open.as_mut().filter(|open| !open.part.is_empty()) {
            open.number = open.number.or_else(|| self.shape.take_last_number());
            self.close()?;
        }
        if let Some(ended) = self.ended.take() {
            self.complete(ended)?;
        }
        if let Some(mut sync) = self.sync.take() {
            sync.end().map_err(|error| self.fail(None, error))?;
        }
        self.report();
        Ok(self.list.clone())
    }

    /// Writes the row to the part that it belongs to.
    fn place(&mut self, key: Option<&Key>, row: &(impl SitemapEntry + ?Sized)) -> Result<u64> {
        if let Some(key) = key {
            while let Some(end) = self.shape.ends_before(key) {
                self.end_at(end)?;
            }
        }
        let session = Arc::clone(&self.session);
        let pushed = |written: sitemap_serde::Result<WriteOutcome>| {
            written.map_err(|error| match error.kind() {
                sitemap_serde::ErrorKind::Io => unwritten(&*session, error),
                _ => error.into(),
            })
        };
        let mut open = self.open()?;
        let mut fit = pushed(open.part.push(key, row))?;
        if fit == WriteOutcome::Full {
            self.close()?;
            open = self.open()?;
            open.pushed_out = true;
            fit = pushed(open.part.push(key, row))?;
        }
        let dropped = open.part.take_dropped();
        if !dropped.is_empty() {
            self.dropped(key, dropped);
        }
        let written = match fit {
            WriteOutcome::Written(written) => written,
            WriteOutcome::NotListed | WriteOutcome::Full => {
                self.list.not_listed += 1;
                return Ok(0);
            }
        };
        self.entries += written;
        let Some(open) = &mut self.open else {
            return Ok(written);
        };
        if open.part.len() == written && !open.pushed_out {
            open.number = self.shape.take_number();
        }
        if let Some(end) = self.shape.ends_with(key, || open.part.last_loc()) {
            self.end_at(end)?;
        }
        Ok(written)
    }

    fn open(&mut self) -> Result<&mut OpenPart> {
        if self.open.is_none() {
            let settings = &self.shared.settings;
            let extension = settings.extension(settings.gzip.is_some(), settings.text);
            let staged = self.session.create(extension)?;
            let name = match &staged.place {
                StagedPlace::File { name, .. } => Some(name.clone()),
                StagedPlace::Memory(_) => None,
            };
            // The row that it is opened for counts already.
            self.parts.rows_before(self.rows.saturating_sub(1));
            self.open = Some(OpenPart {
                part: self.parts.hashed_by(Output::new(staged, &self.pipeline)),
                number: None,
                pushed_out: false,
                staged: name,
            });
        }
        self.open
            .as_mut()
            .ok_or_else(|| Error::new(ErrorKind::Io, "no part is open"))
    }

    /// Ends the current part where part `end` of the previous set ended, or continues it as the next part.
    fn end_at(&mut self, end: usize) -> Result<()> {
        if let Some(open) = &mut self.open
            && !open.part.is_empty()
        {
            // Rows that do not fit in a full part go to the start of the next part, if that has room. Otherwise every insertion
            // into a full part would create another small part.
            let room = self.shape.room_behind(end).filter(|(entries, bytes)| {
                open.part.len() + entries <= self.parts.most_entries()
                    && open.part.bytes() + bytes <= self.parts.most_bytes()
            });
            if open.pushed_out && room.is_some() {
                open.number = self.shape.take_number_of(end + 1);
                open.pushed_out = false;
                self.shape.pass(end);
                return Ok(());
            }
            if open.number.is_none() {
                open.number = self.shape.take_number_of(end);
            }
            self.close()?;
        }
        self.shape.pass(end);
        Ok(())
    }

    /// Ends the open part, and completes the one before it.
    fn close(&mut self) -> Result<()> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        let OpenPart {
            part, number, staged, ..
        } = open;
        let last_loc = match part.last_key() {
            Some(_) => None,
            None => part.last_loc().map(str::to_owned),
        };
        let ended = part
            .finish()
            .map_err(|error| unwritten(&*self.session, error))
            .and_then(|(output, facts)| {
                let ended = output.end().map(|()| facts);
                ended.map_err(|error| unwritten(&*self.session, error))
            });
        let facts = match ended {
            Ok(facts) => facts,
            Err(error) => return Err(self.fail(staged.as_deref(), error)),
        };
        self.bytes += facts.bytes;
        let ended = EndedPart {
            number,
            facts,
            last_loc,
            staged,
        };
        let before = self.ended.replace(ended);
        if let Some(before) = before {
            self.complete(before)?;
            self.sync_soon()?;
        }
        self.report();
        Ok(())
    }

    /// Waits until the file of a part is complete, and adds the part to the list.
    fn complete(&mut self, ended: EndedPart) -> Result<()> {
        let EndedPart {
            number,
            mut facts,
            last_loc,
            staged,
        } = ended;
        let settings = &self.shared.settings;
        let extension = settings.extension(settings.gzip.is_some(), settings.text);
        let stored = self
            .pipeline
            .finished()
            .map_err(|error| unwritten(&*self.session, error))
            .and_then(|file| {
                facts.hash = file.hash;
                self.session
                    .end(file.staged, &self.list.section, &facts, extension)
            });
        let (gzip, text) = (settings.gzip.is_some(), settings.text);
        match stored {
            Ok((staged, size)) => {
                self.list.parts.push(StagedPart {
                    staged,
                    number,
                    facts,
                    last_loc,
                    size,
                    gzip,
                    text,
                });
                Ok(())
            }
            Err(error) => Err(self.fail(staged.as_deref(), error)),
        }
    }

    /// Lets the last complete part be synced while the next ones are written. The last part of all is left to the commit, so that a task
    /// of one part does not wait for the disk twice.
    fn sync_soon(&mut self) -> Result<()> {
        let (Some(sync), Some(part)) = (&mut self.sync, self.list.parts.last()) else {
            return Ok(());
        };
        let added = sync.add(&part.staged);
        added.map_err(|error| self.fail(None, error))
    }

    /// After a part could not be written, nothing more is: the list would lack its rows.
    fn fail(&mut self, staged: Option<&str>, error: Error) -> Error {
        self.has_failed = true;
        if let Some(staged) = staged {
            self.session.discard(staged);
        }
        error
    }

    fn check(&self) -> Result<()> {
        if !self.has_failed {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Io,
            format!(
                "an earlier part of task `{}` of section `{}` could not be written: run the task again",
                self.list.task, self.list.section
            ),
        ))
    }

    fn report(&self) {
        self.session.beat();
        if let Some(progress) = &self.shared.settings.progress {
            progress(&Progress {
                section: &self.list.section,
                task: &self.list.task,
                entries: self.entries,
                bytes: self.bytes,
                parts: (self.list.parts.len() + usize::from(self.ended.is_some())) as u64,
            });
        }
    }

    /// Keeps the entries of a news row until all rows are known.
    fn gather(&mut self, key: Option<&Key>, row: &(impl SitemapEntry + ?Sized)) -> Result<u64> {
        let Some(news) = &mut self.news else { return Ok(0) };
        if !row.is_listed() {
            self.list.not_listed += 1;
            return Ok(0);
        }
        let mut builder = self.parts.writer().clone();
        builder.rows_before(self.rows - 1);
        let articles = Articles::of(row, &builder, news.now)?;
        self.list.not_listed += articles.old;
        if news.waiting.len() + articles.listed.len() > MOST_WAITING {
            return Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "more than {MOST_WAITING} news wait to be ordered: give those of the last two days (P-NEWS5)"
                ),
            ));
        }
        let gathered = articles.listed.len() as u64;
        news.waiting.extend(articles.listed);
        self.dropped(key, articles.dropped);
        Ok(gathered)
    }

    /// Writes the news, the newest first. On a day without news it opens a part without entries, and returns `true`.
    fn finish_news(&mut self) -> Result<bool> {
        let Some(mut news) = self.news.take() else {
            return Ok(false);
        };
        if news.waiting.is_empty() && self.list.problems.skipped == 0 && !self.shared.settings.text {
            let number = self.shape.take_number();
            self.open()?.number = number;
            return Ok(true);
        }
        let date = |entry: &UrlEntry| entry.news.as_ref().map(|news| news.publication_date);
        news.waiting
            .sort_by(|a, b| date(b).cmp(&date(a)).then_with(|| a.loc.cmp(&b.loc)));
        for entry in &news.waiting {
            match self.place(None, entry) {
                Err(error) if error.is_of_row() => drop(self.refuse(None, error)?),
                placed => drop(placed?),
            }
        }
        Ok(false)
    }
}

/// Removes the parts that the list does not have yet.
impl Drop for TaskWriter {
    fn drop(&mut self) {
        drop(self.sync.take());
        let open = self.open.take().and_then(|open| {
            let OpenPart { part, staged, .. } = open;
            drop(part);
            staged
        });
        let ended = self.ended.take().and_then(|ended| ended.staged);
        for staged in open.iter().chain(&ended) {
            self.session.discard(staged);
        }
    }
}

/// The error of a part that cannot be written, with the folder of its file. Several parts may be written at the time.
fn unwritten(session: &dyn Session, error: impl error::Error + Send + Sync + 'static) -> Error {
    let message = match session.folder() {
        Some(folder) => format!("cannot write a part in {}: {error}", folder.display()),
        None => format!("cannot write a part: {error}"),
    };
    Error::caused(ErrorKind::Io, message, error)
}

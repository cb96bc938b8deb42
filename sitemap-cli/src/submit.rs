//! `sitemap submit`.

mod record;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use sitemap_serde::diff::Diff;
use sitemap_submit::{Deployment, Exchange, PageState, Submission};

use self::record::RecordFile;
use crate::diff::{Compared, Sides, compare};
use crate::input::{Input, Inputs, counted, urls_below};
use crate::message::{Printer, Shown};
use crate::outputs::Existing;
use crate::progress::Progress;
use crate::replace::check_file;

/// Notify search engines of changed pages, by IndexNow
///
/// OLD and NEW are files, directories or URLs, as for diff. Added, changed and removed pages are sent;
/// nothing is sent if no value changed. One endpoint forwards them to all participating engines:
/// Bing, Yandex, Naver, Seznam and others, but not Google. The key is any text of 8 to 128 letters,
/// digits and hyphens that the site serves as text at /KEY.txt. The command checks that file first.
///
/// 200 and 202 mean that the pages were received, not that they are indexed. If the engine is busy
/// (429, 5xx), a request of up to 10,000 pages is retried, up to eight times or as --retries says.
/// Each received request is added to --record, so that the same command sends only the rest. If a run
/// is killed after an answer and before the record is written, the next run sends that request again;
/// if it is killed while it shortens a long record, the next run may send all changed pages again.
///
/// The exit status is 0 if every page was received, 1 if some were not, if the site does not serve
/// NEW in time, or if an entry of OLD or NEW cannot be read, and 2 if OLD or NEW cannot be read or an
/// argument is invalid. Nothing is sent while entries of NEW are unreadable, because they may contain
/// a page that seems to be removed. Pages found only in unlisted files are not sent, and the exit
/// status is 1.
///
///     sitemap submit old/ public/ --key 0123456789abcdef --wait https://example.com/ --record sent.txt
///     sitemap submit old.xml https://example.com/sitemap.xml --key 0123456789abcdef
///     sitemap submit old.xml new.xml --key 0123456789abcdef --dry-run
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// The IndexNow key
    #[arg(long)]
    key: String,
    /// The URL of the key file, unless it is /KEY.txt on each host; only pages in its directory and below can be sent
    #[arg(long, value_name = "URL")]
    key_location: Option<String>,
    /// The URL to post to
    #[arg(long, value_name = "URL", default_value = Submission::ENDPOINT)]
    endpoint: String,
    /// First wait until the site serves NEW at this URL, of the file or directory
    #[arg(long, value_name = "URL")]
    wait: Option<String>,
    /// Maximum time for --wait, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "600", requires = "wait")]
    max_wait: u64,
    /// A file of received pages, which are not sent again; it is created or appended to, and files with other content are refused
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the requests that would be sent, one per line, and send nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    sides: Sides,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let outputs = options.sides.outputs();
    let outputs = outputs.writes("--record", options.record.as_ref(), Existing::Checked);
    outputs.check()?;
    let mut submission = Submission::new(&options.key).context("--key")?;
    submission.endpoint(&options.endpoint).context("--endpoint")?;
    if let Some(retries) = options.sides.connection().retries() {
        submission.max_retries(retries);
    }
    if let Some(location) = &options.key_location {
        submission.key_location(location).context("--key-location")?;
    }
    let mut file = None;
    if let Some(path) = &options.record {
        check_file(path, "--record")?;
        if options.dry_run {
            submission.record(record::read(path, &options.endpoint)?);
        } else {
            let (opened, record) = RecordFile::open(path, &options.endpoint)?;
            submission.record(record);
            file = Some(opened);
        }
    }
    let (old, new) = options.sides.inputs(options.wait.as_deref(), true, &outputs)?;
    let (changes, compared) = changes(&options.sides.diff(), &old, &new)?;
    compared.print(0);
    if compared.summary.unread_new > 0 {
        print_message!(
            "sitemap: nothing is sent, since NEW could not be read whole: `sitemap lint` says why"
        );
        return Ok(ExitCode::from(1));
    }
    let is_sendable = push(&mut submission, changes);
    if options.dry_run {
        let mut out = Shown::text(Printer::stdout());
        for order in submission.orders() {
            writeln!(out, "{order}")?;
        }
    } else if !submission.is_empty() {
        if let Some(url) = &options.wait
            && !is_served(options, url, &new.list)?
        {
            return Ok(ExitCode::from(1));
        }
        send(options, &mut submission, file.as_mut())?;
    }
    report(&submission, options);
    let is_complete = submission.report().unsent.is_empty() && is_sendable && compared.is_whole();
    Ok(ExitCode::from(u8::from(!is_complete)))
}

/// The maximum number of unsendable pages to name.
const NAMED: u64 = 10;

/// The changed pages, each with its state.
type Changes = BTreeMap<String, PageState>;

fn changes(diff: &Diff, old: &Inputs, new: &Inputs) -> Result<(Changes, Compared)> {
    let mut changes = Changes::new();
    let compared = compare(diff, old, new, |change| {
        if let Some(state) = PageState::from_change(&change) {
            changes.insert(change.loc().to_owned(), state);
        }
        Ok(())
    })?;
    Ok((changes, compared))
}

/// Adds the changed pages. Returns `true` if all of them can be sent; reports the others.
fn push(submission: &mut Submission, changes: Changes) -> bool {
    let mut unsendable = 0;
    for (loc, state) in changes {
        if let Err(error) = submission.push(&loc, state) {
            unsendable += 1;
            if unsendable <= NAMED {
                print_message!("sitemap: {error}");
            }
        }
    }
    if unsendable > NAMED {
        print_message!("sitemap: {} cannot be sent", counted(unsendable, "page"));
    }
    unsendable == 0
}

/// Waits until the site serves the new set. Returns `true` if it does.
fn is_served(options: &Options, url: &str, new: &[Input]) -> Result<bool> {
    let urls = urls_below(url, options.sides.new_path(), new);
    let mut deployment = Deployment::new(Duration::from_secs(options.max_wait));
    for (url, input) in urls.iter().zip(new) {
        let Some(url) = url.as_ref().filter(|_| input.url().is_none()) else {
            bail!(
                "{}: --wait is for files that are to be served: name a file or a directory as NEW",
                input.name
            );
        };
        let opened = input.open_named()?;
        let read = deployment.document(url, opened);
        read.with_context(|| format!("cannot read {}", input.name))?;
    }
    let mut progress = Progress::new();
    let client = options.sides.connection().client()?;
    deployment.run_with(&client, |deployment| {
        if let Some(awaited) = deployment.awaited() {
            progress.show(|| format!("waiting: {awaited}"));
        }
        Ok(())
    })?;
    drop(progress);
    match deployment.result() {
        Ok(()) => Ok(true),
        Err(error) => {
            print_message!("sitemap: {error}; nothing was sent");
            Ok(false)
        }
    }
}

/// Sends the pages. Records each received request before the next one is sent.
fn send(options: &Options, submission: &mut Submission, mut record: Option<&mut RecordFile>) -> Result<()> {
    let mut progress = Progress::new();
    let client = options.sides.connection().client()?;
    submission.run_with(&client, |submission| {
        let received = submission.take_received();
        if let Some(record) = &mut record {
            record.append(&received).map_err(io::Error::other)?;
        }
        let rest = submission.len() as u64;
        progress.show(|| format!("{} to send", counted(rest, "page")));
        Ok(())
    })?;
    Ok(())
}

fn report(submission: &Submission, options: &Options) {
    let report = submission.report();
    for unsent in &report.unsent {
        print_message!(
            "sitemap: {} of {} not received: {}",
            counted(unsent.pages, "page"),
            unsent.host,
            unsent.problem
        );
    }
    if options.dry_run {
        print_note!("{} to send", counted(submission.len() as u64, "page"));
    } else {
        print_note!(
            "{} received, which does not mean indexed",
            counted(report.received, "page")
        );
    }
    if report.unchecked > 0 {
        print_note!(
            "{} received by an engine that has still to check the key",
            counted(report.unchecked, "page")
        );
    }
    if report.sent_before > 0 {
        print_note!(
            "{} sent before, by the record",
            counted(report.sent_before, "page")
        );
    }
}

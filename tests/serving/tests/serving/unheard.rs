//! If no log shows the site's events, one line on standard error reports the first skipped row.

use std::env;
use std::process::Command;
use std::sync::Mutex;

use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::Log;
use sitemap_site::SiteBuilder;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

const NAME: &str = "unheard::a_program_without_a_log_is_told_once";
const LOG: &str = "TEST_LOG_OF_CHILD";

struct Lines(Mutex<Vec<String>>);

/// A logger that shows nothing of the site.
struct Nothing;

static NOTHING: Nothing = Nothing;

impl log::Log for Nothing {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        false
    }

    fn log(&self, _: &log::Record<'_>) {}

    fn flush(&self) {}
}

static LINES: Lines = Lines(Mutex::new(Vec::new()));

impl log::Log for Lines {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target().starts_with("sitemap_site") && metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            self.0.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

fn serve() {
    let site = SiteBuilder::new("https://example.com")
        .section("pages", ["/", "no path", "none either"].map(UrlEntry::new))
        .build()
        .unwrap();
    let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    assert_eq!(runtime.block_on(site.respond(&request)).status(), 200);
}

/// A subscriber that shows some events only.
struct Filtered(fn(&Metadata<'_>) -> bool);

impl Subscriber for Filtered {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0(metadata)
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The test runs itself in its own process, because the other tests have a log.
#[test]
fn a_program_without_a_log_is_told_once() {
    match env::var(LOG).as_deref() {
        Ok("none") => return serve(),
        Ok("tracing") => {
            let log = Log::default();
            tracing::subscriber::with_default(log.clone(), serve);
            assert_eq!(log.lines().len(), 2);
            return;
        }
        Ok("log") => {
            log::set_logger(&LINES).unwrap();
            log::set_max_level(log::LevelFilter::Warn);
            serve();
            // tracing forwarded the events, because there is no subscriber.
            let lines = LINES.0.lock().unwrap();
            let rows = lines.iter().filter(|line| line.starts_with("a row is skipped"));
            assert_eq!(rows.count(), 2, "{lines:#?}");
            return;
        }
        Ok("tracing that hides it") => {
            let own = Filtered(|metadata| metadata.target().starts_with("my_shop"));
            return tracing::subscriber::with_default(own, serve);
        }
        Ok("tracing of errors") => {
            let errors = Filtered(|metadata| *metadata.level() == Level::ERROR);
            return tracing::subscriber::with_default(errors, serve);
        }
        Ok("log that hides it") => {
            log::set_logger(&NOTHING).unwrap();
            log::set_max_level(log::LevelFilter::Warn);
            return serve();
        }
        _ => {}
    }
    let told = |log: &str| {
        let program = env::current_exe().unwrap();
        let output = Command::new(program)
            .args(["--exact", NAME, "--nocapture"])
            .env(LOG, log)
            .output()
            .unwrap();
        assert!(output.status.success(), "{log}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let skipped = "sitemap_site: a row is skipped in the sitemap (key 2): `no path` is not an absolute URL: a loc begins with its scheme and \
         host, such as `https://example.com/` (P-LOC); write the absolute URL, or begin it with `/`, entry 2 · loc. This is said once, since";
    let no_log = format!(
        "{skipped} the program has no log: `tracing_subscriber::fmt::init()`, or a logger of the crate `log`, shows everything that the sitemap \
         skips\n"
    );
    let hidden = format!(
        "{skipped} the program's log hides the target `sitemap_site`: add `sitemap_site=warn` to its filter\n"
    );
    for (log, line) in [
        ("none", no_log.as_str()),
        ("tracing", ""),
        ("log", ""),
        ("tracing that hides it", &hidden),
        ("tracing of errors", ""),
        ("log that hides it", &hidden),
    ] {
        assert_eq!(told(log), line, "{log}");
    }
}

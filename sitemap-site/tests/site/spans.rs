//! The spans and events of `tracing`, as the guide lists them.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

use sitemap_serde::UrlEntry;
use sitemap_site::{SiteBuilder, SitemapSet};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::ask::{read, request};

/// Spans and events, each event with the spans around it.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    spans: HashMap<u64, String>,
    entered: Vec<u64>,
    events: Vec<String>,
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // Durations differ each time.
        if field.name() != "took" {
            let _ = write!(self.0, " {}={value:?}", field.name());
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("sitemap_site")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields(attributes.metadata().name().to_owned());
        attributes.record(&mut fields);
        let mut state = self.0.lock().unwrap();
        let id = state.spans.len() as u64 + 1;
        state.spans.insert(id, fields.0);
        Id::from_u64(id)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(event.metadata().level().to_string());
        event.record(&mut fields);
        let mut state = self.0.lock().unwrap();
        let spans: Vec<_> = state
            .entered
            .iter()
            .map(|id| format!("[{}] ", state.spans[id]))
            .collect();
        state.events.push(format!("{}{}", spans.concat(), fields.0));
    }

    fn enter(&self, id: &Id) {
        self.0.lock().unwrap().entered.push(id.into_u64());
    }

    fn exit(&self, id: &Id) {
        let mut state = self.0.lock().unwrap();
        if let Some(at) = state
            .entered
            .iter()
            .rposition(|entered| *entered == id.into_u64())
        {
            state.entered.remove(at);
        }
    }
}

#[test]
fn spans_name_the_part_and_the_section() {
    let log = Log::default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let set = SitemapSet::directory(folder.path().join("set"), "https://example.com")
        .open()
        .unwrap();
    tracing::subscriber::with_default(log.clone(), || {
        runtime.block_on(async {
            let site = SiteBuilder::new("https://example.com")
                .section("pages", ["/1", "ftp://x/", "/3"].map(UrlEntry::new))
                .build()
                .unwrap();
            site.ready().await.unwrap();
            let got = read(site.respond(&request("GET", "/sitemap-pages.xml", &[])).await).await;
            assert_eq!(got.status, 200);
            site.export(&set).await.unwrap();
        });
    });
    let state = log.0.lock().unwrap();
    let [table, left_out] = state.events.as_slice() else {
        panic!("{:?}", state.events)
    };
    assert_eq!(
        table,
        "[sitemap_table section=\"pages\"] INFO message=the table of parts has changed parts=1"
    );
    assert!(
        left_out.starts_with(
            "[sitemap part=\"sitemap-pages.xml\"] WARN message=a row is skipped in the sitemap key=2 error="
        ),
        "{left_out}"
    );
    let mut names: Vec<_> = state.spans.values().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "sitemap part=\"sitemap-pages.xml\"",
            "sitemap_export section=\"pages\"",
            "sitemap_table section=\"pages\""
        ]
    );
}

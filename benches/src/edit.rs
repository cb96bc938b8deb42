//! Editing as a stream, side by side with quick-xml's events read and written again.

use std::io::Write;

use quick_xml::events::{BytesText, Event};
use sitemap_serde::{Editor, edit::EntryEditor};

use crate::harness::{Comparison, Target};
use crate::read::plain;

const ROUNDS: usize = 25;
const ENTRIES: usize = 50_000;

const COPY: &str = "quick-xml, events read and written";
const COPY_CHANGED: &str = "quick-xml, one lastmod changed";
const NOTHING: &str = "Editor, nothing changed";
const ONE: &str = "Editor, one lastmod changed";
const EVERY: &str = "Editor, every lastmod changed";
const HALF: &str = "Editor, every other entry dropped";

const NEW: &str = "2026-05-01";

/// Copies a document event by event, with the text of its `change`-th lastmod changed.
fn quick_xml_events(xml: &[u8], out: &mut Vec<u8>, change: Option<usize>) {
    let mut reader = quick_xml::Reader::from_reader(xml);
    let mut writer = quick_xml::Writer::new(out);
    let mut buffer = Vec::new();
    let (mut met, mut is_lastmod) = (0, false);
    loop {
        let event = reader.read_event_into(&mut buffer).expect("well-formed");
        match event {
            Event::Eof => return,
            Event::Start(tag) => {
                is_lastmod = tag.name().as_ref() == "lastmod";
                met += usize::from(is_lastmod);
                writer.write_event(Event::Start(tag)).expect("a Vec takes all");
            }
            Event::Text(_) if is_lastmod && change == Some(met) => {
                let text = Event::Text(BytesText::new(NEW));
                writer.write_event(text).expect("a Vec takes all");
            }
            other => {
                is_lastmod = false;
                writer.write_event(other).expect("a Vec takes all");
            }
        }
        buffer.clear();
    }
}

fn edit(xml: &[u8], out: &mut Vec<u8>, mut change: impl FnMut(EntryEditor<'_>)) {
    let mut editor = Editor::new(xml, out);
    while let Some(entry) = editor.next_entry().expect("a sitemap") {
        change(entry);
    }
    editor.finish().expect("a Vec takes all").flush().expect("a Vec");
}

fn set(mut entry: EntryEditor<'_>) {
    entry.set("lastmod", NEW).expect("a date");
}

/// A candidate's work: the document, its output, and the end of the middle entry's loc.
type Work = dyn Fn(&[u8], &mut Vec<u8>, &str);

/// Runs the comparison, or repeats one candidate.
pub(crate) fn run(repeat: Option<(&str, usize)>) {
    let xml = plain(ENTRIES);
    let target = format!("/product-{}", ENTRIES / 2);
    let mut comparison = Comparison::new(format!("Editing 50,000 urls, {} bytes", xml.len()), ENTRIES);
    let mut add = |name, work: &'static Work| {
        let (xml, target) = (xml.as_bytes(), target.as_str());
        let mut out = Vec::with_capacity(xml.len() + 1024);
        comparison.add(name, move || {
            out.clear();
            work(xml, &mut out, target);
            out.len()
        });
    };
    add(COPY, &|xml, out, _| quick_xml_events(xml, out, None));
    add(COPY_CHANGED, &|xml, out, _| {
        quick_xml_events(xml, out, Some(ENTRIES / 2));
    });
    add(NOTHING, &|xml, out, _| edit(xml, out, |_| {}));
    add(ONE, &|xml, out, target| {
        edit(xml, out, |entry| {
            if entry.loc().ends_with(target) {
                set(entry);
            }
        });
    });
    add(EVERY, &|xml, out, _| edit(xml, out, set));
    add(HALF, &|xml, out, _| {
        edit(xml, out, |entry| {
            if entry.record().number() % 2 == 0 {
                entry.delete();
            }
        });
    });
    if let Some((name, times)) = repeat {
        assert!(comparison.repeat(name, times), "no candidate {name}");
        return;
    }
    let target = |name, times, others| Target { name, times, others };
    comparison.run(ROUNDS, &[target(ONE, 2.0, &[COPY_CHANGED])]);
}

//! Everything that writing refuses: the error, and the output so far.

#![expect(
    clippy::items_after_statements,
    reason = "a type that one test needs stands beside what is tested with it"
)]

mod kind;
mod limits;
mod loc;
mod shape;
mod values;
mod written;

use std::collections::BTreeMap;

use serde::Serialize;
use sitemap_serde::{ErrorKind, WriterBuilder};
use sitemap_tests::{Problem, finished};

/// Refuses an entry in the middle of a document, and returns the error. The document continues without it.
#[track_caller]
fn refused_by<T: Serialize + ?Sized>(builder: &WriterBuilder, entry: &T) -> Problem {
    for pretty in [false, true] {
        let mut builder = builder.clone();
        builder.pretty(pretty);
        let good = |path: &str| BTreeMap::from([("loc", format!("https://example.com/{path}"))]);
        let mut expected = builder.from_writer(Vec::new());
        expected.serialize(&good("1")).unwrap();
        expected.flush().unwrap();
        let first = expected.get_ref().clone();
        expected.serialize(&good("3")).unwrap();
        let expected = String::from_utf8(expected.finish().unwrap()).unwrap();

        let mut writer = builder.from_writer(Vec::new());
        writer.serialize(&good("1")).unwrap();
        let problem = Problem::of(&writer.serialize(entry).unwrap_err());
        assert_eq!(writer.summary().entries, 1);
        writer.flush().unwrap();
        assert_eq!(writer.get_ref(), &first, "nothing of the entry is out");
        // The same row again is the third one passed.
        let again = Problem::of(&writer.serialize(entry).unwrap_err());
        assert_eq!(again.entry, Some(3));
        assert_eq!(again.message, problem.message.replace(", entry 2", ", entry 3"));
        writer.serialize(&good("3")).unwrap();
        assert_eq!(finished(writer), expected);

        // A first entry is refused before the root is written, and the root is still closed.
        let mut writer = builder.from_writer(Vec::new());
        writer.serialize(entry).unwrap_err();
        writer.flush().unwrap();
        assert!(writer.get_ref().is_empty());
        writer.serialize(&good("1")).unwrap();
        writer.serialize(&good("3")).unwrap();
        assert_eq!(finished(writer), expected);

        // The error is the same in a sequence.
        let mut serializer = builder.serializer_from_writer(Vec::new());
        let error = (good("1"), entry, good("3"))
            .serialize(&mut serializer)
            .unwrap_err();
        assert_eq!(Problem::of(&error), problem);
        let left = serializer.into_inner();
        assert!(!String::from_utf8(left).unwrap().contains("</urlset>"));
        if pretty {
            return problem;
        }
    }
    unreachable!()
}

#[track_caller]
fn refused<T: Serialize + ?Sized>(entry: &T) -> Problem {
    refused_by(&WriterBuilder::new(), entry)
}

#[track_caller]
fn is_refused<T: Serialize + ?Sized>(
    entry: &T,
    rule: impl Into<Option<&'static str>>,
    path: &str,
    message: &str,
) {
    is_refused_by(&WriterBuilder::new(), entry, rule, path, message);
}

#[track_caller]
fn is_refused_by<T: Serialize + ?Sized>(
    builder: &WriterBuilder,
    entry: &T,
    rule: impl Into<Option<&'static str>>,
    path: &str,
    message: &str,
) {
    let (path, ending) = ending(path);
    assert_eq!(
        refused_by(builder, entry),
        Problem {
            kind: ErrorKind::Data,
            place: None,
            entry: Some(2),
            path: Some(path.to_owned()),
            rule: rule.into(),
            message: format!("{message}, {ending}"),
        }
    );
}

/// The path, and the end of the message: the path and the entry's loc, unless the loc or the whole entry is invalid. `entry 2, loc …`
/// replaces it.
fn ending(path: &str) -> (&str, String) {
    match (path.split_once(", loc "), path) {
        (Some((path_alone, _)), path) => (path_alone, path.to_owned()),
        (None, "entry 2" | "entry 2 · loc") => (path, path.to_owned()),
        (None, path) => (path, format!("{path}, loc `https://example.com/2`")),
    }
}

#[derive(Serialize)]
struct Page<L, F, P> {
    loc: &'static str,
    lastmod: L,
    changefreq: F,
    priority: P,
}

type None_ = Option<String>;

fn lastmod<L>(lastmod: L) -> Page<L, None_, None_> {
    Page {
        loc: "https://example.com/2",
        lastmod,
        changefreq: None,
        priority: None,
    }
}

fn changefreq<F>(changefreq: F) -> Page<None_, F, None_> {
    Page {
        loc: "https://example.com/2",
        lastmod: None,
        changefreq,
        priority: None,
    }
}

fn priority<P>(priority: P) -> Page<None_, None_, P> {
    Page {
        loc: "https://example.com/2",
        lastmod: None,
        changefreq: None,
        priority,
    }
}

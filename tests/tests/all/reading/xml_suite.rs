//! The scanner against the W3C's XML conformance suite (2013-09-23), found through `SITEMAP_SHARED`.
//!
//! A document without a DOCTYPE is accepted or rejected as the suite requires. A document with a DOCTYPE is read by xml-rs, and
//! has its result. XML 1.1 is refused.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

use sitemap_serde::__internals::{of_reader, of_slice};
use sitemap_serde::Limits;
use sitemap_tests::xml_events::of_xml_rs;
use sitemap_tests::{Trickle, files, limited, sample};

struct Case {
    id: String,
    kind: String,
    recommendation: String,
    edition: Option<String>,
    namespaces: bool,
    document: Vec<u8>,
}

/// The catalogues, and the folder that each one's documents are relative to.
const CATALOGUES: [(&str, &str); 20] = [
    ("xmltest/xmltest.xml", "xmltest/"),
    ("japanese/japanese.xml", "japanese/"),
    ("sun/sun-valid.xml", "sun/"),
    ("sun/sun-invalid.xml", "sun/"),
    ("sun/sun-not-wf.xml", "sun/"),
    ("sun/sun-error.xml", "sun/"),
    ("oasis/oasis.xml", "oasis/"),
    ("ibm/ibm_oasis_invalid.xml", "ibm/"),
    ("ibm/ibm_oasis_not-wf.xml", "ibm/"),
    ("ibm/ibm_oasis_valid.xml", "ibm/"),
    ("ibm/xml-1.1/ibm_invalid.xml", "ibm/xml-1.1/"),
    ("ibm/xml-1.1/ibm_not-wf.xml", "ibm/xml-1.1/"),
    ("ibm/xml-1.1/ibm_valid.xml", "ibm/xml-1.1/"),
    ("eduni/errata-2e/errata2e.xml", "eduni/errata-2e/"),
    ("eduni/xml-1.1/xml11.xml", "eduni/xml-1.1/"),
    ("eduni/namespaces/1.0/rmt-ns10.xml", "eduni/namespaces/1.0/"),
    ("eduni/namespaces/1.1/rmt-ns11.xml", "eduni/namespaces/1.1/"),
    ("eduni/errata-3e/errata3e.xml", "eduni/errata-3e/"),
    ("eduni/errata-4e/errata4e.xml", "eduni/errata-4e/"),
    (
        "eduni/namespaces/errata-1e/errata1e.xml",
        "eduni/namespaces/errata-1e/",
    ),
];

/// Cases with another result than the suite requires, each with the reason.
const EXCEPTIONS: [(&str, &str); 1] = [(
    "v-pe02",
    "a parameter entity that makes references to others: nobody knows beforehand how long that becomes",
)];

/// Documents that refer to an external entity. A parser may omit its content, as xml-rs does. Here nothing is omitted, so these documents
/// are refused.
const EXTERNAL: [&str; 38] = [
    "valid-sa-097",
    "valid-not-sa-011",
    "valid-not-sa-012",
    "valid-not-sa-026",
    "valid-ext-sa-001",
    "valid-ext-sa-002",
    "valid-ext-sa-003",
    "valid-ext-sa-004",
    "valid-ext-sa-005",
    "valid-ext-sa-006",
    "valid-ext-sa-007",
    "valid-ext-sa-008",
    "valid-ext-sa-009",
    "valid-ext-sa-011",
    "valid-ext-sa-012",
    "valid-ext-sa-013",
    "valid-ext-sa-014",
    "ext01",
    "ext02",
    "ibm-valid-P68-ibm68v02.xml",
    "ibm-valid-P69-ibm69v02.xml",
    "ibm-valid-P70-ibm70v01.xml",
    "ibm-valid-P78-ibm78v01.xml",
    "ibm-valid-P79-ibm79v01.xml",
    "ibm-1-1-not-wf-P77-ibm77n16.xml",
    "ibm-1-1-not-wf-P77-ibm77n17.xml",
    "ibm-1-1-not-wf-P77-ibm77n18.xml",
    "rmt-e2e-60",
    "rmt-002",
    "rmt-003",
    "rmt-004",
    "rmt-005",
    "invalid-bo-1",
    "invalid-bo-2",
    "invalid-bo-3",
    "invalid-bo-4",
    "invalid-bo-5",
    "invalid-bo-6",
];

fn cases(test: &str) -> Option<Vec<Case>> {
    let archive = files(test)?.join("xmlconf/xmlts20130923.zip");
    let mut archive = zip::ZipArchive::new(File::open(archive).unwrap()).unwrap();
    let mut file = |name: &str| {
        let mut bytes = Vec::new();
        archive
            .by_name(&format!("xmlconf/{name}"))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .read_to_end(&mut bytes)
            .unwrap();
        bytes
    };
    let mut cases = Vec::new();
    for (catalogue, base) in CATALOGUES {
        let catalogue = file(catalogue);
        let mut reader = quick_xml::Reader::from_reader(&catalogue[..]);
        reader.config_mut().check_end_names = false;
        loop {
            let element = match reader.read_event() {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(quick_xml::events::Event::Start(element) | quick_xml::events::Event::Empty(element)) => {
                    element
                }
                _ => continue,
            };
            if element.name().as_ref() != "TEST" {
                continue;
            }
            let attribute = |name: &str| {
                let attribute = element.try_get_attribute(name).unwrap()?;
                Some(attribute.value.into_owned())
            };
            cases.push(Case {
                id: attribute("ID").unwrap(),
                kind: attribute("TYPE").unwrap(),
                recommendation: attribute("RECOMMENDATION").unwrap_or_else(|| "XML1.0".into()),
                edition: attribute("EDITION"),
                namespaces: attribute("NAMESPACE").as_deref() != Some("no"),
                document: file(&format!("{base}{}", attribute("URI").unwrap())),
            });
        }
    }
    Some(cases)
}

/// Every limit is disabled, except the limit on expansion, which protects the test.
fn limits() -> Limits {
    limited(Limits::reading(), |limits| {
        limits.depth = 1000;
        limits.attributes = 1000;
        limits.namespaces = 1000;
        limits.name_bytes = 1 << 16;
    })
}

/// The document's text as UTF-8 without its declaration, for parsers that cannot read its encoding.
fn decoded(document: &[u8]) -> String {
    let label = if document.starts_with(&[0xFE, 0xFF]) {
        "utf-16be"
    } else if document.starts_with(&[0xFF, 0xFE]) {
        "utf-16le"
    } else {
        let start = String::from_utf8_lossy(&document[..document.len().min(200)]).into_owned();
        return match start
            .split_once("encoding=")
            .filter(|_| start.starts_with("<?xml"))
        {
            Some((_, label)) => decode(
                document,
                label
                    .trim_start_matches(['"', '\''])
                    .split(['"', '\''])
                    .next()
                    .unwrap(),
            ),
            None => decode(document, "utf-8"),
        };
    };
    decode(document, label)
}

fn decode(document: &[u8], label: &str) -> String {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::UTF_8);
    let text = encoding.decode(document).0.into_owned();
    match text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")) {
        Some((_, rest)) => rest.to_owned(),
        None => text,
    }
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn documents_are_accepted_and_rejected_as_the_suite_says() {
    let Some(cases) = cases("xml_suite") else { return };
    let mut counts: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut external = Vec::new();
    for case in &cases {
        let result = of_slice(&case.document, limits()).1;
        let text = decoded(&case.document);
        let has_doctype = text.contains("<!DOCTYPE");
        let outdated = case
            .edition
            .as_deref()
            .is_some_and(|editions| !editions.split(' ').any(|edition| edition == "5"));
        let exception = EXCEPTIONS.iter().find(|(id, _)| *id == case.id);
        let (group, expected) = if case.kind == "error" {
            ("an error that may be skipped", None)
        } else if case.recommendation.ends_with("1.1") {
            // Some are XML 1.0 documents in a test of changes in 1.1. The rules of 1.0 apply.
            let declares = result
                .as_ref()
                .is_err_and(|error| error.to_string().contains("XML 1.1"));
            (
                "XML 1.1",
                if declares {
                    None
                } else {
                    Some(of_xml_rs(text.as_bytes()).1.is_ok())
                },
            )
        } else if outdated {
            ("of an earlier edition", None)
        } else if !case.namespaces {
            ("without namespaces", None)
        } else if has_doctype && result.is_ok() == (case.kind != "not-wf") {
            ("with a DOCTYPE, as the suite", None)
        } else if has_doctype {
            (
                "with a DOCTYPE, as xml-rs and not as the suite",
                Some(of_xml_rs(text.as_bytes()).1.is_ok()),
            )
        } else {
            ("without a DOCTYPE, as the suite", Some(case.kind != "not-wf"))
        };
        let decision = if result.is_ok() { "accepted" } else { "rejected" };
        *counts.entry((group, decision)).or_default() += 1;
        if expected == Some(true)
            && let Err(error) = &result
            && error
                .to_string()
                .contains("is declared in the DOCTYPE as external")
        {
            external.push(case.id.as_str());
        } else if expected.is_some_and(|expected| expected != result.is_ok()) && exception.is_none() {
            let said = result.map_or_else(|error| error.to_string(), |()| "accepted".to_owned());
            wrong.push(format!(
                "{} ({group}, {}, {}): {said}",
                case.id, case.kind, case.recommendation
            ));
        }
    }
    println!("{:>4} documents", cases.len());
    for ((group, decision), count) in &counts {
        println!("{count:>4} {decision}: {group}");
    }
    for (id, reason) in EXCEPTIONS {
        println!("exception {id}: {reason}");
    }
    println!("{:>4} rejected: they refer to an external entity", external.len());
    assert_eq!(external, EXTERNAL);
    assert!(
        wrong.is_empty(),
        "{} decided wrongly:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn events_equal_those_of_xml_rs() {
    let Some(cases) = cases("xml_suite") else { return };
    let (mut same, mut wrong) = (0, Vec::new());
    for case in cases {
        let (events, result) = of_slice(&case.document, limits());
        if result.is_err() {
            continue;
        }
        let events = sitemap_tests::xml_events::joined(events.into_iter().map(|(event, _)| event));
        let (theirs, said) = of_xml_rs(decoded(&case.document).as_bytes());
        if said.is_ok() && theirs == events {
            same += 1;
        } else {
            wrong.push(case.id);
        }
    }
    println!("{same} documents with the same events");
    assert!(wrong.is_empty(), "other events: {wrong:?}");
    assert!(same > 500, "only {same} documents compared");
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn every_way_to_read_is_the_same() {
    let Some(cases) = cases("xml_suite") else { return };
    for case in sample(cases) {
        let whole = of_slice(&case.document, limits());
        let stream = of_reader(&case.document[..], limits());
        let bytes = of_reader(Trickle::new(&case.document), limits());
        let said = |(events, result): (Vec<_>, sitemap_serde::Result<()>)| {
            (events, result.map_err(|error| error.to_string()))
        };
        let (whole, stream, bytes) = (said(whole), said(stream), said(bytes));
        assert_eq!(whole.1, stream.1, "{}", case.id);
        assert_eq!(whole.1, bytes.1, "{}", case.id);
        assert!(whole.0 == stream.0, "{}: events of a stream", case.id);
        assert!(whole.0 == bytes.0, "{}: events of single bytes", case.id);
    }
}

//! Random entries checked by xmllint against the published schemas.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sitemap_tests::{NAMESPACES, Schemas, cases};

use crate::round_trip::random::entry;

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn the_schemas_find_what_is_wrong() {
    let Some(schemas) = Schemas::of("the_schemas_find_what_is_wrong") else {
        return;
    };
    for (namespace, element, expected) in [
        (0, "<image xmlns='NS'><title>T</title></image>", "}loc"),
        (1, "<video xmlns='NS'><title>T</title></video>", "thumbnail_loc"),
        (2, "<news xmlns='NS'><title>T</title></news>", "publication"),
        (3, "<link xmlns='NS' rel='alternate'/>", "href"),
        (4, "<mobile xmlns='NS'>yes</mobile>", "mobile"),
        (5, "<PageMap xmlns='NS'><DataObject/></PageMap>", "type"),
    ] {
        let element = element.replace("NS", NAMESPACES[namespace]);
        let wrong = sitemap_tests::urlset(&format!("<url><loc>https://example.com/</loc>{element}</url>"));
        let message = schemas.check(&[wrong]).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn the_schemas_find_nothing_wrong() {
    let Some(schemas) = Schemas::of("the_schemas_find_nothing_wrong") else {
        return;
    };
    let config = ProptestConfig {
        max_shrink_iters: 64,
        ..cases(4)
    };
    let documents = proptest::collection::vec((proptest::collection::vec(entry(), 1..4), any::<bool>()), 64);
    TestRunner::new(config)
        .run(&documents, |documents| {
            let documents: Vec<String> = documents
                .iter()
                .map(|(entries, pretty)| {
                    if *pretty {
                        sitemap_serde::to_string_pretty(entries).unwrap()
                    } else {
                        sitemap_serde::to_string(entries).unwrap()
                    }
                })
                .collect();
            let checked = schemas.check(&documents);
            prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
            Ok(())
        })
        .unwrap();
}

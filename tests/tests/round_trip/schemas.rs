//! The published schemas, as xmllint holds them against entries made at random.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use proptest::prelude::*;

use crate::NAMESPACES;
use crate::random::entry;

/// Schemas for what the published ones do not have: of images, and of links.
const IMAGE_XSD: &str = r#"<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
    targetNamespace="http://www.google.com/schemas/sitemap-image/1.1">
  <xsd:element name="image"><xsd:complexType><xsd:sequence>
    <xsd:element name="loc" type="xsd:anyURI"/>
    <xsd:element name="caption" type="xsd:string" minOccurs="0"/>
    <xsd:element name="geo_location" type="xsd:string" minOccurs="0"/>
    <xsd:element name="title" type="xsd:string" minOccurs="0"/>
    <xsd:element name="license" type="xsd:string" minOccurs="0"/>
  </xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>"#;

const XHTML_XSD: &str = r#"<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/1999/xhtml">
  <xsd:element name="link"><xsd:complexType>
    <xsd:attribute name="rel" type="xsd:string" use="required"/>
    <xsd:attribute name="hreflang" type="xsd:string"/>
    <xsd:attribute name="media" type="xsd:string"/>
    <xsd:attribute name="href" type="xsd:anyURI" use="required"/>
  </xsd:complexType></xsd:element>
</xsd:schema>"#;

#[test]
fn the_schemas_find_nothing_wrong() {
    let Some(shared) = sitemap_tests::files("the_schemas_find_nothing_wrong") else {
        return;
    };
    let Some(xmllint) = sitemap_tests::program("the_schemas_find_nothing_wrong", "xmllint") else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("sitemap-round-trip-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut driver = String::from("<xsd:schema xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">\n");
    let mut import = |namespace: &str, file: &str, text: &str| {
        fs::write(folder.join(file), text).unwrap();
        writeln!(
            driver,
            "<xsd:import namespace=\"{namespace}\" schemaLocation=\"{file}\"/>"
        )
        .unwrap();
    };
    for (namespace, file) in [
        ("http://www.sitemaps.org/schemas/sitemap/0.9", "sitemap.xsd"),
        (NAMESPACES[1], "sitemap-video.xsd"),
        (NAMESPACES[2], "sitemap-news.xsd"),
        (NAMESPACES[4], "sitemap-mobile.xsd"),
        (NAMESPACES[5], "sitemap-pagemap.xsd"),
    ] {
        import(
            namespace,
            file,
            // One of them has a blank line before its declaration.
            fs::read_to_string(shared.join("xsd").join(file))
                .unwrap()
                .trim_start(),
        );
    }
    import(NAMESPACES[0], "image.xsd", IMAGE_XSD);
    import(NAMESPACES[3], "xhtml.xsd", XHTML_XSD);
    driver.push_str("</xsd:schema>\n");
    fs::write(folder.join("driver.xsd"), driver).unwrap();

    let validate = |documents: &[String]| {
        let mut files = Vec::new();
        for (i, xml) in documents.iter().enumerate() {
            let file = folder.join(format!("{i}.xml"));
            fs::write(&file, xml).unwrap();
            files.push(file);
        }
        let output = Command::new(&xmllint)
            .args(["--noout", "--nonet", "--schema"])
            .arg(folder.join("driver.xsd"))
            .args(&files)
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    // The driver finds what is wrong.
    for (namespace, element, expected) in [
        (0, "<image xmlns='NS'><title>T</title></image>", "}loc"),
        (1, "<video xmlns='NS'><title>T</title></video>", "thumbnail_loc"),
        (2, "<news xmlns='NS'><title>T</title></news>", "publication"),
        (3, "<link xmlns='NS' rel='alternate'/>", "href"),
        (4, "<mobile xmlns='NS'>yes</mobile>", "mobile"),
        (5, "<PageMap xmlns='NS'><DataObject/></PageMap>", "type"),
    ] {
        let element = element.replace("NS", NAMESPACES[namespace]);
        let wrong = format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc>{element}</url></urlset>"
        );
        let (valid, message) = validate(&[wrong]);
        assert!(!valid && message.contains(expected), "{message}");
    }

    // One process for many documents.
    let config = ProptestConfig {
        cases: 4,
        failure_persistence: None,
        max_shrink_iters: 64,
        ..ProptestConfig::default()
    };
    let documents = proptest::collection::vec((proptest::collection::vec(entry(), 1..4), any::<bool>()), 64);
    let mut count = 0;
    proptest::test_runner::TestRunner::new(config)
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
            let (valid, message) = validate(&documents);
            let problems: Vec<_> = message
                .lines()
                .filter(|line| !line.ends_with(" validates"))
                .take(5)
                .collect();
            prop_assert!(valid, "{problems:#?}");
            Ok(())
        })
        .unwrap();
    count += 4 * 64;
    println!("{count} documents are valid");
    fs::remove_dir_all(&folder).unwrap();
}

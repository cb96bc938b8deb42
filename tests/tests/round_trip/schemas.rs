//! The published schemas, as xmllint holds them against entries made at random.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sitemap_tests::cases;
use tempfile::TempDir;

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

/// xmllint, with a schema that has all of them.
struct Schemas {
    xmllint: PathBuf,
    folder: TempDir,
}

impl Schemas {
    fn new(xmllint: PathBuf, published: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut driver = String::from("<xsd:schema xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">\n");
        let mut import = |namespace: &str, file: &str, text: &str| {
            fs::write(folder.path().join(file), text).unwrap();
            writeln!(
                driver,
                "<xsd:import namespace=\"{namespace}\" schemaLocation=\"{file}\"/>"
            )
            .unwrap();
        };
        for (namespace, file) in [
            (sitemap_tests::CORE, "sitemap.xsd"),
            (NAMESPACES[1], "sitemap-video.xsd"),
            (NAMESPACES[2], "sitemap-news.xsd"),
            (NAMESPACES[4], "sitemap-mobile.xsd"),
            (NAMESPACES[5], "sitemap-pagemap.xsd"),
        ] {
            let text = fs::read_to_string(published.join(file)).unwrap();
            // One of them has a blank line before its declaration.
            import(namespace, file, text.trim_start());
        }
        import(NAMESPACES[0], "image.xsd", IMAGE_XSD);
        import(NAMESPACES[3], "xhtml.xsd", XHTML_XSD);
        driver.push_str("</xsd:schema>\n");
        fs::write(folder.path().join("driver.xsd"), driver).unwrap();
        Schemas { xmllint, folder }
    }

    /// Validates documents, in one process.
    fn check(&self, documents: &[String]) -> Result<(), String> {
        let mut files = Vec::new();
        for (i, xml) in documents.iter().enumerate() {
            let file = self.folder.path().join(format!("{i}.xml"));
            fs::write(&file, xml).unwrap();
            files.push(file);
        }
        let output = Command::new(&self.xmllint)
            .args(["--noout", "--nonet", "--schema"])
            .arg(self.folder.path().join("driver.xsd"))
            .args(&files)
            .output()
            .unwrap();
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let problems = said.lines().filter(|line| !line.ends_with(" validates"));
        Err(problems.take(5).collect::<Vec<_>>().join("\n"))
    }
}

fn schemas(test: &str) -> Option<Schemas> {
    let shared = sitemap_tests::files(test)?;
    let xmllint = sitemap_tests::program(test, "xmllint")?;
    Some(Schemas::new(xmllint, &shared.join("xsd")))
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn the_schemas_find_what_is_wrong() {
    let Some(schemas) = schemas("the_schemas_find_what_is_wrong") else {
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
    let Some(schemas) = schemas("the_schemas_find_nothing_wrong") else {
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

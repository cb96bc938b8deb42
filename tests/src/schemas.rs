//! The published schemas, for xmllint.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The namespaces of the extensions.
pub const NAMESPACES: [&str; 6] = [
    "http://www.google.com/schemas/sitemap-image/1.1",
    "http://www.google.com/schemas/sitemap-video/1.1",
    "http://www.google.com/schemas/sitemap-news/0.9",
    "http://www.w3.org/1999/xhtml",
    "http://www.google.com/schemas/sitemap-mobile/1.0",
    "http://www.google.com/schemas/sitemap-pagemap/1.0",
];

/// Schemas for images and links, which the published ones lack.
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

/// Runs xmllint with a schema that includes all of them.
#[derive(Debug)]
pub struct Schemas {
    xmllint: PathBuf,
    folder: TempDir,
}

impl Schemas {
    /// `None` without the files of `SITEMAP_SHARED`, or without xmllint: skip the test.
    ///
    /// # Panics
    /// The same as for [`files`](crate::files) and [`program`](crate::program).
    pub fn of(test: &str) -> Option<Self> {
        let published = crate::files(test)?.join("xsd");
        let xmllint = crate::program(test, "xmllint")?;
        Some(Schemas::new(xmllint, &published))
    }

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
            (crate::CORE, "sitemap.xsd"),
            (NAMESPACES[1], "sitemap-video.xsd"),
            (NAMESPACES[2], "sitemap-news.xsd"),
            (NAMESPACES[4], "sitemap-mobile.xsd"),
            (NAMESPACES[5], "sitemap-pagemap.xsd"),
        ] {
            let text = fs::read_to_string(published.join(file)).unwrap();
            // One of the files has a blank line before its declaration.
            import(namespace, file, text.trim_start());
        }
        import(NAMESPACES[0], "image.xsd", IMAGE_XSD);
        import(NAMESPACES[3], "xhtml.xsd", XHTML_XSD);
        driver.push_str("</xsd:schema>\n");
        fs::write(folder.path().join("driver.xsd"), driver).unwrap();
        Schemas { xmllint, folder }
    }

    /// Validates documents, in one process.
    ///
    /// # Errors
    /// The documents' problems, as xmllint prints them.
    ///
    /// # Panics
    /// If xmllint cannot be run.
    pub fn check(&self, documents: &[String]) -> Result<(), String> {
        let said = self.said_of(documents);
        let problems = said.lines().filter(|line| !line.ends_with(" validates"));
        let problems: Vec<_> = problems.take(5).collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems.join("\n"))
        }
    }

    /// Returns `true` for each invalid document.
    ///
    /// # Panics
    /// If xmllint cannot be run.
    pub fn refused(&self, documents: &[String]) -> Vec<bool> {
        let said = self.said_of(documents);
        let verdicts: HashSet<&str> = said.lines().collect();
        (0..documents.len())
            .map(|i| {
                let file = self.folder.path().join(format!("{i}.xml"));
                !verdicts.contains(&*format!("{} validates", file.display()))
            })
            .collect()
    }

    /// Returns xmllint's output for the documents.
    fn said_of(&self, documents: &[String]) -> String {
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
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

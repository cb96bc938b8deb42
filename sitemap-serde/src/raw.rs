//! Elements with their text in a document.

use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::error::Result;
use crate::xml::fragment;

pub(crate) use crate::xml::fragment::OTHER;

/// This crate's own serializer and deserializer recognise the type by this name.
pub(crate) const RAW_NAME: &str = "$sitemap_serde::raw";

/// Elements of unknown namespaces, byte for byte as in the document: with their prefixes, the order of mixed content, comments and
/// CDATA sections. It is the type of a field `$other` of an entry or of an element, so that reading and writing preserves them.
///
/// A reader fills it with [`ReaderBuilder::raw_elements`](crate::ReaderBuilder::raw_elements); a writer needs no setting. Namespaces declared on an outer element are declared again
/// on the elements themselves, so that their names have the same meaning in any document. One `RawXml` holds any number of elements
/// in a row; a `Vec<RawXml>` has one each. If there are none, the value is empty; the field may be an `Option`, or absent with
/// `#[serde(default)]`.
///
/// In a document with a DOCTYPE, references are replaced first, and comments and processing instructions in the elements are lost.
/// Attributes of unknown namespaces are not kept; for these see [`expanded_names`](crate::ReaderBuilder::expanded_names).
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use sitemap_serde::{RawXml, ReaderBuilder, Writer};
///
/// #[derive(Serialize, Deserialize)]
/// struct Page {
///     loc: String,
///     #[serde(rename = "$other", default)]
///     other: RawXml,
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="urn:shop">
///   <url><loc>https://example.com/</loc><shop:price unit='EUR'>9 <!-- or --> <b xmlns="">8</b></shop:price></url>
/// </urlset>"#;
/// let mut reader = ReaderBuilder::new().raw_elements(true).from_str(xml);
/// let page: Page = reader.deserialize().next().unwrap()?;
/// let price = r#"<shop:price xmlns:shop="urn:shop" unit='EUR'>9 <!-- or --> <b xmlns="">8</b></shop:price>"#;
/// assert_eq!(page.other.as_str(), price);
///
/// let mut writer = Writer::from_writer(Vec::new());
/// writer.serialize(&page)?;
/// let written = String::from_utf8(writer.finish()?).unwrap();
/// assert!(written.contains(&format!("<url><loc>https://example.com/</loc>{price}</url>")));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RawXml(String);

impl RawXml {
    /// Makes a value of the text of elements.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the text is not well-formed, has text outside elements, uses a namespace that
    /// it does not declare (including the default namespace of elements without a prefix), or if an outermost element is in the
    /// namespace of sitemaps or an extension, whose elements have their own fields.
    ///
    /// ```
    /// use sitemap_serde::RawXml;
    ///
    /// let price = RawXml::new("<s:price xmlns:s='urn:shop'>9</s:price>")?;
    /// assert_eq!(price.as_str(), "<s:price xmlns:s='urn:shop'>9</s:price>");
    /// assert_eq!(
    ///     RawXml::new("<price>9</price>").unwrap_err().to_string(),
    ///     "`<price>9</price>` is not XML that can be inserted into a document: the namespace of `price` is not declared in it; \
    ///      declare it with `xmlns=\"…\"`, which may be empty"
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn new(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        fragment::check(&text)?;
        Ok(RawXml(text))
    }

    /// The elements' text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RawXml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Other formats than this crate's write it as a text.
impl Serialize for RawXml {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(RAW_NAME, &self.0)
    }
}

impl<'de> Deserialize<'de> for RawXml {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(RAW_NAME, RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = RawXml;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("XML elements in a field `$other`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RawXml, E> {
        RawXml::new(text).map_err(E::custom)
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<RawXml, E> {
        RawXml::new(text).map_err(E::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawXml, D::Error> {
        deserializer.deserialize_any(self)
    }

    /// Several values, as serde buffers them.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RawXml, A::Error> {
        let mut all = String::new();
        while let Some(RawXml(text)) = seq.next_element()? {
            all.push_str(&text);
        }
        Ok(RawXml(all))
    }
}

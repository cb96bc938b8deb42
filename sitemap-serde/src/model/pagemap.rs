//! PageMap: structured data of a page for a site's own search engine.

use serde::{Deserialize, Serialize};

use super::checked;

/// Structured data of a page: its `pagemap:PageMap`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PageMap {
    /// The address of a template of the data objects.
    #[serde(rename = "pagemap:Template", default, skip_serializing_if = "Option::is_none")]
    pub template: Option<PageMapTemplate>,
    /// The data.
    #[serde(rename = "pagemap:DataObject", default, skip_serializing_if = "Vec::is_empty")]
    pub data_objects: Vec<DataObject>,
}

impl PageMap {
    /// A page map of data objects. One without any, and without a template, is an empty element, which is read as none.
    pub fn new(data_objects: Vec<DataObject>) -> Self {
        PageMap {
            template: None,
            data_objects,
        }
    }
}

/// The template of a page map.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PageMapTemplate {
    /// Its address.
    #[serde(rename = "@src", deserialize_with = "checked::url")]
    pub src: String,
}

impl PageMapTemplate {
    /// A template at an address.
    pub fn new(src: impl Into<String>) -> Self {
        PageMapTemplate { src: src.into() }
    }
}

/// A data object of a page map.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DataObject {
    /// What it is, such as `document`.
    #[serde(rename = "@type")]
    pub kind: String,
    /// By what it can be referred to.
    #[serde(rename = "@id", default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What is known of it.
    #[serde(rename = "pagemap:Attribute", default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<DataAttribute>,
}

impl DataObject {
    /// A data object of a kind, with its attributes.
    pub fn new(kind: impl Into<String>, attributes: Vec<DataAttribute>) -> Self {
        DataObject {
            kind: kind.into(),
            id: None,
            attributes,
        }
    }
}

/// A name and a value of a data object. The value is an attribute or the element's text, one of them and not both.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DataAttribute {
    /// Its name.
    #[serde(rename = "@name")]
    pub name: String,
    /// Its value, as an attribute.
    #[serde(rename = "@value", default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Its value, as the element's text.
    #[serde(rename = "$text", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl DataAttribute {
    /// A name and a value, which is an attribute.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        DataAttribute {
            name: name.into(),
            value: Some(value.into()),
            text: None,
        }
    }

    /// A name and a value, which is the element's text.
    pub fn with_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        DataAttribute {
            name: name.into(),
            value: None,
            text: Some(text.into()),
        }
    }
}

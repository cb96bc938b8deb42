//! Google's PageMap extension: structured data of a page for a site's own search engine.

use sitemap_values::Rule;

use crate::error::{Error, Message, Result};

use super::entry::PAGE_MAP;
use super::{Written, alternate, missing};

super::table::table! {
    after alternate::END;

    /// Structured data of a page: its `pagemap:PageMap`.
    #[derive(Default)]
    pub struct PageMap in PAGE_MAP by PageMapXsd {
        /// Address of the template of the data objects.
        template template: Option<String> => TEMPLATE "pagemap:Template": Group;
        /// Data objects.
        many data_objects: Vec<DataObject> => DATA_OBJECT "pagemap:DataObject": Group;
    }

    /// The template of a page map.
    #[allow(unreachable_pub, reason = "the structs of all other elements are public")]
    pub struct Template in TEMPLATE by PageMapXsd {
        /// Address of the template.
        one src: String => SRC "@src": Url by PageMapXsd;
    }

    /// A data object of a page map.
    pub struct DataObject in DATA_OBJECT by PageMapXsd {
        /// Type of the object, such as `document`.
        one kind: String => TYPE "@type": Text;
        /// Id, unique within the page map.
        maybe id: Option<String> => ID "@id": Text;
        /// Attributes of the object.
        many attributes: Vec<DataAttribute> => ATTRIBUTE "pagemap:Attribute": Group;
    }

    /// An attribute of a data object: a name and a value. The value is either an XML attribute or the element's text.
    pub struct DataAttribute in ATTRIBUTE by PageMapXsd where one_value {
        /// Name of the attribute.
        one name: String => NAME "@name": Text;
        /// Value, as an XML attribute.
        maybe value: Option<String> => VALUE "@value": Text;
        /// Value, as the element's text.
        maybe text: Option<String> => VALUE_TEXT "$text": Text;
    }
}

/// Checks that the value is either an attribute or a text.
fn one_value(attribute: &Written) -> Result<()> {
    match (attribute.has(VALUE_TEXT), attribute.has(VALUE)) {
        (false, false) => {
            Err(missing("pagemap:Attribute", "@value` or `$text", Rule::PageMapXsd).within("@value"))
        }
        (true, true) => Err(Error::data(
            Message::new(
                "a `pagemap:Attribute` with a `@value` and a text: its value is the one or the other",
            )
            .advice("leave one out"),
        )
        .breaks(Rule::PageMapXsd)),
        _ => Ok(()),
    }
}

impl PageMap {
    /// Makes a page map of data objects. If it has none, and no template, it is an empty element, which is read as
    /// `None`.
    pub fn new(data_objects: Vec<DataObject>) -> Self {
        PageMap {
            template: None,
            data_objects,
        }
    }
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

impl DataAttribute {
    /// A name and a value, written as an XML attribute. For the other form, move it to [`text`](Self::text).
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        DataAttribute {
            name: name.into(),
            value: Some(value.into()),
            text: None,
        }
    }
}

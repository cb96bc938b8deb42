//! Elements of the user's own namespace, typed by serde, written and read.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use sitemap_serde::{EntryReader, EntryWriter, FromSitemapFields};
use sitemap_serde::{
    ErrorKind, FromSitemapEntry, Kind, OnInvalid, ReaderBuilder, Record, Result, Rule, SitemapEntry,
    SitemapFields, WriterBuilder,
};
use sitemap_tests::CORE;

use crate::derive::tools::{BASE, assert_same_by, read, reader, writer};

#[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
struct Price {
    #[serde(rename = "@currency")]
    currency: Option<String>,
    #[serde(rename = "$text")]
    amount: f64,
}

#[derive(Serialize, Deserialize, PartialEq, Clone, Debug, Default)]
struct Offer {
    #[serde(rename = "shop:from")]
    from: String,
    #[serde(rename = "shop:shop", default)]
    shops: Vec<String>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Clone, Debug)]
#[sitemap(loc = "/{slug}")]
struct Product {
    slug: String,
    #[sitemap(element = "shop:price")]
    prices: Vec<Price>,
    #[sitemap(element = "shop:stock")]
    stock: Option<u32>,
    #[sitemap(element = "shop:offer")]
    offer: Option<Offer>,
    #[sitemap(element = "shop:new")]
    is_new: bool,
    #[sitemap(element = "shop:code", write_with = hex, read_with = of_hex)]
    code: u32,
    #[sitemap(element = "mobile:mobile")]
    mobile: Option<bool>,
    #[sitemap(lastmod)]
    updated: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "`with` takes a reference")]
fn hex(code: &u32) -> String {
    format!("{code:x}")
}

#[expect(clippy::needless_pass_by_value, reason = "`read_with` gives a value")]
fn of_hex(text: String) -> std::result::Result<u32, std::num::ParseIntError> {
    u32::from_str_radix(&text, 16)
}

fn product() -> Product {
    let price = |currency: Option<&str>, amount| Price {
        currency: currency.map(str::to_owned),
        amount,
    };
    Product {
        slug: "lamp & shade".to_owned(),
        prices: vec![price(Some("EUR"), 9.9), price(None, 12.0)],
        stock: Some(3),
        offer: Some(Offer {
            from: "2024 <now>".to_owned(),
            shops: vec!["north".to_owned(), "south".to_owned()],
        }),
        is_new: true,
        code: 255,
        mobile: Some(true),
        updated: Some("2024-05-06".to_owned()),
    }
}

/// A writer and a reader for the tests, with the namespace of the elements.
fn shop_writer() -> WriterBuilder {
    let mut builder = writer();
    builder.namespace("shop", "urn:shop");
    builder
}

fn shop_reader() -> ReaderBuilder {
    let mut builder = reader();
    builder.namespace("shop", "urn:shop");
    builder
}

#[test]
fn both_directions() {
    assert_eq!(
        shop_writer().entries_to_string([product()]).unwrap(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:mobile=\"http://www.google.com/schemas/sitemap-mobile/1.0\" xmlns:shop=\"urn:shop\">\
         <url><loc>https://example.com/lamp%20%26%20shade</loc><lastmod>2024-05-06</lastmod><mobile:mobile/>\
         <shop:price currency=\"EUR\">9.9</shop:price><shop:price>12</shop:price><shop:stock>3</shop:stock>\
         <shop:offer><shop:from>2024 &lt;now&gt;</shop:from><shop:shop>north</shop:shop><shop:shop>south</shop:shop></shop:offer>\
         <shop:new>true</shop:new><shop:code>ff</shop:code></url></urlset>"
    );
    assert_same_by(&shop_writer(), &[&shop_reader()], &product());
    assert_same_by(
        &shop_writer(),
        &[&shop_reader()],
        &Product {
            prices: vec![],
            stock: None,
            offer: None,
            is_new: false,
            mobile: None,
            updated: None,
            ..product()
        },
    );
}

/// The document chooses its prefixes, and a stored record gives the same values as the entry.
#[test]
fn other_prefixes_and_records() {
    let xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
               <url><x:new xmlns:x=\"urn:shop\">false</x:new><loc>https://example.com/x</loc><code xmlns=\"urn:shop\"><![CDATA[1]]>0</code>\
               <shop:stock xmlns:shop=\"urn:other\">7</shop:stock></url></urlset>";
    let expected = Product {
        slug: "x".to_owned(),
        prices: vec![],
        stock: None,
        offer: None,
        is_new: false,
        code: 16,
        mobile: None,
        updated: None,
    };
    assert_eq!(read::<Product>(&shop_reader(), xml).unwrap(), expected);
    let mut record = Record::new();
    assert!(shop_reader().from_str(xml).read_record(&mut record).unwrap());
    assert_eq!(record.read::<Product>().unwrap(), expected);
}

/// The error's text without its position.
fn unplaced(error: &sitemap_serde::Error) -> String {
    let text = error.to_string();
    match (text.find(", at line "), text.find(", entry ")) {
        (Some(start), Some(end)) => format!("{}{}", &text[..start], &text[end..]),
        _ => text,
    }
}

#[track_caller]
fn refused(xml: &str) -> String {
    let document =
        format!("<urlset xmlns=\"{CORE}\" xmlns:s=\"urn:shop\"><url><loc>{BASE}/x</loc>{xml}</url></urlset>");
    unplaced(&read::<Product>(&shop_reader(), &document).unwrap_err())
}

#[test]
fn elements_that_cannot_be_read() {
    assert_eq!(
        refused("<s:code>1</s:code>"),
        "no `shop:new`, and the field that it is read into cannot be without one; make the field an `Option`, or a `Vec`, entry 1 · shop:new"
    );
    assert_eq!(
        refused("<s:new>true</s:new><s:code>xyz</s:code>"),
        "invalid digit found in string, entry 1 · shop:code"
    );
    let error = refused("<s:new>true</s:new><s:code>1</s:code><s:stock>many</s:stock>");
    assert!(
        error.contains("`many`") && error.ends_with("entry 1 · shop:stock"),
        "{error}"
    );
    let error = refused("<s:new>true</s:new><s:new>true</s:new><s:code>1</s:code>");
    assert!(error.contains("a second `shop:new`"), "{error}");

    // An undeclared prefix is an error of the reader, whether there are such elements or not.
    let expected = "`shop:price` has the prefix `shop`, and no namespace is known by it; make it known with \
                    `ReaderBuilder::namespace(\"shop\", …)`, entry 1 · shop:price";
    let xml = shop_writer().entries_to_string([product()]).unwrap();
    let error = read::<Product>(&reader(), &xml).unwrap_err();
    assert_eq!(unplaced(&error), expected);
    assert_eq!(error.kind(), ErrorKind::Settings);
    let mut record = Record::new();
    assert!(reader().from_str(&xml).read_record(&mut record).unwrap());
    assert_eq!(unplaced(&record.read::<Product>().unwrap_err()), expected);
}

/// A hand-written value, with any name.
struct ByHand<T> {
    name: &'static str,
    values: Vec<T>,
}

impl<T: Serialize> SitemapEntry for ByHand<T> {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.loc("https://example.com/")?;
        for value in &self.values {
            entry.element(self.name, value)?;
        }
        Ok(())
    }
}

#[test]
fn elements_that_cannot_be_written() {
    let error = |name, value: f64| {
        let row = ByHand {
            name,
            values: vec![value],
        };
        let error = shop_writer().entries_to_string([row]).unwrap_err();
        (error.to_string(), error.rule())
    };
    let at = |name: &str| format!(", entry 1 · {name}, loc `https://example.com/`");
    assert_eq!(
        error("price", 1.0),
        (
            format!(
                "`price` has no prefix: an element of a namespace of your own is `prefix:name`; write the prefix that the builder's \
                 `namespace` was given; the sitemap's own elements have functions of their own{}",
                at("price")
            ),
            None
        )
    );
    assert_eq!(
        error("stop:price", 1.0).0,
        format!(
            "`stop:price` has the prefix `stop`, and no namespace is known by it; make it known with `WriterBuilder::namespace(\"stop\", \
             …)`, entry 1 · stop:price"
        )
    );
    assert_eq!(
        error("shop:a b", 1.0).0,
        format!(
            "`shop:a b` is not a valid name of an XML element (XML 1.0 section 2.3); rename it{}",
            at("shop:a b")
        )
    );
    assert_eq!(
        error("shop:price", f64::NAN).0,
        format!(
            "`NaN` is not a decimal number: XML's have digits and a point; leave the field out, or write a number{}",
            at("shop:price")
        )
    );
    // The schema's elements are compared with the schema.
    assert_eq!(error("image:loc", 1.0).0.split(':').next(), Some("`image"));

    // An index has no such elements.
    let mut index = shop_writer();
    index.kind(Kind::SitemapIndex);
    let row = ByHand {
        name: "image:image",
        values: vec![Price {
            currency: None,
            amount: 1.0,
        }],
    };
    assert_eq!(
        index.entries_to_string([row]).unwrap_err().rule(),
        Some(Rule::IndexTags)
    );
}

/// After an error, the document has no trace of the element. The entry continues without it if the writer is configured to.
#[test]
fn invalid_elements_are_left_out_whole() {
    #[derive(Serialize)]
    struct Half {
        #[serde(rename = "shop:good")]
        good: u8,
        #[serde(rename = "shop:bad")]
        bad: f64,
    }
    let row = ByHand {
        name: "shop:half",
        values: vec![
            Half { good: 1, bad: 0.5 },
            Half {
                good: 2,
                bad: f64::NAN,
            },
            Half { good: 3, bad: 1.5 },
        ],
    };
    let reported = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let report = reported.clone();
    let mut lenient = shop_writer();
    lenient
        .on_invalid(OnInvalid::DropValue)
        .on_problem(move |error| report.lock().unwrap().push(error.to_string()));
    let xml = lenient.entries_to_string([row]).unwrap();
    assert!(
        xml.ends_with(
            "<url><loc>https://example.com/</loc><shop:half><shop:good>1</shop:good><shop:bad>0.5</shop:bad></shop:half>\
             <shop:half><shop:good>3</shop:good><shop:bad>1.5</shop:bad></shop:half></url></urlset>"
        ),
        "{xml}"
    );
    assert_eq!(
        *reported.lock().unwrap(),
        [
            "`NaN` is not a decimal number: XML's have digits and a point; leave the field out, or write a number, entry 1 · shop:half · \
          shop:bad, loc `https://example.com/`"
        ]
    );
}

#[derive(SitemapFields, FromSitemapFields, PartialEq, Debug)]
struct Part {
    #[sitemap(element = "shop:colour")]
    colours: Vec<String>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
enum Page<T> {
    #[sitemap(loc = "/{lang}/{id}", languages("de", "en"))]
    Of {
        id: u8,
        #[sitemap(element = "shop:value")]
        value: T,
        #[sitemap(flatten)]
        part: Option<Part>,
    },
}

#[test]
fn parts_languages_and_generics() {
    let page = |part| Page::Of {
        id: 1,
        value: 2.5,
        part,
    };
    let colours = vec!["red".to_owned()];
    for row in [page(None), page(Some(Part { colours }))] {
        let xml = shop_writer().entries_to_string([&row]).unwrap();
        let found: Vec<Page<f64>> = shop_reader().from_str(&xml).read().map(Result::unwrap).collect();
        assert_eq!(found.len(), 2);
        for read in found {
            assert_eq!(read, row);
        }
    }
}

/// Expanded names, for undeclared namespaces.
#[test]
fn expanded_names() {
    struct Any(Vec<String>);
    impl FromSitemapEntry for Any {
        fn from_entry(entry: &EntryReader<'_>) -> Result<Self> {
            entry.element("{urn:shop}colour").map(Any)
        }
    }
    let row = ByHand {
        name: "{urn:shop}colour",
        values: vec!["red", "blue"],
    };
    let xml = WriterBuilder::new()
        .expanded_names(true)
        .entries_to_string([row])
        .unwrap();
    let mut reader = ReaderBuilder::new().expanded_names(true).from_str(&xml);
    assert_eq!(reader.read::<Any>().next().unwrap().unwrap().0, ["red", "blue"]);
}

/// A prefix that the builder does not know is an error of its settings, not of a value that could be left out.
#[test]
fn an_unknown_prefix_is_never_left_out() {
    let page = ByHand {
        name: "stop:price",
        values: vec![1.0],
    };
    let mut builder = WriterBuilder::new();
    for error in [
        builder
            .on_invalid(OnInvalid::DropValue)
            .entries_to_string([&page]),
        builder
            .on_invalid(OnInvalid::SkipEntry)
            .entries_to_string([&page]),
    ] {
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Settings);
    }
}

/// Types that declare the namespaces of their elements, so that the builders need not declare them.
mod declared {
    use super::*;

    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/products/{slug}", namespace(shop = "urn:shop", r#type = "urn:type"))]
    struct Declared {
        slug: String,
        #[sitemap(element = "shop:price")]
        price: f64,
        #[sitemap(element = "type:name")]
        name: Option<String>,
        #[sitemap(flatten)]
        stock: Option<Stock>,
    }

    #[derive(SitemapFields, FromSitemapFields, PartialEq, Debug)]
    #[sitemap(namespace(shop = "urn:shop", stock = "urn:stock"))]
    struct Stock {
        #[sitemap(element = "stock:left")]
        left: u32,
        #[sitemap(element = "shop:sold")]
        sold: Option<u32>,
    }

    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    enum Any {
        Declared(Declared),
        #[sitemap(loc = "/{0}")]
        Page(String),
    }

    fn lamp(name: Option<&str>, left: Option<u32>) -> Declared {
        Declared {
            slug: "lamp".to_owned(),
            price: 9.5,
            name: name.map(str::to_owned),
            stock: left.map(|left| Stock { left, sold: None }),
        }
    }

    #[test]
    fn by_the_type_alone() {
        for (row, roots, element) in [
            (
                lamp(None, None),
                vec!["shop", "type"],
                "<shop:price>9.5</shop:price></url>",
            ),
            (
                lamp(Some("a"), None),
                vec!["shop", "type"],
                "<shop:price>9.5</shop:price><type:name>a</type:name></url>",
            ),
            (
                lamp(None, Some(3)),
                vec!["shop", "type", "stock"],
                "<shop:price>9.5</shop:price><stock:left>3</stock:left></url>",
            ),
        ] {
            let xml = WriterBuilder::new().base(BASE).entries_to_string([&row]).unwrap();
            assert!(xml.ends_with(&format!("{element}</urlset>")), "{xml}");
            let (root, _) = xml.split_once("<url>").unwrap();
            for prefix in ["shop", "type", "stock"] {
                let declares = root.contains(&format!(" xmlns:{prefix}=\"urn:{prefix}\""));
                assert_eq!(declares, roots.contains(&prefix), "{root}");
            }
            let read = ReaderBuilder::new().from_str(&xml).read().next().unwrap();
            assert_eq!(read.map_err(|error| error.to_string()), Ok(row));
        }
    }

    #[test]
    fn of_the_types_in_variants() {
        let rows = [
            Any::Page("about".to_owned()),
            Any::Declared(lamp(Some("b"), Some(1))),
        ];
        let xml = WriterBuilder::new().base(BASE).entries_to_string(&rows).unwrap();
        // The first entry has no such element.
        assert!(
            xml.contains("<shop:price xmlns:shop=\"urn:shop\">9.5</shop:price>"),
            "{xml}"
        );
        let read: Vec<Any> = ReaderBuilder::new()
            .base(BASE)
            .from_str(&xml)
            .read()
            .map(Result::unwrap)
            .collect();
        assert_eq!(read, rows);
    }

    /// The builder may also declare a namespace, with the same prefix.
    #[test]
    fn against_the_builder() {
        let row = lamp(None, None);
        let problem = |prefix: &str, uri: &str| {
            let mut writer = WriterBuilder::new();
            let written = writer.base(BASE).namespace(prefix, uri).entries_to_string([&row]);
            let xml = format!("<urlset xmlns=\"{CORE}\"><url><loc>{BASE}/products/lamp</loc></url></urlset>");
            let mut builder = ReaderBuilder::new();
            let mut reader = builder.namespace(prefix, uri).from_str(&xml);
            let mut read = reader.read::<Declared>();
            let problem = written.err().map(|error| (error.kind(), error.to_string()));
            if let Some((kind, message)) = &problem {
                let error = read.next().unwrap().unwrap_err();
                assert_eq!(error.kind(), *kind);
                assert_eq!(format!("{error}, entry 1"), *message);
                assert!(read.next().is_none());
            }
            problem
        };
        let advice =
            "give each namespace one prefix, in every type and in the builder's `namespace`, entry 1";
        assert_eq!(problem("shop", "urn:shop"), None);
        assert_eq!(problem("other", "urn:other"), None);
        assert_eq!(
            problem("shop", "urn:other"),
            Some((
                ErrorKind::Settings,
                format!(
                    "`shop` is the prefix of `urn:other` already, and a type declares it for `urn:shop`; {advice}"
                )
            ))
        );
        assert_eq!(
            problem("s", "urn:shop"),
            Some((
                ErrorKind::Settings,
                format!(
                    "`urn:shop` has the prefix `s` already, and a type declares it with `shop`; {advice}"
                )
            ))
        );
    }
}

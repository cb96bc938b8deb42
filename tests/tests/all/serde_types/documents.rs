//! The shapes of a document.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt::Debug;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize, Serializer};
use sitemap_serde::{Document, ErrorKind, IndexEntry, SitemapIndex, UrlEntry, UrlSet};
use sitemap_tests::{CORE, index, read, urlset};

use crate::serde_types::{LOC, Optional, bare, full};

#[test]
fn sequences() {
    let document =
        urlset("<url><loc>https://example.com/b</loc></url><url><loc>https://example.com/a</loc></url>");
    let entry = |path: &str| IndexEntry::new(format!("https://example.com/{path}"));
    let expected = [entry("b"), entry("a")];
    assert_eq!(read::<Vec<IndexEntry>>(&document).unwrap(), expected);
    assert_eq!(read::<VecDeque<IndexEntry>>(&document).unwrap(), expected);
    assert_eq!(read::<Box<[IndexEntry]>>(&document).unwrap().as_ref(), expected);
    assert_eq!(read::<[IndexEntry; 2]>(&document).unwrap(), expected);
    assert_eq!(
        read::<(IndexEntry, BTreeMap<String, String>)>(&document).unwrap(),
        (
            entry("b"),
            BTreeMap::from([("loc".to_owned(), "https://example.com/a".to_owned())])
        )
    );
    assert_eq!(
        read::<Option<Vec<IndexEntry>>>(&document).unwrap().unwrap(),
        expected
    );
    let set: BTreeSet<BTreeMap<String, String>> = read(&document).unwrap();
    assert_eq!(set.first().unwrap()["loc"], "https://example.com/a");

    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair(IndexEntry, IndexEntry);
    assert_eq!(read::<Pair>(&document).unwrap(), Pair(entry("b"), entry("a")));

    assert_eq!(
        read::<[IndexEntry; 3]>(&document).unwrap_err().message,
        "invalid length 2, expected an array of length 3"
    );
    let more = read::<[IndexEntry; 1]>(&document).unwrap_err();
    assert_eq!(
        more.message,
        "an entry more than the type takes; read the document into a `Vec`, at line 1, column 104 (byte 103), entry 2"
    );
    // The content after it is not missed, although it was not requested.
    let broken = format!("{}<", document.replace("</urlset>", ""));
    assert_eq!(read::<[IndexEntry; 2]>(broken).unwrap_err().kind, ErrorKind::Eof);
}

#[test]
fn sequences_are_written() {
    let compact = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                   <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
                   <url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b</loc></url></urlset>";
    let (a, b) = (
        UrlEntry::new("https://example.com/a"),
        UrlEntry::new("https://example.com/b"),
    );
    let told = |result: sitemap_serde::Result<String>| assert_eq!(result.unwrap(), compact);
    told(sitemap_serde::to_string(&vec![&a, &b]));
    told(sitemap_serde::to_string(&[a.clone(), b.clone()]));
    told(sitemap_serde::to_string([a.clone(), b.clone()].as_slice()));
    told(sitemap_serde::to_string(&(
        &a,
        BTreeMap::from([("loc", "https://example.com/b")]),
    )));
    told(sitemap_serde::to_string(&Some(VecDeque::from([&a, &b]))));
    told(sitemap_serde::to_string(&UrlSet::from(vec![&a, &b])));
    told(sitemap_serde::to_string(&Document::UrlSet(UrlSet::from(vec![
        a.clone(),
        b.clone(),
    ]))));
    let iterated = std::cell::RefCell::new([&a, &b].into_iter());
    struct Iterated<'a>(std::cell::RefCell<std::array::IntoIter<&'a UrlEntry, 2>>);
    impl Serialize for Iterated<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.0.borrow_mut().by_ref())
        }
    }
    told(sitemap_serde::to_string(&Iterated(iterated)));
}

#[test]
fn structs_as_documents() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "urlset")]
    struct Pages {
        #[serde(rename = "@xmlns")]
        xmlns: String,
        #[serde(default)]
        url: Vec<UrlEntry>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sitemaps {
        sitemap: Vec<IndexEntry>,
    }
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Either {
        #[serde(default)]
        url: Vec<UrlEntry>,
        #[serde(default)]
        sitemap: Vec<IndexEntry>,
    }
    let pages = Pages {
        xmlns: CORE.to_owned(),
        url: vec![UrlEntry::new("https://example.com/")],
    };
    let xml = |inside: &str| format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{inside}");
    assert_eq!(read::<Pages>(bare()).unwrap(), pages);
    assert_eq!(sitemap_serde::to_string(&pages).unwrap(), xml(&bare()));
    let none = Pages {
        xmlns: CORE.to_owned(),
        url: vec![],
    };
    assert_eq!(read::<Pages>(urlset("")).unwrap(), none);
    assert_eq!(sitemap_serde::to_string(&none).unwrap(), xml(&urlset("")));

    let one = index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>");
    for document in [one, index("")] {
        let sitemaps = read::<Sitemaps>(&document).unwrap();
        assert_eq!(sitemap_serde::to_string(&sitemaps).unwrap(), xml(&document));
        let either = read::<Either>(&document).unwrap();
        assert_eq!(either.sitemap, sitemaps.sitemap);
    }
    let either = read::<Either>(bare()).unwrap();
    assert_eq!(either.url, pages.url);
    assert_eq!(sitemap_serde::to_string(&either).unwrap(), xml(&bare()));
    let both = Either {
        url: pages.url.clone(),
        sitemap: vec![IndexEntry::new("https://example.com/1.xml")],
    };
    assert_eq!(
        sitemap_serde::to_string(&both).unwrap_err().to_string(),
        "a document lists `url` or `sitemap`, not both (P-NS)"
    );
    assert_eq!(
        sitemap_serde::to_string(&Either::default()).unwrap(),
        xml(&urlset(""))
    );

    #[derive(Debug, PartialEq, Deserialize)]
    struct Borrowed<'a> {
        #[serde(rename = "@xmlns")]
        xmlns: &'a str,
        #[serde(borrow)]
        url: Vec<HashMap<&'a str, &'a str>>,
    }
    let document = bare();
    let borrowed: Borrowed<'_> = sitemap_serde::from_str(&document).unwrap();
    assert_eq!(
        (borrowed.xmlns, borrowed.url[0]["loc"]),
        (CORE, "https://example.com/")
    );

    // A map of the same shape.
    let map = read::<BTreeMap<String, Vec<UrlEntry>>>(bare()).unwrap();
    assert_eq!(sitemap_serde::to_string(&map).unwrap(), xml(&bare()));
}

#[test]
fn structs_that_are_no_documents() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Site {
        name: String,
        url: Vec<UrlEntry>,
    }
    assert_eq!(read::<Site>(bare()).unwrap_err().message, "missing field `name`");
    assert_eq!(
        sitemap_serde::to_string(&Site {
            name: "x".to_owned(),
            url: vec![]
        })
        .unwrap_err()
        .to_string(),
        "`name` is not a field of a document: `url` and `sitemap` are; serialize a sequence of entries, rename the field, or \
         leave it out with `#[serde(skip_serializing)]`"
    );
    // An entry in place of a document, which could accept absent fields.
    let advice = "the type has neither a field `url` nor `sitemap`: a document is a sequence of entries; read it into a `Vec` of \
                  the type, or into a struct with such a field";
    assert_eq!(read::<UrlEntry>(bare()).unwrap_err().message, advice);
    assert_eq!(read::<Optional>(bare()).unwrap_err().message, advice);
    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Lenient {
        loc: Option<String>,
    }
    assert_eq!(read::<Lenient>(bare()).unwrap_err().message, advice);
    // One entry where several are allowed.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Single {
        url: UrlEntry,
    }
    let problem = read::<Single>(bare()).unwrap_err();
    assert_eq!(
        problem.message,
        "one value for the field `url`, which is a sequence of entries; make its type a `Vec`"
    );
    for (message, error) in [
        ("a string", sitemap_serde::to_string("https://example.com/")),
        ("an integer", sitemap_serde::to_string(&5)),
        ("a unit", sitemap_serde::to_string(&())),
        ("`None`", sitemap_serde::to_string(&None::<Vec<UrlEntry>>)),
    ] {
        assert_eq!(
            error.unwrap_err().to_string(),
            format!(
                "found {message} for a document: it is a sequence of entries, a `UrlSet` or `SitemapIndex`, or a struct with \
                 a field `url` or `sitemap`"
            )
        );
    }
    assert_eq!(
        sitemap_serde::to_string(&UrlEntry::new("https://example.com/"))
            .unwrap_err()
            .to_string(),
        "`loc` is not a field of a document: `url` and `sitemap` are; serialize a sequence of entries, rename the field, or \
         leave it out with `#[serde(skip_serializing)]`"
    );
}

#[test]
fn generic_documents() {
    let set = read::<UrlSet<Optional>>(full()).unwrap();
    assert_eq!(set[0].loc, LOC);
    assert_eq!(set.iter().count(), 1);
    let map = read::<UrlSet<BTreeMap<String, String>>>(full()).unwrap();
    assert_eq!(map[0]["priority"], "0.50");
    let one = index("<sitemap><loc>https://example.com/1.xml</loc><lastmod>2024</lastmod></sitemap>");
    let sitemaps = read::<SitemapIndex<BTreeMap<String, String>>>(&one).unwrap();
    assert_eq!(sitemaps[0]["lastmod"], "2024");
    assert_eq!(
        sitemap_serde::to_string(&sitemaps).unwrap(),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{one}")
    );
    assert_eq!(
        read::<Document>(&one).unwrap().kind(),
        sitemap_serde::Kind::SitemapIndex
    );
    assert_eq!(
        read::<Option<Box<Document>>>(&one)
            .unwrap()
            .unwrap()
            .kind()
            .root(),
        "sitemapindex"
    );
}

#[test]
fn enums_as_documents() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Mine {
        UrlSet(Vec<IndexEntry>),
        SitemapIndex { sitemap: Vec<IndexEntry> },
    }
    let sitemaps = index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>");
    assert_eq!(
        read::<Mine>(&sitemaps).unwrap(),
        Mine::SitemapIndex {
            sitemap: vec![IndexEntry::new("https://example.com/1.xml")]
        }
    );
    for document in [sitemaps.clone(), index("")] {
        assert_eq!(
            sitemap_serde::to_string(&read::<Mine>(&document).unwrap()).unwrap(),
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{document}")
        );
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Kinds {
        #[serde(rename = "urlset")]
        Pages,
        #[serde(other)]
        Others,
    }
    assert_eq!(read::<Kinds>(bare()).unwrap(), Kinds::Pages);
    assert_eq!(read::<Kinds>(&sitemaps).unwrap(), Kinds::Others);

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Misnamed {
        Pages(Vec<IndexEntry>),
    }
    assert_eq!(
        read::<Misnamed>(&sitemaps).unwrap_err().message,
        "unknown variant `sitemapindex`, expected `Pages`"
    );
    assert_eq!(
        sitemap_serde::to_string(&Misnamed::Pages(vec![]))
            .unwrap_err()
            .to_string(),
        "the variant `Pages` is not a document: its name is `urlset` or `sitemapindex`; rename it with `#[serde(rename = …)]`, \
         or use `#[serde(untagged)]`"
    );
}

/// Options, newtypes and tuples around entries behave like their content.
#[test]
fn wrapped_entries() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: String,
        lastmod: Option<()>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapped<T>(T);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Root<T> {
        url: T,
    }

    let page = Page {
        loc: "https://example.com/".to_owned(),
        lastmod: None,
    };
    let expected = sitemap_serde::to_string(&[&page]).unwrap();
    macro_rules! are_one {
        ($($value:expr),+) => {
            $(assert_eq!(sitemap_serde::to_string(&$value).unwrap(), expected);)+
        };
    }
    are_one!(
        [Some(&page)],
        [Wrapped(&page)],
        (&page,),
        Some([&page]),
        Wrapped([&page]),
        Root { url: [&page] },
        Root { url: (&page,) },
        Root { url: Some([&page]) },
        Root {
            url: Wrapped([&page])
        }
    );
    let wrapped = || Wrapped(page.clone());
    assert_eq!(
        read::<Vec<Option<Page>>>(&expected).unwrap(),
        [Some(page.clone())]
    );
    assert_eq!(
        read::<Option<Vec<Wrapped<Page>>>>(&expected).unwrap().unwrap(),
        [wrapped()]
    );
    assert_eq!(
        read::<Root<Option<Vec<Page>>>>(&expected).unwrap().url,
        Some(vec![page.clone()])
    );
    assert_eq!(
        read::<Root<Wrapped<Vec<Page>>>>(&expected).unwrap().url,
        Wrapped(vec![page.clone()])
    );
    assert_eq!(read::<Root<IgnoredAny>>(&expected).unwrap().url, IgnoredAny);

    for (found, error) in [
        ("an integer", sitemap_serde::to_string(&Root { url: 5 })),
        ("a string", sitemap_serde::to_string(&Root { url: "x" })),
    ] {
        assert_eq!(
            error.unwrap_err().to_string(),
            format!("found {found} for the entries of a document: they are a sequence")
        );
    }
}

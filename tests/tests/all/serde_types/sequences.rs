//! Sequences, tuples and options of elements: everything written is read back, and everything else is an error.

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::prelude::*;
use proptest::sample::select;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sitemap_serde::{Deserializer, ErrorKind, ReaderBuilder, WriterBuilder};
use sitemap_tests::{Problem, cases, finished, misfit, urlset};

use crate::serde_types::with;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Page<T> {
    loc: String,
    #[serde(rename = "x:i", default, bound(deserialize = "T: Deserialize<'de> + Default"))]
    item: T,
}

fn page<T>(item: T) -> Page<T> {
    Page {
        loc: "https://example.com/".to_owned(),
        item,
    }
}

fn write<T: Serialize>(item: &T) -> Result<String, Problem> {
    let mut writer = WriterBuilder::new()
        .namespace("x", "urn:x")
        .from_writer(Vec::new());
    match writer.serialize(&page(item)) {
        Ok(()) => Ok(finished(writer)),
        Err(error) => Err(Problem::of(&error)),
    }
}

fn read<T: DeserializeOwned + Default>(xml: &str) -> sitemap_serde::Result<T> {
    let mut reader = ReaderBuilder::new().namespace("x", "urn:x").from_str(xml);
    let page: Page<T> = reader.deserialize().next().unwrap()?;
    Ok(page.item)
}

/// Compares values of a type to the values read back. `loses` tells which of them cannot be written.
fn check<T>(values: impl Strategy<Value = T>, loses: impl Fn(&T) -> bool)
where
    T: Serialize + DeserializeOwned + Default + PartialEq + Debug,
{
    let mut runner = proptest::test_runner::TestRunner::new(cases(60));
    runner
        .run(&values, |value| {
            match write(&value) {
                Ok(xml) => {
                    prop_assert!(!loses(&value), "{value:?} is written: {xml}");
                    prop_assert_eq!(read::<T>(&xml).unwrap(), value, "{}", xml);
                }
                Err(problem) => prop_assert!(loses(&value), "{value:?}: {}", problem.message),
            }
            Ok(())
        })
        .unwrap();
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Two(Option<u8>, #[serde(default)] Option<u8>);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Inner {
    #[serde(rename = "@a", skip_serializing_if = "Option::is_none")]
    attribute: Option<u8>,
    #[serde(rename = "$text")]
    text: Option<u8>,
    #[serde(rename = "x:c")]
    children: Vec<u8>,
}

impl Inner {
    fn is_bare(&self) -> bool {
        *self == Inner::default()
    }
}

fn text() -> impl Strategy<Value = String> {
    select(vec!["", "a", "b c", "0", "&<>", "]]>"]).prop_map(str::to_owned)
}

fn number() -> impl Strategy<Value = Option<u8>> {
    proptest::option::of(any::<u8>())
}

fn inner() -> impl Strategy<Value = Inner> {
    (number(), number(), proptest::collection::vec(any::<u8>(), 0..2)).prop_map(
        |(attribute, text, children)| Inner {
            attribute,
            text,
            children,
        },
    )
}

fn some<T: Debug + Clone>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    proptest::option::of(value)
}

fn vec<T: Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    proptest::collection::vec(value, 0..4)
}

#[test]
fn sequences_are_equal_after_reading() {
    check(vec(text()), |texts| texts.iter().any(String::is_empty));
    check(vec(number()), |numbers| numbers.contains(&None));
    check([number(), number()], |numbers| numbers.contains(&None));
    check((number(), number()), |(a, b)| a.is_none() || b.is_none());
    check((text(), any::<u8>()), |(text, _)| text.is_empty());
    check((number(), number()).prop_map(|(a, b)| Two(a, b)), |Two(a, b)| {
        a.is_none() || b.is_none()
    });
    check(some((any::<u8>(), any::<bool>())), |_| false);
    // An empty sequence has no element, which reads as `None`.
    check(
        some(proptest::collection::vec(some(any::<bool>()), 1..4)),
        |flags| flags.as_ref().is_some_and(|flags| flags.contains(&None)),
    );
    // An element outside the schema is present even without text.
    check(vec(Just(())), |_| false);
    check(vec(Just(Unit)), |_| false);
    check(some(Just(Unit)), Option::is_some);
    check(vec(some(Just(Unit))), |units| !units.is_empty());
    check(inner(), |_| false);
    check(vec(inner()), |_| false);
    check(some(inner()), |inner| inner.as_ref().is_some_and(Inner::is_bare));
    check(vec(some(inner())), |all| {
        all.iter().any(|inner| inner.as_ref().is_none_or(Inner::is_bare))
    });
    // A single empty element reads as `None`.
    check(some(proptest::collection::vec(inner(), 1..4)), |all| {
        all.as_deref()
            .is_some_and(|all| matches!(all, [only] if only.is_bare()))
    });
    check(some(proptest::collection::vec(Just(Unit), 1..4)), |units| {
        units.as_ref().is_some_and(|units| units.len() == 1)
    });
    check(inner().prop_map(|inner| Some(Some(inner))), |inner| {
        inner.iter().flatten().any(Inner::is_bare)
    });
    check(
        some(proptest::collection::btree_map("@[a-c]", "[0-9]", 0..3)),
        |map: &Option<BTreeMap<String, String>>| map.as_ref().is_some_and(BTreeMap::is_empty),
    );
    check(any::<bool>(), |_| false);
    check(number(), |_| false);
}

#[test]
fn elements_that_would_be_lost_while_writing() {
    let of = |result: Result<String, Problem>| {
        let problem = result.unwrap_err();
        assert_eq!((problem.kind, problem.entry), (ErrorKind::Data, Some(1)));
        problem.message
    };
    let lost = |what: &str, index: usize| {
        format!(
            "{what} in a sequence: it has no element, so what comes after it would take its place; leave it out of the sequence, \
             or write a value, entry 1 · x:i[{index}], loc `https://example.com/`"
        )
    };
    assert_eq!(of(write(&["a", "", "b"])), lost("a blank text", 1));
    assert_eq!(of(write(&["a", "b", " \n"])), lost("a blank text", 2));
    assert_eq!(of(write(&[Some(1), None, Some(2)])), lost("`None`", 1));
    assert_eq!(of(write(&Two(None, Some(1)))), lost("`None`", 0));
    #[derive(Serialize)]
    struct Tagged<'a> {
        loc: &'a str,
        #[serde(rename = "image:image")]
        images: ((), ()),
    }
    let tagged = Tagged {
        loc: "https://example.com/",
        images: ((), ()),
    };
    let error = sitemap_serde::to_string(&[tagged]).unwrap_err().to_string();
    assert_eq!(error, lost("a unit", 0).replace("x:i", "image:image"));
    let bare = "`Some` of an empty `x:i`: it would be written as `<x:i/>`, which reads as `None`; write `None`, or give it an \
                attribute, a child or a text, entry 1 · x:i";
    let loc = ", loc `https://example.com/`";
    assert_eq!(of(write(&Some(Unit))), format!("{bare}{loc}"));
    assert_eq!(of(write(&Some(Inner::default()))), format!("{bare}{loc}"));
    assert_eq!(of(write(&[Some(Unit)])), format!("{bare}[0]{loc}"));
    assert_eq!(of(write(&Some(vec![Inner::default()]))), format!("{bare}{loc}"));
    assert_eq!(of(write(&Some((Unit,)))), format!("{bare}{loc}"));
}

/// The presence of a flag is its value.
#[test]
fn a_flag_is_bare() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Phone {
        loc: String,
        #[serde(rename = "mobile:mobile")]
        mobile: Option<Unit>,
    }
    for mobile in [Some(Unit), None] {
        let page = [Phone {
            loc: "https://example.com/".to_owned(),
            mobile,
        }];
        let xml = sitemap_serde::to_string(&page).unwrap();
        assert_eq!(xml.contains("<mobile:mobile/>"), mobile.is_some());
        assert_eq!(sitemap_serde::from_str::<[Phone; 1]>(&xml).unwrap(), page);
    }
}

/// This number of elements, each made from its number.
fn repeated(count: usize, element: impl Fn(usize) -> String) -> String {
    (0..count).map(element).collect::<Vec<_>>().concat()
}

fn items(count: usize) -> String {
    let items = repeated(count, |i| {
        format!("<image:image><image:loc>{i}</image:loc></image:image>")
    });
    with(&items).replacen(
        "<url>",
        "<url xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">",
        1,
    )
}

#[derive(Debug, PartialEq, Deserialize)]
struct Picture {
    #[serde(rename = "image:loc")]
    loc: u8,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Album<T> {
    #[serde(rename = "image:image")]
    images: T,
}

#[derive(Debug, PartialEq, Deserialize)]
struct PairOf(Picture, Picture);

fn pictures(count: u8) -> Vec<Picture> {
    (0..count).map(|loc| Picture { loc }).collect()
}

#[test]
fn a_tuple_takes_as_many_as_it_has() {
    type Read<T> = sitemap_serde::Result<Vec<Album<T>>>;
    for count in 0..6_u8 {
        let xml = items(count.into());
        let vec: Read<Vec<Picture>> = sitemap_serde::from_str(&xml);
        assert_eq!(vec.is_ok(), count > 0, "{count}");
        if let Ok(vec) = vec {
            assert_eq!(vec[0].images, pictures(count));
        }
        let array: Read<[Picture; 2]> = sitemap_serde::from_str(&xml);
        assert_eq!(array.is_ok(), count == 2, "{count}");
        let tuple: Read<(Picture, Picture, Picture)> = sitemap_serde::from_str(&xml);
        assert_eq!(tuple.is_ok(), count == 3, "{count}");
        let named: Read<PairOf> = sitemap_serde::from_str(&xml);
        assert_eq!(named.is_ok(), count == 2, "{count}");
        let nested: Read<Option<(Picture,)>> = sitemap_serde::from_str(&xml);
        assert_eq!(nested.is_ok(), count < 2, "{count}");
    }
    assert_eq!(
        misfit::<Album<[Picture; 2]>>(items(3)).message,
        "3 `image:image`, and the type takes 2: read them into a `Vec`, or remove what is too many from the document, at line \
         1, column 274 (byte 273), entry 1 · image:image[2]"
    );
    assert_eq!(
        misfit::<Album<(Picture,)>>(items(5)).message,
        "5 `image:image`, and the type takes 1: read them into a `Vec`, or remove what is too many from the document, at line \
         1, column 223 (byte 222), entry 1 · image:image[1]"
    );
}

/// Entries, as a whole document passes them to a deserializer that is called only once.
#[test]
fn a_document_gives_all_its_entries() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Loc {
        loc: String,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Root {
        url: (Loc, Loc),
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair(Loc, Loc);
    #[derive(Debug, PartialEq, Deserialize)]
    enum Either {
        #[serde(rename = "urlset")]
        Pages(Loc, Loc),
        #[serde(rename = "sitemapindex")]
        _Sitemaps(Vec<Loc>),
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Named {
        #[serde(rename = "urlset")]
        Pages((Loc, Loc)),
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "urlset")]
    struct Set((Loc, Loc));

    fn message<T: DeserializeOwned + Debug>(count: usize) -> Option<String> {
        let entries = repeated(count, |i| {
            format!("<url><loc>https://example.com/{i}</loc></url>")
        });
        let xml = urlset(&entries);
        let once = T::deserialize(&mut Deserializer::from_str(&xml)).map_err(|error| error.to_string());
        let whole = sitemap_serde::from_str::<T>(&xml).map_err(|error| error.to_string());
        assert_eq!(once.as_ref().err(), whole.as_ref().err());
        once.err()
    }
    let third = "an entry more than the type takes; read the document into a `Vec`, at line 1, column 147 (byte 146), entry 3";
    for (two, three) in [
        (message::<(Loc, Loc)>(2), message::<(Loc, Loc)>(3)),
        (message::<[Loc; 2]>(2), message::<[Loc; 2]>(4)),
        (message::<Pair>(2), message::<Pair>(3)),
        (message::<Root>(2), message::<Root>(3)),
        (message::<Named>(2), message::<Named>(3)),
        (message::<Set>(2), message::<Set>(3)),
    ] {
        assert_eq!(two, None);
        assert_eq!(three.as_deref(), Some(third));
    }
    // A variant of several values is not a sequence of entries.
    assert_eq!(
        message::<Either>(2).as_deref(),
        Some("invalid type: newtype variant, expected tuple variant Either::Pages")
    );
}

#[test]
fn names_beyond_those_that_can_be_told_apart_are_an_error() {
    let document = |count: usize| {
        let elements = repeated(count, |i| format!("<x:e{i}>{i}</x:e{i}>"));
        with(&elements).replacen("<url>", "<url xmlns:x=\"urn:x\">", 1)
    };
    let read = |count| {
        let xml = document(count);
        let mut reader = ReaderBuilder::new().namespace("x", "urn:x").from_str(&xml);
        let entry: Option<sitemap_serde::Result<BTreeMap<String, String>>> = reader.deserialize().next();
        entry.unwrap()
    };
    let error = read(70_000).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let message = error.to_string();
    let most = message
        .strip_prefix("more than ")
        .and_then(|rest| rest.split_once(' '))
        .and_then(|(most, _)| most.parse::<usize>().ok())
        .unwrap();
    assert!(most > 60_000);
    assert_eq!(
        message,
        format!(
            "more than {most} different names of elements and attributes in a `url`, and {most} are supported; remove some, or do not register their namespaces, at line 1, column 61 (byte 60), entry 1"
        )
    );
    assert_eq!(read(most).unwrap().len(), most + 1);
    read(most + 1).unwrap_err();
}

#[test]
fn values_are_collected_by_name_however_many_names_there_are() {
    type Lists<T> = BTreeMap<String, Vec<T>>;
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Item {
        Text(String),
        Group(Lists<String>),
    }
    for names in [1, 7, 8, 9, 10, 40] {
        // The same names on two levels, each name several times on each.
        let items = |round: usize| {
            let item = move |i| format!("<x:e{i}>{round}-{i}</x:e{i}>");
            (0..names).map(item).collect::<String>()
        };
        let texts = |rounds: [usize; 3]| {
            let of = move |i: usize| rounds.map(|round| format!("{round}-{i}")).to_vec();
            (0..names).map(move |i| (format!("x:e{i}"), of(i)))
        };
        let group = |rounds: [usize; 3]| format!("<x:group>{}</x:group>", rounds.map(items).concat());
        let elements = [items(0), group([3, 4, 5]), items(1), group([6, 7, 8]), items(2)];
        let xml = with(&elements.concat()).replacen("<url>", "<url xmlns:x=\"urn:x\">", 1);
        let mut reader = ReaderBuilder::new().namespace("x", "urn:x").from_str(&xml);
        let mut found: Lists<Item> = reader.deserialize().next().unwrap().unwrap();
        let groups = [[3, 4, 5], [6, 7, 8]].map(|rounds| Item::Group(texts(rounds).collect()));
        assert_eq!(found.remove("x:group").as_deref(), Some(&groups[..]), "{names}");
        found.remove("loc").unwrap();
        let expected =
            texts([0, 1, 2]).map(|(name, texts)| (name, texts.into_iter().map(Item::Text).collect()));
        assert_eq!(found, expected.collect::<Lists<Item>>(), "{names}");
    }
}

//! Entries are equal for any order of their elements and any namespace prefixes.

use std::fmt::Write as _;

use proptest::prelude::*;
use sitemap_serde::{Reader, UrlEntry, to_string};
use sitemap_tests::{Random, cases};

use crate::round_trip::independent::{self, Element};
use crate::round_trip::random::entry;

/// Rewrites an element: elements of one name stay in order, but are interleaved with the others. Each namespace has its own
/// prefix, or is the default.
fn write(element: &Element, default: &str, random: &mut Random, out: &mut String) {
    let Element { namespace, local, .. } = element;
    let (name, declares) = if namespace == default && random.below(4) > 0 {
        (local.clone(), false)
    } else if random.below(2) == 0 {
        (local.clone(), true)
    } else {
        (format!("p{}:{local}", random.below(1000)), true)
    };
    let prefix = name.strip_suffix(local.as_str()).unwrap_or_default();
    write!(out, "<{name}").unwrap();
    let mut inner = default;
    if declares {
        match prefix.strip_suffix(':') {
            Some(prefix) => write!(out, " xmlns:{prefix}='{namespace}'").unwrap(),
            None => {
                write!(out, " xmlns='{namespace}'").unwrap();
                inner = namespace;
            }
        }
    }
    for (key, value) in &element.attributes {
        write!(out, " {key}=\"{}\"", quick_xml::escape::escape(value)).unwrap();
    }
    write!(out, ">{}", quick_xml::escape::escape(&element.text)).unwrap();
    for child in interleaved(&element.children, random) {
        out.push_str(["", "\n ", "<!-- - -->", "<x xmlns='urn:x'><loc/></x>"][random.below(4)]);
        write(child, inner, random, out);
    }
    write!(out, "</{name}>").unwrap();
}

fn interleaved<'e>(children: &'e [Element], random: &mut Random) -> Vec<&'e Element> {
    let mut queues: Vec<Vec<&Element>> = Vec::new();
    for child in children.iter().rev() {
        let name = (&child.namespace, &child.local);
        match queues
            .iter_mut()
            .find(|queue| (&queue[0].namespace, &queue[0].local) == name)
        {
            Some(queue) => queue.push(child),
            None => queues.push(vec![child]),
        }
    }
    let mut out = Vec::new();
    while !queues.is_empty() {
        let at = random.below(queues.len());
        out.extend(queues[at].pop());
        queues.retain(|queue| !queue.is_empty());
    }
    out
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn order_and_prefixes_do_not_matter(entries in proptest::collection::vec(entry(), 1..4), seed in any::<u64>()) {
        let xml = to_string(&entries).unwrap();
        let root = independent::root(xml.as_bytes()).unwrap();
        let mut shuffled = String::new();
        write(&root, "", &mut Random::new(seed), &mut shuffled);
        let typed: Vec<UrlEntry> = Reader::from_str(&shuffled).entries().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(&typed, &entries, "{}", &shuffled);
        let through_serde: Vec<UrlEntry> = sitemap_serde::from_str(&shuffled).unwrap();
        prop_assert_eq!(&through_serde, &entries, "{}", &shuffled);
        let streamed: Vec<UrlEntry> = sitemap_serde::from_reader(shuffled.as_bytes()).unwrap();
        prop_assert_eq!(&streamed, &entries);
    }
}

//! URLs that change from one base to another: published sitemaps (found through `SITEMAP_SHARED`) and random ones.

use std::io::Read;

use sitemap_serde::edit::{EntryEditor, Rebase};
use sitemap_serde::{Editor, Error, ErrorKind, Reader, Record, WriterBuilder};
use sitemap_tests::{Chunks, Random, corpus_sample, files, index, of_sample, rounds};

const OLD: &str = "https://staging.example.com/shop";
const NEW: &str = "https://example.com/it's&more";

/// The document with its URLs changed. Unreadable entries are unchanged.
fn rebased(document: impl Read, rebase: &mut Rebase) -> Result<String, Error> {
    rebased_after(document, rebase, |_| {})
}

fn rebased_after(
    document: impl Read,
    rebase: &mut Rebase,
    mut edit: impl FnMut(&mut EntryEditor<'_>),
) -> Result<String, Error> {
    let mut editor = Editor::new(document, Vec::new());
    loop {
        match editor.next_entry() {
            Ok(Some(mut entry)) => {
                edit(&mut entry);
                entry.rebase(rebase)?;
            }
            Ok(None) => break,
            Err(error) if error.kind() == ErrorKind::Data && error.entry().is_some() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(String::from_utf8(editor.finish()?).unwrap())
}

fn urlset(entries: &str) -> String {
    format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">{entries}</urlset>"
    )
}

/// The elements and attributes that hold URLs, as a reader names them.
const URLS: [&str; 15] = [
    "loc",
    "image:image/image:loc",
    "image:image/image:license",
    "video:video/video:thumbnail_loc",
    "video:video/video:content_loc",
    "video:video/video:player_loc",
    "video:video/video:gallery_loc",
    "video:video/video:content_segment_loc",
    "video:video/video:uploader/@info",
    "xhtml:link/@href",
    "PageMap/DataObject/@src",
    "PageMap/Template/@src",
    "pagemap:PageMap/pagemap:DataObject/@src",
    "pagemap:PageMap/pagemap:Template/@src",
    "PageMap/@src",
];

/// An entry: the paths and texts of its elements, and the bytes between its URLs. `None` if it is unreadable.
type Parsed = Option<(Vec<(String, String)>, Vec<String>)>;

/// The elements' paths and texts, and the ranges of the URLs.
type Found = (Vec<(String, String)>, Vec<(usize, usize)>);

fn parsed(document: &str) -> Vec<Parsed> {
    fn collect<'r>(
        fields: impl Iterator<Item = sitemap_serde::iter::Field<'r>>,
        path: &str,
        record: &Record,
        out: &mut Found,
    ) {
        for field in fields {
            let path = [path, field.name()].concat();
            if URLS.contains(&path.as_str()) {
                let at = |byte: u64| usize::try_from(byte - record.byte_range().start).unwrap();
                out.1
                    .push((at(field.byte_range().start), at(field.byte_range().end)));
            }
            out.0.push((path.clone(), field.text().to_owned()));
            collect(field.fields(), &(path + "/"), record, out);
        }
    }

    let mut reader = Reader::from_str(document);
    let mut record = Record::new();
    let mut entries = Vec::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => {
                let mut found = (Vec::new(), Vec::new());
                collect(record.fields(), "", &record, &mut found);
                let (fields, mut urls) = found;
                urls.sort_unstable();
                let (mut between, mut at) = (Vec::new(), 0);
                for (start, end) in urls {
                    // An attribute of an element that itself holds a URL.
                    if start >= at {
                        between.push(record.source()[at..start].to_owned());
                        at = end;
                    }
                }
                between.push(record.source()[at..].to_owned());
                entries.push(Some((fields, between)));
            }
            Ok(false) => return entries,
            Err(error) if error.kind() == ErrorKind::Data && error.entry().is_some() => entries.push(None),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Moves a URL to the new base, by an independent implementation of RFC 3986.
fn model(url: &str, old: &str, new: &str) -> Option<String> {
    let split = |url: &str| -> Option<(String, String)> {
        let (scheme, rest) = url.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let authority = rest[..end].rsplit('@').next()?.to_ascii_lowercase();
        let port = if scheme == "https" { ":443" } else { ":80" };
        let authority = authority.strip_suffix(port).unwrap_or(&authority);
        let authority = authority.strip_suffix(':').unwrap_or(authority);
        Some((format!("{scheme}://{authority}"), rest[end..].to_owned()))
    };
    let ((old_site, directory), (site, path)) = (split(old)?, split(url)?);
    let rest = path
        .strip_prefix(&directory)
        .filter(|rest| site == old_site && (rest.is_empty() || rest.starts_with(['/', '?', '#'])))?;
    let is_within = !rest
        .split(['?', '#'])
        .next()?
        .split('/')
        .any(|segment| segment.to_lowercase().replace("%2e", ".") == "..");
    (is_within || directory.is_empty() && split(new)?.1.is_empty()).then(|| [new, rest].concat())
}

/// Checks a document before and after: its entries are mapped, and the bytes between its URLs are the same. Returns the number of URLs
/// that changed.
fn check(before: &str, after: &str, old: &str, new: &str, name: &str) -> u64 {
    let (before, after) = (parsed(before), parsed(after));
    assert_eq!(before.len(), after.len(), "{name}");
    let mut moved = 0;
    for (before, after) in before.into_iter().zip(after) {
        let (Some((mut fields, between)), Some((found, stays))) = (before, after) else {
            continue;
        };
        for (path, text) in &mut fields {
            if URLS.contains(&path.as_str())
                && let Some(url) = model(text, old, new)
            {
                moved += u64::from(url != *text);
                *text = url;
            }
        }
        assert_eq!(found, fields, "{name}");
        assert_eq!(stays, between, "{name}");
    }
    moved
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn urls_of_every_file_are_mapped_and_no_other_byte_changes() {
    let Some(folder) = files("rebase") else { return };
    let (mut count, mut total, mut literal) = (0, 0, 0);
    for (path, document) in corpus_sample(&folder) {
        let Ok(text) = String::from_utf8(document) else {
            continue;
        };
        let mut record = Record::new();
        if !matches!(Reader::from_str(&text).read_record(&mut record), Ok(true)) {
            continue;
        }
        let Ok(first) = url::Url::parse(record.loc()) else {
            continue;
        };
        let old = first.origin().ascii_serialization();
        let Ok(mut rebase) = Rebase::new(&old, NEW) else {
            continue;
        };
        let Ok(edited) = rebased(text.as_bytes(), &mut rebase) else {
            continue;
        };
        let moved = check(&text, &edited, &old, NEW, &path);
        assert_eq!(rebase.moved(), moved, "{path}");
        // If all bases are spelled literally, only the bases differ.
        let is_literal = text.matches(&old).count() as u64 == moved;
        if is_literal && !edited.contains(NEW) && !text.contains(":443") {
            let plain = edited.replace("https://example.com/it&apos;s&amp;more", &old);
            assert!(plain == text, "{path}");
            let same = rebased(text.as_bytes(), &mut Rebase::new(&old, &old).unwrap());
            assert!(same.unwrap() == text, "{path}");
            literal += 1;
        }
        count += 1;
        total += moved;
    }
    println!("{total} URLs of {count} files, {literal} of them without another spelling of the base");
    assert!(
        count > of_sample(200) && literal > of_sample(100),
        "{count} {literal}"
    );
    assert!(total > of_sample(10_000) as u64, "{total}");
}

/// Spellings of the old base in text, each with its replacement.
const IN_TEXT: [(&str, &str); 10] = [
    ("https://staging.example.com/shop", "NEW"),
    ("HTTPS://Staging.EXAMPLE.com/shop", "NEW"),
    ("https://staging.example.com:443/shop", "NEW"),
    ("https://user:word@staging.example.com/shop", "NEW"),
    (
        " &#32;\r\n&#104;ttps:&#x2F;/staging.example.com/sho&#112;",
        " &#32;\r\nNEW",
    ),
    (
        "https://<!-- https://staging.example.com/shop -->staging.example.com/shop",
        "NEW<!-- https://staging.example.com/shop -->",
    ),
    (
        "<?p /shop?>https<![CDATA[://staging.example.com]]>/shop",
        "<?p /shop?>NEW<![CDATA[]]>",
    ),
    (
        "<![CDATA[ ]]>https://staging.example.com/shop<!---->",
        "<![CDATA[ ]]>NEW<!---->",
    ),
    ("<![CDATA[https://staging.example.com/shop]]>", "<![CDATA[RAW]]>"),
    ("https://staging.example.com/sh<![CDATA[op]]>", "NEW<![CDATA[]]>"),
];

const IN_ATTRIBUTES: [(&str, &str); 4] = [
    ("https://staging.example.com/shop", "NEW"),
    ("https://STAGING.example.com:/shop", "NEW"),
    (" &#x68;ttps://u@staging.example.com:443/shop", " NEW"),
    ("https://staging&#46;example.com/shop", "NEW"),
];

/// Text that may follow a matching base.
const RESTS: [&str; 9] = [
    "",
    "/",
    "/a",
    "?a=1&amp;b=2",
    "#x",
    "/é b",
    "/&#97;%2e&apos;",
    "/a//b/",
    "/a?/../",
];

/// URLs that do not belong to the old base.
const OTHERS: [&str; 11] = [
    "https://staging.example.com/shopping",
    "https://staging.example.com/",
    "https://staging.example.com/SHOP/a",
    "http://staging.example.com/shop/a",
    "https://staging.example.com:8443/shop/a",
    "https://staging.example.com.evil.example/shop/a",
    "https://evil.example/https://staging.example.com/shop/a",
    "https://staging.example.com/shop/../a",
    "https://staging.example.com/shop/%2E%2e/a",
    "https://example.com/it&apos;s&amp;more/a",
    "https://www.staging.example.com/shop",
];

/// Text that must never change.
const ASIDES: [&str; 6] = [
    "",
    "\n    ",
    "<!-- https://staging.example.com/shop/a -->",
    "<?p https://staging.example.com/shop/a?>",
    "<x:loc xmlns:x='urn:x'>https://staging.example.com/shop/a</x:loc>",
    "<image:image><image:loc>https://cdn.example.net/</image:loc><image:title>https://staging.example.com/shop/a</image:title></image:image>",
];

/// A document before and after, and the numbers of its changed and unchanged URLs.
#[derive(Default)]
struct Case {
    before: String,
    after: String,
    moved: u64,
    kept: u64,
}

impl Case {
    fn push(&mut self, text: &str) {
        self.before.push_str(text);
        self.after.push_str(text);
    }

    fn url(&mut self, open: &str, random: &mut Random) {
        if random.below(4) == 0 {
            self.push(OTHERS[random.below(OTHERS.len())]);
            // A licence may be any text.
            self.kept += u64::from(!open.ends_with("license>"));
            return;
        }
        let is_attribute = open.ends_with('"');
        let spellings: &[_] = if is_attribute { &IN_ATTRIBUTES } else { &IN_TEXT };
        let (before, after) = spellings[random.below(spellings.len())];
        self.before.push_str(before);
        let escaped = after.replace("NEW", "https://example.com/it&apos;s&amp;more");
        self.after.push_str(&escaped.replace("RAW", NEW));
        self.push(RESTS[random.below(RESTS.len())]);
        self.moved += 1;
    }

    fn aside(&mut self, random: &mut Random) {
        let aside = ASIDES[random.below(ASIDES.len())];
        self.kept += u64::from(aside.starts_with("<image"));
        self.push(aside);
    }

    fn element(&mut self, open: &str, close: &str, random: &mut Random) {
        self.push(open);
        self.url(open, random);
        self.push(close);
        self.aside(random);
    }

    fn entry(&mut self, random: &mut Random) {
        self.push("<url>");
        self.aside(random);
        self.element("<loc>", "</loc>", random);
        for _ in 0..random.below(4) {
            let (open, close) = [
                ("<image:image><image:loc>", "</image:loc></image:image>"),
                ("<image:image><image:license>", "</image:license></image:image>"),
                ("<xhtml:link rel='alternate' hreflang='de' href=\"", "\"/>"),
                (
                    "<video:video><video:player_loc autoplay='a=1'>",
                    "</video:player_loc></video:video>",
                ),
                (
                    "<video:video><video:uploader info=\"",
                    "\">https://staging.example.com/shop</video:uploader></video:video>",
                ),
                (
                    "<video:video><video:content_loc>",
                    "</video:content_loc></video:video>",
                ),
            ][random.below(6)];
            self.element(open, close, random);
        }
        self.push("</url>");
        self.aside(random);
    }
}

#[test]
fn random_documents_change_by_the_old_base_alone() {
    let mut random = Random::new(50);
    for _ in 0..rounds(1200) {
        let mut case = Case::default();
        // No element may be between two entries.
        for _ in 0..random.below(4) {
            let mut entry = Case::default();
            entry.entry(&mut random);
            let end = entry.before.rfind("</url>").unwrap() + "</url>".len();
            let cut = entry.before.len() - end;
            let after = entry.after.len() - cut;
            case.kept += entry.kept - u64::from(entry.before[end..].starts_with("<image"));
            case.moved += entry.moved;
            case.before.push_str(&entry.before[..end]);
            case.after.push_str(&entry.after[..after]);
        }
        let (before, after) = (urlset(&case.before), urlset(&case.after));
        let mut rebase = Rebase::new(OLD, NEW).unwrap();
        for size in [usize::MAX, 1, 7] {
            rebase = Rebase::new(OLD, NEW).unwrap();
            let edited = rebased(Chunks::new(before.as_bytes(), size), &mut rebase).unwrap();
            assert_eq!(edited, after, "{before}");
        }
        assert_eq!(
            (rebase.moved(), rebase.kept()),
            (case.moved, case.kept),
            "{before}"
        );
        check(&before, &after, OLD, NEW, &before);
    }
}

#[test]
fn every_url_of_an_entry_is_rebased() {
    let (old, new) = ("https://staging.example.com", "https://example.com");
    let document = |base: &str| {
        urlset(&format!(
            "<url><loc>{base}/</loc>\
             <image:image><image:loc>{base}/i</image:loc><image:license>{base}/l</image:license></image:image>\
             <video:video><video:thumbnail_loc>{base}/t</video:thumbnail_loc><video:title>T</video:title>\
             <video:description>D</video:description><video:content_loc>{base}/c</video:content_loc>\
             <video:player_loc>{base}/p</video:player_loc><video:gallery_loc>{base}/g</video:gallery_loc>\
             <video:content_segment_loc>{base}/s</video:content_segment_loc>\
             <video:uploader info=\"{base}/u\">U</video:uploader></video:video>\
             <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"{base}/de\"/></url>"
        ))
    };
    let mut rebase = Rebase::new(old, new).unwrap();
    assert_eq!(
        rebased(document(old).as_bytes(), &mut rebase).unwrap(),
        document(new)
    );
    assert_eq!((rebase.moved(), rebase.kept()), (10, 0));
}

#[test]
fn an_index_is_rebased() {
    let text = |base: &str| {
        index(&format!(
            "\n  <sitemap><loc>{base}/a.xml</loc><lastmod>2026-05-01</lastmod></sitemap>\n  <sitemap>\n    <loc>https://cdn.example.net/b.xml.gz</loc></sitemap>"
        ))
    };
    let mut rebase = Rebase::new("https://staging.example.com/", "http://localhost:8080/").unwrap();
    let edited = rebased(text("https://staging.example.com").as_bytes(), &mut rebase).unwrap();
    assert_eq!(edited, text("http://localhost:8080"));
    assert_eq!(
        (rebase.moved(), rebase.kept(), rebase.first_kept()),
        (1, 1, Some("https://cdn.example.net/b.xml.gz"))
    );
    assert_eq!(
        (rebase.old_base(), rebase.new_base()),
        ("https://staging.example.com", "http://localhost:8080")
    );
}

#[test]
fn other_edits_take_precedence() {
    let document = urlset(
        "<url><loc>https://a.example/</loc><image:image><image:loc>https://a.example/1</image:loc></image:image></url>",
    );
    let mut rebase = Rebase::new("https://a.example", "https://b.example").unwrap();
    let run = |rebase: &mut Rebase, edit: &dyn Fn(&mut EntryEditor<'_>)| {
        rebased_after(document.as_bytes(), rebase, edit).unwrap()
    };
    // A value set to its old text stays as well.
    for loc in ["https://a.example/", "https://a.example/x"] {
        let edited = run(&mut rebase, &|entry| entry.set("loc", loc).unwrap());
        let expected = document.replace("https://a.example/1", "https://b.example/1");
        assert_eq!(edited, expected.replace("https://a.example/", loc));
    }
    let edited = run(&mut rebase, &|entry| {
        assert!(entry.remove("image:image").unwrap());
    });
    assert_eq!(edited, urlset("<url><loc>https://b.example/</loc></url>"));
    assert_eq!((rebase.moved(), rebase.kept()), (3, 0));

    // If two match, the first one wins.
    let edited = run(&mut rebase, &|entry| {
        let mut first = Rebase::new("https://a.example:443", "https://c.example").unwrap();
        entry.rebase(&mut first).unwrap();
        assert_eq!(first.moved(), 2);
    });
    assert_eq!(edited, document.replace("a.example", "c.example"));
    assert_eq!((rebase.moved(), rebase.kept()), (3, 0));

    // The same for edits after it.
    let mut editor = Editor::new(document.as_bytes(), Vec::new());
    let mut entry = editor.next_entry().unwrap().unwrap();
    entry.rebase(&mut rebase).unwrap();
    entry.set("loc", "https://a.example/").unwrap();
    entry.remove("image:image").unwrap();
    let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
    assert_eq!(edited, urlset("<url><loc>https://a.example/</loc></url>"));
}

#[test]
fn urls_and_bases() {
    for (old, new, url, expected) in [
        (
            "https://a.example",
            "https://b.example",
            "https://a.example",
            Some("https://b.example"),
        ),
        (
            "https://a.example/",
            "https://b.example/",
            "https://a.example/",
            Some("https://b.example/"),
        ),
        (
            "http://a.example",
            "https://b.example/x/",
            "http://a.example:80?q",
            Some("https://b.example/x?q"),
        ),
        (
            "https://a.example:8443",
            "https://b.example",
            "https://a.example/",
            None,
        ),
        (
            "https://a.example/a%c3%a9",
            "https://b.example",
            "https://a.example/a%C3%A9/x",
            Some("https://b.example/x"),
        ),
        (
            "https://a.example/é",
            "https://b.example",
            "https://a.example/é/x",
            Some("https://b.example/x"),
        ),
        (
            "https://bücher.example",
            "https://b.example",
            "https://bücher.example/x",
            Some("https://b.example/x"),
        ),
        (
            "https://xn--bcher-kva.example",
            "https://ü.example",
            "https://Bücher.example/é",
            Some("https://xn--tda.example/é"),
        ),
        (
            "https://bücher.example",
            "https://b.example",
            "https://xn--bcher-kva.example/",
            Some("https://b.example/"),
        ),
        (
            "https://a.example",
            "https://b.example",
            "https://a.example/../x",
            Some("https://b.example/../x"),
        ),
        (
            "https://a.example",
            "https://b.example/b",
            "https://a.example/../x",
            None,
        ),
        (
            "https://[::1]:1",
            "https://b.example",
            "https://[::1]:1/x",
            Some("https://b.example/x"),
        ),
        ("https://a.example", "https://b.example", "//a.example/", None),
        ("https://a.example", "https://b.example", "/x", None),
        ("https://a.example", "https://b.example", "", None),
    ] {
        let rebase = Rebase::new(old, new).unwrap();
        assert_eq!(rebase.apply(url).as_deref(), expected, "{old} {new} {url}");
    }
    for (old, new, message) in [
        (
            "staging.example.com",
            "https://b.example",
            "`staging.example.com` is not a base: it has no scheme and host (did you mean `https://staging.example.com`?); a base is a \
             scheme (http or https), a host, a port and a path prefix, such as `https://example.com` or `https://example.com/shop` (P-LOC)",
        ),
        (
            "https://a.example",
            "https://b.example/?a",
            "`https://b.example/?a` is not a base: it has a query; a base is a scheme (http or https), a host, a port and a path \
             prefix, such as `https://example.com` or `https://example.com/shop` (P-LOC)",
        ),
    ] {
        let error = Rebase::new(old, new).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::Settings, message.to_owned())
        );
    }
}

#[test]
fn a_loc_that_becomes_too_long_is_an_error() {
    let long = "x".repeat(2_048 - "https://a.example/".len());
    let document = urlset(&format!(
        "<url><loc>https://a.example/{long}</loc><image:image><image:loc>https://a.example/{long}</image:loc></image:image></url>\
         <url><loc>https://a.example/</loc></url>"
    ));
    let mut rebase = Rebase::new("https://a.example", "https://b.example").unwrap();
    assert_eq!(
        rebased(document.as_bytes(), &mut rebase).unwrap(),
        document.replace("a.ex", "b.ex")
    );
    let mut rebase = Rebase::new("https://a.example", "https://www.a.example").unwrap();
    let mut editor = WriterBuilder::new().editor(document.as_bytes(), Vec::new());
    let error = editor
        .next_entry()
        .unwrap()
        .unwrap()
        .rebase(&mut rebase)
        .unwrap_err();
    assert_eq!(error.path(), Some("entry 1 · loc"));
    assert_eq!(error.rule(), Some(sitemap_serde::Rule::LocLen));
    assert_eq!((rebase.moved(), rebase.kept()), (0, 0));
    editor.next_entry().unwrap().unwrap().rebase(&mut rebase).unwrap();
    let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
    assert_eq!(
        edited,
        document.replace(
            "<url><loc>https://a.example/<",
            "<url><loc>https://www.a.example/<"
        )
    );
}

/// An entry with many links takes linear time.
#[test]
fn an_entry_of_many_urls_is_rebased_in_linear_time() {
    let links = "<xhtml:link rel='alternate' hreflang='de' href='https://a.example/x'/>".repeat(40_000);
    let document = urlset(&format!("<url><loc>https://a.example/</loc>{links}</url>"));
    let mut rebase = Rebase::new("https://a.example", "https://b.example").unwrap();
    let started = std::time::Instant::now();
    let edited = rebased_after(document.as_bytes(), &mut rebase, |entry| {
        entry.set("priority", "0.5").unwrap();
    });
    let expected = document
        .replace("a.example", "b.example")
        .replace("</loc>", "</loc><priority>0.5</priority>");
    assert!(edited.unwrap() == expected);
    assert_eq!(rebase.moved(), 40_001);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

//! Data that a rewriting command cannot keep is a loss, and sets the exit status, whether the command repairs or ignores it.

use crate::folder::{CORE, Folder};

/// A urlset with one entry, which has this text after its loc.
fn with(text: &str) -> String {
    format!(
        "<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\
         <url><loc>https://example.com/</loc>{text}</url></urlset>"
    )
}

/// The status and the messages.
fn converted(document: &str, arguments: &[&str]) -> (i32, String) {
    let arguments = [&["convert", "-", "--to", "xml"], arguments].concat();
    let (status, _, said) = Folder::empty().pipe(document, &arguments);
    (status, said)
}

/// Strict reading ignores text between the elements of an entry. Lenient reading reports it.
#[test]
fn text_between_elements_is_a_loss() {
    let documents = [
        (
            with("<!-- x -->new &amp; old"),
            "the text `new & old` between the elements of an entry, which has elements only (sitemap.xsd); remove it, or put it in a \
             comment, at line 1, column 150 (byte 149), entry 1: left out",
        ),
        (
            with(&"new ".repeat(40)),
            "the text `new new new new new new new new new new new new new new new …` between the elements of an entry, which has \
             elements only (sitemap.xsd); remove it, or put it in a comment, at line 1, column 140 (byte 139), entry 1: left out",
        ),
    ];
    for (document, problem) in documents {
        let expected = (1, format!("<stdin>: {problem}\nnote: 1 value lost\n"));
        assert_eq!(converted(&document, &["--on-invalid", "drop"]), expected);
        let cause = problem.strip_suffix(": left out").unwrap();
        let failure = (
            2,
            format!("sitemap: <stdin>: {cause}; --on-invalid drop leaves it out\n"),
        );
        assert_eq!(converted(&document, &[]), failure);
        assert_eq!(
            converted(&document, &["--lenient", "--on-invalid", "fail"]),
            failure
        );
        assert_eq!(converted(&document, &["--lenient"]), expected);
        let folder = Folder::with(&[("a.xml", &document)]);
        let split = [
            "split",
            "a.xml",
            "-o",
            "out",
            "--base",
            "https://example.com/",
            "--on-invalid",
            "drop",
        ];
        let (status, _, said) = folder.run(&split);
        let problem = format!("a.xml: {problem}\n");
        assert!(status == 1 && said.contains(&problem), "{status} {said}");
        let (status, _, said) = folder.run(&["repair", "a.xml", "-o", "b.xml"]);
        let (message, _) = problem.split_once(", at line").unwrap();
        let message = message.strip_prefix("a.xml: ").unwrap();
        assert!(
            status == 1 && said.contains(&format!("sitemap.xsd: {message}, entry 1: left out\n")),
            "{status} {said}"
        );
    }
    let index = format!(
        "<sitemapindex xmlns=\"{CORE}\">a<sitemap>b<loc>https://example.com/1.xml</loc></sitemap></sitemapindex>"
    );
    let (status, said) = converted(&index, &["--lenient"]);
    let expected = "<stdin>: the text `a` between entries: a sitemapindex holds `sitemap` elements (P-NS); remove it, or put it in a \
                    comment, at line 1, column 67 (byte 66): left out\n\
                    <stdin>: the text `b` between the elements of an entry, which has elements only (sitemap.xsd); remove it, or put it \
                    in a comment, at line 1, column 77 (byte 76), entry 1: left out\n\
                    note: 2 values lost\n";
    assert_eq!((status, &*said), (1, expected));
    // `edit` keeps the text.
    let folder = Folder::with(&[("a.xml", &with("new"))]);
    let edit = [
        "edit",
        "a.xml",
        "--set",
        "https://example.com/",
        "--lastmod",
        "2026-05-01",
    ];
    let (_, _, said) = folder.run(&edit);
    assert!(folder.read("a.xml").contains("new</url>"), "{said}");
}

/// A repeated value with the same meaning is no loss.
#[test]
fn what_is_repeated_is_lost_if_it_differs() {
    let link = |attribute: &str| {
        with(&format!(
            "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\" {attribute}/>"
        ))
    };
    let repaired = "note: 1 repair (`sitemap repair` lists them)\n";
    for (document, status, expected) in [
        (link("hreflang=\"de\""), 0, repaired.to_owned()),
        (
            link("hreflang=\"fr\""),
            1,
            "<stdin>: the attribute `hreflang` twice on one element (XML 1.0 section 3.1); keep one, at line 1, column 212 (byte 211), \
             entry 1: written without it\nnote: 1 value lost\n"
                .to_owned(),
        ),
        (with("<priority>0.5</priority><priority>0.50</priority>"), 0, repaired.to_owned()),
        (
            with("<priority>0.5</priority><priority>0.6</priority>"),
            1,
            "<stdin>: a second `priority`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 174 (byte 173), entry 1 · priority: left out\nnote: 1 value lost\n"
                .to_owned(),
        ),
        (
            with("<lastmod>2026-05-01T12:00Z</lastmod><lastmod>2026-05-01T14:00:00+02:00</lastmod>"),
            0,
            repaired.to_owned(),
        ),
        (with("<loc>HTTPS://EXAMPLE.com</loc>"), 0, repaired.to_owned()),
    ] {
        assert_eq!(converted(&document, &["--lenient"]), (status, expected), "{document}");
    }
}

/// A loc with a placeholder names no known page, so no URL is made from it. A partly encoded URL is not affected.
#[test]
fn a_placeholder_that_was_not_filled_in_is_no_address() {
    for loc in [
        "https://example.com/{{slug}}",
        "https://example.com/${id}",
        "https://example.com/&lt;%= x %>",
    ] {
        let document = with("").replace("https://example.com/<", &format!("{loc}<"));
        let folder = Folder::with(&[("a.xml", &document)]);
        let (status, written, said) = folder.run(&["repair", "a.xml", "--format", "json"]);
        // No entry would be left.
        assert!(status == 2 && !written.contains("example.com"), "{written}");
        let repair: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
        let loc = loc.replace("&lt;", "<");
        let expected = format!(
            "`{loc}` has a placeholder of a template that was not filled in (P-LOCENC); fill it in: nobody but the template knows which \
             page it is"
        );
        assert_eq!(repair["message"], *expected);
        assert_eq!(repair["type"], "skipped");
        // The lint has no fix for it.
        let (_, _, said) = folder.run(&["lint", "a.xml", "--fix"]);
        assert_eq!(folder.read("a.xml"), document, "{said}");
    }
    // An invalid image URL drops the image only.
    let image = "<image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:loc>https://example.com/{{a}}</image:loc></image:image>";
    let (status, written, said) = Folder::empty().pipe(with(image), &["repair", "-"]);
    assert!(status == 1 && written.contains("/</loc></url>"), "{written}");
    let problem = "P-IMG2: `https://example.com/{{a}}` has a placeholder of a template that was not filled in (P-IMG2); fill it in: nobody \
                   but the template knows which page it is, entry 1 · image:image[0] · image:loc: left out\n";
    assert!(said.contains(problem), "{said}");
    let (_, linted, _) = Folder::empty().pipe(with(image), &["lint", "-"]);
    assert!(
        linted.contains("warning[P-IMG2]: `https://example.com/{{a}}` has a placeholder"),
        "{linted}"
    );
    let document = with("").replace("https://example.com/<", "https://example.com/?q={%22a%22:1}<");
    let (status, written, said) = Folder::empty().pipe(&document, &["repair", "-"]);
    assert!(
        status == 0 && written.contains("?q=%7B%22a%22:1%7D<"),
        "{written} {said}"
    );
}

/// Both `repair` and `lint` report an undeclared prefix once.
#[test]
fn an_undeclared_prefix_is_reported_once() {
    let image = "<image:image><image:loc>https://example.com/1</image:loc></image:image>";
    let entries =
        format!("<url><loc>https://example.com/</loc>{image}{image}<x:y z:a=\"1\"/></url>").repeat(3);
    let document = format!("<urlset xmlns=\"{CORE}\">{entries}</urlset>");
    for arguments in [&["repair", "-"][..], &["lint", "-"]] {
        let (_, written, said) = Folder::empty().pipe(&document, arguments);
        for prefix in ["image", "x", "z"] {
            let problem = format!("the prefix `{prefix}` of ");
            let count = [&written, &said].map(|text| text.matches(&problem).count());
            assert_eq!(count.iter().sum::<usize>(), 1, "{arguments:?}: {written}{said}");
        }
    }
}

/// A missing end tag puts one element inside another. The inner one is lost, and the lint has a separate rule for it.
#[test]
fn an_element_behind_a_missing_end_tag_is_reported_once() {
    let image = "<image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
                 <image:loc>https://example.com/1<image:title>T</image:title></image:image>";
    let (_, linted, _) = Folder::empty().pipe(with(image), &["lint", "-"]);
    assert_eq!(linted.matches("]: `image:title`").count(), 1, "{linted}");
    let (status, said) = converted(&with(image), &["--lenient"]);
    let problem =
        "`image:title` in `image:loc`, which has no such element; add the tag that is missing before it";
    assert!(status == 1 && said.contains(problem), "{said}");
}

/// A feed's stylesheet displays feeds, so a sitemap made from the feed does not keep it.
#[test]
fn the_stylesheet_of_a_feed_is_left_out() {
    let style = "<?xml-stylesheet type=\"text/xsl\" href=\"/feed.xsl\"?>";
    let rss = format!(
        "<?xml version=\"1.0\"?>{style}<rss version=\"2.0\"><channel><title>x</title><item><link>https://example.com/a</link></item></channel></rss>"
    );
    let atom = format!(
        "{style}<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"https://example.com/a\"/></entry></feed>"
    );
    for feed in [rss, atom] {
        let (status, xml, said) = Folder::empty().pipe(&feed, &["convert", "-", "--to", "xml"]);
        assert_eq!((status, &*said), (0, "note: 1 stylesheet left out\n"));
        assert!(
            xml.contains("<loc>https://example.com/a</loc>") && !xml.contains("stylesheet"),
            "{xml}"
        );
    }
}

//! Images of pages.

use std::fmt::Write as _;

use crate::site::{Site, builder, findings};

/// The images of one page at `/blog/a.html`, and the findings.
fn images(html: &str) -> (Vec<String>, Vec<String>) {
    let site = Site::new(&[("blog/a.html", &format!("<p>A page</p>{html}"))]);
    let read = builder().images(true).read(site.path()).unwrap();
    let images = read.pages()[0].images().map(str::to_owned).collect();
    (images, findings(&read))
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases is as long as it is")]
fn what_is_an_image() {
    for (html, expected) in [
        ("<img src=a.jpg>", &["https://example.com/blog/a.jpg"][..]),
        (
            "<img src=/a.jpg?w=1#x alt=''>",
            &["https://example.com/a.jpg?w=1"],
        ),
        (
            "<img src='a b.jpg'><img src='a%20b.jpg'>",
            &[
                "https://example.com/blog/a b.jpg",
                "https://example.com/blog/a%20b.jpg",
            ],
        ),
        ("<img src=//cdn.example/a.jpg>", &["https://cdn.example/a.jpg"]),
        (
            "<base href=https://cdn.example/x/><img src=a.jpg>",
            &["https://cdn.example/x/a.jpg"],
        ),
        (
            "<img src=data:image/gif;base64,R0lGOD data-src=a.jpg>",
            &["https://example.com/blog/a.jpg"],
        ),
        (
            "<img src=placeholder.svg data-src=a.jpg>",
            &["https://example.com/blog/a.jpg"],
        ),
        (
            "<img srcset='a.jpg 400w, b.jpg 800w'>",
            &["https://example.com/blog/b.jpg"],
        ),
        (
            "<img src=a.jpg srcset='a.jpg 400w, b.jpg 800w'>",
            &["https://example.com/blog/a.jpg"],
        ),
        (
            "<img src=DATA:x data-srcset='c.jpg 2x'>",
            &["https://example.com/blog/c.jpg"],
        ),
        (
            "<picture><source srcset='a.avif 1x, b.avif 2x'><source srcset=a.webp><img alt=A></picture><img src=c.jpg>",
            &[
                "https://example.com/blog/b.avif",
                "https://example.com/blog/c.jpg",
            ],
        ),
        (
            "<picture><source srcset=a.avif><img src=a.jpg></picture><img alt=none>",
            &["https://example.com/blog/a.jpg"],
        ),
        (
            "<picture><source srcset=a.avif></picture><picture><img alt=none></picture>",
            &[],
        ),
        (
            "<meta property=og:image content=https://cdn.example/card.jpg>",
            &["https://cdn.example/card.jpg"],
        ),
        (
            "<meta name=og:image content=/card.jpg><meta property=og:image:width content=1200>",
            &["https://example.com/card.jpg"],
        ),
        (
            "<img src=a.jpg><main><img src=a.jpg><img src=./a.jpg></main>",
            &["https://example.com/blog/a.jpg"],
        ),
        // Images that do not belong to the page.
        ("<link rel=icon href=/icon.png>", &[]),
        ("<img src=/favicon.ICO>", &[]),
        (
            "<img src=icon.png width=32 height=32><img src=icon.png height=16px>",
            &[],
        ),
        ("<img src=pixel.gif width=1 height=1>", &[]),
        (
            "<img src=photo.jpg width=100% height=400>",
            &["https://example.com/blog/photo.jpg"],
        ),
        (
            "<img src=data:image/png;base64,AAAA><img src=blob:x><img src=javascript:x><img src=''><img>",
            &[],
        ),
        (
            "<noscript><img src=a.jpg></noscript><template><img src=b.jpg></template>",
            &[],
        ),
        (
            "<header><img src=logo.svg></header><nav><img src=menu.svg></nav>",
            &[],
        ),
        (
            "<article><header><img src=hero.jpg></header></article>",
            &["https://example.com/blog/hero.jpg"],
        ),
        (
            "<svg><image href=a.svg /></svg><video><source src=a.mp4 srcset=b.jpg></video>",
            &[],
        ),
    ] {
        assert_eq!(
            images(html),
            (expected.iter().map(|image| (*image).to_owned()).collect(), vec![]),
            "{html}"
        );
    }
}

#[test]
fn images_are_written_if_they_are_wanted() {
    let site = Site::new(&[("index.html", "<img src='L\u{e4}mp 1.jpg'>")]);
    let written = |images: bool| {
        let read = builder().images(images).read(site.path()).unwrap();
        sitemap_serde::entries_to_string(read.pages()).unwrap()
    };
    assert!(!written(false).contains("image:"));
    let image = "<image:image><image:loc>https://example.com/L%C3%A4mp%201.jpg</image:loc></image:image>";
    assert!(written(true).contains(image), "{}", written(true));
}

#[test]
fn more_than_an_entry_may_have() {
    let many = |count: usize| {
        (0..count).fold(String::new(), |mut html, i| {
            let _ = write!(html, "<img src={i}.jpg><img src={i}.jpg>");
            html
        })
    };
    let (listed, found) = images(&many(1000));
    assert_eq!((listed.len(), found), (1000, vec![]));
    let (listed, found) = images(&many(1001));
    assert_eq!(
        (listed.len(), listed[999].as_str()),
        (1000, "https://example.com/blog/999.jpg")
    );
    assert_eq!(
        found,
        ["blog/a.html: has 1001 images, and an entry at most 1000 (P-IMG1): the others are left out"]
    );
    // Excess images are not checked.
    assert_eq!(images(&(many(1000) + "<img src='b&#1;.jpg'>")), (listed, found));
    // Refused images do not count.
    let (listed, found) = images(&("<img src='b&#1;.jpg'>".to_owned() + &many(1000)));
    assert_eq!((listed.len(), found.len()), (1000, 1));
}

#[test]
fn an_image_that_no_sitemap_can_have() {
    let (listed, found) = images("<img src=a.jpg><img src='b&#1;.jpg'>");
    assert_eq!(listed, ["https://example.com/blog/a.jpg"]);
    let message = "blog/a.html: the image `https://example.com/blog/b\\u{1}.jpg` holds U+0001: a URL has no control characters, tab and line \
                   break among them (RFC 3986); remove it: it is left out";
    assert_eq!(found, [message]);
}

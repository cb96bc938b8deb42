//! A synthetic site, with the changes of real ones.

use std::fmt::Write as _;

use crate::site::{Site, builder, findings, listed};

/// The parameters of a build.
#[derive(Clone)]
struct Build {
    footer: &'static str,
    navigation: &'static str,
    asset_hash: &'static str,
    theme: &'static str,
    counter: bool,
    pages: Vec<(String, Vec<String>)>,
}

impl Build {
    fn new(pages: usize) -> Self {
        let words = ["lamp", "chair", "table", "shelf", "rug", "vase", "desk"];
        let text = |page: usize, i: usize| {
            format!(
                "Text {i} on the {} of {} from {}",
                words[(page + i) % 7],
                words[page % 7],
                page * 17 + i
            )
        };
        let page = |page: usize| {
            (
                format!("page-{page:02}"),
                (0..3 + page % 4).map(|i| text(page, i)).collect(),
            )
        };
        Build {
            footer: "All rights reserved",
            navigation: "Home",
            asset_hash: "3f2a9c1b",
            theme: "theme 1",
            counter: false,
            pages: (0..pages).map(page).collect(),
        }
    }

    /// Writes the site: its pages, and the index with an excerpt of each.
    fn write(&self, site: &Site) {
        let links = self
            .pages
            .iter()
            .map(|(name, _)| format!("<li><a href=/{name}.html>{name}</a>"))
            .collect::<Vec<_>>()
            .concat();
        let frame = |main: &str| {
            let count = if self.counter {
                format!("{} pages built", self.pages.len())
            } else {
                String::new()
            };
            format!(
                "<!doctype html><link rel=stylesheet href=/style-{0}.css><div class='{1}'>\
                 <nav><b>{2}</b><ul>{links}</ul></nav><aside>Also by us</aside><div class=bar><p>A shop of fine things</p>{1}</div>\
                 {main}<img src=/logo.{0}.png alt=Logo><p>Made with {1}</p><div>{count}</div><footer>{3}</footer></div>",
                self.asset_hash, self.theme, self.navigation, self.footer
            )
        };
        let mut index = String::from("<main><h1>Everything</h1>");
        for (name, texts) in &self.pages {
            let own = texts
                .iter()
                .map(|text| format!("<p>{text}</p>"))
                .collect::<Vec<_>>()
                .concat();
            site.write(
                &format!("{name}.html"),
                frame(&format!("<main><h1>About {name}</h1>{own}</main>")),
            );
            let _ = write!(
                index,
                "<h2><a href=/{name}.html>{name}</a></h2><p>{}</p>",
                texts[0]
            );
        }
        index.push_str("</main>");
        site.write("index.html", frame(&index));
    }
}

#[test]
fn what_moves_and_what_does_not() {
    let site = Site::new(&[]);
    let mut build = Build::new(24);
    build.write(&site);
    assert_eq!(site.moved("2026-05-01"), [""; 0]);
    let none: &[&str] = &[];
    let mut day = 1;
    let mut check = |build: &Build, what: &str, expected: &[&str]| {
        day += 1;
        build.write(&site);
        assert_eq!(site.moved(&format!("2026-05-{day:02}")), expected, "{what}");
    };
    check(&build, "untouched", none);
    build.footer = "No rights reserved";
    check(&build, "footer", none);
    build.navigation = "Start";
    check(&build, "navigation", none);
    build.asset_hash = "99aa77ee";
    check(&build, "asset hash", none);
    build.theme = "theme 2";
    check(&build, "theme version", none);
    build.counter = true;
    check(&build, "a counter in the footer", none);
    build
        .pages
        .push(("page-99".to_owned(), vec!["A new page".to_owned()]));
    check(
        &build,
        "a new page in every sidebar, with the counter",
        &["page-99.html"],
    );
    build.pages[5].1[1] = "Another text on lamps".to_owned();
    // The index lists this page among the first ten, and so has its date.
    check(&build, "one paragraph", &["index.html", "page-05.html"]);
    build.pages[6].1[0] = "Another first text, of which the index has an excerpt".to_owned();
    check(
        &build,
        "the paragraph of an excerpt",
        &["index.html", "page-06.html"],
    );
    build.pages[16].1[0] = "A first text of a page that the index lists far below".to_owned();
    check(&build, "the paragraph of an excerpt far below", &["page-16.html"]);
    build.pages[7].1.remove(1);
    check(&build, "a paragraph removed", &["index.html", "page-07.html"]);
    for page in [1, 11] {
        build.pages[page].1[1] = format!("A text of its own, {}", ["red", "green"][page / 10]);
    }
    let tenth = ["index.html", "page-01.html", "page-11.html"];
    check(&build, "a tenth of the pages", &tenth);
    let renamed = build.pages.remove(3);
    build.pages.insert(3, ("renamed".to_owned(), renamed.1.clone()));
    site.write(
        "page-03.html",
        "<meta http-equiv=refresh content='0;url=/renamed.html'>",
    );
    // Its title also changes.
    let renamed = ["index.html", "renamed.html"];
    check(&build, "a page renamed, with a redirect", &renamed);
    for (_, texts) in &mut build.pages {
        texts[0] = format!("At last: {}", texts[0]);
    }
    check(&build, "the first texts of all pages, as by the template", none);
    // The same edit in different texts is a different change on each page.
    let mut edited = vec!["index.html".to_owned()];
    for (number, (name, texts)) in build.pages.iter_mut().enumerate() {
        let at = number % texts.len();
        texts[at] = texts[at].replace("Text", "A text on all of this:");
        if texts[at].contains("on all") {
            edited.push(format!("{name}.html"));
        }
    }
    assert!(edited.len() > 20, "{edited:?}");
    edited.sort();
    let edited: Vec<&str> = edited.iter().map(String::as_str).collect();
    check(&build, "an edit of distinct texts on nearly every page", &edited);
}

#[test]
fn numbers_that_change() {
    let site = Site::new(&[]);
    let write = |price: &dyn Fn(usize) -> usize, views: &dyn Fn(usize) -> String| {
        for i in 0..20 {
            let html = format!(
                "<p>Lamp of {}<p>Price: {} €<p class=views>{}",
                ["red", "green", "blue"][i % 3].repeat(i + 1),
                price(i),
                views(i)
            );
            site.write(&format!("{i:02}.html"), html);
        }
    };
    let often = |_: usize| "Seen often".to_owned();
    write(&|i| 5 + i / 5, &often);
    assert_eq!(site.moved("2026-04-28"), [""; 0]);
    write(&|i| 6 + i / 5, &often);
    assert_eq!(
        site.moved("2026-04-29"),
        [""; 0],
        "each number is that of many pages, before and after"
    );
    write(&|i| 10 + i, &often);
    site.moved("2026-04-30");
    let old = |i: usize| 30 + i;
    write(&|i| if i % 3 == 0 { old(i) } else { 10 + i }, &often);
    let expected = [
        "00.html", "03.html", "06.html", "09.html", "12.html", "15.html", "18.html",
    ];
    assert_eq!(site.moved("2026-05-01"), expected, "a third of the prices");
    write(&old, &often);
    assert_eq!(site.moved("2026-05-02").len(), 13, "the other prices");
    let few = |number: &'static str| {
        move |i: usize| {
            if i < 3 {
                format!("Seen {number} times")
            } else {
                "Seen often".to_owned()
            }
        }
    };
    write(&old, &few("7"));
    assert_eq!(site.moved("2026-05-03"), ["00.html", "01.html", "02.html"]);
    write(&old, &few("8"));
    assert_eq!(
        site.moved("2026-05-04"),
        ["00.html", "01.html", "02.html"],
        "a number on few pages"
    );
    let mut ignoring = builder();
    ignoring.ignore(".views");
    site.moved_with("2026-05-05", &mut ignoring);
    write(&old, &few("9"));
    assert_eq!(
        site.moved_with("2026-05-06", &mut ignoring),
        [""; 0],
        "unless its element is ignored"
    );
}

/// Twelve pages of one template, each with a text of its own.
fn twelve_pages() -> Site {
    let site = Site::new(&[]);
    for i in 0..12 {
        site.write(
            &format!("{i:02}.html"),
            format!("<p>The template<p>Page {}", "x".repeat(i + 1)),
        );
    }
    site
}

#[test]
fn pages_that_go_and_come_back() {
    let site = twelve_pages();
    site.moved("2026-05-01");
    site.write("03.html", "<p>The template<p>Edited");
    assert_eq!(site.moved("2026-05-02"), ["03.html"]);
    site.remove("03.html");
    assert_eq!(site.moved("2026-05-03"), [""; 0]);
    site.write("03.html", "<p>The template<p>Edited");
    assert_eq!(site.moved("2026-05-04"), [""; 0]);
    assert_eq!(site.moved("2026-05-02"), ["03.html"], "it has its date back");
    site.remove("03.html");
    site.moved("2026-05-05");
    site.write("03.html", "<p>The template<p>Edited again");
    assert_eq!(site.moved("2026-05-06"), ["03.html"]);
}

#[test]
fn blank_pages_keep_their_dates() {
    let site = Site::new(&[("index.html", "<p>Home"), ("app.html", "<p>The app")]);
    site.moved("2026-05-01");
    site.write(
        "app.html",
        "<title>App</title><div id=app></div><script src=app.js></script>",
    );
    assert_eq!(site.moved("2026-05-02"), [""; 0]);
    let folder = site.read();
    assert_eq!(listed(&folder), ["/", "/app.html"]);
    assert_eq!(
        findings(&folder)[0],
        "app.html: has no text that is counted, so that its date stays as it is"
    );
    site.write("app.html", "<p>The app");
    assert_eq!(site.moved("2026-05-03"), [""; 0]);
}

#[test]
fn a_text_that_all_of_nine_pages_have() {
    let site = Site::new(&[]);
    let write = |footer: &str, line: &str| {
        for i in 0..9 {
            site.write(
                &format!("{i}.html"),
                format!("<p>Page {}<p>{line}<footer>{footer}</footer>", "x".repeat(i + 1)),
            );
        }
    };
    write("A", "B");
    site.moved("2026-05-01");
    write("AA", "B");
    assert_eq!(site.moved("2026-05-02"), [""; 0]);
    // A text on all pages belongs to the template.
    write("AA", "BB");
    assert_eq!(site.moved("2026-05-03"), [""; 0]);
    let site = Site::new(&[("0.html", "<p>A<p>B"), ("1.html", "<p>AA<p>B")]);
    site.moved("2026-05-01");
    site.write("0.html", "<p>A<p>BB");
    site.write("1.html", "<p>AA<p>BB");
    assert_eq!(
        site.moved("2026-05-02"),
        ["0.html", "1.html"],
        "two pages are too few"
    );
}

/// A list with shortened excerpts, in the forms that generators use.
#[test]
fn excerpts_that_are_cut() {
    const CUT: &str = "are bright, and some of them are brighter than";
    for (excerpt, is_excerpt) in [
        ("<h2><a href=/post.html>Lamps</a></h2><p>{}…", true),
        (
            "<p>{} […] <p><a href=/>Home</a><p>By us<p><a href=/post.html>Lamps</a>",
            true,
        ),
        ("<p>{} ... <a href=/post.html>Lamps</a>", true),
        ("<p>{} <a href=post.html>Read more</a> »", true),
        ("<p>{}<p><a href=/post.html#more>Read more</a>", true),
        ("<p>{}<a href=/post.html><img src=arrow.svg alt=''></a>", true),
        (
            "<h2><a href=/post.html>Lamps</a></h2><p>Lamps. {} others. They…",
            false,
        ),
        ("<h2><a href=/post.html>Lamps</a></h2><p>{}", false),
        ("<p>{} <a href=/post.html>Read more</a> or not", false),
        ("<p>{} <a href=/>Read more</a>", false),
        ("<p>{}… <nav><a href=/post.html>Lamps</a></nav>", false),
        ("<p>About {}… <a href=/post.html>Read more</a>", false),
    ] {
        let site = Site::new(&[]);
        let write = |word: &str, own: &str| {
            let text = format!("{word} {CUT}");
            site.write("post.html", format!("<p>{text} others.<p>They stand on tables."));
            site.write(
                "index.html",
                format!(
                    "<h1>{own}</h1><p>A page with texts of its own, so that it is no list{}",
                    excerpt.replace("{}", &text)
                ),
            );
        };
        write("Lamps", "Posts");
        site.moved("2026-05-01");
        write("All lamps", "Posts");
        let expected: &[&str] = if is_excerpt {
            &["post.html"]
        } else {
            &["index.html", "post.html"]
        };
        assert_eq!(site.moved("2026-05-02"), expected, "{excerpt}");
        write("All lamps", "All posts");
        assert_eq!(site.moved("2026-05-03"), ["index.html"], "{excerpt}");
    }
}

/// Lists with the first paragraphs of posts, as Pelican's default theme writes them: the title is a link to the post, and the post links
/// back directly before its text.
#[test]
fn posts_with_titles_that_are_links() {
    const INFOS: &str = "<footer class=post-info><abbr>Published: by us</abbr><address>By <a href=/author.html>A. Writer</a></address>\
                         <p>In <a href=/lamps.html>lamps</a>.</p></footer>";
    let site = Site::new(&[
        (
            "author.html",
            "<main><p>A. Writer writes about lamps and tables, and about little else",
        ),
        ("about.html", "<p>About"),
    ]);
    let write = |first: &str, second: &str, own: &str| {
        let title = "<header><h2><a href=/post.html rel=bookmark>Bright lamps</a></h2></header>";
        let texts =
            format!("<p>{first} is about lamps, which are bright.</p><p>{second} is about tables.</p>");
        site.write(
            "post.html",
            format!("<article>{title}{INFOS}{texts}<p>The third is about chairs.</p></article>"),
        );
        let posts = format!(
            "<article>{title}{INFOS}{texts}<a class=readmore href=/post.html>read more</a></article>"
        );
        site.write(
            "lamps.html",
            format!(
                "<h1>Lamps</h1>{posts}<h2>About</h2><p>A page with {own} of its own, so that it is no list"
            ),
        );
    };
    write("This", "That", "texts");
    site.moved("2026-05-01");
    write("The first", "That", "texts");
    assert_eq!(site.moved("2026-05-02"), ["post.html"]);
    write("The first", "The second", "texts");
    assert_eq!(site.moved("2026-05-03"), ["post.html"]);
    // After the next heading, texts are the page's own.
    write("The first", "The second", "a text");
    assert_eq!(site.moved("2026-05-04"), ["lamps.html"]);
}

/// A page that is not listed, such as mdBook's for printing, repeats the texts of all others, and they link to it.
#[test]
fn pages_for_printing() {
    let site = Site::new(&[]);
    let write = |texts: [&str; 3]| {
        let print: String = texts.iter().flat_map(|text| ["<p>", text]).collect();
        site.write("print.html", format!("<meta name=robots content=noindex>{print}"));
        for (i, text) in texts.iter().enumerate() {
            site.write(
                &format!("{i}.html"),
                format!("<div><a href=print.html>Print</a></div><p>{text}"),
            );
        }
    };
    write(["Lamps", "Chairs", "Tables"]);
    site.moved("2026-05-01");
    write(["Lamps", "Chairs and stools", "Tables"]);
    assert_eq!(site.moved("2026-05-02"), ["1.html"]);
}

/// Generators shorten the text of a page without regard to its elements.
#[test]
fn excerpts_of_several_blocks() {
    let site = Site::new(&[]);
    let write = |adjective: &str| {
        site.write(
            "post.html",
            format!("<h1>Post</h1><p>Lamps.<p>They are {adjective}.<ul><li>Red<li>Green</ul><p>And many, many more."),
        );
        let excerpt = format!(
            "<p>A page with texts of its own, so that it is no list<p>Lamps. They are {adjective}. Red Green And many…"
        );
        site.write("index.html", format!("{excerpt}<p><a href=/post.html>Post</a>"));
    };
    write("bright");
    site.moved("2026-05-01");
    write("very bright");
    assert_eq!(site.moved("2026-05-02"), ["post.html"]);
}

#[test]
fn explanations() {
    let site = twelve_pages();
    site.moved("2026-05-01");
    for i in 0..12 {
        let views = format!("<nav>Menu</nav><p class=views>Seen</p><p>Since {i}<p><a href=/>Home</a>");
        site.write(
            &format!("{i:02}.html"),
            format!("<p>The template{views}<p>Page {}", "x".repeat(i + 1)),
        );
    }
    let ledger = sitemap_pages::Ledger::load(site.ledger()).unwrap();
    assert_eq!(ledger.len(), 12);
    let html = "<p>The template<p>Since 99<nav>Menu</nav><p class=views>Seen<p>Edited<p><a href=/01.html>One</a><p>Page xx";
    site.write("03.html", html);
    let mut builder = builder();
    builder
        .ignore(".views")
        .now("2026-05-02".parse().unwrap())
        .ledger(ledger);
    let folder = builder.read(site.path()).unwrap();
    assert_eq!(
        folder.explain("03.html").unwrap().to_string(),
        "2026-05-02: its content changed since the last run\n\
         \x20 shared               The template\n  added on many        Since 99\n  navigation or frame  Menu\n  ignored              Seen\n\
         + added                Edited\n  mostly links         One\n  excerpt              Page xx\n- 1 removed: not kept\n"
    );
    assert_eq!(
        folder.explain("chairs").unwrap_err().to_string(),
        "there is no page `chairs` in the folder"
    );
    site.write("draft/index.html", "\n<meta name=robots content=noindex>");
    let folder = builder.read(site.path()).unwrap();
    for (page, message) in [
        (
            "/draft/",
            "`/draft/` is not listed: draft/index.html:2: `noindex`",
        ),
        ("draft", "`draft` is not listed: draft/index.html:2: `noindex`"),
        (
            "https://example.com/draft/index.html",
            "`https://example.com/draft/index.html` is not listed: draft/index.html:2: `noindex`",
        ),
        (
            "https://other.example/",
            "`https://other.example/` is not a page of this folder",
        ),
    ] {
        assert_eq!(folder.explain(page).unwrap_err().to_string(), message);
    }
}

/// An edit counts in the run of a redesign, which adds a text to the same place of all pages.
#[test]
fn an_edit_in_the_run_of_a_redesign() {
    let site = Site::new(&[]);
    let write = |byline: &dyn Fn(usize) -> String, edited: &str| {
        for i in 0..12 {
            let text = if i == 3 { edited } else { "The page" };
            let html = format!(
                "<article><h1>Page</h1>{}<p>{text} {}",
                byline(i),
                "x".repeat(i + 1)
            );
            site.write(&format!("{i:02}.html"), html);
        }
    };
    let name = |i: usize| {
        [
            "Ada", "Bea", "Cleo", "Dora", "Eva", "Fay", "Gus", "Hal", "Ian", "Jo", "Kim", "Lou",
        ][i]
    };
    write(&|_| String::new(), "The page");
    site.moved("2026-05-01");
    write(&|i| format!("<p>By {}", name(i)), "An edited page");
    assert_eq!(site.moved("2026-05-02"), ["03.html"]);
    write(&|i| format!("<p>Written by {}", name(11 - i)), "An edited page");
    assert_eq!(site.moved("2026-05-03"), [""; 0]);
    write(&|_| String::new(), "An edited page");
    assert_eq!(site.moved("2026-05-04"), [""; 0]);
}

/// A page is known by its address, from any file, and through redirects.
#[test]
fn pages_are_known_by_their_urls() {
    let site = Site::new(&[]);
    let page = |text: &str, url: &str| format!("<link rel=canonical href={url}><p>{text}");
    site.write("about/index.html", page("About us", "/about"));
    site.write("shop/index.html", page("The shop", "/shop"));
    site.write("old.html", "<p>The old page");
    site.moved_with("2026-05-01", builder().since("2026-04-01".parse().unwrap()));
    for file in ["about/index.html", "shop/index.html", "old.html"] {
        site.remove(file);
    }
    site.write("about.html", page("About us", "/about"));
    site.write("shop.html", page("The shop", "/shop"));
    site.write("new.html", "<p>The old page");
    site.write("_redirects", "/old.html /new.html 301");
    assert_eq!(site.moved("2026-05-02"), [""; 0]);
    let dates: Vec<_> = site
        .run("2026-05-02")
        .into_iter()
        .map(|(url, date)| format!("{url} {date}"))
        .collect();
    assert_eq!(
        dates,
        ["/about 2026-04-01", "/new 2026-04-01", "/shop 2026-04-01"]
    );
    // A refresh that covers another rename, and a redirect to a page that leads elsewhere.
    site.remove("new.html");
    site.write("newest.html", "<p>The old page");
    site.write(
        "new.html",
        "<meta http-equiv=refresh content='0;url=/newest.html'>",
    );
    assert_eq!(site.moved("2026-05-03"), [""; 0]);
    // Without a redirect, it is a new page.
    site.remove("newest.html");
    site.remove("new.html");
    site.write("other.html", "<p>The old page");
    assert_eq!(site.moved("2026-05-04"), ["other.html"]);
    // With one, an edit counts as an edit.
    site.remove("other.html");
    site.write("another.html", "<p>The old page, edited");
    site.write("_redirects", "/other.html /another.html 301");
    assert_eq!(site.moved("2026-05-05"), ["another.html"]);
}

/// A run that moves more than half of all pages is refused. It may be allowed, or keep the dates.
#[test]
fn most_pages_at_once() {
    let site = Site::new(&[]);
    let write = |count: usize, words: &dyn Fn(usize) -> String| {
        for i in 0..count {
            // At places outside of the template.
            let texts = format!(
                "<p>One {0}<p>Two {0}<p>{1}<p>Four {0}<p>Five {0}",
                "x".repeat(i + 1),
                words(i)
            );
            site.write(&format!("{i:02}.html"), texts);
        }
    };
    let refused = |count: usize, edited: usize| {
        write(count, &|i| "three ".repeat(i + 1));
        let first = site.read();
        write(count, &|i| {
            if i < edited {
                "drei ".repeat(i + 1)
            } else {
                "three ".repeat(i + 1)
            }
        });
        let mut builder = builder();
        builder
            .now("2026-05-02".parse().unwrap())
            .ledger(first.ledger().clone());
        let run = |builder: &sitemap_pages::FolderBuilder| {
            let folder = builder.read(site.path()).unwrap();
            let moved = folder
                .pages()
                .iter()
                .filter(|page| page.lastmod().is_some())
                .count();
            (
                moved,
                folder
                    .write_file(site.path().join("sitemap.xml"))
                    .map_err(|error| error.to_string()),
            )
        };
        let found = run(&builder);
        if let (moved, Err(message)) = &found {
            assert_eq!(run(builder.clone().allow_mass_move(true)), (*moved, Ok(true)));
            assert_eq!(run(builder.keep_dates(true)), (0, Ok(true)));
            return message.clone();
        }
        String::new()
    };
    assert_eq!(refused(19, 19), "");
    assert_eq!(refused(20, 10), "");
    assert_eq!(
        refused(20, 11),
        "11 of 20 pages have moved at once, as they do when a template changes (`drei` was added to 00.html, and others like it to 11 pages \
         in all; something was removed from 00.html, and in the same place from 11 pages in all): if their content is as it was, keep their \
         dates for this run with `FolderBuilder::keep_dates(true)`, and if it is not, allow it with `FolderBuilder::allow_mass_move(true)`; \
         nothing was changed"
    );
}

#[test]
fn texts_that_are_kept() {
    let site = Site::new(&[("a.html", "<p>One<p>Two"), ("b.html", "<p>Uno")]);
    let texts = site.ledger().with_file_name("texts");
    let run = |day: &str| {
        let mut builder = builder();
        builder
            .now(day.parse().unwrap())
            .ledger(sitemap_pages::Ledger::load(site.ledger()).unwrap())
            .texts(sitemap_pages::KeptTexts::load(&texts).unwrap());
        let folder = builder.read(site.path()).unwrap();
        folder.texts().unwrap().save(&texts).unwrap();
        folder.ledger().save(site.ledger()).unwrap();
        folder.explain("a.html").unwrap().to_string()
    };
    let first = run("2026-05-01");
    assert_eq!(
        first,
        "no date: nothing is known of the page before the first run\n  counted              One\n  counted              Two\n"
    );
    site.write("a.html", "<p>One<p>Three");
    assert_eq!(
        run("2026-05-02"),
        "2026-05-02: its content changed since the last run\n  counted              One\n+ added                Three\n\
         - removed              Two\n"
    );
    // The same once the ledger knows it.
    assert_eq!(
        run("2026-05-03"),
        "2026-05-02: its content is as it was then\n  counted              One\n  counted              Three\n\
         what changed on 2026-05-02:\n+ added                Three\n- removed              Two\n"
    );
    std::fs::write(&texts, "sitemap-texts 1\n[1]\n").unwrap();
    let error = sitemap_pages::KeptTexts::load(&texts).unwrap_err().to_string();
    let message = "this is not a file of kept texts, or it is damaged: delete it, and texts are kept from the next run on";
    assert_eq!(error, format!("{}: {message}", texts.display()));
}

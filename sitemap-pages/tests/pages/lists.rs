//! Lists of pages, and menus that look like them.

use crate::site::{Site, findings};

/// Returns the sizes of the sites. The largest is left out if `SITEMAP_ROUNDS` is unset.
fn counts() -> impl Iterator<Item = usize> {
    let has_all = std::env::var_os("SITEMAP_ROUNDS").is_some();
    [6, 12, 25].into_iter().chain(has_all.then_some(40))
}

/// A page with a menu of the home page and all others.
fn page(menu: &str, content: &str, count: usize) -> String {
    let links: Vec<String> = (0..count)
        .map(|i| format!("<li><a href=/page-{i:02}.html>Page {i}</a>"))
        .collect();
    let links = format!("<ul><li><a href=/>Home</a>{}</ul>", links.concat());
    match menu {
        "nav" => format!("<nav>{links}</nav><main>{content}</main>"),
        "nav in main" => format!("<main><nav>{links}</nav>{content}</main>"),
        "role in main" => format!("<main><div role=navigation>{links}</div>{content}</main>"),
        "div in main" => format!("<main><div>{links}</div>{content}</main>"),
        "div after the text" => format!("<main>{content}<div>{links}</div></main>"),
        "no main" => format!("<div>{links}</div><div>{content}</div>"),
        _ => unreachable!("{menu}"),
    }
}

fn thing(number: usize, text: &str) -> String {
    format!("<h1>Page {number}</h1><p>{text} of thing {number}, with words enough to be prose")
}

/// Edits each page of a site, and returns the pages that moved each time.
fn moved_by_edits(menu: &str, count: usize, home: &str) -> Vec<Vec<String>> {
    let site = Site::new(&[("index.html", &page(menu, home, count))]);
    let write = |number: usize, text: &str| {
        let content = page(menu, &thing(number, text), count);
        site.write(&format!("page-{number:02}.html"), content);
    };
    for number in 0..count {
        write(number, &format!("The first description {}", "abc".repeat(number)));
    }
    site.moved("2026-01-01");
    let edit = |number: usize| {
        write(number, &format!("Another text {}", "xyz".repeat(number)));
        site.moved(&format!("2026-02-{:02}", number % 28 + 1))
    };
    (0..count.min(28)).map(edit).collect()
}

/// A page of links has the date of its pages, so it needs no text. Other pages without text are listed, or counted if there are many.
#[test]
fn pages_without_text() {
    let site = Site::new(&[
        ("index.html", "<a href=a.html>A</a> <a href=b.html>B</a>"),
        ("a.html", "<p>A thing"),
        ("b.html", "<p>Another"),
    ]);
    assert_eq!(findings(&site.read()), [""; 0]);
    for number in 10..30 {
        site.write(
            &format!("app-{number}.html"),
            "<title>App</title><script src=app.js></script>",
        );
    }
    let of_one = |number: usize| {
        format!("app-{number}.html: has no text that is counted, so that its date stays as it is")
    };
    assert_eq!(findings(&site.read()), (10..30).map(of_one).collect::<Vec<_>>());
    site.write("app-30.html", "<title>App</title><script src=app.js></script>");
    assert_eq!(
        findings(&site.read()),
        [
            "21 pages have no text that is counted, such as app-10.html, app-11.html, app-12.html: their dates stay as they are"
        ]
    );
}

/// A home page with only a menu does not move with the pages in the menu, however many there are.
#[test]
fn menus_are_no_lists() {
    let menus = [
        "nav",
        "nav in main",
        "role in main",
        "div in main",
        "div after the text",
        "no main",
    ];
    for menu in menus {
        for count in counts() {
            let moved = moved_by_edits(menu, count, "");
            for (number, moved) in moved.iter().enumerate() {
                assert_eq!(*moved, [format!("page-{number:02}.html")], "{menu} of {count}");
            }
        }
    }
}

/// A list moves with each of its first ten pages, whether there is a menu or not.
#[test]
fn lists_move_beside_menus() {
    for menu in ["nav", "nav in main", "role in main"] {
        for count in counts() {
            let links: Vec<String> = (0..count)
                .map(|i| format!("<h2><a href=/page-{i:02}.html>Page {i}</a></h2>"))
                .collect();
            let moved = moved_by_edits(menu, count, &links.concat());
            for (number, moved) in moved.iter().enumerate() {
                let mut expected = vec![format!("page-{number:02}.html")];
                if number < 10 {
                    expected.insert(0, "index.html".to_owned());
                }
                assert_eq!(*moved, expected, "{menu} of {count}");
            }
        }
    }
}

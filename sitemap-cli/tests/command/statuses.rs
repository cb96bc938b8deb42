//! Exit statuses of the commands that write entries again: 0 if nothing was lost, 1 if something was, 2 if nothing was written.

use crate::folder::{CORE, Folder};

fn urlset(entries: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{entries}</urlset>\n")
}

#[test]
fn only_losses_are_one() {
    let entry = "<url><loc>https://example.com/a</loc></url>";
    // A document, and the statuses of `repair`, `repair --fail-on-repair`, `convert`, `convert --lenient`, `split --lenient` and `edit`.
    for (document, expected) in [
        (urlset(entry), [0, 0, 0, 0, 0, 0]),
        // Repairs that lose nothing.
        (
            urlset("<url><loc>https://example.com/?a&b</loc></url>"),
            [0, 1, 2, 0, 0, 2],
        ),
        (
            urlset("<url><loc>https://example.com/a</loc><changefreq>Daily</changefreq></url>"),
            [0, 1, 2, 0, 0, 0],
        ),
        (
            urlset("<url><loc>https://example.com/a</url>"),
            [0, 1, 2, 0, 0, 2],
        ),
        // A value, an element, an attribute, an entry, and the end of the document.
        (
            urlset("<url><loc>https://example.com/a</loc><priority>x</priority></url>"),
            [1, 1, 2, 1, 1, 0],
        ),
        (
            urlset("<url><loc>https://example.com/a</loc><x xmlns=\"urn:x\">1</x></url>"),
            [1, 1, 1, 1, 1, 0],
        ),
        (
            urlset("<url a=\"1\"><loc>https://example.com/a</loc></url>"),
            [1, 1, 1, 1, 1, 0],
        ),
        (
            urlset(&format!("{entry}<url><lastmod>2026</lastmod></url>")),
            [1, 1, 2, 1, 1, 1],
        ),
        (urlset(entry).replace("</urlset>\n", "<url>"), [1, 1, 2, 1, 1, 2]),
        ("<html>".to_owned(), [2; 6]),
    ] {
        let commands = [
            "repair a.xml",
            "repair a.xml --fail-on-repair",
            "convert a.xml --to xml",
            "convert a.xml --to xml --lenient",
            "split a.xml -o set --base https://example.com --lenient",
            "edit a.xml --add https://example.com/new",
        ];
        for (command, expected) in commands.into_iter().zip(expected) {
            for quiet in ["", " -q"] {
                let folder = Folder::with(&[("a.xml", &document)]);
                let command = format!("{command}{quiet}");
                let (status, printed, told) = folder.run(&command.split(' ').collect::<Vec<_>>());
                assert_eq!(status, expected, "{command}: {document}{printed}{told}");
                // A loss is never silent.
                assert!(status == 0 || !told.is_empty(), "{command}: {document}");
            }
        }
    }
}

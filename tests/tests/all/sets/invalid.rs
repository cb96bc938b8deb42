//! The policy for invalid values, in all forms of a set.

use std::sync::{Arc, Mutex};

use sitemap_serde::{Image, News, OnInvalid, UrlEntry, news::Publication};
use sitemap_site::{ErrorKind, SetBuilder, SitemapSet};

use crate::sets::pages::{BASE, folder};

/// The settings of a form.
type Form = fn(&mut SetBuilder);

/// A page with a valid or invalid image and loc. A value can be dropped from the image and the news.
fn row(id: i64) -> UrlEntry {
    let mut row = UrlEntry::new(match id {
        3 => "ftp://3".to_owned(),
        id => format!("/{id}"),
    });
    let image = if id == 2 { "file:///i" } else { "/i" };
    row.images.push(Image::new(image));
    let publication = Publication::new("Daily", "en");
    row.with_news(News::new(publication, "2026-05-10".parse().unwrap(), "Title"))
}

#[test]
fn each_policy_is_that_of_each_form() {
    let forms: [(&str, Form); 4] = [
        ("xml", |_| ()),
        ("gzip", |set| {
            set.gzip(6);
        }),
        ("text", |set| {
            set.text(true);
        }),
        ("news", |set| {
            set.news("p", None);
        }),
    ];
    let dropped = "section p, row 2: `file:///i` is not http or https: crawlers fetch nothing else; write its web address, or leave it out \
                   (P-IMG2), entry 2 · image:image[0] · image:loc, loc `https://example.com/2`";
    let skipped = "section p, row 3: `ftp://3` is not http or https: crawlers fetch nothing else (P-LOC); leave it out, or write its web address, entry 3 · loc";
    for (form, set_form) in forms {
        for (policy, written, problems) in [
            (None, [1, 0, 0, 1], &[][..]),
            (Some(OnInvalid::Fail), [1, 0, 0, 1], &[][..]),
            (Some(OnInvalid::DropValue), [1, 1, 0, 1], &[dropped, skipped][..]),
            (Some(OnInvalid::SkipEntry), [1, 0, 0, 1], &[dropped, skipped][..]),
        ] {
            let folder = folder();
            let heard = Arc::new(Mutex::new(Vec::new()));
            let hears = Arc::clone(&heard);
            let mut builder = SitemapSet::directory(folder.path(), BASE);
            set_form(&mut builder);
            builder.on_problem(move |problem| hears.lock().unwrap().push(problem.to_string()));
            if let Some(policy) = policy {
                builder.on_invalid(policy);
            }
            let set = builder.open().unwrap();
            let mut writer = set.task_writer("p", "all").unwrap();
            let fails = matches!(policy, None | Some(OnInvalid::Fail));
            for (id, expected) in (1..).zip(written) {
                let result = writer.write(id, &row(id));
                if fails && expected == 0 {
                    let message = if id == 2 { dropped } else { skipped };
                    let error = result.unwrap_err();
                    assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Entry, message));
                } else {
                    assert_eq!(result.unwrap(), expected, "{form} {policy:?}, row {id}");
                }
            }
            let list = writer.finish().unwrap();
            assert_eq!(list.problems(), problems, "{form} {policy:?}");
            let counts = (list.entries(), list.skipped(), list.dropped());
            let expected = match policy {
                Some(OnInvalid::DropValue) => (3, 1, 1),
                Some(OnInvalid::SkipEntry) => (2, 2, 0),
                _ => (2, 0, 0),
            };
            assert_eq!(counts, expected, "{form} {policy:?}");
            let summary = set.commit(list).unwrap();
            assert_eq!((summary.entries, summary.skipped, summary.dropped), expected);
            assert_eq!(summary.problems, problems);
            assert_eq!(*heard.lock().unwrap(), problems);
        }
    }
}

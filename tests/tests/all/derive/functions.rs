//! Values computed by functions of the whole row.

use std::fmt;

use sitemap_serde::{
    Alternate, ChangeFreq, Image, News, Priority, SitemapEntry, UrlEntry, Video, W3cDateTime,
    news::Publication,
};

use crate::derive::tools::writer;

#[derive(Debug)]
struct Broken(&'static str);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is broken", self.0)
    }
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = Self::url,
    lastmod = Self::updated,
    changefreq = Self::often,
    priority = rank,
    image = Self::pictures,
    video = Self::films,
    news = Self::article,
    alternate = Self::translations
)]
struct Row {
    id: u8,
    broken: &'static str,
}

fn rank(row: &Row) -> f32 {
    f32::from(row.id) / 10.0
}

impl Row {
    fn of<T>(&self, what: &'static str, value: T) -> Result<T, Broken> {
        if self.broken == what {
            Err(Broken(what))
        } else {
            Ok(value)
        }
    }

    fn url(&self) -> Result<String, Broken> {
        self.of("loc", format!("/rows/{}", self.id))
    }

    fn updated(&self) -> Option<W3cDateTime> {
        (self.id < 9).then(|| "2024-05-06".parse().unwrap())
    }

    fn often(&self) -> Result<Option<ChangeFreq>, Broken> {
        self.of("changefreq", Some(ChangeFreq::Daily))
    }

    fn pictures(&self) -> Vec<String> {
        (0..self.id).map(|i| format!("/{i}.jpg")).collect()
    }

    fn films(&self) -> Result<Option<Video>, Broken> {
        self.of("video", None)
    }

    fn article(&self) -> Option<News> {
        let title = format!("Row {}", self.id);
        (self.id == 2).then(|| News::new(Publication::new("Rows", "en"), self.updated().unwrap(), title))
    }

    fn translations(&self) -> Result<[(&'static str, String); 1], Broken> {
        self.of("alternate", [("de", format!("/de/rows/{}", self.id))])
    }
}

fn entries(row: &Row) -> sitemap_serde::Result<Vec<UrlEntry>> {
    writer().to_entries(row)
}

#[test]
fn each_value_by_a_function() {
    let mut expected = UrlEntry::new("https://example.com/rows/2");
    expected.lastmod = Some("2024-05-06".parse().unwrap());
    expected.changefreq = Some(ChangeFreq::Daily);
    expected.priority = Some("0.2".parse::<Priority>().unwrap());
    expected.images = ["/0.jpg", "/1.jpg"]
        .map(|path| Image::new(format!("https://example.com{path}")))
        .into();
    expected.news = Some(Box::new(News::new(
        Publication::new("Rows", "en"),
        "2024-05-06".parse::<W3cDateTime>().unwrap(),
        "Row 2",
    )));
    expected.alternates = vec![Alternate::new("de", "https://example.com/de/rows/2")];
    assert_eq!(entries(&Row { id: 2, broken: "" }).unwrap(), [expected]);
    assert_eq!(entries(&Row { id: 9, broken: "" }).unwrap()[0].lastmod, None);
}

#[test]
fn their_errors_say_which() {
    for (broken, path) in [
        ("loc", "loc"),
        ("changefreq", "changefreq"),
        ("video", "video:video"),
        ("alternate", "xhtml:link"),
    ] {
        let error = entries(&Row { id: 1, broken }).unwrap_err();
        // The loc is unknown only if it is invalid itself, whatever the order of the fields.
        let loc = if broken == "loc" {
            ""
        } else {
            ", loc `https://example.com/rows/1`"
        };
        assert_eq!(
            error.to_string(),
            format!("{broken} is broken, entry 1 · {path}{loc}")
        );
    }
    let error = entries(&Row { id: 20, broken: "" }).unwrap_err();
    assert_eq!(error.path(), Some("entry 1 · priority"));
}

/// In a variant, the function gets the enum. Borrowed values need no copy.
#[test]
fn of_an_enum_and_borrowed() {
    #[derive(SitemapEntry)]
    enum Page<'a> {
        #[sitemap(loc = Self::path, priority = Self::HIGH, image = Self::image)]
        At(&'a str),
        #[sitemap(loc = "/{0}", lastmod = Self::changed)]
        Dated(u8, &'a str),
    }
    impl Page<'_> {
        const HIGH: f32 = 0.9;

        fn path(&self) -> &str {
            match self {
                Page::At(path) => path,
                Page::Dated(..) => "/",
            }
        }

        fn image(&self) -> Option<&str> {
            self.path().strip_prefix("/img").map(|_| "/img.png")
        }

        fn changed(&self) -> Option<&str> {
            match self {
                Page::Dated(_, date) => Some(date),
                Page::At(_) => None,
            }
        }
    }
    let xml = writer()
        .entries_to_string([Page::At("/img/x"), Page::Dated(3, "2024")])
        .unwrap();
    assert!(
        xml.ends_with(
            "<url><loc>https://example.com/img/x</loc><priority>0.9</priority><image:image><image:loc>https://example.com/img.png</image:loc>\
             </image:image></url><url><loc>https://example.com/3</loc><lastmod>2024</lastmod></url></urlset>"
        ),
        "{xml}"
    );
}

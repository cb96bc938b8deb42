//! Images and articles from templates, together with those from functions and fields, and pages for feature phones.

use chrono::{DateTime, Utc};
use sitemap_serde::news::Publication;
use sitemap_serde::{FromSitemapEntry, Image, News, SitemapEntry, SitemapFields, UrlEntry};

use crate::derive::tools::{entry, read, reader, refused, writer, written};

#[derive(SitemapEntry, Clone)]
#[sitemap(
    loc = "/{slug}",
    mobile,
    image(loc = "/img/{slug}-{id}.jpg", caption = "{title} & {{more}}", title = Self::shout, geo_location = "{place}"),
    image = "/map/{id}.png",
    image(license = "https://a.b/licence", loc = Self::photo),
    news(date = "{published}", title = "{title}", publication = "The {paper.name}", language = "{paper.language}", keywords = "{place}")
)]
struct Article {
    id: u32,
    slug: &'static str,
    title: &'static str,
    place: Option<&'static str>,
    photo: Option<&'static str>,
    published: Option<DateTime<Utc>>,
    #[sitemap(image)]
    more: Vec<String>,
    #[sitemap(flatten)]
    paper: Paper,
}

#[derive(SitemapFields, Clone)]
struct Paper {
    name: &'static str,
    language: &'static str,
}

impl Article {
    fn shout(&self) -> String {
        self.title.to_uppercase()
    }

    fn photo(&self) -> Option<&str> {
        self.photo
    }
}

fn article() -> Article {
    Article {
        id: 7,
        slug: "a b",
        title: "<Lamp>",
        place: Some("Limerick, Ireland"),
        photo: Some("https://cdn.b/x.jpg"),
        published: Some("2024-05-06T07:08:09Z".parse().unwrap()),
        more: vec!["/last.jpg".to_owned()],
        paper: Paper {
            name: "Times",
            language: "en",
        },
    }
}

/// The same text as the crate's types give, so all parts are in the schema's order.
#[test]
fn every_part() {
    let mut first = Image::new("https://example.com/img/a%20b-7.jpg");
    first.caption = Some("<Lamp> & {more}".to_owned());
    first.title = Some("<LAMP>".to_owned());
    first.geo_location = Some("Limerick, Ireland".to_owned());
    let mut photo = Image::new("https://cdn.b/x.jpg");
    photo.license = Some("https://a.b/licence".to_owned());
    let mut news = News::new(
        Publication::new("The Times", "en"),
        "2024-05-06T07:08:09Z".parse().unwrap(),
        "<Lamp>",
    );
    news.keywords = Some("Limerick, Ireland".to_owned());
    let mut by_hand = UrlEntry::new("https://example.com/a%20b");
    by_hand.images = vec![
        first,
        Image::new("https://example.com/map/7.png"),
        photo,
        Image::new("https://example.com/last.jpg"),
    ];
    by_hand.news = Some(Box::new(news));
    by_hand.mobile = true;
    assert_eq!(entry(&article()), by_hand);
    assert_eq!(written(&writer(), &article()), written(&writer(), &by_hand));
}

/// An optional part without a value is left out. An element without a required part is left out as a whole.
#[test]
fn absent_values() {
    let absent = Article {
        place: None,
        ..article()
    };
    let found = entry(&absent);
    assert_eq!(found.images[0].geo_location, None);
    assert_eq!(found.news.unwrap().keywords, None);

    #[derive(SitemapEntry)]
    #[sitemap(
        loc = "/{id}",
        image(loc = "/{photo}.jpg", caption = "{id}"),
        news(
            publication = "The Times",
            language = "en",
            date = "2024-05-06",
            title = "{title}"
        )
    )]
    struct Row {
        id: u32,
        photo: Option<u32>,
        title: Option<String>,
    }
    let row = Row {
        id: 7,
        photo: None,
        title: None,
    };
    assert_eq!(written(&writer(), &row), "<loc>https://example.com/7</loc>");
}

#[test]
fn wrong_values() {
    let wrong = |change: fn(&mut Article)| {
        let mut article = article();
        change(&mut article);
        refused(&article).0
    };
    let place = ", loc `https://example.com/a%20b`";
    assert_eq!(
        wrong(|article| article.paper.language = "english"),
        format!(
            "`english` is not a language: a language is an ISO 639 code of 2 or 3 small letters, `zh-cn` or `zh-tw` (P-NEWS2); write the code of \
             the publication's language, entry 1 · news:news · news:publication · news:language{place}"
        )
    );
    assert_eq!(
        wrong(|article| article.photo = Some("ftp://a/b")),
        format!(
            "`ftp://a/b` is not http or https: crawlers fetch nothing else; write its web address, or leave it out (P-IMG2), entry 1 · \
             image:image[2] · image:loc{place}"
        )
    );
    assert_eq!(
        wrong(|article| article.published = None),
        format!(
            "no `news:publication_date`: every `news:news` has one (P-NEWS1); add it, or leave the `news:news` out, entry 1 · news:news · \
             news:publication_date{place}"
        )
    );
}

/// Parts are not read back into fields, like the parts of an image template.
#[test]
fn fields_of_parts_are_read_from_what_names_them() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/{slug}", mobile, image(loc = "/{slug}.jpg", caption = "{title}"))]
    struct Page {
        slug: String,
        title: String,
    }
    let page = Page {
        slug: "a".to_owned(),
        title: "A".to_owned(),
    };
    let xml = writer().entries_to_string([&page]).unwrap();
    let read: Page = read(&reader(), &xml).unwrap();
    assert_eq!(
        read,
        Page {
            title: String::new(),
            ..page
        }
    );
}

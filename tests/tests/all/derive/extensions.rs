//! Images, videos, news and alternates of derived types, written and read.
#![allow(
    clippy::trivially_copy_pass_by_ref,
    clippy::needless_pass_by_value,
    reason = "`with` hands over references, and `read_with` values"
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use sitemap_serde::{
    Alternate, EntryWriter, Error, FromSitemapEntry, Image, News, Reader, ReaderBuilder, SitemapEntry,
    UrlEntry, Video, WriterBuilder,
    convert::{FromElements, ToElements},
    news::Publication,
    to_string,
};

use crate::derive::tools::{BASE, assert_same, document, read, reader, refused, writer, written};

/// The content of the only entry after its loc.
fn behind_loc(row: &impl SitemapEntry) -> String {
    let children = written(&writer(), row);
    let (_, rest) = children.split_once("</loc>").unwrap();
    rest.to_owned()
}

/// A row of the tests' page with these elements.
fn read_page<T: FromSitemapEntry>(elements: &str) -> Result<T, Error> {
    read(
        &ReaderBuilder::new(),
        &document(&format!("<loc>{BASE}/</loc>{elements}")),
    )
}

#[track_caller]
fn assert_refused<T: FromSitemapEntry + Debug>(elements: &str, message: &str) {
    assert_eq!(read_page::<T>(elements).unwrap_err().to_string(), message);
}

fn image(path: &str) -> String {
    format!("<image:image><image:loc>{BASE}{path}</image:loc></image:image>")
}

fn video(name: &str) -> Video {
    let url = |folder: &str| format!("{BASE}/{folder}/{name}");
    Video::content(url("videos"))
        .with_thumbnail(url("thumbnails"))
        .with_title(name)
        .with_description("About it")
}

fn news(title: &str) -> News {
    News::new(
        Publication::new("The Example Times", "en"),
        "2024-05-06".parse().unwrap(),
        title,
    )
}

#[derive(SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
#[sitemap(loc = "/{slug}", changefreq = "weekly")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated: Option<String>,
    #[sitemap(image)]
    photo_url: Option<String>,
    #[sitemap(video)]
    videos: Vec<Video>,
    #[sitemap(news)]
    article: Option<News>,
    #[sitemap(alternate)]
    languages: BTreeMap<String, String>,
}

fn product() -> Product {
    Product {
        slug: "lamp".to_owned(),
        updated: None,
        photo_url: None,
        videos: Vec::new(),
        article: None,
        languages: BTreeMap::new(),
    }
}

#[test]
fn a_row_with_all_of_them() {
    let row = Product {
        photo_url: Some("https://cdn.example.net/lamp & shade.jpg".to_owned()),
        videos: vec![video("1"), video("2")],
        article: Some(news("Lamps")),
        languages: [("de", "https://example.com/de/lamp"), ("fr", "/fr/lamp")]
            .map(|(hreflang, href)| (hreflang.to_owned(), href.to_owned()))
            .into(),
        ..product()
    };
    assert_eq!(
        behind_loc(&row),
        "<changefreq>weekly</changefreq>\
         <image:image><image:loc>https://cdn.example.net/lamp%20&amp;%20shade.jpg</image:loc></image:image>\
         <video:video><video:thumbnail_loc>https://example.com/thumbnails/1</video:thumbnail_loc>\
         <video:title>1</video:title><video:description>About it</video:description>\
         <video:content_loc>https://example.com/videos/1</video:content_loc></video:video>\
         <video:video><video:thumbnail_loc>https://example.com/thumbnails/2</video:thumbnail_loc>\
         <video:title>2</video:title><video:description>About it</video:description>\
         <video:content_loc>https://example.com/videos/2</video:content_loc></video:video>\
         <news:news><news:publication><news:name>The Example Times</news:name><news:language>en</news:language>\
         </news:publication><news:publication_date>2024-05-06</news:publication_date><news:title>Lamps</news:title>\
         </news:news>\
         <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/lamp\"/>\
         <xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"https://example.com/fr/lamp\"/>"
    );
    let mut back = row.clone();
    back.photo_url = Some("https://cdn.example.net/lamp%20&%20shade.jpg".to_owned());
    back.languages
        .insert("fr".to_owned(), "https://example.com/fr/lamp".to_owned());
    let xml = writer().entries_to_string([&row]).unwrap();
    assert_eq!(read::<Product>(&reader(), &xml).unwrap(), back);
    assert_same(&back);
    assert_same(&product());
}

/// A type whose first row has no image still declares the namespace on the root.
#[test]
fn the_root_declares_what_the_type_has() {
    let xml = writer().entries_to_string([product()]).unwrap();
    for prefix in ["image", "video", "news", "xhtml"] {
        assert!(xml.contains(&format!(" xmlns:{prefix}=")), "{xml}");
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Photos(#[sitemap(image)] Vec<Image>);
    let xml = writer().entries_to_string([Photos(Vec::new())]).unwrap();
    assert!(
        xml.contains(" xmlns:image=") && !xml.contains(" xmlns:video="),
        "{xml}"
    );
}

/// An application type that yields images, and a collection.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Photo(String);

impl ToElements<Image> for Photo {
    fn write_elements(&self, entry: &mut EntryWriter<'_>) -> Result<(), Error> {
        entry.image(format!("/photos/{}", self.0))
    }
}

impl FromElements<Image> for Photo {
    fn from_elements(images: Vec<Image>) -> Result<Self, Error> {
        let image = Image::from_elements(images)?;
        let name = image.loc.strip_prefix("https://example.com/photos/");
        name.map(|name| Photo(name.to_owned()))
            .ok_or_else(|| Error::custom("not a photo"))
    }
}

#[derive(Debug, PartialEq)]
struct Album {
    photos: Vec<Photo>,
}

impl<'a> IntoIterator for &'a Album {
    type Item = &'a Photo;
    type IntoIter = std::slice::Iter<'a, Photo>;

    fn into_iter(self) -> Self::IntoIter {
        self.photos.iter()
    }
}

/// Returns references to values that it does not own.
struct Repeated;

impl<'a> IntoIterator for &'a Repeated {
    type Item = (&'static str, Cow<'a, str>);
    type IntoIter = std::array::IntoIter<Self::Item, 2>;

    fn into_iter(self) -> Self::IntoIter {
        [("de", "/de".into()), ("fr", "/fr".into())].into_iter()
    }
}

#[test]
fn types_of_images() {
    macro_rules! check {
        ($($type:ty: $value:expr => $paths:expr;)*) => {
            $({
                #[derive(SitemapEntry)]
                #[sitemap(loc = "/")]
                struct Page(#[sitemap(image)] $type);

                let images: String = AsRef::<[&str]>::as_ref(&$paths).iter().map(|path| image(path)).collect();
                assert_eq!(behind_loc(&Page($value)), images, stringify!($type));
            })*
        };
    }
    check! {
        String: "/a".to_owned() => ["/a"];
        &'static str: "https://example.com/a" => ["/a"];
        Option<&'static str>: None => [];
        Option<&'static str>: Some("/a") => ["/a"];
        Cow<'static, str>: "/a".into() => ["/a"];
        Box<str>: "/a".into() => ["/a"];
        Arc<str>: "/a".into() => ["/a"];
        Rc<Image>: Rc::new(Image::new("/a")) => ["/a"];
        url::Url: "https://example.com/a".parse().unwrap() => ["/a"];
        Image: Image::new("/a") => ["/a"];
        Option<Box<Image>>: Some(Box::new(Image::new("/a"))) => ["/a"];
        Vec<Image>: vec![Image::new("/a"), Image::new("/b")] => ["/a", "/b"];
        Vec<Option<String>>: vec![None, Some("/a".to_owned())] => ["/a"];
        Option<Vec<Image>>: None => [];
        Vec<Vec<&'static str>>: vec![vec!["/a"], vec![], vec!["/b", "/c"]] => ["/a", "/b", "/c"];
        &'static [&'static str]: &["/a", "/b"] => ["/a", "/b"];
        [&'static str; 2]: ["/a", "/b"] => ["/a", "/b"];
        [Image; 0]: [] => [];
        Box<[String]>: Box::new(["/a".to_owned()]) => ["/a"];
        Cow<'static, [Image]>: vec![Image::new("/a")].into() => ["/a"];
        VecDeque<Photo>: [Photo("a".to_owned())].into() => ["/photos/a"];
        LinkedList<&'static str>: ["/a"].into() => ["/a"];
        BTreeSet<&'static str>: ["/b", "/a"].into() => ["/a", "/b"];
        HashSet<&'static str>: ["/a"].into() => ["/a"];
        Photo: Photo("a".to_owned()) => ["/photos/a"];
        Album: Album { photos: vec![Photo("a".to_owned()), Photo("b".to_owned())] } => ["/photos/a", "/photos/b"];
        Box<Vec<Image>>: Box::new(vec![Image::new("/a")]) => ["/a"];
    }
}

#[test]
fn types_of_alternates() {
    macro_rules! check {
        ($($type:ty: $value:expr => $links:expr;)*) => {
            $({
                #[derive(SitemapEntry)]
                #[sitemap(loc = "/")]
                struct Page(#[sitemap(alternate)] $type);

                let links = AsRef::<[(&str, &str)]>::as_ref(&$links).iter().map(|(hreflang, path)| {
                    format!("<xhtml:link rel=\"alternate\" hreflang=\"{hreflang}\" href=\"{BASE}{path}\"/>")
                });
                assert_eq!(behind_loc(&Page($value)), links.collect::<String>(), stringify!($type));
            })*
        };
    }
    check! {
        Alternate: Alternate::new("de", "/de") => [("de", "/de")];
        Option<Alternate>: None => [];
        Vec<Alternate>: vec![Alternate::new("de", "/de"), Alternate::new("fr", "/fr")] => [("de", "/de"), ("fr", "/fr")];
        (&'static str, String): ("de", "/de".to_owned()) => [("de", "/de")];
        [(&'static str, &'static str); 2]: [("x-default", "/"), ("de", "/de")] => [("x-default", "/"), ("de", "/de")];
        BTreeMap<String, &'static str>: [("de".to_owned(), "/de")].into() => [("de", "/de")];
        HashMap<&'static str, &'static str>: [("de", "/de")].into() => [("de", "/de")];
        Repeated: Repeated => [("de", "/de"), ("fr", "/fr")];
    }
}

#[test]
fn several_fields_add_up() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Page {
        #[sitemap(image)]
        photos: Vec<&'static str>,
        #[sitemap(alternate)]
        german: Option<(&'static str, &'static str)>,
        #[sitemap(image, write_with = cover)]
        name: &'static str,
        #[sitemap(alternate)]
        others: Vec<Alternate>,
    }

    fn cover(name: &str) -> Image {
        let mut image = Image::new(format!("/covers/{name}"));
        image.title = Some(name.to_owned());
        image
    }

    let page = Page {
        photos: vec!["/a", "/b"],
        german: Some(("de", "/de")),
        name: "c",
        others: vec![Alternate::for_media("print", "/print")],
    };
    assert_eq!(
        behind_loc(&page),
        format!(
            "{}{}<image:image><image:loc>{BASE}/covers/c</image:loc><image:title>c</image:title></image:image>\
             <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"{BASE}/de\"/>\
             <xhtml:link rel=\"alternate\" media=\"print\" href=\"{BASE}/print\"/>",
            image("/a"),
            image("/b"),
        )
    );
}

#[test]
fn an_error_says_which() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/")]
    struct Page {
        #[sitemap(image)]
        cover: &'static str,
        #[sitemap(image)]
        photos: Album2,
    }

    struct Album2(Vec<&'static str>);

    impl<'a> IntoIterator for &'a Album2 {
        type Item = &'a &'static str;
        type IntoIter = std::slice::Iter<'a, &'static str>;

        fn into_iter(self) -> Self::IntoIter {
            self.0.iter()
        }
    }

    let page = Page {
        cover: "/a",
        photos: Album2(vec!["/b", "ftp://example.com/c"]),
    };
    assert_eq!(
        refused(&page).0,
        "`ftp://example.com/c` is not http or https: crawlers fetch nothing else; write its web address, or leave it out \
         (P-IMG2), entry 1 · image:image[2] · image:loc, loc `https://example.com/`"
    );
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
enum Page {
    #[sitemap(loc = "/about")]
    About,
    #[sitemap(loc = "/news/{id}")]
    Article {
        id: u32,
        #[sitemap(news)]
        news: Box<News>,
        #[sitemap(image)]
        photos: Vec<Photo>,
    },
    #[sitemap(loc = "/videos/{0}")]
    Film(
        u32,
        #[sitemap(video)] Box<Video>,
        #[sitemap(alternate)] Vec<(String, String)>,
    ),
    Product(Box<Product>),
}

#[test]
fn in_variants() {
    assert_same(&Page::About);
    assert_same(&Page::Article {
        id: 1,
        news: Box::new(news("First")),
        photos: vec![Photo("a".to_owned()), Photo("b".to_owned())],
    });
    assert_same(&Page::Film(
        1,
        Box::new(video("x")),
        vec![("de".to_owned(), "https://example.com/de".to_owned())],
    ));
    assert_same(&Page::Product(Box::new(Product {
        photo_url: Some("https://example.com/a.jpg".to_owned()),
        ..product()
    })));
}

#[test]
fn types_that_images_are_read_as() {
    macro_rules! check {
        ($($type:ty: $paths:expr => $value:expr;)*) => {
            $({
                #[derive(FromSitemapEntry)]
                #[sitemap(loc = "/")]
                struct Page(#[sitemap(image)] $type);

                let images: String = AsRef::<[&str]>::as_ref(&$paths).iter().map(|path| image(path)).collect();
                let page: Page = read_page(&images).unwrap();
                assert!(page.0 == $value, stringify!($type));
            })*
        };
    }
    let url = |path: &str| format!("{BASE}{path}");
    check! {
        String: ["/a"] => url("/a");
        Option<String>: ["/a"] => Some(url("/a"));
        Option<String>: [] => None;
        Cow<'static, str>: ["/a"] => url("/a");
        Box<str>: ["/a"] => url("/a").into();
        Arc<str>: ["/a"] => url("/a").into();
        url::Url: ["/a"] => url("/a").parse().unwrap();
        Image: ["/a"] => Image::new(url("/a"));
        Box<Image>: ["/a"] => Box::new(Image::new(url("/a")));
        Vec<Image>: ["/a", "/b"] => [Image::new(url("/a")), Image::new(url("/b"))];
        Vec<String>: [] => Vec::<String>::new();
        Option<Vec<String>>: [] => None;
        [String; 2]: ["/a", "/b"] => [url("/a"), url("/b")];
        Box<[String]>: ["/a", "/b"] => [url("/a"), url("/b")].into();
        Arc<[Image]>: [] => [].into();
        Cow<'static, [String]>: ["/a"] => vec![url("/a")];
        VecDeque<String>: ["/a", "/b"] => [url("/a"), url("/b")];
        LinkedList<String>: ["/a"] => [url("/a")].into();
        BTreeSet<String>: ["/b", "/a"] => [url("/a"), url("/b")].into();
        HashSet<String>: ["/b", "/a"] => [url("/a"), url("/b")].into();
        Photo: ["/photos/a"] => Photo("a".to_owned());
        Vec<Photo>: ["/photos/a", "/photos/b"] => [Photo("a".to_owned()), Photo("b".to_owned())];
    }
}

#[test]
fn too_many_or_too_few() {
    #[derive(FromSitemapEntry, Debug)]
    #[sitemap(loc = "/")]
    struct One<T: FromElements<Image>>(#[sitemap(image)] T);

    let two = image("/a") + &image("/b");
    assert_refused::<One<String>>(
        "",
        "no `image:image`, and the field that it is read into cannot be without one; make the field an `Option`, or a \
         `Vec`, at line 2, column 1 (byte 288), entry 1 · image:image",
    );
    for message in [
        read_page::<One<String>>(&two).unwrap_err(),
        read_page::<One<Option<Image>>>(&two).unwrap_err(),
        read_page::<One<Photo>>(&two).unwrap_err(),
    ] {
        assert_eq!(
            message.to_string(),
            "2 `image:image`, and the field that they are read into holds one; make the field a `Vec`, at line 2, \
             column 50 (byte 337), entry 1 · image:image"
        );
    }
    assert_refused::<One<[Image; 3]>>(
        &two,
        "there are 2, and the field that they are read into holds 3; make the field a `Vec`, at line 2, column 50 \
         (byte 337), entry 1 · image:image",
    );
    assert_refused::<One<Vec<String>>>(
        &(image("/a") + "<image:image><image:loc>b</image:loc></image:image>"),
        "`b` is not an absolute URL: write it with its scheme and host (P-IMG2), at line 2, column 132 (byte 419), \
         entry 1 · image:image[1] · image:loc",
    );
    assert_refused::<One<Photo>>(
        &image("/a"),
        "not a photo, at line 2, column 50 (byte 337), entry 1 · image:image",
    );

    #[derive(FromSitemapEntry, Debug)]
    #[sitemap(loc = "/")]
    #[expect(dead_code, reason = "only read")]
    struct Article(#[sitemap(news)] News);
    assert_refused::<Article>(
        "",
        "no `news:news`, and the field that it is read into cannot be without one; make the field an `Option`, \
         at line 2, column 1 (byte 288), entry 1 · news:news",
    );

    #[derive(FromSitemapEntry, Debug)]
    #[sitemap(loc = "/")]
    #[expect(dead_code, reason = "only read")]
    struct Languages(#[sitemap(alternate)] BTreeMap<String, String>);
    let link = |attribute: &str| {
        format!("<xhtml:link rel=\"alternate\" {attribute} href=\"https://example.com/x\"/>")
    };
    assert_refused::<Languages>(
        &(link("hreflang=\"de\"") + &link("hreflang=\"de\"")),
        "a second alternate for `de`, and the field that they are read into is a map, which holds one; make the field a \
         `Vec`, at line 2, column 109 (byte 396), entry 1 · xhtml:link",
    );
    assert_refused::<Languages>(
        &link("media=\"print\""),
        "the alternate `https://example.com/x` has no hreflang, and the field that it is read into needs one (P-ALT1); make \
         the field one of `Alternate`s, at line 2, column 109 (byte 396), entry 1 · xhtml:link",
    );
}

#[test]
fn conversions_back() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/")]
    struct Page {
        #[sitemap(image, write_with = urls, read_with = names)]
        photos: String,
        #[sitemap(alternate, write_with = links, read_with = parse::<2>)]
        languages: [char; 2],
    }

    fn urls(photos: &str) -> Vec<String> {
        photos.split(' ').map(|name| format!("{BASE}/{name}")).collect()
    }

    fn names(images: Vec<Image>) -> Result<String, &'static str> {
        let names = images
            .iter()
            .map(|image| image.loc.rsplit_once('/').map(|(_, name)| name));
        let names: Option<Vec<&str>> = names.collect();
        names.map(|names| names.join(" ")).ok_or("not a path")
    }

    fn links(languages: &[char; 2]) -> [(String, String); 2] {
        languages.map(|letter| (format!("{letter}{letter}"), format!("{BASE}/{letter}")))
    }

    fn parse<const N: usize>(links: [(String, String); N]) -> [char; N] {
        links.map(|(hreflang, _)| hreflang.chars().next().unwrap())
    }

    assert_same(&Page {
        photos: "a b c".to_owned(),
        languages: ['i', 't'],
    });
    assert_eq!(
        read_page::<Page>("<image:image><image:loc>x:y</image:loc></image:image>")
            .unwrap_err()
            .to_string(),
        "`x:y` has no host: write an absolute URL with scheme and host (P-IMG2), at line 2, column 61 (byte 348), \
         entry 1 · image:image[0] · image:loc"
    );
}

/// The template's own field is read from there, like any other field.
#[test]
fn a_field_of_the_template_is_an_image_too() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/photos/{file}")]
    struct Page {
        #[sitemap(image, write_with = url)]
        file: String,
    }

    fn url(file: &str) -> String {
        format!("{BASE}/files/{file}")
    }

    let page = Page { file: "a".to_owned() };
    assert_eq!(behind_loc(&page), image("/files/a"));
    assert_same(&page);
}

#[test]
fn generic_fields() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/")]
    struct Page<I, V> {
        #[sitemap(image)]
        images: Vec<I>,
        #[sitemap(video)]
        video: V,
    }

    assert_same(&Page {
        images: vec![Image::new("https://example.com/a")],
        video: Some(video("x")),
    });
    assert_same(&Page {
        images: vec![Photo("a".to_owned())],
        video: Vec::<Video>::new(),
    });
}

#[test]
fn through_serde() {
    let row = Product {
        photo_url: Some("https://example.com/lamp.jpg".to_owned()),
        videos: vec![video("1")],
        article: Some(news("Lamps")),
        languages: [("de".to_owned(), "https://example.com/de".to_owned())].into(),
        ..product()
    };
    let set: Vec<UrlEntry> = Reader::from_str(&writer().entries_to_string([&row]).unwrap())
        .entries()
        .collect::<Result<_, _>>()
        .unwrap();
    let values = writer().to_entries(&row).unwrap();
    assert_eq!(values, set);
    let json = serde_json::to_string(&values).unwrap();
    assert_eq!(serde_json::from_str::<Vec<UrlEntry>>(&json).unwrap(), set);
    assert!(to_string(&set).unwrap().contains("<image:image>"));
}

/// A database without NULL in this column has an empty text.
#[test]
fn an_empty_text_is_no_image() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "https://example.com/{0}")]
    struct Page(
        u8,
        #[sitemap(image)] String,
        #[sitemap(image)] Option<&'static str>,
    );

    let builder = WriterBuilder::new();
    let images = |one: &str, two| {
        builder.to_entries(&Page(1, one.to_owned(), two)).unwrap()[0]
            .images
            .len()
    };
    assert_eq!(images("", None), 0);
    assert_eq!(images(" \n", Some("")), 0);
    assert_eq!(images("https://example.com/a.jpg", Some("")), 1);
    // An image needs a loc.
    let mut page = UrlEntry::new("https://example.com/");
    page.images.push(Image::new(""));
    assert_eq!(
        builder.to_entries(&page).unwrap_err().rule(),
        Some(sitemap_serde::Rule::Img2)
    );
}

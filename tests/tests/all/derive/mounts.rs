//! Types with the mount path of their URLs, and the encoding of their server.

use std::fmt::Debug;

use sitemap_serde::{
    Alternate, Editor, EntryWriter, Error, FromSitemapEntry, Image, Reader, ReaderBuilder, Rule,
    SitemapEntry, UrlEntry, Video, WriterBuilder, entries_to_string,
    pagemap::PageMap,
    video::{ContentSegment, GalleryLoc, PlayerLoc, Uploader},
};
use sitemap_tests::urlset;

use crate::derive::tools::{assert_same_by, read, writer, written};

fn locs(builder: &WriterBuilder, entries: &[&dyn SitemapEntry]) -> Vec<String> {
    let xml = builder.entries_to_string(entries).unwrap();
    let mut reader = Reader::from_str(&xml);
    reader.entries().map(|entry| entry.unwrap().loc).collect()
}

fn read_loc<T: FromSitemapEntry>(builder: &ReaderBuilder, loc: &str) -> Result<T, Error> {
    read(builder, &urlset(&format!("<url><loc>{loc}</loc></url>")))
}

/// Types with their own base ignore the reader's base.
#[track_caller]
fn assert_same<T: SitemapEntry + FromSitemapEntry + PartialEq + Debug>(row: &T) {
    let elsewhere = ReaderBuilder::new().base("https://other.example").clone();
    assert_same_by(&WriterBuilder::new(), &[&ReaderBuilder::new(), &elsewhere], row);
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/posts/{slug}", base = "https://blog.example.com/en/")]
struct Post {
    slug: String,
    #[sitemap(image)]
    photo: Option<String>,
    #[sitemap(alternate)]
    languages: Vec<Alternate>,
}

fn post(slug: &str) -> Post {
    Post {
        slug: slug.to_owned(),
        photo: None,
        languages: Vec::new(),
    }
}

/// A page under the writer's base.
#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/about")]
struct About;

#[test]
fn all_of_an_entrys_paths_are_below_its_base() {
    let post = Post {
        photo: Some("/photos/a.jpg".to_owned()),
        languages: vec![Alternate::new("de", "/de/a")],
        ..post("a b")
    };
    for builder in [
        &WriterBuilder::new(),
        WriterBuilder::new().base("https://blog.example.com"),
        WriterBuilder::new()
            .base("https://www.example.com/x")
            .cross_submission(true),
    ] {
        assert_eq!(
            written(builder, &post),
            "<loc>https://blog.example.com/en/posts/a%20b</loc>\
             <image:image><image:loc>https://blog.example.com/en/photos/a.jpg</image:loc></image:image>\
             <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://blog.example.com/en/de/a\"/>"
        );
    }
}

#[test]
fn each_type_has_its_own() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/shop/{0}", base = "http://example.com:8080")]
    struct Product(u32);

    let pages: [&dyn SitemapEntry; 7] = [
        &About,
        &post("a"),
        &Product(1),
        &About,
        &UrlEntry::new("/url"),
        &post("b"),
        &Product(2),
    ];
    assert_eq!(
        locs(
            WriterBuilder::new()
                .base("https://example.com/")
                .cross_submission(true),
            &pages
        ),
        [
            "https://example.com/about",
            "https://blog.example.com/en/posts/a",
            "http://example.com:8080/shop/1",
            "https://example.com/about",
            "https://example.com/url",
            "https://blog.example.com/en/posts/b",
            "http://example.com:8080/shop/2",
        ]
    );
}

/// The document's location decides which URLs it may list (P-HOST, P-PATH).
#[test]
fn the_documents_site_and_directory_hold() {
    assert_eq!(
        writer().entries_to_string([post("a")]).unwrap_err().to_string(),
        "`https://blog.example.com/en/posts/a` is not on the site of the writer's base, `https://example.com`: all URLs of a file have its scheme, \
         host and port (P-HOST); write them to a sitemap of their own, or allow cross-submission, entry 1 · loc"
    );
    let mut below = WriterBuilder::new();
    below.location("https://blog.example.com/en/sitemap.xml");
    assert_eq!(
        locs(&below, &[&post("a")]),
        ["https://blog.example.com/en/posts/a"]
    );
    let mut beside = WriterBuilder::new();
    beside
        .base("https://blog.example.com")
        .location("/de/sitemap.xml");
    let refused = beside.entries_to_string([post("a")]).unwrap_err();
    assert_eq!(refused.rule(), Some(Rule::Path));
    // A value that climbs out of the directory.
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{+path}", base = "https://blog.example.com/en")]
    struct Path {
        path: &'static str,
    }
    let page = Path { path: "a" };
    assert_eq!(locs(&below, &[&page]), ["https://blog.example.com/en/a"]);
}

#[test]
fn added_to_a_file() {
    let xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
               <url><loc>https://blog.example.com/</loc></url></urlset>";
    let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    while editor.next_entry().unwrap().is_some() {}
    editor.add(&post("a")).unwrap();
    // The next one is somewhere else.
    assert_eq!(editor.add(&About).unwrap_err().rule(), Some(Rule::Loc));
    let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
    assert_eq!(
        edited,
        xml.replace(
            "</urlset>",
            "<url><loc>https://blog.example.com/en/posts/a</loc></url></urlset>"
        )
    );
}

#[test]
fn a_writer_that_is_wrong_stays_wrong() {
    let refused = WriterBuilder::new()
        .base("example.com")
        .entries_to_string([post("a")])
        .unwrap_err();
    assert!(
        refused.to_string().starts_with("`example.com` is not a base"),
        "{refused}"
    );
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(base = "https://blog.example.com", encoding = "EUC-JP")]
enum Page {
    #[sitemap(loc = "/")]
    Home,
    #[sitemap(loc = "/タグ/{0}")]
    Tag(String),
    Plain(Plain),
    Latin(Latin),
    Elsewhere(Post),
}

/// Takes both from its enum.
#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/plain/{name}")]
struct Plain {
    name: String,
}

/// Takes the base from its enum.
#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/latin/{name}", encoding = "latin1")]
struct Latin {
    name: String,
}

#[test]
fn a_type_in_an_enum_overrides_it() {
    let pages = [
        Page::Home,
        Page::Tag("サイトマップ".to_owned()),
        Page::Plain(Plain {
            name: "サ".to_owned(),
        }),
        Page::Latin(Latin {
            name: "é".to_owned()
        }),
        Page::Elsewhere(post("サ")),
    ];
    let entries: Vec<&dyn SitemapEntry> = pages.iter().map(|page| page as &dyn SitemapEntry).collect();
    let expected = [
        "https://blog.example.com/",
        "https://blog.example.com/%A5%BF%A5%B0/%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7",
        "https://blog.example.com/plain/%A5%B5",
        "https://blog.example.com/latin/%E9",
        "https://blog.example.com/en/posts/%A5%B5",
    ];
    assert_eq!(locs(&WriterBuilder::new(), &entries), expected);
    assert_eq!(
        locs(
            WriterBuilder::new().lowercase_hex(true).encoding("shift_jis"),
            &entries
        ),
        expected.map(|loc| loc
            .split_inclusive('%')
            .map(|part| match part.split_at_checked(2) {
                Some((hex, rest)) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => hex.to_lowercase() + rest,
                _ => part.to_owned(),
            })
            .collect::<String>())
    );
    for page in &pages {
        assert_same(page);
    }
    // Used directly, they take the base of the writer or reader.
    assert_eq!(
        locs(
            WriterBuilder::new().base("https://example.com"),
            &[&Plain {
                name: "サ".to_owned()
            }]
        ),
        ["https://example.com/plain/%E3%82%B5"]
    );
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(
    loc = "http://www.example.com/地図/{name}.html?q={query}",
    encoding = "euc-jp"
)]
struct Map {
    name: String,
    query: String,
    #[sitemap(image)]
    image: Option<Image>,
}

#[test]
fn characters_in_the_servers_encoding() {
    let map = Map {
        name: "サイトマップ".to_owned(),
        query: "100% & 東京/都".to_owned(),
        image: Some(Image::new("http://www.example.com/絵.png")),
    };
    assert_eq!(
        written(&WriterBuilder::new(), &map),
        "<loc>http://www.example.com/%C3%CF%BF%DE/%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7.html\
         ?q=100%25%20%26%20%C5%EC%B5%FE%2F%C5%D4</loc>\
         <image:image><image:loc>http://www.example.com/%B3%A8.png</image:loc></image:image>"
    );
    assert_same(&Map { image: None, ..map });
    let wave = Map {
        name: "🌊".to_owned(),
        query: String::new(),
        image: None,
    };
    assert_eq!(
        entries_to_string([&wave]).unwrap_err().to_string(),
        "`🌊` holds `🌊` U+1F30A, which EUC-JP, the server's encoding, does not have: a loc is percent-encoded in that \
         encoding (P-LOCENC); change the URL, or name the encoding that the server decodes it by, entry 1 · loc"
    );
}

/// In Shift_JIS, a letter may be the second byte of a character. In ISO-2022-JP, every byte is ASCII.
#[test]
fn encodings_that_use_ascii() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "https://example.com/ソート/{0}-{1}", encoding = "shift_jis")]
    struct ShiftJis(String, u32);

    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "https://example.com/地図/{0}-{1}", encoding = "iso-2022-jp")]
    struct Iso2022(String, u32);

    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "https://example.com/ü/{0}-{1}", encoding = "gb18030")]
    struct Gb18030(String, u32);

    for text in ["ア表示ソ", "a-ア-b", "-1-ミA", ""] {
        assert_same(&ShiftJis(text.to_owned(), 7));
        assert_same(&Iso2022(text.to_owned(), 7));
        assert_same(&Gb18030(text.to_owned(), 7));
    }
    assert_eq!(
        locs(&WriterBuilder::new(), &[&ShiftJis("ア".to_owned(), 1)]),
        ["https://example.com/%83%5C%81%5B%83g/%83A-1"]
    );
    assert_same(&Gb18030("🌊𠮷".to_owned(), 0));
}

/// The same pages, as another program writes them.
#[test]
fn other_spellings_of_the_same_loc() {
    let map = Map {
        name: "サイト".to_owned(),
        query: "é".to_owned(),
        image: None,
    };
    for loc in [
        "http://www.example.com/%C3%CF%BF%DE/%A5%B5%A5%A4%A5%C8.html?q=%8F%AB%B1",
        "http://www.example.com/%c3%cf%bf%de/%a5%b5%a5%a4%a5%c8.html?q=%8f%ab%b1",
        // Unencoded characters are in the document's encoding.
        "http://www.example.com/地図/サイト.html?q=é",
        "http://www.example.com/地図/サイト.html?q=%8F%AB%B1",
        "http://www.example.com/%C3%CF%BF%DE/%A5%B5イト.html?q=é",
    ] {
        assert_eq!(read_loc::<Map>(&ReaderBuilder::new(), loc).unwrap(), map, "{loc}");
    }
    let refused = |loc: &str| {
        read_loc::<Map>(&ReaderBuilder::new(), loc)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused("http://www.example.com/%C3%CF%BF%DE/%E3%82%B5.html?q="),
        "`%E3%82%B5` is not a value of `{name}`: it is not percent-encoded as EUC-JP (P-LOCENC), at line 1, column 71 \
         (byte 70), entry 1 · loc"
    );
    assert_eq!(
        refused("http://www.example.com/%E5%9C%B0%E5%9B%B3/a.html?q="),
        "`http://www.example.com/%E5%9C%B0%E5%9B%B3/a.html?q=` does not match the template \
         `http://www.example.com/地図/{name}.html?q={query}`: it is percent-encoded as UTF-8, and the server's encoding is \
         EUC-JP; an enum with a variant for each kind of page reads them all, at line 1, column 71 (byte 70), entry 1 · loc"
    );
}

#[test]
fn the_base_is_stripped() {
    for (loc, expected) in [
        ("https://blog.example.com/en/posts/a", Ok("a")),
        ("HTTPS://BLOG.example.com:443/en/posts/a", Ok("a")),
        ("https://blog.example.com/%65%6E/posts/a", Ok("a")),
        (
            "https://blog.example.com/english/posts/a",
            Err("it is not under the type's base, `https://blog.example.com/en/`"),
        ),
        (
            "https://blog.example.com/de/posts/a",
            Err("it is not under the type's base, `https://blog.example.com/en/`"),
        ),
        (
            "https://example.com/en/posts/a",
            Err("it is not under the type's base, `https://blog.example.com/en/`"),
        ),
        (
            "https://blog.example.com/en/pages/a",
            Err("its path does not begin with `/posts/`"),
        ),
    ] {
        for reader in [
            &ReaderBuilder::new(),
            ReaderBuilder::new().base("https://example.com"),
        ] {
            let found = read_loc::<Post>(reader, loc).map(|post| post.slug);
            match expected {
                Ok(slug) => assert_eq!(found.unwrap(), slug),
                Err(why) => {
                    let error = found.unwrap_err().to_string();
                    assert!(error.contains(&format!("`/posts/{{slug}}`: {why};")), "{error}");
                }
            }
        }
    }
}

/// A page that contains another page, and more fields.
struct Everything(Film);

#[derive(SitemapEntry)]
#[sitemap(loc = "/films/{id}", base = "https://example.com/映画", encoding = "euc-jp")]
struct Film {
    id: u32,
    #[sitemap(video)]
    video: Video,
}

impl SitemapEntry for Everything {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<(), Error> {
        self.0.write_entry(entry)?;
        let mut map = PageMap::new(Vec::new());
        map.template = Some("/地図".into());
        entry.page_map(&map)?;
        entry.image("/絵.png")
    }
}

/// Every place for a URL.
#[test]
fn all_urls() {
    let mut video = Video::content("/動画/1")
        .with_thumbnail("/絵/1")
        .with_title("映画")
        .with_description("/no/url");
    video.player_loc = Some(PlayerLoc::new("/player?動画=1"));
    video.gallery_loc = Some(GalleryLoc::new("/映画館"));
    video.content_segments = vec![ContentSegment::new("/動画/1-1"), ContentSegment::new("/動画/1-2")];
    let mut uploader = Uploader::new("誰か");
    uploader.info = Some("/誰か".to_owned());
    video.uploader = Some(uploader);
    let page = [Everything(Film { id: 1, video })];

    let xml = WriterBuilder::new()
        .declare("pagemap")
        .declare("image")
        .entries_to_string(&page)
        .unwrap();
    let urls = xml.matches("https://example.com/%B1%C7%B2%E8/").count();
    assert_eq!(urls, 10, "{xml}");
}

#[test]
fn utf_8_in_a_document_of_another() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "https://example.com/{0}", encoding = "utf8")]
    struct Utf8(&'static str);

    assert_eq!(
        locs(
            WriterBuilder::new().encoding("euc-jp"),
            &[&Utf8("サ"), &UrlEntry::new("https://example.com/サ")]
        ),
        ["https://example.com/%E3%82%B5", "https://example.com/%A5%B5"]
    );
}

/// A field that holds the loc has the whole URL, wherever the type is mounted.
#[test]
fn a_loc_field() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(base = "https://example.com/app", encoding = "euc-jp")]
    struct Page {
        #[sitemap(loc)]
        path: String,
    }

    let page = |path: &str| Page {
        path: path.to_owned(),
    };
    assert_eq!(
        locs(
            &WriterBuilder::new(),
            &[&page("/サ"), &page("https://example.com/サ?ソ")]
        ),
        [
            "https://example.com/app/%A5%B5",
            "https://example.com/%A5%B5?%A5%BD"
        ]
    );
    assert_same(&page("https://example.com/app/%A5%B5"));
}

#[test]
fn generic_types() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/{id}", base = "https://example.com/é", encoding = "latin1")]
    struct Page<T> {
        id: T,
    }

    assert_eq!(
        locs(&WriterBuilder::new(), &[&Page { id: 1 }, &Page { id: "ü" }]),
        ["https://example.com/%E9/1", "https://example.com/%E9/%FC"]
    );
    assert_same(&Page { id: 1_u8 });
    for loc in [
        "https://example.com/é/7",
        "https://example.com/%e9/7",
        "https://example.com/%E9/7",
    ] {
        assert_eq!(read_loc::<Page<u8>>(&ReaderBuilder::new(), loc).unwrap().id, 7);
    }
    assert_same(&Page { id: "ü".to_owned() });
}

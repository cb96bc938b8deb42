//! Extensions and the user's own namespaces: their output, their rejections, and the messages.

mod binary;
mod changed;
mod images_and_news;
mod lenient_ways;
mod links;
mod links_and_maps;
mod omitted;
mod read;
mod schema_differential;
mod serde_names;
mod videos;
mod written;

use sitemap_serde::{
    Alternate, ErrorKind, Image, News, Rule, UrlEntry, Video, WriterBuilder,
    news::Publication,
    pagemap::{DataAttribute, DataObject, PageMap},
    video::{
        ContentSegment, GalleryLoc, Platform, PlayerLoc, Price, Relationship, Restriction, TvShow, Uploader,
        VideoId, VideoPlatform,
    },
};
use sitemap_tests::finished;

const LOC: &str = "https://example.com/page";

fn body(xml: &str) -> &str {
    let start = xml.find("<url>").unwrap();
    &xml[start..xml.len() - "</urlset>".len()]
}

fn root(xml: &str) -> &str {
    let start = xml.find("<urlset").unwrap();
    &xml[start..=start + xml[start..].find('>').unwrap()]
}

fn image_page() -> UrlEntry {
    let mut entry = UrlEntry::new(LOC);
    entry.images = vec![Image::new("https://cdn.example.net/1.jpg")];
    entry
}

fn video() -> Video {
    Video::content("https://example.com/v.mp4")
        .with_thumbnail("https://example.com/v.jpg")
        .with_title("Title")
        .with_description("Description")
}

fn full_video() -> Video {
    let mut video = video();
    let mut player = PlayerLoc::new("https://example.com/player?a=1&b=2");
    player.allow_embed = Some(true);
    player.autoplay = Some("ap=1".into());
    video.player_loc = Some(player);
    video.duration = Some(28_800);
    video.expiration_date = Some("2030-01-01".parse().unwrap());
    video.rating = Some("4.20".parse().unwrap());
    let mut segment = ContentSegment::new("https://example.com/1.mp4");
    segment.duration = Some(60);
    video.content_segments = vec![segment, ContentSegment::new("https://example.com/2.mp4")];
    video.view_count = Some(12_345);
    video.publication_date = Some("2026-05-01T10:00:00+09:00".parse().unwrap());
    video.tags = vec!["a & b".into(), "c".into()];
    video.category = Some("Cooking".into());
    video.family_friendly = Some(true);
    video.restriction = Some(Restriction::new(Relationship::Deny, ["GB", "IE"]));
    let mut gallery = GalleryLoc::new("https://example.com/gallery");
    gallery.title = Some("All \"of\" them".into());
    video.gallery_loc = Some(gallery);
    let mut price = Price::new("1.990".parse::<sitemap_serde::video::Decimal>().unwrap(), "EUR");
    price.kind = Some("rent".into());
    price.resolution = Some("HD".into());
    let mut bought = Price::default();
    bought.kind = Some("purchase".into());
    video.prices = vec![price, bought];
    video.requires_subscription = Some(false);
    let mut uploader = Uploader::new("Grilly");
    uploader.info = Some("https://example.com/users/grilly".into());
    video.uploader = Some(uploader);
    let mut show = TvShow::new("Show", "clip");
    show.episode_title = Some("Episode".into());
    show.season_number = Some(1);
    show.episode_number = Some(2);
    show.premier_date = Some("2020-01-01".parse().unwrap());
    video.tv_show = Some(Box::new(show));
    video.platform = Some(VideoPlatform::new(
        Relationship::Allow,
        [Platform::Web, Platform::Tv],
    ));
    video.live = Some(false);
    video.ids = vec![VideoId::new("tms:series", "SH1")];
    video
}

fn full_news() -> News {
    let mut news = News::new(
        Publication::new("The Example Times", "en"),
        "2026-05-01".parse().unwrap(),
        "Merger <Talks>",
    );
    news.access = Some("Registration".into());
    news.genres = vec!["PressRelease".into(), "Blog".into()];
    news.keywords = Some("business, merger".into());
    news.stock_tickers = vec!["NASDAQ:A".into(), "NYSE:B".into()];
    news
}

fn full_entry() -> UrlEntry {
    let mut entry = image_page();
    let mut image = Image::new("https://example.com/2.jpg");
    image.caption = Some("Caption".into());
    image.geo_location = Some("Limerick, Ireland".into());
    image.title = Some("Title".into());
    image.license = Some("https://example.com/license".into());
    entry.images.push(image);
    entry.videos = vec![full_video(), video()];
    entry.news = Some(full_news().into());
    entry.alternates = vec![
        Alternate::new("de-CH", "https://example.com/ch"),
        Alternate::for_media("only screen and (max-width: 640px)", "https://m.example.com/"),
    ];
    entry.mobile = true;
    let mut map = PageMap::new(vec![DataObject::new(
        "document",
        vec![DataAttribute::new("title", "A \"title\"\nin two lines")],
    )]);
    map.template = Some("https://example.com/template".into());
    entry.page_map = Some(Box::new(map));
    entry
}

/// The error of an entry that is written both ways, through its trait and through serde.
#[track_caller]
fn refused(change: impl FnOnce(&mut UrlEntry)) -> (Option<&'static str>, String) {
    let mut entry = UrlEntry::new(LOC);
    change(&mut entry);
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let error = writer.write(&entry).unwrap_err();
    assert_eq!(error.loc(), Some(LOC));
    let other = WriterBuilder::new()
        .from_writer(Vec::new())
        .serialize(&entry)
        .unwrap_err();
    assert_eq!(other.to_string(), error.to_string());
    assert_eq!(other.loc(), error.loc());
    assert_eq!(other.rule(), error.rule());
    assert!(matches!(error.kind(), ErrorKind::Data));
    let xml = finished(writer);
    assert!(xml.ends_with("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></urlset>"));
    let message = error.to_string();
    let message = message.strip_suffix(&format!(", loc `{LOC}`"));
    (error.rule().map(Rule::as_str), message.unwrap().to_owned())
}

#[track_caller]
fn refused_video(change: impl FnOnce(&mut Video)) -> (Option<&'static str>, String) {
    let (rule, message) = refused(|entry| {
        let mut second = video();
        change(&mut second);
        entry.videos = vec![video(), second];
    });
    let at = ", entry 1 · video:video[1]";
    let place = message.find(at).unwrap_or_else(|| panic!("{message}"));
    (
        rule,
        format!("{}{}", &message[..place], &message[place + at.len()..]),
    )
}

fn says(rule: &'static str, message: &str) -> (Option<&'static str>, String) {
    (Some(rule), message.replace("RULE", rule))
}

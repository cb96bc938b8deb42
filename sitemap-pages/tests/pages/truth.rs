//! Compares dates with the truth, on random sites with known changes: edited pages, and changes that only look like edits.
//!
//! The counts of each row are in `tests/dates.txt`, next to the first version's, so that a change of a rule shows its gains and
//! costs. `SITEMAP_BLESS=1 cargo test -p sitemap-pages --test pages truth` updates them.

#![expect(clippy::format_collect, reason = "a page is a list of short texts")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use sitemap_pages::{FolderBuilder, Ledger};
use sitemap_serde::Precision;

use crate::oracle::Random;
use crate::site::{Site, builder};

/// The peculiarity of a site, or a change in addition to its posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Plain,
    TrueDates,
    PublicationDates,
    BuildTimes,
    BuildTimesOfTwo,
    CommitTimes,
    BuildDays,
    ZeroDates,
    BylineAdded,
    PlainBylineAdded,
    BylineAtTheEnd,
    BylineRemoved,
    DatesWrittenAnew,
    PlainDatesWrittenAnew,
    MinutesAdded,
    Wrappers,
    TitleLinks,
    Forms,
    Slashes,
    Renames,
    Cards,
    Steps,
    Hours,
    Videos,
    Frames,
    Code,
    Asides,
    SmallFooter,
    SmallDiv,
    TrueDatesRedesign,
    Sidebars,
    RelativeTimes,
    Relaunch,
    RelaunchTexts,
    SectionRewrite,
    Translation,
    Prices,
    AllPrices,
    Archives,
}

const ROWS: [(Row, &str); 39] = [
    (Row::Plain, "no dates are stated"),
    (Row::TrueDates, "true dates are stated"),
    (
        Row::PublicationDates,
        "the date of publication is stated as that of the last change",
    ),
    (
        Row::BuildTimes,
        "documents state the time of the build, posts true dates",
    ),
    (
        Row::BuildTimesOfTwo,
        "two documents state the time of the build, posts true dates",
    ),
    (
        Row::CommitTimes,
        "all pages state the time of the last commit, as in a shallow clone",
    ),
    (
        Row::BuildDays,
        "all pages state the day of the build, but for one",
    ),
    (Row::ZeroDates, "documents state 0001-01-01"),
    (Row::BylineAdded, "redesign: a byline, in an element with a class"),
    (
        Row::PlainBylineAdded,
        "redesign: a byline, in a paragraph before the text",
    ),
    (
        Row::BylineAtTheEnd,
        "redesign: a byline, in two paragraphs after the text",
    ),
    (Row::BylineRemoved, "redesign: the bylines go"),
    (
        Row::DatesWrittenAnew,
        "redesign: dates are written in another way",
    ),
    (
        Row::PlainDatesWrittenAnew,
        "redesign: dates in paragraphs are written in another way",
    ),
    (Row::MinutesAdded, "redesign: the minutes that reading takes"),
    (
        Row::Wrappers,
        "redesign: other elements and classes around everything, and bylines",
    ),
    (
        Row::TitleLinks,
        "titles that are links to their own pages are edited",
    ),
    (Row::Forms, "a/index.html becomes a.html, and the address stays"),
    (Row::Slashes, "/a becomes /a/"),
    (Row::Renames, "pages are renamed, with a redirect"),
    (
        Row::Cards,
        "cards of other pages, with the descriptions of their heads",
    ),
    (Row::Steps, "steps of a numbered list are swapped"),
    (Row::Hours, "opening hours in `time`"),
    (Row::Videos, "another video"),
    (Row::Frames, "another page in a frame"),
    (Row::Code, "code is indented"),
    (Row::Asides, "an aside in an article"),
    (Row::SmallFooter, "seven pages, a footer in a `div`"),
    (Row::SmallDiv, "seven pages, a text that all have"),
    (
        Row::TrueDatesRedesign,
        "redesign: a byline, and true dates are stated",
    ),
    (Row::Sidebars, "all pages are linked from a `div` on each"),
    (
        Row::RelativeTimes,
        "the time that has passed is written on each page",
    ),
    (Row::Relaunch, "relaunch: new titles and texts on all posts"),
    (
        Row::RelaunchTexts,
        "relaunch: new texts on all posts, under their old titles",
    ),
    (Row::SectionRewrite, "all documents are rewritten"),
    (Row::Translation, "all pages are translated"),
    (Row::Prices, "some posts have a price, and some prices change"),
    (Row::AllPrices, "all posts have a price, and some prices change"),
    (
        Row::Archives,
        "posts link to an archive of full posts, and to all posts on one page",
    ),
];

struct Post {
    slug: String,
    title: String,
    author: String,
    description: String,
    texts: Vec<String>,
    steps: Vec<String>,
    hours: u32,
    video: String,
    frame: String,
    code: String,
    price: usize,
    aside: String,
    tag: usize,
    /// The day of the year when it was published.
    published: usize,
    /// The run that added it.
    first: Option<usize>,
    /// The run that last changed it.
    modified: Option<usize>,
}

struct Model {
    row: Row,
    random: Random,
    posts: Vec<Post>,
    documents: Vec<Post>,
    run: usize,
    count: usize,
    redirects: Vec<(String, String)>,
    expected: BTreeSet<String>,
}

const RUNS: usize = 6;
const REDESIGN: usize = 3;

impl Model {
    fn new(row: Row, seed: u64) -> Self {
        let mut model = Model {
            row,
            random: Random::new(seed.wrapping_mul(1000) + row as u64),
            posts: Vec::new(),
            documents: Vec::new(),
            run: 1,
            count: 0,
            redirects: Vec::new(),
            expected: BTreeSet::new(),
        };
        let is_small = matches!(row, Row::SmallFooter | Row::SmallDiv);
        let posts = if is_small { 5 } else { 11 + model.random.below(25) };
        for _ in 0..posts {
            let post = model.post();
            model.posts.push(post);
        }
        let documents = match row {
            Row::BuildTimesOfTwo => 2,
            _ if is_small => 1,
            Row::SectionRewrite => 5 + model.random.below(3),
            _ => 3 + model.random.below(5),
        };
        for _ in 0..documents {
            let post = model.post();
            model.documents.push(post);
        }
        model
    }

    fn word(&mut self) -> String {
        let syllables = [
            "la", "mi", "ro", "tek", "sun", "var", "pol", "eth", "gra", "oni", "dus", "fel",
        ];
        (0..2 + self.random.below(2))
            .map(|_| syllables[self.random.below(12)])
            .collect()
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn text(&mut self) -> String {
        let count = 12 + self.random.below(20);
        self.words(count) + "."
    }

    fn post(&mut self) -> Post {
        self.count += 1;
        Post {
            slug: format!("page-{}", self.count),
            title: self.words(3),
            author: self.words(2),
            description: self.text(),
            texts: (0..2 + self.random.below(4)).map(|_| self.text()).collect(),
            steps: (0..4).map(|_| self.words(5)).collect(),
            hours: 8,
            video: self.word(),
            frame: self.word(),
            code: format!("if {} {{\n    {}\n}}", self.word(), self.word()),
            price: 10 + self.count * 37 % 900,
            aside: self.text(),
            tag: self.random.below(3),
            published: self.random.below(300),
            first: None,
            modified: None,
        }
    }

    fn is_redesigned(&self) -> bool {
        self.run >= REDESIGN
    }

    fn date(post: &Post) -> (usize, usize) {
        (1 + post.published / 28, 1 + post.published % 28)
    }

    fn written(post: &Post, anew: bool) -> String {
        const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        const MONTHS: [&str; 11] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
        ];
        let (month, day) = Self::date(post);
        if anew {
            format!("{} {day} {} 2025", DAYS[post.published % 7], MONTHS[month - 1])
        } else {
            format!("{day} {} 2025", &MONTHS[month - 1][..3])
        }
    }

    fn stated(&self, post: &Post, is_document: bool) -> Option<String> {
        let (month, day) = Self::date(post);
        let minute = post.published % 60;
        let published = match post.first {
            Some(run) => format!("2026-05-{run:02}T08:{minute:02}:00+00:00"),
            None => format!("2025-{month:02}-{day:02}T10:{minute:02}:00+00:00"),
        };
        let changed = post
            .modified
            .map(|run| format!("2026-05-{run:02}T09:{minute:02}:17+00:00"));
        let build = format!("2026-05-{:02}T12:00:0{}+00:00", self.run, self.run);
        let truth = Some(changed.unwrap_or(published.clone()));
        match self.row {
            Row::PublicationDates => Some(published),
            Row::BuildTimes | Row::BuildTimesOfTwo if is_document => Some(build),
            Row::CommitTimes => Some(build),
            Row::BuildDays if post.slug == "page-1" => Some("2025-01-01".to_owned()),
            Row::BuildDays => Some(build[..10].to_owned()),
            Row::ZeroDates if is_document => Some("0001-01-01T00:00:00Z".to_owned()),
            Row::TrueDates
            | Row::TrueDatesRedesign
            | Row::BuildTimes
            | Row::BuildTimesOfTwo
            | Row::ZeroDates => truth,
            _ => None,
        }
    }

    fn file(&self, slug: &str) -> String {
        if self.row == Row::Forms && self.is_redesigned() {
            format!("{slug}.html")
        } else {
            format!("{slug}/index.html")
        }
    }

    fn url(&self, slug: &str) -> String {
        let is_bare = self.row == Row::Forms || self.row == Row::Slashes && !self.is_redesigned();
        let slash = if is_bare { "" } else { "/" };
        format!("https://example.com/{slug}{slash}")
    }

    fn page(&self, head: &str, content: &str) -> String {
        let small = match self.row {
            Row::SmallFooter => format!("<div id=footer><p>{}</p></div>", self.footer()),
            Row::SmallDiv => format!("<div class=end><p>{}</p></div>", self.footer()),
            _ => format!("<footer>{}</footer>", self.footer()),
        };
        let (open, close) = if self.row == Row::Wrappers && self.is_redesigned() {
            ("<div class=new><div class=inner><main>", "</main></div></div>")
        } else {
            ("<main>", "</main>")
        };
        let menu = if self.row == Row::Sidebars {
            let pages = self.posts.iter().chain(&self.documents);
            let links = pages.map(|page| format!("<li><a href=/{}/>{}</a>", page.slug, page.title));
            format!("<div class=menu><ul>{}</ul></div>", links.collect::<String>())
        } else {
            String::new()
        };
        format!(
            "<!doctype html><head>{head}</head><body><nav><a href=/>Home</a></nav>{menu}{open}{content}{close}{small}"
        )
    }

    fn footer(&self) -> String {
        let word = ["no", "one", "two", "three", "four", "five", "six", "seven"][self.run];
        format!("Made by {word} of us")
    }

    /// Returns the time since a page was published.
    fn passed(&self, post: &Post) -> String {
        match post.published % 50 + self.run {
            days @ 0..7 => format!("{days} days ago"),
            7..14 => "last week".to_owned(),
            days @ 14..31 => format!("{} weeks ago", days / 7),
            _ => "last month".to_owned(),
        }
    }

    #[expect(clippy::too_many_lines, reason = "a list of what pages have")]
    fn render_post(&self, number: usize, post: &Post, is_document: bool) -> String {
        let mut head = format!(
            "<title>{}</title><meta name=description content='{}'>",
            post.title, post.description
        );
        if matches!(self.row, Row::Forms | Row::Slashes) {
            let _ = write!(head, "<link rel=canonical href={}>", self.url(&post.slug));
        }
        if let Some(date) = self.stated(post, is_document) {
            let _ = write!(
                head,
                "<script type=application/ld+json>{{\"dateModified\":\"{date}\"}}</script>"
            );
        }
        let class = if is_document { "document" } else { "post" };
        let mut html = format!("<article class={class}>");
        let title = &post.title;
        let _ = match (self.row, number % 4) {
            (Row::TitleLinks, 0) => write!(html, "<h1><a href='{}'>{title}</a></h1>", self.url(&post.slug)),
            (Row::TitleLinks, 1) => write!(html, "<h1><a href='/{}/#top'>{title}</a></h1>", post.slug),
            (Row::TitleLinks, 2) => write!(html, "<h1><a href=''>{title}</a></h1>"),
            (Row::TitleLinks, _) => write!(html, "<h1><a href='../{}/'>{title}</a></h1>", post.slug),
            _ => write!(html, "<h1>{title}</h1>"),
        };
        let written = Self::written(post, false);
        let anew = Self::written(post, self.is_redesigned());
        let byline = format!("By {} on {}", post.author, Self::written(post, true));
        let _ = match self.row {
            Row::BylineAdded | Row::Wrappers if self.is_redesigned() => {
                write!(html, "<div class=byline>{byline}</div>")
            }
            Row::PlainBylineAdded | Row::TrueDatesRedesign if self.is_redesigned() => {
                write!(html, "<p>{byline}</p>")
            }
            Row::BylineRemoved if !self.is_redesigned() => write!(html, "<p class=meta>{byline}</p>"),
            Row::DatesWrittenAnew => write!(html, "<p class=meta>{anew}</p>"),
            Row::PlainDatesWrittenAnew => write!(html, "<p>{anew}</p>"),
            Row::MinutesAdded if self.is_redesigned() => {
                let minutes = [
                    "one minute".to_owned(),
                    "two minutes".to_owned(),
                    format!("{} minutes", 3 + number),
                ];
                write!(
                    html,
                    "<p class=meta>{written}</p><p class=minutes>Reading takes {}",
                    minutes[number % 3]
                )
            }
            Row::RelativeTimes => write!(html, "<p class=meta>{}</p>", self.passed(post)),
            Row::Prices if number.is_multiple_of(2) => {
                write!(html, "<p class=price>Price: {} euros</p>", post.price)
            }
            Row::AllPrices => write!(html, "<p class=price>Price: {} euros</p>", post.price),
            Row::MinutesAdded => write!(html, "<p class=meta>{written}</p>"),
            _ => Ok(()),
        };
        for text in &post.texts {
            let _ = write!(html, "<p>{text}</p>");
        }
        let _ = match self.row {
            Row::Steps => write!(
                html,
                "<ol>{}</ol>",
                post.steps
                    .iter()
                    .map(|step| format!("<li>{step}</li>"))
                    .collect::<String>()
            ),
            Row::Hours => write!(
                html,
                "<p>Open from <time>{:02}:00</time> to <time datetime=18:00>six</time></p>",
                post.hours
            ),
            Row::Videos => write!(
                html,
                "<video controls><source src=/{}.mp4 type=video/mp4></video>",
                post.video
            ),
            Row::Frames => write!(
                html,
                "<iframe src='https://video.example.net/embed/{}?rel=0'></iframe>",
                post.frame
            ),
            Row::Code => write!(html, "<pre><code>{}</code></pre>", post.code),
            Row::Asides => write!(html, "<aside><p>{}</p></aside>", post.aside),
            Row::Archives => write!(
                html,
                "<p class=meta>Posted in <a href=/archive/{}/>the archive</a>, and on <a href=/all/>one page</a></p>",
                post.tag
            ),
            Row::BylineAtTheEnd if self.is_redesigned() => {
                write!(
                    html,
                    "<p>Written by {}</p><p>Published on {}</p>",
                    post.author,
                    Self::written(post, true)
                )
            }
            Row::Cards => {
                let others = (1..4).map(|n| &self.posts[(number + n * 3) % self.posts.len()]);
                let cards = others.map(|other| {
                    format!(
                        "<div class=card><h3><a href=/{}/>{}</a></h3><p>{}</p></div>",
                        other.slug, other.title, other.description
                    )
                });
                write!(html, "<div>{}</div>", cards.collect::<String>())
            }
            _ => Ok(()),
        };
        html.push_str("</article>");
        self.page(&head, &html)
    }

    fn render_list(&self, url: &str, posts: &[&Post]) -> String {
        let mut html = "<h1>All pages</h1>".to_owned();
        for (number, post) in posts.iter().enumerate() {
            let _ = write!(html, "<h2><a href=/{}/>{}</a></h2>", post.slug, post.title);
            match number % 3 {
                0 => {
                    let cut: String = post.texts[0].chars().take(60).collect();
                    let _ = write!(html, "<p>{cut}…</p>");
                }
                1 => {
                    let _ = write!(html, "<p>{}</p>", post.texts[0]);
                }
                _ => {}
            }
        }
        let mut head = "<title>All pages</title>".to_owned();
        if matches!(self.row, Row::Forms | Row::Slashes) {
            let _ = write!(head, "<link rel=canonical href=https://example.com/{url}>");
        }
        self.page(&head, &html)
    }

    /// Renders a page with whole posts.
    fn render_whole(&self, title: &str, posts: &[&Post], has_links: bool) -> String {
        let mut html = format!("<h1>{title}</h1>");
        for post in posts {
            let texts: String = post.texts.iter().map(|text| format!("<p>{text}</p>")).collect();
            let _ = if has_links {
                write!(html, "<h2><a href=/{}/>{}</a></h2>{texts}", post.slug, post.title)
            } else {
                write!(html, "<h2>{}</h2>{texts}", post.title)
            };
        }
        self.page(&format!("<title>{title}</title>"), &html)
    }

    /// Returns the lists of posts, newest first: on the home page and for the tags.
    fn lists(&self) -> Vec<(String, Vec<&Post>)> {
        let newest: Vec<&Post> = self.posts.iter().rev().collect();
        let of_tag = |tag: usize| newest.iter().copied().filter(|post| post.tag == tag).collect();
        let mut lists = vec![(String::new(), newest.iter().copied().take(12).collect())];
        // Smaller sites have no tags.
        if self.posts.len() > 7 {
            lists.extend((0..3).map(|tag| (format!("tags/{tag}"), of_tag(tag))));
        }
        lists
    }

    /// Returns the site's files.
    fn pages(&self) -> BTreeMap<String, String> {
        let mut pages = BTreeMap::new();
        for (number, post) in self.posts.iter().enumerate() {
            pages.insert(self.file(&post.slug), self.render_post(number, post, false));
        }
        for (number, post) in self.documents.iter().enumerate() {
            pages.insert(self.file(&post.slug), self.render_post(number, post, true));
        }
        for (slug, posts) in self.lists() {
            let file = if slug.is_empty() {
                "index.html".to_owned()
            } else {
                format!("{slug}/index.html")
            };
            let page = self.render_list(file.trim_end_matches("index.html"), &posts);
            pages.insert(file, page);
        }
        if self.row == Row::Archives {
            let all: Vec<&Post> = self.posts.iter().collect();
            pages.insert(
                "all/index.html".to_owned(),
                self.render_whole("All posts", &all, false),
            );
            for tag in 0..3 {
                let posts: Vec<&Post> = self.posts.iter().filter(|post| post.tag == tag).collect();
                pages.insert(
                    format!("archive/{tag}/index.html"),
                    self.render_whole("Archive", &posts, true),
                );
            }
        }
        for (old, new) in &self.redirects {
            pages.insert(
                format!("{old}/index.html"),
                format!("<meta http-equiv=refresh content='0;url=/{new}/'>"),
            );
        }
        pages
    }

    /// Changes many pages at once, in the run of a relaunch, or the prices of some in every run.
    fn change_many(&mut self, edited: &mut BTreeSet<String>) {
        let is_relaunch = self.run == REDESIGN;
        let (of_posts, of_documents) = match self.row {
            Row::Relaunch | Row::RelaunchTexts => (is_relaunch, false),
            Row::SectionRewrite => (false, is_relaunch),
            Row::Translation => (is_relaunch, is_relaunch),
            Row::Prices | Row::AllPrices => (true, false),
            _ => return,
        };
        let counts = [
            (of_posts, self.posts.len(), false),
            (of_documents, self.documents.len(), true),
        ];
        for (_, count, is_document) in counts.into_iter().filter(|(is, ..)| *is) {
            for number in 0..count {
                let (price, is_chosen) = (10 + self.random.below(900), self.random.chance(2));
                let title = self.words(3);
                let texts: Vec<String> = (0..2 + self.random.below(4)).map(|_| self.text()).collect();
                let (row, run) = (self.row, self.run);
                let pages = if is_document {
                    &mut self.documents
                } else {
                    &mut self.posts
                };
                let post = &mut pages[number];
                match row {
                    Row::Prices | Row::AllPrices => {
                        if !is_chosen || row == Row::Prices && number % 2 == 1 || post.price == price {
                            continue;
                        }
                        post.price = price;
                    }
                    _ => {
                        if row != Row::RelaunchTexts && row != Row::SectionRewrite {
                            post.title = title;
                        }
                        post.texts = texts;
                    }
                }
                post.modified = Some(run);
                edited.insert(post.slug.clone());
            }
        }
    }

    /// Returns the URLs of the archives with edited posts.
    fn moved_archives(&self, edited: &BTreeSet<String>) -> Vec<String> {
        // Archives are lists, too. The page with all posts links to none, so it moves with each.
        let mut archives: Vec<String> = Vec::new();
        if self.row == Row::Archives && !edited.is_empty() {
            let is_edited = |post: &&Post| edited.contains(&post.slug);
            let edited_posts: Vec<&Post> = self.posts.iter().filter(is_edited).collect();
            archives.extend(
                edited_posts
                    .first()
                    .map(|_| "https://example.com/all/".to_owned()),
            );
            for tag in 0..3 {
                let posts = self.posts.iter().filter(|post| post.tag == tag).take(10);
                if posts.into_iter().any(|post| edited.contains(&post.slug)) {
                    archives.push(format!("https://example.com/archive/{tag}/"));
                }
            }
        }
        archives
    }

    /// Changes the site for the next run, and notes the changed pages.
    fn change(&mut self) {
        self.run += 1;
        let mut edited: BTreeSet<String> = BTreeSet::new();
        for _ in 0..self.random.below(3) {
            let text = self.text();
            let run = self.run;
            let is_document = self.random.chance(4);
            let pages = if is_document {
                &mut self.documents
            } else {
                &mut self.posts
            };
            let number = self.random.below(pages.len());
            let post = &mut pages[number];
            let at = self.random.below(post.texts.len());
            post.texts[at] = text;
            post.modified = Some(run);
            edited.insert(post.slug.clone());
        }
        self.change_many(&mut edited);
        let number = self.random.below(self.posts.len());
        let (title, word, aside) = (self.words(3), self.word(), self.text());
        let run = self.run;
        let post = &mut self.posts[number];
        let is_changed = match self.row {
            Row::TitleLinks => {
                post.title = title;
                true
            }
            Row::Steps => {
                post.steps.swap(0, 2);
                true
            }
            Row::Hours => {
                post.hours += 1;
                true
            }
            Row::Videos => {
                post.video = word;
                true
            }
            Row::Frames => {
                post.frame = word;
                true
            }
            Row::Code => {
                post.code = post.code.replace("\n    ", "\n        ");
                true
            }
            Row::Asides => {
                post.aside = aside;
                true
            }
            Row::Cards => {
                // Other pages' cards show it without being edited. The page's own text is not edited either.
                post.description = aside;
                false
            }
            Row::Renames => {
                let new = format!("{}-{word}", post.slug);
                self.redirects.push((post.slug.clone(), new.clone()));
                for (_, to) in &mut self.redirects {
                    if *to == post.slug {
                        to.clone_from(&new);
                    }
                }
                if edited.remove(&post.slug) {
                    edited.insert(new.clone());
                }
                post.slug = new;
                false
            }
            _ => false,
        };
        if is_changed {
            post.modified = Some(run);
            edited.insert(post.slug.clone());
        }
        if self.random.chance(2) && !matches!(self.row, Row::SmallFooter | Row::SmallDiv) {
            let mut post = self.post();
            (post.first, post.modified) = (Some(self.run), Some(self.run));
            edited.insert(post.slug.clone());
            self.posts.push(post);
        }
        let lists = self.lists();
        let moved = lists
            .iter()
            .filter(|(_, posts)| posts.iter().take(10).any(|post| edited.contains(&post.slug)));
        let moved: Vec<String> = moved
            .map(|(slug, _)| {
                if slug.is_empty() {
                    "https://example.com/".to_owned()
                } else {
                    format!("https://example.com/{slug}/")
                }
            })
            .collect();
        let archives = self.moved_archives(&edited);
        let moved = moved.into_iter().chain(archives);
        self.expected = edited.iter().map(|slug| self.url(slug)).chain(moved).collect();
    }
}

/// The numbers of correct, missing and false dates of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    right: usize,
    missed: usize,
    wrong: usize,
}

fn counts(row: Row, seeds: u64) -> Counts {
    let mut counts = Counts::default();
    for seed in 0..seeds {
        let mut model = Model::new(row, seed);
        let mut ledger = Ledger::new();
        let (site, mut written) = (Site::new(&[]), BTreeMap::new());
        for run in 1..=RUNS {
            let pages = model.pages();
            site.replace(&written, &pages);
            written = pages;
            let now = format!("2026-05-{run:02}").parse().unwrap();
            let mut builder: FolderBuilder = builder();
            let folder = builder.now(now).ledger(ledger).read(site.path()).unwrap();
            ledger = Ledger::parse(&folder.ledger().to_string()).unwrap();
            let is_today = |page: &&sitemap_pages::Page| {
                page.lastmod().map(|date| date.truncated_to(Precision::Day)) == Some(now)
            };
            let found: BTreeSet<String> = folder
                .pages()
                .iter()
                .filter(is_today)
                .map(|page| page.url().to_owned())
                .collect();
            if run > 1
                || matches!(
                    row,
                    Row::BuildTimes | Row::BuildTimesOfTwo | Row::CommitTimes | Row::BuildDays
                )
            {
                counts.right += found.intersection(&model.expected).count();
                counts.missed += model.expected.difference(&found).count();
                counts.wrong += found.difference(&model.expected).count();
                if std::env::var_os("SITEMAP_SHOW").is_some() && found != model.expected {
                    println!(
                        "{row:?} {seed} run {run}: missed {:?} false {:?}",
                        model.expected.difference(&found).collect::<Vec<_>>(),
                        found.difference(&model.expected).collect::<Vec<_>>()
                    );
                }
            }
            model.change();
        }
    }
    counts
}

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dates.txt");
const HEAD: &str = "Dates of random sites: right, missed and false, by the first version and by this one.\n\n\
    \x20                 before                     now\n\
    \x20   right  missed   false   right  missed   false\n";

/// Formats the counts of the first version, and of this one.
fn table(before: impl Fn(usize) -> Option<[usize; 3]>, now: &[Counts]) -> String {
    let mut text = HEAD.to_owned();
    let mut sums = [0; 6];
    for (number, ((_, name), counts)) in ROWS.iter().zip(now).enumerate() {
        let now = [counts.right, counts.missed, counts.wrong];
        let both = [before(number).unwrap_or(now), now].concat();
        sums.iter_mut().zip(&both).for_each(|(sum, count)| *sum += count);
        let _ = writeln!(text, "  {}  {name}", shown(&both));
    }
    let _ = writeln!(text, "  {}  all", shown(&sums));
    text
}

fn shown(counts: &[usize]) -> String {
    counts.iter().map(|count| format!("{count:8}")).collect()
}

#[test]
fn the_dates_are_those_of_the_edits() {
    let now: Vec<Counts> = ROWS.iter().map(|(row, _)| counts(*row, 2)).collect();
    let kept = std::fs::read_to_string(Path::new(TABLE))
        .unwrap_or_default()
        .replace("\r\n", "\n");
    let before = |number: usize| {
        let line = kept.lines().find(|line| line.ends_with(ROWS[number].1))?;
        let mut counts = line.split_whitespace().map_while(|word| word.parse().ok());
        Some([counts.next()?, counts.next()?, counts.next()?])
    };
    let table = table(before, &now);
    if std::env::var_os("SITEMAP_BLESS").is_some() {
        std::fs::write(TABLE, &table).unwrap();
    }
    assert_eq!(table, kept.as_str().to_owned().as_str());
}

//! For any damage: exactly the lost values are reported as lost.
//!
//! Each value of a document contains a unique word, so that a plain search finds the document's values and the values read,
//! independent of the diagnostics.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sitemap_serde::iter::Field;
use sitemap_serde::{Diagnostic, ErrorKind, Mode, ReaderBuilder, Record};
use sitemap_tests::{CORE, Random, rounds, urlset};

/// A part of a document that can be damaged.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// A start tag, or the tag of an empty element.
    Start(String),
    Text(String),
    End(String),
}

impl Piece {
    fn text(&self) -> &str {
        match self {
            Piece::Start(text) | Piece::Text(text) | Piece::End(text) => text,
        }
    }

    fn text_mut(&mut self) -> &mut String {
        match self {
            Piece::Start(text) | Piece::Text(text) | Piece::End(text) => text,
        }
    }
}

/// A document in pieces, with a source of words.
struct Document {
    random: Random,
    pieces: Vec<Piece>,
    words: Vec<String>,
    /// Returns `true` if text was added to a value, so that two values with the same word differ.
    has_more: bool,
}

const EXTENSIONS: &str = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" xmlns:o=\"urn:o\"";

/// Text that is not well-formed.
const ODD: [&str; 5] = ["&", "&eacute;", "&x;", "]]>", "<3"];

impl Document {
    fn new(round: usize) -> Self {
        let mut document = Document {
            random: Random::new(0x6c6f_7373 + round as u64),
            pieces: Vec::new(),
            words: Vec::new(),
            has_more: false,
        };
        let root = format!("<urlset xmlns=\"{CORE}\"{EXTENSIONS}>");
        document.pieces.push(Piece::Start(root));
        for _ in 0..4 {
            document.push_entry();
        }
        document.pieces.push(Piece::End("</urlset>".to_owned()));
        document
    }

    fn word(&mut self) -> String {
        let word = format!("w{}w", self.words.len());
        self.words.push(word.clone());
        word
    }

    /// A unique date.
    fn date(&mut self) -> String {
        let number = self.words.len();
        let date = format!(
            "{}-{:02}-{:02}",
            2000 + number / 300,
            number / 25 % 12 + 1,
            number % 25 + 1
        );
        self.words.push(date.clone());
        date
    }

    /// A unique priority.
    fn priority(&mut self) -> String {
        let priority = format!("0.{:03}5", self.words.len());
        self.words.push(priority.clone());
        priority
    }

    fn push(&mut self, name: &str, text: String) {
        self.pieces.extend([
            Piece::Start(format!("<{name}>")),
            Piece::Text(text),
            Piece::End(format!("</{name}>")),
        ]);
    }

    fn push_entry(&mut self) {
        self.pieces.push(Piece::Start("<url>".to_owned()));
        let loc = format!("https://example.com/{}", self.word());
        let loc = if self.random.below(4) == 0 {
            format!("<![CDATA[{loc}]]>")
        } else {
            loc
        };
        self.push("loc", loc);
        let date = self.date();
        self.push("lastmod", date);
        let priority = self.priority();
        self.push("priority", priority);
        if self.random.below(2) == 0 {
            self.pieces.push(Piece::Start("<image:image>".to_owned()));
            let loc = format!("https://example.com/{}", self.word());
            self.push("image:loc", loc);
            let title = format!("Tom &amp; {}", self.word());
            self.push("image:title", title);
            self.pieces.push(Piece::End("</image:image>".to_owned()));
        }
        if self.random.below(2) == 0 {
            let link = format!(
                "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/{}\"/>",
                self.word()
            );
            self.pieces.push(Piece::Start(link));
        }
        self.pieces.push(Piece::End("</url>".to_owned()));
    }

    /// A position after the root's start tag.
    fn place(&mut self) -> usize {
        1 + self.random.below(self.pieces.len())
    }

    /// A random piece after the root's start tag that satisfies `is`.
    fn any(&mut self, is: fn(&Piece) -> bool) -> Option<usize> {
        let found: Vec<usize> = (1..self.pieces.len()).filter(|i| is(&self.pieces[*i])).collect();
        (!found.is_empty()).then(|| found[self.random.below(found.len())])
    }

    fn any_start(&mut self) -> Option<usize> {
        self.any(|piece| matches!(piece, Piece::Start(_)))
    }

    fn insert(&mut self, piece: Piece) {
        let at = self.place();
        self.pieces.insert(at, piece);
    }

    /// Adds text to a start tag, after its name.
    fn insert_in_tag(&mut self, text: &str) {
        if let Some(i) = self.any_start() {
            let tag = self.pieces[i].text_mut();
            let at = tag.find([' ', '/', '>']);
            tag.insert_str(at.unwrap_or(tag.len()), text);
        }
    }

    /// One kind of damage.
    fn damage(&mut self) {
        let word = self.word();
        match self.random.below(22) {
            0 => {
                let i = self.any(|piece| matches!(piece, Piece::End(_)));
                drop(i.map(|i| self.pieces.remove(i)));
            }
            1 => {
                let i = self.any_start();
                drop(i.map(|i| self.pieces.remove(i)));
            }
            2 => {
                let Some(i) = self.any(|piece| piece.text().contains("href=\"")) else {
                    return;
                };
                let value = ["de", &word][self.random.below(2)].to_owned();
                let tag = self.pieces[i].text_mut();
                *tag = tag.replacen("/>", &format!(" hreflang=\"{value}\"/>"), 1);
            }
            3 => {
                let Some(i) = self.any(|piece| piece.text().contains("href=\"")) else {
                    return;
                };
                let tag = self.pieces[i].text_mut();
                *tag = tag.replacen("href=\"", "href=", 1).replacen("\"/>", "/>", 1);
            }
            4 => self.insert_in_tag(&format!(" {word}")),
            5 => self.insert_in_tag(&format!(" a={word}")),
            6 => {
                let Some(i) = self.any(|piece| matches!(piece, Piece::Text(_))) else {
                    return;
                };
                let odd = ["\u{1}", "\u{FFFE}", "&#0;", "&#xFFFF;"][self.random.below(4)];
                let text = self.pieces[i].text_mut();
                let at = [0, text.len()][self.random.below(2)];
                text.insert_str(at, odd);
            }
            7 => {
                self.insert(Piece::Text(format!(" {word} ")));
                self.has_more = true;
            }
            8 => self.insert(Piece::Start(format!("<zz:a>{word}</zz:a>"))),
            9 => self.insert_in_tag(&format!(" zz:b=\"{word}\"")),
            10 => self.repeat(),
            11 => self.insert(Piece::Start(format!("<foo>{word}</foo>"))),
            12 => self.insert(Piece::Start("<o:x>".to_owned())),
            13 => {
                let Some(i) = self.any(|piece| matches!(piece, Piece::End(_))) else {
                    return;
                };
                let tag = self.pieces[i].text_mut();
                *tag = tag.replacen('>', &format!(" {word}>"), 1);
            }
            14 => self.insert(Piece::End("</urlset>".to_owned())),
            15 => self.insert(Piece::Start(format!("<!{word}>"))),
            16 => {
                let odd = ["<!--", "<![CDATA[", "<?x "][self.random.below(3)];
                if self.random.below(4) == 0 {
                    self.insert(Piece::Start(odd.to_owned()));
                }
            }
            17 => {
                let i = self.random.below(self.pieces.len());
                if self.random.below(4) == 0 {
                    self.pieces.truncate(i + 1);
                }
            }
            18 => {
                let i = self.place().min(self.pieces.len() - 1);
                let text = self.pieces[i].text_mut();
                if (text.starts_with("<l") || text.starts_with("</l")) && !text.contains(' ') {
                    *text = text.to_uppercase();
                }
            }
            19 => {
                let root = self.pieces[0].text_mut();
                let prefix = ["image", "xhtml"][self.random.below(2)];
                *root = root.replace(&format!(" xmlns:{prefix}"), &format!(" xmlns:{prefix}x"));
            }
            20 => {
                let Some(i) = self.any(|piece| matches!(piece, Piece::Text(_))) else {
                    return;
                };
                let odd = ODD[self.random.below(ODD.len())];
                self.pieces[i].text_mut().extend([odd, &word]);
                self.has_more = true;
            }
            _ => {
                if let Some(i) = self.any(|piece| piece.text().ends_with('>')) {
                    self.pieces[i].text_mut().pop();
                }
            }
        }
    }

    /// Repeats an element that may occur once: unchanged, with another spelling of the value, or with another value.
    fn repeat(&mut self) {
        let is_core = |piece: &Piece| {
            matches!(
                piece.text(),
                "<lastmod>" | "<priority>" | "<image:title>" | "<image:loc>"
            )
        };
        let Some(i) = self.any(is_core) else { return };
        let [start, Piece::Text(text), end] = &self.pieces[i..(i + 3).min(self.pieces.len())] else {
            return;
        };
        let (start, text, end) = (start.clone(), text.clone(), end.clone());
        let text = match (self.random.below(3), start.text()) {
            (0, _) => text,
            (1, "<priority>") => text + "0",
            (1, "<image:loc>") => text.replace("example", "EXAMPLE"),
            (_, "<lastmod>") => self.date(),
            (_, "<priority>") => self.priority(),
            (_, "<image:loc>") => format!("https://example.com/{}", self.word()),
            _ => self.word(),
        };
        let repeated = [start, Piece::Text(text), end];
        self.pieces.splice(i + 3..i + 3, repeated);
    }

    fn source(&self) -> String {
        self.pieces.iter().map(Piece::text).collect()
    }
}

/// The result of reading a document.
#[derive(Default)]
struct Found {
    /// The values of its entries, and their elements outside the schema that a program can request.
    values: String,
    /// Elements and texts of a well-formed entry at positions outside the schema. Strict reading ignores them, too.
    ignored: String,
    diagnostics: Vec<Diagnostic>,
}

impl Found {
    fn of(source: &str, round: usize) -> Self {
        let mut builder = ReaderBuilder::new();
        builder.mode(if round.is_multiple_of(2) {
            Mode::Correcting
        } else {
            Mode::Lenient
        });
        if round.is_multiple_of(3) {
            builder.location("https://example.com/sitemap.xml");
        }
        let (mut reader, mut record, mut found) = (builder.from_str(source), Record::new(), Found::default());
        while let Ok(true) = reader.read_record(&mut record) {
            let entry = reader.diagnose(&record).unwrap();
            let _ = write!(found.values, "{entry:?}");
            let is_broken = |diagnostic: &Diagnostic| {
                diagnostic.entry() == Some(record.number()) && diagnostic.kind() == ErrorKind::Syntax
            };
            let is_broken = reader.diagnostics().iter().any(is_broken);
            found.push(record.fields(), is_broken, false);
        }
        assert_eq!(reader.dropped_diagnostics(), 0);
        found.diagnostics = reader.take_diagnostics();
        found
    }

    fn push<'r>(&mut self, fields: impl Iterator<Item = Field<'r>>, is_broken: bool, is_in_unknown: bool) {
        for field in fields {
            let is_of_schema =
                field.name().contains(':') || matches!(field.name(), "loc" | "lastmod" | "priority");
            let is_unknown = !is_of_schema && (is_in_unknown || !field.is_known());
            if is_unknown {
                let _ = write!(self.values, " {} {}", field.name(), field.text());
            } else if !is_broken {
                let _ = write!(self.ignored, " {}", field.text());
            }
            self.push(field.fields(), is_broken, is_unknown);
        }
    }
}

fn is_cut(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.kind(), ErrorKind::Eof | ErrorKind::Limit)
}

/// The byte offsets where entries begin, except in CDATA sections.
fn starts(source: &str) -> Vec<usize> {
    let is_outside = |(at, _): &(usize, &str)| {
        let before = &source[..*at];
        before.rfind("<![CDATA[") <= before.rfind("]]>")
    };
    source
        .match_indices("<url>")
        .filter(is_outside)
        .map(|(at, _)| at)
        .collect()
}

/// Returns `true` if the diagnostic covers the lost word at byte `at`: it quotes the word, covers a range with it, covers everything
/// after a position, or belongs to the same entry.
fn covers(diagnostic: &Diagnostic, starts: &[usize], word: &str, at: usize) -> bool {
    let range = diagnostic.byte_range().unwrap();
    let [position, end] = [range.start, range.end].map(|byte| usize::try_from(byte).unwrap());
    let found = diagnostic.found().unwrap_or_default();
    let between = at.min(position) + 1..at.max(position);
    diagnostic.is_loss()
        && (diagnostic.message().contains(word)
            || found.contains(word)
            || (position..end).contains(&at)
            || is_of_rest(diagnostic) && position <= at
            || !starts.iter().any(|start| between.contains(start)))
}

/// Losses that may have no word: a character, an entry, the first of many elements, text in a tag.
const MAY_BE_EMPTY: [&str; 7] = [
    "cannot be in an XML document",
    "no `loc`",
    "the loc is empty",
    "is not declared",
    "no white space before an attribute",
    "has no end tag: what follows it",
    "`<!` that does not begin a comment",
];

/// Returns `true` if a diagnostic concerns more than its entry: the rest of the document, or a prefix.
fn is_of_rest(diagnostic: &Diagnostic) -> bool {
    is_cut(diagnostic) || diagnostic.message().contains("is not declared")
}

#[test]
fn what_is_missing_is_said_to_be_lost_and_nothing_else() {
    let (mut lost, mut repaired, mut wrong) = (0, 0, Vec::new());
    for round in 0..rounds(6_000) {
        let mut document = Document::new(round);
        for _ in 0..=document.random.below(4) {
            document.damage();
        }
        let source = document.source();
        let (found, starts) = (Found::of(&source, round), starts(&source));
        let root = source.find('>').unwrap_or(source.len());
        // A word after a letter is part of a broken tag's name.
        let place = |word: &str| {
            let mut places = source[root..].match_indices(word).map(|(at, _)| root + at);
            places.find(|at| !source[..*at].ends_with(char::is_alphabetic))
        };
        let is_missing = |word: &&String| place(word).is_some() && !found.values.contains(word.as_str());
        let missing: BTreeSet<&String> = document.words.iter().filter(is_missing).collect();
        for word in missing
            .iter()
            .filter(|word| !found.ignored.contains(word.as_str()))
        {
            let at = place(word).unwrap();
            let mut diagnostics = found.diagnostics.iter();
            if !diagnostics.any(|diagnostic| covers(diagnostic, &starts, word, at)) {
                wrong.push(format!(
                    "round {round}: {word} is lost: {source}\n{:#?}",
                    found.diagnostics
                ));
            }
        }
        let is_for_nothing = |found: &&Diagnostic| {
            let is_of = |word: &str| {
                let mut places = source.match_indices(word);
                places.any(|(at, _)| covers(found, &starts, word, at))
            };
            let is_twice = |word: &&String| source.matches(word.as_str()).count() > 1;
            // A repeated element may have another spelling with the same word. Any other lost text may also be elsewhere.
            let is_other = if found.message().starts_with("a second ") {
                document.has_more
            } else {
                document.words.iter().filter(is_twice).any(|word| is_of(word))
            };
            found.is_loss()
                && !is_cut(found)
                && !is_other
                && !MAY_BE_EMPTY.iter().any(|cause| found.message().contains(cause))
                && !missing.iter().any(|word| is_of(word))
        };
        // A truncated document may end in an element without words.
        let is_whole = source.contains("</urlset>");
        for found in found
            .diagnostics
            .iter()
            .filter(|found| is_whole && is_for_nothing(found))
        {
            wrong.push(format!("round {round}: nothing is lost: {found:?}: {source}"));
        }
        lost += missing.len();
        repaired += usize::from(missing.is_empty() && !found.diagnostics.is_empty());
    }
    println!("{lost} lost, {repaired} repaired");
    let shown = wrong
        .iter()
        .take(5)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("\n\n");
    assert!(wrong.is_empty(), "{} of them:\n{shown}", wrong.len());
    assert!(
        lost > rounds(8_000) && repaired > rounds(800),
        "{lost} lost, {repaired} repaired"
    );
}

/// One small entry for each kind of damage, and the diagnostics that report a loss.
#[test]
fn which_of_them_are_losses() {
    const IMAGE: &str = "xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";
    let one = "<url><loc>https://e.com/</loc></url>";
    let within = |text: &str| format!("<url><loc>https://e.com/</loc>{text}</url>");
    let in_image = |text: &str| within(&format!("<image:image {IMAGE}>{text}</image:image>"));
    let link = |attributes: &str| {
        let namespace = "xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
        within(&format!(
            "<xhtml:link {namespace} rel=\"alternate\" href=\"https://e.com/de\" {attributes}/>"
        ))
    };
    let documents = [
        // Repeated or unreadable attributes.
        link("hreflang='de' hreflang='de'"),
        link("hreflang='d&#101;' hreflang=\"de\""),
        link("hreflang='de' hreflang='fr' hreflang='it'"),
        link("hreflang=de"),
        link("hreflang='de' \"\""),
        within("</x y='z'>"),
        // Characters that XML forbids.
        within("<lastmod>2024-\u{1}05-06</lastmod>"),
        within("<lastmod>&#0;</lastmod>"),
        link("hreflang='d\u{FFFE}e'"),
        within("<last\u{1}mod>2024</lastmod>"),
        within("<!-- \u{1} -->"),
        // Repeated elements.
        within("<priority>0.5</priority><priority>0.50</priority>"),
        within("<priority>0.5</priority><priority>0.6</priority>"),
        within("<lastmod>2024-05-06T10:00:00Z</lastmod><lastmod>2024-05-06T12:00+02:00</lastmod>"),
        within("<lastmod>2024-05-06T10:00:00Z</lastmod><lastmod>2024-05-06</lastmod>"),
        within("<loc>HTTPS://E.com</loc>"),
        within("<loc>https://e.com/a</loc>"),
        in_image("<image:loc>https://e.com/é</image:loc><image:loc> https://e.com/%c3%a9 </image:loc>"),
        in_image("<image:loc>https://e.com/1</image:loc><image:loc>https://e.com/2</image:loc>"),
        // Text in the wrong place.
        within("old<!-- -->er"),
        format!("text{one}"),
        format!("{one}<x>text</x>"),
        format!("{one}<o:x xmlns:o='urn:o'>text</o:x>"),
        "<url>https://e.com/<lastmod>2024</lastmod></url>".to_owned(),
        "<url>https://e.com/<loc>https://e.com/1</loc></url>".to_owned(),
        in_image("<image:loc>https://e.com/1</image:loc>text</image:title>"),
        // Missing tags.
        in_image("<image:loc>https://e.com/1<image:title>text</image:title>"),
        within("<o:x xmlns:o='urn:o'><lastmod>2024</lastmod>"),
        within("<o:x xmlns:o='urn:o'>a & b</o:x>"),
        within("<!-- a <lastmod>2024</lastmod> <!-- b -->"),
        within("<!-- a -- b -->"),
        within("<!2024>"),
        "<url><lastmod>2024</lastmod></url>".to_owned(),
        // Undeclared prefixes.
        format!("{}{}", within("<x:y>1</x:y>"), within("<x:y>2</x:y><z:y/>")),
        within("<image:image><image:loc>https://e.com/1</image:loc></image:image>"),
    ];
    let text = |document: &String| {
        let mut reader = ReaderBuilder::new();
        let mut reader = reader.mode(Mode::Lenient).from_str(document);
        let count = reader.entries().flatten().count();
        let mut lines = format!(
            "{} => {count}\n",
            document.escape_debug().to_string().replace("\\\"", "\"")
        );
        for found in reader.diagnostics() {
            let loss = if found.is_loss() { "loss" } else { "repair" };
            let omitted = found
                .dropped()
                .map(|path| format!(" of {path}"))
                .unwrap_or_default();
            let _ = writeln!(lines, "    {loss}{omitted}: {}", found.message());
        }
        lines
    };
    let documents = documents.map(|entries| urlset(&entries));
    insta::assert_snapshot!(
        documents
            .map(|document| text(&document))
            .join("\n")
            .replace(CORE, "CORE")
    );
}

/// A repeated element is compared to the first one at most once per byte, however large the first is.
#[test]
fn what_is_repeated_is_compared_in_linear_time() {
    let long = "a".repeat(400_000);
    let attributes = format!(
        "<loc y x='{long}' {}>https://e.com/</loc>",
        "x='&#97;' ".repeat(50_000)
    );
    let news = "xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'";
    let title = "<news:title>a</news:title>";
    let elements = format!(
        "<loc>https://e.com/</loc><news:news {news}>{}</news:news>{}",
        "<news:zz/>".repeat(40_000),
        format!("<news:news {news}>{title}</news:news>").repeat(4_000)
    );
    for entry in [attributes, elements] {
        let document = urlset(&format!("<url>{entry}</url>"));
        let mut reader = ReaderBuilder::new();
        let mut reader = reader.mode(Mode::Lenient).from_str(&document);
        assert_eq!(reader.entries().flatten().count(), 1);
        let losses = reader
            .diagnostics()
            .iter()
            .filter(|found| found.is_loss())
            .count();
        assert!(losses > 900 && reader.dropped_diagnostics() > 2_000, "{losses}");
    }
}

/// Text before the first entry of a document without a root is the rest of an entry, unless it is before any document.
#[test]
fn a_beginning_that_is_missing_is_a_loss() {
    let entry = "<url><loc>https://e.com/</loc></url>";
    for (before, expected) in [
        ("", false),
        ("\n<?xml version=\"1.0\"?>", false),
        ("Notice: x\n", false),
        ("1</loc></url>", true),
        ("c>1</loc><lastmod>2024</lastmod></url>", true),
    ] {
        let document = format!("{before}{entry}");
        let mut reader = ReaderBuilder::new();
        let mut reader = reader.mode(Mode::Lenient).from_str(&document);
        assert_eq!(reader.entries().flatten().count(), 1, "{before}");
        let found = reader.diagnostics();
        let is_lost = found.iter().any(|found| found.is_loss() && !is_cut(found));
        assert_eq!(is_lost, expected, "{before}: {found:#?}");
    }
}

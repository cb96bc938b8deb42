//! The events of a lint, in order, and the checks that each event calls. A check is a function in its family's file, and does not know
//! when it is called.
//!
//! | event | what happened |
//! |---|---|
//! | [`response`] | a document came with a response |
//! | [`begin`] | the first bytes of a document are known |
//! | [`stylesheet`] | a processing instruction names a stylesheet |
//! | [`root`] | the root of an XML sitemap was read |
//! | [`core`], [`loc`], [`link`], [`element`], [`attribute`], [`text`] | a value of an entry was read, and the writer takes it |
//! | [`entry`] | an entry was read |
//! | [`limits`] | an entry was counted |
//! | [`end`] | a document was read to its end |
//! | [`again`], [`listed`] | an entry was read for the second time, and it may be of an index |
//! | [`set`] | all documents were read |

use sitemap_values::quote::quote;
use sitemap_values::{Priority, Rule, W3cDateTime};

use crate::document::sniff::Format;
use crate::error::{Error, Position, Result};
use crate::limits::Limits;
use crate::loc::{is_same, misspelt, same_site};
use crate::model::Kind;
use crate::record::RecordView;
use crate::search_console;

use super::dates::Clock;
use super::engines::Engines;
use super::entry::{Checks, Links, Seen};
use super::folder::Folder;
use super::languages::Group;
use super::pages::Listed;
use super::reading::{Exceeded, LenientReader};
use super::set::{Brief, SecondPass};
use super::{
    Finding, Findings, Input, Linter, alternates, dates, document, head, loc as locs, media, pages, private,
    response as responses, set as sets, site, structure,
};

/// A document came with a response.
pub(super) fn response(linter: &Linter, document: &Input<'_>) -> Vec<Finding> {
    let errors = document.response.iter().flat_map(responses::Response::errors);
    let is_of_other = document.is_of_other();
    let forbidden = linter.forbidden(document).into_iter().filter(|_| !is_of_other);
    errors.chain(forbidden).map(Finding::new).collect()
}

/// The first bytes of a document are known.
pub(super) fn begin(document: &Input<'_>, bytes: &[u8]) -> Vec<Finding> {
    // What a server answers is not known by its URL.
    let is_file = document.response.is_none();
    let name = is_file.then(|| head::check_name(&document.name, bytes)).flatten();
    let name = name.map(|error| Finding::new(error).warning());
    let rows = head::rows(bytes).map(|error| Finding::new(error).note());
    name.into_iter()
        .chain(rows)
        .chain(head::check(bytes).into_iter().map(Finding::new))
        .collect()
}

/// A processing instruction names a stylesheet.
pub(super) fn stylesheet(instruction: &str) -> Option<Error> {
    head::xslt(instruction)
}

/// The root of an XML sitemap was read.
pub(super) fn root(tag: &str) -> Option<Finding> {
    structure::unknown_attribute(tag).map(|error| Finding::new(error.at(Position::new(1, 1, 0))))
}

/// The text of an element of the core was read.
pub(super) fn core(engines: &Engines, name: &str, text: &str) -> Option<Error> {
    engines.long_value(name, text)
}

/// A loc was read that the writer takes.
pub(super) fn loc(text: &str) -> impl Iterator<Item = Error> {
    let found = [locs::fragment(text), private::user(text)];
    misspelt(text).chain(found.into_iter().flatten())
}

/// A URL of an extension was read that the writer takes.
pub(super) fn link(text: &str) -> impl Iterator<Item = Error> {
    misspelt(text)
}

/// An element of an extension begins.
pub(super) fn element(name: &str) -> Option<Error> {
    media::deprecated(name)
}

/// An attribute of an extension's element was read that the writer takes.
pub(super) fn attribute(name: &str) -> Option<Error> {
    media::deprecated_attribute(name)
}

/// The text of an extension's element was read that the writer takes.
pub(super) fn text(name: &str, text: &str, clock: Option<Clock>) -> Option<Error> {
    match name {
        _ if text.is_empty() => media::empty_list(name),
        "news:publication_date" => {
            W3cDateTime::parse(text).and_then(|date| clock.and_then(|clock| clock.old_news(&date)))
        }
        _ => None,
    }
}

/// An entry was read: a writer checks its values, and valid values are compared to each other, the clock, robots.txt and the pages.
/// Returns its loc, lastmod and alternates, and the number of its page.
pub(super) fn entry<'r>(
    linter: &Linter,
    checks: &mut Checks,
    view: &'r RecordView<'_, 'r>,
    (kind, has_structure): (Kind, bool),
    seen: &mut Seen,
    found: &mut Findings,
) -> (Links<'r>, Option<usize>) {
    let taken = checks.values(&linter.engines, view, kind, seen, found);
    let links = taken.links;
    if taken.has_hints {
        seen.hints.add();
    }
    if kind == Kind::UrlSet {
        seen.priorities.add(taken.priority.map(Priority::get));
        seen.lastmods.add(links.lastmod.map(|(lastmod, _)| lastmod));
    }
    if let Some((lastmod, node)) = links.lastmod {
        if kind == Kind::UrlSet {
            seen.engines.lastmod(&lastmod);
        }
        let future = checks.clock.and_then(|clock| clock.future(&lastmod));
        let modified = checks.modified.as_ref();
        let newer = modified.and_then(|modified| dates::newer(&lastmod, modified));
        let dates = [
            future,
            newer,
            dates::old(&lastmod),
            dates::not_in_schema(&lastmod),
        ]
        .into_iter()
        .flatten();
        found.extend(dates.map(|error| Finding::at(error.within("lastmod"), view, node)));
    }
    let missing = alternates::missing_links(links.loc, &links.alternates);
    found.extend(missing.into_iter().map(Finding::new));
    let loc = view.table.loc().map(|(_, node)| node);
    if !checks.has_location {
        seen.sites.add(links.loc);
        let unreachable = private::unreachable(links.loc).map(|error| error.within("loc"));
        found.extend(
            loc.zip(unreachable)
                .map(|(node, error)| Finding::at(error, view, node)),
        );
    }
    if kind == Kind::SitemapIndex
        && let Some((node, error)) = loc.zip(document::lists_page(links.loc))
        && seen.pages.is_first(true)
    {
        found.push(Finding::at(error.within("loc"), view, node).warning());
    }
    if checks.named_by.iter().any(|site| same_site(site, links.loc)) {
        found.waive(|rule| matches!(rule, Rule::Host | Rule::Path | Rule::Idx1 | Rule::Idx2));
    }
    if has_structure {
        structure::of_entry(view, found);
    }
    if let Some(node) = loc {
        let errors = [linter.blocked(links.loc), linter.engines.long_loc(links.loc)];
        found.extend(
            errors
                .into_iter()
                .flatten()
                .map(|error| Finding::at(error, view, node)),
        );
    }
    let site = linter.pages.as_deref().filter(|_| kind == Kind::UrlSet);
    let page = site.and_then(|site| pages::check(site, !linter.robots.is_empty(), view, &links, found));
    (links, page)
}

/// An entry was counted.
pub(super) fn limits(
    exceeded: &mut Exceeded,
    reader: &LenientReader<'_>,
    kind: Kind,
    seen: &Seen,
) -> Vec<Finding> {
    let mut found = Vec::new();
    if exceeded.entries.is_first(reader.entries() > Limits::ENTRIES) {
        let name = (kind == Kind::SitemapIndex).then_some(search_console::TOO_MANY_SITEMAPS);
        let error = document::too_many(kind, reader.format(), Limits::ENTRIES);
        found.push(Finding::new(error).called(name));
    }
    if exceeded.news.is_first(seen.news > crate::schema::MOST_NEWS) {
        found.push(Finding::new(document::too_much_news()));
    }
    found.extend(size(exceeded, reader));
    found
}

/// An entry, or what follows the last one, was counted.
pub(super) fn size(exceeded: &mut Exceeded, reader: &LenientReader<'_>) -> Option<Finding> {
    exceeded
        .bytes
        .is_first(reader.bytes_read() > Limits::BYTES)
        .then(|| {
            let error = document::too_large(reader.format(), Limits::BYTES);
            Finding::new(error).called(Some(search_console::TOO_LARGE))
        })
}

/// A document was read. `is_ended` if an error ended the reading, so that the rest is unknown; `is_of_news` if its root declares news.
pub(super) fn end(
    linter: &Linter,
    reader: &LenientReader<'_>,
    kind: Kind,
    seen: &Seen,
    (is_ended, is_of_news): (bool, bool),
) -> Vec<Finding> {
    let (format, entries): (Format, u64) = (reader.format(), reader.entries());
    // The reader has already reported an empty feed.
    let empty = (entries == 0 && !is_ended && !format.is_feed()).then(|| {
        if is_of_news {
            Finding::new(document::no_news()).note()
        } else {
            Finding::new(document::empty(kind))
        }
    });
    let errors = [
        seen.priorities.all_high(),
        seen.lastmods.all_equal(),
        seen.hints.ignored(),
        linter.engines.feed(format),
        linter.engines.too_large(reader.bytes_read(), Limits::BYTES),
    ];
    let found = errors.into_iter().flatten().map(Finding::new);
    let found = empty.into_iter().chain(found);
    found
        .chain(linter.engines.of_entries(seen.engines))
        .map(|finding| finding.map(|error| error.at(Position::new(1, 1, 0))))
        .collect()
}

/// An entry was read for the second time, since texts are to be compared; `place` is its position.
pub(super) fn again(
    pass: &mut SecondPass<'_, '_>,
    entry: &Brief<'_>,
    (number, is_index): (usize, bool),
    usual_site: Option<&str>,
    place: impl Fn() -> sets::Place,
) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    found.extend(pass.set.duplicate(entry, &pass.known.names, &place));
    if let Some(error) = usual_site.and_then(|usual| site::elsewhere(entry.loc, usual)) {
        let name = site::search_console(&error, entry.loc);
        found.push(entry.about(Finding::new(error)).called(name));
    }
    if is_index {
        found.extend(listed(pass, entry, number)?);
        return Ok(found);
    }
    if !pass.is_even {
        found.extend(pass.compare_links(entry, number, &place));
    }
    if !pass.is_swapped {
        return Ok(found);
    }
    let group = Group::of(&entry.links);
    for (link, href) in entry.links.iter().zip(&entry.hrefs) {
        let page = pass.set.locs.hasher.hash(link.href);
        let known = (place(), &*pass.known.names);
        let error = pass.compared.add(&pass.set, page, link, &group, known);
        found.extend(
            error.map(|error| Finding::new(error.within("xhtml:link").at_offset(href.start)).len(href.len())),
        );
    }
    Ok(found)
}

/// An entry of an index was read for the second time.
fn listed(pass: &mut SecondPass<'_, '_>, entry: &Brief<'_>, index: usize) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    if let Some((kind, modified)) = pass.find_listed(index, entry.loc) {
        let nested = (kind == Some(Kind::SitemapIndex)).then(|| document::nested(entry.loc));
        found.extend(nested.map(|error| entry.about(Finding::new(error))));
        if let Some(((lastmod, at, len), modified)) = entry.lastmod.zip(modified)
            && let Some(error) = dates::older_than_file(&lastmod, &modified)
        {
            found.push(Finding::new(error.within("lastmod").at_offset(at)).len(len));
        }
    }
    if let Some(folder) = &mut pass.folder
        && let Some(absent) = folder.list(entry.loc)?
    {
        let listing = format!("{} is listed", quote(entry.loc));
        found.push(entry.about(absent.finding(&listing)));
    }
    Ok(found)
}

/// All documents were read, perhaps for the second time. Reports findings with the numbers of their documents.
pub(super) fn set(
    linter: &Linter,
    documents: &[Input<'_>],
    listed: &Listed,
    folder: Option<Folder<'_>>,
    mut found: impl FnMut(usize, Finding),
) -> Result<()> {
    if let Some(folder) = folder {
        let robots = linter.robots_of(folder.location()).next();
        folder.finish(documents, robots.map(|site| &site.robots), &mut found)?;
    }
    for (number, document) in documents.iter().enumerate() {
        if let Some(error) = linter.unnamed(document) {
            found(number, Finding::new(error));
        }
    }
    // A document that was read has its own findings.
    let is_read = |url: &str| {
        documents.iter().any(|document| {
            document
                .location
                .as_deref()
                .is_some_and(|location| is_same(location, url))
        })
    };
    for site in linter.robots.iter().filter(|_| !documents.is_empty()) {
        for (url, error) in responses::misnamed(&site.robots) {
            if !is_read(url) {
                found(0, Finding::new(error));
            }
        }
    }
    let has_all = !documents.iter().any(|document| document.is_unreadable);
    let mut kinds = documents.iter().map(|document| document.kind);
    let first = kinds.position(|kind| kind == Some(Kind::UrlSet));
    // Findings about the first document with pages.
    if let (Some(pages), Some(first), true) = (&linter.pages, first, has_all) {
        for error in listed.missing(&**pages) {
            found(first, Finding::new(error));
        }
    }
    Ok(())
}

//! Checks of an entry that was read, before any value is.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Facts, Message, Result};
use crate::schema::{self, Name};

use super::Table;

/// Checks the requirements of every entry, of any type: exactly one loc, each other core element at most once (P-DUP), and
/// only text in them.
#[inline]
pub(crate) fn check(table: &Table, entry: &'static str) -> Result<()> {
    if table.has_core_once()
        && table.within_core().is_none()
        && table.too_many_names().is_none()
        && !table.has_unknown()
    {
        Ok(())
    } else {
        explain(table, entry)
    }
}

/// Returns an error for elements of the core namespace whose values would be lost: an entry within the entry, and core names
/// in another case. Other unknown elements are ignored.
fn check_unknown(table: &Table, entry: &'static str) -> Result<()> {
    let is_entry = |local: &str| local.eq_ignore_ascii_case("url") || local.eq_ignore_ascii_case("sitemap");
    // The end of the element directly below the entry.
    let mut outermost_end = 0;
    for (i, node) in table.nodes().iter().enumerate() {
        let is_outermost = i >= outermost_end;
        if is_outermost {
            outermost_end = node.next();
        }
        if node.name.as_static().is_some() {
            continue;
        }
        let name = table.name(node.name);
        // Deeper, only an element with a loc counts as an entry.
        if is_entry(name) && (is_outermost || table.has_child(i, schema::LOC)) {
            let nested = |found: &Facts| {
                let [entry, _] = found.names;
                Message::new(format!(
                    "an entry within a `{entry}`: entries are children of the root"
                ))
                .advice("move it to the root")
            };
            return Err(Error::found(Facts::none().names([entry, ""]), nested)
                .breaks(Rule::Ns)
                .at_offset(node.outer().start));
        }
        let meant = [schema::LOC, schema::LASTMOD, schema::CHANGEFREQ, schema::PRIORITY]
            .into_iter()
            .filter_map(Name::as_static)
            .find(|known| is_outermost && known.eq_ignore_ascii_case(name));
        if let Some(meant) = meant {
            let in_another_case = |found: &Facts| {
                let [entry, meant] = found.names;
                Message::new(format!(
                    "{} is not an element of a `{entry}`: names are case-sensitive",
                    quote(found.text())
                ))
                .advice(format!("did you mean `{meant}`?"))
            };
            let finding = Facts::new(name).names([entry, meant]);
            return Err(Error::found(finding, in_another_case)
                .breaks(Rule::Ns)
                .at_offset(node.outer().start));
        }
    }
    Ok(())
}

/// Like [`check`], for lenient reading: only a problem of the loc or a lost value is an error, and unknown elements are
/// passed to `note`. Other repeated elements are reported elsewhere.
#[cold]
pub(crate) fn check_with_problems(
    table: &Table,
    entry: &'static str,
    mut note: impl FnMut(Error),
) -> Result<()> {
    if table.within_core().is_some() || table.too_many_names().is_some() {
        return explain(table, entry);
    }
    if let Err(error) = check_unknown(table, entry) {
        note(error);
    }
    explain_core(table, entry, &[schema::LOC])
}

/// Finds the error that [`check`] reports.
#[cold]
fn explain(table: &Table, entry: &'static str) -> Result<()> {
    check_names(table, entry)?;
    explain_core(table, entry, &[])
}

/// Checks an entry for problems other than missing and repeated elements.
pub(crate) fn check_names(table: &Table, entry: &'static str) -> Result<()> {
    if let Some((name, at)) = table.within_core() {
        let name = name.as_static().unwrap_or_default();
        let with_element = |found: &Facts| {
            let [name, _] = found.names;
            Message::new(format!("an element within `{name}`, which contains text only"))
                .advice("remove it, or write its `<` as `&lt;` if it is text")
        };
        return Err(Error::found(Facts::none().names([name, ""]), with_element)
            .breaks(Rule::Esc)
            .within(name)
            .at_offset(at));
    }
    if let Some(most) = table.too_many_names() {
        let problem = format!(
            "more than {most} different names of elements and attributes in a `{entry}`, and {most} are supported"
        );
        let advice = "remove some, or do not register their namespaces";
        return Err(Error::limit(Message::new(problem).advice(advice)));
    }
    if table.has_unknown() {
        check_unknown(table, entry)?;
    }
    Ok(())
}

/// Checks that there is a loc, and that no core element is repeated, or, if `only` is not empty, none of those names.
fn explain_core(table: &Table, entry: &'static str, only: &[Name]) -> Result<()> {
    let mut seen = [false; Name::CORE];
    let mut i = 0;
    while let Some(node) = table.nodes().get(i) {
        i = node.next();
        if let Some(seen) = seen.get_mut(node.name.index())
            && std::mem::replace(seen, true)
            && (only.is_empty() || only.contains(&node.name))
        {
            let error = second_core(node.name, entry).within(table.step(node.name));
            return Err(error.at_offset(node.at()));
        }
    }
    if seen[schema::LOC.index()] {
        return Ok(());
    }
    Err(no_loc(entry))
}

/// The error for a repeated core element.
#[cold]
pub(crate) fn second_core(name: Name, entry: &'static str) -> Error {
    let name = name.as_static().unwrap_or_default();
    let twice = |found: &Facts| {
        let [name, entry] = found.names;
        Message::new(format!("a second `{name}`: a `{entry}` has at most one")).advice("remove one of them")
    };
    Error::found(Facts::none().names([name, entry]), twice)
        .breaks(Rule::Dup)
        .with_defect(Defect::Excess)
}

/// The error for an entry without a loc.
#[cold]
pub(crate) fn no_loc(entry: &'static str) -> Error {
    let without_loc = |found: &Facts| {
        let [entry, _] = found.names;
        Message::new(format!("no `loc`: every `{entry}` has exactly one"))
            .advice("add it, or remove the entry")
    };
    Error::found(Facts::none().names([entry, ""]), without_loc)
        .breaks(Rule::Dup)
        .with_defect(Defect::Missing)
        .within("loc")
}

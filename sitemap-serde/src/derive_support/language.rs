//! A page in several languages.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

use sitemap_values::Rule;
use sitemap_values::codes::check_hreflang;
use sitemap_values::quote::quote;

use super::FromPlaceholder;
use super::template::{Template, TemplateValue, ValueOf};
use crate::entry::{EntryReader, EntryWriter, LocWriter};
use crate::error::{Error, Message, Result};
use crate::record::twice;

/// Writes the link to the page in a language, and the `x-default` link if it is the default language.
pub fn translation(
    entry: &mut EntryWriter<'_>,
    language: &str,
    x_default: Option<&str>,
    build: impl FnOnce(&mut LocWriter<'_>) -> Result<()>,
) -> Result<()> {
    entry.translation(language, x_default, build)
}

/// Checks the entry's alternates against its loc when it is complete.
pub fn check_alternates(entry: &mut EntryWriter<'_>) {
    entry.check_alternates();
}

/// Checks the languages of a field: that each is a hreflang, and that none is repeated.
pub fn check_languages<'l>(languages: impl Iterator<Item = &'l str> + Clone) -> Result<()> {
    for language in languages.clone() {
        check_hreflang(language).map_err(|error| Error::from(error).within("languages"))?;
    }
    no_language_twice(languages)
}

/// Checks that no language is repeated: there would be two links for it.
fn no_language_twice<'l>(languages: impl Iterator<Item = &'l str> + Clone) -> Result<()> {
    match twice(languages) {
        None => Ok(()),
        Some(language) => Err(Error::data(
            Message::new(format!(
                "the language {} is there twice: a page is in each language once",
                quote(language)
            ))
            .advice("leave one of them out"),
        )
        .breaks(Rule::Alt3)),
    }
}

/// Reads a field of languages, or of pairs of a language and a value: from the entry's links, which must all match the
/// template, or from the loc if there are no links.
pub fn languages_of<T, const N: usize>(
    entry: &EntryReader<'_>,
    template: &Template<'_>,
    own: &[&str; N],
    read: impl FnOnce(Languages) -> Result<T>,
) -> Result<T> {
    let mut found: Vec<(String, String)> = Vec::new();
    let own_language = template.pair(entry, own)?;
    for link in entry.alternates()? {
        let Some(hreflang) = link.hreflang.filter(|hreflang| hreflang != "x-default") else {
            continue;
        };
        let in_link = |what: &str| in_link(entry, &hreflang, &link.href, template.text, what);
        let values: [&str; N] = template
            .find_in(entry, &link.href)?
            .map_err(|what| in_link(&what))?;
        template.same_row(own, &values).map_err(|what| in_link(&what))?;
        let (language, value) = template.pair(entry, &values)?;
        if !language.eq_ignore_ascii_case(&hreflang) {
            return Err(in_link(&format!("the language in it is {}", quote(&language))));
        }
        found.push((language, value));
    }
    if found.is_empty() {
        found.push(own_language);
    } else if !found.contains(&own_language) {
        return Err(without_itself(entry, &own_language.0));
    }
    let alternates = |error| entry.in_field(crate::schema::ALTERNATE, error);
    no_language_twice(found.iter().map(|(language, _)| language.as_str())).map_err(alternates)?;
    let is_optional = |value: &TemplateValue<'_>| value.of == ValueOf::Translation && value.optional;
    read(Languages {
        may_be_empty: template.values.iter().any(is_optional),
        found,
    })
    .map_err(alternates)
}

/// The error for a link that does not belong to the row.
#[cold]
fn in_link(entry: &EntryReader<'_>, hreflang: &str, href: &str, template: &str, what: &str) -> Error {
    let error = Error::data(
        Message::new(format!(
            "the link to the page in {}, {}, is none of the template `{template}`: {what}",
            quote(hreflang),
            quote(href)
        ))
        .advice("where pages have other links too, read the entries into a type with a field for `{lang}`"),
    );
    entry.in_field(crate::schema::ALTERNATE, error)
}

#[cold]
fn without_itself(entry: &EntryReader<'_>, language: &str) -> Error {
    let error = Error::data(
        Message::new(format!(
            "the links of the page in {} do not list the page itself: each page lists all languages, including its own",
            quote(language)
        ))
        .advice("read the entries into a type with a field for `{lang}`"),
    );
    entry.in_field(crate::schema::ALTERNATE, error.breaks(Rule::Alt3))
}

/// Checks that the type has the loc's language.
pub fn one_of(entry: &EntryReader<'_>, written: &str, text: &str, languages: &[&str]) -> Result<()> {
    if languages
        .iter()
        .any(|language| language.eq_ignore_ascii_case(text))
    {
        return Ok(());
    }
    let why = format!("it is not one of the languages {}", languages.join(", "));
    Err(super::template::no_value(entry, written, text, &why))
}

impl Template<'_> {
    /// The language of an entry, and the value paired with it.
    fn pair(&self, entry: &EntryReader<'_>, values: &[&str]) -> Result<(String, String)> {
        let value = |of: ValueOf| {
            let mut slots = self.values.iter().zip(values).filter(|(slot, _)| slot.of == of);
            let Some((first, text)) = slots.next() else {
                return Ok(String::new());
            };
            for (other, other_text) in slots {
                super::same(entry, other.written, text, other_text)?;
            }
            if first.reserved {
                return Ok((*text).to_owned());
            }
            super::decoded(entry, first.written, text).map(std::borrow::Cow::into_owned)
        };
        Ok((value(ValueOf::Language)?, value(ValueOf::Translation)?))
    }

    /// Checks that two URLs have the same values of the row; the error is a message.
    fn same_row(&self, own: &[&str], other: &[&str]) -> Result<(), String> {
        let texts = own.iter().zip(other);
        let mut of_row = self
            .values
            .iter()
            .zip(texts)
            .filter(|(slot, _)| slot.of == ValueOf::Row);
        let decoded = |text| percent_encoding::percent_decode_str(text);
        match of_row.find(|(_, (own, other))| !decoded(own).eq(decoded(other))) {
            None => Ok(()),
            Some((slot, (own, other))) => Err(format!(
                "`{}` is {} in it, and {} in the loc",
                slot.written,
                quote(other),
                quote(own)
            )),
        }
    }
}

/// The languages of a page, each with the text of its placeholder.
#[derive(Debug)]
pub struct Languages {
    found: Vec<(String, String)>,
    /// `true` if the text may be empty.
    may_be_empty: bool,
}

/// A type that can be read from the languages of a page, or from pairs of a language and a value.
///
/// `Kind` is always inferred. It keeps apart the implementations, which could otherwise overlap.
#[diagnostic::on_unimplemented(
    message = "the languages of a page cannot be read as `{Self}`",
    label = "no collection of what `FromStr` makes of a language",
    note = "languages are read as a collection of the standard library of `String`s or of a type with `FromStr`; beside \
            `languages(slug)` of pairs of such, or as a map",
    note = "for any other type put `read_with = path::to::function` beside it, which takes such a collection and returns the field's value"
)]
pub trait FromLanguages<Kind>: Sized {
    /// Makes the value from languages, each with the text of its placeholder.
    fn from_languages(languages: Languages) -> Result<Self>;
}

/// The kind of a field of languages without values.
pub struct Alone<Kind>(Kind);

/// The kind of pairs.
pub struct Pairs<Language, Value>(Language, Value);

macro_rules! collections {
    ($($collection:ident<T $(, $more:ident: $($of_more:ident +)+)?> $(: $($bound:ident +)+)?;)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<T, K $(, $more)?> FromLanguages<Alone<K>> for $collection<T $(, $more)?>
            where
                T: FromPlaceholder<K> $($(+ $bound)+)?,
                $($more: $($of_more +)+)?
            {
                fn from_languages(languages: Languages) -> Result<Self> {
                    let languages = languages.found.into_iter();
                    languages.map(|(language, _)| T::from_placeholder(&language)).collect()
                }
            }

            #[diagnostic::do_not_recommend]
            impl<L, V, K, M $(, $more)?> FromLanguages<Pairs<K, M>> for $collection<(L, V) $(, $more)?>
            where
                L: FromPlaceholder<K>,
                V: FromPlaceholder<M>,
                $((L, V): $($bound +)+,)?
                $($more: $($of_more +)+)?
            {
                fn from_languages(languages: Languages) -> Result<Self> {
                    languages.pairs().collect()
                }
            }
        )*
    };
}
collections! {
    Vec<T>;
    VecDeque<T>;
    LinkedList<T>;
    BTreeSet<T>: Ord +;
    HashSet<T, S: BuildHasher + Default +>: Eq + Hash +;
}

#[diagnostic::do_not_recommend]
impl<T: FromPlaceholder<K>, K> FromLanguages<Alone<K>> for Box<[T]> {
    fn from_languages(languages: Languages) -> Result<Self> {
        let languages = languages.found.iter();
        languages
            .map(|(language, _)| T::from_placeholder(language))
            .collect()
    }
}

#[diagnostic::do_not_recommend]
impl<L: FromPlaceholder<K>, V: FromPlaceholder<M>, K, M> FromLanguages<Pairs<K, M>> for Box<[(L, V)]> {
    fn from_languages(languages: Languages) -> Result<Self> {
        languages.pairs().collect()
    }
}

impl Languages {
    fn pairs<L: FromPlaceholder<K>, V: FromPlaceholder<M>, K, M>(
        &self,
    ) -> impl Iterator<Item = Result<(L, V)>> {
        let value = if self.may_be_empty {
            V::from_text_or_empty
        } else {
            V::from_placeholder
        };
        let found = self.found.iter();
        found.map(move |(language, text)| Ok((L::from_placeholder(language)?, value(text)?)))
    }
}

#[diagnostic::do_not_recommend]
impl<L: FromPlaceholder<K> + Ord, V: FromPlaceholder<M>, K, M> FromLanguages<Pairs<K, M>> for BTreeMap<L, V> {
    fn from_languages(languages: Languages) -> Result<Self> {
        languages.pairs().collect()
    }
}

#[diagnostic::do_not_recommend]
impl<L: FromPlaceholder<K> + Eq + Hash, V: FromPlaceholder<M>, K, M, S: BuildHasher + Default>
    FromLanguages<Pairs<K, M>> for HashMap<L, V, S>
{
    fn from_languages(languages: Languages) -> Result<Self> {
        languages.pairs().collect()
    }
}

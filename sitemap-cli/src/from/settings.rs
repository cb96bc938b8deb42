//! The settings of `[from]` in `sitemap.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use sitemap_pages::FindingKind;
use sitemap_serde::W3cDateTime;
use sitemap_serde::lint::Severity;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Dates, Options, Style};
use crate::lint::FailOn;
use crate::lint::settings::{SECTIONS, entries, find, line, severity, text, unknown};
use crate::suggested::Suggested;
use crate::words::nearest;

const KEYS: [&str; 22] = [
    "folder",
    "location",
    "output",
    "ledger",
    "expect-ledger",
    "keep-texts",
    "since",
    "dates",
    "source",
    "style",
    "include",
    "exclude",
    "ignore",
    "project",
    "languages",
    "images",
    "robots",
    "html",
    "html-template",
    "list",
    "fail-on",
    "findings",
];

/// The id of findings about the ledger rather than pages.
pub(super) const LEDGER: &str = "ledger";

/// The configured severities of findings, by their ids; `None` is off.
pub(super) type Levels = BTreeMap<&'static str, Option<Severity>>;

/// Settings that complete the arguments.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The directory of the settings file.
    home: PathBuf,
    paths: BTreeMap<&'static str, PathBuf>,
    location: Option<String>,
    since: Option<W3cDateTime>,
    dates: Option<Dates>,
    style: Option<Style>,
    lists: BTreeMap<&'static str, Vec<String>>,
    flags: BTreeMap<&'static str, bool>,
    fail_on: Option<FailOn>,
    findings: Levels,
}

/// An error with its place.
type Placed<T> = Result<T, (anyhow::Error, Range<usize>)>;

impl Settings {
    /// Reads the named file, or else the nearest one in the working directory or above.
    pub(super) fn find(named: Option<&Path>) -> Result<Self> {
        let Some(path) = find(named)? else {
            return Ok(Settings::default());
        };
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Settings::parse(&path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Self> {
        let shown = path.display();
        let mut settings = Settings {
            home: home(path),
            ..Settings::default()
        };
        let table = DeTable::parse(text)
            .map_err(|error| anyhow!("{shown}:{}: {}", line(text, error.span()), error.message()))?;
        let placed = |(error, span): (anyhow::Error, Range<usize>)| {
            anyhow!("{shown}:{}: {error}", line(text, Some(span)))
        };
        for (section, value) in table.get_ref() {
            match section.get_ref().as_ref() {
                "from" => {}
                // The command `lint` reads this section.
                name if SECTIONS.contains(&name) => continue,
                name => return Err(placed((unknown("table", name, &SECTIONS), section.span()))),
            }
            for (key, value) in entries(value).map_err(|error| placed((error, value.span())))? {
                let name = KEYS.into_iter().find(|name| *name == key.get_ref().as_ref());
                let Some(name) = name else {
                    let error = unknown("key", key.get_ref(), &KEYS);
                    return Err(placed((error, key.span())));
                };
                settings.set(name, value).map_err(placed)?;
            }
        }
        Ok(settings)
    }

    fn set(&mut self, name: &'static str, value: &Spanned<DeValue<'_>>) -> Placed<()> {
        let here = |error| (error, value.span());
        let text_of = || text(name, value).map_err(here);
        match name {
            "folder" | "output" | "ledger" | "project" | "html" | "html-template" => {
                let text = text_of()?;
                // `-` is standard output rather than a file.
                let path = if name == "output" && text == "-" {
                    text.into()
                } else {
                    self.home.join(text)
                };
                self.paths.insert(name, path);
            }
            "location" => self.location = Some(text_of()?.to_owned()),
            "since" => {
                let date = text_of()?.parse();
                self.since = Some(date.map_err(|error: sitemap_serde::ValueError| here(error.into()))?);
            }
            "dates" => self.dates = Some(word(name, text_of()?).map_err(here)?),
            "style" => self.style = Some(word(name, text_of()?).map_err(here)?),
            "fail-on" => self.fail_on = Some(word(name, text_of()?).map_err(here)?),
            "source" | "include" | "exclude" | "ignore" => {
                let DeValue::Array(list) = value.get_ref() else {
                    return Err(here(anyhow!("`{name}` must be a list of strings")));
                };
                let list = list.iter().map(|item| {
                    let item_text = text(name, item).map_err(|error| (error, item.span()))?;
                    Ok(item_text.to_owned())
                });
                self.lists.insert(name, list.collect::<Placed<_>>()?);
            }
            "languages" => {
                let table = entries(value).map_err(here)?.iter().map(|(language, folder)| {
                    let language = language.get_ref();
                    let folder = text(language, folder).map_err(|error| (error, folder.span()))?;
                    Ok(format!("{language}={folder}"))
                });
                self.lists.insert(name, table.collect::<Placed<_>>()?);
            }
            "findings" => {
                for (id, level) in entries(value).map_err(here)? {
                    let of_level = |error| (error, level.span());
                    let known = finding(id.get_ref()).map_err(|error| (error, id.span()))?;
                    let level = text(id.get_ref(), level).map_err(of_level)?;
                    self.findings.insert(known, severity(level).map_err(of_level)?);
                }
            }
            _ => match value.get_ref() {
                DeValue::Boolean(flag) => {
                    self.flags.insert(name, *flag);
                }
                _ => return Err(here(anyhow!("`{name}` must be true or false"))),
            },
        }
        Ok(())
    }

    /// Completes the arguments with the settings.
    pub(super) fn complete(&self, options: Options) -> Options {
        let path = |own: Option<PathBuf>, name: &str| own.or_else(|| self.paths.get(name).cloned());
        let list = |own: Vec<String>, name: &str| {
            if own.is_empty() {
                self.lists.get(name).cloned().unwrap_or_default()
            } else {
                own
            }
        };
        let flag = |own: bool, name: &str| own || self.flags.get(name).copied().unwrap_or(false);
        Options {
            folder: path(options.folder, "folder"),
            location: options.location.or_else(|| self.location.clone()),
            output: path(options.output, "output"),
            ledger: path(options.ledger, "ledger"),
            expect_ledger: flag(options.expect_ledger, "expect-ledger"),
            keep_texts: flag(options.keep_texts, "keep-texts"),
            since: options.since.or(self.since),
            dates: options.dates.or(self.dates),
            source: list(options.source, "source"),
            style: options.style.or(self.style),
            include: list(options.include, "include"),
            exclude: list(options.exclude, "exclude"),
            ignore: list(options.ignore, "ignore"),
            project: path(options.project, "project"),
            languages: list(options.languages, "languages"),
            images: flag(options.images, "images"),
            robots: flag(options.robots, "robots"),
            html: path(options.html, "html"),
            html_template: path(options.html_template, "html-template"),
            list: flag(options.list, "list"),
            fail_on: options.fail_on.or(self.fail_on),
            ..options
        }
    }

    /// Returns the severities of findings. `--level` overrides the settings.
    pub(super) fn levels(&self, arguments: &[String]) -> Result<Levels> {
        let mut levels = self.findings.clone();
        for argument in arguments {
            let Some((id, level)) = argument.split_once('=') else {
                bail!("--level {argument}: write the finding and its severity, such as `unlinked=off`");
            };
            let id = finding(id).context("--level")?;
            levels.insert(id, severity(level).context("--level")?);
        }
        Ok(levels)
    }
}

/// Returns the folder of a settings file, relative to the working directory if it is inside.
fn home(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    let here = std::env::current_dir().ok();
    match here.as_deref().and_then(|here| folder.strip_prefix(here).ok()) {
        Some(below) => below.to_owned(),
        None => folder.to_owned(),
    }
}

/// Returns the value with a name.
fn word<T: ValueEnum>(name: &str, value: &str) -> Result<T> {
    T::from_str(value, false).map_err(|_| {
        let known: Vec<String> = T::value_variants()
            .iter()
            .filter_map(|variant| Some(variant.to_possible_value()?.get_name().to_owned()))
            .collect();
        anyhow!("`{name}` must be one of {}", known.join(", "))
    })
}

/// Returns the ids of all findings.
fn ids() -> impl Iterator<Item = &'static str> {
    FindingKind::ALL
        .into_iter()
        .map(FindingKind::name)
        .chain([LEDGER])
}

/// Returns the finding with an id.
fn finding(id: &str) -> Result<&'static str> {
    ids()
        .find(|known| *known == id)
        .ok_or_else(|| match nearest(id, ids()) {
            Some(near) => anyhow!("`{id}` is not the id of a finding: did you mean `{near}`?"),
            None => anyhow!(
                "`{id}` is not the id of a finding: expected one of {}",
                ids().collect::<Vec<_>>().join(", ")
            ),
        })
}

/// Returns the ids of findings with each severity, for completions.
pub(super) fn levels() -> Suggested {
    static LEVELS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let levels = |id: &str| ["off", "note", "warning", "error"].map(|level| format!("{id}={level}"));
        ids().flat_map(levels).collect()
    });
    Suggested::new(|| LEVELS.iter().map(|level| PossibleValue::new(&**level)).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const SCHEMA: &str = include_str!("../../sitemap.schema.json");

    /// The schema lists all keys, and its examples parse.
    #[test]
    fn the_schema_has_what_is_parsed() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let from = &schema["properties"]["from"];
        assert_eq!(from["additionalProperties"], false);
        let keys = from["properties"].as_object().unwrap();
        let mut known = KEYS;
        known.sort_unstable();
        let mut named: Vec<_> = keys.keys().collect();
        named.sort_unstable();
        assert_eq!(named, known);
        let findings = &keys["findings"]["propertyNames"]["enum"];
        assert_eq!(*findings, Value::from(ids().collect::<Vec<_>>()));
        for (key, property) in keys
            .iter()
            .filter(|(key, _)| !["findings", "languages"].contains(&key.as_str()))
        {
            let listed = |name: &str| property[name].as_array().cloned().unwrap_or_default();
            let mut right = [listed("enum"), listed("examples")].concat();
            right.extend(property.get("default").cloned());
            assert!(!right.is_empty(), "{key}");
            for value in right {
                let text = format!("[from]\n{key} = {value}\n");
                assert!(
                    Settings::parse(Path::new("sitemap.toml"), &text).is_ok(),
                    "{text}"
                );
            }
        }
    }
}

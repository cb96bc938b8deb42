//! `sitemap.toml`: the settings of a project.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use sitemap_serde::engine::Engine;
use sitemap_serde::{Rule, lint::Severity};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::url_parts::check_no_user;
use crate::words::nearest;

use super::FailOn;

/// The file's name. It is searched for in the working directory and above.
const NAME: &str = "sitemap.toml";

/// The settings for lint.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The directory of the settings file. Empty if there is no file, or if its path has no directory.
    folder: PathBuf,
    /// `true` if there is a settings file.
    is_found: bool,
    pub(super) location: Option<String>,
    root: Option<PathBuf>,
    pub(super) cross_submission: Option<bool>,
    pub(super) fail_on: Option<FailOn>,
    pub(super) places: Option<u64>,
    baseline: Option<PathBuf>,
    robots: Option<PathBuf>,
    pub(super) agent: Option<String>,
    pub(super) engines: Vec<Engine>,
    pub(super) rules: BTreeMap<Rule, Option<Severity>>,
}

pub(crate) const SECTIONS: [&str; 2] = ["from", "lint"];
const KEYS: [&str; 10] = [
    "location",
    "root",
    "cross-submission",
    "fail-on",
    "places",
    "baseline",
    "robots",
    "agent",
    "for",
    "rules",
];

impl Settings {
    /// Reads the named file, or else the nearest one in the working directory or above.
    pub(super) fn find(named: Option<&Path>) -> Result<Self> {
        find(named)?.map_or_else(|| Ok(Settings::default()), |path| Settings::read(&path))
    }

    fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Settings::parse(path, &text)
    }

    /// Parses the text of a settings file.
    fn parse(path: &Path, text: &str) -> Result<Self> {
        let shown = path.display();
        let mut settings = Settings {
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            is_found: true,
            ..Settings::default()
        };
        let table = DeTable::parse(text)
            .map_err(|error| anyhow!("{shown}:{}: {}", line(text, error.span()), error.message()))?;
        for (section, value) in table.get_ref() {
            let with_line =
                |error: anyhow::Error, span| anyhow!("{shown}:{}: {error}", line(text, Some(span)));
            let name = section.get_ref();
            match name.as_ref() {
                "lint" => {}
                // The command `from` reads this section.
                known if SECTIONS.contains(&known) => continue,
                _ => return Err(with_line(unknown("table", name, &SECTIONS), section.span())),
            }
            for (key, value) in entries(value).map_err(|error| with_line(error, value.span()))? {
                settings
                    .set(key, value)
                    .map_err(|(error, span)| with_line(error, span))?;
            }
        }
        Ok(settings)
    }

    fn set(
        &mut self,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), (anyhow::Error, std::ops::Range<usize>)> {
        let of_value = |error| (error, value.span());
        let name = key.get_ref().as_ref();
        match name {
            "location" => {
                let location = text(name, value).map_err(of_value)?;
                check_location(location).map_err(of_value)?;
                self.location = Some(location.to_owned());
            }
            "root" => self.root = Some(text(name, value).map_err(of_value)?.into()),
            "baseline" => self.baseline = Some(text(name, value).map_err(of_value)?.into()),
            "robots" => self.robots = Some(text(name, value).map_err(of_value)?.into()),
            "agent" => self.agent = Some(text(name, value).map_err(of_value)?.to_owned()),
            "cross-submission" => match value.get_ref() {
                DeValue::Boolean(allowed) => self.cross_submission = Some(*allowed),
                _ => return Err(of_value(anyhow!("`{name}` must be true or false"))),
            },
            "places" => match value.get_ref() {
                DeValue::Integer(number) => {
                    let number = number.as_str().parse().ok();
                    self.places =
                        Some(number.ok_or_else(|| of_value(anyhow!("`{name}` must be a whole number")))?);
                }
                _ => return Err(of_value(anyhow!("`{name}` must be a whole number"))),
            },
            "fail-on" => {
                let word = text(name, value).map_err(of_value)?;
                let severity = FailOn::from_str(word, false);
                self.fail_on = Some(
                    severity
                        .map_err(|_| of_value(anyhow!("`{name}` must be note, warning, error or never")))?,
                );
            }
            "for" => {
                let DeValue::Array(names) = value.get_ref() else {
                    return Err(of_value(anyhow!(
                        "`{name}` must be a list of search engines, such as [\"google\", \"bing\"]"
                    )));
                };
                for engine in names {
                    let of_engine = |error| (error, engine.span());
                    let engine = text(name, engine).map_err(of_engine)?.parse::<Engine>();
                    self.engines
                        .push(engine.map_err(|error| of_engine(error.into()))?);
                }
            }
            "rules" => {
                for (id, level) in entries(value).map_err(of_value)? {
                    let of_level = |error| (error, level.span());
                    let rule = rule(id.get_ref()).map_err(|error| (error, id.span()))?;
                    let level = text(id.get_ref(), level).map_err(of_level)?;
                    self.rules.insert(rule, severity(level).map_err(of_level)?);
                }
            }
            "files" | "file" | "paths" | "path" | "include" | "inputs" => {
                let error = anyhow!(
                    "`{name}` is no key: `root` names the folder of the sitemaps, and files are arguments"
                );
                return Err((error, key.span()));
            }
            other => return Err((unknown("key", other, &KEYS), key.span())),
        }
        Ok(())
    }

    /// Returns the project's directory: the settings file's directory, or else the working directory.
    pub(super) fn project(&self) -> &Path {
        if self.folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &self.folder
        }
    }

    /// Returns the path of the baseline.
    pub(super) fn baseline(&self) -> Option<PathBuf> {
        self.baseline.as_ref().map(|path| self.folder.join(path))
    }

    /// Returns the path of the site's robots.txt.
    pub(super) fn robots(&self) -> Option<PathBuf> {
        self.robots.as_ref().map(|path| self.folder.join(path))
    }

    /// Returns the directory with the given location.
    pub(super) fn root(&self) -> PathBuf {
        self.project().join(self.root.as_deref().unwrap_or(Path::new("")))
    }

    /// Returns the project's root as a path from the working directory, if there is a settings file.
    pub(super) fn documents(&self) -> Option<PathBuf> {
        let root = self.is_found.then(|| self.root())?;
        let here = std::env::current_dir().ok();
        match here.as_deref().and_then(|here| root.strip_prefix(here).ok()) {
            Some(below) => Some(Path::new(".").join(below)),
            None => Some(root),
        }
    }
}

/// Returns the named file, or else the nearest one in the working directory or above.
pub(crate) fn find(named: Option<&Path>) -> Result<Option<PathBuf>> {
    if let Some(path) = named {
        return Ok(Some(path.to_owned()));
    }
    let here = std::env::current_dir().context("cannot tell the working directory")?;
    let paths = here.ancestors().map(|folder| folder.join(NAME));
    Ok(paths.into_iter().find(|path| path.is_file()))
}

/// Returns an error for a URL with a query or fragment, because the URLs of a directory's files must begin with it.
pub(super) fn check_location(url: &str) -> Result<()> {
    check_no_user(url)?;
    match url.find(['?', '#']) {
        Some(end) => bail!(
            "`{url}` is not the URL of a directory, since it has a query or a fragment: write `{}`",
            &url[..end]
        ),
        None => Ok(()),
    }
}

pub(crate) fn entries<'t, 'i>(value: &'t Spanned<DeValue<'i>>) -> Result<&'t DeTable<'i>> {
    match value.get_ref() {
        DeValue::Table(table) => Ok(table),
        _ => bail!("expected a table"),
    }
}

pub(crate) fn text<'t>(name: &str, value: &'t Spanned<DeValue<'_>>) -> Result<&'t str> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => bail!("`{name}` must be a string"),
    }
}

/// Returns the line of a byte offset, from 1.
pub(crate) fn line(text: &str, span: Option<std::ops::Range<usize>>) -> usize {
    let before = span.and_then(|span| text.get(..span.start)).unwrap_or_default();
    before.matches('\n').count() + 1
}

/// Returns the rule with an id.
pub(super) fn rule(id: &str) -> Result<Rule> {
    let ids: Vec<&str> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
    id.parse().map_err(
        |error: sitemap_serde::ValueError| match nearest(id, ids.iter().copied()) {
            Some(near) => anyhow!("`{id}` is not the id of a rule: did you mean `{near}`?"),
            None => error.into(),
        },
    )
}

/// Returns the severity with a name; `None` for `off`.
pub(crate) fn severity(name: &str) -> Result<Option<Severity>> {
    match name {
        "off" => Ok(None),
        name => name
            .parse()
            .map(Some)
            .map_err(|_| anyhow!("`{name}` is not a severity: write `off`, `note`, `warning` or `error`")),
    }
}

pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> anyhow::Error {
    match nearest(name, known.iter().copied()) {
        Some(near) => anyhow!("unknown {what} `{name}`: did you mean `{near}`?"),
        None => anyhow!("unknown {what} `{name}`: expected one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::env;

    use serde_json::{Map, Value};

    use super::*;

    const SCHEMA: &str = include_str!("../../sitemap.schema.json");

    pub(crate) fn properties(schema: &Value) -> &Map<String, Value> {
        assert_eq!(schema["additionalProperties"], false);
        schema["properties"].as_object().unwrap()
    }

    fn accepts(key: &str, value: &Value) -> bool {
        Settings::parse(Path::new(NAME), &format!("[lint]\n{key} = {value}\n")).is_ok()
    }

    #[test]
    fn the_schema_has_what_is_parsed() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        assert_eq!(properties(&schema).keys().collect::<Vec<_>>(), SECTIONS);
        let keys = properties(&schema["properties"]["lint"]);
        let mut known = KEYS;
        known.sort_unstable();
        assert_eq!(keys.keys().collect::<Vec<_>>(), known);
        for (key, property) in keys.iter().filter(|(key, _)| *key != "rules") {
            let listed = |name: &str| property[name].as_array().cloned().unwrap_or_default();
            let mut right = [listed("enum"), listed("examples")].concat();
            right.extend(property.get("default").cloned());
            assert!(!right.is_empty(), "{key}");
            for value in right {
                assert!(accepts(key, &value), "{key} = {value}");
            }
            // Values of another type, or an unknown word.
            for value in [
                Value::from(Vec::<u8>::new()),
                Value::from(-1),
                Value::from("?"),
                Value::from(true),
            ] {
                let is_right = match property["type"].as_str() {
                    // The only pattern matches a URL without a query.
                    Some("string") => value.is_string() && (property["pattern"].is_null() || value != "?"),
                    Some("boolean") => value.is_boolean(),
                    Some("array") => value.is_array(),
                    _ => false,
                };
                assert_eq!(accepts(key, &value), is_right, "{key} = {value}");
            }
        }
    }

    #[test]
    fn the_schema_has_every_engine() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let known = schema["properties"]["lint"]["properties"]["for"]["items"]["enum"].clone();
        assert_eq!(known, Value::from(Engine::ALL.map(Engine::as_str).to_vec()));
    }

    #[test]
    fn the_schema_has_every_rule_and_severity() {
        // The table of rules is written by the same variable.
        let schema = if env::var_os("WRITE_RULES").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sitemap.schema.json");
            let (before, rest) = SCHEMA.split_once("\"XML\",\n").unwrap();
            let indent = &before[before.rfind('\n').unwrap()..];
            let (_, after) = rest.split_once(']').unwrap();
            let ids = Rule::ALL.iter().map(|rule| format!("\"{}\"", rule.as_str()));
            let ids: Vec<_> = ids.collect();
            let (closing, separator) = (&indent[..indent.len() - 2], format!(",{indent}"));
            let text = format!("{before}{}{closing}]{after}", ids.join(&separator));
            fs::write(path, &text).unwrap();
            text
        } else {
            SCHEMA.to_owned()
        };
        let schema: Value = serde_json::from_str(&schema).unwrap();
        let rules = &schema["properties"]["lint"]["properties"]["rules"];
        let words = |schema: &Value| -> Vec<String> {
            let words = schema["enum"].as_array().unwrap().iter();
            words.map(|word| word.as_str().unwrap().to_owned()).collect()
        };
        let ids: Vec<_> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
        assert_eq!(words(&rules["propertyNames"]), ids);
        for word in words(&rules["additionalProperties"]) {
            assert!(severity(&word).is_ok(), "{word}");
        }
        assert!(severity("fatal").is_err());
        for known in ["note", "warning", "error"] {
            assert!(words(&rules["additionalProperties"]).contains(&known.to_owned()));
        }
    }
}

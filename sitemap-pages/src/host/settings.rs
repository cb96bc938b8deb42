//! The settings of hosts: `vercel.json`, `firebase.json`, `staticwebapp.config.json` and `netlify.toml`.

use std::collections::HashMap;
use std::path::Path;

use regex::Regex;
use serde_json::Value;
use serde_json::value::RawValue;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Place;
use super::headers::{Headers, Paths};
use super::json::{Json, items, members, value};
use super::pattern::{Pattern, Site};
use super::redirects::{Effect, Redirects, filled, is_same};
use super::source;
use crate::address::Form;

pub(crate) const VERCEL: &str = "vercel.json";
pub(crate) const FIREBASE: &str = "firebase.json";
pub(crate) const AZURE: &str = "staticwebapp.config.json";
pub(crate) const NETLIFY: &str = "netlify.toml";

/// A rule for paths.
#[derive(Debug)]
struct PathRule {
    place: Place,
    paths: Regex,
    /// The path, if it is a single one.
    literal: Option<String>,
    /// `None` if it leaves the page unchanged, and rules after it have no effect.
    effect: Option<Effect>,
}

/// The address forms that a host redirects other forms to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostForms {
    pub(crate) place: Place,
    /// Form of `about.html`.
    pub(crate) file: Option<Form>,
    /// Form of `about/index.html`.
    pub(crate) index: Option<Form>,
}

/// A problem of a setting, or the reason why it is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettingProblem {
    pub(crate) file: &'static str,
    pub(crate) line: Option<usize>,
    /// `true` if the host would not understand it either.
    pub(crate) is_wrong: bool,
    pub(crate) message: String,
}

/// The facts in the settings about pages.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    rules: Vec<PathRule>,
    /// The numbers of the rules for single paths, by these without slashes at their ends: a site that has moved has thousands.
    literals: HashMap<String, Vec<usize>>,
    /// The numbers of the other rules.
    patterns: Vec<usize>,
    netlify: Redirects,
    pub(crate) forms: Option<HostForms>,
}

/// Reads settings.
pub(super) struct SettingsReader<'a> {
    pub(super) settings: Settings,
    pub(super) headers: &'a mut Headers,
    pub(super) problems: Vec<SettingProblem>,
    /// The host of the site.
    pub(super) host: &'a str,
}

impl Settings {
    /// Returns the rule for a path on the site, and its effect.
    pub(crate) fn find(&self, site: Site<'_>, path: &str, is_page: bool) -> Option<(Place, Effect)> {
        if let Some((line, effect)) = self.netlify.find(site, path, is_page) {
            return Some((Place { file: NETLIFY, line }, effect));
        }
        let literals = self.literals.get(path.trim_end_matches('/'));
        let mut numbers = literals.cloned().unwrap_or_default();
        numbers.extend_from_slice(&self.patterns);
        numbers.sort_unstable();
        for rule in numbers.into_iter().filter_map(|number| self.rules.get(number)) {
            let Some(captures) = rule.paths.captures(path) else {
                continue;
            };
            let to = match &rule.effect {
                None => return None,
                Some(Effect::Gone(status)) => return Some((rule.place, Effect::Gone(*status))),
                Some(Effect::To(to)) => filled(to, |name| {
                    let number = name.parse().ok();
                    let found = number.map_or_else(|| captures.name(name), |number| captures.get(number));
                    // A group without a match is empty. The name of an unknown group stays as text.
                    let is_known = rule.paths.capture_names().flatten().any(|own| own == name)
                        || number.is_some_and(|number| number < captures.len());
                    is_known.then(|| found.map_or("", |found| found.as_str()))
                }),
            };
            if !is_same(&to, site, path) {
                return Some((rule.place, Effect::To(to)));
            }
        }
        None
    }

    /// Iterates over the redirects of single paths: place, path and address.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (Place, &str, &str)> {
        let netlify = self.netlify.literals();
        let netlify = netlify.map(|(line, path, to)| (Place { file: NETLIFY, line }, path, to));
        let rules = self
            .rules
            .iter()
            .filter_map(|rule| match (&rule.literal, &rule.effect) {
                (Some(path), Some(Effect::To(to))) => Some((rule.place, path.as_str(), to.as_str())),
                _ => None,
            });
        netlify.chain(rules)
    }
}

/// Returns the text of a member.
fn text<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.get(name)?.as_str()
}

/// Returns the path if a source is a single one.
fn literal(source: &str) -> Option<String> {
    let is_literal = source.starts_with('/') && !source.contains(|c| "*:()[]{}?+!@\\$^|".contains(c));
    is_literal.then(|| source.to_owned())
}

/// Returns a target with placeholders in this crate's form: `$1` becomes `:1`, and `:path*` becomes `:path`.
fn template(to: &str) -> String {
    let mut out = String::with_capacity(to.len());
    let mut chars = to.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '$' if chars.peek().is_some_and(char::is_ascii_digit) => out.push(':'),
            ':' => {
                out.push(':');
                let is_name = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
                let start = out.len();
                while let Some(c) = chars.next_if(is_name) {
                    out.push(c);
                }
                if out.len() > start {
                    chars.next_if(|c| "*+?".contains(*c));
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns `true` if a rule of Vercel holds for a host in every request. `None` if it depends on the request.
fn holds(rule: &Value, host: &str) -> Option<bool> {
    let mut holds = true;
    for (name, wanted) in [("has", true), ("missing", false)] {
        for condition in rule.get(name).and_then(Value::as_array).into_iter().flatten() {
            if text(condition, "type") != Some("host") {
                return None;
            }
            let is_host = source::whole(text(condition, "value")?)?.is_match(host);
            holds &= is_host == wanted;
        }
    }
    Some(holds)
}

impl SettingsReader<'_> {
    fn problem(
        &mut self,
        file: &'static str,
        line: Option<usize>,
        is_wrong: bool,
        message: impl Into<String>,
    ) {
        self.problems.push(SettingProblem {
            file,
            line,
            is_wrong,
            message: message.into(),
        });
    }

    fn json<'t>(&mut self, file: &'static str, json: Json<'t>) -> Option<&'t RawValue> {
        match json.document() {
            Ok(document) => Some(document),
            Err(error) => {
                let line = Some(error.line()).filter(|line| *line > 0);
                self.problem(file, line, true, format!("cannot be read: {error}"));
                None
            }
        }
    }

    fn rule(&mut self, place: Place, pattern: Option<Regex>, source: &str, effect: Option<Effect>) {
        match pattern {
            Some(paths) => {
                let literal = literal(source);
                let number = self.settings.rules.len();
                match &literal {
                    Some(path) => {
                        let path = path.trim_end_matches('/').to_owned();
                        self.settings.literals.entry(path).or_default().push(number);
                    }
                    None => self.settings.patterns.push(number),
                }
                self.settings.rules.push(PathRule {
                    place,
                    paths,
                    literal,
                    effect,
                });
            }
            None => {
                let message = format!("the pattern `{source}` is not understood here, and its rule not used");
                self.problem(place.file, Some(place.line), false, message);
            }
        }
    }

    /// Adds the headers of a rule: a list of `key` and `value`, or an object.
    fn headers(&mut self, place: Place, headers: Option<&Value>, paths: &Paths) {
        match headers {
            Some(Value::Array(list)) => {
                for header in list {
                    if let (Some(key), Some(value)) = (text(header, "key"), text(header, "value")) {
                        self.headers.add(place, key, value, || paths.clone());
                    }
                }
            }
            Some(Value::Object(object)) => {
                for (key, value) in object {
                    if let Some(value) = value.as_str() {
                        self.headers.add(place, key, value, || paths.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn says_of_pages(headers: Option<&Value>) -> bool {
        let text = headers
            .map(Value::to_string)
            .unwrap_or_default()
            .to_ascii_lowercase();
        text.contains("x-robots-tag") || text.contains("\"link\"")
    }

    pub(super) fn vercel(&mut self, text_of_file: &str) {
        let json = Json(text_of_file);
        let Some(document) = self.json(VERCEL, json) else {
            return;
        };
        let settings = members(document);
        let place = |raw: &RawValue| Place {
            file: VERCEL,
            line: json.line(raw),
        };
        for raw in settings.get("redirects").into_iter().flat_map(|raw| items(raw)) {
            let (rule, place) = (value(raw), place(raw));
            let (Some(source), Some(to)) = (text(&rule, "source"), text(&rule, "destination")) else {
                let message = "a redirect needs `source` and `destination`";
                self.problem(VERCEL, Some(place.line), true, message);
                continue;
            };
            if holds(&rule, self.host) == Some(true) {
                let effect = Effect::To(template(to));
                self.rule(place, source::vercel(source), source, Some(effect));
            }
        }
        for raw in settings.get("headers").into_iter().flat_map(|raw| items(raw)) {
            let (rule, place) = (value(raw), place(raw));
            let Some(source) = text(&rule, "source") else {
                self.problem(VERCEL, Some(place.line), true, "headers need `source`");
                continue;
            };
            let headers = rule.get("headers");
            if holds(&rule, self.host) == Some(true) && Self::says_of_pages(headers) {
                match source::vercel(source) {
                    Some(paths) => self.headers(place, headers, &Paths::Regex(paths)),
                    None => self.rule(place, None, source, None),
                }
            }
        }
        for raw in settings.get("routes").into_iter().flat_map(|raw| items(raw)) {
            self.vercel_route(&value(raw), place(raw));
        }
        let flag = |name: &str| {
            settings
                .get(name)
                .and_then(|raw| Some((*raw, value(raw).as_bool()?)))
        };
        let (clean, slash) = (flag("cleanUrls"), flag("trailingSlash"));
        self.forms(clean.or(slash).map(|(raw, _)| place(raw)), clean, slash);
    }

    /// Reads a rule of the older kind: `{ "src": "/old/(.*)", "status": 308, "headers": { "Location": "/new/$1" } }`.
    fn vercel_route(&mut self, rule: &Value, place: Place) {
        let Some(source) = text(rule, "src") else { return };
        if holds(rule, self.host) != Some(true) {
            return;
        }
        let headers = rule.get("headers");
        let status = rule.get("status").and_then(Value::as_u64).unwrap_or(200);
        let location = headers.and_then(Value::as_object).and_then(|headers| {
            let mut headers = headers.iter();
            headers.find_map(|(name, to)| name.eq_ignore_ascii_case("location").then(|| to.as_str())?)
        });
        match (status, location) {
            (300..400, Some(to)) => {
                let effect = Effect::To(template(to));
                self.rule(place, source::whole(source), "", Some(effect));
            }
            (404 | 410 | 451, _) => {
                let effect = u16::try_from(status).ok().map(Effect::Gone);
                self.rule(place, source::whole(source), "", effect);
            }
            _ if Self::says_of_pages(headers) => {
                if let Some(paths) = source::whole(source) {
                    self.headers(place, headers, &Paths::Regex(paths));
                }
            }
            _ => {}
        }
    }

    /// Sets the forms of addresses, by Vercel's and Firebase's settings for them.
    fn forms(
        &mut self,
        place: Option<Place>,
        clean: Option<(&RawValue, bool)>,
        slash: Option<(&RawValue, bool)>,
    ) {
        let Some(place) = place else { return };
        let is_clean = clean.is_some_and(|(_, is_clean)| is_clean);
        let slash = slash.map(|(_, has_slash)| has_slash);
        self.settings.forms = Some(HostForms {
            place,
            file: is_clean.then_some(if slash == Some(true) {
                Form::Folder
            } else {
                Form::Clean
            }),
            index: slash.map(|has_slash| if has_slash { Form::Folder } else { Form::Slashless }),
        });
    }

    /// Reads `firebase.json`. Its folder is `project`, and the folder of the pages is `root`.
    pub(super) fn firebase(&mut self, text_of_file: &str, project: &Path, root: &Path) {
        let json = Json(text_of_file);
        let Some(document) = self.json(FIREBASE, json) else {
            return;
        };
        let Some(hosting) = members(document).get("hosting").copied() else {
            return;
        };
        let sites = if hosting.get().trim_start().starts_with('[') {
            items(hosting)
        } else {
            vec![hosting]
        };
        let place_of = |path: &Path| path.canonicalize().ok();
        let is_folder = |site: &&&RawValue| {
            let site = value(site);
            let public = text(&site, "public").map(|public| project.join(public));
            public.is_some_and(|public| place_of(&public) == place_of(root))
        };
        let site = match sites.as_slice() {
            [site] => Some(*site),
            sites => sites.iter().find(is_folder).copied(),
        };
        let Some(site) = site else {
            let message = format!(
                "has {} sites, and none of them is built in this folder by its `public`",
                sites.len()
            );
            return self.problem(FIREBASE, None, false, message);
        };
        let settings = members(site);
        let place = |raw: &RawValue| Place {
            file: FIREBASE,
            line: json.line(raw),
        };
        // A glob or a regular expression.
        let pattern = |rule: &Value| -> Option<(String, Option<Regex>)> {
            let source = text(rule, "source").or(text(rule, "glob"));
            let of_source = source.map(|source| (source.to_owned(), source::firebase(source)));
            of_source.or_else(|| {
                let regex = text(rule, "regex")?;
                Some((regex.to_owned(), source::part(regex)))
            })
        };
        for raw in settings.get("redirects").into_iter().flat_map(|raw| items(raw)) {
            let (rule, place) = (value(raw), place(raw));
            let (Some((source, paths)), Some(to)) = (pattern(&rule), text(&rule, "destination")) else {
                let message = "a redirect needs `source` or `regex`, and `destination`";
                self.problem(FIREBASE, Some(place.line), true, message);
                continue;
            };
            let effect = Effect::To(template(to));
            self.rule(place, paths, &source, Some(effect));
        }
        for raw in settings.get("headers").into_iter().flat_map(|raw| items(raw)) {
            let (rule, place) = (value(raw), place(raw));
            let headers = rule.get("headers");
            let Some((source, paths)) = pattern(&rule) else {
                self.problem(
                    FIREBASE,
                    Some(place.line),
                    true,
                    "headers need `source` or `regex`",
                );
                continue;
            };
            if Self::says_of_pages(headers) {
                match paths {
                    Some(paths) => self.headers(place, headers, &Paths::Regex(paths)),
                    None => self.rule(place, None, &source, None),
                }
            }
        }
        let flag = |name: &str| {
            settings
                .get(name)
                .and_then(|raw| Some((*raw, value(raw).as_bool()?)))
        };
        let (clean, slash) = (flag("cleanUrls"), flag("trailingSlash"));
        self.forms(clean.or(slash).map(|(raw, _)| place(raw)), clean, slash);
    }

    pub(super) fn azure(&mut self, text_of_file: &str) {
        let json = Json(text_of_file);
        let Some(document) = self.json(AZURE, json) else {
            return;
        };
        let settings = members(document);
        let place = |raw: &RawValue| Place {
            file: AZURE,
            line: json.line(raw),
        };
        for raw in settings.get("routes").into_iter().flat_map(|raw| items(raw)) {
            let (rule, place) = (value(raw), place(raw));
            let Some(route) = text(&rule, "route") else {
                self.problem(AZURE, Some(place.line), true, "a route needs `route`");
                continue;
            };
            let methods = rule.get("methods").and_then(Value::as_array);
            let is_get = |method: &Value| {
                method
                    .as_str()
                    .is_some_and(|method| method.eq_ignore_ascii_case("GET"))
            };
            if methods.is_some_and(|methods| !methods.iter().any(is_get)) {
                continue;
            }
            let status = rule.get("statusCode").and_then(Value::as_u64);
            let effect = match (text(&rule, "redirect"), status) {
                (Some(to), _) => Some(Effect::To(to.to_owned())),
                (None, Some(status @ 400..500)) => u16::try_from(status).ok().map(Effect::Gone),
                _ => None,
            };
            let paths = source::azure(route);
            let headers = rule.get("headers");
            if let Some(paths) = paths.clone().filter(|_| Self::says_of_pages(headers)) {
                self.headers(place, headers, &Paths::Regex(paths));
            }
            self.rule(place, paths, route, effect);
        }
        if let Some(raw) = settings.get("globalHeaders") {
            self.headers(place(raw), Some(&value(raw)), &Paths::All);
        }
        if let Some(raw) = settings.get("trailingSlash") {
            let (file, index) = match value(raw).as_str() {
                Some("always") => (Form::Folder, Form::Folder),
                Some("never") => (Form::Clean, Form::Slashless),
                _ => return,
            };
            self.settings.forms = Some(HostForms {
                place: place(raw),
                file: Some(file),
                index: Some(index),
            });
        }
    }

    pub(super) fn netlify(&mut self, text_of_file: &str) {
        let line = |at: usize| {
            let before = text_of_file.as_bytes().get(..at).unwrap_or_default();
            memchr::memchr_iter(b'\n', before).count() + 1
        };
        let table = match DeTable::parse(text_of_file) {
            Ok(table) => table,
            Err(error) => {
                let line = error.span().map(|span| line(span.start));
                return self.problem(
                    NETLIFY,
                    line,
                    true,
                    format!("cannot be read: {}", error.message()),
                );
            }
        };
        let list = |name: &str| -> &[Spanned<DeValue<'_>>] {
            let list = table
                .get_ref()
                .get(name)
                .and_then(|value| value.get_ref().as_array());
            list.map_or(&[], |list| list)
        };
        self.settings.netlify = Redirects::of_netlify(list("redirects"), line);
        for line in self.settings.netlify.unknown_lines().to_vec() {
            let message = "a redirect needs `from` and `to`, and a number as `status`";
            self.problem(NETLIFY, Some(line), true, message);
        }
        for rule in list("headers") {
            let place = Place {
                file: NETLIFY,
                line: line(rule.span().start),
            };
            let table = rule.get_ref().as_table();
            let path = table.and_then(|table| table.get("for")?.get_ref().as_str());
            let (Some(table), Some(path)) = (table, path) else {
                self.problem(NETLIFY, Some(place.line), true, "headers need `for`");
                continue;
            };
            let values = table.get("values").and_then(|values| values.get_ref().as_table());
            for (name, value) in values.into_iter().flatten() {
                let one = std::slice::from_ref(value);
                for value in value.get_ref().as_array().map_or(one, |list| list) {
                    if let Some(value) = value.get_ref().as_str() {
                        let paths = || Paths::Pattern(Pattern::parse(path));
                        self.headers.add(place, name.get_ref(), value, paths);
                    }
                }
            }
        }
    }
}

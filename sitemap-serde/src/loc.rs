//! The rules for URLs in a sitemap, for reader and writer: P-LOC, P-LOCLEN, P-LOCENC, P-IDN, P-HOST, P-PATH.
//!
//! **URLs are checked and encoded in one place**. A loc that is ASCII, legal and in scope is recognised in one pass of vectorised
//! comparisons and written unchanged. A path that needs encoding is classified sixteen bytes at a time, too, and an authority that is no
//! plain name (an internationalized host, an IPv6 address) is checked and encoded once for the URLs that follow on the same site
//! (`buffer`). Every other loc is split (`sitemap_values::url`), its site checked (`site`), and it is encoded in the server's encoding
//! (`charset`, `encode`), and checked against the document's scope (`scope`). A template's values are encoded when they are inserted, so
//! that nothing is encoded twice. The crate percent-encoding supports only UTF-8 and upper case, so it is used only for decoding, in
//! `FromSitemapEntry`. The tests compare to it and to Python's codecs.
//!
//! A type can declare its own base or encoding, which overrides them for its entries (`loc/mount`). The document's scope still applies.
//! The writer makes the rules once for each such type.
//!
//! **Locs and links, written or built from a template, have a function each.** One for both, by a parameter, costs 3.6 % more instructions
//! for a loc with an internationalized host, or 3.8 % for an entry with twelve links, depending on what is inlined.
//!
//! | file | content |
//! |---|---|
//! | this file | `LocRules`: the rules of a document, and each way of checking, writing and encoding a URL |
//! | `site`, `origin`, `scope`, `base` | the beginning of a URL with its host; the site of a URL; the document's scope; the base, to which paths are appended |
//! | `mount` | a type's own base and encoding |
//! | `absolute`, `encode`, `charset`, `class` | encoding an absolute URL; percent-encoding; in a server's encoding; by the classes of its bytes |
//! | `template`, `buffer` | a loc built of a template and values; the buffer for both, with the last sites |
//! | `resolve`, `rebase` | relative URLs; URLs that move to another base |
//! | `spelling` | URLs that are written in another way than they are spelt |
//! | `normal`, `unchecked` | the normal form of a URL, by which URLs are compared; locs that lenient reading keeps as they are |
//! | `problem` | what is wrong with a loc, and each message |

mod absolute;
mod base;
mod buffer;
mod charset;
mod class;
mod encode;
mod mount;
mod normal;
mod origin;
mod problem;
mod rebase;
mod resolve;
mod scope;
mod site;
mod spelling;
mod template;
mod unchecked;

use sitemap_values::Rule;
use sitemap_values::quote::quote;
use sitemap_values::url::{MAX_CHARS, Parts};

use crate::engine::Engine;
use crate::error::{Advice, Error, Facts, Message, Result, Step};
use crate::model::Kind;

pub(crate) use self::buffer::UrlBuffer;
pub(crate) use self::mount::{CurrentRules, LocOverrides, MountedRules};
#[cfg(feature = "derive")]
pub use self::mount::{Mount, encoding};
pub use self::normal::normal_form;
pub(crate) use self::normal::{is_same, same_host, same_site};
pub(crate) use self::rebase::{BaseChange, check_longer};
pub(crate) use self::resolve::{Address, has_placeholder, is_template, unfilled};
pub(crate) use self::spelling::{misspelt, written};
pub(crate) use self::template::TemplateUrl;
pub(crate) use self::unchecked::{afresh, keeping};

use self::absolute::{check_encodable, check_ends, encode_absolute, encode_rest, is_space, push_rest};
use self::base::Base;
use self::buffer::text;
use self::charset::Charset;
use self::class::Legality;
use self::encode::Encoder;
pub use self::encode::encode_segment;
use self::problem::LocProblem;
use self::scope::Scope;
use self::site::plain_site;

/// Checks a loc that was read: absolute, with a scheme and a host, at most 2,048 characters. Characters that the writer
/// would percent-encode (an IRI's, a space, a `{`) are accepted; control characters, and invisible ones at either end,
/// are errors. Within `keeping` its loc is accepted.
pub fn check(loc: &str) -> Result<()> {
    match problem(loc) {
        Err(found) if !unchecked::is_kept(loc) => {
            let explain = |found: &Facts| match problem(found.text()) {
                Err(problem) => problem.message_when_reading(found.text()),
                Ok(()) => Message::new(""),
            };
            Err(Error::value(loc, explain)
                .breaks(found.rule())
                .with_defect(found.defect()))
        }
        _ => Ok(()),
    }
}

/// Checks a URL that was read and is not a loc (an image's, a player's): as [`check`], but of any length.
pub(crate) fn check_link(url: &str) -> Result<()> {
    match problem(url) {
        Ok(()) | Err(LocProblem::Long(_)) => Ok(()),
        Err(_) => Err(Error::value(url, |found| match problem(found.text()) {
            Err(problem) => problem.message_for_link(found.text()),
            Ok(()) => Message::new(""),
        })),
    }
}

/// The host of a URL.
pub fn host(url: &str) -> Option<&str> {
    Parts::of(url).map(|parts| parts.host())
}

/// The path, query and fragment of an absolute URL; `/` if they are empty.
pub fn path_of(url: &str) -> Option<&str> {
    Parts::of(url).map(|parts| or_slash(&url[parts.rest..]))
}

/// RFC 3986 section 6.2.3: for the web an empty path means `/`.
fn or_slash(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}

fn problem(loc: &str) -> Result<(), LocProblem> {
    check_encodable(loc)?;
    check_ends(loc)?;
    if loc.len() > MAX_CHARS {
        check_length(loc.chars().count())?;
    }
    if plain_site(loc).is_some() {
        return Ok(());
    }
    match Parts::of(loc) {
        Some(parts) => Ok(parts.check_authority()?),
        None => Err(LocProblem::of_relative(loc)),
    }
}

fn check_length(chars: usize) -> Result<(), LocProblem> {
    if chars > MAX_CHARS {
        Err(LocProblem::Long(chars))
    } else {
        Ok(())
    }
}

/// Percent-encodes a URL reference of any kind, absolute or not, in UTF-8.
pub fn encode_reference(url: &str) -> String {
    let (url, encoder) = (url.trim_matches(is_space), Encoder::default());
    let mut out = UrlBuffer::default();
    if encode_absolute(encoder, url, &mut out).is_err() {
        out.bytes.clear();
        // UTF-8 has every character.
        let _ = push_rest(encoder, url, &mut out.bytes);
    }
    out.text().to_owned()
}

/// The user's settings for the URLs of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocSettings {
    /// URL that paths are appended to.
    pub(crate) base: Option<String>,
    /// URL of the document itself.
    pub(crate) location: Option<String>,
    /// The name of the encoding that the server decodes its URLs in.
    pub(crate) encoding: Option<String>,
    pub(crate) lowercase_hex: bool,
    pub(crate) cross_submission: bool,
    /// The maximum length of a loc in bytes for an engine.
    pub(crate) engine: Option<(Engine, usize)>,
    /// The base's name in errors, if it is not a setting of the writer or reader.
    pub(crate) base_name: Option<&'static str>,
}

/// Checks and encodes locs by the settings of a document.
#[derive(Debug)]
pub(crate) struct LocRules {
    /// `Err` holds invalid settings, which are reported at the first loc.
    rules: Result<Rules, LocSettings>,
}

#[derive(Clone, Debug)]
struct Rules {
    base: Option<Base>,
    scope: Scope,
    /// `true` if every URL that begins with the base is in scope.
    base_in_scope: bool,
    encoder: Encoder,
    engine: Option<(Engine, usize)>,
    /// A loc with at most this many bytes is never too long.
    short: usize,
}

/// An encoded URL, ready to be written to a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Url<'a> {
    /// ASCII, and legal in a URL.
    pub(crate) bytes: &'a [u8],
    /// No byte needs escaping in XML: there is no `&` and no `'`.
    pub(crate) plain: bool,
}

/// An encoded URL that is not a loc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'a> {
    pub(crate) text: &'a str,
    /// `true` if no byte is known to need escaping in XML.
    pub(crate) is_plain: bool,
}

impl<'a> Url<'a> {
    fn of(url: &'a str) -> Self {
        Url {
            bytes: url.as_bytes(),
            plain: !class::has_escaped(url.as_bytes()),
        }
    }
}

impl LocRules {
    pub(crate) fn new(settings: &LocSettings) -> Self {
        LocRules {
            rules: Rules::new(settings).map_err(|_| settings.clone()),
        }
    }

    /// The rules of a reader, whose only setting is its base.
    pub(crate) fn of_base(base: Option<&str>) -> Self {
        LocRules::new(&LocSettings {
            base: base.map(str::to_owned),
            ..LocSettings::default()
        })
    }

    /// Returns an error if the settings are invalid.
    pub(crate) fn check(&self) -> Result<()> {
        self.rules().map(drop)
    }

    #[inline]
    fn rules(&self) -> Result<&Rules> {
        match &self.rules {
            Ok(rules) => Ok(rules),
            Err(settings) => Err(wrong(settings)),
        }
    }

    /// The part of a loc after the base, or after the host if there is no base; `None` if the loc does not begin with the
    /// base.
    pub(crate) fn path_of<'a>(&self, loc: &'a str) -> Result<Option<&'a str>> {
        let rules = self.rules()?;
        Ok(match &rules.base {
            Some(base) => base.path_of(loc, rules.encoder),
            None => path_of(loc),
        })
    }

    /// Resolves `loc` against the base, encodes it and checks it.
    ///
    /// Returns `loc` itself if it needs no change, else builds the URL in `out`.
    #[inline]
    pub(crate) fn apply<'a>(&self, loc: &'a str, kind: Kind, out: &'a mut UrlBuffer) -> Result<Url<'a>> {
        let rules = self.rules()?;
        if loc.len() > rules.short {
            return rules.apply(loc, kind, out);
        }
        let found = Legality::of(loc);
        if !found.legal {
            return rules.apply(loc, kind, out);
        }
        if !rules.scope.surely_holds(loc) {
            if plain_site(loc).is_none() {
                return rules.apply(loc, kind, out);
            }
            rules.scope.check(loc, kind)?;
        }
        Ok(Url {
            bytes: loc.as_bytes(),
            plain: found.plain,
        })
    }

    /// Like [`apply`](Self::apply), for a URL that is not a loc (an image's, a player's): on any site, of any length.
    pub(crate) fn apply_link<'a>(&self, url: &'a str, out: &'a mut UrlBuffer) -> Result<Link<'a>> {
        let rules = self.rules()?;
        let found = Legality::of(url);
        if found.legal && plain_site(url).is_some() {
            return Ok(Link {
                text: url,
                is_plain: found.plain,
            });
        }
        rules
            .encode(url, out)
            .map_err(|problem| problem.explain_link(url, rules.base.is_some()))?;
        Ok(Link {
            text: out.text(),
            is_plain: false,
        })
    }

    /// Like [`apply_template`](Self::apply_template), for a URL that is not a loc.
    #[cfg(feature = "derive")]
    pub(crate) fn apply_link_template<'a>(
        &self,
        out: &'a mut Vec<u8>,
        encoded: &'a mut UrlBuffer,
        build: impl for<'t> FnOnce(TemplateUrl<'t>) -> Result<TemplateUrl<'t>>,
    ) -> Result<&'a str> {
        let rules = self.rules()?;
        out.clear();
        let base = rules.base.as_ref().map_or("", |base| base.url.as_str());
        out.extend_from_slice(base.as_bytes());
        let known = build(TemplateUrl::new(out, rules.encoder).of_link())?.finish()?;
        let own = out.get(base.len()..).unwrap_or_default();
        let is_path = own.starts_with(b"/") && !own.starts_with(b"//");
        if !known.legal || base.is_empty() || !is_path {
            return self
                .apply_link(text(out, base.len()), encoded)
                .map(|link| link.text);
        }
        Ok(text(out, 0))
    }

    /// Makes a URL of the literals and values that `build` gives to the template.
    ///
    /// The URL is built in `out`; if it must then be encoded as a whole, the result is in `encoded`.
    #[inline]
    pub(crate) fn apply_template<'a>(
        &self,
        kind: Kind,
        out: &'a mut Vec<u8>,
        encoded: &'a mut UrlBuffer,
        build: impl for<'t> FnOnce(TemplateUrl<'t>) -> Result<TemplateUrl<'t>>,
    ) -> Result<Url<'a>> {
        let rules = self.rules()?;
        out.clear();
        let (base, base_plain) = match &rules.base {
            Some(base) => (base.url.as_str(), base.plain),
            None => ("", true),
        };
        out.extend_from_slice(base.as_bytes());
        let known = build(TemplateUrl::new(out, rules.encoder))?.finish()?;
        let own = out.get(base.len()..).unwrap_or_default();
        let is_path = own.starts_with(b"/") && !own.starts_with(b"//");
        if !known.legal || base.is_empty() || !is_path {
            return self.apply(text(out, base.len()), kind, encoded);
        }
        rules
            .check_length(out.len())
            .map_err(|problem| problem.explain(text(out, 0)))?;
        if !rules.base_in_scope {
            rules.scope.check(text(out, 0), kind)?;
        }
        Ok(Url {
            bytes: out,
            plain: known.plain && base_plain,
        })
    }
}

#[cold]
fn wrong(settings: &LocSettings) -> Error {
    match Rules::new(settings) {
        Err(error) => match settings.base_name {
            None => error.in_settings(),
            Some(name) => error.in_settings().within(Step::other(name)),
        },
        Ok(_) => Error::settings("the writer's settings are wrong"),
    }
}

impl Rules {
    fn new(settings: &LocSettings) -> Result<Self> {
        let charset = match &settings.encoding {
            Some(label) => Charset::of_label(label)?,
            None => Charset::default(),
        };
        let encoder = Encoder {
            charset,
            lowercase: settings.lowercase_hex,
        };
        let base = match &settings.base {
            Some(base) => Some(Base::parse(base, encoder)?),
            None => None,
        };
        let mut rules = Rules {
            base,
            scope: Scope::Everywhere,
            base_in_scope: false,
            encoder,
            engine: settings.engine,
            short: settings.engine.map_or(MAX_CHARS, |(_, most)| most.min(MAX_CHARS)),
        };
        if let Some(location) = &settings.location {
            let mut url = UrlBuffer::default();
            rules
                .encode(location.trim_matches(is_space), &mut url)
                .map_err(|problem| not_an_address(location, problem))?;
            rules.scope = Scope::of_location(url.text());
        } else if let Some(base) = &rules.base {
            rules.scope = Scope::Site {
                base: base.url.clone(),
                origin: base.origin.clone(),
            };
        }
        if settings.cross_submission {
            rules.scope = Scope::Everywhere;
        }
        Ok(rules.with_base_in_scope())
    }

    fn with_base_in_scope(mut self) -> Self {
        let base = self.base.as_ref();
        self.base_in_scope = base.is_some_and(|base| self.scope.holds_base(&base.origin));
        self
    }

    /// The rules of a type that has its own base or encoding.
    fn mounted(&self, overrides: LocOverrides) -> Result<Self> {
        let mut rules = self.clone();
        if let Some(label) = overrides.encoding {
            rules.encoder.charset = Charset::of_label(label)?;
        }
        if let Some(base) = overrides.base {
            rules.base = Some(Base::parse(base, rules.encoder)?);
        }
        Ok(rules.with_base_in_scope())
    }

    /// The slow path of [`LocRules::apply`], for a loc that may need changes.
    fn apply<'a>(&self, loc: &'a str, kind: Kind, out: &'a mut UrlBuffer) -> Result<Url<'a>> {
        // White space around a loc is ignored.
        let given = loc.len();
        let loc = loc.trim_matches(is_space);
        let as_it_stands = || loc.len() <= MAX_CHARS && plain_site(loc).is_some() && Legality::of(loc).legal;
        let url = if loc.len() < given && as_it_stands() {
            loc
        } else {
            self.encode(loc, out)
                .map_err(|problem| problem.explain_written(loc, self.base.is_some()))?;
            out.text()
        };
        self.check_length(url.len()).map_err(|problem| {
            // A path is easier to recognise with its base in front; a URL is harder to recognise percent-encoded.
            problem.explain(if loc.starts_with('/') { url } else { loc })
        })?;
        self.scope.check(url, kind)?;
        Ok(Url::of(url))
    }

    /// Checks the length of an encoded URL, which is ASCII.
    fn check_length(&self, len: usize) -> Result<(), LocProblem> {
        check_length(len)?;
        match self.engine {
            Some((engine, most)) if len > most => Err(LocProblem::LongFor(engine, len, most)),
            _ => Ok(()),
        }
    }

    /// Encodes an absolute URL, or appends a path to the base and encodes it.
    fn encode(&self, loc: &str, out: &mut UrlBuffer) -> Result<(), LocProblem> {
        out.bytes.clear();
        match &self.base {
            // `//` begins a host, not a path (RFC 3986 section 4.2).
            Some(base) if loc.starts_with('/') && !loc.starts_with("//") => {
                check_ends(loc)?;
                out.bytes.extend_from_slice(base.url.as_bytes());
                encode_rest(self.encoder, loc, &mut out.bytes)
            }
            _ => encode_absolute(self.encoder, loc, out),
        }
    }
}

#[cold]
fn not_an_address(location: &str, problem: LocProblem) -> Error {
    match problem {
        LocProblem::Empty
        | LocProblem::Relative
        | LocProblem::NoScheme
        | LocProblem::NoHost
        | LocProblem::Scheme => Error::data(
            Message::new(format!(
                "{} is not where a sitemap can be: that is an absolute URL of http or https, such as \
                     `https://example.com/sitemap.xml`",
                quote(location)
            ))
            .advice(Advice::of_api(
                "WriterBuilder::location",
                "correct the writer's location, which may begin with `/` if there is a base",
            )),
        )
        .breaks(Rule::Path),
        problem => problem.explain(location),
    }
}

#[cfg(test)]
mod tests;

//! Answering requests.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use tokio::time::timeout;
use tracing::warn;

use super::address::Parsed;
use super::body::Body;
use super::conditional::Validators;
use super::encoding::Encoding;
use super::headers::Lifetime;
use super::parts::Found;
use super::refusal::Refusal;
use super::rendered::{Content, Rendered};
use super::turns::RUNNING;
use super::{Inner, Site, address, headers, index};
use crate::hash::ContentHash;
use crate::key::Key;
use crate::source::{Span, caught};
use crate::stylesheet::STYLESHEET;
use crate::time::now;

/// Waiting time before a request is logged.
const SLOW: Duration = Duration::from_secs(3);

/// The resource at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Resource {
    /// A document of the index.
    Index(usize),
    Part(usize, Span),
    /// A part whose end is the hash of an unknown key, with its name as the key of a range.
    Unknown(usize, Span),
    Html,
    /// The pages above a key of a section, for people.
    Links(usize, Span),
    Stylesheet,
    IndexNowKey,
    RobotsTxt,
}

/// The relevant parts of a request.
pub(super) struct Asked {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) headers: HeaderMap,
}

impl Asked {
    pub(super) fn by<B>(request: &Request<B>) -> Self {
        Asked {
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            headers: request.headers().clone(),
        }
    }

    /// The name of the requested resource, below the base's path, or below the root if the framework has stripped the base's path.
    pub(super) fn name(&self, base_path: &str) -> Option<&str> {
        let below = self.path.strip_prefix(base_path);
        let below = below.filter(|name| name.starts_with('/'));
        below.unwrap_or(&self.path).strip_prefix('/')
    }
}

impl Site {
    /// The response to a request, for handwritten handlers; the service does the same.
    ///
    /// The request's body is not read. Its path begins with the path of the base (`/shop/sitemap.xml`), or does not if the framework has
    /// stripped it (`/sitemap.xml`).
    pub fn respond<B>(
        &self,
        request: &Request<B>,
    ) -> impl Future<Output = Response<Body>> + Send + 'static + use<B> {
        let asked = Asked::by(request);
        let site = Arc::clone(&self.0);
        async move { site.respond(asked).await }
    }
}

impl Inner {
    async fn respond(self: Arc<Self>, asked: Asked) -> Response<Body> {
        self.stats.request();
        let name = asked.name(&self.base_path).map(address::decode_unreserved);
        let resource = name.and_then(|name| self.resource(&name));
        let Some(resource) = resource else {
            self.mount.check_folder(&asked.path, &self.base, &self.base_path);
            return refuse(&asked.method, Refusal::NO_SUCH_ADDRESS);
        };
        if asked.method != Method::GET && asked.method != Method::HEAD {
            return not_allowed(&asked.method);
        }
        // The first rendering would panic outside of a runtime.
        if tokio::runtime::Handle::try_current().is_err() {
            tracing::error!(
                "the sitemap was requested outside of a tokio runtime, which is needed to render it"
            );
            return refuse(&asked.method, Refusal::Internal("it cannot be rendered"));
        }
        let waited = resource.clone();
        let answer = async {
            match resource {
                Resource::Index(at) => self.answer_index(at, &asked).await,
                Resource::Part(section, span) => self.answer_part((section, span), &asked).await,
                Resource::Unknown(section, name) => Err(self.unknown_range(section, &name)),
                Resource::Html => {
                    let page = match self.up_to_date().await {
                        Ok(()) => self.html_page(),
                        Err(refusal) => Err(refusal),
                    };
                    self.answer_html(page, &asked)
                }
                Resource::Links(section, span) => {
                    let page = self.links_page(&(section, span)).await;
                    self.answer_html(page, &asked)
                }
                Resource::Stylesheet => Ok(self.answer_text(headers::CSS, STYLESHEET.into(), &asked)),
                Resource::IndexNowKey => {
                    let key = self.index_now_key.clone().unwrap_or_default();
                    Ok(self.answer_text(headers::TEXT, key.into(), &asked))
                }
                Resource::RobotsTxt => {
                    let lines = self.robots_lines(self.index.count());
                    let text = self.robots_txt.as_ref().map(|robots| robots.text(&lines));
                    Ok(self.answer_text(headers::TEXT, text.unwrap_or_default().into(), &asked))
                }
            }
        };
        let answer = caught(self.warn_if_slow(&asked.path, &waited, answer)).await;
        let answer = answer.unwrap_or_else(|panicked| {
            tracing::error!(
                path = asked.path,
                "a response of the sitemap cannot be made: {panicked}"
            );
            self.stats.failure();
            Err(Refusal::Internal("the response cannot be made"))
        });
        answer.unwrap_or_else(|refusal| refuse(&asked.method, refusal))
    }

    /// Waits for a response, and warns if it takes long.
    async fn warn_if_slow<T>(&self, path: &str, of: &Resource, answer: impl Future<Output = T>) -> T {
        let mut answer = pin!(answer);
        if let Ok(answer) = timeout(SLOW, &mut answer).await {
            return answer;
        }
        if self.quiet.slow.allows() {
            warn!(
                path,
                "a request has been waiting for {SLOW:?}{}",
                self.waits_for(of)
            );
        }
        answer.await
    }

    /// The reason why a request waits, as the end of a message.
    fn waits_for(&self, resource: &Resource) -> String {
        let slow = "the source's queries are slow, and may lack an index of the key";
        match resource {
            Resource::Part(section, span) => match self.running.time(&(*section, span.clone())) {
                Some(time) => {
                    let time = time.min(SLOW);
                    format!(
                        ", {:.1?} for its turn and {time:.1?} for its rows: {slow}",
                        SLOW.saturating_sub(time)
                    )
                }
                None => format!(
                    " for its turn: {} renderings are running or waiting, and {RUNNING} run at the same time",
                    self.turns.pending()
                ),
            },
            _ if !self.upkeep.is_loaded() => " for the store of the table of parts".to_owned(),
            _ => format!(" for the count of the rows: {slow}"),
        }
    }

    /// Parses the name of a part as a section and a range.
    pub(super) fn parse(&self, name: &str) -> Option<(usize, Parsed)> {
        let at = |name: &str| self.sections.iter().position(|section| section.name == name);
        let resolve = |section: &str, end: &str| {
            let section = self.sections.get(at(section)?)?;
            section.table.lock().hashed_end(end)
        };
        let (section, parsed) = self.addresses.parse(name, resolve)?;
        Some((at(section)?, parsed))
    }

    /// The refusal for a name whose range only a table with such a part knows. Another instance, or the index of yesterday, may have it.
    fn unknown_range(self: &Arc<Self>, at: usize, name: &Span) -> Refusal {
        self.begin(at);
        let Some(section) = self.sections.get(at) else {
            return Refusal::NO_SUCH_ADDRESS;
        };
        let mut parts = section.table.lock();
        if !parts.complete {
            Refusal::UNCOUNTED
        } else if parts.former.may_be_listed(name) {
            Refusal::REPLACED
        } else {
            Refusal::OUTGROWN
        }
    }

    fn resource(&self, name: &str) -> Option<Resource> {
        match name {
            "sitemap.html" if self.html.is_some() => return Some(Resource::Html),
            "robots.txt" if self.robots_txt.is_some() => return Some(Resource::RobotsTxt),
            "sitemap.css" if self.html.is_some() => return Some(Resource::Stylesheet),
            _ => {}
        }
        if self.html.is_some()
            && let Some(stem) = name.strip_suffix(".html")
        {
            let part = format!("{stem}.xml");
            return match self.parse(&part)? {
                (section, Parsed::Span(span)) if span.to.is_none() => Some(Resource::Links(section, span)),
                _ => None,
            };
        }
        if let Some(at) = index::parse_name(name) {
            return Some(Resource::Index(at));
        }
        match self.parse(name) {
            Some((section, Parsed::Span(span))) => return Some(Resource::Part(section, span)),
            Some((section, Parsed::Unknown)) => {
                let placeholder = Span::new(None, Key::from(name));
                return Some(Resource::Unknown(section, placeholder));
            }
            None => {}
        }
        let key = self.index_now_key.as_deref();
        (key.is_some() && name.strip_suffix(".txt") == key).then_some(Resource::IndexNowKey)
    }

    async fn answer_index(self: &Arc<Self>, at: usize, asked: &Asked) -> Result<Response<Body>, Refusal> {
        self.up_to_date().await?;
        let (documents, changed, stale) = self.documents().await?;
        if !self.flat.is_enabled {
            self.mount.index_sent(&self.base);
        }
        let rendered = documents
            .get(at)
            .map(Arc::clone)
            .ok_or(Refusal::NO_SUCH_ADDRESS)?;
        let found = Found {
            hash: rendered.hash,
            changed,
            rendered: Some(rendered),
            stale,
        };
        Ok(self.count(found.answer(headers::XML, self.lifetime, asked)))
    }

    async fn answer_part(
        self: &Arc<Self>,
        id: super::PartId,
        asked: &Asked,
    ) -> Result<Response<Body>, Refusal> {
        self.mount.part_requested();
        let encoding = Encoding::negotiated(&asked.headers);
        let has = |hash, changed| validators(hash, encoding, changed).match_those_of(&asked.headers);
        let lifetime = self.lifetime(id.0);
        let found = self.part(id, has).await?;
        Ok(self.count(found.answer(headers::XML, lifetime, asked)))
    }

    /// Counts 304 responses.
    fn count(&self, response: Response<Body>) -> Response<Body> {
        if response.status() == StatusCode::NOT_MODIFIED {
            self.stats.not_modified();
        }
        response
    }

    fn answer_html(
        &self,
        page: Result<Arc<Rendered>, Refusal>,
        asked: &Asked,
    ) -> Result<Response<Body>, Refusal> {
        let page = page?;
        let found = Found {
            hash: page.hash,
            changed: None,
            rendered: Some(page),
            stale: None,
        };
        let mut response = self.count(found.answer(headers::HTML, self.lifetime, asked));
        if self.html.as_ref().is_some_and(|html| html.layout.is_some()) {
            // The resources of the site's own page are unknown here.
            response
                .headers_mut()
                .remove(http::header::CONTENT_SECURITY_POLICY);
        }
        Ok(response)
    }

    /// The response with a small text, uncompressed.
    fn answer_text(
        &self,
        content_type: &'static str,
        text: Cow<'static, str>,
        asked: &Asked,
    ) -> Response<Body> {
        let hash = ContentHash::of(text.as_bytes());
        let validators = validators(hash, Encoding::Identity, None);
        let bytes = Bytes::from(text.into_owned());
        self.count(answer_bytes(
            content_type,
            &validators,
            bytes,
            self.lifetime,
            asked,
        ))
    }
}

impl Found {
    /// The response with a gzip document, or 304 if the client has it.
    pub(super) fn answer(
        self,
        content_type: &'static str,
        lifetime: Lifetime,
        asked: &Asked,
    ) -> Response<Body> {
        let encoding = Encoding::negotiated(&asked.headers);
        let validators = validators(self.hash, encoding, self.changed);
        let mut response = match self.rendered {
            Some(rendered) if !validators.match_those_of(&asked.headers) => {
                let length = rendered.length_as(encoding);
                let mut response = headers::document(content_type, encoding, length, &validators, lifetime);
                if asked.method != Method::HEAD {
                    *response.body_mut() = Body::rendered(&rendered, encoding);
                }
                response
            }
            _ => headers::not_modified(&validators, lifetime),
        };
        if let Some(age) = self.stale {
            headers::set_age(&mut response, age);
        }
        response
    }
}

/// The response with bytes that are sent unchanged.
pub(super) fn answer_bytes(
    content_type: &'static str,
    validators: &Validators,
    bytes: Bytes,
    lifetime: Lifetime,
    asked: &Asked,
) -> Response<Body> {
    if validators.match_those_of(&asked.headers) {
        return headers::not_modified(validators, lifetime);
    }
    let length = bytes.len() as u64;
    let mut response = headers::document(content_type, Encoding::Identity, length, validators, lifetime);
    if asked.method != Method::HEAD {
        *response.body_mut() = Body::whole(bytes);
    }
    response
}

/// The response with a compressed file, unchanged.
pub(super) fn answer_file(
    content_type: &'static str,
    validators: &Validators,
    rendered: &Rendered,
    lifetime: Lifetime,
    asked: &Asked,
) -> Response<Body> {
    match &rendered.gzip {
        Content::Memory(bytes) => answer_bytes(content_type, validators, bytes.clone(), lifetime, asked),
        Content::File(file) => {
            let mut response =
                headers::document(content_type, Encoding::Identity, file.len(), validators, lifetime);
            if asked.method != Method::HEAD {
                *response.body_mut() = Body::rendered(rendered, Encoding::Gzip);
            }
            response
        }
    }
}

pub(super) fn validators(hash: ContentHash, encoding: Encoding, changed: Option<u64>) -> Validators {
    Validators {
        etag: format!("\"{}{}\"", hash.short(), encoding.suffix()),
        // Never after `Date` (RFC 9110 section 8.8.2.1), whatever a clock said when it was stored.
        last_modified: changed.filter(|changed| *changed <= now()),
    }
}

pub(super) fn refuse(method: &Method, refusal: Refusal) -> Response<Body> {
    let (status, why, retry_after) = match refusal {
        Refusal::NotFound(why) => (StatusCode::NOT_FOUND, why, None),
        Refusal::Gone(why) => (StatusCode::GONE, why, None),
        Refusal::Internal(why) => (StatusCode::INTERNAL_SERVER_ERROR, why, None),
        Refusal::BadGateway(why) => (StatusCode::BAD_GATEWAY, why, None),
        Refusal::GatewayTimeout(why) => (StatusCode::GATEWAY_TIMEOUT, why, None),
        Refusal::Unavailable(why, seconds) => (StatusCode::SERVICE_UNAVAILABLE, why, Some(seconds)),
    };
    failure(method, status, why, retry_after)
}

pub(super) fn not_allowed(method: &Method) -> Response<Body> {
    let why = "a sitemap is requested by GET or HEAD";
    failure(method, StatusCode::METHOD_NOT_ALLOWED, why, None)
}

fn failure(method: &Method, status: StatusCode, why: &str, retry_after: Option<u32>) -> Response<Body> {
    let (mut response, text) = headers::failure(status, why, retry_after);
    if method != Method::HEAD {
        *response.body_mut() = Body::whole(text);
    }
    response
}

/// The response for a host without a site.
pub(super) fn not_found<B>(request: &Request<B>) -> Response<Body> {
    refuse(
        request.method(),
        Refusal::NotFound("there is no sitemap for this host"),
    )
}

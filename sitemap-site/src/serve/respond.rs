//! From a request to its response.

use std::borrow::Cow;
use std::sync::Arc;

use http::{HeaderMap, Method, Request, Response, StatusCode};

use super::address::parse_part_name;
use super::body::Body;
use super::conditional::Validators;
use super::encoding::Encoding;
use super::parts::{Found, Refusal};
use super::service::Answer;
use super::{Inner, Site, headers, html};
use crate::hash::ContentHash;
use crate::source::Span;
use crate::stylesheet::STYLESHEET;

/// What a path is the address of.
#[derive(Debug, PartialEq, Eq)]
enum Resource {
    Index,
    Part(usize, Span),
    Html,
    Stylesheet,
    IndexNowKey,
}

/// What of a request counts.
struct Asked {
    method: Method,
    path: String,
    headers: HeaderMap,
}

impl Site {
    /// The response to a request, for those who write the handler. The service does the same.
    ///
    /// Its body is not read. The path is one below the base (`/shop/sitemap.xml`), or the rest of it where the framework takes away where
    /// the site is mounted (`/sitemap.xml`).
    pub fn respond<B>(&self, request: &Request<B>) -> Answer {
        let asked = Asked {
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            headers: request.headers().clone(),
        };
        let site = Arc::clone(&self.0);
        Answer::new(async move { site.respond(asked).await })
    }
}

impl Inner {
    async fn respond(self: Arc<Self>, asked: Asked) -> Response<Body> {
        self.stats.request();
        let Some(resource) = self.resource(&asked.path) else {
            return refuse(&asked.method, Refusal::NotFound);
        };
        if asked.method != Method::GET && asked.method != Method::HEAD {
            return failure(&asked.method, StatusCode::METHOD_NOT_ALLOWED, None);
        }
        // Without a runtime the first rendering would panic.
        if tokio::runtime::Handle::try_current().is_err() {
            tracing::error!("the sitemap is asked for outside of a tokio runtime, which it is rendered on");
            return refuse(&asked.method, Refusal::Internal);
        }
        let answer = match resource {
            Resource::Index => self.answer_index(&asked).await,
            Resource::Part(section, span) => self.answer_part((section, span), &asked).await,
            Resource::Html => self.answer_html(&asked).await,
            Resource::Stylesheet => Ok(self.answer_text(headers::CSS, STYLESHEET.into(), &asked)),
            Resource::IndexNowKey => {
                let key = self.index_now_key.clone().unwrap_or_default();
                Ok(self.answer_text(headers::TEXT, key.into(), &asked))
            }
        };
        answer.unwrap_or_else(|refusal| refuse(&asked.method, refusal))
    }

    fn resource(&self, path: &str) -> Option<Resource> {
        let name = path
            .strip_prefix(&self.base_path)
            .filter(|name| name.starts_with('/'));
        let name = name.unwrap_or(path).strip_prefix('/')?;
        match name {
            "sitemap.xml" => return Some(Resource::Index),
            "sitemap.html" if self.html => return Some(Resource::Html),
            "sitemap.css" if self.stylesheet => return Some(Resource::Stylesheet),
            _ => {}
        }
        if let Some((name, span)) = parse_part_name(name) {
            let section = self.sections.iter().position(|section| section.name == name)?;
            return Some(Resource::Part(section, span));
        }
        let key = self.index_now_key.as_deref();
        (key.is_some() && name.strip_suffix(".txt") == key).then_some(Resource::IndexNowKey)
    }

    async fn answer_index(self: &Arc<Self>, asked: &Asked) -> Result<Response<Body>, Refusal> {
        if !self.up_to_date().await {
            return Err(Refusal::Unavailable(5));
        }
        let (rendered, changed) = self.index()?;
        let found = Found {
            hash: rendered.hash,
            changed,
            rendered: Some(rendered),
        };
        Ok(self.answer_found(found, asked))
    }

    async fn answer_part(
        self: &Arc<Self>,
        id: super::PartId,
        asked: &Asked,
    ) -> Result<Response<Body>, Refusal> {
        let encoding = Encoding::negotiated(&asked.headers);
        let has = |hash, changed| validators(hash, encoding, changed).match_those_of(&asked.headers);
        let found = self.part(id, has).await?;
        Ok(self.answer_found(found, asked))
    }

    fn answer_found(&self, found: Found, asked: &Asked) -> Response<Body> {
        let encoding = Encoding::negotiated(&asked.headers);
        let validators = validators(found.hash, encoding, found.changed);
        let rendered = match found.rendered {
            Some(rendered) if !validators.match_those_of(&asked.headers) => rendered,
            _ => {
                self.stats.not_modified();
                return headers::not_modified(&validators, self.age);
            }
        };
        let length = match encoding {
            Encoding::Gzip => rendered.gzip.len() as u64,
            Encoding::Identity => rendered.length,
        };
        let mut response = headers::document(headers::XML, encoding, length, &validators, self.age);
        if asked.method != Method::HEAD {
            *response.body_mut() = match encoding {
                Encoding::Gzip => Body::whole(rendered.gzip.clone()),
                Encoding::Identity => Body::inflated(rendered.gzip.clone(), rendered.length),
            };
        }
        response
    }

    async fn answer_html(self: &Arc<Self>, asked: &Asked) -> Result<Response<Body>, Refusal> {
        if !self.up_to_date().await {
            return Err(Refusal::Unavailable(5));
        }
        Ok(self.answer_text(headers::HTML, html::page(self).into(), asked))
    }

    /// A small text, which is sent as it is.
    fn answer_text(
        &self,
        content_type: &'static str,
        text: Cow<'static, str>,
        asked: &Asked,
    ) -> Response<Body> {
        let hash = ContentHash::of(text.as_bytes());
        let validators = validators(hash, Encoding::Identity, None);
        if validators.match_those_of(&asked.headers) {
            self.stats.not_modified();
            return headers::not_modified(&validators, self.age);
        }
        let length = text.len() as u64;
        let mut response = headers::document(content_type, Encoding::Identity, length, &validators, self.age);
        if asked.method != Method::HEAD {
            *response.body_mut() = Body::whole(text.into_owned());
        }
        response
    }
}

fn validators(hash: ContentHash, encoding: Encoding, changed: Option<u64>) -> Validators {
    Validators {
        etag: format!("\"{}{}\"", hash.short(), encoding.suffix()),
        last_modified: changed,
    }
}

fn refuse(method: &Method, refusal: Refusal) -> Response<Body> {
    let (status, retry_after) = match refusal {
        Refusal::NotFound => (StatusCode::NOT_FOUND, None),
        Refusal::Internal => (StatusCode::INTERNAL_SERVER_ERROR, None),
        Refusal::Unavailable(seconds) => (StatusCode::SERVICE_UNAVAILABLE, Some(seconds)),
    };
    failure(method, status, retry_after)
}

fn failure(method: &Method, status: StatusCode, retry_after: Option<u32>) -> Response<Body> {
    let (mut response, text) = headers::failure(status, retry_after);
    if method != Method::HEAD {
        *response.body_mut() = Body::whole(text);
    }
    response
}

/// The answer to a host that has no site.
pub(super) fn not_found<B>(request: &Request<B>) -> Response<Body> {
    refuse(request.method(), Refusal::NotFound)
}

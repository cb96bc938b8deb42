//! Requests to the client, and its answers.

use std::io::Read;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::address::Address;
use crate::document::Ticket;
use crate::encoding::{BodyReader, Encodings};

/// The client's next step. The enum is exhaustive: a client must handle each step.
#[derive(Debug)]
pub enum Step {
    /// Send this request. Then [`respond`](crate::Walk::respond) with the head of its response, or report that it
    /// [failed](crate::Walk::fail).
    Request(Request),
    /// There is nothing to request until a request in flight is answered or, if there is a duration, until it has passed.
    Wait(Option<Duration>),
    /// Every document has its fate. See the [`Report`](crate::Report).
    Done,
}

/// The id of a request. Each is used once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub(crate) u64);

/// Why an address is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Role {
    /// It is the `robots.txt` of a host.
    Robots,
    /// It is the sitemap that the walk begins with.
    Start,
    /// The site's `robots.txt` names it.
    Named,
    /// The site's `robots.txt` names no sitemap, and many sites have one at this address.
    Guess,
    /// An index lists it.
    Child,
}

/// A GET request. The client must not follow redirects, and must not decompress the body. It must not connect to an IP address
/// that [`allows`](Self::allows) refuses.
#[derive(Clone, Debug)]
pub struct Request {
    pub(crate) id: RequestId,
    pub(crate) url: Address,
    pub(crate) role: Role,
    pub(crate) user_agent: Arc<str>,
    pub(crate) validators: Validators,
    pub(crate) cookies: Option<Box<str>>,
    pub(crate) policy: fn(IpAddr) -> bool,
    pub(crate) timeout: Duration,
    /// `true` if it is repeated after a failure. A kept connection may be the cause.
    #[cfg_attr(
        not(feature = "ureq"),
        expect(dead_code, reason = "for the crate's own client")
    )]
    pub(crate) is_retry: bool,
}

impl Request {
    /// The id to answer with.
    pub fn id(&self) -> RequestId {
        self.id
    }

    /// The absolute URL, http or https.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Why it is requested.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The headers to send, names in lower case. For a compressed file they do not accept another compression.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let path = self.url.split('?').next().unwrap_or_default();
        let is_compressed = path
            .rsplit('.')
            .next()
            .is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        let encoding = if is_compressed { "identity" } else { "gzip" };
        let always = [
            ("user-agent", &*self.user_agent),
            (
                "accept",
                "application/xml, text/xml, text/plain, application/gzip, */*;q=0.5",
            ),
            ("accept-encoding", encoding),
        ];
        let conditions = [
            ("if-none-match", self.validators.etag.as_deref()),
            ("if-modified-since", self.validators.last_modified.as_deref()),
            ("cookie", self.cookies.as_deref()),
        ];
        let conditions = conditions
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        always.into_iter().chain(conditions)
    }

    /// Returns `true` if the client may connect to an IP address. Call it in the resolver, for every address of the host: a
    /// public name may resolve to a private address a moment later.
    ///
    /// It is [`is_global`](crate::is_global), with one exception: if the start's address is not global, the start's host and port
    /// may have any address.
    pub fn allows(&self, ip: IpAddr) -> bool {
        (self.policy)(ip)
    }

    /// The timeout of the request, including its body.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }
}

/// Headers that tell a server which version of a document the client has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Validators {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) etag: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_modified: Option<Box<str>>,
}

impl Validators {
    pub(crate) fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// The status and the headers of a response.
#[derive(Clone, Debug, Default)]
pub struct Head {
    pub(crate) status: u16,
    pub(crate) location: Option<Box<str>>,
    /// `true` if there is a `Location` that is too long.
    pub(crate) is_location_too_long: bool,
    pub(crate) validators: Validators,
    content_length: Option<u64>,
    /// `true` if there is a `Transfer-Encoding`, which marks the end of the body.
    pub(crate) is_transfer_encoded: bool,
    pub(crate) ip: Option<IpAddr>,
    pub(crate) encodings: Encodings,
    /// Names and values of the cookies that it sets.
    pub(crate) cookies: Vec<Box<str>>,
    content_range: Option<Box<str>>,
    content_type: Option<Box<str>>,
    retry_after: Option<Box<str>>,
    date: Option<Box<str>>,
}

/// The longest `Location`, in bytes, like the longest address.
const LOCATION_BYTES: usize = 8 << 10;

/// The longest validator to keep, in bytes.
const VALIDATOR_BYTES: usize = 256;

/// Maximum number of cookies of a response, and maximum bytes of each.
const COOKIES: usize = 32;
const COOKIE_BYTES: usize = 4 << 10;

impl Head {
    /// A head without headers.
    pub fn new(status: u16) -> Self {
        Head {
            status,
            ..Head::default()
        }
    }

    /// Adds a header. The walk ignores headers that it does not use, and values that are not ASCII (`Location`: not UTF-8). The
    /// first of repeated headers counts.
    ///
    /// ```
    /// use sitemap_tree::Head;
    ///
    /// let mut head = Head::new(301);
    /// head.header("Location", b"https://www.example.com/");
    /// ```
    pub fn header(&mut self, name: &str, value: &[u8]) -> &mut Self {
        let Some(value) = std::str::from_utf8(value).ok().map(str::trim) else {
            return self;
        };
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("content-length") {
            self.content_length = self.content_length.or(value.parse().ok());
            return self;
        }
        if is("content-encoding") {
            self.encodings.add(value);
            return self;
        }
        if is("set-cookie") {
            if self.cookies.len() < COOKIES && value.len() <= COOKIE_BYTES {
                self.cookies.push(value.into());
            }
            return self;
        }
        if is("transfer-encoding") {
            // RFC 9112 section 6.3: it overrides Content-Length. `identity`, of older servers, is none.
            self.is_transfer_encoded |= !value.eq_ignore_ascii_case("identity");
            return self;
        }
        if is("location") && value.len() > LOCATION_BYTES {
            self.is_location_too_long = true;
        }
        let (field, most) = if is("location") {
            (&mut self.location, LOCATION_BYTES)
        } else if is("etag") {
            (&mut self.validators.etag, VALIDATOR_BYTES)
        } else if is("last-modified") {
            (&mut self.validators.last_modified, VALIDATOR_BYTES)
        } else if is("content-type") {
            (&mut self.content_type, VALIDATOR_BYTES)
        } else if is("retry-after") {
            (&mut self.retry_after, VALIDATOR_BYTES)
        } else if is("content-range") {
            (&mut self.content_range, VALIDATOR_BYTES)
        } else if is("date") {
            (&mut self.date, VALIDATOR_BYTES)
        } else {
            return self;
        };
        // Many servers do not encode the path in a Location. Validators are sent back.
        let is_printable = |c: char| c == '\t' || !c.is_control() && (c.is_ascii() || is("location"));
        if field.is_none() && !value.is_empty() && value.len() <= most && value.chars().all(is_printable) {
            *field = Some(value.into());
        }
        self
    }

    /// Sets the IP address that sent the response. The address of the first response shows whether the site is private; a private
    /// site may use its own host and port. Without an address, the site counts as public.
    ///
    /// The first request to a start with a name allows any address. A service that walks its users' URLs must check that request
    /// with [`is_global`](crate::is_global) itself.
    pub fn ip(&mut self, ip: IpAddr) -> &mut Self {
        self.ip = Some(ip);
        self
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The entity tag.
    pub fn etag(&self) -> Option<&str> {
        self.validators.etag.as_deref()
    }

    /// `Last-Modified`, as sent.
    pub fn last_modified(&self) -> Option<&str> {
        self.validators.last_modified.as_deref()
    }

    /// `Content-Type`, as sent.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// The length of the body as sent; `None` if it is not known.
    pub(crate) fn content_length(&self) -> Option<u64> {
        self.content_length.filter(|_| !self.is_transfer_encoded)
    }

    /// Decodes a body: the encodings that the head declares, and a doubled gzip compression. The result may still be a compressed
    /// file.
    pub fn body<R: Read>(&self, body: R) -> BodyReader<R> {
        BodyReader::new(body, &self.encodings)
    }

    /// Returns `true` if the body is a whole document: the status is 2xx with a body, and a range (206) covers everything.
    pub(crate) fn has_document(&self) -> bool {
        match self.status {
            204 | 205 => false,
            206 => self.is_whole_range(),
            status => (200..300).contains(&status),
        }
    }

    /// Returns `true` if `Content-Range` covers the whole document.
    fn is_whole_range(&self) -> bool {
        let range = self.content_range.as_deref().and_then(|text| {
            let (range, all) = text.strip_prefix("bytes ")?.split_once('/')?;
            let (first, last) = range.split_once('-')?;
            Some((
                first.parse::<u64>().ok()?,
                last.parse::<u64>().ok()?,
                all.parse::<u64>().ok()?,
            ))
        });
        matches!(range, Some((0, last, all)) if last.checked_add(1) == Some(all))
    }

    /// The time that the server asks to wait (RFC 9110 section 10.2.3). A date is compared with the response's `Date`, or else
    /// with the system clock.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sitemap_tree::Head;
    ///
    /// let mut head = Head::new(429);
    /// head.header("Retry-After", b"30");
    /// assert_eq!(head.retry_after(), Some(Duration::from_secs(30)));
    /// ```
    pub fn retry_after(&self) -> Option<Duration> {
        let value = self.retry_after.as_deref()?;
        if let Ok(seconds) = value.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let until = httpdate::parse_http_date(value).ok()?;
        let now = self
            .date
            .as_deref()
            .and_then(|date| httpdate::parse_http_date(date).ok());
        let now = now.unwrap_or_else(SystemTime::now);
        Some(until.duration_since(now).unwrap_or_default())
    }
}

/// What the client does with the response. The enum is exhaustive, like [`Step`].
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one exists at a time")]
pub enum Answer {
    /// Drop its body. The walk requests the redirect's target.
    Redirect,
    /// Drop its body. The document's fate is known, or the request is repeated later.
    Skip,
    /// [Read](Ticket::read) its body, here or in another thread.
    Read(Ticket),
}

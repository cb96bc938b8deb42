//! Settings of a client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, fs};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ureq::Agent;
use ureq::http::header::{self, HeaderName, HeaderValue};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::resolver::{DefaultResolver, Resolver};

use super::forward::ProxyConnector;
use super::proxy::Proxies;
use super::{Client, PolicyResolver};
use crate::address;
use crate::cookies::Cookies;
use crate::error::{Error, Result};
use crate::global::is_global;

/// The longest time without a byte, by default.
const SILENCE: Duration = Duration::from_secs(60);

/// The variable that names a file of certificates, as with OpenSSL.
const CERTIFICATES: &str = "SSL_CERT_FILE";

/// Maximum bytes of a header's value. Servers accept about 8 KiB of all headers.
const VALUE_BYTES: usize = 32 << 10;

/// Headers that belong to the connection or to the walk. Another value would change what a response means.
const RESERVED: [HeaderName; 18] = [
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::EXPECT,
    header::HOST,
    header::IF_MATCH,
    header::IF_MODIFIED_SINCE,
    header::IF_NONE_MATCH,
    header::IF_RANGE,
    header::IF_UNMODIFIED_SINCE,
    header::PROXY_AUTHORIZATION,
    header::RANGE,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::USER_AGENT,
    HeaderName::from_static("proxy-connection"),
];

/// A header for the requests to one origin.
#[derive(Clone, Debug)]
pub(super) struct OwnHeader {
    pub(super) origin: Box<str>,
    pub(super) name: HeaderName,
    /// Sensitive, so that `Debug` does not show it.
    pub(super) value: HeaderValue,
}

/// Settings of a [`Client`].
///
/// ```
/// use sitemap_tree::{ClientBuilder, WalkBuilder};
///
/// let site = "https://staging.example.com/";
/// let mut client = ClientBuilder::new();
/// client.basic_auth(site, "user", "password")?;
/// client.header(site, "X-Preview", "1")?;
/// let client = client.build()?;
/// let mut walk = WalkBuilder::new("ExampleBot/1.0").walk_site(site)?;
/// # if false {
/// walk.run_with(&client, |document| {
///     println!("{}", document.entries().flatten().count());
///     Ok(())
/// })?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClientBuilder {
    headers: Vec<OwnHeader>,
    user_agent: Option<Box<str>>,
    certificates: Option<Arc<Vec<Certificate<'static>>>>,
    accepts_invalid_certificates: bool,
    timeout: Duration,
    interval: Duration,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ClientBuilder {
    /// The default settings.
    pub fn new() -> Self {
        ClientBuilder {
            headers: Vec::new(),
            user_agent: None,
            certificates: None,
            accepts_invalid_certificates: false,
            timeout: SILENCE,
            interval: Duration::ZERO,
        }
    }

    /// Adds a header to every request of a URL's origin: its scheme, host and port. No other host gets it, also if the origin
    /// redirects there. It replaces a header of the walk with the same name, except that cookies are joined. Calls for one name
    /// add up.
    ///
    /// The value is in no error, no `Debug` output and no log message up to the level debug. At the level trace, ureq logs the bytes
    /// of requests.
    ///
    /// # Errors
    /// If the URL is not an absolute http or https URL, the name or the value is invalid, or the header belongs to the connection or
    /// to the walk, such as `Host` and `Range`.
    pub fn header(&mut self, url: &str, name: &str, value: &str) -> Result<&mut Self> {
        let origin = origin(url)?;
        let Ok(name) = HeaderName::from_bytes(name.as_bytes()) else {
            return Err(Error::new(
                "the name of a header has only letters, digits and the signs !#$%&'*+-.^_`|~",
            ));
        };
        if RESERVED.contains(&name) {
            return Err(Error::new(format!(
                "the client sets the header {name} itself; any header but those of the connection, of ranges and of conditions is allowed"
            )));
        }
        let value = value.trim();
        if value.len() > VALUE_BYTES {
            return Err(Error::new("the value of a header has at most 32 KiB"));
        }
        let Some(mut value) = HeaderValue::from_bytes(value.as_bytes())
            .ok()
            .filter(|value| !value.is_empty())
        else {
            return Err(Error::new(
                "the value of a header is one line of text without control characters",
            ));
        };
        value.set_sensitive(true);
        self.headers.push(OwnHeader { origin, name, value });
        Ok(self)
    }

    /// Sends a user name and a password to a URL's origin (RFC 7617), like [`header`](Self::header).
    ///
    /// # Errors
    /// If the URL is not an absolute http or https URL, the user name has a colon, or one of both has a control character.
    pub fn basic_auth(&mut self, url: &str, user: &str, password: &str) -> Result<&mut Self> {
        if user.contains(':')
            || [user, password]
                .iter()
                .any(|text| text.contains(char::is_control))
        {
            return Err(Error::new(
                "a user name has no colon, and neither a user name nor a password has control characters",
            ));
        }
        let pair = BASE64_STANDARD.encode(format!("{user}:{password}"));
        self.header(url, header::AUTHORIZATION.as_str(), &format!("Basic {pair}"))
    }

    /// Sets the `User-Agent` of requests that have none, and of requests for a tunnel through a proxy.
    ///
    /// # Errors
    /// If it is empty, or has other characters than visible ASCII and spaces.
    pub fn user_agent(&mut self, user_agent: &str) -> Result<&mut Self> {
        let is_valid = user_agent.bytes().all(|b| (b' '..0x7F).contains(&b));
        if !is_valid || user_agent.trim().is_empty() {
            return Err(Error::new(
                "a User-Agent is one line of visible ASCII, such as `ExampleBot/1.0 (+https://example.com/bot)`",
            ));
        }
        self.user_agent = Some(user_agent.trim().into());
        Ok(self)
    }

    /// Trusts these certificates, as PEM, in place of Mozilla's and of the file that `SSL_CERT_FILE` names.
    ///
    /// # Errors
    /// If there is no certificate, or an invalid one.
    pub fn certificates(&mut self, pem: &[u8]) -> Result<&mut Self> {
        self.certificates = Some(Arc::new(certificates(pem)?));
        Ok(self)
    }

    /// If `true`, every certificate is accepted. Then anyone between the client and a server can read and change everything.
    pub fn accept_invalid_certificates(&mut self, accept: bool) -> &mut Self {
        self.accepts_invalid_certificates = accept;
        self
    }

    /// Sets how long a server may be silent: while a connection is made, and between two bytes; 60 s by default. The head of a
    /// response may take twice as long. [`Budget::request_time`](crate::Budget::request_time) limits a whole request.
    pub fn timeout(&mut self, timeout: Duration) -> &mut Self {
        self.timeout = timeout;
        self
    }

    /// Sets the minimum time between two requests to an origin; none by default. The client waits before it sends a request. A walk
    /// with the same [interval](crate::WalkBuilder::min_interval) requests documents of other hosts meanwhile.
    pub fn min_interval(&mut self, interval: Duration) -> &mut Self {
        self.interval = interval;
        self
    }

    /// Makes a client.
    ///
    /// # Errors
    /// If a variable for proxies has no URL of a proxy. An invalid `SSL_CERT_FILE` is the failure of each https request.
    pub fn build(&self) -> Result<Client> {
        let proxies = Proxies::read(|name| env::var_os(name))?;
        Ok(self.build_with(proxies, DefaultResolver::default))
    }

    pub(super) fn build_with<R: Resolver>(&self, proxies: Proxies, resolver: impl Fn() -> R) -> Client {
        let (roots, problem) = match &self.certificates {
            Some(own) => (RootCerts::Specific(Arc::clone(own)), None),
            None => match certificates_of_environment() {
                Ok(None) => (RootCerts::WebPki, None),
                Ok(Some(found)) => (RootCerts::Specific(Arc::new(found)), None),
                Err(problem) => (RootCerts::WebPki, Some(problem)),
            },
        };
        let tls = TlsConfig::builder()
            .root_certs(roots)
            .disable_verification(self.accepts_invalid_certificates)
            .build();
        let addresses = Arc::new(Mutex::new(HashMap::new()));
        let agent = |allows| {
            let mut config = Agent::config_builder()
                .http_status_as_error(false)
                .max_redirects(0)
                .proxy(None)
                .tls_config(tls.clone())
                .timeout_resolve(Some(self.timeout))
                .timeout_connect(Some(self.timeout))
                .timeout_per_read(Some(self.timeout))
                .timeout_recv_response(Some(self.timeout.saturating_mul(2)));
            if let Some(user_agent) = &self.user_agent {
                config = config.user_agent(&**user_agent);
            }
            let resolver = PolicyResolver {
                resolver: resolver(),
                allows,
                addresses: Arc::clone(&addresses),
            };
            Agent::with_parts(config.build(), ProxyConnector::default(), resolver)
        };
        Client {
            any: agent(|_| true),
            public: agent(is_global),
            addresses: Arc::clone(&addresses),
            proxies: Arc::new(proxies),
            headers: self.headers.clone().into(),
            cookies: Arc::new(Mutex::new(Cookies::default())),
            certificate_problem: problem
                .filter(|_| !self.accepts_invalid_certificates)
                .map(Into::into),
            silence: self.timeout,
            interval: self.interval,
            turns: Arc::default(),
        }
    }
}

/// The origin of a URL.
fn origin(url: &str) -> Result<Box<str>> {
    let address = address::parse(url, None).map_err(|problem| Error::new(format!("the URL {problem}")))?;
    Ok(address::origin(&address).into())
}

/// The certificates in the file that the environment names; the error is the reason why they are unknown.
fn certificates_of_environment() -> Result<Option<Vec<Certificate<'static>>>, String> {
    let Some(path) = env::var_os(CERTIFICATES).filter(|path| !path.is_empty()) else {
        return Ok(None);
    };
    let pem = fs::read(&path).map_err(|error| error.to_string());
    let found = pem.and_then(|pem| certificates(&pem).map_err(|error| error.to_string()));
    found
        .map(Some)
        .map_err(|problem| format!("{CERTIFICATES} names {}: {problem}", path.display()))
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>> {
    let mut found = Vec::new();
    for item in parse_pem(pem) {
        match item {
            Ok(PemItem::Certificate(certificate)) => found.push(certificate),
            Ok(_) => {}
            Err(_) => return Err(Error::new("it has an invalid section of PEM")),
        }
    }
    if found.is_empty() {
        return Err(Error::new(
            "it has no certificate: one in PEM begins with the line `-----BEGIN CERTIFICATE-----`",
        ));
    }
    Ok(found)
}

//! An HTTP client that connects to no address that a walk does not allow.

use std::collections::HashMap;
use std::error;
use std::fmt;
use std::io::{self, Read};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use sitemap_tree::{Failure, Head, Request, is_global};
use ureq::config::Config;
use ureq::http::{Response, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Proxy};

/// The last address of each host.
type Addresses = Arc<Mutex<HashMap<String, IpAddr>>>;

#[derive(Debug)]
pub(super) struct Client {
    /// For requests that allow any address, and those which allow public ones.
    any: Agent,
    public: Agent,
    addresses: Addresses,
    uses_proxy: bool,
}

impl Client {
    pub(super) fn new() -> Self {
        let addresses = Addresses::default();
        let proxy = Proxy::try_from_env();
        let agent = |allows: fn(IpAddr) -> bool| {
            let config = Agent::config_builder()
                .http_status_as_error(false)
                .max_redirects(0)
                .proxy(proxy.clone())
                .build();
            let resolver = PolicyResolver {
                resolver: DefaultResolver::default(),
                allows,
                proxy: proxy.clone(),
                addresses: Arc::clone(&addresses),
            };
            Agent::with_parts(config, DefaultConnector::default(), resolver)
        };
        Client {
            any: agent(|_| true),
            public: agent(is_global),
            uses_proxy: proxy.is_some(),
            addresses,
        }
    }

    /// Whether hosts may be connected to by a proxy.
    pub(super) fn uses_proxy(&self) -> bool {
        self.uses_proxy
    }

    /// Sends a request, and returns the head and the body of its response.
    pub(super) fn send(&self, request: &Request) -> Result<(Head, impl Read + use<>), Failure> {
        // Loopback is an address that only a policy that allows all of them allows.
        let agent = if request.allows([127, 0, 0, 1].into()) {
            &self.any
        } else {
            &self.public
        };
        let mut get = agent.get(request.url());
        for (name, value) in request.headers() {
            get = get.header(name, value);
        }
        let get = get.config().timeout_global(Some(request.timeout())).build();
        let response = get.call().map_err(failure)?;
        let mut head = head(&response);
        let uri: Option<Uri> = request.url().parse().ok();
        let addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(address) = uri.and_then(|uri| addresses.get(&host(&uri)).copied()) {
            head.address(address);
        }
        let body = response.into_body().into_with_config().limit(u64::MAX).reader();
        Ok((head, body))
    }
}

fn host(uri: &Uri) -> String {
    uri.host().unwrap_or_default().to_ascii_lowercase()
}

/// The head of a response, as a walk reads it.
pub(crate) fn head<B>(response: &Response<B>) -> Head {
    let mut head = Head::new(response.status().as_u16());
    for (name, value) in response.headers() {
        head.header(name.as_str(), value.as_bytes());
    }
    head
}

/// Why there was no response.
pub(crate) fn failure(error: ureq::Error) -> Failure {
    match error {
        ureq::Error::Timeout(_) => Failure::TimedOut,
        ureq::Error::Io(error) => match error.get_ref().and_then(|error| error.downcast_ref::<Refused>()) {
            Some(Refused(address)) => Failure::private_address(*address),
            None => Failure::connection(error),
        },
        error => Failure::connection(error),
    }
}

/// Resolves names to the addresses that a policy allows.
#[derive(Debug)]
struct PolicyResolver {
    resolver: DefaultResolver,
    allows: fn(IpAddr) -> bool,
    proxy: Option<Proxy>,
    addresses: Addresses,
}

impl Resolver for PolicyResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.resolver.resolve(uri, config, timeout)?;
        if self
            .proxy
            .as_ref()
            .is_some_and(|proxy| uri.host() == Some(proxy.host()))
        {
            return Ok(found);
        }
        let mut allowed = self.empty();
        for address in found.iter().filter(|address| (self.allows)(address.ip())) {
            allowed.push(*address);
        }
        if let Some(first) = allowed.first() {
            let mut addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
            addresses.insert(host(uri), first.ip());
            return Ok(allowed);
        }
        Err(match found.first() {
            Some(refused) => io::Error::other(Refused(refused.ip())).into(),
            None => ureq::Error::HostNotFound,
        })
    }
}

/// The error of a host that has only addresses that are not allowed.
#[derive(Debug)]
struct Refused(IpAddr);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a public address", self.0)
    }
}

impl error::Error for Refused {}

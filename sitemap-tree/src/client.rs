//! A ureq client for walks, which connects only to allowed addresses.
//!
//! **The crates' own drivers are features.** With `ureq`, `client` sends the requests, for `Walk::run` (`run`), for `Exchange::run` of
//! `sitemap-submit`, and for the command. `Walk::run` loads a body before it is read, so the program gets each document once.
//!
//! **Headers belong to an origin.** A client never follows a redirect, and adds the headers of [`ClientBuilder::header`] to each request
//! by its URL. So no redirect and no list of documents leads them to another host.
//!
//! | module | content |
//! |---|---|
//! | `builder` | settings: headers, certificates, times |
//! | `proxy` | which proxy a request goes through |
//! | `forward` | http requests through a proxy |
//! | `wire` | heads of responses as servers send them, and kept connections that break |
//! | `failure` | why there is no response, in plain words |

mod builder;
mod failure;
mod forward;
mod proxy;
mod wire;

use std::collections::HashMap;
use std::io::{self, Read};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ureq::config::Config;
use ureq::http::header::{COOKIE, SET_COOKIE};
use ureq::http::{HeaderMap, HeaderValue, Method, Request as HttpRequest, Response, Uri};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use ureq::{Agent, AsSendBody, Body, BodyReader};

use self::builder::OwnHeader;
use self::failure::{PlainErrors, Refused, Timeouts};
use self::proxy::Proxies;
use crate::address;
use crate::cookies::Cookies;
use crate::error::Result as OwnResult;
use crate::report::Failure;
use crate::request::{Head, Request};

pub use self::builder::ClientBuilder;

/// The last address of each host.
type Addresses = Arc<Mutex<HashMap<String, IpAddr>>>;

/// An HTTP client for the requests of a [`Walk`](crate::Walk), by ureq (feature `ureq`).
///
/// It follows no redirects and returns bodies as sent. It connects only to IP addresses that the request
/// [allows](Request::allows), whatever the host's name resolves to.
///
/// Proxies come from the environment, as with curl: `http_proxy`, `https_proxy` and `all_proxy`, in upper or lower case, except for
/// the hosts in `no_proxy`. A proxy resolves names itself; then call
/// [`WalkBuilder::behind_proxy`](crate::WalkBuilder::behind_proxy). The certificates in the file that `SSL_CERT_FILE` names are
/// trusted in place of Mozilla's. [`ClientBuilder`] has headers, certificates and times.
///
/// A clone shares the connections and cookies.
///
/// [`Walk::run`](crate::Walk::run) uses this client. Your own loop can use it too, in one thread or several:
///
/// ```no_run
/// use std::thread;
/// use std::time::Instant;
///
/// use sitemap_tree::{Answer, Client, Step, Walk};
///
/// let client = Client::new()?;
/// let mut walk = Walk::site("ExampleBot/1.0", "https://example.com/")?;
/// let began = Instant::now();
/// loop {
///     let request = match walk.step(began.elapsed()) {
///         Step::Request(request) => request,
///         Step::Wait(time) => {
///             thread::sleep(time.unwrap_or_default());
///             continue;
///         }
///         Step::Done => break,
///     };
///     match client.send(&request) {
///         Ok((head, body)) => {
///             if let Answer::Read(ticket) = walk.respond(request.id(), &head, began.elapsed()) {
///                 let mut document = ticket.read(body);
///                 let found: Vec<String> = document.entries().flatten().map(|entry| entry.loc).collect();
///                 let outcome = document.outcome();
///                 if outcome.is_whole() {
///                     println!("{}", found.join("\n"));
///                 }
///                 walk.finish(outcome, began.elapsed());
///             }
///         }
///         Err(failure) => walk.fail(request.id(), failure, began.elapsed()),
///     }
/// }
/// # Ok::<(), sitemap_tree::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    /// Two agents: for requests that allow any address, and for requests that allow only public addresses.
    any: Agent,
    public: Agent,
    addresses: Addresses,
    proxies: Arc<Proxies>,
    headers: Arc<[OwnHeader]>,
    /// Cookies of all responses, for requests without cookies of their own.
    cookies: Arc<Mutex<Cookies>>,
    /// Why no https URL can be requested.
    certificate_problem: Option<Arc<str>>,
    /// How long a server may be silent.
    silence: Duration,
    interval: Duration,
    /// When each origin may get its next request.
    turns: Arc<Mutex<HashMap<Box<str>, Instant>>>,
}

impl Client {
    /// A client with the default settings, and the proxies and certificates of the environment.
    ///
    /// # Errors
    /// If a variable for proxies has no URL of a proxy.
    pub fn new() -> OwnResult<Self> {
        ClientBuilder::new().build()
    }

    /// Returns `true` if requests of a URL go through a proxy.
    pub fn uses_proxy(&self, url: &str) -> bool {
        url.parse().is_ok_and(|uri| self.proxies.of(&uri).is_some())
    }

    /// Returns `true` if requests of a URL get headers of [`ClientBuilder::header`]: for messages.
    #[doc(hidden)]
    pub fn has_headers(&self, url: &str) -> bool {
        address::parse(url, None).is_ok_and(|address| {
            let origin = address::origin(&address);
            self.headers.iter().any(|own| *own.origin == *origin)
        })
    }

    /// Sends a request, and returns the head and the body of its response.
    ///
    /// # Errors
    /// If there is no response. [`Failure::PrivateIp`] if the request allows none of the host's IP addresses.
    pub fn send(&self, request: &Request) -> Result<(Head, impl Read + use<>), Failure> {
        let mut get = HttpRequest::get(request.url());
        for (name, value) in request.headers() {
            get = get.header(name, value);
        }
        let get = get.body(()).map_err(Failure::connection)?;
        // Only a policy that allows every address allows loopback.
        let allows_any = request.allows([127, 0, 0, 1].into());
        let timeout = request.timeout();
        let response = self.exchange(get, timeout, allows_any, request.is_retry)?;
        let mut head = Head::from(&response);
        if let Some(ip) = self.ip(request.url()) {
            head.ip(ip);
        }
        Ok((head, response.into_body()))
    }

    /// Sends another request, such as for a page, within a time, and returns the response with its body as sent. It connects to public
    /// IP addresses only, or to all. Cookies that its host has set are sent back.
    ///
    /// A GET request, which has no body, is sent again if a kept connection breaks. Any other request gets a new connection.
    ///
    /// # Errors
    /// If there is no response. [`Failure::PrivateIp`] if all IP addresses of the host are private.
    pub fn run<B: AsSendBody>(
        &self,
        request: HttpRequest<B>,
        timeout: Duration,
        allows_any: bool,
    ) -> Result<Response<impl Read + use<B>>, Failure> {
        self.exchange(request, timeout, allows_any, false)
    }

    /// Sends a request, on a new connection if it `is_retry`.
    fn exchange<B: AsSendBody>(
        &self,
        mut request: HttpRequest<B>,
        timeout: Duration,
        allows_any: bool,
        is_retry: bool,
    ) -> Result<Response<PlainErrors<BodyReader<'static>>>, Failure> {
        let address = address::parse(&request.uri().to_string(), None).ok();
        if let Some(address) = &address {
            self.add_headers(address, request.headers_mut());
        }
        if let Some(problem) = &self.certificate_problem
            && request.uri().scheme_str() == Some("https")
        {
            return Err(Failure::Certificate((**problem).into()));
        }
        if let Some(address) = &address {
            self.pace(address::origin(address));
        }
        let began = Instant::now();
        let again = (request.method() == Method::GET && !is_retry).then(|| {
            let mut again = HttpRequest::new(());
            request.uri().clone_into(again.uri_mut());
            request.headers().clone_into(again.headers_mut());
            again
        });
        let is_new = again.is_none();
        let mut response = self.ask(request, timeout, allows_any, is_new);
        if let (Err(ureq::Error::Io(error)), Some(again)) = (&response, again)
            && wire::is_stale(error)
        {
            let left = timeout.saturating_sub(began.elapsed());
            response = self.ask(again, left, allows_any, true);
        }
        let response = response.map_err(|error| self.timeouts(timeout).failure(error))?;
        if let Some(address) = &address {
            let values = response.headers().get_all(SET_COOKIE).iter();
            let values: Vec<Box<str>> = values
                .filter_map(|value| Some(value.to_str().ok()?.into()))
                .collect();
            self.lock_cookies().set(address, &values);
        }
        Ok(response.map(|body| PlainErrors {
            body: body.into_with_config().limit(u64::MAX).reader(),
            timeouts: self.timeouts(timeout),
        }))
    }

    /// Sends a request once, on a new connection or on any.
    fn ask<B: AsSendBody>(
        &self,
        request: HttpRequest<B>,
        timeout: Duration,
        allows_any: bool,
        is_new: bool,
    ) -> Result<Response<Body>, ureq::Error> {
        let agent = if allows_any { &self.any } else { &self.public };
        let proxy = self.proxies.of(request.uri()).cloned();
        let mut config = agent
            .configure_request(request)
            .proxy(proxy)
            .timeout_global(Some(timeout));
        if is_new {
            config = config.max_idle_age(Duration::ZERO);
        }
        agent.run(config.build())
    }

    /// Waits until an origin may get a request.
    fn pace(&self, origin: &str) {
        if self.interval.is_zero() {
            return;
        }
        let now = Instant::now();
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = turns.get(origin).map_or(now, |next| now.max(*next));
            turns.insert(origin.into(), turn + self.interval);
            turn
        };
        thread::sleep(turn - now);
    }

    fn timeouts(&self, whole: Duration) -> Timeouts {
        Timeouts {
            silence: self.silence,
            whole,
        }
    }

    /// Adds the headers for the origin of an address. They replace headers of the same name, except that cookies are joined.
    fn add_headers(&self, address: &str, headers: &mut HeaderMap) {
        if !headers.contains_key(COOKIE)
            && let Some(cookies) = self.lock_cookies().of(address)
            && let Ok(value) = HeaderValue::from_str(&cookies)
        {
            headers.insert(COOKIE, value);
        }
        let origin = address::origin(address);
        let own: Vec<&OwnHeader> = self.headers.iter().filter(|own| *own.origin == *origin).collect();
        for header in &own {
            if header.name != COOKIE {
                headers.remove(&header.name);
            }
        }
        for OwnHeader { name, value, .. } in own {
            let joined = headers.get(COOKIE).filter(|_| name == COOKIE).and_then(|other| {
                HeaderValue::from_bytes(&[value.as_bytes(), b"; ", other.as_bytes()].concat()).ok()
            });
            match joined {
                Some(mut joined) => {
                    joined.set_sensitive(true);
                    headers.insert(COOKIE, joined);
                }
                None => {
                    headers.append(name, value.clone());
                }
            }
        }
    }

    fn lock_cookies(&self) -> MutexGuard<'_, Cookies> {
        self.cookies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The IP address of a URL's host at the last connection.
    pub fn ip(&self, url: &str) -> Option<IpAddr> {
        let uri: Uri = url.parse().ok()?;
        let addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        addresses.get(&host(&uri)).copied()
    }
}

fn host(uri: &Uri) -> String {
    uri.host().unwrap_or_default().to_ascii_lowercase()
}

/// The head of a response, for programs that send requests by ureq.
impl<B> From<&Response<B>> for Head {
    fn from(response: &Response<B>) -> Self {
        let mut head = Head::new(response.status().as_u16());
        for (name, value) in response.headers() {
            head.header(name.as_str(), value.as_bytes());
        }
        head
    }
}

/// Resolves names to the addresses that a policy allows.
#[derive(Debug)]
struct PolicyResolver<R> {
    resolver: R,
    allows: fn(IpAddr) -> bool,
    addresses: Addresses,
}

impl<R: Resolver> Resolver for PolicyResolver<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.resolver.resolve(uri, config, timeout)?;
        // A proxy is the user's choice, and may have any address. Its URL counts as that only where a connection to it is made.
        if config.proxy().is_some_and(|proxy| proxy.uri() == uri) {
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

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};
    use std::io::{BufRead, BufReader, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::thread;
    use std::time::Duration;

    use fastrand::Rng;
    use ureq::unversioned::resolver::DefaultResolver;

    use crate::{Answer, Budget, OtherHosts, Step, WalkBuilder, is_global};

    use super::*;

    /// Resolves `n.example` to the addresses of the line n of a table.
    #[derive(Clone, Debug)]
    struct Table(Vec<Vec<IpAddr>>);

    const PUBLIC: &str = "93.184.216.34";

    impl Resolver for Table {
        fn resolve(&self, uri: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let port = uri.port_u16().unwrap_or(80);
            let name = uri
                .host()
                .unwrap_or_default()
                .split('.')
                .next()
                .unwrap_or_default();
            let line: usize = name.parse().unwrap();
            let mut found = self.empty();
            for address in &self.0[line] {
                found.push(SocketAddr::new(*address, port));
            }
            Ok(found)
        }
    }

    /// The requests of sitemaps on other hosts that a public site lists.
    fn requests(sitemaps: &[String]) -> Vec<Request> {
        let mut walk = WalkBuilder::new("TestBot")
            .other_hosts(OtherHosts::Follow)
            .walk_sitemap("http://start.example/index.xml")
            .unwrap();
        let listed: Vec<String> = sitemaps
            .iter()
            .map(|url| format!("<sitemap><loc>{url}</loc></sitemap>"))
            .collect();
        let index = format!(
            "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</sitemapindex>",
            listed.concat()
        );
        let mut requests = Vec::new();
        while let Step::Request(request) = walk.step(Duration::ZERO) {
            if request.url() != "http://start.example/index.xml" {
                requests.push(request);
                continue;
            }
            let mut head = Head::new(200);
            head.ip(PUBLIC.parse().unwrap());
            let Answer::Read(ticket) = walk.respond(request.id(), &head, Duration::ZERO) else {
                panic!("the index is not read");
            };
            walk.finish(ticket.read(index.as_bytes()).outcome(), Duration::ZERO);
        }
        requests
    }

    /// Hosts with public names and private addresses are refused, in any spelling of the address.
    #[test]
    fn names_with_private_addresses() {
        let private = [
            "127.0.0.1",
            "127.1.2.3",
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::127.0.0.1",
            "64:ff9b::192.168.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:a9fe:a9fe::1",
            "2002:c0a8:1::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];
        // On each of the addresses of this machine.
        let listener = TcpListener::bind("[::]:0")
            .or_else(|_| TcpListener::bind("0.0.0.0:0"))
            .unwrap();
        let port = listener.local_addr().unwrap().port();
        listener.set_nonblocking(true).unwrap();
        let table = Table(
            private
                .iter()
                .map(|address| vec![address.parse().unwrap()])
                .collect(),
        );
        let client = ClientBuilder::new().build_with(Proxies::default(), || table.clone());
        let sitemaps = (0..private.len()).map(|line| format!("http://{line}.example:{port}/sitemap.xml"));
        let requests = requests(&sitemaps.collect::<Vec<_>>());
        assert_eq!(requests.len(), private.len());
        for (request, address) in requests.iter().zip(private) {
            let failure = client.send(request).err();
            let expected = Failure::private_ip(address.parse().unwrap());
            assert_eq!(failure, Some(expected), "{}", request.url());
        }
        assert!(
            listener.accept().is_err(),
            "the client has connected to this machine"
        );
    }

    type Seen = Arc<Mutex<Vec<(String, bool)>>>;

    /// A proxy that knows all hosts. `respond` gets the host and the path. Returns its URL, and for each request the authority with
    /// `true` if the secret was sent.
    fn proxy(respond: impl Fn(&str, &str) -> String + Send + 'static) -> (String, Seen) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Seen::default();
        let requests = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let lines = BufReader::new(&stream).lines().map_while(Result::ok);
                let lines: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
                let url = lines[0].split(' ').nth(1).unwrap();
                let (authority, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
                let has_secret = lines.iter().any(|line| line.contains("t0psecret"));
                requests.lock().unwrap().push((authority.to_owned(), has_secret));
                let _ = stream.write_all(respond(authority, path).as_bytes());
            }
        });
        (url, seen)
    }

    /// In random trees of lists and redirects between hosts, in every spelling, exactly the start's origin gets the header.
    #[test]
    fn headers_in_random_trees() {
        const SPELLINGS: [&str; 16] = [
            "http://start.example/N",
            "http://START.Example:80/N",
            "//start.example/N",
            "/N",
            "N",
            "http://start.example:8080/N",
            "http://www.start.example/N",
            "http://start.example./N",
            "http://start.example.evil.example/N",
            "http://start.example@evil.example/N",
            "http://evil.example/http://start.example/N",
            "http://evil.example\\@start.example/N",
            "http://evil.example#@start.example/N",
            "http://evil.example?@start.example/N",
            "http://evil.example/N",
            "//evil.example/N",
        ];
        let mut hosts = [0, 0];
        for seed in 0..30 {
            let (url, seen) = proxy(move |authority, path| {
                // The same request always has the same response.
                let mut hash = DefaultHasher::new();
                (seed, authority, path).hash(&mut hash);
                let mut random = Rng::with_seed(hash.finish());
                let mut target = || {
                    let spelling = SPELLINGS[random.usize(..SPELLINGS.len())];
                    spelling.replace('N', &random.u8(..9).to_string())
                };
                let (first, second, third) = (target(), target(), target());
                let is_redirect = path != "start" && random.bool();
                let (head, body) = if is_redirect {
                    (format!("302 Found\r\nLocation: {first}"), String::new())
                } else {
                    let listed =
                        [first, second, third].map(|url| format!("<sitemap><loc>{url}</loc></sitemap>"));
                    let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
                    let body = format!(
                        "<sitemapindex xmlns=\"{namespace}\">{}</sitemapindex>",
                        listed.concat()
                    );
                    ("200 OK".to_owned(), body)
                };
                let length = body.len();
                format!("HTTP/1.1 {head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")
            });
            let mut builder = ClientBuilder::new();
            builder
                .header("http://start.example/any", "X-Token", "t0psecret")
                .unwrap();
            let proxies = Proxies::of_variables(&[("http_proxy", &url)]).unwrap();
            let client = builder.build_with(proxies, DefaultResolver::default);
            let mut budget = Budget::default();
            (budget.documents, budget.depth) = (60, 20);
            let mut walk = WalkBuilder::new("TestBot")
                .other_hosts(OtherHosts::Follow)
                .budget(budget)
                .max_retries(0)
                .walk_sitemap("http://start.example/start")
                .unwrap();
            walk.run_with(&client, |_| Ok(())).unwrap();
            for (authority, has_secret) in &*seen.lock().unwrap() {
                assert_eq!(*has_secret, authority == "start.example", "{seed}: {authority}");
                hosts[usize::from(*has_secret)] += 1;
            }
        }
        assert!(hosts.iter().all(|requests| *requests > 100), "{hosts:?}");
    }

    /// If a name has several addresses, only its public ones are used.
    #[test]
    fn names_with_private_and_public_addresses() {
        let addresses = ["127.0.0.1", PUBLIC, "::1", "10.0.0.1"].map(|address| address.parse().unwrap());
        let resolver = PolicyResolver {
            resolver: Table(vec![addresses.to_vec()]),
            allows: is_global,
            addresses: Addresses::default(),
        };
        let uri = Uri::from_static("http://0.example/");
        let timeout = NextTimeout::default();
        let found = resolver.resolve(&uri, &Config::default(), timeout).unwrap();
        let found: Vec<String> = found.iter().map(|address| address.ip().to_string()).collect();
        assert_eq!(found, [PUBLIC]);
    }
}

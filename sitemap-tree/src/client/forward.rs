//! Connections to http servers through a proxy.
//!
//! A proxy gets the whole URL of an http request, and forwards it (RFC 9112 section 3.2.2). ureq asks every proxy for a tunnel by
//! CONNECT instead, which many proxies allow for port 443 only. So for http URLs, `ProxyConnector` connects to the proxy, and
//! `Forwarded` writes the URL into the first line of each request. The traits are outside ureq's semver, like its resolver.
//!
//! Every connection to a server is a `Wire`, also through a proxy. The connection on which ureq asks for a tunnel is none.

use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ureq::http::uri::Scheme;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, DefaultConnector, NextTimeout, RustlsConnector, TcpConnector,
    Transport,
};
use ureq::{Error, Proxy, ProxyProtocol};

use super::failure::of_proxy;
use super::wire::Wire;

/// Connects to proxies for http URLs, and as ureq does for all others.
#[derive(Debug)]
pub(super) struct ProxyConnector {
    others: Arc<DefaultConnector>,
    /// TCP, and TLS if the proxy's URL is https.
    to_proxy: BoxedConnector,
}

type BoxedConnector = Box<dyn Connector<(), Out = Box<dyn Transport>>>;

impl Default for ProxyConnector {
    fn default() -> Self {
        ProxyConnector {
            others: Arc::default(),
            to_proxy: Box::new(
                ().chain(TcpConnector::default())
                    .chain(RustlsConnector::default())
                    .chain(Boxing),
            ),
        }
    }
}

impl Connector for ProxyConnector {
    type Out = Box<dyn Transport>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<()>,
    ) -> Result<Option<Self::Out>, Error> {
        let Some(proxy) = details.config.proxy() else {
            let connected = self.others.connect(details, chained)?;
            return Ok(connected.map(wired));
        };
        let connected = if forwards(proxy, details) {
            self.forward(proxy, details)
        } else {
            self.tunnel(details, chained)
        };
        // The proxy is what failed.
        let connected = connected.map_err(|error| match error {
            Error::Io(error) => of_proxy(proxy, error).into(),
            error => error,
        })?;
        Ok(connected.map(wired))
    }
}

impl ProxyConnector {
    /// Connects to a proxy that forwards each request.
    fn forward(
        &self,
        proxy: &Proxy,
        details: &ConnectionDetails<'_>,
    ) -> Result<Option<Box<dyn Transport>>, Error> {
        let addrs = details
            .resolver
            .resolve(proxy.uri(), details.config, details.timeout)?;
        let to_proxy = ConnectionDetails {
            uri: proxy.uri(),
            addrs,
            ..same(details)
        };
        let Some(transport) = self.to_proxy.connect(&to_proxy, None)? else {
            return Ok(None);
        };
        let authority = details.uri.authority().map_or("", |authority| authority.as_str());
        Ok(Some(Box::new(Forwarded {
            transport,
            origin: format!("http://{authority}"),
            credentials: credentials(proxy),
            is_at_start: true,
        })))
    }

    /// Connects through a tunnel, or a SOCKS proxy.
    fn tunnel(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<()>,
    ) -> Result<Option<Box<dyn Transport>>, Error> {
        let others = Arc::clone(&self.others);
        let tunnelled = ConnectionDetails {
            // Not through `wired`: the bytes in the tunnel are TLS.
            run_connector: Arc::new(move |details| {
                others.connect(details, None)?.ok_or(Error::ConnectionFailed)
            }),
            ..same(details)
        };
        self.others.connect(&tunnelled, chained)
    }
}

fn wired(transport: Box<dyn Transport>) -> Box<dyn Transport> {
    Box::new(Wire::new(transport))
}

/// A copy of the details of a connection.
fn same<'d>(details: &'d ConnectionDetails<'_>) -> ConnectionDetails<'d> {
    ConnectionDetails {
        uri: details.uri,
        addrs: details.addrs.clone(),
        config: details.config,
        request_level: details.request_level,
        resolver: details.resolver,
        now: details.now,
        timeout: details.timeout,
        current_time: details.current_time.clone(),
        run_connector: details.run_connector.clone(),
        register_shutdown: details.register_shutdown.clone(),
    }
}

/// Returns `true` if a proxy forwards requests for a URL, and opens no tunnel.
fn forwards(proxy: &Proxy, details: &ConnectionDetails<'_>) -> bool {
    details.uri.scheme() == Some(&Scheme::HTTP)
        && matches!(proxy.protocol(), ProxyProtocol::Http | ProxyProtocol::Https)
}

/// The header line with a proxy's user name and password.
fn credentials(proxy: &Proxy) -> Option<String> {
    let (user, password) = (proxy.username(), proxy.password());
    if user.is_none() && password.is_none() {
        return None;
    }
    let pair = format!("{}:{}", user.unwrap_or_default(), password.unwrap_or_default());
    Some(format!(
        "proxy-authorization: Basic {}\r\n",
        BASE64_STANDARD.encode(pair)
    ))
}

/// A connection to a proxy, for the requests to one server.
struct Forwarded {
    transport: Box<dyn Transport>,
    /// The scheme and the authority of the server.
    origin: String,
    credentials: Option<String>,
    /// `true` if a request begins with the next bytes.
    is_at_start: bool,
}

impl Forwarded {
    /// The first bytes of a request, with the whole URL and the credentials.
    fn whole(&self, request: &[u8]) -> Option<Vec<u8>> {
        let target = request.iter().position(|b| *b == b' ')? + 1;
        let line = target + request.get(target..)?.windows(2).position(|end| end == b"\r\n")? + 2;
        let credentials = self.credentials.as_deref().unwrap_or_default();
        Some(
            [
                request.get(..target)?,
                self.origin.as_bytes(),
                request.get(target..line)?,
                credentials.as_bytes(),
                request.get(line..)?,
            ]
            .concat(),
        )
    }
}

impl Transport for Forwarded {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.transport.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        if !std::mem::take(&mut self.is_at_start) {
            return self.transport.transmit_output(amount, timeout);
        }
        let request = self
            .transport
            .buffers()
            .output()
            .get(..amount)
            .map(<[u8]>::to_vec);
        let Some(request) = request.and_then(|request| self.whole(&request)) else {
            return self.transport.transmit_output(amount, timeout);
        };
        let mut rest = &*request;
        while !rest.is_empty() {
            let output = self.transport.buffers().output();
            let (part, after) = rest.split_at(rest.len().min(output.len()));
            let Some(place) = output.get_mut(..part.len()) else {
                break;
            };
            place.copy_from_slice(part);
            self.transport.transmit_output(part.len(), timeout)?;
            rest = after;
        }
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        // After a response, there is another request.
        self.is_at_start = true;
        self.transport.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        self.transport.is_open()
    }
}

/// Without the credentials.
impl fmt::Debug for Forwarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forwarded")
            .field("transport", &self.transport)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// Hides the type of a transport.
#[derive(Debug)]
struct Boxing;

impl<T: Transport> Connector<T> for Boxing {
    type Out = Box<dyn Transport>;

    fn connect(&self, _: &ConnectionDetails<'_>, chained: Option<T>) -> Result<Option<Self::Out>, Error> {
        Ok(chained.map(|transport| Box::new(transport) as Box<dyn Transport>))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Duration;

    use ureq::http::Request;
    use ureq::unversioned::resolver::DefaultResolver;

    use super::super::proxy::Proxies;
    use crate::{Client, ClientBuilder};

    /// A proxy that answers each request itself. Returns its address, and the connections with their requests.
    fn proxy() -> (String, Arc<Mutex<Vec<Vec<String>>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen: Arc<Mutex<Vec<Vec<String>>>> = Arc::default();
        let connections = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let number = {
                    let mut connections = connections.lock().unwrap();
                    connections.push(Vec::new());
                    connections.len() - 1
                };
                let connections = Arc::clone(&connections);
                thread::spawn(move || {
                    let mut reader = BufReader::new(stream.try_clone().unwrap());
                    loop {
                        let (mut request, mut line) = (String::new(), String::new());
                        while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                            request += &line;
                            line.clear();
                        }
                        if request.is_empty() {
                            return;
                        }
                        if request.starts_with("POST") {
                            let mut body = [0; 4];
                            reader.read_exact(&mut body).unwrap();
                            request += std::str::from_utf8(&body).unwrap();
                        }
                        connections.lock().unwrap()[number].push(request);
                        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    }
                });
            }
        });
        (address, seen)
    }

    fn client(variables: &[(&str, &str)]) -> Client {
        let mut builder = ClientBuilder::new();
        builder.user_agent("TestBot/1.0").unwrap();
        builder.build_with(
            Proxies::of_variables(variables).unwrap(),
            DefaultResolver::default,
        )
    }

    fn get(client: &Client, url: &str) -> String {
        let request = Request::get(url).body(()).unwrap();
        let response = client.run(request, Duration::from_secs(10), true);
        {
            let mut text = String::new();
            response.unwrap().into_body().read_to_string(&mut text).unwrap();
            text
        }
    }

    /// Requests of http URLs go whole to the proxy, without CONNECT, on one kept connection for each server.
    #[test]
    fn whole_urls() {
        let (address, seen) = proxy();
        let url = format!("http://us%40er:p%3Ass@{address}");
        let client = client(&[("http_proxy", &url)]);
        for url in [
            "http://a.example/x?y=/z",
            "http://a.example:8080",
            "http://a.example/x?y=/z",
        ] {
            assert_eq!(get(&client, url), "ok");
        }
        let post = Request::post("http://a.example/").body("body").unwrap();
        client.run(post, Duration::from_secs(10), true).unwrap();
        let seen = seen.lock().unwrap();
        let seen: Vec<Vec<String>> = seen
            .iter()
            .map(|requests| requests.iter().map(|text| lines(text)).collect())
            .collect();
        let head = |line: &str, host: &str| {
            format!(
                "{line} HTTP/1.1|proxy-authorization: Basic dXNAZXI6cDpzcw==|user-agent: TestBot/1.0|host: {host}"
            )
        };
        assert_eq!(
            seen,
            [
                vec![
                    head("GET http://a.example/x?y=/z", "a.example"),
                    head("GET http://a.example/x?y=/z", "a.example"),
                ],
                vec![head("GET http://a.example:8080/", "a.example:8080")],
                // It must not be repeated, so its connection is new.
                vec![format!("{}|body", head("POST http://a.example/", "a.example"))],
            ]
        );
        assert!(!format!("{client:?}").contains("p%3Ass") && !format!("{client:?}").contains("p:ss"));
    }

    /// The lines of a request that this test is about.
    fn lines(request: &str) -> String {
        let lines = request.lines().map(str::to_owned).filter(|line| {
            let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
            line.ends_with("HTTP/1.1")
                || line == "body"
                || ["host", "user-agent", "proxy-authorization"].contains(&&*name)
        });
        lines.collect::<Vec<_>>().join("|")
    }

    /// https URLs are tunnelled, and hosts of `no_proxy` are asked directly.
    #[test]
    fn tunnels_and_exceptions() {
        let (proxied, seen) = proxy();
        let (direct, direct_seen) = proxy();
        let variables = [
            ("all_proxy", format!("http://{proxied}")),
            ("no_proxy", direct.clone()),
        ];
        let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, &**value)).collect();
        let client = client(&variables);
        assert_eq!(get(&client, &format!("http://{direct}/x")), "ok");
        assert_eq!(
            lines(&direct_seen.lock().unwrap()[0][0]),
            format!("GET /x HTTP/1.1|user-agent: TestBot/1.0|host: {direct}")
        );
        assert!(seen.lock().unwrap().is_empty());
        let request = Request::get("https://a.example/").body(()).unwrap();
        // The proxy here does not speak TLS.
        assert!(client.run(request, Duration::from_secs(10), true).is_err());
        assert_eq!(
            lines(&seen.lock().unwrap()[0][0]),
            "CONNECT a.example:443 HTTP/1.1|Host: a.example:443|User-Agent: TestBot/1.0"
        );
        assert!(client.uses_proxy("http://a.example/") && !client.uses_proxy(&format!("http://{direct}/x")));
    }
}

//! Which proxy a request goes through, by the variables that curl and other clients read.

use std::ffi::OsString;
use std::net::IpAddr;

use ureq::Proxy;
use ureq::http::Uri;

use crate::error::{Error, Result};

/// The variables of each scheme, in order. The first that is not empty counts.
const OF_HTTP: &[&str] = &["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
const OF_HTTPS: &[&str] = &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
const EXCEPTIONS: &[&str] = &["no_proxy", "NO_PROXY"];

/// The proxies of the environment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    exceptions: Vec<Exception>,
}

impl Proxies {
    /// Reads proxies from variables, such as the environment's.
    ///
    /// # Errors
    /// If a variable has no URL of a proxy. Its value is not in the message, since it may have a password.
    pub(crate) fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let set = |name: &&&str| variable(name).is_some_and(|value| !value.is_empty());
        // A CGI program gets the client's header `Proxy` in HTTP_PROXY.
        let is_cgi = variable("REQUEST_METHOD").is_some();
        let proxy = |names: &[&str]| -> Result<Option<Proxy>> {
            let mut names = names.iter().filter(|name| !(is_cgi && **name == "HTTP_PROXY"));
            let Some(name) = names.find(set) else {
                return Ok(None);
            };
            let value = variable(name).and_then(|value| value.into_string().ok());
            let proxy = value.and_then(|value| Proxy::new(value.trim()).ok());
            proxy.map(Some).ok_or_else(|| {
                Error::new(format!(
                    "the variable {name} is not the URL of a proxy, such as http://proxy.example:3128: its scheme is one of http, \
                     https, socks4, socks4a, socks5, socks5h"
                ))
            })
        };
        let exceptions = EXCEPTIONS
            .iter()
            .find(set)
            .and_then(|name| variable(name)?.into_string().ok());
        Ok(Proxies {
            http: proxy(OF_HTTP)?,
            https: proxy(OF_HTTPS)?,
            exceptions: exceptions
                .iter()
                .flat_map(|text| text.split([',', ' ', '\t']))
                .filter_map(Exception::parse)
                .collect(),
        })
    }

    #[cfg(test)]
    pub(crate) fn of_variables(variables: &[(&str, &str)]) -> Result<Self> {
        Proxies::read(|name| {
            let found = variables.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    /// The proxy for a URL.
    pub(crate) fn of(&self, uri: &Uri) -> Option<&Proxy> {
        let proxy = match uri.scheme_str() {
            Some("https") => self.https.as_ref(),
            _ => self.http.as_ref(),
        };
        proxy.filter(|_| {
            let (host, port) = host_and_port(uri);
            !self.exceptions.iter().any(|except| except.matches(host, port))
        })
    }
}

fn host_and_port(uri: &Uri) -> (&str, u16) {
    let host = uri.host().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = if uri.scheme_str() == Some("https") {
        443
    } else {
        80
    };
    (host, uri.port_u16().unwrap_or(port))
}

/// An entry of `no_proxy`: hosts that are asked directly.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Exception {
    hosts: Hosts,
    /// `None` for every port.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Hosts {
    All,
    /// A name, and the names below it.
    Name(String),
    /// The IP addresses that begin with the same bits.
    Network(IpAddr, u32),
}

impl Exception {
    /// Parses `*`, a name with or without `.` or `*.` before it, an IP address, or a network such as `10.0.0.0/8`. All but networks
    /// may have a port.
    fn parse(text: &str) -> Option<Self> {
        let all_ports = |hosts| Some(Exception { hosts, port: None });
        if text == "*" {
            return all_ports(Hosts::All);
        }
        if let Some((address, bits)) = text.split_once('/') {
            let address: IpAddr = bare(address).parse().ok()?;
            let bits = bits.parse().ok().filter(|bits| *bits <= all_bits(address))?;
            return all_ports(Hosts::Network(address, bits));
        }
        if let Ok(address) = bare(text).parse::<IpAddr>() {
            return all_ports(Hosts::Network(address, all_bits(address)));
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().ok()?)),
            None => (text, None),
        };
        let hosts = match bare(host).parse::<IpAddr>() {
            Ok(address) => Hosts::Network(address, all_bits(address)),
            Err(_) => {
                let name = host
                    .trim_start_matches('*')
                    .trim_matches('.')
                    .to_ascii_lowercase();
                Hosts::Name(Some(name).filter(|name| !name.is_empty())?)
            }
        };
        Some(Exception { hosts, port })
    }

    fn matches(&self, host: &str, port: u16) -> bool {
        if self.port.is_some_and(|own| own != port) {
            return false;
        }
        match &self.hosts {
            Hosts::All => true,
            Hosts::Name(name) => {
                let host = host.trim_end_matches('.').to_ascii_lowercase();
                host.strip_suffix(&**name)
                    .is_some_and(|before| before.is_empty() || before.ends_with('.'))
            }
            Hosts::Network(network, bits) => host.parse().is_ok_and(|address: IpAddr| {
                let kept = |address: IpAddr| match address {
                    IpAddr::V4(ip) => u128::from(u32::from(ip)) << 96,
                    IpAddr::V6(ip) => u128::from(ip),
                };
                // A shift by all bits would overflow.
                let mask = u128::MAX.checked_shl(128 - bits).unwrap_or(0);
                address.is_ipv4() == network.is_ipv4() && kept(address) & mask == kept(*network) & mask
            }),
        }
    }
}

fn all_bits(address: IpAddr) -> u32 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// An IPv6 address without its brackets.
fn bare(host: &str) -> &str {
    host.strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)], url: &str) -> String {
        let proxies = Proxies::of_variables(variables).unwrap();
        let uri: Uri = url.parse().unwrap();
        proxies
            .of(&uri)
            .map_or("direct".to_owned(), |proxy| proxy.host().to_owned())
    }

    #[test]
    fn variables_in_order() {
        let all: Vec<(&str, &str)> = [
            "http_proxy",
            "HTTP_PROXY",
            "https_proxy",
            "HTTPS_PROXY",
            "all_proxy",
            "ALL_PROXY",
        ]
        .map(|name| (name, name))
        .to_vec();
        let named: Vec<(&str, String)> = all
            .iter()
            .map(|(name, _)| (*name, format!("http://{name}.example:3128")))
            .collect();
        for (set, http, https) in [
            (&[][..], "direct", "direct"),
            (&["http_proxy"], "http_proxy", "direct"),
            (&["HTTP_PROXY"], "HTTP_PROXY", "direct"),
            (&["https_proxy"], "direct", "https_proxy"),
            (&["HTTPS_PROXY"], "direct", "HTTPS_PROXY"),
            (&["all_proxy"], "all_proxy", "all_proxy"),
            (&["ALL_PROXY", "https_proxy"], "ALL_PROXY", "https_proxy"),
            (&["http_proxy", "HTTP_PROXY"], "http_proxy", "direct"),
            (&["HTTPS_PROXY", "all_proxy"], "all_proxy", "HTTPS_PROXY"),
        ] {
            let variables: Vec<(&str, &str)> = named
                .iter()
                .filter(|(name, _)| set.contains(name))
                .map(|(name, value)| (*name, &**value))
                .collect();
            let host = |name: &str| match name {
                "direct" => name.to_owned(),
                name => format!("{name}.example"),
            };
            assert_eq!(of(&variables, "http://a.example/"), host(http), "{set:?}");
            assert_eq!(of(&variables, "https://a.example/"), host(https), "{set:?}");
        }
        // Empty variables are unset, and a CGI program's HTTP_PROXY is a header of its client.
        let variables = [("http_proxy", ""), ("all_proxy", "p.example:1")];
        assert_eq!(of(&variables, "http://a.example/"), "p.example");
        let variables = [("HTTP_PROXY", "p.example:1"), ("REQUEST_METHOD", "GET")];
        assert_eq!(of(&variables, "http://a.example/"), "direct");
    }

    #[test]
    fn invalid_variables() {
        for (name, value) in [
            ("http_proxy", "ftp://user:secret@p.example"),
            ("HTTPS_PROXY", "http://user:secret@"),
            ("ALL_PROXY", "user secret"),
        ] {
            assert_eq!(
                Proxies::of_variables(&[(name, value)]).unwrap_err().to_string(),
                format!(
                    "the variable {name} is not the URL of a proxy, such as http://proxy.example:3128: its scheme is one of http, https, \
                     socks4, socks4a, socks5, socks5h"
                )
            );
        }
    }

    #[test]
    fn exceptions() {
        for (no_proxy, direct, proxied) in [
            ("*", &["http://a.example/", "http://127.0.0.1/"][..], &[][..]),
            (
                "example.com",
                &[
                    "http://example.com/",
                    "https://www.example.com:8443/",
                    "http://EXAMPLE.com./",
                ],
                &["http://myexample.com/", "http://example.com.evil.example/"],
            ),
            (
                ".example.com",
                &["http://example.com/", "http://a.b.example.com/"],
                &["http://example.org/"],
            ),
            (
                "*.example.com, localhost",
                &[
                    "http://example.com/",
                    "http://www.example.com/",
                    "http://localhost:8080/",
                ],
                &["http://example.org/"],
            ),
            (
                "example.com:8080 other.example:443",
                &["http://example.com:8080/", "https://other.example/"],
                &["http://example.com/", "http://other.example/"],
            ),
            (
                "10.0.0.0/8,192.168.1.7,::1,fd00::/8,[fe80::1]:8080",
                &[
                    "http://10.1.2.3/",
                    "http://192.168.1.7:81/",
                    "http://[::1]/",
                    "http://[fd12::1]/",
                    "http://[fe80::1]:8080/",
                ],
                &[
                    "http://11.0.0.1/",
                    "http://192.168.1.8/",
                    "http://[::2]/",
                    "http://[fe80::1]/",
                    "http://10.example/",
                ],
            ),
            (
                "0.0.0.0/0",
                &["http://9.9.9.9/"],
                &["http://[2606::1]/", "http://a.example/"],
            ),
            // Invalid entries match nothing.
            (
                ",,.,*.,/8,10.0.0.0/33,a.example:port",
                &[],
                &["http://10.0.0.1/", "http://a.example/"],
            ),
        ] {
            for name in EXCEPTIONS {
                let variables = [(*name, no_proxy), ("all_proxy", "http://p.example:1")];
                for url in direct {
                    assert_eq!(of(&variables, url), "direct", "{no_proxy}: {url}");
                }
                for url in proxied {
                    assert_eq!(of(&variables, url), "p.example", "{no_proxy}: {url}");
                }
            }
        }
    }
}

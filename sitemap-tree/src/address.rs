//! Addresses of documents.

use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::Arc;

use url::{Host, Url};

use crate::is_global;

/// The longest address, in bytes. A sitemap's loc has at most 2,048 characters (P-LOCLEN); redirects may be longer.
const BYTES: usize = 8 << 10;

/// The address of a document, normalized by RFC 3986 section 6.2, so that equal addresses are equal strings. It has no fragment,
/// since fragments are not sent to servers.
pub(crate) type Address = Arc<str>;

/// Parses an address, relative to `base` if there is one. The error is the reason why the text is not an address of a document.
pub(crate) fn parse(text: &str, base: Option<&str>) -> Result<Address, &'static str> {
    let url = match base {
        Some(base) => Url::parse(base).and_then(|base| base.join(text)),
        None => Url::parse(text),
    };
    let mut url = url.map_err(|_| "is not an absolute URL")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("is neither http nor https");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("has a user name or a password");
    }
    url.set_fragment(None);
    if url.as_str().len() > BYTES {
        return Err("is longer than 8 KiB");
    }
    Ok(normalized(url.as_str()).into())
}

/// Decodes percent-encoded unreserved characters, and writes hexadecimal digits in upper case. The parser has done the rest.
fn normalized(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    let mut rest = url;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let hex = rest
            .get(at + 1..at + 3)
            .filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~') => {
                out.push(char::from(b));
                rest = &rest[at + 3..];
            }
            Some(b) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{b:02X}");
                rest = &rest[at + 3..];
            }
            None => {
                out.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

/// The start of an invalid address, for messages.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(200).collect()
}

/// Scheme, host and port: the target of a connection.
pub(crate) fn origin(address: &str) -> &str {
    let after_scheme = address.find("://").map_or(0, |at| at + 3);
    let host = &address[after_scheme..];
    &address[..after_scheme + host.find(['/', '?']).unwrap_or(host.len())]
}

/// Host and port, without the scheme's default port. They identify a site, over http or https, with or without `www.`.
pub(crate) fn site(address: &str) -> &str {
    let origin = origin(address);
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    match host.strip_prefix("www.") {
        Some(apex) if apex.contains('.') => apex,
        _ => host,
    }
}

/// Why a client must not connect to the host of an address, if its text shows this. Other names are checked by the client's
/// resolver.
pub(crate) fn refusal(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let ip: IpAddr = match url.host()? {
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            let is_local = name == "localhost" || name.ends_with(".localhost");
            return is_local.then(|| name.to_owned());
        }
        Host::Ipv4(ip) => ip.into(),
        Host::Ipv6(ip) => ip.into(),
    };
    (!is_global(ip)).then(|| ip.to_string())
}

/// Returns `true` if the host of an address is an IP address, not a name.
pub(crate) fn is_literal(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_addresses_are_equal_texts() {
        for (text, expected) in [
            ("https://example.com", "https://example.com/"),
            ("HTTPS://EXAMPLE.com:443/", "https://example.com/"),
            ("https://example.com/a/./b/../c", "https://example.com/a/c"),
            ("https://example.com/%7euser", "https://example.com/~user"),
            ("https://example.com/a%2fb%", "https://example.com/a%2Fb%"),
            ("https://example.com/#top", "https://example.com/"),
            ("https://example.com/?a=%41#b", "https://example.com/?a=A"),
            ("https://example.com/é", "https://example.com/%C3%A9"),
            ("https://b\u{FC}cher.example/", "https://xn--bcher-kva.example/"),
            ("http://example.com:8080", "http://example.com:8080/"),
        ] {
            assert_eq!(parse(text, None).as_deref(), Ok(expected));
            // Normalizing is idempotent.
            assert_eq!(parse(expected, None).as_deref(), Ok(expected));
        }
        assert_eq!(
            parse("b.xml", Some("https://example.com/a/index.xml")).as_deref(),
            Ok("https://example.com/a/b.xml")
        );
        for (text, problem) in [
            ("/sitemap.xml", "is not an absolute URL"),
            ("file:///etc/passwd", "is neither http nor https"),
            (
                "https://user:secret@example.com/",
                "has a user name or a password",
            ),
            (
                &format!("https://example.com/{}", "x".repeat(9000)),
                "is longer than 8 KiB",
            ),
        ] {
            assert_eq!(parse(text, None), Err(problem));
        }
    }

    #[test]
    fn sites_and_origins() {
        let address = "https://example.com:8443/a?b=https://c/";
        assert_eq!(
            (origin(address), site(address)),
            ("https://example.com:8443", "example.com:8443")
        );
        for (address, expected) in [
            ("https://www.example.com/a", "example.com"),
            ("http://www.example.com:8080/", "example.com:8080"),
            ("https://www.www.example.com/", "www.example.com"),
            ("https://shop.example.com/", "shop.example.com"),
            ("https://www.com/", "www.com"),
            ("https://www2.example.com/", "www2.example.com"),
        ] {
            assert_eq!(site(address), expected);
        }
    }

    /// Ways of writing loopback, link-local and private addresses that resolvers and URL parsers accept.
    #[test]
    fn refuses_private_addresses_however_written() {
        for host in [
            "127.0.0.1",
            "127.0.0.1.",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0x7F.0.0.1",
            "0x7f.1",
            "0177.0.0.1",
            "017700000001",
            "0177.0x0.0.1",
            "127.000.000.001",
            "%31%32%37.0.0.1",
            "\u{2460}\u{2461}\u{2466}.\u{24EA}.\u{24EA}.\u{2460}",
            "\u{FF11}\u{FF12}\u{FF17}.\u{FF10}.\u{FF10}.\u{FF11}",
            "127\u{3002}0\u{3002}0\u{3002}1",
            "0",
            "0.0.0.0",
            "0x0",
            "10.0.0.1",
            "0xA.1",
            "167772161",
            "172.16.1",
            "192.168.1.1",
            "0300.0250.1.1",
            "3232235777",
            "169.254.169.254",
            "0xA9FEA9FE",
            "2852039166",
            "100.64.0.1",
            "[::]",
            "[::1]",
            "[0:0:0:0:0:0:0:1]",
            "[::127.0.0.1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[0:0:0:0:0:ffff:7f00:0001]",
            "[64:ff9b::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[fe80::1]",
            "[fd00::1]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
        ] {
            match parse(&format!("http://{host}/sitemap.xml"), None) {
                Ok(address) => assert!(refusal(&address).is_some(), "{host} is {address}"),
                Err(problem) => panic!("{host}: {problem}"),
            }
        }
        for host in [
            "example.com",
            "93.184.216.34",
            "[2606:2800:220::1]",
            "localhost.example",
            "1.1.1.1",
        ] {
            let address = parse(&format!("http://{host}/"), None).unwrap();
            assert_eq!(refusal(&address), None, "{host}");
        }
    }
}

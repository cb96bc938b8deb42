//! Locs that are not public: with a password, or on a host that is not reachable by everybody.

use std::net::{Ipv4Addr, Ipv6Addr};

use sitemap_values::Rule;
use sitemap_values::quote::quote;
use sitemap_values::url::Parts;

use crate::error::{Error, Message, Suggestion};
use crate::loc::host;

/// Domains that are not in the public DNS: RFC 6761, RFC 6762, RFC 8375, and ICANN's resolution of 2024-07-29.
const PRIVATE_DOMAINS: [&str; 6] = ["localhost", "local", "internal", "home.arpa", "test", "invalid"];

/// The error for a loc with a user's name or password.
pub(super) fn user(loc: &str) -> Option<Error> {
    let user = Parts::of(loc)?.user();
    let (before, after) = loc.split_once(user).filter(|_| !user.is_empty())?;
    let message = Message::new(format!(
        "{} has a user's name or password before its host: a sitemap is public, and crawlers do not log in",
        quote(loc)
    ))
    .advice(if user.contains(':') {
        "write the URL without it, and change the password"
    } else {
        "write the URL without it"
    })
    .suggestion(Suggestion::probable(format!("{before}{after}")));
    Some(Error::data(message).breaks(Rule::Private))
}

/// The error for a loc on a host that the public cannot reach.
pub(super) fn unreachable(loc: &str) -> Option<Error> {
    let host = host(loc).filter(|host| is_private(host))?;
    let message = Message::new(format!(
        "the host {} is this computer or in a private network: crawlers cannot reach it",
        quote(host)
    ));
    Some(Error::data(message.advice("write the public address of the page")).breaks(Rule::Private))
}

fn is_private(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return address.parse().is_ok_and(is_private_v6);
    }
    if let Ok(address) = host.parse() {
        return is_private_v4(address);
    }
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    PRIVATE_DOMAINS.iter().any(|domain| {
        let before = host.strip_suffix(domain);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    address.is_private() || address.is_loopback() || address.is_link_local() || address.is_unspecified()
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    address.to_ipv4_mapped().is_some_and(is_private_v4)
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || address.is_loopback()
        || address.is_unspecified()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_everybody_and_of_some() {
        for host in [
            "localhost",
            "LOCALHOST.",
            "shop.localhost",
            "printer.local",
            "intranet.internal",
            "nas.home.arpa",
            "example.test",
            "127.0.0.1",
            "127.1.2.3",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "[::1]",
            "[::]",
            "[fd00::1]",
            "[fe80::1]",
            "[::ffff:10.0.0.1]",
        ] {
            assert!(is_private(host), "{host}");
        }
        for host in [
            "example.com",
            "localhost.example.com",
            "mylocalhost",
            "local.example",
            "testing",
            "arpa",
            "172.15.255.255",
            "172.32.0.1",
            "192.169.0.1",
            "8.8.8.8",
            "1.2.3",
            "[2606:4700::1111]",
            "[::ffff:8.8.8.8]",
            "[",
            "]",
            "",
            ".",
        ] {
            assert!(!is_private(host), "{host}");
        }
    }
}

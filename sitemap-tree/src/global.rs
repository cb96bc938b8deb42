//! Which IP addresses are globally routable.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of IANA's registry of special-purpose IPv4 addresses that are not globally reachable, and multicast.
const SPECIAL_V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    // The former relays of 6to4 (RFC 7526).
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Addresses within them that are globally reachable: anycast of PCP and TURN (RFC 7723, RFC 8155).
const GLOBAL_V4: [(Ipv4Addr, u32); 2] = [
    (Ipv4Addr::new(192, 0, 0, 9), 32),
    (Ipv4Addr::new(192, 0, 0, 10), 32),
];

/// The unicast addresses that are assigned globally.
const UNICAST_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks of IANA's registry of special-purpose IPv6 addresses within them that are not globally reachable.
const SPECIAL_V6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xDB8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3FFF, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Networks within them that are globally reachable.
const GLOBAL_V6: [(Ipv6Addr, u32); 7] = [
    (Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 1), 128),
    (Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 2), 128),
    (Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 3), 128),
    (Ipv6Addr::new(0x2001, 3, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2001, 4, 0x112, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x2001, 0x20, 0, 0, 0, 0, 0, 0), 28),
    (Ipv6Addr::new(0x2001, 0x30, 0, 0, 0, 0, 0, 0), 28),
];

/// NAT64's well-known prefix, with an IPv4 address in the last 32 bits (RFC 6052).
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xFF9B, 0, 0, 0, 0, 0, 0), 96);

/// 6to4, with an IPv4 address in the bits from 16 on (RFC 3056).
const SIX_TO_FOUR: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);

/// Returns `true` if an address is globally routable by [IANA's
/// registries](https://www.iana.org/assignments/iana-ipv4-special-registry): neither loopback nor private, link-local, shared,
/// reserved, documentation or multicast.
///
/// If an IPv6 address embeds an IPv4 address (IPv4-mapped, NAT64, 6to4), the embedded address is checked.
///
/// ```
/// use sitemap_tree::is_global;
///
/// assert!(is_global("93.184.216.34".parse()?));
/// assert!(!is_global("169.254.169.254".parse()?));
/// assert!(!is_global("64:ff9b::7f00:1".parse()?)); // 127.0.0.1 behind NAT64
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(address) => is_global_v4(address),
            None => is_global_v6(address),
        },
    }
}

fn is_global_v4(address: Ipv4Addr) -> bool {
    let is_in = |networks: &[(Ipv4Addr, u32)]| {
        networks
            .iter()
            .any(|(network, bits)| (address.to_bits() ^ network.to_bits()).leading_zeros() >= *bits)
    };
    !is_in(&SPECIAL_V4) || is_in(&GLOBAL_V4)
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    let is_in = |networks: &[(Ipv6Addr, u32)]| networks.iter().any(|network| is_within(address, *network));
    is_within(address, UNICAST_V6) && (!is_in(&SPECIAL_V6) || is_in(&GLOBAL_V6))
}

fn is_within(address: Ipv6Addr, (network, bits): (Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ network.to_bits()).leading_zeros() >= bits
}

/// The IPv4 address that receives packets to an IPv6 address.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [_, a, b, .., c, d] = address.segments();
    let join = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    if is_within(address, NAT64) {
        Some(join(c, d))
    } else if is_within(address, SIX_TO_FOUR) {
        Some(join(a, b))
    } else {
        address.to_ipv4_mapped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last address of each network, and their neighbours.
    #[test]
    fn edges_of_networks() {
        for (address, expected) in [
            ("0.255.255.255", false),
            ("1.0.0.0", true),
            ("9.255.255.255", true),
            ("10.0.0.0", false),
            ("10.255.255.255", false),
            ("11.0.0.0", true),
            ("100.63.255.255", true),
            ("100.64.0.0", false),
            ("100.127.255.255", false),
            ("100.128.0.0", true),
            ("126.255.255.255", true),
            ("127.0.0.1", false),
            ("127.255.255.255", false),
            ("128.0.0.0", true),
            ("169.254.0.0", false),
            ("169.254.169.254", false),
            ("169.255.0.0", true),
            ("172.15.255.255", true),
            ("172.16.0.0", false),
            ("172.31.255.255", false),
            ("172.32.0.0", true),
            ("192.0.0.8", false),
            ("192.0.0.9", true),
            ("192.0.0.10", true),
            ("192.0.0.11", false),
            ("192.0.1.0", true),
            ("192.0.2.1", false),
            ("192.31.196.1", true),
            ("192.88.99.1", false),
            ("192.167.255.255", true),
            ("192.168.0.0", false),
            ("192.169.0.0", true),
            ("198.17.255.255", true),
            ("198.18.0.0", false),
            ("198.19.255.255", false),
            ("198.20.0.0", true),
            ("198.51.100.7", false),
            ("203.0.113.7", false),
            ("223.255.255.255", true),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::7f00:1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:93.184.216.34", true),
            ("64:ff9b::10.0.0.1", false),
            ("64:ff9b::93.184.216.34", true),
            ("64:ff9b:1::93.184.216.34", false),
            ("100::1", false),
            ("1fff:ffff::1", false),
            ("2000::1", true),
            ("2001::1", false),
            ("2001:1::1", true),
            ("2001:1::4", false),
            ("2001:3::1", true),
            ("2001:20::1", true),
            ("2001:30::1", true),
            ("2001:40::1", false),
            ("2001:4:112::1", true),
            ("2001:1ff:ffff::1", false),
            ("2001:200::1", true),
            ("2001:db7:ffff::1", true),
            ("2001:db8::1", false),
            ("2001:db9::1", true),
            ("2002:7f00:1::1", false),
            ("2002:5db8:d822::1", true),
            ("2606:2800:220:1:248:1893:25c8:1946", true),
            ("3fff::1", false),
            ("3fff:fff:ffff::1", false),
            ("3fff:1000::1", true),
            ("4000::1", false),
            ("5f00::1", false),
            ("fc00::1", false),
            ("fd12::1", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_global(address.parse().unwrap()), expected, "{address}");
        }
    }
}

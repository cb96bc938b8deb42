//! Content negotiation: the encoding of a response (RFC 9110 section 12.5.3).

use http::HeaderMap;
use http::header::ACCEPT_ENCODING;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Identity,
    Gzip,
}

impl Encoding {
    /// Gzip, if the client accepts it and does not prefer plain text.
    pub(super) fn negotiated(headers: &HeaderMap) -> Self {
        let (mut gzip, mut identity, mut any) = (None, None, None);
        let values = headers.get_all(ACCEPT_ENCODING).iter();
        // A value that is not text is ignored.
        let items = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        for item in items {
            let mut parts = item.split(';').map(str::trim);
            let coding = parts.next().unwrap_or_default();
            let quality = parts.find_map(quality).unwrap_or(1000);
            let slot = if coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip") {
                &mut gzip
            } else if coding.eq_ignore_ascii_case("identity") {
                &mut identity
            } else if coding == "*" {
                &mut any
            } else {
                continue;
            };
            slot.get_or_insert(quality);
        }
        let gzip = gzip.or(any).unwrap_or(0);
        // The uncompressed text is always available, but only sent to clients that prefer it.
        if gzip > 0 && gzip >= identity.unwrap_or(0) {
            Encoding::Gzip
        } else {
            Encoding::Identity
        }
    }

    /// The suffix of entity tags in this encoding.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Encoding::Identity => "",
            Encoding::Gzip => "-gzip",
        }
    }
}

/// A quality value in thousandths (`q=0.5` is 500); 0 if it is invalid, so that its encoding is not used.
fn quality(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value = value.trim();
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let digits = fraction.len() <= 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let thousandths = format!("{fraction:0<3}").parse::<u16>().unwrap_or(0);
    Some(match whole {
        "0" if digits => thousandths,
        "1" if digits && thousandths == 0 => 1000,
        _ => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_for_those_who_take_it() {
        for (accepted, expected) in [
            ("gzip", Encoding::Gzip),
            ("GZIP", Encoding::Gzip),
            ("x-gzip", Encoding::Gzip),
            ("deflate, gzip;q=1.0, *;q=0.5", Encoding::Gzip),
            ("br, gzip ; q=0.001", Encoding::Gzip),
            ("*", Encoding::Gzip),
            ("gzip;q=0.5, identity;q=0.5", Encoding::Gzip),
            ("gzip, deflate, br, zstd", Encoding::Gzip),
            ("", Encoding::Identity),
            ("br", Encoding::Identity),
            ("gzip;q=0", Encoding::Identity),
            ("gzip;q=0.000", Encoding::Identity),
            ("gzip;q=0, *", Encoding::Identity),
            ("*;q=0", Encoding::Identity),
            ("gzip;q=0.5, identity", Encoding::Identity),
            ("identity", Encoding::Identity),
            ("gzip;q=2", Encoding::Identity),
            ("gzip;q=1.000", Encoding::Gzip),
            ("gzip;q=1.001", Encoding::Identity),
            ("gzip;q=", Encoding::Identity),
            ("gzip;q=0.1234", Encoding::Identity),
            ("gzipped", Encoding::Identity),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, accepted.parse().unwrap());
            assert_eq!(Encoding::negotiated(&headers), expected, "{accepted}");
        }
        assert_eq!(Encoding::negotiated(&HeaderMap::new()), Encoding::Identity);

        let mut headers = HeaderMap::new();
        headers.append(ACCEPT_ENCODING, "br".parse().unwrap());
        headers.append(ACCEPT_ENCODING, "gzip".parse().unwrap());
        assert_eq!(
            Encoding::negotiated(&headers),
            Encoding::Gzip,
            "several lines are one list"
        );
    }
}

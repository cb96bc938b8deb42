//! Encoding an absolute URL: its host in punycode, the rest percent-encoded.

use sitemap_values::quote::is_invisible;
use sitemap_values::url::decoded;

use crate::character::is_xml_char;

use super::buffer::{Sites, UrlBuffer, text};
use super::class;
use super::encode::{Encoder, Keep};
use super::problem::LocProblem;
use super::site::{self, plain_site};

/// Encodes an absolute URL.
pub(super) fn encode_absolute(encoder: Encoder, url: &str, out: &mut UrlBuffer) -> Result<(), LocProblem> {
    check_ends(url)?;
    let UrlBuffer { bytes, sites } = out;
    let rest = if let Some(end) = plain_site(url) {
        bytes.extend_from_slice(&url.as_bytes()[..end]);
        end
    } else if let Some((site, end)) = sites.of(url) {
        bytes.extend_from_slice(site.as_bytes());
        end
    } else {
        encode_site(encoder, url, bytes, sites)?
    };
    encode_rest(encoder, &url[rest..], bytes)
}

/// Checks and encodes the scheme and authority of an absolute URL, and returns where its path begins.
fn encode_site(
    encoder: Encoder,
    url: &str,
    out: &mut Vec<u8>,
    sites: &mut Sites,
) -> Result<usize, LocProblem> {
    let parts = site::of_web(url)?;
    out.extend_from_slice(parts.scheme.as_bytes());
    out.extend_from_slice(b"://");
    let user = parts.user().strip_suffix('@');
    if let Some(user) = user {
        check_encodable(user)?;
        encoder.push(out, user, Keep::User)?;
        out.push(b'@');
    }
    let host = parts.host();
    match decoded(host) {
        Some(name) if !name.is_ascii() => push_punycode(out, &name)?,
        _ => out.extend_from_slice(host.as_bytes()),
    }
    out.extend_from_slice(&parts.host_and_port().as_bytes()[host.len()..]);
    // User information is encoded in the server's encoding, so it is not the same for all rules.
    if user.is_none() {
        sites.note(&url[..parts.rest], text(out, 0));
    }
    Ok(parts.rest)
}

/// Appends a host in punycode (P-IDN, UTS 46). Hyphens are allowed wherever registered names have them; the lengths are
/// DNS's.
#[cfg(feature = "idn")]
pub(super) fn push_punycode(out: &mut Vec<u8>, host: &str) -> Result<(), LocProblem> {
    use idna::AsciiDenyList;
    use idna::uts46::{DnsLength, Hyphens, Uts46};

    let ascii = Uts46::new()
        .to_ascii(
            host.as_bytes(),
            AsciiDenyList::URL,
            Hyphens::Allow,
            DnsLength::VerifyAllowRootDot,
        )
        .map_err(|_| LocProblem::WideHost)?;
    out.extend_from_slice(ascii.as_bytes());
    Ok(())
}

#[cfg(not(feature = "idn"))]
pub(super) fn push_punycode(_: &mut Vec<u8>, _: &str) -> Result<(), LocProblem> {
    Err(LocProblem::WideHost)
}

/// Rejects control characters, and characters that XML cannot hold, instead of encoding them: they are in the URL by
/// mistake.
pub(super) fn check_encodable(text: &str) -> Result<(), LocProblem> {
    if !class::may_be_unencodable(text.as_bytes()) {
        return Ok(());
    }
    match text.chars().find(|&c| c.is_control() || !is_xml_char(c)) {
        Some(c) if is_xml_char(c) => Err(LocProblem::Control(c)),
        Some(c) => Err(LocProblem::Unencodable(c)),
        None => Ok(()),
    }
}

/// Rejects white space and format characters at either end of a URL: they are there by mistake, too.
#[inline]
pub(super) fn check_ends(url: &str) -> Result<(), LocProblem> {
    let is_ascii = |b: Option<&u8>| b.is_none_or(u8::is_ascii);
    if is_ascii(url.as_bytes().first()) && is_ascii(url.as_bytes().last()) {
        return Ok(());
    }
    let mut chars = url.chars();
    let mut ends = chars.next().into_iter().chain(chars.next_back());
    // Control characters, and characters that XML cannot hold, have their own error in every part.
    let is_encodable = |c: char| !c.is_control() && is_xml_char(c);
    match ends.find(|c| is_invisible(*c) && is_encodable(*c)) {
        Some(c) => Err(LocProblem::Invisible(c)),
        None => Ok(()),
    }
}

/// XML white space.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Like [`push_rest`], but refuses the characters that [`check_encodable`] refuses.
pub(super) fn encode_rest(encoder: Encoder, rest: &str, out: &mut Vec<u8>) -> Result<(), LocProblem> {
    check_encodable(rest)?;
    push_rest(encoder, rest, out)
}

/// Percent-encodes path, query and fragment: characters outside ASCII in the server's encoding (P-LOCENC), ASCII that
/// RFC 3986 does not allow, a `%` that begins no triplet, and every `#` but the first. Triplets are kept.
pub(super) fn push_rest(encoder: Encoder, rest: &str, out: &mut Vec<u8>) -> Result<(), LocProblem> {
    match rest.split_once('#') {
        None => encoder.push(out, rest, Keep::Legal),
        Some((path, fragment)) => {
            encoder.push(out, path, Keep::Legal)?;
            out.push(b'#');
            encoder.push(out, fragment, Keep::Fragment)
        }
    }
}

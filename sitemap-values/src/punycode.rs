//! Checks that the labels of a host in punycode (RFC 3492) decode to a name.

use crate::quote::is_invisible;

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;

/// The prefix of a label in punycode.
const PREFIX: &str = "xn--";

/// Returns `true` if every punycode label of a host decodes to a name that has characters outside ASCII and
/// none that are invisible.
pub(super) fn is_valid_host(host: &str) -> bool {
    host.split('.').all(|label| match strip_prefix(label) {
        Some(encoded) => decodes(encoded),
        None => true,
    })
}

fn strip_prefix(label: &str) -> Option<&str> {
    let (prefix, encoded) = label.split_at_checked(PREFIX.len())?;
    prefix.eq_ignore_ascii_case(PREFIX).then_some(encoded)
}

/// Returns `true` if a label decodes (RFC 3492 section 6.2). The characters are checked one by one, not put in
/// order.
fn decodes(encoded: &str) -> bool {
    let (basic, deltas) = encoded.rsplit_once('-').unwrap_or(("", encoded));
    let Ok(mut count) = u32::try_from(basic.len()) else {
        return false;
    };
    let (mut n, mut i, mut bias) = (INITIAL_N, 0_u32, INITIAL_BIAS);
    let mut digits = deltas.bytes().peekable();
    let mut is_first = true;
    while digits.peek().is_some() {
        let Some(delta) = delta(&mut digits, bias) else {
            return false;
        };
        count += 1;
        bias = adapt(delta, count, is_first);
        is_first = false;
        let Some(sum) = i.checked_add(delta) else {
            return false;
        };
        n = n.saturating_add(sum / count);
        i = sum % count + 1;
        match char::from_u32(n) {
            Some(c) if !is_invisible(c) || is_joiner(c) => {}
            _ => return false,
        }
    }
    // A label that is all ASCII may not be written in punycode.
    !is_first
}

/// Decodes one variable-length integer.
fn delta(digits: &mut impl Iterator<Item = u8>, bias: u32) -> Option<u32> {
    let (mut delta, mut weight) = (0_u32, 1_u32);
    let mut k = BASE;
    loop {
        let digit = match digits.next()? {
            b @ b'a'..=b'z' => u32::from(b - b'a'),
            b @ b'A'..=b'Z' => u32::from(b - b'A'),
            b @ b'0'..=b'9' => u32::from(b - b'0') + 26,
            _ => return None,
        };
        delta = delta.checked_add(digit.checked_mul(weight)?)?;
        let threshold = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
        if digit < threshold {
            return Some(delta);
        }
        weight = weight.checked_mul(BASE - threshold)?;
        k += BASE;
    }
}

/// The next bias (RFC 3492 section 6.1).
fn adapt(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / count;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

/// Returns `true` if a character is a joiner that some scripts need (RFC 5892, appendix A).
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_for_names_or_do_not() {
        for host in [
            "example.com",
            "xn--bcher-kva.example",
            "XN--BCHER-KVA.example",
            "xn--wgv71a119e.jp",
            "xn--p1ai",
            "xn--i-7iq.ws",
            "xn--mgbaam7a8h",
            "a.xn--e1afmkfd.xn--p1ai",
            "-a-.b--c",
            // With a joiner.
            "xn--mgba3gch31f060k.com",
            // The samples of RFC 3492 section 7.1, in lower case.
            "xn--egbpdaj6bu4bxfgehfvwxn",
            "xn--ihqwcrb4cv8a8dqg056pqjye",
            "xn--ihqwctvzc91f659drss3x8bo0yb",
            "xn--proprostnemluvesky-uyb24dma41a",
            "xn--4dbcagdahymbxekheh6e0a7fei0b",
            "xn--i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd",
            "xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa",
            "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l",
            "xn--porqunopuedensimplementehablarenespaol-fmd56a",
            "xn--tisaohkhngthchnitingvit-kjcr8268qyxafd2f1b9g",
        ] {
            assert!(is_valid_host(host), "{host}");
        }
        for host in [
            "xn--a",
            "xn--",
            "xn--a-",
            "xn--abc-",
            "xn--bcher-kv",
            "xn--bcher-kva!",
            "xn--99999999",
            "xn--zzzzzzzzzzzz",
            "www.xn--a.example",
        ] {
            assert!(!is_valid_host(host), "{host}");
        }
    }
}

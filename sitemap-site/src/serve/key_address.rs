//! Keys in the address of a part.
//!
//! Columns are separated by `.`. In a text, letters, digits and `-` stay. Every other byte becomes `_` and two hexadecimal
//! digits, and so does the first character if the text would read as an integer. An empty text is `_`. Bytes are `_x` and
//! hexadecimal digits.

use std::fmt::{self, Write};

use crate::key::{Key, KeyValue};

/// Maximum length in bytes of an end in a part's name: both ends and the longest name of a section have room in a name.
const MAX_END: usize = 62;

/// The prefix of a hashed end. After `_` in the address of a key there are two capital digits, or `x`.
const HASHED: &str = "_h";

/// Returns `true` if the address of a key is too long for the end of a part. Parts end at other keys if there are any near.
pub(crate) fn is_long(key: &Key) -> bool {
    let separators = key.values().len().saturating_sub(1);
    let length = |value: &KeyValue| match value {
        KeyValue::Integer(_) => 20,
        KeyValue::Text(text) => {
            let escaped = text.bytes().filter(|byte| !is_plain(*byte)).count();
            text.len() + 2 * escaped
        }
        KeyValue::Bytes(bytes) => 2 + 2 * bytes.len(),
    };
    key.values()
        .iter()
        .map(length)
        .fold(separators, usize::saturating_add)
        > MAX_END
}

/// The end of a part in its name: the address of its key, or a hash of a long key. Only the table of parts knows the key of a hash.
pub(crate) fn to_end(key: &Key) -> String {
    let address = to_address(key);
    if !is_long(key) {
        return address;
    }
    let hash = blake3::hash(address.as_bytes()).to_hex();
    format!("{HASHED}{}", hash.get(..32).unwrap_or_default())
}

/// Returns `true` if an end is the hash of a key.
pub(crate) fn is_hashed(end: &str) -> bool {
    end.strip_prefix(HASHED).is_some_and(|hash| {
        hash.len() == 32
            && hash
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    })
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// The address of a key.
pub(crate) fn to_address(key: &Key) -> String {
    let mut out = String::new();
    for (at, value) in key.values().iter().enumerate() {
        if at > 0 {
            out.push('.');
        }
        // Writing to a `String` does not fail.
        let _ = push(&mut out, value);
    }
    out
}

fn push(out: &mut String, value: &KeyValue) -> fmt::Result {
    match value {
        KeyValue::Integer(number) => write!(out, "{number}"),
        KeyValue::Text(text) if text.is_empty() => out.write_str("_"),
        KeyValue::Text(text) => {
            let mut as_number = integer(text).is_some();
            for byte in text.bytes() {
                if is_plain(byte) && !as_number {
                    out.push(char::from(byte));
                } else {
                    write!(out, "_{byte:02X}")?;
                }
                as_number = false;
            }
            Ok(())
        }
        KeyValue::Bytes(bytes) => {
            out.push_str("_x");
            bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
        }
    }
}

/// Parses the address of a key. Each key has exactly one address: not `_41` for `A`, not `+1`.
pub(crate) fn from_address(text: &str) -> Option<Key> {
    let values: Vec<_> = text.split('.').map(value).collect::<Option<_>>()?;
    let key = Key::composite(values);
    (to_address(&key) == text).then_some(key)
}

fn value(text: &str) -> Option<KeyValue> {
    if text.is_empty() {
        return None;
    }
    if let Some(number) = integer(text) {
        return Some(KeyValue::Integer(number));
    }
    if let Some(digits) = text.strip_prefix("_x") {
        return bytes(digits).map(KeyValue::Bytes);
    }
    if text == "_" {
        return Some(KeyValue::Text(String::new()));
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('_') {
        decoded.extend_from_slice(plain.as_bytes());
        decoded.extend(bytes(escaped.get(..2)?)?);
        rest = escaped.get(2..)?;
    }
    decoded.extend_from_slice(rest.as_bytes());
    String::from_utf8(decoded).ok().map(KeyValue::Text)
}

/// Parses an integer in its canonical form.
fn integer(text: &str) -> Option<i64> {
    let number = text.parse::<i64>().ok()?;
    (number.to_string() == text).then_some(number)
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let [high, low] = pair else { return None };
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            u8::try_from(digit(high)? * 16 + digit(low)?).ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_reads_back_from_its_address() {
        let texts = [
            "",
            "a",
            "-",
            "-1",
            "007",
            "7",
            "_",
            "_x",
            "x.y",
            "a~b",
            "ä",
            "A_B",
            "9223372036854775808",
            "%2F/?#",
        ];
        let mut keys: Vec<Key> = texts.iter().map(|text| Key::from(*text)).collect();
        keys.extend([0, -1, i64::MIN, i64::MAX].map(Key::from));
        keys.extend([vec![], vec![0, 255]].map(Key::from));
        keys.push(("de", 5, "x").into());
        keys.push(("", "").into());
        for key in &keys {
            let address = to_address(key);
            assert!(
                address
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)),
                "{address}"
            );
            assert_eq!(from_address(&address).as_ref(), Some(key), "{address}");
        }
        let mut addresses: Vec<_> = keys.iter().map(to_address).collect();
        addresses.sort();
        addresses.dedup();
        assert_eq!(addresses.len(), keys.len(), "no two keys have one address");
    }

    #[test]
    fn a_long_key_is_hashed_in_a_name() {
        let titles = [
            "ж".repeat(11),
            "中".repeat(7),
            "a".repeat(63),
            "a-".repeat(31),
            "x".repeat(9_000),
        ];
        let long = titles.map(|title| {
            let (key, end) = (Key::from(&*title), to_end(&Key::from(&*title)));
            assert!(end.len() <= MAX_END);
            assert_eq!(is_hashed(&end), is_long(&key));
            // No key has the address of a hash.
            assert_eq!(from_address(&end).is_none(), is_long(&key));
            is_long(&key)
        });
        assert_eq!(long, [true, true, true, false, true]);
        let long = |text: &str| Key::from((text, 7, vec![1_u8; 16]));
        assert!(is_long(&long("de_de")) && !is_long(&long("de")));
        assert_ne!(to_end(&long("de_de")), to_end(&long("de_at")));
    }

    #[test]
    fn only_one_spelling_is_read() {
        for other in [
            "", "+1", "01", "-0", "_41", "_c3_b6", "_xAB", "_xa", "a.", ".a", "a..b", "_", "_3", "a_", "_C3",
            "ä", "a b", "a~b",
        ] {
            let read = from_address(other);
            let expected = match other {
                "01" => Some(Key::from("01")),
                "-0" => Some(Key::from("-0")),
                "_" => Some(Key::from("")),
                _ => None,
            };
            assert_eq!(read, expected, "{other}");
        }
    }
}

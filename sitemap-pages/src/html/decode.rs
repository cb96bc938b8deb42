//! The encoding of a page, by the rules of the HTML standard.

use std::borrow::Cow;
use std::convert::Infallible;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use super::attributes::Attributes;

/// The standard searches this number of bytes for a declaration.
const DECLARATION: usize = 1024;

/// Returns the page as UTF-8. Invalid bytes may remain. Invalid UTF-8 is decoded as windows-1252 if there is no byte order mark
/// and no declaration. The label of the response's `Content-Type` takes precedence over a declaration.
pub(crate) fn decode<'a>(bytes: &'a [u8], label: Option<&str>) -> Cow<'a, [u8]> {
    if let Some((encoding, len)) = Encoding::for_bom(bytes) {
        return decode_as(encoding, &bytes[len..]);
    }
    // ASCII is the same in every encoding that can be declared, except in ISO-2022-JP, which uses escapes.
    if bytes.is_ascii() && !bytes.contains(&0x1B) {
        return bytes.into();
    }
    let of_response = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    let declared = || declared(&bytes[..bytes.len().min(DECLARATION)]);
    let encoding = of_response.or_else(declared).unwrap_or_else(|| {
        if std::str::from_utf8(bytes).is_ok() {
            UTF_8
        } else {
            WINDOWS_1252
        }
    });
    decode_as(encoding, bytes)
}

/// The first bytes of binary files: pictures, documents, archives and fonts.
const SIGNATURES: [&[u8]; 14] = [
    b"\x89PNG\r\n",
    b"\xFF\xD8\xFF",
    b"GIF87a",
    b"GIF89a",
    b"RIFF",
    b"\0\0\x01\0",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1F\x8B\x08",
    b"\x28\xB5\x2F\xFD",
    b"wOFF",
    b"wOF2",
    b"\0asm",
    b"ID3",
];

/// Returns `true` if the first bytes show a picture, an archive or another binary file.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    SIGNATURES.iter().any(|signature| bytes.starts_with(signature))
}

fn decode_as<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Cow<'a, [u8]> {
    if encoding == UTF_8 {
        return bytes.into();
    }
    match encoding.decode_without_bom_handling(bytes).0 {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

/// Returns the encoding that a `meta` declares.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut attributes = Attributes::new(false);
    let mut is_meta = false;
    let mut found = None;
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                attributes.clear();
                is_meta = name == b"meta";
            }
            CallbackEvent::AttributeName { name } if is_meta => attributes.push_name(name),
            CallbackEvent::AttributeValue { value } if is_meta => attributes.push_value(value),
            CallbackEvent::CloseStartTag { .. } if is_meta && found.is_none() => found = of_meta(&attributes),
            _ => {}
        }
        None::<Infallible>
    });
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(bytes, emitter).finish();
    found.or_else(|| usable(xml_label(bytes)?))
}

/// Returns the encoding in an XML declaration.
fn xml_label(bytes: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"encoding";
    let declaration = bytes.trim_ascii_start().strip_prefix(b"<?xml")?;
    let declaration = &declaration[..declaration.iter().position(|byte| *byte == b'>')?];
    let name = declaration.windows(NAME.len()).position(|word| word == NAME)?;
    let value = declaration[name + NAME.len()..]
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let (quote, value) = value.split_first()?;
    value
        .split(|byte| byte == quote)
        .next()
        .filter(|_| matches!(quote, b'"' | b'\''))
}

fn of_meta(attributes: &Attributes) -> Option<&'static Encoding> {
    let label = match attributes.bytes("charset") {
        Some(label) => label,
        None if attributes.is("http-equiv", "content-type") => {
            let content = attributes.bytes("content")?;
            let position = content
                .windows(7)
                .position(|word| word.eq_ignore_ascii_case(b"charset"))?;
            let value = content[position + 7..]
                .trim_ascii_start()
                .strip_prefix(b"=")?
                .trim_ascii();
            let is_end = |b: &u8| matches!(b, b';' | b'"' | b'\'') || b.is_ascii_whitespace();
            let value = value
                .strip_prefix(b"\"")
                .or(value.strip_prefix(b"'"))
                .unwrap_or(value);
            value.split(is_end).next()?
        }
        None => return None,
    };
    usable(label)
}

/// Returns the encoding of a declared label.
fn usable(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    // A declaration that is readable as ASCII cannot be in UTF-16.
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn by_mark_declaration_or_content() {
        let utf_16: Vec<u8> = "\u{feff}<p>é".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, text) in [
            (&b"<p>e"[..], "<p>e"),
            (b"\xEF\xBB\xBF<p>\xC3\xA9", "<p>é"),
            (&utf_16, "<p>é"),
            ("<p>é".as_bytes(), "<p>é"),
            (b"<p>\xE9", "<p>é"),
            (
                b"<meta charset=iso-8859-2><p>\xE9\xB1",
                "<meta charset=iso-8859-2><p>éą",
            ),
            (b"<META CHARSET=' koi8-r '>\xC1", "<META CHARSET=' koi8-r '>а"),
            (
                b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\xE0",
                "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>а",
            ),
            (
                b"<!-- <meta charset=koi8-r> --><meta charset=utf-16>\xC3\xA9",
                "<!-- <meta charset=koi8-r> --><meta charset=utf-16>é",
            ),
            (
                b"<?xml version='1.0' encoding = 'windows-1251' ?><p>\xE0",
                "<?xml version='1.0' encoding = 'windows-1251' ?><p>а",
            ),
            // A `meta` takes precedence.
            (
                b"<?xml encoding=\"koi8-r\"?><meta charset=windows-1251>\xE0",
                "<?xml encoding=\"koi8-r\"?><meta charset=windows-1251>а",
            ),
            (b"<?xml version='1.0'?><p>\xE9", "<?xml version='1.0'?><p>é"),
            (b"<meta charset=none>\xE9", "<meta charset=none>é"),
            // The first declaration wins.
            (
                b"<meta charset=koi8-r><meta charset=iso-8859-2>\xC1",
                "<meta charset=koi8-r><meta charset=iso-8859-2>а",
            ),
            (
                b"<script>'<meta charset=koi8-r>'</script>\xC3\xA9",
                "<script>'<meta charset=koi8-r>'</script>é",
            ),
            (
                b"<meta charset=iso-2022-jp>\x1B$B8l\x1B(B",
                "<meta charset=iso-2022-jp>語",
            ),
        ] {
            assert_eq!(String::from_utf8(decode(bytes, None).into_owned()).unwrap(), text);
        }
    }
}

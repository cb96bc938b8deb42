//! Attributes as they stand in a tag or a processing instruction.

/// The name of each attribute, and its value as it is written.
pub(crate) fn attributes(mut rest: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        let (name, value) = rest.trim_start().split_once('=')?;
        let (name, value) = (name.trim_end(), value.trim_start());
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, behind) = value.get(1..)?.split_once(quote)?;
        rest = behind;
        let is_name = !name.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '>'));
        is_name.then_some((name, value))
    })
}

/// A value without references to characters. Other references are kept.
pub(crate) fn unescaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let found = behind
            .split_once(';')
            .and_then(|(name, behind)| Some((character(name)?, behind)));
        let (c, behind) = found.unwrap_or(('&', behind));
        out.push(c);
        rest = behind;
    }
    out + rest
}

/// The character that a reference stands for.
fn character(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "amp" => Some('&'),
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix('x') {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)
        }
    }
}

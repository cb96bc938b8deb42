//! Attributes as written in a tag or a processing instruction.

/// Iterates over the attributes: each name, with its value as written.
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

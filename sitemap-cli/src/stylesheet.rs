//! The stylesheet of a document.

use sitemap_serde::WriterBuilder;

use crate::input::{Input, head};

/// The stylesheet of a document. If that cannot be read, that is reported where its entries are read.
pub(crate) fn of(input: &Input) -> Option<String> {
    href(&head(input.open_any().ok()?).ok()?)
}

/// The `href` of the `xml-stylesheet` instruction (Associating Style Sheets with XML documents) before the root of a document that begins
/// like this.
fn href(start: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(start);
    let mut rest = text.trim_start();
    loop {
        let end = if let Some(instruction) = rest.strip_prefix("<?") {
            let (instruction, _) = instruction.split_once("?>")?;
            if let Some(values) = instruction.strip_prefix("xml-stylesheet") {
                return value(values, "href");
            }
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else {
            return None;
        };
        let (_, behind) = rest.split_once(end)?;
        rest = behind.trim_start();
    }
}

/// The value of a pseudo-attribute.
fn value(mut rest: &str, name: &str) -> Option<String> {
    loop {
        let (found, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, behind) = behind.get(1..)?.split_once(quote)?;
        if found.trim() == name {
            let value = value
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"");
            return Some(value.replace("&apos;", "'").replace("&amp;", "&"));
        }
        rest = behind;
    }
}

/// Returns `true` if a writer accepts this stylesheet.
pub(crate) fn is_written(href: &str) -> bool {
    WriterBuilder::new().stylesheet(href).check().is_ok()
}

#[cfg(test)]
mod tests {
    use super::href;

    #[test]
    fn instructions() {
        for (start, found) in [
            (
                "<?xml version=\"1.0\"?>\n<?xml-stylesheet type=\"text/xsl\" href=\"/a.xsl?b&amp;c\"?><urlset>",
                Some("/a.xsl?b&c"),
            ),
            (
                "<!-- <?xml-stylesheet href='/no.css'?> --><?xml-stylesheet href = '/a.css' type='text/css' ?>",
                Some("/a.css"),
            ),
            ("<urlset><?xml-stylesheet href='/no.css'?>", None),
            ("<?xml-stylesheet href=/a.css?><urlset>", None),
            ("<?xml-stylesheet type='text/css'?><urlset>", None),
            ("<?xml-stylesheet href='/a.css'", None),
            ("", None),
        ] {
            assert_eq!(href(start.as_bytes()).as_deref(), found, "{start}");
        }
    }
}

//! `namespace(shop = "https://…")`: the namespaces of a type's elements.

use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, Lit, LitStr, Token};

use super::element;
use super::items::{Item, Value, next_token, read_value, skip_to_comma};
use crate::ctxt::{Checked, Ctxt, Reported};

impl Item {
    /// The prefixes and URIs in `namespace(…)`.
    pub(super) fn namespaces(&self, cx: &Ctxt) -> Checked<Vec<(Ident, LitStr)>> {
        let Value::List(list) = &self.value else {
            return Err(self.error(
                cx,
                format!(
                    "`namespace` takes prefixes and their URIs, as in `{}`",
                    self.usage()
                ),
            ));
        };
        let mut found: Vec<(Ident, LitStr)> = Vec::new();
        let mut right = Ok(());
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                match namespace(cx, input, &found) {
                    Ok(namespace) => found.push(namespace),
                    Err(reported) => {
                        right = Err(reported);
                        skip_to_comma(input);
                    }
                }
                if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                    right = Err(cx.error(next_token(input), "expected a comma"));
                    skip_to_comma(input);
                }
            }
            Ok(())
        };
        if let Err(error) = parser.parse2(list.stream()) {
            cx.push(error);
            return Err(Reported);
        }
        right?;
        if found.is_empty() {
            return Err(cx.error(list, format!("a namespace is missing, as in `{}`", self.usage())));
        }
        Ok(found)
    }
}

/// Parses a prefix and its URI.
fn namespace(cx: &Ctxt, input: ParseStream<'_>, before: &[(Ident, LitStr)]) -> Checked<(Ident, LitStr)> {
    const EXAMPLE: &str = "as in `shop = \"https://example.com/ns/shop\"`";
    let fork = input.fork();
    let Ok(prefix) = Ident::parse_any(&fork) else {
        return Err(cx.error(
            next_token(input),
            format!("expected a prefix and its URI, {EXAMPLE}"),
        ));
    };
    input.advance_to(&fork);
    let name = prefix.unraw().to_string();
    let value = read_value(input, false).map_err(|place| {
        let message = format!("expected a prefix and its URI, {EXAMPLE}");
        if place.is_empty() {
            cx.error(&prefix, message)
        } else {
            cx.error(place, message)
        }
    })?;
    let uri = match &value {
        Value::Lit {
            minus: None,
            lit: Lit::Str(text),
        } if text.suffix().is_empty() => text.clone(),
        Value::None => return Err(cx.error(&prefix, format!("`{name}` needs its URI, {EXAMPLE}"))),
        value => {
            return Err(cx.error(
                value,
                format!("the URI of a namespace is a text in quotes, {EXAMPLE}"),
            ));
        }
    };
    if let Err(message) = element::check_prefix(&name) {
        return Err(cx.error(&prefix, message));
    }
    if let Err(message) = element::check_uri(&uri.value()) {
        return Err(cx.error(&uri, message));
    }
    for (other, other_uri) in before {
        let other = other.unraw().to_string();
        if other == name {
            return Err(cx.error(&prefix, format!("`{name}` is given twice; keep one of them")));
        }
        if other_uri.value() == uri.value() {
            return Err(cx.error(
                &uri,
                format!("this namespace has the prefix `{other}` already; keep one of them"),
            ));
        }
    }
    Ok((prefix, uri))
}

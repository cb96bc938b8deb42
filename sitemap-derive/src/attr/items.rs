//! Parsing `#[sitemap(…)]` into items, each a key and its value.
//!
//! Parsing does not stop at a mistake: it is reported to the [`Ctxt`], and parsing continues after it.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use sitemap_values::suggest;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, Ident, Lit, LitInt, Meta, Path, Token, UnOp, token};

use super::{Key, Level};
use crate::ctxt::Ctxt;

/// The items of all `#[sitemap(…)]` attributes of a type, variant or field, each key once.
pub(super) struct Items {
    pub(super) list: Vec<Item>,
    /// The probably intended keys of misspelt ones.
    meant: Vec<Key>,
    /// `true` if there is a mistake whose intended key is unknown.
    unreadable: bool,
    /// `true` if there is any item, valid or not.
    pub(super) any: bool,
}

pub(super) struct Item {
    pub(super) level: Level,
    pub(super) key: Key,
    pub(super) name: Ident,
    pub(super) value: Value,
}

/// The value of an item.
#[derive(Clone)]
pub(crate) enum Value {
    /// The key alone.
    None,
    Lit {
        minus: Option<Token![-]>,
        lit: Lit,
    },
    Path(Path),
    /// `(…)` instead of `= …`.
    List(Group),
    Other(TokenStream),
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Value::None => {}
            Value::Lit { minus, lit } => {
                minus.to_tokens(tokens);
                lit.to_tokens(tokens);
            }
            Value::Path(path) => path.to_tokens(tokens),
            Value::List(list) => list.to_tokens(tokens),
            Value::Other(other) => other.to_tokens(tokens),
        }
    }
}

impl Items {
    pub(super) fn read(cx: &Ctxt, attrs: &[Attribute], level: Level) -> Items {
        let mut items = Items {
            list: Vec::new(),
            meant: Vec::new(),
            unreadable: false,
            any: false,
        };
        for attr in attrs {
            if !attr.path().is_ident("sitemap") {
                continue;
            }
            match &attr.meta {
                Meta::List(list) => {
                    let parser = |input: ParseStream<'_>| {
                        while !input.is_empty() {
                            items.any = true;
                            items.read_item(cx, input, level);
                        }
                        Ok(())
                    };
                    if let Err(error) = parser.parse2(list.tokens.clone()) {
                        cx.push(error);
                    }
                }
                meta => {
                    items.any = true;
                    items.unreadable = true;
                    cx.error(
                        meta,
                        format!("expected `#[sitemap(…)]`, as in `#[sitemap({})]`", example(level)),
                    );
                }
            }
        }
        items
    }

    /// Reads an item and the comma after it.
    fn read_item(&mut self, cx: &Ctxt, input: ParseStream<'_>, level: Level) {
        if let Some(item) = self.read_key_and_value(cx, input, level) {
            self.add(cx, item);
        }
        if input.is_empty() || input.parse::<Token![,]>().is_ok() {
            return;
        }
        // If a valid item follows, only the comma is missing.
        let (token, next_is_key) = (input.fork().parse::<TokenTree>().ok(), next_is_key(input));
        cx.error(token, "expected a comma");
        if !next_is_key {
            skip_to_comma(input);
            let _: Option<Token![,]> = input.parse().ok().flatten();
        }
    }

    fn read_key_and_value(&mut self, cx: &Ctxt, input: ParseStream<'_>, level: Level) -> Option<Item> {
        let Some(path) = read_key(input) else {
            self.not_a_key(cx, input, level);
            return None;
        };
        let name = path.get_ident().cloned();
        let key = name.as_ref().and_then(|name| Key::named(&name.to_string()));
        let (Some(name), Some(key)) = (name, key) else {
            self.unknown(cx, &path, level);
            skip_to_comma(input);
            return None;
        };
        let Some(usage) = key.usage(level) else {
            self.meant.push(key);
            cx.error(
                &name,
                format!("`{name}` does not belong on {}; {}", level.name(), key.belongs()),
            );
            skip_to_comma(input);
            return None;
        };
        match read_value(input, key.takes_list(level)) {
            Ok(value) => Some(Item {
                level,
                key,
                name,
                value,
            }),
            Err(place) => {
                self.meant.push(key);
                let message = match place.to_string().as_str() {
                    "." => "a decimal is written with a digit before its point, as in `0.5`".to_owned(),
                    _ if level == Level::Field && matches!(key, Key::ExcludeIf | Key::IncludeIf) => {
                        format!(
                            "expected `{usage}`, as a bare key on a bool, or `{usage} = path::to::function`"
                        )
                    }
                    _ => format!("expected `{usage}`"),
                };
                if place.is_empty() {
                    cx.error(&name, message);
                } else {
                    cx.error(place, message);
                }
                skip_to_comma(input);
                None
            }
        }
    }

    fn not_a_key(&mut self, cx: &Ctxt, input: ParseStream<'_>, level: Level) {
        self.unreadable = true;
        if input.peek(Token![,]) {
            cx.error(next_token(input), "a comma too many");
            return;
        }
        let after_number = matches!(
            self.list.last().map(|item| &item.value),
            Some(Value::Lit { lit: Lit::Int(_), .. })
        );
        let message = if after_number && input.peek(LitInt) {
            "a decimal is written with a point, as in `0.5`".to_owned()
        } else if input.peek(Lit) {
            format!("expected a key in front of it, as in `{}`", example(level))
        } else {
            format!("expected a key, as in `{}`", example(level))
        };
        cx.error(next_token(input), message);
        skip_to_comma(input);
    }

    fn unknown(&mut self, cx: &Ctxt, path: &Path, level: Level) {
        let found = path_text(path);
        let folded: String = found
            .chars()
            .filter(char::is_ascii_alphabetic)
            .collect::<String>()
            .to_lowercase();
        let here = || Key::at(level);
        let near = Key::with_alias(&folded)
            .filter(|key| key.usage(level).is_some())
            .or_else(|| {
                let near = suggest::nearest(&found, here().map(Key::name))?;
                here().find(|key| key.name() == near)
            });
        let advice = if level == Level::Field && folded == "skip" {
            // As serde's key, it means the field; as a word, it may mean the row.
            self.meant.push(Key::ExcludeIf);
            "a field without a key is not written; `exclude_if` leaves out the whole row".to_owned()
        } else if level == Level::Field && folded == "hreflang" {
            // The type does not say which: both may be lists.
            self.meant.extend([Key::Alternate, Key::Languages]);
            "did you mean `languages`, for a list with an item for each language of the page, or `alternate`, for links that the row has?"
                .to_owned()
        } else if let Some(key) = near {
            self.meant.push(key);
            format!("did you mean `{}`?", key.usage(level).unwrap_or(key.name()))
        } else {
            let names: Vec<String> = here().map(|key| format!("`{}`", key.name())).collect();
            format!("the keys of {} are {}", level.name(), names.join(", "))
        };
        cx.error(
            path,
            format!("`{found}` is not a key of `#[sitemap(…)]`; {advice}"),
        );
    }

    fn add(&mut self, cx: &Ctxt, item: Item) {
        if !item.key.repeats(item.level) && self.list.iter().any(|other| other.key == item.key) {
            let message = format!("`{}` is given twice; keep one of them", item.name);
            cx.error(&item.name, message);
        } else {
            self.list.push(item);
        }
    }

    pub(super) fn misspelt(&self, key: Key) -> bool {
        self.unreadable || self.meant.contains(&key)
    }
}

fn example(level: Level) -> &'static str {
    match level {
        Level::Struct | Level::Variant => "loc = \"/products/{slug}\"",
        Level::Enum => "exclude_if = Self::is_draft",
        Level::Field => "lastmod",
    }
}

/// Parses a path whose segments may be keywords.
fn read_key(input: ParseStream<'_>) -> Option<Path> {
    let fork = input.fork();
    let mut path = Path::from(Ident::parse_any(&fork).ok()?);
    while fork.peek(Token![::]) && fork.peek3(Ident::peek_any) {
        let _: Token![::] = fork.parse().ok()?;
        path.segments.push(Ident::parse_any(&fork).ok()?.into());
    }
    input.advance_to(&fork);
    Some(path)
}

/// Parses the value after a key; the error has the tokens that are not a value.
pub(super) fn read_value(input: ParseStream<'_>, takes_list: bool) -> Result<Value, TokenStream> {
    if takes_list && input.peek(token::Paren) {
        return input.parse().map(Value::List).map_err(|_| next_token(input));
    }
    if input.is_empty() || input.peek(Token![,]) || next_is_key(input) {
        return Ok(Value::None);
    }
    let equals: Token![=] = input.parse().map_err(|_| next_token(input))?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(equals.into_token_stream());
    }
    let fork = input.fork();
    if let Ok(value) = fork.parse::<Expr>() {
        input.advance_to(&fork);
        return Ok(of_expr(value));
    }
    unparsed(input).map(Value::Other).ok_or_else(|| next_token(input))
}

/// Takes a closure, or an expression with a block or an array in it: syn parses these only with its feature `full`. It ends at
/// the next comma, or at a key that follows a block; the compiler checks it.
fn unparsed(input: ParseStream<'_>) -> Option<TokenStream> {
    let fork = input.fork();
    let is_closure = fork.peek(Token![|]) || fork.peek(Token![||]) || fork.peek(Token![move]);
    let mut tokens = TokenStream::new();
    let (mut bars, mut has_block, mut behind_block) = (0, false, false);
    while !(fork.is_empty() || behind_block && next_is_key(&fork)) {
        let in_parameters = is_closure && bars < 2;
        if fork.peek(Token![,]) && !in_parameters {
            break;
        }
        let token: TokenTree = fork.parse().ok()?;
        bars +=
            u8::from(in_parameters && matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '|'));
        behind_block = is_block(&token);
        has_block = has_block || contains_block(&token);
        tokens.extend([token]);
    }
    if !(has_block || is_closure) {
        return None;
    }
    input.advance_to(&fork);
    Some(tokens)
}

/// Returns `true` if a token is a block, or has one or an array in it.
fn contains_block(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => {
            matches!(group.delimiter(), Delimiter::Brace | Delimiter::Bracket)
                || group.stream().into_iter().any(|token| contains_block(&token))
        }
        _ => false,
    }
}

/// Returns `true` if a token is in braces.
pub(super) fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn of_expr(expr: Expr) -> Value {
    match expr {
        // Literals and paths from a `macro_rules!` variable are in invisible groups.
        Expr::Group(group) => of_expr(*group.expr),
        Expr::Lit(lit) => Value::Lit {
            minus: None,
            lit: lit.lit,
        },
        Expr::Path(path) if path.qself.is_none() => Value::Path(path.path),
        Expr::Unary(unary) => match (unary.op, *unary.expr) {
            (UnOp::Neg(minus), Expr::Lit(lit)) => Value::Lit {
                minus: Some(minus),
                lit: lit.lit,
            },
            (op, expr) => {
                let mut tokens = op.into_token_stream();
                expr.to_tokens(&mut tokens);
                Value::Other(tokens)
            }
        },
        other => Value::Other(other.into_token_stream()),
    }
}

pub(super) fn next_token(input: ParseStream<'_>) -> TokenStream {
    input
        .fork()
        .parse::<TokenTree>()
        .map_or_else(|_| TokenStream::new(), TokenStream::from)
}

/// Returns `true` if the next token is a known key, either bare or followed by `=`.
fn next_is_key(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    let Ok(name) = Ident::parse_any(&fork) else {
        return false;
    };
    Key::named(&name.to_string()).is_some()
        && (fork.is_empty() || fork.peek(Token![,]) || (fork.peek(Token![=]) && !fork.peek(Token![==])))
}

pub(super) fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}

pub(super) fn path_text(path: &Path) -> String {
    let segments: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    segments.join("::")
}

/// The first identifier with this name, in groups too.
pub(super) fn find(tokens: TokenStream, name: &str) -> Option<TokenTree> {
    tokens.into_iter().find_map(|token| match &token {
        TokenTree::Ident(ident) if *ident == name => Some(token),
        TokenTree::Group(group) => find(group.stream(), name),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the consumed part of a text and the rest, both without spaces.
    fn taken(text: &str) -> (Option<String>, String) {
        let parser = |input: ParseStream<'_>| {
            let taken = unparsed(input).map(|tokens| tokens.to_string().replace(' ', ""));
            let rest: TokenStream = input.parse()?;
            Ok((taken, rest.to_string().replace(' ', "")))
        };
        parser.parse_str(text).unwrap()
    }

    #[test]
    fn what_syn_does_not_parse_ends_at_a_comma_or_a_key() {
        for (text, expected, rest) in [
            (
                "if A {1} else {2} priority = 0.5",
                Some("ifA{1}else{2}"),
                "priority=0.5",
            ),
            ("if A {1} else {2}, lastmod", Some("ifA{1}else{2}"), ",lastmod"),
            ("if base == B {1} else {2}", Some("ifbase==B{1}else{2}"), ""),
            ("max([1, 2][0], 3), lastmod", Some("max([1,2][0],3)"), ",lastmod"),
            ("|a, b| a | b, lastmod", Some("|a,b|a|b"), ",lastmod"),
            ("move || a, lastmod", Some("move||a"), ",lastmod"),
            (".5, lastmod = { 1 }", None, ".5,lastmod={1}"),
            ("max(1, 2)", None, "max(1,2)"),
        ] {
            assert_eq!(
                taken(text),
                (expected.map(str::to_owned), rest.to_owned()),
                "{text}"
            );
        }
    }
}

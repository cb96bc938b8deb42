//! Tests of the errors that the derives find from tokens. Each file in `ui/` has a second file with its messages and their
//! places, in the compiler's format.
//!
//! `UI=overwrite cargo test -p sitemap-derive ui` updates them; review the diff. `tests/ui` compiles all files at once and tests
//! that the compiler shows exactly these messages.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Block, DeriveInput, Item, Stmt, Token};

use crate::derive;
use crate::validate::Direction;

/// A place in a file: lines from 1, columns in characters from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    start: LineColumn,
    end: LineColumn,
}

impl Place {
    fn of(first: Span, last: Span) -> Self {
        Place {
            start: first.start(),
            end: last.end(),
        }
    }
}

/// The types in a file that derive any of this crate's traits, in order.
fn derivations(items: Vec<Item>, found: &mut Vec<(DeriveInput, Vec<Direction>)>) {
    for item in items {
        match item {
            Item::Struct(item) => derivation(item.to_token_stream(), found),
            Item::Enum(item) => derivation(item.to_token_stream(), found),
            Item::Union(item) => derivation(item.to_token_stream(), found),
            Item::Mod(item) => derivations(item.content.map_or_else(Vec::new, |(_, items)| items), found),
            Item::Fn(item) => derivations(items_of(*item.block), found),
            _ => {}
        }
    }
}

fn items_of(block: Block) -> Vec<Item> {
    let statements = block.stmts.into_iter();
    statements
        .filter_map(|statement| match statement {
            Stmt::Item(item) => Some(item),
            _ => None,
        })
        .collect()
}

fn derivation(item: TokenStream, found: &mut Vec<(DeriveInput, Vec<Direction>)>) {
    let mut input: DeriveInput = syn::parse2(item).unwrap();
    let mut directions = Vec::new();
    input.attrs.retain(|attr| {
        if !attr.path().is_ident("derive") {
            return true;
        }
        directions.extend(directions_of(attr));
        false
    });
    if !directions.is_empty() {
        found.push((input, directions));
    }
}

fn directions_of(attr: &Attribute) -> Vec<Direction> {
    let names = Punctuated::<syn::Path, Token![,]>::parse_terminated;
    let names = names
        .parse2(attr.meta.require_list().unwrap().tokens.clone())
        .unwrap();
    let last = names
        .iter()
        .filter_map(|path| path.segments.last().map(|last| last.ident.to_string()));
    last.filter_map(|name| match name.as_str() {
        "SitemapEntry" => Some(Direction::Write),
        "FromSitemapEntry" => Some(Direction::Read),
        "SitemapFields" => Some(Direction::Fields),
        "FromSitemapFields" => Some(Direction::FromFields),
        _ => None,
    })
    .collect()
}

/// Splits generated code into the messages of its errors and the rest.
fn errors(code: TokenStream) -> (Vec<(Place, String)>, TokenStream) {
    let (mut found, mut rest) = (Vec::new(), TokenStream::new());
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        // `::core::compile_error! { "…" }`
        let name = tokens.get(at..at + 8).filter(|tokens| {
            let text: String = tokens[..7].iter().map(ToString::to_string).collect();
            text == "::core::compile_error!".split_at(22).0
        });
        if let Some([first, .., TokenTree::Group(message)]) = name {
            let text: syn::LitStr = syn::parse2(message.stream()).unwrap();
            found.push((Place::of(first.span(), message.span()), text.value()));
            at += 8;
        } else {
            rest.extend([token.clone()]);
            at += 1;
        }
    }
    (found, rest)
}

/// The literals of a file. An error in a part of a literal is on the whole literal, since stable macros cannot make a span of
/// a part.
fn literals(tokens: TokenStream, found: &mut Vec<Place>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => literals(group.stream(), found),
            TokenTree::Literal(literal) => found.push(Place::of(literal.span(), literal.span())),
            _ => {}
        }
    }
}

/// The message as the compiler shows it.
fn show(name: &str, lines: &[&str], place: Place, message: &str) -> String {
    let width = place.end.line.to_string().len();
    let indent = " ".repeat(width);
    let mut message = message.lines();
    let mut out = format!("error: {}\n", message.next().unwrap_or_default());
    for line in message {
        let _ = writeln!(out, "{indent}      {line}");
    }
    let (line, column) = (place.start.line, place.start.column);
    let _ = writeln!(out, "{indent}--> ui/{name}:{line}:{}", column + 1);
    let _ = writeln!(out, "{indent} |");
    let text = lines[line - 1];
    if place.end.line == line {
        let under = "^".repeat((place.end.column - column).max(1));
        let _ = writeln!(out, "{line} | {text}");
        let _ = writeln!(out, "{indent} | {}{under}", " ".repeat(column));
        return out;
    }
    // The span has several lines.
    let first_is_start = text[..column].trim().is_empty();
    if first_is_start {
        let _ = writeln!(out, "{line:width$} | / {text}");
    } else {
        let _ = writeln!(out, "{line:width$} |   {text}");
        let _ = writeln!(out, "{indent} |  {}^", "_".repeat(column + 1));
    }
    let inner = line + 1..place.end.line;
    if inner.len() > 3 {
        for number in [line + 1, line + 2] {
            let _ = writeln!(out, "{number:width$} | | {}", lines[number - 1]);
        }
        let _ = writeln!(out, "...{} |", " ".repeat(width.saturating_sub(3)));
        let number = place.end.line - 1;
        let _ = writeln!(out, "{number:width$} | | {}", lines[number - 1]);
    } else {
        for number in inner {
            let _ = writeln!(out, "{number:width$} | | {}", lines[number - 1]);
        }
    }
    let _ = writeln!(out, "{} | | {}", place.end.line, lines[place.end.line - 1]);
    let _ = writeln!(out, "{indent} | |{}^", "_".repeat(place.end.column));
    out
}

/// All messages for a file.
fn messages(name: &str, source: &str) -> String {
    let file: syn::File = syn::parse_str(source).unwrap();
    let mut all_literals = Vec::new();
    literals(file.to_token_stream(), &mut all_literals);
    let mut inputs = Vec::new();
    derivations(file.items, &mut inputs);
    let lines: Vec<&str> = source.lines().collect();
    let (mut shown, mut seen) = (Vec::new(), BTreeSet::new());
    for (input, directions) in inputs {
        for direction in directions {
            let (errors, rest) = errors(derive(&input, direction));
            // An implementation is generated even with errors, so that the compiler reports no missing one.
            let rest: syn::File = syn::parse2(rest).unwrap();
            assert!(errors.is_empty() || rest.items.len() <= 1, "{name}");
            for (mut place, message) in errors {
                for literal in &all_literals {
                    if literal.start <= place.start && place.end <= literal.end {
                        place = *literal;
                    }
                }
                // The compiler shows the same message for the same place once.
                if seen.insert((place, message.clone())) {
                    shown.push(show(name, &lines, place, &message));
                }
            }
        }
    }
    shown.join("\n")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_mistake_has_its_message_and_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let root = env::var_os("UI_ROOT").map_or(root, PathBuf::from);
    let mut found = Vec::new();
    files(&root, &mut found);
    found.sort();
    let mut wrong = Vec::new();
    for path in &found {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
        let messages = messages(name, &fs::read_to_string(path).unwrap());
        let beside = path.with_extension("stderr");
        if env::var_os("UI").is_some_and(|value| value == "overwrite") {
            fs::write(&beside, &messages).unwrap();
        }
        let expected = fs::read_to_string(&beside).unwrap_or_default();
        if messages.is_empty() || messages != expected {
            wrong.push(format!("== {name}\n{messages}\n-- expected\n{expected}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}\n{}",
        wrong.len(),
        found.len(),
        wrong.join("\n")
    );
}

//! The intended meaning of a value that is not a literal or path, for messages.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Lit, Member, Path, UnOp, parse_quote};

use super::items::{Value, find};

/// The meaning of an expression, or of a string literal's text.
pub(super) enum Meant {
    /// A function that is called, such as `Self::rank()` or `self.rank()`.
    Function(Path),
    /// A path, in a string literal.
    Quoted(Path),
    /// `self.field`.
    Field(Ident),
    /// `{field}`, in a string literal.
    Placeholder(Ident),
    /// A condition after `!`.
    Not(Box<Meant>),
}

impl Meant {
    pub(super) fn of(value: &Value) -> Option<Meant> {
        match value {
            Value::Lit {
                minus: None,
                lit: Lit::Str(text),
            } => {
                let tokens: TokenStream = text.parse().ok()?;
                placeholder(tokens.clone())
                    .map(Meant::Placeholder)
                    .or_else(|| Meant::of_tokens(tokens, Meant::Quoted))
            }
            Value::Other(tokens) => Meant::of_tokens(tokens.clone(), Meant::Function),
            Value::None | Value::Lit { .. } | Value::Path(_) | Value::List(_) => None,
        }
    }

    fn of_tokens(tokens: TokenStream, of_path: fn(Path) -> Meant) -> Option<Meant> {
        Meant::of_expr(syn::parse2(tokens).ok()?, of_path)
    }

    fn of_expr(expr: Expr, of_path: fn(Path) -> Meant) -> Option<Meant> {
        match expr {
            Expr::Group(group) => Meant::of_expr(*group.expr, of_path),
            Expr::Paren(paren) => Meant::of_expr(*paren.expr, of_path),
            Expr::Reference(reference) => Meant::of_expr(*reference.expr, of_path),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                Some(Meant::Not(Box::new(Meant::of_expr(*unary.expr, of_path)?)))
            }
            Expr::Path(path) if path.qself.is_none() => Some(of_path(path.path)),
            Expr::Call(call) => {
                let is_of_row = call.args.is_empty() || find(call.args.to_token_stream(), "self").is_some();
                match *call.func {
                    Expr::Path(path) if is_of_row && path.qself.is_none() => Some(Meant::Function(path.path)),
                    _ => None,
                }
            }
            Expr::Field(field) if is_self(&field.base) => match field.member {
                Member::Named(name) => Some(Meant::Field(name)),
                Member::Unnamed(_) => None,
            },
            Expr::MethodCall(call) if is_self(&call.receiver) => {
                let method = call.method;
                Some(Meant::Function(parse_quote!(Self::#method)))
            }
            _ => None,
        }
    }
}

fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}

fn placeholder(tokens: TokenStream) -> Option<Ident> {
    let mut tokens = tokens.into_iter();
    let (Some(TokenTree::Group(group)), None) = (tokens.next(), tokens.next()) else {
        return None;
    };
    syn::parse2(group.stream()).ok()
}

//! The bounds that generated code needs: on the types of the fields it uses, and only where they name a parameter.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Generics, PathArguments, Type, WhereClause, parse_quote};

/// Collects bounds while code is generated.
pub(crate) struct Bounds {
    params: HashSet<String>,
    found: Vec<(String, TokenStream)>,
}

impl Bounds {
    pub(crate) fn new(generics: &Generics) -> Self {
        Bounds {
            params: generics
                .type_params()
                .map(|param| param.ident.to_string())
                .collect(),
            found: Vec::new(),
        }
    }

    /// Asks for `ty: bound` if `ty` depends on a type parameter.
    pub(crate) fn need(&mut self, ty: &Type, bound: &TokenStream) {
        if !self.params.is_empty() && self.depends(ty.to_token_stream()) {
            let bound = quote!(#ty: #bound);
            let text = bound.to_string();
            if self.found.iter().all(|(other, _)| *other != text) {
                self.found.push((text, bound));
            }
        }
    }

    /// Asks that `ty`, or what it is an `Option` of, can stand in a template.
    pub(crate) fn need_display(&mut self, ty: &Type) {
        self.need(inside_option(ty), &quote!(::core::fmt::Display));
    }

    /// The type's own where clause and the bounds.
    pub(crate) fn where_clause(self, generics: &Generics) -> Option<WhereClause> {
        let mut clause = generics.where_clause.clone();
        for (_, bound) in self.found {
            let predicates = &mut clause.get_or_insert_with(|| parse_quote!(where)).predicates;
            predicates.push(parse_quote!(#bound));
        }
        clause
    }

    /// Whether a parameter's name is among the tokens, however deep: types may be macros, too.
    fn depends(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => self.params.contains(&ident.to_string()),
            TokenTree::Group(group) => self.depends(group.stream()),
            _ => false,
        })
    }
}

fn inside_option(ty: &Type) -> &Type {
    let Type::Path(path) = ty else { return ty };
    match path.path.segments.last() {
        Some(segment) if segment.ident == "Option" => match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(GenericArgument::Type(inner)) => inner,
                _ => ty,
            },
            _ => ty,
        },
        _ => ty,
    }
}

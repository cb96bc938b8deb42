//! The bounds of generated implementations: on the types of used fields, if they depend on a type parameter.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{DeriveInput, GenericArgument, Generics, PathArguments, Type, WhereClause, parse_quote};

/// Collects bounds while code is generated.
pub(crate) struct Bounds {
    params: HashSet<String>,
    name: String,
    found: Vec<(String, TokenStream)>,
}

impl Bounds {
    pub(crate) fn new(input: &DeriveInput) -> Self {
        let generics = &input.generics;
        Bounds {
            name: input.ident.to_string(),
            params: generics
                .type_params()
                .map(|param| param.ident.to_string())
                .collect(),
            found: Vec::new(),
        }
    }

    /// Adds the bound `ty: bound` if `ty` depends on a type parameter.
    ///
    /// No bound is added if `ty` contains the type itself: proving it would need the bound itself, a cycle.
    pub(crate) fn need(&mut self, ty: &Type, bound: &TokenStream) {
        let tokens = || ty.to_token_stream();
        let depends = || mentions(tokens(), &|ident| self.params.contains(ident));
        let recursive = || mentions(tokens(), &|ident| ident == self.name || ident == "Self");
        if !self.params.is_empty() && depends() && !recursive() {
            let bound = quote!(#ty: #bound);
            let text = bound.to_string();
            if self.found.iter().all(|(other, _)| *other != text) {
                self.found.push((text, bound));
            }
        }
    }

    /// Adds the bound that `ty`, or the type in its `Option`, can be written in a template.
    pub(crate) fn need_display(&mut self, ty: &Type) {
        self.need(inside_option(ty), &quote!(::core::fmt::Display));
    }

    /// Adds the bound that `ty`, or the type in its `Option`, can be read from a template's placeholder.
    pub(crate) fn need_from_str(&mut self, ty: &Type) {
        self.need(
            inside_option(ty),
            &quote!(::core::str::FromStr<Err: ::core::fmt::Display>),
        );
    }

    /// The type's own where clause with the bounds added.
    pub(crate) fn where_clause(self, generics: &Generics) -> Option<WhereClause> {
        let mut clause = generics.where_clause.clone();
        for (_, bound) in self.found {
            let predicates = &mut clause.get_or_insert_with(|| parse_quote!(where)).predicates;
            predicates.push(parse_quote!(#bound));
        }
        clause
    }
}

/// Returns `true` if a name is among the tokens, in groups too: a type may be a macro call.
fn mentions(tokens: TokenStream, is_name: &impl Fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_name(&ident.to_string()),
        TokenTree::Group(group) => mentions(group.stream(), is_name),
        _ => false,
    })
}

/// The type in a type named `Option`; any other type itself.
pub(crate) fn inside_option(ty: &Type) -> &Type {
    let ty = ungrouped(ty);
    let Type::Path(path) = ty else { return ty };
    match path.path.segments.last() {
        Some(segment) if segment.ident == "Option" => match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(GenericArgument::Type(inner)) => ungrouped(inner),
                _ => ty,
            },
            _ => ty,
        },
        _ => ty,
    }
}

/// A type without parentheses and without the invisible groups of `macro_rules!` variables.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        _ => ty,
    }
}

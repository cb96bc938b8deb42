//! The values that may have a default on a field, changefreq and priority: code that writes and reads them.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::DeriveInput;

use super::write::field::Access;
use super::{local, outside, place, read, write};
use crate::attr::{ChangeFreq, ConstExpr, Constant, Key, OrFunction, Priority};
use crate::validate::{Optional, Source};

/// The name of the library's type, which is also in the names of its conversion traits.
fn type_name(key: Key) -> &'static str {
    match key {
        Key::ChangeFreq => "ChangeFreq",
        _ => "Priority",
    }
}

impl write::Generator<'_> {
    /// Code that writes a value.
    pub(super) fn value(&mut self, key: Key, value: &Optional, access: Access) -> TokenStream {
        let (entry, name) = (self.entry.clone(), key.name());
        let of_trait = format!("convert::To{}", type_name(key));
        let function = format!("to_{name}");
        match value {
            Optional::Row(OrFunction::Constant(constant)) => {
                let write = self.constant(constant);
                quote!(#write?;)
            }
            Optional::Row(OrFunction::Function(path)) => {
                self.value_function(name, &of_trait, &function, path, None)
            }
            Optional::Field { source, default } => {
                let value = self.convert(source, access, &of_trait, &function, &[]);
                let Some(default) = default else {
                    let write = self.path(&format!("__private::{name}"));
                    return quote!(#write(#entry, #value)?;);
                };
                let write = self.path(&format!("__private::{name}_or"));
                let default = match default {
                    Constant::ChangeFreq(constant) => changefreq_constant(&self.krate, constant),
                    Constant::Priority(constant) => {
                        let write = self.priority_constant(constant);
                        quote!(|#entry| #write)
                    }
                };
                quote!(#write(#entry, #value, #default)?;)
            }
        }
    }

    /// Code that writes a constant.
    fn constant(&mut self, constant: &Constant) -> TokenStream {
        match constant {
            Constant::ChangeFreq(constant) => {
                let (entry, constant) = (&self.entry, changefreq_constant(&self.krate, constant));
                quote!(#entry.changefreq(#constant))
            }
            Constant::Priority(constant) => self.priority_constant(constant),
        }
    }

    fn priority_constant(&mut self, constant: &Priority) -> TokenStream {
        let entry = self.entry.clone();
        let expr = match constant {
            Priority::Literal(value) => {
                let write = self.path("__private::priority_literal");
                let text = decimal(*value);
                return quote!(#write(#entry, #text));
            }
            Priority::Const(expr) => expr,
        };
        let check = check_priority(self.input, expr, &mut self.items);
        let value = priority_value(expr);
        match check {
            None => quote!(#entry.priority(#value)),
            Some(check) => quote!({ #check #entry.priority(#value) }),
        }
    }
}

impl read::Generator<'_> {
    /// The value of a field, or its default.
    pub(super) fn value(&mut self, key: Key, source: &Source, default: Option<&Constant>) -> TokenStream {
        let name = key.name();
        let of_trait = format!("convert::From{}", type_name(key));
        let read = self.role(source, &of_trait, &format!("from_{name}"), &TokenStream::new());
        let default = match default {
            Some(Constant::ChangeFreq(default)) => {
                let default = changefreq_constant(&self.krate, default);
                quote!(::core::option::Option::Some(#default))
            }
            Some(Constant::Priority(default)) => self.priority_default(default),
            // Only a priority's default may be invalid.
            None if key == Key::Priority => quote!(::core::result::Result::Ok(::core::option::Option::None)),
            None => quote!(::core::option::Option::None),
        };
        let read::Generator { private, entry, .. } = &*self;
        let function = Ident::new(&format!("{name}_of"), Span::call_site());
        quote!(#private::#function(#entry, #default, #read)?)
    }

    fn priority_default(&mut self, default: &Priority) -> TokenStream {
        let krate = &self.krate;
        match default {
            Priority::Literal(value) => {
                let value = Literal::f64_suffixed(*value);
                quote!(#krate::convert::ToPriority::to_priority(&#value))
            }
            Priority::Const(expr) => {
                let check = check_priority(self.input, expr, &mut self.items);
                let value = priority_value(expr);
                match check {
                    None => quote!(#krate::convert::ToPriority::to_priority(&#value)),
                    Some(check) => quote!({ #check #krate::convert::ToPriority::to_priority(&#value) }),
                }
            }
        }
    }
}

fn changefreq_constant(krate: &TokenStream, constant: &ChangeFreq) -> TokenStream {
    let ty = quote!(#krate::ChangeFreq);
    match constant {
        ChangeFreq::Literal(value) => {
            let variant = Ident::new(&format!("{value:?}"), Span::call_site());
            quote!(#ty::#variant)
        }
        ChangeFreq::Const(path) => {
            let constant = local("changefreq");
            quote_spanned!(place(path)=> { let #constant: #ty = #path; #constant })
        }
    }
}

/// Checks a constant by an item, or, if it depends on type parameters, by the returned code.
fn check_priority(
    input: &DeriveInput,
    expr: &ConstExpr,
    items: &mut Vec<TokenStream>,
) -> Option<TokenStream> {
    if expr.names_self() && !input.generics.params.is_empty() {
        let check = priority_check(expr, &expr.tokens);
        return Some(quote!(const { #check }));
    }
    let check = priority_check(expr, &outside(input, expr));
    items.push(quote!(const _: () = #check;));
    None
}

/// An assertion for const evaluation. The constant may be an `f32` or an `f64`, so the assertion names no type.
fn priority_check(expr: &ConstExpr, tokens: &TokenStream) -> TokenStream {
    // The message is a format string.
    let text = expr.text_of(tokens).replace('{', "{{").replace('}', "}}");
    let message = format!("`{text}` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO)");
    let value = local("value");
    // The span of the `assert!` reaches from the first token to the last.
    let end = tokens
        .clone()
        .into_iter()
        .last()
        .map_or_else(Span::call_site, |last| place(&last));
    let condition = quote_spanned!(end=> (#value >= 0.0 && #value <= 1.0, #message));
    let matched = if expr.is_path {
        tokens.clone()
    } else {
        quote!((#tokens))
    };
    quote_spanned! {place(tokens)=>
        match #matched {
            #value => ::core::assert! #condition,
        }
    }
}

/// The value of a priority given as a const expression.
fn priority_value(expr: &ConstExpr) -> TokenStream {
    let tokens = &expr.tokens;
    if expr.is_path {
        tokens.clone()
    } else {
        quote!(const { #tokens })
    }
}

/// The shortest decimal digits of the value, with at least one after the point.
fn decimal(value: f64) -> String {
    let text = value.to_string();
    if text.contains('.') { text } else { text + ".0" }
}

//! How generated code accesses a field: its value, converted or not.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Member, Path};

use crate::derivation::{Field, Source};
use crate::expand::place;

/// How generated code accesses a field.
#[derive(Clone, Copy)]
pub(in crate::expand) enum Access {
    /// `&self.field`
    Field,
    /// The variable bound by a pattern.
    Binding,
}

/// A reference to the field; errors are reported on its type.
pub(in crate::expand) fn reference(field: &Field, access: Access) -> TokenStream {
    let span = place(&field.ty);
    match (access, &field.member) {
        (Access::Binding, _) => field.binding.to_token_stream(),
        (Access::Field, Member::Named(name)) => {
            let mut name = name.clone();
            name.set_span(span);
            quote_spanned!(span=> &self.#name)
        }
        (Access::Field, member @ Member::Unnamed(_)) => quote_spanned!(span=> &self.#member),
    }
}

/// A call of a user's function; errors are reported on its path.
pub(in crate::expand) fn call(function: &Path, argument: &TokenStream) -> TokenStream {
    quote_spanned!(place(function)=> #function(#argument))
}

/// The pattern after a variant's name that binds the fields.
pub(in crate::expand) fn pattern<'a>(fields: impl IntoIterator<Item = &'a Rc<Field>>) -> TokenStream {
    let mut seen: Vec<&Member> = Vec::new();
    let fields: Vec<TokenStream> = fields
        .into_iter()
        .filter_map(|field| {
            let Field { member, binding, .. } = &**field;
            let new = !seen.contains(&member);
            seen.push(member);
            new.then(|| quote!(#member: #binding,))
        })
        .collect();
    quote!({ #(#fields)* .. })
}

/// A call of a trait's function on the source's value.
pub(in crate::expand) fn convert(
    source: &Source,
    access: Access,
    of_trait: &TokenStream,
    function: &str,
    arguments: &[TokenStream],
) -> TokenStream {
    let function = Ident::new(function, Span::call_site());
    let value = reference(&source.field, access);
    if let Some(with) = &source.with {
        let value = call(with, &value);
        return quote_spanned!(place(with)=> #of_trait::#function(&#value #(, #arguments)*));
    }
    let ty = &source.field.ty;
    quote!(<#ty as #of_trait>::#function(#value #(, #arguments)*))
}

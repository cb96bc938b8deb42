//! Access of generated code to a field: its value, converted or not.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Member, Path};

use super::Generator;
use crate::expand::place;
use crate::validate::{Field, Source};

/// Access of generated code to a field.
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

impl Generator<'_> {
    /// A call of a user's function with a reference; errors are reported on its path.
    ///
    /// The function is checked before its argument, so that the error blames a function that takes no reference, not the argument.
    pub(in crate::expand) fn call(&self, function: &Path, argument: &TokenStream) -> TokenStream {
        let path = self.path("__private::by_reference").into_iter();
        let by_reference: TokenStream = path
            .map(|mut token| {
                token.set_span(token.span().located_at(function.span()));
                token
            })
            .collect();
        quote_spanned!(place(function)=> #by_reference(#function)(#argument))
    }

    /// A call of a trait's function on the source's value.
    pub(super) fn converted(
        &self,
        source: &Source,
        access: Access,
        of_trait: &TokenStream,
        function: &str,
        arguments: &[TokenStream],
    ) -> TokenStream {
        let function = Ident::new(function, Span::call_site());
        let value = reference(&source.field, access);
        if let Some(with) = &source.write_with {
            let value = self.call(with, &value);
            return quote_spanned!(place(with)=> #of_trait::#function(&#value #(, #arguments)*));
        }
        let ty = &source.field.ty;
        quote!(<#ty as #of_trait>::#function(#value #(, #arguments)*))
    }
}

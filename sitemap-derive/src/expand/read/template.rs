//! Reading values from a loc by its template.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{LitStr, Member};

use super::super::{local, place};
use super::{Generator, argument};
use crate::ambiguity::Cut;
use crate::template::Form;
use crate::validate::{LANGUAGE, Piece, Source, TemplateLoc};

/// A placeholder, and the variable with its text.
pub(super) struct Slot<'a> {
    /// Its name, and the placeholder as written.
    pub(super) name: &'a str,
    pub(super) written: String,
    pub(super) form: Form,
    /// `true` if it is a whole segment of the path that may not be empty.
    pub(super) filled: bool,
    pub(super) signed: bool,
    pub(super) of: ValueOf<'a>,
    pub(super) text: Ident,
}

/// The origin of a placeholder's value.
#[derive(Clone, Copy)]
pub(super) enum ValueOf<'a> {
    Field(&'a Source),
    /// A value in a flattened field.
    Inner(&'a Source, &'a [Member]),
    Language,
    Translation,
}

impl Generator<'_> {
    /// Code that matches the loc with the template, and binds a variable for each placeholder.
    pub(super) fn take_apart(&self, template: &TemplateLoc, slots: &[Slot<'_>]) -> TokenStream {
        let Generator { private, entry, .. } = self;
        let TemplateLoc { text, pieces, cuts } = template;
        let start = match pieces.first() {
            Some(Piece::Text(text)) => text.as_str(),
            _ => "",
        };
        let mut parts: Vec<TokenStream> = Vec::new();
        for (i, piece) in pieces.iter().enumerate() {
            if let Piece::Text(_) = piece {
                continue;
            }
            let Some(Slot {
                written,
                form,
                filled,
                signed,
                of,
                ..
            }) = slots.get(parts.len())
            else {
                continue;
            };
            let then = match pieces.get(i + 1) {
                Some(Piece::Text(text)) => text.as_str(),
                _ => "",
            };
            let of = match of {
                ValueOf::Field(_) | ValueOf::Inner(..) => quote!(Row),
                ValueOf::Language => quote!(Language),
                ValueOf::Translation => quote!(Translation),
            };
            let Form { reserved, optional } = form;
            parts.push(quote!(#private::TemplateValue {
                written: #written,
                reserved: #reserved,
                optional: #optional,
                filled: #filled,
                signed: #signed,
                then: #then,
                of: #private::ValueOf::#of
            }));
        }
        let texts = slots.iter().map(|slot| &slot.text);
        let count = Literal::usize_unsuffixed(slots.len());
        let cuts = cuts.iter().map(|Cut { after, last }| {
            let after = Literal::usize_unsuffixed(*after);
            quote!(#private::Cut { after: #after, last: #last })
        });
        let pattern = if slots.is_empty() {
            quote!(_)
        } else {
            quote!([#(#texts),*])
        };
        let template = local("template");
        quote! {
            let #template = #private::Template {
                text: #text,
                start: #start,
                values: &[#(#parts),*],
                cuts: &[#(#cuts),*]
            };
            let #pattern: [&::core::primitive::str; #count] = #template.find(#entry)?;
        }
    }

    /// Code that checks that the type has the entry's language.
    pub(super) fn one_of(&self, slots: &[Slot<'_>], languages: &[LitStr]) -> TokenStream {
        let Some(slot) = slots.iter().find(|slot| matches!(slot.of, ValueOf::Language)) else {
            return TokenStream::new();
        };
        let (best, checks) = self.best(slots, slot.name);
        let (decoded, written) = (self.decoded(best.unwrap_or(slot)), &slot.written);
        let Generator { private, entry, .. } = self;
        quote! {
            #checks
            #private::one_of(#entry, #written, #decoded, &[#(#languages),*])?;
        }
    }

    /// The value of a field with the row's languages.
    pub(super) fn languages(&self, source: &Source, slots: &[Slot<'_>]) -> TokenStream {
        let Generator { private, entry, .. } = self;
        let (ty, template) = (&source.field.ty, local("template"));
        let of_trait = quote!(#private::FromLanguages<_>);
        let read = match &source.read_with {
            None => {
                let value = local("value");
                quote!(|#value| <#ty as #of_trait>::from_languages(#value))
            }
            Some(function) => {
                let value = argument(function);
                let taken = quote_spanned!(place(function)=> <_ as #of_trait>::from_languages(#value)?);
                let converted = quote_spanned!(place(function)=> #function(#taken));
                self.converted(&source.field, function, &value, &converted)
            }
        };
        let texts = slots.iter().map(|slot| &slot.text);
        quote!(#private::languages_of(#entry, &#template, &[#(#texts),*], #read)?)
    }

    /// The placeholder to read a value from, and code that checks that all placeholders with this name have the same value.
    pub(super) fn best<'s, 'a>(
        &self,
        slots: &'s [Slot<'a>],
        name: &str,
    ) -> (Option<&'s Slot<'a>>, TokenStream) {
        let of_name = || slots.iter().filter(|slot| slot.name == name);
        // A `{name}` can be decoded exactly; in a `{+name}`, characters that were encoded before remain so.
        let best = of_name()
            .find(|slot| !slot.form.reserved)
            .or_else(|| of_name().next());
        let Some(best) = best else {
            return (None, TokenStream::new());
        };
        let Generator { private, entry, .. } = self;
        let Slot { written, text, .. } = best;
        let others = of_name().filter(|slot| slot.text != *text && slot.form.reserved == best.form.reserved);
        let checks =
            others.map(|Slot { text: other, .. }| quote!(#private::same(#entry, #written, #text, #other)?;));
        (Some(best), checks.collect())
    }

    /// The text of a placeholder, decoded to the value's `Display` text.
    pub(super) fn decoded(&self, slot: &Slot<'_>) -> TokenStream {
        let Generator { private, entry, .. } = self;
        let Slot { written, text, .. } = slot;
        if slot.form.reserved {
            quote!(#text)
        } else {
            quote!(&#private::decoded(#entry, #written, #text)?)
        }
    }

    /// The value of a placeholder's field, or of a value in a flattened field, and code that checks that it is the same in all
    /// placeholders.
    pub(super) fn placeholders(
        &mut self,
        slots: &[Slot<'_>],
        name: &str,
        source: Option<&Source>,
    ) -> (TokenStream, TokenStream) {
        let (Some(best), checks) = self.best(slots, name) else {
            return (TokenStream::new(), TokenStream::new());
        };
        let decoded = self.decoded(best);
        let read = match source {
            Some(source) => self.parsed(source, best),
            None => {
                let (private, text, function) = (&self.private, local("text"), from_placeholder(best.form));
                quote!(|#text| <_ as #private::FromPlaceholder<_>>::#function(#text))
            }
        };
        let (Generator { private, entry, .. }, written) = (&*self, &best.written);
        let value = quote!(#private::placeholder_of(#entry, #written, #decoded, #read)?);
        (value, checks)
    }

    /// The closure that converts a placeholder's text to the field's value.
    pub(super) fn parsed(&mut self, source: &Source, best: &Slot<'_>) -> TokenStream {
        let field = &source.field;
        let ty = &field.ty;
        // All placeholders of a field have the same conversion.
        let ValueOf::Field(Source { read_with, .. }) = best.of else {
            return TokenStream::new();
        };
        if let Some(function) = read_with {
            let text = argument(function);
            let value = quote_spanned!(place(function)=> #function(#text));
            return self.converted(field, function, &text, &value);
        }
        self.bounds.need_from_str(ty);
        let (private, text, function) = (&self.private, local("text"), from_placeholder(best.form));
        quote!(|#text| <#ty as #private::FromPlaceholder<_>>::#function(#text))
    }
}

/// The function that reads a placeholder.
fn from_placeholder(form: Form) -> Ident {
    let name = if form.optional {
        "from_text_or_empty"
    } else {
        "from_placeholder"
    };
    Ident::new(name, Span::call_site())
}

/// The placeholders of a template, each with a variable.
pub(super) fn slots(template: &TemplateLoc) -> Vec<Slot<'_>> {
    let mut slots = Vec::new();
    let mut before = String::new();
    for (i, piece) in template.pieces.iter().enumerate() {
        let (name, form, signed, of) = match piece {
            Piece::Text(text) => {
                before.push_str(text);
                continue;
            }
            Piece::Value {
                name,
                form,
                source,
                signed,
            } => (name.as_str(), *form, *signed, ValueOf::Field(source)),
            Piece::Inner {
                name,
                form,
                source,
                path,
            } => (name.as_str(), *form, false, ValueOf::Inner(source, path)),
            Piece::Language { reserved } => {
                let form = Form {
                    reserved: *reserved,
                    optional: false,
                };
                (LANGUAGE, form, false, ValueOf::Language)
            }
            Piece::OfLanguage { name, form } => (name.as_str(), *form, false, ValueOf::Translation),
        };
        let ends = match template.pieces.get(i + 1) {
            Some(Piece::Text(text)) => text.starts_with(['/', '?', '#']),
            Some(_) => false,
            None => true,
        };
        let is_segment = ends && is_start_of_segment(&before);
        before.push('{');
        let text = format_ident!("__text_{}", slots.len(), span = Span::mixed_site());
        slots.push(Slot {
            name,
            written: form.written(name),
            form,
            filled: is_segment && !form.optional,
            signed,
            of,
            text,
        });
    }
    slots
}

/// Returns `true` if a segment of a URL's path begins after a text.
fn is_start_of_segment(before: &str) -> bool {
    let path = match before.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |path| &rest[path..]),
        None => before,
    };
    path.ends_with('/') && !path.contains(['?', '#'])
}

//! The implementation of `FromSitemapEntry`.

use std::rc::Rc;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, Path};

use super::{check_priority, implementation, krate, local, mount, place, priority_value};
use crate::attr::{ChangeFreq, Extension, Filter, Priority};
use crate::derivation::{
    Body, Derivation, Field, Lastmod, Loc, Optional, Page, Piece, Source, TemplateLoc, Variant, VariantKind,
};
use crate::generics::Bounds;

pub(crate) fn expand(input: &DeriveInput, derivation: &Derivation, krate_path: Option<&Path>) -> TokenStream {
    let krate = krate(krate_path);
    let mut code = Generator {
        input,
        entry: local("entry"),
        items: Vec::new(),
        bounds: Bounds::new(input),
        private: quote!(#krate::__private),
        krate,
    };
    let body = match &derivation.body {
        Body::Struct(page) => code.page(page, &quote!(Self)),
        Body::Enum(variants) => code.variants(&input.ident, variants),
    };
    let Generator {
        entry,
        bounds,
        mut items,
        krate,
        private,
        ..
    } = code;
    let mounted = mount(input, &krate, &derivation.mount).map(|(name, item)| {
        items.push(item);
        quote!(let #entry = &#private::mounted(#entry, &#name);)
    });
    let function = quote! {
        fn from_entry(#entry: &#krate::convert::EntryReader<'_>) -> #krate::Result<Self> {
            #mounted
            #body
        }
    };
    implementation(
        input,
        bounds,
        &items,
        &quote!(#krate::FromSitemapEntry),
        &function,
    )
}

struct Generator<'a> {
    input: &'a DeriveInput,
    /// Items beside the implementation: for const evaluation, and where the pages are.
    items: Vec<TokenStream>,
    krate: TokenStream,
    private: TokenStream,
    entry: Ident,
    bounds: Bounds,
}

/// A placeholder, and the variable that holds its text.
struct Slot<'a> {
    written: String,
    reserved: bool,
    source: &'a Source,
    text: Ident,
}

impl Generator<'_> {
    /// Code that makes a value of `path`, a struct or a variant.
    fn page(&mut self, page: &Page, path: &TokenStream) -> TokenStream {
        let mut fields = Vec::new();
        let mut in_template: Vec<&Rc<Field>> = Vec::new();
        let mut take_apart = TokenStream::new();
        match &page.loc {
            Loc::Field(source) => fields.push((&source.field, self.loc(source))),
            // Refused before: a function cannot be undone.
            Loc::Function(_) | Loc::Elsewhere => {}
            Loc::Template(template) => {
                let slots = slots(template);
                take_apart = self.take_apart(template, &slots);
                for slot in &slots {
                    let field = &slot.source.field;
                    if in_template.iter().any(|other| Rc::ptr_eq(other, field)) {
                        continue;
                    }
                    in_template.push(field);
                    let (value, checks) = self.placeholders(&slots, field);
                    take_apart.extend(checks);
                    fields.push((field, value));
                }
            }
        }
        // A field that the template names is read from there.
        let is_free = |source: &&Source| !in_template.iter().any(|other| Rc::ptr_eq(other, &source.field));
        if let Some(Lastmod::Field {
            source,
            zone,
            precision,
        }) = &page.lastmod
            && is_free(&source)
        {
            fields.push((&source.field, self.lastmod(source, *zone, precision.is_some())));
        }
        if let Some(Optional::Field { source, default }) = &page.changefreq
            && is_free(&source)
        {
            fields.push((&source.field, self.changefreq(source, default.as_ref())));
        }
        if let Some(Optional::Field { source, default }) = &page.priority
            && is_free(&source)
        {
            fields.push((&source.field, self.priority(source, default.as_ref())));
        }
        for (extension, source) in page.extensions.iter().filter(|(_, source)| is_free(&source)) {
            fields.push((&source.field, self.extension(*extension, source)));
        }
        for field in &page.unmapped {
            fields.push((field, self.unmapped(field, &page.filters)));
        }
        let fields = fields.into_iter().map(|(field, value)| {
            let member = &field.member;
            quote!(#member: #value)
        });
        quote! {
            #take_apart
            ::core::result::Result::Ok(#path { #(#fields),* })
        }
    }

    /// Code that takes the loc apart, a variable for each placeholder.
    fn take_apart(&self, template: &TemplateLoc, slots: &[Slot<'_>]) -> TokenStream {
        let Generator { private, entry, .. } = self;
        let TemplateLoc {
            text,
            pieces,
            from_left,
        } = template;
        let start = match pieces.first() {
            Some(Piece::Text(text)) => text.as_str(),
            _ => "",
        };
        let mut parts: Vec<TokenStream> = Vec::new();
        for (i, piece) in pieces.iter().enumerate() {
            let Piece::Value { signed, .. } = piece else {
                continue;
            };
            let Some(Slot {
                written, reserved, ..
            }) = slots.get(parts.len())
            else {
                continue;
            };
            let then = match pieces.get(i + 1) {
                Some(Piece::Text(text)) => text.as_str(),
                _ => "",
            };
            parts.push(quote!(#private::TemplateValue {
                written: #written,
                reserved: #reserved,
                signed: #signed,
                then: #then
            }));
        }
        let texts = slots.iter().map(|slot| &slot.text);
        let count = Literal::usize_unsuffixed(slots.len());
        let from_left = Literal::usize_unsuffixed(*from_left);
        let pattern = if slots.is_empty() {
            quote!(_)
        } else {
            quote!([#(#texts),*])
        };
        quote! {
            let #pattern: [&::core::primitive::str; #count] = #private::Template {
                text: #text,
                start: #start,
                values: &[#(#parts),*],
                from_left: #from_left
            }
            .find(#entry)?;
        }
    }

    /// The value of a field that the template names, and checks that it is the same everywhere.
    fn placeholders(&mut self, slots: &[Slot<'_>], field: &Rc<Field>) -> (TokenStream, TokenStream) {
        let of_field = || slots.iter().filter(|slot| Rc::ptr_eq(&slot.source.field, field));
        // A `{name}` tells exactly what the value was, a `{+name}` only where it was encoded before.
        let best = of_field()
            .find(|slot| !slot.reserved)
            .or_else(|| of_field().next());
        let Some(best) = best else {
            return (TokenStream::new(), TokenStream::new());
        };
        let Generator { private, entry, .. } = &*self;
        let Slot { written, text, .. } = best;
        let others = of_field().filter(|slot| slot.text != *text && slot.reserved == best.reserved);
        let checks =
            others.map(|Slot { text: other, .. }| quote!(#private::same(#entry, #written, #text, #other)?;));
        let checks = checks.collect();
        let decoded = if best.reserved {
            quote!(#text)
        } else {
            quote!(&#private::decoded(#entry, #written, #text)?)
        };
        let ty = &field.ty;
        let read = if let Some(function) = &best.source.from_with {
            let text = argument(function);
            let value = quote_spanned!(place(function)=> #function(#text));
            self.converted(field, function, &text, &value)
        } else {
            self.bounds.need_from_str(ty);
            let (private, text) = (&self.private, local("text"));
            quote!(|#text| <#ty as #private::FromPlaceholder<_>>::from_placeholder(#text))
        };
        let Generator { private, entry, .. } = &*self;
        let value = quote!(#private::placeholder_of(#entry, #written, #decoded, #read)?);
        (value, checks)
    }

    fn loc(&mut self, source: &Source) -> TokenStream {
        let read = if let Some(function) = &source.from_with {
            let loc = argument(function);
            let value = quote_spanned!(place(function)=> #function(#loc));
            self.converted(&source.field, function, &loc, &value)
        } else {
            self.function(source, "convert::FromLoc", "from_loc", &TokenStream::new())
        };
        let Generator { private, entry, .. } = &*self;
        quote!(#private::loc_of(#entry, #read)?)
    }

    fn lastmod(&mut self, source: &Source, zone: Option<i16>, is_coarse: bool) -> TokenStream {
        let read = match zone {
            None => self.role(
                source,
                "convert::FromLastmod",
                "from_lastmod",
                &TokenStream::new(),
            ),
            Some(minutes) => self.role(
                source,
                "__private::FromNaiveLastmod",
                "from_lastmod_at",
                &quote!(, #minutes),
            ),
        };
        let Generator { private, entry, .. } = &*self;
        if is_coarse {
            return quote!(#private::coarse_lastmod_of(#entry, #read)?);
        }
        quote!(#private::lastmod_of(#entry, #read)?)
    }

    fn changefreq(&mut self, source: &Source, default: Option<&ChangeFreq>) -> TokenStream {
        let read = self.role(
            source,
            "convert::FromChangeFreq",
            "from_changefreq",
            &TokenStream::new(),
        );
        let default = match default {
            None => quote!(::core::option::Option::None),
            Some(default) => {
                let default = super::changefreq_constant(&self.krate, default);
                quote!(::core::option::Option::Some(#default))
            }
        };
        let Generator { private, entry, .. } = &*self;
        quote!(#private::changefreq_of(#entry, #default, #read)?)
    }

    fn priority(&mut self, source: &Source, default: Option<&Priority>) -> TokenStream {
        let read = self.role(
            source,
            "convert::FromPriority",
            "from_priority",
            &TokenStream::new(),
        );
        let krate = &self.krate;
        let default = match default {
            None => quote!(::core::result::Result::Ok(::core::option::Option::None)),
            Some(Priority::Literal(value)) => {
                let value = Literal::f64_suffixed(*value);
                quote!(#krate::convert::ToPriority::to_priority(&#value))
            }
            Some(Priority::Const(expr)) => {
                let check = check_priority(self.input, expr, &mut self.items);
                let value = priority_value(expr);
                match check {
                    None => quote!(#krate::convert::ToPriority::to_priority(&#value)),
                    Some(check) => quote!({ #check #krate::convert::ToPriority::to_priority(&#value) }),
                }
            }
        };
        let Generator { private, entry, .. } = &*self;
        quote!(#private::priority_of(#entry, #default, #read)?)
    }

    fn extension(&mut self, extension: Extension, source: &Source) -> TokenStream {
        let (of_trait, function, read) = match extension {
            Extension::Image => ("convert::FromImages", "from_images", "images_of"),
            Extension::Video => ("convert::FromVideos", "from_videos", "videos_of"),
            Extension::News => ("convert::FromNews", "from_news", "news_of"),
            Extension::Alternate => ("convert::FromAlternates", "from_alternates", "alternates_of"),
        };
        let value = self.role(source, of_trait, function, &TokenStream::new());
        let Generator { private, entry, .. } = &*self;
        let read = format_ident!("{read}");
        quote!(#private::#read(#entry, #value)?)
    }

    /// The value of a field that the entry says nothing about, but that it is listed.
    fn unmapped(&mut self, field: &Rc<Field>, filters: &[(Rc<Field>, Filter)]) -> TokenStream {
        let ty = &field.ty;
        let flag = filters
            .iter()
            .find(|(other, filter)| Rc::ptr_eq(other, field) && filter.predicate.is_none());
        if let Some((_, Filter { include, .. })) = flag {
            let private = &self.private;
            self.bounds.need(ty, &quote!(#private::FromFlag));
            return quote!(<#ty as #private::FromFlag>::from_flag(#include));
        }
        self.bounds.need(ty, &quote!(::core::default::Default));
        let private = &self.private;
        quote!(<#ty as #private::Unmapped>::unmapped())
    }

    /// A function of an `Option` of the value that makes the field's.
    fn role(
        &mut self,
        source: &Source,
        of_trait: &str,
        function: &str,
        arguments: &TokenStream,
    ) -> TokenStream {
        let Some(from_with) = &source.from_with else {
            return self.function(source, of_trait, function, arguments);
        };
        let value = argument(from_with);
        let (of_trait, function) = (self.path(of_trait), Ident::new(function, place(from_with)));
        let argument = quote_spanned!(place(from_with)=> <_ as #of_trait>::#function(#value #arguments)?);
        let converted = quote_spanned!(place(from_with)=> #from_with(#argument));
        self.converted(&source.field, from_with, &value, &converted)
    }

    /// A closure that calls a trait's function for the field's type.
    fn function(
        &mut self,
        source: &Source,
        of_trait: &str,
        function: &str,
        arguments: &TokenStream,
    ) -> TokenStream {
        let of_trait = self.path(of_trait);
        let ty = &source.field.ty;
        self.bounds.need(ty, &of_trait);
        let function = Ident::new(function, proc_macro2::Span::call_site());
        let value = local("value");
        quote!(|#value| <#ty as #of_trait>::#function(#value #arguments))
    }

    /// A closure that returns what a user's function does, which may fail.
    fn converted(
        &self,
        field: &Field,
        function: &Path,
        argument: &Ident,
        value: &TokenStream,
    ) -> TokenStream {
        let (private, ty) = (&self.private, &field.ty);
        let converted = quote_spanned!(place(function)=> #private::Converted::<#ty, _>::converted);
        quote!(|#argument| #converted(#value))
    }

    /// A path into the library.
    fn path(&self, path: &str) -> TokenStream {
        let krate = &self.krate;
        let path: TokenStream = path.parse().unwrap_or_default();
        quote!(#krate::#path)
    }

    /// Code that tries the variants in order.
    fn variants(&mut self, name: &Ident, variants: &[Variant]) -> TokenStream {
        let (search, value) = (local("search"), local("value"));
        let mut described: Vec<String> = Vec::new();
        let attempts: Vec<TokenStream> = variants
            .iter()
            .map(|variant| {
                let name = &variant.name;
                let body = match &variant.kind {
                    VariantKind::Page(page) => {
                        described.push(match &page.loc {
                            Loc::Field(_) | Loc::Function(_) | Loc::Elsewhere => {
                                format!("`{name}` (any loc)")
                            }
                            Loc::Template(template) => format!("`{name}` (`{}`)", template.text),
                        });
                        self.page(page, &quote!(Self::#name))
                    }
                    VariantKind::Delegate(field, _) => {
                        described.push(format!("`{name}`"));
                        let krate = &self.krate;
                        let (entry, ty) = (&self.entry, &field.ty);
                        self.bounds.need(ty, &quote!(#krate::FromSitemapEntry));
                        let inner = quote!(<#ty as #krate::FromSitemapEntry>::from_entry(#entry)?);
                        quote!(::core::result::Result::Ok(Self::#name(#inner)))
                    }
                };
                quote! {
                    if let ::core::option::Option::Some(#value) = #search.variant(|| { #body })? {
                        return ::core::result::Result::Ok(#value);
                    }
                }
            })
            .collect();
        let Generator { private, entry, .. } = &*self;
        let (name, described) = (name.to_string(), described.join(", "));
        quote! {
            let mut #search = #private::Search::new();
            #(#attempts)*
            ::core::result::Result::Err(#search.failed(#entry, #name, #described))
        }
    }
}

/// The argument of a user's function, reported on its path.
fn argument(function: &Path) -> Ident {
    let mut argument = local("argument");
    argument.set_span(argument.span().located_at(place(function)));
    argument
}

fn slots(template: &TemplateLoc) -> Vec<Slot<'_>> {
    let values = template.pieces.iter().filter_map(|piece| match piece {
        Piece::Text(_) | Piece::Inner { .. } | Piece::Language { .. } | Piece::OfLanguage { .. } => None,
        Piece::Value {
            name,
            reserved,
            source,
            ..
        } => Some((name, *reserved, source)),
    });
    values
        .enumerate()
        .map(|(i, (name, reserved, source))| Slot {
            written: format!("{{{}{name}}}", if reserved { "+" } else { "" }),
            reserved,
            source,
            text: format_ident!("__text_{i}", span = proc_macro2::Span::mixed_site()),
        })
        .collect()
}

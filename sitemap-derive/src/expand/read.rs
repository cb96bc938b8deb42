//! The implementation of `FromSitemapEntry`.

mod template;

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, Member, Path};

use template::{ValueOf, slots};

use super::write::flatten::{Checks, Conflicts, constant, constant_of};
use super::{implementation, krate, local, mount, place};
use crate::attr::{Extension, Filter, Key};
use crate::generics::{Bounds, inside_option};
use crate::validate::{
    Body, Derivation, Direction, Field, LanguagesOf, Lastmod, LastmodOf, Loc, Optional, Page, Source,
    Variant, VariantKind,
};

pub(crate) fn expand(
    input: &DeriveInput,
    derivation: &Derivation,
    krate_path: Option<&Path>,
    direction: Direction,
) -> TokenStream {
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
    let namespaces = known_namespaces(derivation, &krate);
    let (name_of_trait, function) = match (direction, &derivation.body) {
        (Direction::FromFields, Body::Struct(page)) => {
            let of_trait = quote!(#krate::FromSitemapFields);
            let reads = reads(page, &of_trait, &private);
            let elements = page.elements.iter().map(|(name, _)| name.value());
            let functions = quote! {
                const READS: #private::Gives = #reads;

                fn from_fields(#entry: &#krate::EntryReader<'_>) -> #krate::Result<Self> {
                    #body
                }

                #namespaces

                fn has_fields(#entry: &#krate::EntryReader<'_>) -> ::core::primitive::bool {
                    #private::has_any(#entry, <Self as #of_trait>::READS) #(|| #private::has_element(#entry, #elements))*
                }
            };
            (of_trait, functions)
        }
        _ => (
            quote!(#krate::FromSitemapEntry),
            quote! {
                fn from_entry(#entry: &#krate::EntryReader<'_>) -> #krate::Result<Self> {
                    #mounted
                    #body
                }

                #namespaces
            },
        ),
    };
    implementation(input, bounds, &items, &name_of_trait, &function)
}

/// The function `namespaces`. It returns the namespaces of the type, its variants and its flattened fields.
fn known_namespaces(derivation: &Derivation, krate: &TokenStream) -> Option<TokenStream> {
    let add = local("add");
    let mut calls: Vec<TokenStream> = Vec::new();
    for (prefix, uri) in &derivation.namespaces {
        calls.push(quote!(#add(#prefix, #uri);));
    }
    let flattened = |page: &Page, calls: &mut Vec<TokenStream>| {
        for source in page.flattened.iter().filter(|source| source.read_with.is_none()) {
            let ty = &source.field.ty;
            calls.push(quote!(<#ty as #krate::FromSitemapFields>::namespaces(#add);));
        }
    };
    match &derivation.body {
        Body::Struct(page) => flattened(page, &mut calls),
        Body::Enum(variants) => {
            for variant in variants {
                match &variant.kind {
                    VariantKind::Page(page) => flattened(page, &mut calls),
                    VariantKind::Delegate(field, _) => {
                        let ty = &field.ty;
                        calls.push(quote!(<#ty as #krate::FromSitemapEntry>::namespaces(#add);));
                    }
                }
            }
        }
    }
    (!calls.is_empty()).then(|| {
        quote! {
            fn namespaces(
                #add: &mut dyn ::core::ops::FnMut(&'static ::core::primitive::str, &'static ::core::primitive::str),
            ) {
                #(#calls)*
            }
        }
    })
}

/// The value of the constant `READS`: the values of an entry that a type reads.
fn reads(page: &Page, of_trait: &TokenStream, private: &TokenStream) -> TokenStream {
    let own = page.reads().into_iter().map(|key| {
        let constant = constant_of(key);
        quote!(.and(#private::Gives::#constant))
    });
    let inner = page.flattened.iter().filter(|source| source.read_with.is_none());
    let inner = inner.map(|source| {
        let ty = &source.field.ty;
        quote!(.and(<#ty as #of_trait>::READS))
    });
    quote!(#private::Gives::UNKNOWN #(#own)* #(#inner)*)
}

pub(super) struct Generator<'a> {
    pub(super) input: &'a DeriveInput,
    /// Items outside the implementation: compile-time checks, and the type's base and encoding.
    pub(super) items: Vec<TokenStream>,
    pub(super) krate: TokenStream,
    pub(super) private: TokenStream,
    pub(super) entry: Ident,
    bounds: Bounds,
}

impl Generator<'_> {
    /// Code that reads a value of `path`, a struct or variant.
    fn page(&mut self, page: &Page, path: &TokenStream) -> TokenStream {
        let mut fields = Vec::new();
        let mut in_template: Vec<&Rc<Field>> = Vec::new();
        // Values in flattened fields, with their paths.
        let mut inner: Vec<(&Source, &[Member], TokenStream)> = Vec::new();
        let mut take_apart = self.conflicts(page);
        match &page.loc {
            Loc::Field(source) => fields.push((&source.field, self.loc(source))),
            // A loc from a function cannot be read, and was rejected before; a part of a row has no
            // loc.
            Loc::Function(_) | Loc::Elsewhere => {}
            Loc::Template(template) => {
                let slots = slots(template);
                take_apart.extend(self.take_apart(template, &slots));
                for (i, slot) in slots.iter().enumerate() {
                    if slots.iter().take(i).any(|other| other.name == slot.name) {
                        continue;
                    }
                    match slot.of {
                        ValueOf::Field(source) => {
                            in_template.push(&source.field);
                            let (value, checks) = self.placeholders(&slots, slot.name, Some(source));
                            take_apart.extend(checks);
                            fields.push((&source.field, value));
                        }
                        ValueOf::Inner(source, path) => {
                            let (value, checks) = self.placeholders(&slots, slot.name, None);
                            take_apart.extend(checks);
                            inner.push((source, path, value));
                        }
                        ValueOf::Language | ValueOf::Translation => {}
                    }
                }
                match page.languages.as_ref().map(|languages| &languages.of) {
                    Some(LanguagesOf::Literals(literals)) => {
                        take_apart.extend(self.one_of(&slots, literals));
                    }
                    Some(LanguagesOf::Field(source, _)) => {
                        fields.push((&source.field, self.languages(source, &slots)));
                    }
                    None => {}
                }
            }
        }
        for source in &page.flattened {
            let own = inner
                .iter()
                .filter(|(other, ..)| Rc::ptr_eq(&other.field, &source.field));
            let own: Vec<(&[Member], &TokenStream)> = own.map(|(_, path, value)| (*path, value)).collect();
            fields.push((&source.field, self.part(source, &own)));
        }
        // Fields in the loc's template are read from the loc.
        let is_free = |source: &&Source| !in_template.iter().any(|other| Rc::ptr_eq(other, &source.field));
        if let Some(Lastmod {
            of: LastmodOf::Field(source),
            precision,
        }) = &page.lastmod
            && is_free(&source)
        {
            fields.push((&source.field, self.lastmod(source, *precision)));
        }
        for (key, value) in &page.values {
            if let Optional::Field { source, default } = value
                && is_free(&source)
            {
                fields.push((&source.field, self.value(*key, source, default.as_ref())));
            }
        }
        for (extension, source) in page.extensions.iter().filter(|(_, source)| is_free(&source)) {
            fields.push((&source.field, self.extension(*extension, source)));
        }
        for (name, source) in page.elements.iter().filter(|(_, source)| is_free(&source)) {
            fields.push((&source.field, self.element(&name.value(), source)));
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

    /// The value of a field that is an element of a user namespace.
    fn element(&mut self, name: &str, source: &Source) -> TokenStream {
        let Generator { private, entry, .. } = &*self;
        let ty = &source.field.ty;
        let Some(function) = &source.read_with else {
            let value = quote!(#private::element_of::<#ty>(#entry, #name)?);
            let bound = quote!(#private::DeserializeOwned);
            self.bounds.need(ty, &bound);
            return value;
        };
        let value = quote_spanned!(place(function)=> #function(#private::element_of(#entry, #name)?));
        let converted = quote_spanned!(place(function)=> #private::Converted::<#ty, _>::converted);
        quote!(#private::within(#converted(#value), #name)?)
    }

    /// The value of a flattened field; the template names some of its fields.
    fn part(&mut self, source: &Source, named: &[(&[Member], &TokenStream)]) -> TokenStream {
        let of_trait = self.path("FromSitemapFields");
        let ty = &source.field.ty;
        let entry = self.entry.clone();
        if let Some(function) = &source.read_with {
            let private = &self.private;
            let part = quote_spanned!(place(function)=> <_ as #of_trait>::from_fields(#entry)?);
            let value = quote_spanned!(place(function)=> #function(#part));
            let converted = quote_spanned!(place(function)=> #private::Converted::<#ty, _>::converted);
            return quote!(#converted(#value)?);
        }
        if named.is_empty() {
            self.bounds.need(ty, &of_trait);
            return quote!(<#ty as #of_trait>::from_fields(#entry)?);
        }
        // A value that the address contains is present.
        let inside = inside_option(ty);
        self.bounds.need(inside, &of_trait);
        let inner = local("inner");
        let set = named
            .iter()
            .map(|(path, value)| quote!(#inner #(.#path)* = #value;));
        let whole = if std::ptr::eq(inside, ty) {
            quote!(#inner)
        } else {
            quote!(::core::option::Option::Some(#inner))
        };
        quote! {{
            let mut #inner = <#inside as #of_trait>::from_fields(#entry)?;
            #(#set)*
            #whole
        }}
    }

    /// Checks at compile time that no two fields read the same value of an entry.
    fn conflicts(&mut self, page: &Page) -> TokenStream {
        let of_trait = self.path("FromSitemapFields");
        let private = &self.private;
        let known = page.flattened.iter().filter(|source| source.read_with.is_none());
        let known: Vec<&Source> = known.collect();
        let message = |key: Key, by: &str, also: &str| {
            let name = key.name();
            format!(
                "`{name}` is read twice, by {by} and by {also}, and an entry does not say which of the two its own belongs to; keep one of them"
            )
        };
        let checks = Conflicts {
            gives: &quote!(#of_trait>::READS),
            private,
            all: &Key::of_values().collect::<Vec<_>>(),
            own: &page.reads(),
            message: &message,
        }
        .of(&known);
        match constant(self.input, &known, &checks) {
            Checks::None => TokenStream::new(),
            Checks::Item(item) => {
                self.items.push(item);
                TokenStream::new()
            }
            Checks::Code(code) => code,
        }
    }

    fn loc(&mut self, source: &Source) -> TokenStream {
        let read = if let Some(function) = &source.read_with {
            let loc = argument(function);
            let value = quote_spanned!(place(function)=> #function(#loc));
            self.converted(&source.field, function, &loc, &value)
        } else {
            self.function(source, "convert::FromLoc", "from_loc", &TokenStream::new())
        };
        let Generator { private, entry, .. } = &*self;
        quote!(#private::loc_of(#entry, #read)?)
    }

    fn extension(&mut self, extension: Extension, source: &Source) -> TokenStream {
        let read = match extension {
            Extension::Image => "images_of",
            Extension::Video => "videos_of",
            Extension::News => "news_of",
            Extension::Alternate => "alternates_of",
        };
        let of_trait = format!("convert::FromElements<{}::{}>", self.krate, extension.type_name());
        let value = self.role(source, &of_trait, "from_elements", &TokenStream::new());
        let Generator { private, entry, .. } = &*self;
        let read = format_ident!("{read}");
        quote!(#private::#read(#entry, #value)?)
    }

    /// The value of a field that is not in the entry: the condition of being listed, or its default.
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

    /// A closure that converts an entry's optional value to the field's value.
    pub(super) fn role(
        &mut self,
        source: &Source,
        of_trait: &str,
        function: &str,
        arguments: &TokenStream,
    ) -> TokenStream {
        let Some(read_with) = &source.read_with else {
            return self.function(source, of_trait, function, arguments);
        };
        let value = argument(read_with);
        let (of_trait, function) = (self.path(of_trait), Ident::new(function, place(read_with)));
        let argument = quote_spanned!(place(read_with)=> <_ as #of_trait>::#function(#value #arguments)?);
        let converted = quote_spanned!(place(read_with)=> #read_with(#argument));
        self.converted(&source.field, read_with, &value, &converted)
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

    /// A closure that calls a user's function, which returns the field's value or a `Result` of it.
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

/// A variable for the argument of a user's function; errors are reported on the function's path.
fn argument(function: &Path) -> Ident {
    let mut argument = local("argument");
    argument.set_span(argument.span().located_at(place(function)));
    argument
}

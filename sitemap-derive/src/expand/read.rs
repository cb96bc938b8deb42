//! The implementation of `FromSitemapEntry`.

use std::rc::Rc;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, LitStr, Member, Path};

use super::write::flatten::{Checks, Conflicts, constant};
use super::{check_priority, implementation, krate, local, mount, place, priority_value};
use crate::attr::{ChangeFreq, Extension, Filter, Priority};
use crate::derivation::{
    Body, Derivation, Direction, Field, Languages, LanguagesOf, Lastmod, Loc, Optional, Page, Piece, Source,
    TemplateLoc, Variant, VariantKind,
};
use crate::generics::{Bounds, inside_option};

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
    let (name_of_trait, function) = match (direction, &derivation.body) {
        (Direction::FromFields, Body::Struct(page)) => {
            let of_trait = quote!(#krate::convert::FromSitemapFields);
            let reads = reads(page, &of_trait, &private);
            let elements = page.elements.iter().map(|(name, _)| name.value());
            let functions = quote! {
                const READS: #private::Gives = #reads;

                fn from_fields(#entry: &#krate::convert::EntryReader<'_>) -> #krate::Result<Self> {
                    #body
                }

                fn has_fields(#entry: &#krate::convert::EntryReader<'_>) -> bool {
                    #private::has_any(#entry, <Self as #of_trait>::READS) #(|| #private::has_element(#entry, #elements))*
                }
            };
            (of_trait, functions)
        }
        _ => (
            quote!(#krate::FromSitemapEntry),
            quote! {
                fn from_entry(#entry: &#krate::convert::EntryReader<'_>) -> #krate::Result<Self> {
                    #mounted
                    #body
                }
            },
        ),
    };
    implementation(input, bounds, &items, &name_of_trait, &function)
}

/// The value of the constant `READS`: the values of an entry that a type reads.
fn reads(page: &Page, of_trait: &TokenStream, private: &TokenStream) -> TokenStream {
    let own = reads_of(page).into_iter().map(|(_, constant)| {
        let constant = Ident::new(constant, proc_macro2::Span::call_site());
        quote!(.and(#private::Gives::#constant))
    });
    let inner = page.flattened.iter().filter(|source| source.from_with.is_none());
    let inner = inner.map(|source| {
        let ty = &source.field.ty;
        quote!(.and(<#ty as #of_trait>::READS))
    });
    quote!(#private::Gives::UNKNOWN #(#own)* #(#inner)*)
}

/// All values of an entry that a type can read, each with its constant in `Gives`.
const ALL: [(&str, &str); 7] = [
    ("lastmod", "LASTMOD"),
    ("changefreq", "CHANGEFREQ"),
    ("priority", "PRIORITY"),
    ("image", "IMAGE"),
    ("video", "VIDEO"),
    ("news", "NEWS"),
    ("alternate", "ALTERNATE"),
];

/// The values that the page itself reads, without its flattened fields.
fn reads_of(page: &Page) -> Vec<(&'static str, &'static str)> {
    let extension = |extension: Extension| page.extensions.iter().any(|(other, _)| *other == extension);
    let of_languages = matches!(
        &page.languages,
        Some(Languages {
            of: LanguagesOf::Field(..),
            ..
        })
    );
    let read = [
        matches!(&page.lastmod, Some(Lastmod::Field { .. })),
        matches!(&page.changefreq, Some(Optional::Field { .. })),
        matches!(&page.priority, Some(Optional::Field { .. })),
        extension(Extension::Image),
        extension(Extension::Video),
        extension(Extension::News),
        extension(Extension::Alternate) || of_languages,
    ];
    let read = ALL.into_iter().zip(read).filter(|(_, read)| *read);
    read.map(|(value, _)| value).collect()
}

struct Generator<'a> {
    input: &'a DeriveInput,
    /// Items beside the implementation: compile-time checks, and the type's base and encoding.
    items: Vec<TokenStream>,
    krate: TokenStream,
    private: TokenStream,
    entry: Ident,
    bounds: Bounds,
}

/// A placeholder, and the variable with its text.
struct Slot<'a> {
    /// Its name, and the placeholder as written.
    name: &'a str,
    written: String,
    reserved: bool,
    signed: bool,
    of: ValueOf<'a>,
    text: Ident,
}

/// The origin of a placeholder's value.
#[derive(Clone, Copy)]
enum ValueOf<'a> {
    Field(&'a Source),
    /// A value in a flattened field.
    Inner(&'a Source, &'a [Member]),
    Language,
    Translation,
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
            // A loc by a function cannot be read, and was refused before; a part of a row has none.
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

    /// Code that matches the loc with the template, and binds a variable for each placeholder.
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
            if let Piece::Text(_) = piece {
                continue;
            }
            let Some(Slot {
                written,
                reserved,
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
            parts.push(quote!(#private::TemplateValue {
                written: #written,
                reserved: #reserved,
                signed: #signed,
                then: #then,
                of: #private::ValueOf::#of
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
        let template = local("template");
        quote! {
            let #template = #private::Template {
                text: #text,
                start: #start,
                values: &[#(#parts),*],
                from_left: #from_left
            };
            let #pattern: [&::core::primitive::str; #count] = #template.find(#entry)?;
        }
    }

    /// Code that checks that the entry's language is one of the type's.
    fn one_of(&self, slots: &[Slot<'_>], languages: &[LitStr]) -> TokenStream {
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
    fn languages(&self, source: &Source, slots: &[Slot<'_>]) -> TokenStream {
        let Generator { private, entry, .. } = self;
        let (ty, template) = (&source.field.ty, local("template"));
        let of_trait = quote!(#private::FromLanguages<_>);
        let read = match &source.from_with {
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

    /// The value of a field that is an element of a user namespace.
    fn element(&mut self, name: &str, source: &Source) -> TokenStream {
        let Generator { private, entry, .. } = &*self;
        let ty = &source.field.ty;
        let Some(function) = &source.from_with else {
            let value = quote!(#private::element_of::<#ty>(#entry, #name)?);
            let bound = quote!(#private::DeserializeOwned);
            self.bounds.need(ty, &bound);
            return value;
        };
        let value = quote_spanned!(place(function)=> #function(#private::element_of(#entry, #name)?));
        let converted = quote_spanned!(place(function)=> #private::Converted::<#ty, _>::converted);
        quote!(#private::within(#converted(#value), #name)?)
    }

    /// The value of a flattened field, some of whose fields the template has named.
    fn part(&mut self, source: &Source, named: &[(&[Member], &TokenStream)]) -> TokenStream {
        let of_trait = self.path("convert::FromSitemapFields");
        let ty = &source.field.ty;
        let entry = self.entry.clone();
        if let Some(function) = &source.from_with {
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
        // What an address names is there.
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
        let of_trait = self.path("convert::FromSitemapFields");
        let private = &self.private;
        let known = page.flattened.iter().filter(|source| source.from_with.is_none());
        let known: Vec<&Source> = known.collect();
        let message = |name: &str, by: &str, also: &str| {
            format!(
                "`{name}` is read twice, by {by} and by {also}, and nobody can tell which of the two an entry's is of; keep one of them"
            )
        };
        let checks = Conflicts {
            gives: &quote!(#of_trait>::READS),
            private,
            all: &ALL,
            own: &reads_of(page),
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

    /// The placeholder to read a value from, and code that checks that all placeholders with this name have the same value.
    fn best<'s, 'a>(&self, slots: &'s [Slot<'a>], name: &str) -> (Option<&'s Slot<'a>>, TokenStream) {
        let of_name = || slots.iter().filter(|slot| slot.name == name);
        // A `{name}` can be decoded exactly; in a `{+name}`, characters that were encoded before remain so.
        let best = of_name().find(|slot| !slot.reserved).or_else(|| of_name().next());
        let Some(best) = best else {
            return (None, TokenStream::new());
        };
        let Generator { private, entry, .. } = self;
        let Slot { written, text, .. } = best;
        let others = of_name().filter(|slot| slot.text != *text && slot.reserved == best.reserved);
        let checks =
            others.map(|Slot { text: other, .. }| quote!(#private::same(#entry, #written, #text, #other)?;));
        (Some(best), checks.collect())
    }

    /// The text of a placeholder, decoded to the value's `Display` text.
    fn decoded(&self, slot: &Slot<'_>) -> TokenStream {
        let Generator { private, entry, .. } = self;
        let Slot { written, text, .. } = slot;
        if slot.reserved {
            quote!(#text)
        } else {
            quote!(&#private::decoded(#entry, #written, #text)?)
        }
    }

    /// The value of a placeholder's field, or of a value in a flattened field, and code that checks that it is the same in all
    /// placeholders.
    fn placeholders(
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
                let (private, text) = (&self.private, local("text"));
                quote!(|#text| <_ as #private::FromPlaceholder<_>>::from_placeholder(#text))
            }
        };
        let (Generator { private, entry, .. }, written) = (&*self, &best.written);
        let value = quote!(#private::placeholder_of(#entry, #written, #decoded, #read)?);
        (value, checks)
    }

    /// The closure that converts a placeholder's text to the field's value.
    fn parsed(&mut self, source: &Source, best: &Slot<'_>) -> TokenStream {
        let field = &source.field;
        let ty = &field.ty;
        // All placeholders of a field have the same conversion.
        let ValueOf::Field(Source { from_with, .. }) = best.of else {
            return TokenStream::new();
        };
        if let Some(function) = from_with {
            let text = argument(function);
            let value = quote_spanned!(place(function)=> #function(#text));
            return self.converted(field, function, &text, &value);
        }
        self.bounds.need_from_str(ty);
        let (private, text) = (&self.private, local("text"));
        quote!(|#text| <#ty as #private::FromPlaceholder<_>>::from_placeholder(#text))
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

fn slots(template: &TemplateLoc) -> Vec<Slot<'_>> {
    let mut slots = Vec::new();
    for piece in &template.pieces {
        let (name, reserved, signed, of) = match piece {
            Piece::Text(_) => continue,
            Piece::Value {
                name,
                reserved,
                source,
                signed,
            } => (name.as_str(), *reserved, *signed, ValueOf::Field(source)),
            Piece::Inner {
                name,
                reserved,
                source,
                path,
            } => (name.as_str(), *reserved, false, ValueOf::Inner(source, path)),
            Piece::Language { reserved } => ("lang", *reserved, false, ValueOf::Language),
            Piece::OfLanguage { name, reserved } => (name.as_str(), *reserved, false, ValueOf::Translation),
        };
        let text = format_ident!("__text_{}", slots.len(), span = proc_macro2::Span::mixed_site());
        slots.push(Slot {
            name,
            written: format!("{{{}{name}}}", if reserved { "+" } else { "" }),
            reserved,
            signed,
            of,
            text,
        });
    }
    slots
}

//! The implementation of `SitemapEntry`.
//!
//! | file | content |
//! |---|---|
//! | this file | the implementation as a whole, and the entry's values in order |
//! | `field`, `function` | the value of a field; of a function of the row |
//! | `parts`, `language` | images, videos and news by templates; entries in several languages |
//! | `flatten`, `columns`, `title` | `SitemapFields`; the declared columns; `page_title` |

mod columns;
pub(super) mod field;
pub(super) mod flatten;
mod function;
mod language;
mod parts;
mod title;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Path};

use self::field::{Access, pattern, reference};
use super::{implementation, krate, local, mount, namespaces, place};
use crate::attr::{Extension, Filter};
use crate::generics::Bounds;
use crate::template::Form;
use crate::validate::{
    Body, Derivation, Direction, Field, LANGUAGE, Loc, Page, Piece, Source, TemplateLoc, Variant, VariantKind,
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
        loc: local("loc"),
        bounds: Bounds::new(input),
        items: Vec::new(),
        krate,
    };
    if direction == Direction::Fields {
        return flatten::fields(code, derivation);
    }
    let title = code.title(&derivation.body);
    let (write, is_listed) = match &derivation.body {
        Body::Struct(page) => (
            code.page(page, Access::Field),
            code.is_listed(&derivation.filters, code.page_filters(page, Access::Field)),
        ),
        Body::Enum(variants) => {
            let write = code.write_variants(variants);
            let listed = code.variants_listed(variants);
            (
                write,
                code.is_listed(&derivation.filters, listed.into_iter().collect()),
            )
        }
    };
    let Generator {
        entry,
        bounds,
        mut items,
        krate,
        ..
    } = code;
    let mounted = mount(input, &krate, &derivation.mount).map(|(name, item)| {
        items.push(item);
        quote!(#krate::__private::mount(#entry, &#name);)
    });
    let namespaces = namespaces(derivation)
        .map(|namespaces| quote!(#krate::__private::namespaces(#entry, &[#namespaces])?;));
    let columns = columns::function(input, &derivation.body, &krate);
    let functions = quote! {
        #is_listed
        #columns
        #title

        fn write_entry(&self, #entry: &mut #krate::EntryWriter<'_>) -> #krate::Result<()> {
            #mounted
            #namespaces
            #write
        }
    };
    implementation(input, bounds, &items, &quote!(#krate::SitemapEntry), &functions)
}

pub(super) struct Generator<'a> {
    pub(super) input: &'a DeriveInput,
    pub(super) krate: TokenStream,
    pub(super) entry: Ident,
    loc: Ident,
    bounds: Bounds,
    /// Items outside the implementation: compile-time checks, and the type's base and encoding.
    pub(super) items: Vec<TokenStream>,
}

impl Generator<'_> {
    /// The body of `write_entry`.
    fn page(&mut self, page: &Page, access: Access) -> TokenStream {
        match &page.languages {
            None => self.values(page, access),
            Some(languages) => self.each_language(page, languages, access),
        }
    }

    /// The values of one entry, in the schema's order.
    fn values(&mut self, page: &Page, access: Access) -> TokenStream {
        let loc = self.loc(&page.loc, access);
        let lastmod = page.lastmod.as_ref().map(|lastmod| self.lastmod(lastmod, access));
        let values = page.values.iter();
        let values: Vec<TokenStream> = values
            .map(|(key, value)| self.value(*key, value, access))
            .collect();
        let extensions = page.extensions.iter();
        let extensions: Vec<TokenStream> = extensions
            .map(|(extension, source)| self.extension(*extension, source, access))
            .collect();
        let elements = page.elements.iter();
        let elements: Vec<TokenStream> = elements
            .map(|(name, source)| self.element(&name.value(), source, access))
            .collect();
        let functions: Vec<TokenStream> = page
            .functions
            .iter()
            .map(|(extension, path)| self.extension_function(*extension, path))
            .collect();
        let parts = page.parts.iter();
        let parts: Vec<TokenStream> = parts
            .map(|(extension, parts)| self.parts(*extension, parts, access))
            .collect();
        let mobile = page.mobile.then(|| {
            let entry = &self.entry;
            quote!(#entry.mobile(true)?;)
        });
        let links = page.links.as_ref().map(|links| self.links(links, access));
        let flattened = self.flattened(page, access);
        quote! {
            #loc
            #lastmod
            #(#values)*
            #(#parts)*
            #(#extensions)*
            #(#functions)*
            #mobile
            #links
            #(#elements)*
            #flattened
            ::core::result::Result::Ok(())
        }
    }

    fn extension(&mut self, extension: Extension, source: &Source, access: Access) -> TokenStream {
        let Generator { entry, krate, .. } = &*self;
        let (value, span) = match &source.write_with {
            Some(with) => {
                let value = self.call(with, &reference(&source.field, access));
                (quote_spanned!(place(with)=> &#value), place(with))
            }
            None => (reference(&source.field, access), place(&source.field.ty)),
        };
        let element = Ident::new(extension.type_name(), Span::call_site());
        let element = quote!(#krate::#element);
        let call =
            quote_spanned!(span=> (&&&#krate::__private::field::<#element, _>(#value)).__elements(#entry));
        let write = quote!({
            use #krate::__private::{EachElement as _, Elements as _, NoElements as _};
            #call?;
        });
        if source.write_with.is_none() {
            let of_trait = quote!(#krate::convert::ToElements<#element>);
            self.bounds.need(&source.field.ty, &of_trait);
        }
        write
    }

    /// Code that writes an element of a user namespace.
    fn element(&mut self, name: &str, source: &Source, access: Access) -> TokenStream {
        let (entry, private) = (self.entry.clone(), self.path("__private"));
        let value = reference(&source.field, access);
        if let Some(with) = &source.write_with {
            let value = self.call(with, &value);
            return quote_spanned!(place(with)=> #private::element(#entry, #name, &#value)?;);
        }
        let ty = &source.field.ty;
        self.bounds.need(ty, &quote!(#private::Serialize));
        quote!(#private::element::<#ty>(#entry, #name, #value)?;)
    }

    fn loc(&mut self, loc: &Loc, access: Access) -> TokenStream {
        let entry = self.entry.clone();
        let template = match loc {
            Loc::Function(path) => return self.loc_function(path),
            Loc::Elsewhere => return TokenStream::new(),
            Loc::Field(source) => {
                let value = self.convert(source, access, "convert::AsLoc", "as_loc", &[]);
                return quote!(#entry.loc(#value)?;);
            }
            Loc::Template(template) => match template.pieces.as_slice() {
                [Piece::Text(text)] => return quote!(#entry.loc(#text)?;),
                _ => template,
            },
        };
        let build = self.build(template, access);
        quote!(#entry.loc_template(#build)?;)
    }

    /// The closure that builds a URL from a template's parts.
    fn build(&mut self, template: &TemplateLoc, access: Access) -> TokenStream {
        let loc = self.loc.clone();
        let pieces: Vec<TokenStream> = template
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Language { reserved } => {
                    let form = Form {
                        reserved: *reserved,
                        optional: false,
                    };
                    let (function, language) = (placeholder(form), local("language"));
                    quote!(#loc.#function(#LANGUAGE, #language)?;)
                }
                Piece::Inner { form, .. } => self.inner(piece, &placeholder(*form), &loc, access),
                Piece::OfLanguage { name, form } => {
                    let (function, value) = (placeholder(*form), local("of_language"));
                    let of_trait = self.path("__private::Placeholder::<_>");
                    quote!(#of_trait::#function(#value, #loc, #name)?;)
                }
                Piece::Text(text) if is_plain(text) => {
                    let write = self.path("__private::plain_literal");
                    quote!(#write(#loc, #text)?;)
                }
                Piece::Text(text) => quote!(#loc.literal(#text)?;),
                Piece::Value {
                    name, form, source, ..
                } => {
                    let function = placeholder(*form).to_string();
                    let of_trait = self.path("__private::Placeholder::<_>");
                    let arguments = [quote!(#loc), quote!(#name)];
                    if source.write_with.is_none() {
                        self.bounds.need_display(&source.field.ty);
                    }
                    let value = self.converted(source, access, &of_trait, &function, &arguments);
                    quote!(#value?;)
                }
            })
            .collect();
        quote! {
            |#loc| {
                #(#pieces)*
                ::core::result::Result::Ok(())
            }
        }
    }

    /// A call of a conversion trait's function on the source's value, with the bound that it needs.
    pub(super) fn convert(
        &mut self,
        source: &Source,
        access: Access,
        of_trait: &str,
        function: &str,
        arguments: &[TokenStream],
    ) -> TokenStream {
        let of_trait = self.path(of_trait);
        if source.write_with.is_none() {
            self.bounds.need(&source.field.ty, &of_trait);
        }
        self.converted(source, access, &of_trait, function, arguments)
    }

    /// A path into the library.
    pub(super) fn path(&self, path: &str) -> TokenStream {
        let krate = &self.krate;
        let path: TokenStream = path.parse().unwrap_or_default();
        quote!(#krate::#path)
    }

    fn write_variants(&mut self, variants: &[Variant]) -> TokenStream {
        let arms: Vec<TokenStream> = variants
            .iter()
            .map(|variant| {
                let name = &variant.name;
                match &variant.kind {
                    VariantKind::Page(page) => {
                        let pattern = pattern(page.fields());
                        let body = self.page(page, Access::Binding);
                        quote!(Self::#name #pattern => { #body })
                    }
                    VariantKind::Delegate(field, _) => {
                        let Generator { krate, entry, .. } = self;
                        let (binding, ty) = (&field.binding, &field.ty);
                        self.bounds.need(ty, &quote!(#krate::SitemapEntry));
                        quote!(Self::#name(#binding) => <#ty as #krate::SitemapEntry>::write_entry(#binding, #entry),)
                    }
                }
            })
            .collect();
        quote!(match self { #(#arms)* })
    }

    fn variants_listed(&self, variants: &[Variant]) -> Option<TokenStream> {
        let krate = &self.krate;
        let mut always = false;
        let arms: Vec<TokenStream> = variants
            .iter()
            .filter_map(|variant| {
                let name = &variant.name;
                let (pattern, mut conditions) = match &variant.kind {
                    VariantKind::Page(page) => (
                        pattern(page.filters.iter().map(|(field, _)| field)),
                        self.page_filters(page, Access::Binding),
                    ),
                    VariantKind::Delegate(field, filters) => {
                        let conditions = filters
                            .iter()
                            .map(|filter| self.field_filter(field, filter, Access::Binding));
                        (pattern([field]), conditions.collect())
                    }
                };
                if let VariantKind::Delegate(field, _) = &variant.kind {
                    let (binding, ty) = (&field.binding, &field.ty);
                    conditions.push(quote!(<#ty as #krate::SitemapEntry>::is_listed(#binding)));
                }
                if conditions.is_empty() {
                    always = true;
                    return None;
                }
                Some(quote!(Self::#name #pattern => #(#conditions)&&*,))
            })
            .collect();
        if arms.is_empty() {
            return None;
        }
        let rest = always.then(|| quote!(_ => true,));
        Some(quote!(match self { #(#arms)* #rest }))
    }

    /// The function `is_listed`; `None` if there are no conditions.
    fn is_listed(&self, filters: &[Filter], of_fields: Vec<TokenStream>) -> Option<TokenStream> {
        let conditions: Vec<TokenStream> = filters
            .iter()
            .filter_map(|filter| {
                let predicate = filter.predicate.as_ref()?;
                let value = self.call(predicate, &quote!(self));
                Some(negated(!filter.include, &value, place(predicate)))
            })
            .chain(of_fields)
            .collect();
        (!conditions.is_empty()).then(|| {
            quote! {
                fn is_listed(&self) -> ::core::primitive::bool {
                    #(#conditions)&&*
                }
            }
        })
    }

    fn page_filters(&self, page: &Page, access: Access) -> Vec<TokenStream> {
        page.filters
            .iter()
            .map(|(field, filter)| self.field_filter(field, filter, access))
            .collect()
    }

    fn field_filter(&self, field: &Field, filter: &Filter, access: Access) -> TokenStream {
        let krate = &self.krate;
        let value = reference(field, access);
        if let Some(predicate) = &filter.predicate {
            return negated(!filter.include, &self.call(predicate, &value), place(predicate));
        }
        let ty = &field.ty;
        let value = quote!(<#ty as #krate::__private::Flag>::is_set(#value));
        negated(!filter.include, &value, place(ty))
    }
}

/// The function that writes a placeholder.
fn placeholder(form: Form) -> Ident {
    let name = match (form.reserved, form.optional) {
        (false, false) => "simple",
        (true, false) => "reserved",
        (false, true) => "simple_or_empty",
        (true, true) => "reserved_or_empty",
    };
    Ident::new(name, Span::call_site())
}

/// Returns `true` if a template's text needs neither percent-encoding in a URL nor escaping in XML. `false` is
/// always safe.
fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_alphanumeric() || "-._~:/?@!$()*+,;=".contains(c))
}

fn negated(negated: bool, value: &TokenStream, span: Span) -> TokenStream {
    if negated {
        quote_spanned!(span=> !#value)
    } else {
        value.clone()
    }
}

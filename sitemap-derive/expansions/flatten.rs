#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{shop}/{product.slug}",
    priority = 0.5+BOOST,
    image = "/img/{product.photo}.jpg"
)]
struct Listing {
    shop: String,
    #[sitemap(flatten)]
    product: Option<Product>,
    #[sitemap(flatten, write_with = HasOne::loaded)]
    seller: HasOne<Seller>,
}

const _: () = {
    const _: () = match (0.5 + BOOST) {
        __value => {
            ::core::assert!(
                __value >= 0.0 && __value <= 1.0,
                "`0.5 + BOOST` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO)"
            )
        }
    };
    const _: () = {
        ::core::assert!(
            ! (< Option < Product > as ::sitemap_serde::SitemapFields > ::GIVES
            .has(::sitemap_serde::__private::Gives::PRIORITY)),
            "`priority` is given twice, by the row itself and by the flattened `product`, and an entry has it once (P-DUP); keep one of them"
        );
    };
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl ::sitemap_serde::SitemapEntry for Listing {
        fn page_title(
            &self,
        ) -> ::core::option::Option<::sitemap_serde::__private::String> {
            ::core::option::Option::or_else(
                <Option<
                    Product,
                > as ::sitemap_serde::SitemapFields>::page_title(&self.product),
                || ::sitemap_serde::SitemapFields::page_title(
                    &::sitemap_serde::__private::by_reference(
                        HasOne::loaded,
                    )(&self.seller),
                ),
            )
        }
        fn write_entry(
            &self,
            __entry: &mut ::sitemap_serde::EntryWriter<'_>,
        ) -> ::sitemap_serde::Result<()> {
            __entry
                .loc_template(|__loc| {
                    ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                    <String as ::sitemap_serde::__private::Placeholder<
                        _,
                    >>::simple(&self.shop, __loc, "shop")?;
                    ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                    {
                        use ::sitemap_serde::__private::{InsideOption as _, Itself as _};
                        match (&&::sitemap_serde::__private::Flattened(&self.product))
                            .__inner()
                        {
                            ::core::option::Option::Some(__inner) => {
                                ::sitemap_serde::__private::Placeholder::<
                                    _,
                                >::simple(&__inner.slug, __loc, "product.slug")?
                            }
                            ::core::option::Option::None => {
                                ::sitemap_serde::__private::absent("product", "slug")?
                            }
                        }
                    }
                    ::core::result::Result::Ok(())
                })?;
            __entry.priority(const { 0.5 + BOOST })?;
            if {
                use ::sitemap_serde::__private::{InsideOption as _, Itself as _};
                ::core::option::Option::is_some_and(
                    (&&::sitemap_serde::__private::Flattened(&self.product)).__inner(),
                    |__inner| ::sitemap_serde::__private::Placeholder::<
                        _,
                    >::is_present(&__inner.photo),
                )
            } {
                ::sitemap_serde::__private::parts(
                    __entry,
                    const { ::sitemap_serde::__private::Part::named("image:image") },
                    |__parts| {
                        __parts
                            .url(
                                const {
                                    ::sitemap_serde::__private::Part::named("image:loc")
                                },
                                |__loc| {
                                    ::sitemap_serde::__private::plain_literal(__loc, "/img/")?;
                                    {
                                        use ::sitemap_serde::__private::{
                                            InsideOption as _, Itself as _,
                                        };
                                        match (&&::sitemap_serde::__private::Flattened(
                                            &self.product,
                                        ))
                                            .__inner()
                                        {
                                            ::core::option::Option::Some(__inner) => {
                                                ::sitemap_serde::__private::Placeholder::<
                                                    _,
                                                >::simple(&__inner.photo, __loc, "product.photo")?
                                            }
                                            ::core::option::Option::None => {
                                                ::sitemap_serde::__private::absent("product", "photo")?
                                            }
                                        }
                                    }
                                    ::sitemap_serde::__private::plain_literal(__loc, ".jpg")?;
                                    ::core::result::Result::Ok(())
                                },
                            )?;
                        ::core::result::Result::Ok(())
                    },
                )?;
            }
            <Option<
                Product,
            > as ::sitemap_serde::SitemapFields>::write_fields(&self.product, __entry)?;
            ::sitemap_serde::SitemapFields::write_fields(
                &::sitemap_serde::__private::by_reference(HasOne::loaded)(&self.seller),
                __entry,
            )?;
            ::core::result::Result::Ok(())
        }
    }
};

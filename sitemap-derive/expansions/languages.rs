#[derive(SitemapEntry)]
enum Page {
    #[sitemap(
        loc = "/{lang}/{slug}",
        languages("de", "en"),
        x_default = "en",
        image = "/img/{id}.jpg"
    )]
    Article { id: u32, slug: String },
    #[sitemap(loc = "/{lang}/{slug}")]
    Product { #[sitemap(languages(slug), write_with = pairs)] names: Vec<Name> },
    #[sitemap(
        loc = Self::url,
        lastmod = Self::updated,
        priority = rank,
        image = Self::pictures,
        news = Self::article,
        alternate(template = "/{lang}", languages("de", "en"))
    )]
    Computed,
}

const _: () = {
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl ::sitemap_serde::SitemapEntry for Page {
        fn write_entry(
            &self,
            __entry: &mut ::sitemap_serde::EntryWriter<'_>,
        ) -> ::sitemap_serde::Result<()> {
            match self {
                Self::Article { slug: __field_slug, id: __field_id, .. } => {
                    let __languages: &[&::core::primitive::str] = &["de", "en"];
                    __entry
                        .each(
                            __languages,
                            |__language, __entry| {
                                let __language = ::core::convert::AsRef::<
                                    ::core::primitive::str,
                                >::as_ref(__language);
                                {
                                    for __language in __languages {
                                        let __language = ::core::convert::AsRef::<
                                            ::core::primitive::str,
                                        >::as_ref(__language);
                                        ::sitemap_serde::__private::translation(
                                            __entry,
                                            __language,
                                            ::core::option::Option::Some("en"),
                                            |__loc| {
                                                ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                                __loc.simple("lang", __language)?;
                                                ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                                <String as ::sitemap_serde::__private::Placeholder<
                                                    _,
                                                >>::simple(__field_slug, __loc, "slug")?;
                                                ::core::result::Result::Ok(())
                                            },
                                        )?;
                                    }
                                }
                                __entry
                                    .loc_template(|__loc| {
                                        ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                        __loc.simple("lang", __language)?;
                                        ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                        <String as ::sitemap_serde::__private::Placeholder<
                                            _,
                                        >>::simple(__field_slug, __loc, "slug")?;
                                        ::core::result::Result::Ok(())
                                    })?;
                                ::sitemap_serde::__private::parts(
                                    __entry,
                                    const {
                                        ::sitemap_serde::__private::Part::named("image:image")
                                    },
                                    |__parts| {
                                        __parts
                                            .url(
                                                const {
                                                    ::sitemap_serde::__private::Part::named("image:loc")
                                                },
                                                |__loc| {
                                                    ::sitemap_serde::__private::plain_literal(__loc, "/img/")?;
                                                    <u32 as ::sitemap_serde::__private::Placeholder<
                                                        _,
                                                    >>::simple(__field_id, __loc, "id")?;
                                                    ::sitemap_serde::__private::plain_literal(__loc, ".jpg")?;
                                                    ::core::result::Result::Ok(())
                                                },
                                            )?;
                                        ::core::result::Result::Ok(())
                                    },
                                )?;
                                ::core::result::Result::Ok(())
                            },
                        )
                }
                Self::Product { names: __field_names, .. } => {
                    let __languages = &::sitemap_serde::__private::by_reference(
                        pairs,
                    )(__field_names);
                    ::sitemap_serde::__private::check_languages(
                        ::core::iter::Iterator::map(
                            ::core::iter::IntoIterator::into_iter(__languages),
                            |(__language, _)| ::core::convert::AsRef::<
                                ::core::primitive::str,
                            >::as_ref(__language),
                        ),
                    )?;
                    __entry
                        .each(
                            __languages,
                            |(__language, __of_language), __entry| {
                                let __language = ::core::convert::AsRef::<
                                    ::core::primitive::str,
                                >::as_ref(__language);
                                {
                                    for (__language, __of_language) in __languages {
                                        let __language = ::core::convert::AsRef::<
                                            ::core::primitive::str,
                                        >::as_ref(__language);
                                        ::sitemap_serde::__private::translation(
                                            __entry,
                                            __language,
                                            ::core::option::Option::None,
                                            |__loc| {
                                                ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                                __loc.simple("lang", __language)?;
                                                ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                                ::sitemap_serde::__private::Placeholder::<
                                                    _,
                                                >::simple(__of_language, __loc, "slug")?;
                                                ::core::result::Result::Ok(())
                                            },
                                        )?;
                                    }
                                }
                                __entry
                                    .loc_template(|__loc| {
                                        ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                        __loc.simple("lang", __language)?;
                                        ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                        ::sitemap_serde::__private::Placeholder::<
                                            _,
                                        >::simple(__of_language, __loc, "slug")?;
                                        ::core::result::Result::Ok(())
                                    })?;
                                ::core::result::Result::Ok(())
                            },
                        )
                }
                Self::Computed { .. } => {
                    {
                        use ::sitemap_serde::__private::{
                            ReturnsResult as _, ReturnsValue as _,
                        };
                        let __returned = ::sitemap_serde::__private::by_reference(
                            Self::url,
                        )(self);
                        let __value = (&&::sitemap_serde::__private::Returned(
                            &__returned,
                        ))
                            .__returned();
                        __entry
                            .loc(
                                ::sitemap_serde::convert::AsLoc::as_loc(
                                    ::sitemap_serde::__private::within(__value, "loc")?,
                                ),
                            )?;
                    }
                    {
                        use ::sitemap_serde::__private::{
                            ReturnsResult as _, ReturnsValue as _,
                        };
                        let __returned = ::sitemap_serde::__private::by_reference(
                            Self::updated,
                        )(self);
                        let __value = (&&::sitemap_serde::__private::Returned(
                            &__returned,
                        ))
                            .__returned();
                        ::sitemap_serde::__private::lastmod(
                            __entry,
                            ::core::result::Result::and_then(
                                __value,
                                |__argument| ::sitemap_serde::__private::ReturnedLastmod::returned_lastmod(
                                    __argument,
                                ),
                            ),
                        )?;
                    }
                    {
                        use ::sitemap_serde::__private::{
                            ReturnsResult as _, ReturnsValue as _,
                        };
                        let __returned = ::sitemap_serde::__private::by_reference(
                            rank,
                        )(self);
                        let __value = (&&::sitemap_serde::__private::Returned(
                            &__returned,
                        ))
                            .__returned();
                        ::sitemap_serde::__private::priority(
                            __entry,
                            ::core::result::Result::and_then(
                                __value,
                                |__argument| ::sitemap_serde::convert::ToPriority::to_priority(
                                    __argument,
                                ),
                            ),
                        )?;
                    }
                    {
                        use ::sitemap_serde::__private::{
                            ReturnsResult as _, ReturnsValue as _,
                        };
                        let __returned = ::sitemap_serde::__private::by_reference(
                            Self::pictures,
                        )(self);
                        let __value = (&&::sitemap_serde::__private::Returned(
                            &__returned,
                        ))
                            .__returned();
                        use ::sitemap_serde::__private::{
                            EachElement as _, Elements as _, NoElements as _,
                        };
                        match __value {
                            ::core::result::Result::Ok(__argument) => {
                                (&&&::sitemap_serde::__private::field::<
                                    ::sitemap_serde::Image,
                                    _,
                                >(__argument))
                                    .__elements(__entry)?
                            }
                            ::core::result::Result::Err(__error) => {
                                ::sitemap_serde::__private::omit(
                                    __entry,
                                    __error,
                                    "image:image",
                                )?
                            }
                        }
                    }
                    {
                        use ::sitemap_serde::__private::{
                            ReturnsResult as _, ReturnsValue as _,
                        };
                        let __returned = ::sitemap_serde::__private::by_reference(
                            Self::article,
                        )(self);
                        let __value = (&&::sitemap_serde::__private::Returned(
                            &__returned,
                        ))
                            .__returned();
                        use ::sitemap_serde::__private::{
                            EachElement as _, Elements as _, NoElements as _,
                        };
                        match __value {
                            ::core::result::Result::Ok(__argument) => {
                                (&&&::sitemap_serde::__private::field::<
                                    ::sitemap_serde::News,
                                    _,
                                >(__argument))
                                    .__elements(__entry)?
                            }
                            ::core::result::Result::Err(__error) => {
                                ::sitemap_serde::__private::omit(
                                    __entry,
                                    __error,
                                    "news:news",
                                )?
                            }
                        }
                    }
                    {
                        let __languages: &[&::core::primitive::str] = &["de", "en"];
                        ::sitemap_serde::__private::check_alternates(__entry);
                        for __language in __languages {
                            let __language = ::core::convert::AsRef::<
                                ::core::primitive::str,
                            >::as_ref(__language);
                            ::sitemap_serde::__private::translation(
                                __entry,
                                __language,
                                ::core::option::Option::None,
                                |__loc| {
                                    ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                    __loc.simple("lang", __language)?;
                                    ::core::result::Result::Ok(())
                                },
                            )?;
                        }
                    }
                    ::core::result::Result::Ok(())
                }
            }
        }
    }
};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(
    loc = "/{lang}/{studio.id}/{+slug}?of={studio.id}",
    video(
        thumbnail_loc = "/{studio.id}.jpg",
        title = "{name} ({lang})",
        description = Self::about,
        content_loc = "/{id}.mp4",
        player_loc = Self::player,
        duration = "{seconds}",
        publication_date = "{released}"
    )
)]
struct Film {
    id: u32,
    name: String,
    seconds: Option<u32>,
    released: NaiveDate,
    #[sitemap(flatten)]
    studio: Option<Studio>,
    #[sitemap(languages(slug))]
    slugs: Vec<(String, String)>,
}

// `SitemapEntry`
const _: () = {
    const _: () = {
        ::core::assert!(
            ! (< Option < Studio > as ::sitemap_serde::SitemapFields > ::GIVES
            .has(::sitemap_serde::__private::Gives::ALTERNATE)),
            "`alternate` is given twice, by the row itself and by the flattened `studio`, and an entry has it once (P-ALT3); keep one of them"
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
    impl ::sitemap_serde::SitemapEntry for Film {
        fn page_title(
            &self,
        ) -> ::core::option::Option<::sitemap_serde::__private::String> {
            <Option<Studio> as ::sitemap_serde::SitemapFields>::page_title(&self.studio)
        }
        fn write_entry(
            &self,
            __entry: &mut ::sitemap_serde::EntryWriter<'_>,
        ) -> ::sitemap_serde::Result<()> {
            let __languages = &self.slugs;
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
                                        {
                                            use ::sitemap_serde::__private::{
                                                InsideOption as _, Itself as _,
                                            };
                                            match (&&::sitemap_serde::__private::Flattened(
                                                &self.studio,
                                            ))
                                                .__inner()
                                            {
                                                ::core::option::Option::Some(__inner) => {
                                                    ::sitemap_serde::__private::Placeholder::<
                                                        _,
                                                    >::simple(&__inner.id, __loc, "studio.id")?
                                                }
                                                ::core::option::Option::None => {
                                                    ::sitemap_serde::__private::absent("studio", "id")?
                                                }
                                            }
                                        }
                                        ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                        ::sitemap_serde::__private::Placeholder::<
                                            _,
                                        >::reserved(__of_language, __loc, "slug")?;
                                        ::sitemap_serde::__private::plain_literal(__loc, "?of=")?;
                                        {
                                            use ::sitemap_serde::__private::{
                                                InsideOption as _, Itself as _,
                                            };
                                            match (&&::sitemap_serde::__private::Flattened(
                                                &self.studio,
                                            ))
                                                .__inner()
                                            {
                                                ::core::option::Option::Some(__inner) => {
                                                    ::sitemap_serde::__private::Placeholder::<
                                                        _,
                                                    >::simple(&__inner.id, __loc, "studio.id")?
                                                }
                                                ::core::option::Option::None => {
                                                    ::sitemap_serde::__private::absent("studio", "id")?
                                                }
                                            }
                                        }
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
                                {
                                    use ::sitemap_serde::__private::{
                                        InsideOption as _, Itself as _,
                                    };
                                    match (&&::sitemap_serde::__private::Flattened(
                                        &self.studio,
                                    ))
                                        .__inner()
                                    {
                                        ::core::option::Option::Some(__inner) => {
                                            ::sitemap_serde::__private::Placeholder::<
                                                _,
                                            >::simple(&__inner.id, __loc, "studio.id")?
                                        }
                                        ::core::option::Option::None => {
                                            ::sitemap_serde::__private::absent("studio", "id")?
                                        }
                                    }
                                }
                                ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                ::sitemap_serde::__private::Placeholder::<
                                    _,
                                >::reserved(__of_language, __loc, "slug")?;
                                ::sitemap_serde::__private::plain_literal(__loc, "?of=")?;
                                {
                                    use ::sitemap_serde::__private::{
                                        InsideOption as _, Itself as _,
                                    };
                                    match (&&::sitemap_serde::__private::Flattened(
                                        &self.studio,
                                    ))
                                        .__inner()
                                    {
                                        ::core::option::Option::Some(__inner) => {
                                            ::sitemap_serde::__private::Placeholder::<
                                                _,
                                            >::simple(&__inner.id, __loc, "studio.id")?
                                        }
                                        ::core::option::Option::None => {
                                            ::sitemap_serde::__private::absent("studio", "id")?
                                        }
                                    }
                                }
                                ::core::result::Result::Ok(())
                            })?;
                        if {
                            use ::sitemap_serde::__private::{
                                InsideOption as _, Itself as _,
                            };
                            ::core::option::Option::is_some_and(
                                (&&::sitemap_serde::__private::Flattened(&self.studio))
                                    .__inner(),
                                |__inner| ::sitemap_serde::__private::Placeholder::<
                                    _,
                                >::is_present(&__inner.id),
                            )
                        } {
                            ::sitemap_serde::__private::parts(
                                __entry,
                                const {
                                    ::sitemap_serde::__private::Part::named("video:video")
                                },
                                |__parts| {
                                    __parts
                                        .url(
                                            const {
                                                ::sitemap_serde::__private::Part::named(
                                                    "video:thumbnail_loc",
                                                )
                                            },
                                            |__loc| {
                                                ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                                {
                                                    use ::sitemap_serde::__private::{
                                                        InsideOption as _, Itself as _,
                                                    };
                                                    match (&&::sitemap_serde::__private::Flattened(
                                                        &self.studio,
                                                    ))
                                                        .__inner()
                                                    {
                                                        ::core::option::Option::Some(__inner) => {
                                                            ::sitemap_serde::__private::Placeholder::<
                                                                _,
                                                            >::simple(&__inner.id, __loc, "studio.id")?
                                                        }
                                                        ::core::option::Option::None => {
                                                            ::sitemap_serde::__private::absent("studio", "id")?
                                                        }
                                                    }
                                                }
                                                ::sitemap_serde::__private::plain_literal(__loc, ".jpg")?;
                                                ::core::result::Result::Ok(())
                                            },
                                        )?;
                                    __parts
                                        .text(
                                            const {
                                                ::sitemap_serde::__private::Part::named("video:title")
                                            },
                                            |__text| {
                                                <String as ::sitemap_serde::__private::Placeholder<
                                                    _,
                                                >>::text(&self.name, __text, "name")?;
                                                __text.literal(" (");
                                                __text.display(__language)?;
                                                __text.literal(")");
                                                ::core::result::Result::Ok(())
                                            },
                                        )?;
                                    {
                                        use ::sitemap_serde::__private::{
                                            ReturnsResult as _, ReturnsValue as _,
                                        };
                                        let __returned = ::sitemap_serde::__private::by_reference(
                                            Self::about,
                                        )(self);
                                        let __value = (&&::sitemap_serde::__private::Returned(
                                            &__returned,
                                        ))
                                            .__returned();
                                        __parts
                                            .value(
                                                const {
                                                    ::sitemap_serde::__private::Part::named("video:description")
                                                },
                                                ::sitemap_serde::__private::within_part(
                                                    __value,
                                                    const {
                                                        ::sitemap_serde::__private::Part::named("video:description")
                                                    },
                                                )?,
                                            )?;
                                    }
                                    __parts
                                        .url(
                                            const {
                                                ::sitemap_serde::__private::Part::named("video:content_loc")
                                            },
                                            |__loc| {
                                                ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                                                <u32 as ::sitemap_serde::__private::Placeholder<
                                                    _,
                                                >>::simple(&self.id, __loc, "id")?;
                                                ::sitemap_serde::__private::plain_literal(__loc, ".mp4")?;
                                                ::core::result::Result::Ok(())
                                            },
                                        )?;
                                    {
                                        use ::sitemap_serde::__private::{
                                            ReturnsResult as _, ReturnsValue as _,
                                        };
                                        let __returned = ::sitemap_serde::__private::by_reference(
                                            Self::player,
                                        )(self);
                                        let __value = (&&::sitemap_serde::__private::Returned(
                                            &__returned,
                                        ))
                                            .__returned();
                                        __parts
                                            .loc(
                                                const {
                                                    ::sitemap_serde::__private::Part::named("video:player_loc")
                                                },
                                                ::sitemap_serde::convert::AsLoc::as_loc(
                                                    ::sitemap_serde::__private::within_part(
                                                        __value,
                                                        const {
                                                            ::sitemap_serde::__private::Part::named("video:player_loc")
                                                        },
                                                    )?,
                                                ),
                                            )?;
                                    }
                                    if ::sitemap_serde::__private::Placeholder::<
                                        _,
                                    >::is_present(&self.seconds) {
                                        __parts
                                            .text(
                                                const {
                                                    ::sitemap_serde::__private::Part::named("video:duration")
                                                },
                                                |__text| {
                                                    <Option<
                                                        u32,
                                                    > as ::sitemap_serde::__private::Placeholder<
                                                        _,
                                                    >>::text(&self.seconds, __text, "seconds")?;
                                                    ::core::result::Result::Ok(())
                                                },
                                            )?;
                                    }
                                    __parts
                                        .date(
                                            const {
                                                ::sitemap_serde::__private::Part::named(
                                                    "video:publication_date",
                                                )
                                            },
                                            <NaiveDate as ::sitemap_serde::convert::ToLastmod>::to_lastmod(
                                                &self.released,
                                            ),
                                        )?;
                                    ::core::result::Result::Ok(())
                                },
                            )?;
                        }
                        <Option<
                            Studio,
                        > as ::sitemap_serde::SitemapFields>::write_fields(
                            &self.studio,
                            __entry,
                        )?;
                        ::core::result::Result::Ok(())
                    },
                )
        }
    }
};

// `FromSitemapEntry`
const _: () = {
    const _: () = {
        ::core::assert!(
            ! (< Option < Studio > as ::sitemap_serde::FromSitemapFields > ::READS
            .has(::sitemap_serde::__private::Gives::ALTERNATE)),
            "`alternate` is read twice, by the row itself and by the flattened `studio`, and an entry does not say which of the two its own belongs to; keep one of them"
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
    impl ::sitemap_serde::FromSitemapEntry for Film {
        fn from_entry(
            __entry: &::sitemap_serde::EntryReader<'_>,
        ) -> ::sitemap_serde::Result<Self> {
            let __template = ::sitemap_serde::__private::Template {
                text: "/{lang}/{studio.id}/{+slug}?of={studio.id}",
                start: "/",
                values: &[
                    ::sitemap_serde::__private::TemplateValue {
                        written: "{lang}",
                        reserved: false,
                        optional: false,
                        filled: true,
                        signed: false,
                        then: "/",
                        of: ::sitemap_serde::__private::ValueOf::Language,
                    },
                    ::sitemap_serde::__private::TemplateValue {
                        written: "{studio.id}",
                        reserved: false,
                        optional: false,
                        filled: true,
                        signed: false,
                        then: "/",
                        of: ::sitemap_serde::__private::ValueOf::Row,
                    },
                    ::sitemap_serde::__private::TemplateValue {
                        written: "{+slug}",
                        reserved: true,
                        optional: false,
                        filled: true,
                        signed: false,
                        then: "?of=",
                        of: ::sitemap_serde::__private::ValueOf::Translation,
                    },
                    ::sitemap_serde::__private::TemplateValue {
                        written: "{studio.id}",
                        reserved: false,
                        optional: false,
                        filled: false,
                        signed: false,
                        then: "",
                        of: ::sitemap_serde::__private::ValueOf::Row,
                    },
                ],
                cuts: &[
                    ::sitemap_serde::__private::Cut {
                        after: 0,
                        last: false,
                    },
                    ::sitemap_serde::__private::Cut {
                        after: 1,
                        last: false,
                    },
                    ::sitemap_serde::__private::Cut {
                        after: 2,
                        last: true,
                    },
                ],
            };
            let [__text_0, __text_1, __text_2, __text_3]: [&::core::primitive::str; 4] = __template
                .find(__entry)?;
            ::sitemap_serde::__private::same(
                __entry,
                "{studio.id}",
                __text_1,
                __text_3,
            )?;
            ::core::result::Result::Ok(Self {
                slugs: ::sitemap_serde::__private::languages_of(
                    __entry,
                    &__template,
                    &[__text_0, __text_1, __text_2, __text_3],
                    |__value| <Vec<
                        (String, String),
                    > as ::sitemap_serde::__private::FromLanguages<
                        _,
                    >>::from_languages(__value),
                )?,
                studio: {
                    let mut __inner = <Studio as ::sitemap_serde::FromSitemapFields>::from_fields(
                        __entry,
                    )?;
                    __inner.id = ::sitemap_serde::__private::placeholder_of(
                        __entry,
                        "{studio.id}",
                        &::sitemap_serde::__private::decoded(
                            __entry,
                            "{studio.id}",
                            __text_1,
                        )?,
                        |__text| <_ as ::sitemap_serde::__private::FromPlaceholder<
                            _,
                        >>::from_placeholder(__text),
                    )?;
                    ::core::option::Option::Some(__inner)
                },
                id: <u32 as ::sitemap_serde::__private::Unmapped>::unmapped(),
                name: <String as ::sitemap_serde::__private::Unmapped>::unmapped(),
                seconds: <Option<
                    u32,
                > as ::sitemap_serde::__private::Unmapped>::unmapped(),
                released: <NaiveDate as ::sitemap_serde::__private::Unmapped>::unmapped(),
            })
        }
        fn namespaces(
            __add: &mut dyn ::core::ops::FnMut(
                &'static ::core::primitive::str,
                &'static ::core::primitive::str,
            ),
        ) {
            <Option<Studio> as ::sitemap_serde::FromSitemapFields>::namespaces(__add);
        }
    }
};

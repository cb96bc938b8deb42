#[derive(SitemapEntry, FromSitemapEntry)]
enum Page {
    #[sitemap(loc = "/about", lastmod = "2024-05-06", priority = HIGH)]
    About,
    Product(Product),
    #[sitemap(loc = "/{+0}/{1}?page={2}&of={1}")]
    Listing(String, #[sitemap(write_with = slug, read_with = name)] String, Option<u8>),
    #[sitemap(loc = "/posts/{slug}")]
    Post { slug: String, #[sitemap(include_if)] public: bool },
}

// `SitemapEntry`
const _: () = {
    const _: () = match HIGH {
        __value => {
            ::core::assert!(
                __value >= 0.0 && __value <= 1.0,
                "`HIGH` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO)"
            )
        }
    };
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl ::sitemap_serde::SitemapEntry for Page {
        fn is_listed(&self) -> ::core::primitive::bool {
            match self {
                Self::Product { 0: __field_0, .. } => {
                    <Product as ::sitemap_serde::SitemapEntry>::is_listed(__field_0)
                }
                Self::Post { public: __field_public, .. } => {
                    <bool as ::sitemap_serde::__private::Flag>::is_set(__field_public)
                }
                _ => true,
            }
        }
        fn page_title(
            &self,
        ) -> ::core::option::Option<::sitemap_serde::__private::String> {
            match self {
                Self::Product(__field_0) => {
                    <Product as ::sitemap_serde::SitemapEntry>::page_title(__field_0)
                }
                _ => ::core::option::Option::None,
            }
        }
        fn write_entry(
            &self,
            __entry: &mut ::sitemap_serde::EntryWriter<'_>,
        ) -> ::sitemap_serde::Result<()> {
            match self {
                Self::About { .. } => {
                    __entry.loc("/about")?;
                    ::sitemap_serde::__private::lastmod_literal(__entry, "2024-05-06")?;
                    __entry.priority(HIGH)?;
                    ::core::result::Result::Ok(())
                }
                Self::Product(__field_0) => {
                    <Product as ::sitemap_serde::SitemapEntry>::write_entry(
                        __field_0,
                        __entry,
                    )
                }
                Self::Listing { 0: __field_0, 1: __field_1, 2: __field_2, .. } => {
                    __entry
                        .loc_template(|__loc| {
                            ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                            <String as ::sitemap_serde::__private::Placeholder<
                                _,
                            >>::reserved(__field_0, __loc, "0")?;
                            ::sitemap_serde::__private::plain_literal(__loc, "/")?;
                            ::sitemap_serde::__private::Placeholder::<
                                _,
                            >::simple(
                                &::sitemap_serde::__private::by_reference(slug)(__field_1),
                                __loc,
                                "1",
                            )?;
                            ::sitemap_serde::__private::plain_literal(__loc, "?page=")?;
                            <Option<
                                u8,
                            > as ::sitemap_serde::__private::Placeholder<
                                _,
                            >>::simple(__field_2, __loc, "2")?;
                            __loc.literal("&of=")?;
                            ::sitemap_serde::__private::Placeholder::<
                                _,
                            >::simple(
                                &::sitemap_serde::__private::by_reference(slug)(__field_1),
                                __loc,
                                "1",
                            )?;
                            ::core::result::Result::Ok(())
                        })?;
                    ::core::result::Result::Ok(())
                }
                Self::Post { slug: __field_slug, .. } => {
                    __entry
                        .loc_template(|__loc| {
                            ::sitemap_serde::__private::plain_literal(__loc, "/posts/")?;
                            <String as ::sitemap_serde::__private::Placeholder<
                                _,
                            >>::simple(__field_slug, __loc, "slug")?;
                            ::core::result::Result::Ok(())
                        })?;
                    ::core::result::Result::Ok(())
                }
            }
        }
    }
};

// `FromSitemapEntry`
const _: () = {
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl ::sitemap_serde::FromSitemapEntry for Page {
        fn from_entry(
            __entry: &::sitemap_serde::EntryReader<'_>,
        ) -> ::sitemap_serde::Result<Self> {
            let mut __search = ::sitemap_serde::__private::Search::new();
            if let ::core::option::Option::Some(__value) = __search
                .variant(|| {
                    let __template = ::sitemap_serde::__private::Template {
                        text: "/about",
                        start: "/about",
                        values: &[],
                        cuts: &[],
                    };
                    let _: [&::core::primitive::str; 0] = __template.find(__entry)?;
                    ::core::result::Result::Ok(Self::About {})
                })?
            {
                return ::core::result::Result::Ok(__value);
            }
            if let ::core::option::Option::Some(__value) = __search
                .variant(|| {
                    ::core::result::Result::Ok(
                        Self::Product(
                            <Product as ::sitemap_serde::FromSitemapEntry>::from_entry(
                                __entry,
                            )?,
                        ),
                    )
                })?
            {
                return ::core::result::Result::Ok(__value);
            }
            if let ::core::option::Option::Some(__value) = __search
                .variant(|| {
                    let __template = ::sitemap_serde::__private::Template {
                        text: "/{+0}/{1}?page={2}&of={1}",
                        start: "/",
                        values: &[
                            ::sitemap_serde::__private::TemplateValue {
                                written: "{+0}",
                                reserved: true,
                                optional: false,
                                filled: true,
                                signed: false,
                                then: "/",
                                of: ::sitemap_serde::__private::ValueOf::Row,
                            },
                            ::sitemap_serde::__private::TemplateValue {
                                written: "{1}",
                                reserved: false,
                                optional: false,
                                filled: true,
                                signed: false,
                                then: "?page=",
                                of: ::sitemap_serde::__private::ValueOf::Row,
                            },
                            ::sitemap_serde::__private::TemplateValue {
                                written: "{2}",
                                reserved: false,
                                optional: false,
                                filled: false,
                                signed: false,
                                then: "&of=",
                                of: ::sitemap_serde::__private::ValueOf::Row,
                            },
                            ::sitemap_serde::__private::TemplateValue {
                                written: "{1}",
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
                                after: 2,
                                last: true,
                            },
                            ::sitemap_serde::__private::Cut {
                                after: 1,
                                last: true,
                            },
                            ::sitemap_serde::__private::Cut {
                                after: 0,
                                last: true,
                            },
                        ],
                    };
                    let [__text_0, __text_1, __text_2, __text_3,
                    ]: [&::core::primitive::str; 4] = __template.find(__entry)?;
                    ::sitemap_serde::__private::same(
                        __entry,
                        "{1}",
                        __text_1,
                        __text_3,
                    )?;
                    ::core::result::Result::Ok(Self::Listing {
                        0: ::sitemap_serde::__private::placeholder_of(
                            __entry,
                            "{+0}",
                            __text_0,
                            |__text| <String as ::sitemap_serde::__private::FromPlaceholder<
                                _,
                            >>::from_placeholder(__text),
                        )?,
                        1: ::sitemap_serde::__private::placeholder_of(
                            __entry,
                            "{1}",
                            &::sitemap_serde::__private::decoded(
                                __entry,
                                "{1}",
                                __text_1,
                            )?,
                            |__argument| ::sitemap_serde::__private::Converted::<
                                String,
                                _,
                            >::converted(name(__argument)),
                        )?,
                        2: ::sitemap_serde::__private::placeholder_of(
                            __entry,
                            "{2}",
                            &::sitemap_serde::__private::decoded(
                                __entry,
                                "{2}",
                                __text_2,
                            )?,
                            |__text| <Option<
                                u8,
                            > as ::sitemap_serde::__private::FromPlaceholder<
                                _,
                            >>::from_placeholder(__text),
                        )?,
                    })
                })?
            {
                return ::core::result::Result::Ok(__value);
            }
            if let ::core::option::Option::Some(__value) = __search
                .variant(|| {
                    let __template = ::sitemap_serde::__private::Template {
                        text: "/posts/{slug}",
                        start: "/posts/",
                        values: &[
                            ::sitemap_serde::__private::TemplateValue {
                                written: "{slug}",
                                reserved: false,
                                optional: false,
                                filled: true,
                                signed: false,
                                then: "",
                                of: ::sitemap_serde::__private::ValueOf::Row,
                            },
                        ],
                        cuts: &[],
                    };
                    let [__text_0]: [&::core::primitive::str; 1] = __template
                        .find(__entry)?;
                    ::core::result::Result::Ok(Self::Post {
                        slug: ::sitemap_serde::__private::placeholder_of(
                            __entry,
                            "{slug}",
                            &::sitemap_serde::__private::decoded(
                                __entry,
                                "{slug}",
                                __text_0,
                            )?,
                            |__text| <String as ::sitemap_serde::__private::FromPlaceholder<
                                _,
                            >>::from_placeholder(__text),
                        )?,
                        public: <bool as ::sitemap_serde::__private::FromFlag>::from_flag(
                            true,
                        ),
                    })
                })?
            {
                return ::core::result::Result::Ok(__value);
            }
            ::core::result::Result::Err(
                __search
                    .failed(
                        __entry,
                        "Page",
                        "`About` (`/about`), `Product`, `Listing` (`/{+0}/{1}?page={2}&of={1}`), `Post` (`/posts/{slug}`)",
                    ),
            )
        }
        fn namespaces(
            __add: &mut dyn ::core::ops::FnMut(
                &'static ::core::primitive::str,
                &'static ::core::primitive::str,
            ),
        ) {
            <Product as ::sitemap_serde::FromSitemapEntry>::namespaces(__add);
        }
    }
};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/地図/{id}", base = "https://example.com", encoding = "euc-jp")]
struct Article<P> {
    id: u32,
    #[sitemap(image)]
    photo_url: Option<String>,
    #[sitemap(news, write_with = news, read_with = headline)]
    headline: String,
    #[sitemap(video)]
    films: Vec<Video>,
    #[sitemap(alternate)]
    translations: P,
}

// `SitemapEntry`
const _: () = {
    static __MOUNT: ::sitemap_serde::__private::Mount = ::sitemap_serde::__private::Mount::new(
        ::core::option::Option::Some("https://example.com"),
        {
            use ::sitemap_serde::__private::encoding as __encoding;
            __encoding("EUC-JP")
        },
    );
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl<P> ::sitemap_serde::SitemapEntry for Article<P>
    where
        P: ::sitemap_serde::convert::ToElements<::sitemap_serde::Alternate>,
    {
        fn write_entry(
            &self,
            __entry: &mut ::sitemap_serde::EntryWriter<'_>,
        ) -> ::sitemap_serde::Result<()> {
            ::sitemap_serde::__private::mount(__entry, &__MOUNT);
            __entry
                .loc_template(|__loc| {
                    __loc.literal("/地図/")?;
                    <u32 as ::sitemap_serde::__private::Placeholder<
                        _,
                    >>::simple(&self.id, __loc, "id")?;
                    ::core::result::Result::Ok(())
                })?;
            {
                use ::sitemap_serde::__private::{
                    EachElement as _, Elements as _, NoElements as _,
                };
                (&&&::sitemap_serde::__private::field::<
                    ::sitemap_serde::Image,
                    _,
                >(&self.photo_url))
                    .__elements(__entry)?;
            }
            {
                use ::sitemap_serde::__private::{
                    EachElement as _, Elements as _, NoElements as _,
                };
                (&&&::sitemap_serde::__private::field::<
                    ::sitemap_serde::Video,
                    _,
                >(&self.films))
                    .__elements(__entry)?;
            }
            {
                use ::sitemap_serde::__private::{
                    EachElement as _, Elements as _, NoElements as _,
                };
                (&&&::sitemap_serde::__private::field::<
                    ::sitemap_serde::News,
                    _,
                >(&::sitemap_serde::__private::by_reference(news)(&self.headline)))
                    .__elements(__entry)?;
            }
            {
                use ::sitemap_serde::__private::{
                    EachElement as _, Elements as _, NoElements as _,
                };
                (&&&::sitemap_serde::__private::field::<
                    ::sitemap_serde::Alternate,
                    _,
                >(&self.translations))
                    .__elements(__entry)?;
            }
            ::core::result::Result::Ok(())
        }
    }
};

// `FromSitemapEntry`
const _: () = {
    static __MOUNT: ::sitemap_serde::__private::Mount = ::sitemap_serde::__private::Mount::new(
        ::core::option::Option::Some("https://example.com"),
        {
            use ::sitemap_serde::__private::encoding as __encoding;
            __encoding("EUC-JP")
        },
    );
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl<P> ::sitemap_serde::FromSitemapEntry for Article<P>
    where
        P: ::sitemap_serde::convert::FromElements<::sitemap_serde::Alternate>,
    {
        fn from_entry(
            __entry: &::sitemap_serde::EntryReader<'_>,
        ) -> ::sitemap_serde::Result<Self> {
            let __entry = &::sitemap_serde::__private::mounted(__entry, &__MOUNT);
            let __template = ::sitemap_serde::__private::Template {
                text: "/地図/{id}",
                start: "/地図/",
                values: &[
                    ::sitemap_serde::__private::TemplateValue {
                        written: "{id}",
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
            let [__text_0]: [&::core::primitive::str; 1] = __template.find(__entry)?;
            ::core::result::Result::Ok(Self {
                id: ::sitemap_serde::__private::placeholder_of(
                    __entry,
                    "{id}",
                    &::sitemap_serde::__private::decoded(__entry, "{id}", __text_0)?,
                    |__text| <u32 as ::sitemap_serde::__private::FromPlaceholder<
                        _,
                    >>::from_placeholder(__text),
                )?,
                photo_url: ::sitemap_serde::__private::images_of(
                    __entry,
                    |__value| <Option<
                        String,
                    > as ::sitemap_serde::convert::FromElements<
                        ::sitemap_serde::Image,
                    >>::from_elements(__value),
                )?,
                films: ::sitemap_serde::__private::videos_of(
                    __entry,
                    |__value| <Vec<
                        Video,
                    > as ::sitemap_serde::convert::FromElements<
                        ::sitemap_serde::Video,
                    >>::from_elements(__value),
                )?,
                headline: ::sitemap_serde::__private::news_of(
                    __entry,
                    |__argument| ::sitemap_serde::__private::Converted::<
                        String,
                        _,
                    >::converted(
                        headline(
                            <_ as ::sitemap_serde::convert::FromElements<
                                ::sitemap_serde::News,
                            >>::from_elements(__argument)?,
                        ),
                    ),
                )?,
                translations: ::sitemap_serde::__private::alternates_of(
                    __entry,
                    |__value| <P as ::sitemap_serde::convert::FromElements<
                        ::sitemap_serde::Alternate,
                    >>::from_elements(__value),
                )?,
            })
        }
    }
};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/products/{id}-{slug}", changefreq = "weekly", priority = 0.8)]
struct Product {
    id: i64,
    slug: String,
    #[sitemap(lastmod)]
    updated_at: Option<DateTime<Utc>>,
    #[sitemap(exclude_if)]
    draft: bool,
    stock: u32,
}

// `SitemapEntry`
const _: () = {
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl ::sitemap_serde::SitemapEntry for Product {
        fn is_listed(&self) -> ::core::primitive::bool {
            !<bool as ::sitemap_serde::__private::Flag>::is_set(&self.draft)
        }
        fn columns() -> ::sitemap_serde::convert::Columns {
            ::sitemap_serde::convert::Columns::declared(
                &["updated_at"],
                false,
                0i16,
                &[("draft", false)],
            )
        }
        fn write_entry(
            &self,
            __entry: &mut ::sitemap_serde::EntryWriter<'_>,
        ) -> ::sitemap_serde::Result<()> {
            __entry
                .loc_template(|__loc| {
                    ::sitemap_serde::__private::plain_literal(__loc, "/products/")?;
                    <i64 as ::sitemap_serde::__private::Placeholder<
                        _,
                    >>::simple(&self.id, __loc, "id")?;
                    ::sitemap_serde::__private::plain_literal(__loc, "-")?;
                    <String as ::sitemap_serde::__private::Placeholder<
                        _,
                    >>::simple(&self.slug, __loc, "slug")?;
                    ::core::result::Result::Ok(())
                })?;
            ::sitemap_serde::__private::lastmod(
                __entry,
                <Option<
                    DateTime<Utc>,
                > as ::sitemap_serde::convert::ToLastmod>::to_lastmod(&self.updated_at),
            )?;
            __entry.changefreq(::sitemap_serde::ChangeFreq::Weekly)?;
            ::sitemap_serde::__private::priority_literal(__entry, "0.8")?;
            ::core::result::Result::Ok(())
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
    impl ::sitemap_serde::FromSitemapEntry for Product {
        fn from_entry(
            __entry: &::sitemap_serde::EntryReader<'_>,
        ) -> ::sitemap_serde::Result<Self> {
            let __template = ::sitemap_serde::__private::Template {
                text: "/products/{id}-{slug}",
                start: "/products/",
                values: &[
                    ::sitemap_serde::__private::TemplateValue {
                        written: "{id}",
                        reserved: false,
                        optional: false,
                        filled: false,
                        signed: true,
                        then: "-",
                        of: ::sitemap_serde::__private::ValueOf::Row,
                    },
                    ::sitemap_serde::__private::TemplateValue {
                        written: "{slug}",
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
                ],
            };
            let [__text_0, __text_1]: [&::core::primitive::str; 2] = __template
                .find(__entry)?;
            ::core::result::Result::Ok(Self {
                id: ::sitemap_serde::__private::placeholder_of(
                    __entry,
                    "{id}",
                    &::sitemap_serde::__private::decoded(__entry, "{id}", __text_0)?,
                    |__text| <i64 as ::sitemap_serde::__private::FromPlaceholder<
                        _,
                    >>::from_placeholder(__text),
                )?,
                slug: ::sitemap_serde::__private::placeholder_of(
                    __entry,
                    "{slug}",
                    &::sitemap_serde::__private::decoded(__entry, "{slug}", __text_1)?,
                    |__text| <String as ::sitemap_serde::__private::FromPlaceholder<
                        _,
                    >>::from_placeholder(__text),
                )?,
                updated_at: ::sitemap_serde::__private::lastmod_of(
                    __entry,
                    |__value| <Option<
                        DateTime<Utc>,
                    > as ::sitemap_serde::convert::FromLastmod>::from_lastmod(__value),
                )?,
                draft: <bool as ::sitemap_serde::__private::FromFlag>::from_flag(false),
                stock: <u32 as ::sitemap_serde::__private::Unmapped>::unmapped(),
            })
        }
    }
};

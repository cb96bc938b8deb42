#[derive(SitemapFields, FromSitemapFields)]
#[sitemap(changefreq = "daily")]
struct Product<S> {
    slug: String,
    #[sitemap(lastmod, precision = "second")]
    updated_at: Option<DateTime<Utc>>,
    #[sitemap(flatten)]
    seller: S,
}

// `SitemapFields`
const _: () = {
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl<S> ::sitemap_serde::SitemapFields for Product<S>
    where
        S: ::sitemap_serde::SitemapFields,
    {
        const GIVES: ::sitemap_serde::__private::Gives = ::sitemap_serde::__private::Gives::UNKNOWN
            .and(::sitemap_serde::__private::Gives::LASTMOD)
            .and(::sitemap_serde::__private::Gives::CHANGEFREQ)
            .and(<S as ::sitemap_serde::SitemapFields>::GIVES);
        fn write_fields(
            &self,
            __entry: &mut ::sitemap_serde::EntryWriter<'_>,
        ) -> ::sitemap_serde::Result<()> {
            ::sitemap_serde::__private::lastmod_to(
                __entry,
                <Option<
                    DateTime<Utc>,
                > as ::sitemap_serde::convert::ToLastmod>::to_lastmod(&self.updated_at),
                ::sitemap_serde::Precision::Second,
            )?;
            __entry.changefreq(::sitemap_serde::ChangeFreq::Daily)?;
            const {
                ::core::assert!(
                    ! (< S as ::sitemap_serde::SitemapFields > ::GIVES
                    .has(::sitemap_serde::__private::Gives::LASTMOD)),
                    "`lastmod` is given twice, by the row itself and by the flattened `seller`, and an entry has it once (P-DUP); keep one of them"
                );
                ::core::assert!(
                    ! (< S as ::sitemap_serde::SitemapFields > ::GIVES
                    .has(::sitemap_serde::__private::Gives::CHANGEFREQ)),
                    "`changefreq` is given twice, by the row itself and by the flattened `seller`, and an entry has it once (P-DUP); keep one of them"
                );
            }
            <S as ::sitemap_serde::SitemapFields>::write_fields(&self.seller, __entry)?;
            ::core::result::Result::Ok(())
        }
        fn page_title(
            &self,
        ) -> ::core::option::Option<::sitemap_serde::__private::String> {
            <S as ::sitemap_serde::SitemapFields>::page_title(&self.seller)
        }
    }
};

// `FromSitemapFields`
const _: () = {
    #[automatically_derived]
    #[allow(
        deprecated,
        unused_qualifications,
        clippy::absolute_paths,
        clippy::trait_duplication_in_bounds,
        clippy::type_repetition_in_bounds
    )]
    impl<S> ::sitemap_serde::FromSitemapFields for Product<S>
    where
        S: ::sitemap_serde::FromSitemapFields,
    {
        const READS: ::sitemap_serde::__private::Gives = ::sitemap_serde::__private::Gives::UNKNOWN
            .and(::sitemap_serde::__private::Gives::LASTMOD)
            .and(<S as ::sitemap_serde::FromSitemapFields>::READS);
        fn from_fields(
            __entry: &::sitemap_serde::EntryReader<'_>,
        ) -> ::sitemap_serde::Result<Self> {
            const {
                ::core::assert!(
                    ! (< S as ::sitemap_serde::FromSitemapFields > ::READS
                    .has(::sitemap_serde::__private::Gives::LASTMOD)),
                    "`lastmod` is read twice, by the row itself and by the flattened `seller`, and an entry does not say which of the two its own belongs to; keep one of them"
                );
            }
            ::core::result::Result::Ok(Self {
                seller: <S as ::sitemap_serde::FromSitemapFields>::from_fields(__entry)?,
                updated_at: ::sitemap_serde::__private::coarse_lastmod_of(
                    __entry,
                    |__value| <Option<
                        DateTime<Utc>,
                    > as ::sitemap_serde::convert::FromLastmod>::from_lastmod(__value),
                )?,
                slug: <String as ::sitemap_serde::__private::Unmapped>::unmapped(),
            })
        }
        fn namespaces(
            __add: &mut dyn ::core::ops::FnMut(
                &'static ::core::primitive::str,
                &'static ::core::primitive::str,
            ),
        ) {
            <S as ::sitemap_serde::FromSitemapFields>::namespaces(__add);
        }
        fn has_fields(
            __entry: &::sitemap_serde::EntryReader<'_>,
        ) -> ::core::primitive::bool {
            ::sitemap_serde::__private::has_any(
                __entry,
                <Self as ::sitemap_serde::FromSitemapFields>::READS,
            )
        }
    }
};

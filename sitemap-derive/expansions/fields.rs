#[derive(SitemapFields)]
#[sitemap(changefreq = "daily")]
struct Product<S> {
    slug: String,
    #[sitemap(lastmod, precision = "second")]
    updated_at: Option<DateTime<Utc>>,
    #[sitemap(flatten)]
    seller: S,
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
            __entry: &mut ::sitemap_serde::convert::EntryWriter<'_>,
        ) -> ::sitemap_serde::Result<()> {
            ::sitemap_serde::__private::lastmod_to(
                __entry,
                <Option<
                    DateTime<Utc>,
                > as ::sitemap_serde::convert::ToLastmod>::to_lastmod(&self.updated_at),
                ::sitemap_serde::convert::Precision::Second,
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
    }
};

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(crate = facade::sitemaps, include_if = Self::is_shown)]
struct Page<'a, L, N: Clone>
where
    L: AsRef<str>,
{
    #[sitemap(loc, write_with = whole, read_with = path)]
    url: L,
    #[sitemap(lastmod, zone = "+09:00")]
    changed: N,
    #[sitemap(changefreq, default = "monthly")]
    often: Option<Often>,
    #[sitemap(priority, default = LOW)]
    boost: Option<f32>,
    #[sitemap(exclude_if = str::is_empty)]
    title: Cow<'a, str>,
}

// `SitemapEntry`
const _: () = {
    const _: () = match LOW {
        __value => {
            ::core::assert!(
                __value >= 0.0 && __value <= 1.0,
                "`LOW` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO)"
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
    impl<'a, L, N: Clone> facade::sitemaps::SitemapEntry for Page<'a, L, N>
    where
        L: AsRef<str>,
        N: facade::sitemaps::__private::NaiveLastmod,
    {
        fn is_listed(&self) -> ::core::primitive::bool {
            facade::sitemaps::__private::by_reference(Self::is_shown)(self)
                && !facade::sitemaps::__private::by_reference(str::is_empty)(&self.title)
        }
        fn columns() -> facade::sitemaps::convert::Columns {
            facade::sitemaps::convert::Columns::declared(
                &["changed"],
                false,
                540i16,
                &[],
            )
        }
        fn write_entry(
            &self,
            __entry: &mut facade::sitemaps::EntryWriter<'_>,
        ) -> facade::sitemaps::Result<()> {
            __entry
                .loc(
                    facade::sitemaps::convert::AsLoc::as_loc(
                        &facade::sitemaps::__private::by_reference(whole)(&self.url),
                    ),
                )?;
            facade::sitemaps::__private::lastmod(
                __entry,
                <N as facade::sitemaps::__private::NaiveLastmod>::with_offset_minutes(
                    &self.changed,
                    540i16,
                ),
            )?;
            facade::sitemaps::__private::changefreq_or(
                __entry,
                <Option<
                    Often,
                > as facade::sitemaps::convert::ToChangeFreq>::to_changefreq(
                    &self.often,
                ),
                facade::sitemaps::ChangeFreq::Monthly,
            )?;
            facade::sitemaps::__private::priority_or(
                __entry,
                <Option<
                    f32,
                > as facade::sitemaps::convert::ToPriority>::to_priority(&self.boost),
                |__entry| __entry.priority(LOW),
            )?;
            ::core::result::Result::Ok(())
        }
    }
};

// `FromSitemapEntry`
const _: () = {
    const _: () = match LOW {
        __value => {
            ::core::assert!(
                __value >= 0.0 && __value <= 1.0,
                "`LOW` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO)"
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
    impl<'a, L, N: Clone> facade::sitemaps::FromSitemapEntry for Page<'a, L, N>
    where
        L: AsRef<str>,
        N: facade::sitemaps::__private::FromNaiveLastmod,
    {
        fn from_entry(
            __entry: &facade::sitemaps::EntryReader<'_>,
        ) -> facade::sitemaps::Result<Self> {
            ::core::result::Result::Ok(Self {
                url: facade::sitemaps::__private::loc_of(
                    __entry,
                    |__argument| facade::sitemaps::__private::Converted::<
                        L,
                        _,
                    >::converted(path(__argument)),
                )?,
                changed: facade::sitemaps::__private::lastmod_of(
                    __entry,
                    |__value| <N as facade::sitemaps::__private::FromNaiveLastmod>::from_lastmod_at(
                        __value,
                        540i16,
                    ),
                )?,
                often: facade::sitemaps::__private::changefreq_of(
                    __entry,
                    ::core::option::Option::Some(facade::sitemaps::ChangeFreq::Monthly),
                    |__value| <Option<
                        Often,
                    > as facade::sitemaps::convert::FromChangeFreq>::from_changefreq(
                        __value,
                    ),
                )?,
                boost: facade::sitemaps::__private::priority_of(
                    __entry,
                    facade::sitemaps::convert::ToPriority::to_priority(&LOW),
                    |__value| <Option<
                        f32,
                    > as facade::sitemaps::convert::FromPriority>::from_priority(__value),
                )?,
                title: <Cow<
                    'a,
                    str,
                > as facade::sitemaps::__private::Unmapped>::unmapped(),
            })
        }
    }
};

//! The queries for a table: `sitemap_diesel`'s, awaited.

/// The rows of a table as entries of a section: a [`Source`](sitemap_site::Source).
///
/// | argument | value |
/// |---|---|
/// | `table` | the table, such as `products::table` |
/// | `key` | columns that are unique together and not null, in the order of an index |
/// | `row` | a type that derives `Selectable`, `Queryable` and `SitemapEntry` |
/// | `connect` | a closure that returns a future of a connection: a new one, or one from a pool |
/// | `filter` | a condition for the rows to list, required if the type has a bool with `exclude_if` or `include_if`; several are combined by AND |
/// | `lastmod` | required if the type names its lastmod: the column with a row's lastmod, or an expression of several columns, and a closure that converts its value to a lastmod, which gives the index the newest lastmod of each part, or none if a row of the part has NULL; or `none`, which leaves the index without lastmods |
///
/// The arguments may be in any order. The documentation of the [crate](crate) has an example.
#[macro_export]
macro_rules! rows {
    ($($arguments:tt)*) => {
        $crate::__private::sitemap_diesel::__arguments! { ($crate::__rows) $($arguments)* }
    };
}

/// [`rows!`] with its arguments in order.
#[doc(hidden)]
#[macro_export]
macro_rules! __rows {
    (
        table = $table:tt, key = $key:tt, row = $row:tt, connect = $connect:tt, filter = $filter:tt, lastmod = [none]
    ) => {
        $crate::__rows! {
            table = $table, key = $key, row = $row, connect = $connect, filter = $filter, lastmod = [], said = [none]
        }
    };
    (
        table = [$table:path],
        key = [$($key:path),+],
        row = [$row:ty],
        connect = [$connect:expr],
        filter = [$($filter:expr)?],
        lastmod = [$($lastmod:expr => $convert:expr)?]
        $(, said = [$said:tt])?
    ) => {{
        // No local names, which could shadow names in the given expressions.
        use $crate::__private::diesel::{self, ExpressionMethods as _, QueryDsl as _};
        use $crate::__private::{diesel_async::RunQueryDsl as __Load, sitemap_diesel};

        $crate::Rows::new(
            sitemap_diesel::__private::Declared::of::<$row>(
                sitemap_diesel::__private::is_given(::core::stringify!($($filter)?)),
                sitemap_diesel::__private::is_given(::core::stringify!($($lastmod)? $($said)?)),
            ),
            $connect,
            move |connection, span, limit, revision| ::std::boxed::Box::pin(async move {
                sitemap_diesel::__page!($table, ($($key),+), [$($filter)?], $row, span, limit, revision, connection, .await)
            }),
            move |connection, span, limit, revision| ::std::boxed::Box::pin(async move {
                sitemap_diesel::__keys!($table, ($($key),+), [$($filter)?], span, limit, revision, connection, .await)
            }),
            move |connection, span, limit, revision| ::std::boxed::Box::pin(async move {
                sitemap_diesel::__step!(
                    $table, ($($key),+), [$($filter)?], [$($lastmod => $convert)?], span, limit, revision, connection, .await
                )
            }),
            move |connection, limit, revision| ::std::boxed::Box::pin(async move {
                sitemap_diesel::__latest!(
                    $table, ($($key),+), [$($filter)?], [$($lastmod => $convert)?], limit, revision, connection, .await
                )
            }),
            move |connection, span, revision| ::std::boxed::Box::pin(async move {
                sitemap_diesel::__count!($table, ($($key),+), [$($filter)?], span, revision, connection, .await)
            }),
            sitemap_diesel::__columns!($($key),+),
        )
    }};
}

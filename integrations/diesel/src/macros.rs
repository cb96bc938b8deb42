//! The queries of a table, which are the same for every one: only a macro can write them without saying all of Diesel's bounds.

/// The rows of a table as entries of a section: a [`BlockingSource`](sitemap_site::source::BlockingSource).
///
/// | given | what |
/// |---|---|
/// | `table` | the table, such as `products::table` |
/// | `key` | columns that are unique together and not null, in the order of an index |
/// | `row` | a type that derives `Selectable`, `Queryable` and `SitemapEntry` |
/// | `connect` | a closure that gives a connection: a new one, or one of a pool |
/// | `filter` | the rows that are listed; may be left out, as all that follows |
/// | `lastmod` | the column with a row's lastmod, and a closure from what it loads as to a lastmod, so that the index can say when a part was last changed before it is rendered |
///
/// They are given in this order. The [crate](crate) has an example.
#[macro_export]
macro_rules! rows {
    (
        table = $table:path,
        key = ($($key:path),+ $(,)?),
        row = $row:ty,
        connect = $connect:expr
        $(, filter = $filter:expr)?
        $(, lastmod = $lastmod:path => $convert:expr)?
        $(,)?
    ) => {{
        // Without names, which would hide what the expressions that were given mean by the same ones.
        use $crate::__private::diesel::{self, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as __Load};

        $crate::Rows::new(
            $connect,
            move |connection, span, limit| {
                let rows = $crate::__within!(
                    $table, ($($key),+), [$($filter)?], (<$row as diesel::SelectableHelper<_>>::as_select(), ($($key,)+)), span, limit
                );
                let rows = __Load::load::<($row, $crate::__values!($($key),+))>(rows, connection)?;
                Ok(rows.into_iter().map(|(row, key)| ($crate::__key!(key, $($key),+), row)).collect())
            },
            move |connection, span, limit| {
                let keys = $crate::__within!($table, ($($key),+), [$($filter)?], ($($key,)+), span, limit);
                let keys = __Load::load::<$crate::__values!($($key),+)>(keys, connection)?;
                Ok(keys.into_iter().map(|key| $crate::__key!(key, $($key),+)).collect())
            },
            move |connection, span, limit| $crate::__step!(
                $table, ($($key),+), [$($filter)?], [$($lastmod => $convert)?], span, limit, connection
            ),
        )
    }};
}

/// The lastmods of a range. `__Load` is the trait that loads, in the scope of who calls; after the connection stands `.await` where that
/// gives a future.
#[doc(hidden)]
#[macro_export]
macro_rules! __step {
    ($table:path, $keys:tt, $filter:tt, [], $span:ident, $limit:ident, $connection:ident $(, $($await:tt)+)?) => {
        $crate::__step!(@none $table, $keys, $filter, $span, $limit, $connection $(, $($await)+)?)
    };
    (@none $table:path, ($($key:path),+), $filter:tt, $span:ident, $limit:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let keys = $crate::__within!($table, ($($key),+), $filter, ($($key,)+), $span, $limit);
        let keys = __Load::load::<$crate::__values!($($key),+)>(keys, $connection)$($($await)+)??;
        Ok(keys.into_iter().map(|key| ($crate::__key!(key, $($key),+), None)).collect())
    }};
    ($table:path, ($($key:path),+), $filter:tt, [$lastmod:path => $convert:expr], $span:ident, $limit:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let convert = $convert;
        let rows = $crate::__within!($table, ($($key),+), $filter, ($lastmod, ($($key,)+)), $span, $limit);
        let rows = __Load::load::<(_, $crate::__values!($($key),+))>(rows, $connection)$($($await)+)??;
        let rows = rows.into_iter().map(|(lastmod, key)| {
            let lastmod = $crate::__private::ToLastmod::to_lastmod(&convert(lastmod));
            ($crate::__key!(key, $($key),+), lastmod.ok().flatten())
        });
        Ok(rows.collect())
    }};
}

/// What a key loads as.
#[doc(hidden)]
#[macro_export]
macro_rules! __values {
    ($($key:path),+) => {
        ($(<$crate::__private::diesel::dsl::SqlTypeOf<$key> as $crate::KeyType>::Value,)+)
    };
}

/// A key of what it loads as.
#[doc(hidden)]
#[macro_export]
macro_rules! __key {
    ($values:ident, $one:path) => {
        $crate::__private::Key::composite([$crate::__into!($values.0, $one)])
    };
    ($values:ident, $one:path, $two:path) => {
        $crate::__private::Key::composite([
            $crate::__into!($values.0, $one),
            $crate::__into!($values.1, $two),
        ])
    };
    ($values:ident, $one:path, $two:path, $three:path) => {
        $crate::__private::Key::composite([
            $crate::__into!($values.0, $one),
            $crate::__into!($values.1, $two),
            $crate::__into!($values.2, $three),
        ])
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __into {
    ($value:expr, $key:path) => {
        <$crate::__private::diesel::dsl::SqlTypeOf<$key> as $crate::KeyType>::into_key($value)
    };
}

/// The query of a range.
#[doc(hidden)]
#[macro_export]
macro_rules! __within {
    ($table:path, ($($key:path),+), [$($filter:expr)?], $select:expr, $span:ident, $limit:ident) => {{
        let mut query = $table.select($select).order(($($key,)+)).limit($limit).into_boxed();
        $(query = query.filter($filter);)?
        if let Some(after) = &$span.after {
            query = query.filter($crate::__bound!(after, gt, ">", $($key),+));
        }
        if let Some(to) = &$span.to {
            query = query.filter($crate::__bound!(to, le, "<=", $($key),+));
        }
        query
    }};
}

/// The condition of one end of a range. One column is compared as in every database, several by row values.
#[doc(hidden)]
#[macro_export]
macro_rules! __bound {
    ($bound:ident, $method:ident, $operator:literal, $key:path) => {{
        let [value] = $bound.values() else {
            return Err($crate::__private::WrongKey.into());
        };
        let value = <$crate::__private::diesel::dsl::SqlTypeOf<$key> as $crate::KeyType>::from_key(value);
        $key.$method(value.ok_or($crate::__private::WrongKey)?)
    }};
    ($bound:ident, $method:ident, $operator:literal, $($key:path),+) => {{
        use $crate::__private::diesel;

        let mut columns = [$(<$key as diesel::Column>::NAME),+].len();
        if $bound.values().len() != columns {
            return Err($crate::__private::WrongKey.into());
        }
        let mut values = $bound.values().iter();
        diesel::dsl::sql::<diesel::sql_types::Bool>("(")
            $(
                // Quoted as the database does it.
                .bind::<diesel::dsl::SqlTypeOf<$key>, _>($key)
                .sql({
                    columns -= 1;
                    if columns == 0 { concat!(") ", $operator, " (") } else { ", " }
                })
            )+
            $(
                .bind::<diesel::dsl::SqlTypeOf<$key>, _>({
                    let value = values.next().and_then(<diesel::dsl::SqlTypeOf<$key> as $crate::KeyType>::from_key);
                    value.ok_or($crate::__private::WrongKey)?
                })
                .sql(if values.len() == 0 { ")" } else { ", " })
            )+
    }};
}

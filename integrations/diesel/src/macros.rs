//! The queries for a table. A macro generates them, since generic functions would need to repeat all of Diesel's bounds.

/// The rows of a table as entries of a section: a [`BlockingSource`](sitemap_site::source::BlockingSource).
///
/// | argument | value |
/// |---|---|
/// | `table` | the table, such as `products::table` |
/// | `key` | columns that are unique together and not null, in the order of an index |
/// | `row` | a type that derives `Selectable`, `Queryable` and `SitemapEntry` |
/// | `connect` | a closure that returns a connection: a new one, or one from a pool |
/// | `filter` | a condition for the rows to list, required if the type has a bool with `exclude_if` or `include_if`; several are combined by AND |
/// | `lastmod` | required if the type names its lastmod: the column with a row's lastmod, or an expression of several columns, and a closure that converts its value to a lastmod, which gives the index the newest lastmod of each part, or none if a row of the part has NULL; or `none`, which leaves the index without lastmods |
///
/// The arguments may be in any order. The documentation of the [crate](crate) has an example.
#[macro_export]
macro_rules! rows {
    ($($arguments:tt)*) => {
        $crate::__arguments! { ($crate::__rows) $($arguments)* }
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
        use $crate::__private::diesel::{self, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as __Load};

        $crate::Rows::new(
            $crate::__private::Declared::of::<$row>(
                $crate::__private::is_given(::core::stringify!($($filter)?)),
                $crate::__private::is_given(::core::stringify!($($lastmod)? $($said)?)),
            ),
            $connect,
            move |connection, span, limit, revision| $crate::__page!(
                $table, ($($key),+), [$($filter)?], $row, span, limit, revision, connection
            ),
            move |connection, span, limit, revision| $crate::__keys!(
                $table, ($($key),+), [$($filter)?], span, limit, revision, connection
            ),
            move |connection, span, limit, revision| $crate::__step!(
                $table, ($($key),+), [$($filter)?], [$($lastmod => $convert)?], span, limit, revision, connection
            ),
            move |connection, limit, revision| $crate::__latest!(
                $table, ($($key),+), [$($filter)?], [$($lastmod => $convert)?], limit, revision, connection
            ),
            move |connection, span, revision| $crate::__count!(
                $table, ($($key),+), [$($filter)?], span, revision, connection
            ),
            $crate::__columns!($($key),+),
        )
    }};
}

/// Puts the arguments of [`rows!`] in order, and passes them to another macro.
#[doc(hidden)]
#[macro_export]
macro_rules! __arguments {
    // Each argument goes into its brackets.
    (@next $then:tt [ [] $key:tt $row:tt $connect:tt $filter:tt $lastmod:tt] table = $value:path $(, $($rest:tt)*)?) => {
        $crate::__arguments! { @next $then [ [$value] $key $row $connect $filter $lastmod] $($($rest)*)? }
    };
    (@next $then:tt [$table:tt [] $row:tt $connect:tt $filter:tt $lastmod:tt] key = ($($value:path),+ $(,)?) $(, $($rest:tt)*)?) => {
        $crate::__arguments! { @next $then [$table [$($value),+] $row $connect $filter $lastmod] $($($rest)*)? }
    };
    (@next $then:tt [$table:tt $key:tt [] $connect:tt $filter:tt $lastmod:tt] row = $value:ty $(, $($rest:tt)*)?) => {
        $crate::__arguments! { @next $then [$table $key [$value] $connect $filter $lastmod] $($($rest)*)? }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt [] $filter:tt $lastmod:tt] connect = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__arguments! { @next $then [$table $key $row [$value] $filter $lastmod] $($($rest)*)? }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt $connect:tt [] $lastmod:tt] filter = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__arguments! { @next $then [$table $key $row $connect [$value] $lastmod] $($($rest)*)? }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt $connect:tt [$($found:tt)+] $lastmod:tt] filter = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__arguments! {
            @next $then [$table $key $row $connect [$crate::__private::diesel::BoolExpressionMethods::and($($found)+, $value)] $lastmod] $($($rest)*)?
        }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt $connect:tt $filter:tt []] lastmod = none $(, $($rest:tt)*)?) => {
        $crate::__arguments! { @next $then [$table $key $row $connect $filter [none]] $($($rest)*)? }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt $connect:tt $filter:tt []] lastmod = $value:expr => $convert:expr $(, $($rest:tt)*)?) => {
        $crate::__arguments! { @next $then [$table $key $row $connect $filter [$value => $convert]] $($($rest)*)? }
    };
    (@next ($($then:tt)+) [[$($table:tt)+] [$($key:tt)+] [$($row:tt)+] [$($connect:tt)+] $filter:tt $lastmod:tt]) => {
        $($then)+! {
            table = [$($table)+], key = [$($key)+], row = [$($row)+], connect = [$($connect)+], filter = $filter, lastmod = $lastmod
        }
    };
    // Mistakes.
    (@next $then:tt [[$($found:tt)+] $key:tt $row:tt $connect:tt $filter:tt $lastmod:tt] table = $($rest:tt)*) => {
        $crate::__mistake! { $then "`table` is written once, as in `table = products::table`" }
    };
    (@next $then:tt [$table:tt [$($found:tt)+] $row:tt $connect:tt $filter:tt $lastmod:tt] key = $($rest:tt)*) => {
        $crate::__mistake! { $then "`key` is written once, as in `key = (products::id)`" }
    };
    (@next $then:tt [$table:tt $key:tt [$($found:tt)+] $connect:tt $filter:tt $lastmod:tt] row = $($rest:tt)*) => {
        $crate::__mistake! { $then "`row` is written once, as in `row = Product`" }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt [$($found:tt)+] $filter:tt $lastmod:tt] connect = $($rest:tt)*) => {
        $crate::__mistake! { $then "`connect` is written once, as in `connect = || pool.get()`" }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt $connect:tt $filter:tt [$($found:tt)+]] lastmod = $($rest:tt)*) => {
        $crate::__mistake! { $then "`lastmod` is written once, as in `lastmod = products::updated_at => |at: Option<DateTime<Utc>>| at`" }
    };
    (@next $then:tt [$table:tt [] $row:tt $connect:tt $filter:tt $lastmod:tt] key = ($($value:tt)*) $(, $($rest:tt)*)?) => {
        $crate::__mistake! {
            $then "`key` takes the paths of columns in parentheses, as in `key = (products::id)` or `key = (products::shop, products::id)`, found \
                   `(", ::core::stringify!($($value)*), ")`"
        }
    };
    (@next $then:tt [$table:tt [] $row:tt $connect:tt $filter:tt $lastmod:tt] key = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__mistake! {
            $then "the columns of `key` stand in parentheses: write `key = (", ::core::stringify!($value), ")`"
        }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt $connect:tt $filter:tt []] lastmod = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__mistake! {
            $then "`lastmod` has no closure that converts the loaded value to a lastmod: write `lastmod = ", ::core::stringify!($value),
            " => |at: Option<NaiveDateTime>| at.map(|at| at.and_utc())`, with the type that the value is loaded as"
        }
    };
    (@next $then:tt [[] $key:tt $row:tt $connect:tt $filter:tt $lastmod:tt] table = $($rest:tt)*) => {
        $crate::__mistake! {
            $then "`table` takes the path of a table, as in `table = products::table`, and a comma before the next argument; found `", ::core::stringify!($($rest)*), "`"
        }
    };
    (@next $then:tt [$table:tt [] $row:tt $connect:tt $filter:tt $lastmod:tt] key = $($rest:tt)*) => {
        $crate::__mistake! {
            $then "`key` takes the paths of columns in parentheses, as in `key = (products::id)`, and a comma before the next argument; found `", ::core::stringify!($($rest)*), "`"
        }
    };
    (@next $then:tt [$table:tt $key:tt [] $connect:tt $filter:tt $lastmod:tt] row = $($rest:tt)*) => {
        $crate::__mistake! {
            $then "`row` takes a type, as in `row = Product`, and a comma before the next argument; found `", ::core::stringify!($($rest)*), "`"
        }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt [] $filter:tt $lastmod:tt] connect = $($rest:tt)*) => {
        $crate::__mistake! {
            $then "`connect` takes a closure that returns a connection, as in `connect = || pool.get()`, and a comma before the next argument; found `", ::core::stringify!($($rest)*), "`"
        }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt $connect:tt $filter:tt $lastmod:tt] filter = $($rest:tt)*) => {
        $crate::__mistake! {
            $then "`filter` takes a condition, as in `filter = products::draft.eq(false)`, and a comma before the next argument; found `", ::core::stringify!($($rest)*), "`"
        }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt $connect:tt $filter:tt []] lastmod = $($rest:tt)*) => {
        $crate::__mistake! {
            $then "`lastmod` takes a column or expression, `=>` and a closure that converts its value, as in `lastmod = products::updated_at => |at: Option<DateTime<Utc>>| at`, and a comma before the next argument; found `", ::core::stringify!($($rest)*), "`"
        }
    };
    (@next $then:tt $found:tt $($rest:tt)+) => {
        $crate::__mistake! {
            $then "expected `table = …`, `key = (…)`, `row = …`, `connect = …`, `filter = …` or `lastmod = … => …`, found `",
            ::core::stringify!($($rest)+), "`"
        }
    };
    (@next $then:tt [ [] $key:tt $row:tt $connect:tt $filter:tt $lastmod:tt]) => {
        $crate::__mistake! { $then "`table` is missing: write `table = products::table`" }
    };
    (@next $then:tt [$table:tt [] $row:tt $connect:tt $filter:tt $lastmod:tt]) => {
        $crate::__mistake! { $then "`key` is missing: write `key = (products::id)`" }
    };
    (@next $then:tt [$table:tt $key:tt [] $connect:tt $filter:tt $lastmod:tt]) => {
        $crate::__mistake! { $then "`row` is missing: write `row = Product`" }
    };
    (@next $then:tt [$table:tt $key:tt $row:tt [] $filter:tt $lastmod:tt]) => {
        $crate::__mistake! { $then "`connect` is missing: write `connect = || pool.get()`" }
    };
    ($then:tt $($arguments:tt)*) => {
        $crate::__arguments! { @next $then [[] [] [] [] [] []] $($arguments)* }
    };
}

/// Reports a mistake in the arguments of [`rows!`]: as an error, or in a test as its text.
#[doc(hidden)]
#[macro_export]
macro_rules! __mistake {
    ((@text) $($message:tt)*) => {
        ::core::concat!($($message)*)
    };
    ($then:tt $($message:tt)*) => {
        ::core::compile_error!(::core::concat!($($message)*))
    };
}

/// The rows of a range, with their keys. `__Load` is the loading trait in the caller's scope; for an asynchronous connection, `.await`
/// follows the query.
#[doc(hidden)]
#[macro_export]
macro_rules! __page {
    ($table:path, ($($key:path),+), $filter:tt, $row:ty, $span:ident, $limit:ident, $revision:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let select = (<$row as $crate::__private::diesel::SelectableHelper<_>>::as_select(), ($($key,)+));
        let rows = $crate::__within!($table, ($($key),+), $filter, select, $span, $limit, $revision);
        let rows = __Load::load::<($row, $crate::__values!($($key),+))>(rows, $connection)$($($await)+)??;
        Ok(rows.into_iter().map(|(row, key)| ($crate::__key!(key, $($key),+), row)).collect())
    }};
}

/// The keys of a range; see [`__page!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __keys {
    ($table:path, ($($key:path),+), $filter:tt, $span:ident, $limit:ident, $revision:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let keys = $crate::__within!($table, ($($key),+), $filter, ($($key,)+), $span, $limit, $revision);
        let keys = __Load::load::<$crate::__values!($($key),+)>(keys, $connection)$($($await)+)??;
        Ok(keys.into_iter().map(|key| $crate::__key!(key, $($key),+)).collect())
    }};
}

/// The keys and lastmods of a range; see [`__page!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __step {
    ($table:path, ($($key:path),+), $filter:tt, [], $span:ident, $limit:ident, $revision:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let keys = $crate::__within!($table, ($($key),+), $filter, ($($key,)+), $span, $limit, $revision);
        let keys = __Load::load::<$crate::__values!($($key),+)>(keys, $connection)$($($await)+)??;
        Ok(keys.into_iter().map(|key| ($crate::__key!(key, $($key),+), ::core::result::Result::Ok(None))).collect())
    }};
    ($table:path, ($($key:path),+), $filter:tt, [$lastmod:expr => $convert:expr], $span:ident, $limit:ident, $revision:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let rows = $crate::__within!($table, ($($key),+), $filter, ($lastmod, ($($key,)+)), $span, $limit, $revision);
        let rows = __Load::load::<(_, $crate::__values!($($key),+))>(rows, $connection)$($($await)+)??;
        Ok($crate::__dated!(rows, ($($key),+), $convert))
    }};
}

/// The rows with the newest lastmods; see [`__step!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __latest {
    ($table:path, $keys:tt, $filter:tt, [], $limit:ident, $revision:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let _ = ($limit, $revision, $connection);
        Ok(::core::option::Option::None)
    }};
    ($table:path, ($($key:path),+), [$($filter:expr)?], [$lastmod:expr => $convert:expr], $limit:ident, $revision:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let rows = $table.select(($lastmod, ($($key,)+))).filter($lastmod.is_not_null()).order($lastmod.desc());
        let mut rows = rows.limit($limit).into_boxed();
        $(rows = rows.filter($filter);)?
        if $revision > 0 {
            rows = rows.filter($crate::__private::Revision::new($revision));
        }
        let rows = __Load::load::<(_, $crate::__values!($($key),+))>(rows, $connection)$($($await)+)??;
        Ok(::core::option::Option::Some($crate::__dated!(rows, ($($key),+), $convert)))
    }};
}

/// The number of rows of a range; see [`__page!`].
#[doc(hidden)]
#[macro_export]
macro_rules! __count {
    ($table:path, ($($key:path),+), $filter:tt, $span:ident, $revision:ident, $connection:ident $(, $($await:tt)+)?) => {{
        let query = $table.select($crate::__private::diesel::dsl::count_star()).into_boxed();
        let query = $crate::__conditions!(query, ($($key),+), $filter, $span, $revision);
        let found = __Load::load::<i64>(query, $connection)$($($await)+)??;
        Ok(found.into_iter().next().and_then(|number| u64::try_from(number).ok()))
    }};
}

/// The names and types of the columns of a key.
#[doc(hidden)]
#[macro_export]
macro_rules! __columns {
    ($($key:path),+) => {
        ::std::vec![$((
            ::std::string::String::from(<$key as $crate::__private::diesel::Column>::NAME),
            ::std::string::String::from($crate::__private::type_name::<$crate::__private::diesel::dsl::SqlTypeOf<$key>>()),
        )),+]
    };
}

/// The keys and lastmods of loaded rows.
#[doc(hidden)]
#[macro_export]
macro_rules! __dated {
    ($rows:ident, ($($key:path),+), $convert:expr) => {{
        let convert = $convert;
        let rows = $rows.into_iter().map(|(lastmod, key)| {
            let lastmod = $crate::__private::ToLastmod::to_lastmod(&convert(lastmod));
            ($crate::__key!(key, $($key),+), lastmod.map_err(::core::convert::Into::into))
        });
        rows.collect()
    }};
}

/// The Rust type that a key loads as.
#[doc(hidden)]
#[macro_export]
macro_rules! __values {
    ($($key:path),+) => {
        ($(<$crate::__private::diesel::dsl::SqlTypeOf<$key> as $crate::KeyType>::Value,)+)
    };
}

/// Makes a key from the loaded values.
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
    ($table:path, ($($key:path),+), $filter:tt, $select:expr, $span:ident, $limit:ident, $revision:ident) => {{
        let query = $table.select($select).order(($($key,)+)).limit($limit).into_boxed();
        $crate::__conditions!(query, ($($key),+), $filter, $span, $revision)
    }};
}

/// Adds the conditions of a range to a query.
#[doc(hidden)]
#[macro_export]
macro_rules! __conditions {
    ($query:ident, ($($key:path),+), [$($filter:expr)?], $span:ident, $revision:ident) => {{
        let mut query = $query;
        $(query = query.filter($filter);)?
        if let Some(after) = &$span.after {
            query = query.filter($crate::__bound!(after, gt, ">", $($key),+));
        }
        if let Some(to) = &$span.to {
            query = query.filter($crate::__bound!(to, le, "<=", $($key),+));
        }
        if $revision > 0 {
            query = query.filter($crate::__private::Revision::new($revision));
        }
        query
    }};
}

/// The condition for one end of a range. A single column is compared directly, several columns as row values.
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

#[cfg(test)]
mod tests {
    /// The message for these arguments.
    macro_rules! mistake {
        ($($arguments:tt)*) => {
            __arguments! { (@text) $($arguments)* }
        };
    }

    #[test]
    fn mistakes_in_the_arguments() {
        for (found, expected) in [
            (mistake!(), "`table` is missing: write `table = products::table`"),
            (
                mistake!(table = products::table),
                "`key` is missing: write `key = (products::id)`",
            ),
            (
                mistake!(table = products::table, key = (products::id)),
                "`row` is missing: write `row = Product`",
            ),
            (
                mistake!(table = products::table, row = Product, key = (products::id),),
                "`connect` is missing: write `connect = || pool.get()`",
            ),
            (
                mistake!(key = products::id, row = Product),
                "the columns of `key` stand in parentheses: write `key = (products::id)`",
            ),
            (
                mistake!(table = products::table, key = "id"),
                "the columns of `key` stand in parentheses: write `key = (\"id\")`",
            ),
            (
                mistake!(key = ()),
                "`key` takes the paths of columns in parentheses, as in `key = (products::id)` or `key = (products::shop, products::id)`, \
                 found `()`",
            ),
            (
                mistake!(key = (products::id.desc()), row = Product),
                "`key` takes the paths of columns in parentheses, as in `key = (products::id)` or `key = (products::shop, products::id)`, \
                 found `(products::id.desc())`",
            ),
            (
                mistake!(key = (products::id) row = Product),
                "`key` takes the paths of columns in parentheses, as in `key = (products::id)`, and a comma before the next argument; found \
                 `(products::id) row = Product`",
            ),
            (
                mistake!(lastmod = products::updated_at, key = (products::id)),
                "`lastmod` has no closure that converts the loaded value to a lastmod: write `lastmod = products::updated_at => |at: \
                 Option<NaiveDateTime>| at.map(|at| at.and_utc())`, with the type that the value is loaded as",
            ),
            (
                mistake!(lastmod = coalesce(products::updated_at, products::created_at)),
                "`lastmod` has no closure that converts the loaded value to a lastmod: write `lastmod = coalesce(products::updated_at, \
                 products::created_at) => |at: Option<NaiveDateTime>| at.map(|at| at.and_utc())`, with the type that the value is loaded as",
            ),
            (
                mistake!(table = "products", key = (products::id)),
                "`table` takes the path of a table, as in `table = products::table`, and a comma before the next argument; found \
                 `\"products\", key = (products::id)`",
            ),
            (
                mistake!(connect = || pool.get(), connect = || pool.get()),
                "`connect` is written once, as in `connect = || pool.get()`",
            ),
            (
                mistake!(key = (products::id), key = products::id),
                "`key` is written once, as in `key = (products::id)`",
            ),
            (
                mistake!(lastmod = a::b => |at| at, lastmod = a::b => |at| at),
                "`lastmod` is written once, as in `lastmod = products::updated_at => |at: Option<DateTime<Utc>>| at`",
            ),
            (
                mistake!(table = products::table, order = products::id),
                "expected `table = …`, `key = (…)`, `row = …`, `connect = …`, `filter = …` or `lastmod = … => …`, found `order = products::id`",
            ),
        ] {
            assert_eq!(found, expected);
        }
    }
}

//! A date-time without a zone becomes a lastmod only by `zone`. A date-time with a zone accepts neither attribute.
#![deny(warnings)]

use sitemap_serde::__private::{FromNaiveLastmod, NaiveLastmod};
use sitemap_serde::convert::{FromLastmod, ToLastmod};

/// Compiles only if the type does not implement the trait. Otherwise, two implementations apply and the call is ambiguous.
macro_rules! assert_not {
    ($type:ty: $trait:ident) => {{
        trait Check<Way> {
            fn check() {}
        }

        impl<T> Check<()> for T {}
        impl<T: $trait> Check<u8> for T {}

        <$type as Check<_>>::check();
    }};
}

macro_rules! assert_all {
    ($($naive:ty, $zoned:ty);*) => {
        $(
            assert_not!($naive: ToLastmod);
            assert_not!($naive: FromLastmod);
            assert_not!($zoned: NaiveLastmod);
            assert_not!($zoned: FromNaiveLastmod);
        )*
    };
}

pub(super) fn main() {
    assert_all! {
        chrono::NaiveDateTime, chrono::DateTime<chrono::Utc>;
        time::PrimitiveDateTime, time::OffsetDateTime;
        jiff02::civil::DateTime, jiff02::Zoned;
        jiff1::civil::DateTime, jiff1::ZonedDateTime
    }
}

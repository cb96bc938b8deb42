//! Unix times of every integer type, in an `Option` or not, by the derives and by serde.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sitemap_serde::convert::{self, UnixTime};
use sitemap_serde::{FromSitemapEntry, Reader, SitemapEntry, WriterBuilder, from_str, to_string};

/// The first and the last second of the years 0000 to 9999.
const FIRST: i128 = -62_167_219_200;
const LAST: i128 = 253_402_300_799;

/// Numbers at the limits of the types and of the years, in seconds or milliseconds.
fn numbers(per_second: i128) -> Vec<i128> {
    let edges = [
        0,
        i8::MAX.into(),
        i16::MAX.into(),
        i32::MAX.into(),
        u32::MAX.into(),
        i64::MAX.into(),
        u64::MAX.into(),
        i128::MAX,
        FIRST * per_second,
        (LAST + 1) * per_second,
    ];
    let around = |edge: &i128| {
        [
            edge.checked_sub(1),
            Some(*edge),
            edge.checked_add(1),
            edge.checked_neg(),
        ]
    };
    edges.iter().flat_map(around).flatten().collect()
}

/// Checks that a row with this time is written, by both ways, with the lastmod that the number has as an `i128`, and is read back; or that
/// it is an error, as the `i128` is.
fn check<T, S, D>(number: i128, lastmod: Result<Option<String>, String>, by_serde: S, by_derive: D)
where
    T: UnixTime,
    S: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
    D: SitemapEntry + FromSitemapEntry + PartialEq + std::fmt::Debug,
{
    let name = std::any::type_name::<T>();
    let written = WriterBuilder::new().entries_to_string([&by_derive]);
    match lastmod {
        Ok(lastmod) => {
            let xml = written.unwrap();
            assert_eq!(to_string(&[&by_serde]).unwrap(), xml, "{name} {number}");
            let found = xml
                .split_once("<lastmod>")
                .map(|(_, rest)| rest.split_once('<').unwrap().0.to_owned());
            assert_eq!(found, lastmod, "{name} {number}");
            assert_eq!(from_str::<Vec<S>>(&xml).unwrap(), [by_serde], "{name} {number}");
            let read: Vec<D> = Reader::from_str(&xml).read().map(Result::unwrap).collect();
            assert_eq!(read, [by_derive], "{name} {number}");
        }
        Err(side) => {
            for error in [written.unwrap_err(), to_string(&[&by_serde]).unwrap_err()] {
                let error = error.to_string();
                assert!(error.contains(&side), "{name} {number}: {error}");
            }
        }
    }
}

macro_rules! check {
    ($($integer:ident)*) => {
        $({
            check!($integer; unix_seconds "sitemap_serde::with::unix_seconds" 1);
            check!($integer; unix_millis "sitemap_serde::with::unix_millis" 1_000);
            check!($integer; unix_seconds "sitemap_serde::convert::unix_seconds" 1);
            check!($integer; unix_millis "sitemap_serde::convert::unix_millis" 1_000);
        })*
    };
    ($integer:ident; $module:ident $path:literal $per_second:literal) => {{
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        struct Plain {
            loc: String,
            #[serde(with = $path)]
            lastmod: $integer,
        }
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        struct Optional {
            loc: String,
            #[serde(with = $path, default)]
            lastmod: Option<$integer>,
        }
        #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
        #[sitemap(loc = "https://example.com/")]
        struct PlainRow {
            #[sitemap(lastmod, with = convert::$module)]
            changed: $integer,
        }
        #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
        #[sitemap(loc = "https://example.com/")]
        struct OptionalRow {
            #[sitemap(lastmod, with = convert::$module)]
            changed: Option<$integer>,
        }
        let loc = || "https://example.com/".to_owned();
        for number in numbers($per_second) {
            let lastmod = match convert::$module::write(&number) {
                Ok(lastmod) => Ok(lastmod.map(|lastmod| lastmod.to_string())),
                Err(error) => Err(error.to_string()),
            };
            let Some(lastmod_of_type) = $integer::try_from(number).ok() else {
                // A date that the type cannot hold is an error in both ways of reading.
                if let Ok(Some(lastmod)) = lastmod {
                    let xml = format!("<urlset><url><loc>https://example.com/</loc><lastmod>{lastmod}</lastmod></url></urlset>");
                    let unfit = format!("does not convert to `{}`: it is outside of the range", stringify!($integer));
                    for error in [
                        from_str::<Vec<Plain>>(&xml).unwrap_err(),
                        from_str::<Vec<Optional>>(&xml).unwrap_err(),
                        Reader::from_str(&xml).read::<PlainRow>().next().unwrap().unwrap_err(),
                        Reader::from_str(&xml).read::<OptionalRow>().next().unwrap().unwrap_err(),
                    ] {
                        assert!(error.to_string().contains(&unfit), "{error}");
                        assert_eq!(error.field(), Some("lastmod"));
                    }
                }
                continue;
            };
            check::<$integer, _, _>(
                number,
                lastmod.clone(),
                Plain { loc: loc(), lastmod: lastmod_of_type },
                PlainRow { changed: lastmod_of_type },
            );
            check::<Option<$integer>, _, _>(
                number,
                lastmod,
                Optional { loc: loc(), lastmod: Some(lastmod_of_type) },
                OptionalRow { changed: Some(lastmod_of_type) },
            );
        }
        check::<Option<$integer>, _, _>(
            0,
            Ok(None),
            Optional { loc: loc(), lastmod: None },
            OptionalRow { changed: None },
        );
        let without = "<urlset><url><loc>https://example.com/</loc></url></urlset>";
        assert!(from_str::<Vec<Plain>>(without).is_err());
        // A format whose `Option`s are unlike their values.
        let mut bytes = Vec::new();
        let pair = (Plain { loc: loc(), lastmod: 7 }, Optional { loc: loc(), lastmod: Some(7) });
        ciborium::into_writer(&pair, &mut bytes).unwrap();
        assert_eq!(ciborium::from_reader::<(Plain, Optional), _>(&bytes[..]).unwrap(), pair);
    }};
}

#[test]
fn every_integer_is_a_time_in_every_module() {
    check!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
}

/// The number of a message is the number that was given, but for those that only a `u128` holds.
#[test]
fn numbers_beyond_every_year_are_errors() {
    assert_eq!(
        convert::unix_millis::write(&u64::MAX).unwrap_err().to_string(),
        "18446744073709551615 milliseconds since 1970 are after the year 9999, and no W3C Datetime: years are from 0000 to 9999 \
         (P-LASTMOD); write a time in that range"
    );
    assert!(convert::unix_seconds::write(&u128::MAX).is_err());
    assert!(convert::unix_seconds::write(&i128::MIN).is_err());
}

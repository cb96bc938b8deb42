//! A type's declarations about the columns of its rows.
//!
//! **The columns of a type** are what its attributes say of a row in a database: the columns of the lastmod, and the bools that decide
//! whether it is listed. `column` (of the derive) reads the renames of sqlx, SeaORM and Diesel. The sources of sqlx and SeaORM query by
//! them; Diesel's macro sees no attributes, so its source refuses arguments that lack them.

use sitemap_values::W3cDateTime;

use crate::convert::sql_date_time;
use crate::error::Result;

/// A type's attributes in terms of its database columns: the lastmod's column, and the rows that are listed.
///
/// The derive names a column after its field, or after `#[sqlx(rename = …)]`, `#[sea_orm(column_name = …)]`, `#[diesel(column_name = …)]`
/// or a `rename_all` of one of these. Fields that are not columns themselves have no name.
///
/// ```
/// use sitemap_serde::SitemapEntry;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/products/{slug}")]
/// struct Product {
///     slug: String,
///     #[sitemap(lastmod)]
///     updated_at: Option<String>,
///     #[sitemap(exclude_if)]
///     draft: bool,
/// }
///
/// assert_eq!(Product::columns().lastmod, ["updated_at"]);
/// assert_eq!(Product::columns().flags, [("draft", false)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Columns {
    /// The columns with the lastmod, which is the newest of them; empty if the attributes name none.
    pub lastmod: &'static [&'static str],
    /// `true` if a function of the type converts the lastmod, so that only the type can read it.
    pub is_lastmod_converted: bool,
    /// The zone of a lastmod without one, in minutes east of UTC.
    pub zone: i16,
    /// Columns with a bool, and its value in listed rows.
    pub flags: &'static [(&'static str, bool)],
}

impl Columns {
    /// Called by the derive.
    #[doc(hidden)]
    pub const fn declared(
        lastmod: &'static [&'static str],
        is_lastmod_converted: bool,
        zone: i16,
        flags: &'static [(&'static str, bool)],
    ) -> Self {
        Columns {
            lastmod,
            is_lastmod_converted,
            zone,
            flags,
        }
    }

    /// Reads the lastmod in the text of a column, like [`sql_date_time`]; if it has no zone, in the type's zone.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a date (P-LASTMOD).
    pub fn read_lastmod(&self, text: &str) -> Result<Option<W3cDateTime>> {
        let text = text.trim();
        let time = text.get(10..).unwrap_or_default();
        if self.zone == 0 || time.is_empty() || time.contains(['Z', '+', '-']) {
            return sql_date_time::write(text);
        }
        let (sign, minutes) = (if self.zone < 0 { '-' } else { '+' }, self.zone.unsigned_abs());
        let zoned = format!("{text}{sign}{:02}:{:02}", minutes / 60, minutes % 60);
        sql_date_time::write(zoned.as_str()).or_else(|_| sql_date_time::write(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_a_zone_have_the_types() {
        for (zone, text, expected) in [
            (0, "2024-05-06 07:08:09", Some("2024-05-06T07:08:09Z")),
            (540, "2024-05-06 07:08:09", Some("2024-05-06T07:08:09+09:00")),
            (-210, "2024-05-06T07:08:09.5", Some("2024-05-06T07:08:09.5-03:30")),
            (540, "2024-05-06 07:08:09+00", Some("2024-05-06T07:08:09+00:00")),
            (540, "2024-05-06T07:08:09Z", Some("2024-05-06T07:08:09Z")),
            (540, "2024-05-06", Some("2024-05-06")),
            (540, "0000-00-00 00:00:00", None),
            (540, "", None),
        ] {
            let columns = Columns::declared(&["at"], false, zone, &[]);
            let found = columns.read_lastmod(text).unwrap();
            assert_eq!(
                found.map(|found| found.to_string()).as_deref(),
                expected,
                "{text}"
            );
        }
        assert!(
            Columns::declared(&["at"], false, 60, &[])
                .read_lastmod("soon")
                .is_err()
        );
    }
}

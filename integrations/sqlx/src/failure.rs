//! Transient errors.

use sitemap_site::source::{BoxError, Unavailable, WrongKey};

/// An error of the database; marked if it is expected to be transient.
pub(crate) fn failure(error: sqlx::Error) -> BoxError {
    use sqlx::Error;
    let code = error
        .as_database_error()
        .and_then(|error| Some(error.code()?.into_owned()));
    if code.as_deref().is_some_and(is_malformed) {
        return WrongKey.into();
    }
    #[cfg(feature = "mysql")]
    if let Some(number) = mysql_number(&error) {
        return match number {
            // A text that the column's character set cannot represent: an invented key.
            1267 => WrongKey.into(),
            // Too many connections, the server is shut down, a lock that was not acquired in time, a deadlock, a query that was killed, or
            // that exceeded MariaDB's or MySQL's time limit.
            1040 | 1053 | 1205 | 1213 | 1317 | 1927 | 1969 | 3024 => Unavailable::new(error).into(),
            _ => error.into(),
        };
    }
    let passes = match &error {
        Error::Io(_) | Error::Tls(_) | Error::PoolTimedOut | Error::PoolClosed | Error::WorkerCrashed => true,
        _ => code.as_deref().is_some_and(passes),
    };
    if passes {
        Unavailable::new(error).into()
    } else {
        error.into()
    }
}

/// Returns `true` if a statement was prepared for other columns than there are now.
pub(crate) fn is_outdated(error: &BoxError) -> bool {
    let Some(error) = error.downcast_ref::<sqlx::Error>() else {
        return false;
    };
    #[cfg(feature = "mysql")]
    if let Some(number) = mysql_number(error) {
        // The table's definition has changed; the statement must be prepared again.
        return matches!(number, 1412 | 1615);
    }
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    // PostgreSQL: a plan must not change its result. SQLite: the schema has changed.
    code.is_some_and(|code| matches!(&*code, "0A000" | "17"))
}

/// PostgreSQL's codes for values that do not fit their type: an invented key.
fn is_malformed(code: &str) -> bool {
    matches!(code, "22P02" | "22003" | "22007" | "22008" | "22021")
}

fn passes(code: &str) -> bool {
    // SQLite: the low byte of the extended codes is BUSY, LOCKED, IOERR or CANTOPEN.
    let sqlite = code
        .parse::<u32>()
        .is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 10 | 14));
    // PostgreSQL: no connection, a transaction that must be repeated, out of resources, terminated, a lock that was not acquired. A
    // violation of the protocol, one of the connection errors, is not transient.
    let postgres = code == "55P03"
        || code.len() == 5
            && code != "08P01"
            && ["08", "40", "53", "57"]
                .iter()
                .any(|class| code.starts_with(class));
    sqlite && code.len() < 5 || postgres
}

/// The number of an error of MySQL's, whose codes say of most errors only that they are general ones.
#[cfg(feature = "mysql")]
fn mysql_number(error: &sqlx::Error) -> Option<u16> {
    let error = error.as_database_error()?;
    let error = error.try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>()?;
    Some(error.number())
}

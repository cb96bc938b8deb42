//! Which errors pass by themselves.

use sitemap_site::source::{BoxError, Unavailable, WrongKey};

/// An error of the database; one that is expected to pass is marked as such.
pub(crate) fn failure(error: sqlx::Error) -> BoxError {
    use sqlx::Error;
    let code = error
        .as_database_error()
        .and_then(|error| Some(error.code()?.into_owned()));
    if code.as_deref().is_some_and(is_malformed) {
        return WrongKey.into();
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

/// PostgreSQL's codes of values that are none of their type: a key that somebody made up.
fn is_malformed(code: &str) -> bool {
    matches!(code, "22P02" | "22003" | "22007" | "22008")
}

fn passes(code: &str) -> bool {
    // SQLite: the low byte of the extended codes is BUSY, LOCKED, IOERR or CANTOPEN.
    let sqlite = code
        .parse::<u32>()
        .is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 10 | 14));
    // PostgreSQL: no connection, out of resources, shut down by somebody, a snapshot that is gone.
    let postgres = code.len() == 5
        && ["08", "53", "57", "40"]
            .iter()
            .any(|class| code.starts_with(class));
    sqlite && code.len() < 5 || postgres
}

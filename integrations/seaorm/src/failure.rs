//! Temporary errors of databases.

use sea_orm::{DbErr, RuntimeErr};
use sitemap_site::source::{BoxError, Unavailable, WrongKey};

/// Converts an error of the database, and marks temporary ones.
pub(crate) fn failure(error: DbErr) -> BoxError {
    if let DbErr::Query(RuntimeErr::SqlxError(error)) = &error
        && is_made_up(error)
    {
        return WrongKey.into();
    }
    let passes = match &error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error)) => {
            passes(error)
        }
        _ => false,
    };
    if passes {
        Unavailable::new(error).into()
    } else {
        error.into()
    }
}

/// Returns `true` if a statement was prepared for other columns than there are now.
pub(crate) fn is_outdated(error: &DbErr) -> bool {
    let DbErr::Query(RuntimeErr::SqlxError(error)) = error else {
        return false;
    };
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    // PostgreSQL: a plan must not change its result. SQLite: the schema has changed.
    code.is_some_and(|code| matches!(&*code, "0A000" | "17"))
}

/// A value outside its type or the encoding, such as an invented key.
fn is_made_up(error: &sqlx::Error) -> bool {
    let Some(error) = error.as_database_error() else {
        return false;
    };
    // MySQL has one code for most errors.
    let is_of_another_encoding = error.message().starts_with("Illegal mix of collations");
    let code = error.code();
    is_of_another_encoding || code.is_some_and(|code| matches!(&*code, "22P02" | "22003" | "22021"))
}

fn passes(error: &sqlx::Error) -> bool {
    use sqlx::Error;
    let code = error
        .as_database_error()
        .and_then(|error| Some(error.code()?.into_owned()));
    match (error, code) {
        (
            Error::Io(_) | Error::Tls(_) | Error::PoolTimedOut | Error::PoolClosed | Error::WorkerCrashed,
            _,
        ) => true,
        // MySQL has one code for most errors.
        (Error::Database(error), Some(code)) if code == "HY000" => {
            MYSQL.iter().any(|message| error.message().starts_with(message))
        }
        // PostgreSQL: connection errors, transactions to repeat, insufficient resources, operator intervention, a lock that was not
        // acquired.
        (_, Some(code)) if code.len() == 5 => {
            code == LOCKED
                || code != VIOLATION
                    && ["08", "40", "53", "57"]
                        .iter()
                        .any(|class| code.starts_with(class))
        }
        // SQLite: the low byte of the extended codes is BUSY, LOCKED, IOERR or CANTOPEN.
        (_, Some(code)) => code
            .parse::<u32>()
            .is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 10 | 14)),
        _ => false,
    }
}

/// Protocol violation: PostgreSQL counts it as a connection error, but it is not temporary.
const VIOLATION: &str = "08P01";

/// A lock that was not acquired, at once or in time.
const LOCKED: &str = "55P03";

/// Beginnings of messages of MySQL and MariaDB about transient errors.
const MYSQL: &[&str] = &[
    "Lock wait timeout exceeded",
    "Query execution was interrupted",
    "Server shutdown in progress",
];

//! Reasons for a failed query.

use diesel::result::{DatabaseErrorKind, Error};
use sitemap_site::source::{BoxError, Panicked, Unavailable, WrongKey};

/// The reason for a failed query.
#[derive(Debug)]
pub enum Failure {
    /// An end of the range is not a key.
    Key(WrongKey),
    /// An error from Diesel.
    Query(Error),
    /// A panic while rows were decoded.
    Panic(Panicked),
}

impl Failure {
    /// Returns `true` if a row cannot be decoded. Diesel then returns none of the rows.
    pub fn is_of_a_row(&self) -> bool {
        matches!(
            self,
            Failure::Query(Error::DeserializationError(_)) | Failure::Panic(_)
        )
    }

    /// Returns `true` if the query may succeed if it is prepared again.
    pub fn is_of_a_plan(&self) -> bool {
        // PostgreSQL reports it in its own language, and Diesel hides the code.
        matches!(self, Failure::Query(Error::DatabaseError(kind, about)) if !passes(*kind, about.message()) && !is_made_up(about.message()))
    }
}

impl From<WrongKey> for Failure {
    fn from(error: WrongKey) -> Self {
        Failure::Key(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Query(error)
    }
}

impl From<Panicked> for Failure {
    fn from(panic: Panicked) -> Self {
        Failure::Panic(panic)
    }
}

impl From<Failure> for BoxError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Key(error) => error.into(),
            Failure::Query(Error::DatabaseError(_, about)) if is_made_up(about.message()) => WrongKey.into(),
            Failure::Query(Error::DatabaseError(kind, about)) => {
                let passes = passes(kind, about.message());
                let error = Error::DatabaseError(kind, about);
                if passes {
                    Unavailable::new(error).into()
                } else {
                    error.into()
                }
            }
            Failure::Query(Error::DeserializationError(error)) => error,
            Failure::Query(error) => error.into(),
            Failure::Panic(panic) => panic.into(),
        }
    }
}

/// A text that the database's or the column's encoding cannot represent: in an invented key.
fn is_made_up(message: &str) -> bool {
    ["invalid byte sequence for encoding", "Illegal mix of collations"]
        .iter()
        .any(|beginning| message.starts_with(beginning))
}

/// Returns `true` if an error is expected to pass.
fn passes(kind: DatabaseErrorKind, message: &str) -> bool {
    matches!(
        kind,
        DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::SerializationFailure
    ) || PASSING.iter().any(|beginning| message.starts_with(beginning))
        || message.ends_with("No space left on device")
}

/// Beginnings of messages about transient errors. Diesel has kinds for few of these errors, and hides the codes of the others. SQLite's
/// messages are fixed; MySQL's and PostgreSQL's are in English, unless the server is set to another language (`lc_messages`).
const PASSING: &[&str] = &[
    // SQLite: BUSY, LOCKED, CANTOPEN, IOERR.
    "database is locked",
    "database table is locked",
    "database schema is locked",
    "unable to open database file",
    "disk I/O error",
    // PostgreSQL. Class 08: no connection.
    "connection to client lost",
    "could not connect to server",
    "could not receive data from",
    "could not send data to",
    "no connection to the server",
    "server closed the connection",
    "SSL connection has been closed",
    "SSL SYSCALL error",
    "unexpected EOF on client connection",
    // Class 40: a transaction that must be repeated.
    "could not serialize access",
    "deadlock detected",
    // Class 53: out of resources.
    "could not resize shared memory segment",
    "out of memory",
    "out of shared memory",
    "remaining connection slots are reserved",
    "sorry, too many clients already",
    "temporary file size exceeds",
    "too many connections for",
    // Class 57: terminated by an operator.
    "canceling statement",
    "terminating connection",
    "the database system is",
    // 55P03: a lock that was not acquired, at once or in time (`canceling statement due to lock timeout`).
    "could not obtain lock on",
    // MySQL and MariaDB.
    "Deadlock found",
    "Lock wait timeout exceeded",
    "Lost connection to",
    "MySQL server has gone away",
    "Query execution was interrupted",
    "Server has gone away",
    "Server shutdown in progress",
    "Too many connections",
];

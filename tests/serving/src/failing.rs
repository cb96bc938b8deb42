//! PostgreSQL's errors, made by a function.

/// A table, and a condition that fails with a code and a message.
pub const FAILING: &str = "CREATE TABLE failing (id bigint PRIMARY KEY, slug text NOT NULL);
    INSERT INTO failing VALUES (1, 'a');
    CREATE FUNCTION fail(code text, message text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message;
    END $$";

/// Error codes, each with `true` if the error is temporary.
pub fn codes() -> impl Iterator<Item = (&'static str, bool)> {
    // See the appendix of PostgreSQL's manual.
    let passing = [
        "08000", "08001", "08003", "08004", "08006", "08007", // no connection
        "40000", "40001", "40002", "40003", "40P01", // a transaction that is to be repeated
        "53000", "53100", "53200", "53300", "53400", // out of resources
        "55P03", // a lock that was not got
        "57000", "57014", "57P01", "57P02", "57P03", "57P04", "57P05", // ended by somebody
    ];
    let lasting = [
        "08P01", "22012", "23505", "25006", "42501", "42601", "42703", "42P01", "54000", "55000", "55006",
        "58030", "XX000",
    ];
    let passing = passing.into_iter().map(|code| (code, true));
    passing.chain(lasting.into_iter().map(|code| (code, false)))
}

/// PostgreSQL's messages of errors that pass, as its sources have them, with their codes.
pub const MESSAGES: &[(&str, &str)] = &[
    ("08006", "connection to client lost"),
    ("40001", "could not serialize access due to concurrent update"),
    (
        "40001",
        "could not serialize access due to read/write dependencies among transactions",
    ),
    ("40001", "canceling statement due to conflict with recovery"),
    ("40P01", "deadlock detected"),
    (
        "53100",
        "could not extend file \"base/5/16384\": No space left on device",
    ),
    (
        "53100",
        "could not write to file \"base/pgsql_tmp/pgsql_tmp4.0\": No space left on device",
    ),
    (
        "53100",
        "could not resize shared memory segment \"/PostgreSQL.1\" to 8388608 bytes: No space left on device",
    ),
    ("53200", "out of memory"),
    ("53200", "out of shared memory"),
    ("53300", "sorry, too many clients already"),
    ("53300", "too many connections for role \"shop\""),
    ("53300", "too many connections for database \"shop\""),
    (
        "53300",
        "remaining connection slots are reserved for non-replication superuser connections",
    ),
    (
        "53400",
        "temporary file size exceeds \"temp_file_limit\" (1024kB)",
    ),
    ("55P03", "canceling statement due to lock timeout"),
    ("55P03", "could not obtain lock on row in relation \"products\""),
    ("55P03", "could not obtain lock on relation \"products\""),
    ("57014", "canceling statement due to statement timeout"),
    ("57014", "canceling statement due to user request"),
    ("57P01", "terminating connection due to administrator command"),
    (
        "57P01",
        "terminating connection due to unexpected postmaster exit",
    ),
    (
        "57P02",
        "terminating connection because of crash of another server process",
    ),
    ("57P03", "the database system is starting up"),
    ("57P03", "the database system is shutting down"),
    ("57P03", "the database system is in recovery mode"),
    ("57P03", "the database system is not yet accepting connections"),
    ("57P05", "terminating connection due to idle-session timeout"),
];

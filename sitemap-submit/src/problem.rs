//! Why pages were not received.

use std::fmt;

use sitemap_tree::Failure;

/// Why pages were not received. Its `Display` explains the reason and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The key file was not served with status 200.
    KeyStatus {
        /// Its expected URL.
        url: String,
        /// The status.
        status: u16,
    },
    /// The key file's text is not the key.
    OtherKey {
        /// Its URL.
        url: String,
    },
    /// The engine refused with this status.
    Refused(u16),
    /// The server's last status, after the last retry.
    Busy(u16),
    /// The server asks to wait this many seconds, which is too long.
    WaitTooLong(u64),
    /// No try got a response: the last reason.
    Unreachable(Failure),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::KeyStatus { url, status } => write!(
                f,
                "the key is not at {url}: status {status}; serve it there as a text file"
            ),
            Problem::OtherKey { url } => write!(
                f,
                "the text at {url} is not the key; serve only the key there, as text"
            ),
            Problem::Refused(status) => {
                write!(f, "status {status}: ")?;
                f.write_str(match status {
                    300..=399 => "the endpoint redirects; use the address that it leads to",
                    400 => "the request is invalid",
                    403 => "the key is not valid: the engine did not find it where it should be served",
                    404 | 405 => "this is not an IndexNow endpoint",
                    422 => "the pages are not of the key's host, or the key does not fit the protocol",
                    _ => "the pages were refused",
                })
            }
            Problem::Busy(429) => {
                f.write_str("status 429: there were too many requests; send the rest later")
            }
            Problem::Busy(status) => write!(f, "status {status} in all tries; send the rest later"),
            Problem::WaitTooLong(seconds) => {
                write!(
                    f,
                    "the server wants to be asked again in {seconds} s; send the rest then"
                )
            }
            Problem::Unreachable(failure) => write!(f, "no response: {failure}; send the rest later"),
        }
    }
}

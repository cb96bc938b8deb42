//! Why pages were not received.

use std::fmt;

use sitemap_tree::{Failure, Wait};

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
    /// The engine refused the pages.
    Refused {
        /// The status.
        status: u16,
        /// The engine's own words.
        reason: Option<Reason>,
    },
    /// The server's last status, after the last retry.
    Busy(u16),
    /// The server asks to wait this many seconds, which is too long.
    WaitTooLong(u64),
    /// No try got a response: the last reason.
    Unreachable(Failure),
}

/// The reason that an engine gives for its refusal, in one line of at most 300 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// The members `code` and `message` of a JSON object, or the start of a text that is no HTML page.
    pub(crate) fn of(body: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(body);
        let members = ["code", "errorCode", "message", "error"].map(|name| member(&text, name));
        let members: Vec<String> = members.into_iter().flatten().collect();
        let text = match text.trim_start().chars().next()? {
            '<' => return None,
            '{' | '[' if !members.is_empty() => members.join(": "),
            _ => text.into_owned(),
        };
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || c.is_control())
            .collect();
        let line: String = words.join(" ").trim().chars().take(300).collect();
        (!line.is_empty()).then_some(Reason(line))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The first text member of this name in a JSON text, which need not be complete. Escapes stay.
fn member(json: &str, name: &str) -> Option<String> {
    let (_, after) = json.split_once(&format!("\"{name}\""))?;
    let value = after
        .trim_start()
        .strip_prefix(':')?
        .trim_start()
        .strip_prefix('"')?;
    let mut is_escaped = false;
    let end = value.find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    Some(value[..end.unwrap_or(value.len())].to_owned())
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
            Problem::Refused {
                status: status @ 200..=299,
                ..
            } => write!(
                f,
                "status {status}, which IndexNow does not define: whether the engine has the pages is not known"
            ),
            Problem::Refused { status, reason } => {
                write!(f, "status {status}: ")?;
                if let Some(reason) = reason {
                    write!(f, "the engine says `{reason}`; ")?;
                }
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
                    "the server wants to be asked again in {}; send the rest then",
                    Wait(*seconds)
                )
            }
            Problem::Unreachable(failure @ Failure::Cut(_)) => write!(f, "{failure}; send the rest later"),
            Problem::Unreachable(failure) => write!(f, "no response: {failure}; send the rest later"),
        }
    }
}

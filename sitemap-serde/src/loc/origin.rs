//! The site of a URL, for comparison with many URLs.

use sitemap_values::url::Parts;

use super::normal::{normal_host, same_host};

/// Scheme, host and port, for comparison with many URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// In lower case.
    scheme: String,
    /// In its normal form.
    host: String,
    port: u16,
}

impl Origin {
    pub(super) fn of(parts: &Parts<'_>) -> Self {
        Origin {
            scheme: parts.scheme.to_ascii_lowercase(),
            host: normal_host(parts.host()).into_owned(),
            port: parts.effective_port(),
        }
    }

    pub(super) fn is_of(&self, parts: &Parts<'_>) -> bool {
        parts.scheme.eq_ignore_ascii_case(&self.scheme)
            && parts.effective_port() == self.port
            && same_host(parts.host(), &self.host)
    }
}

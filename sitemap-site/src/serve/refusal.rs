//! Refusals: the errors that clients get.

use std::fmt::Display;

use tracing::error;

/// Why a client gets an error instead of a document, with a short explanation, without internals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    NotFound(&'static str),
    /// The address was in use, and never will be again.
    Gone(&'static str),
    /// A permanent failure.
    Internal(&'static str),
    /// A temporary failure, and the seconds until the next try.
    Unavailable(&'static str, u32),
    /// Another server failed, or sent an unusable document.
    BadGateway(&'static str),
    /// Another server took too long.
    GatewayTimeout(&'static str),
}

impl Refusal {
    pub(super) const NO_SUCH_ADDRESS: Refusal = Refusal::NotFound("this site has no sitemap at this address");
    pub(super) const OUTGROWN: Refusal = Refusal::Gone(
        "the pages of this address are in several files now, which the index lists (sitemap.xml)",
    );
    pub(super) const OVERGROWN: Refusal = Refusal::Unavailable(
        "there are too many pages in this range, and the index lists smaller ones (sitemap.xml)",
        3_600,
    );
    pub(super) const REPLACED: Refusal = Refusal::Unavailable(
        "the pages of this address are in other files now, which the index lists (sitemap.xml)",
        3_600,
    );
    pub(super) const UNCOUNTED: Refusal =
        Refusal::Unavailable("the pages of the site are still being counted", 60);
    pub(super) const SPLIT: Refusal =
        Refusal::Unavailable("this part has grown too large, and is being split", 60);
    pub(super) const LATE: Refusal = Refusal::Unavailable("reading the pages of this part took too long", 60);
    pub(super) const BUSY: Refusal = Refusal::Unavailable("too many parts are being rendered", 30);
    pub(super) const UNREADABLE: Refusal = Refusal::Internal("the pages of this part cannot be read");
}

impl Refusal {
    /// The index is not written: a URL is invalid, for example.
    pub(super) fn index_not_written(error: &impl Display) -> Self {
        error!("the sitemap's index cannot be written: {error}");
        Refusal::Internal("the index cannot be written")
    }

    /// `true` if an earlier copy may be sent instead.
    pub(super) fn is_of_a_failure(self) -> bool {
        !matches!(self, Refusal::NotFound(_) | Refusal::Gone(_))
    }
}

//! The buffer for encoding a URL, and a cache of encoded sites.

/// A buffer for one encoded URL, and the sites of earlier URLs.
#[derive(Debug, Default)]
pub(crate) struct UrlBuffer {
    pub(super) bytes: Vec<u8>,
    pub(super) sites: Sites,
}

impl UrlBuffer {
    pub(super) fn text(&self) -> &str {
        text(&self.bytes, 0)
    }
}

/// The bytes from `start` on as text. They are made of whole strings and ASCII, so the default is never returned.
pub(super) fn text(bytes: &[u8], start: usize) -> &str {
    std::str::from_utf8(bytes.get(start..).unwrap_or_default()).unwrap_or_default()
}

/// The last sites whose authority was checked and encoded: internationalized hosts and others that are not plain names.
///
/// The URLs of a document are on one site or on few, and encoding a host costs more than encoding a path.
#[derive(Debug, Default)]
pub(super) struct Sites {
    known: Vec<Site>,
    /// The index of the oldest site, when the cache is full.
    oldest: usize,
}

#[derive(Debug)]
struct Site {
    /// Scheme and authority, without user information.
    written: String,
    encoded: String,
}

/// The maximum number of cached sites.
const MOST_SITES: usize = 8;

impl Sites {
    /// The encoded site of a URL, and the length of the site that it has; `None` if that is not known.
    pub(super) fn of(&self, url: &str) -> Option<(&str, usize)> {
        let known = self.known.iter().find(|site| {
            url.strip_prefix(site.written.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
        })?;
        Some((&known.encoded, known.written.len()))
    }

    /// Notes a site that is valid.
    pub(super) fn note(&mut self, written: &str, encoded: &str) {
        if self.known.len() < MOST_SITES {
            self.known.push(Site {
                written: written.to_owned(),
                encoded: encoded.to_owned(),
            });
        } else if let Some(site) = self.known.get_mut(self.oldest) {
            written.clone_into(&mut site.written);
            encoded.clone_into(&mut site.encoded);
            self.oldest = (self.oldest + 1) % MOST_SITES;
        }
    }
}

//! A walk's knowledge of its documents, for the next walk.
//!
//! **The state is a list of documents, each with its own list.** An unchanged index is not read again, so its list must be known.
//! A document has vanished only if every index that listed it earlier was read. Many indexes can list the same documents, so the
//! stored lists have a limit. An index beyond it is read again.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::address::Address;
use crate::body::Hash;
use crate::listing::Listed;
use crate::report::{Contents, DocumentKind, Fate};
use crate::request::{Role, Validators};

/// A walk's knowledge of its documents, for storage in any serde format.
///
/// A walk that [starts with it](crate::WalkBuilder::state) continues an interrupted walk. After a finished walk, it requests only
/// what has changed.
///
/// Store the whole state when a walk begins and when it is done, and [changes](crate::Walk::take_changes) in between.
/// [`extend`](Extend::extend) applies the changes to a state:
///
/// ```
/// use std::time::Duration;
///
/// use sitemap_tree::{Answer, Head, State, Step, Walk};
///
/// let mut walk = Walk::sitemap("ExampleBot/1.0", "https://example.com/sitemap.txt")?;
/// let mut lines = vec![serde_json::to_string(&walk.state())?];
/// while let Step::Request(request) = walk.step(Duration::ZERO) {
///     if let Answer::Read(ticket) = walk.respond(request.id(), &Head::new(200), Duration::ZERO) {
///         let outcome = ticket.read(&b"https://example.com/"[..]).outcome();
///         walk.finish(outcome, Duration::ZERO);
///         lines.push(serde_json::to_string(&walk.take_changes())?);
///     }
/// }
///
/// let states: Vec<State> = lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<_, _>>()?;
/// let (first, changes) = states.split_first().expect("there is always one");
/// let mut state = first.clone();
/// state.extend(changes.to_vec());
/// assert_eq!(format!("{state:?}").matches("fate: Read").count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    pub(crate) start: Start,
    /// `true` once every document is done.
    pub(crate) is_finished: bool,
    pub(crate) progress: Progress,
    pub(crate) documents: Vec<SavedDocument>,
}

impl State {
    /// `true` once every document is done.
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }
}

impl Extend<State> for State {
    /// Adds [changes](crate::Walk::take_changes), in their order.
    fn extend<T: IntoIterator<Item = State>>(&mut self, changes: T) {
        let reached = self.documents.iter().enumerate();
        let mut numbers: HashMap<Address, usize> = reached
            .filter(|(_, document)| document.reached.is_some())
            .map(|(number, document)| (Arc::clone(&document.url), number))
            .collect();
        for change in changes {
            self.is_finished = change.is_finished;
            self.progress = change.progress;
            for document in change.documents {
                if let Some(&number) = numbers.get(&document.url) {
                    self.documents[number] = document;
                } else {
                    // After what lists it.
                    numbers.insert(Arc::clone(&document.url), self.documents.len());
                    self.documents.push(document);
                }
            }
        }
        self.documents
            .retain(|document| document.reached.is_some() || !numbers.contains_key(&document.url));
    }
}

/// The start of a walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) url: Address,
    /// `true` for a site, whose sitemaps must be found; `false` for a sitemap.
    pub(crate) is_site: bool,
}

/// An unfinished walk's knowledge apart from its documents.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// The sites that the start redirects to.
    pub(crate) sites: Vec<Box<str>>,
    /// `true` if the start's address is not globally routable; `None` before the first response.
    pub(crate) is_private: Option<bool>,
    pub(crate) crawl_delay: Option<Duration>,
    pub(crate) decompressed_bytes: u64,
    pub(crate) wire_bytes: u64,
    pub(crate) entries: u64,
    pub(crate) over_budget: u64,
    pub(crate) repeated: u64,
    pub(crate) requests: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedDocument {
    pub(crate) url: Address,
    /// `None` if only an earlier walk found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reached: Option<Reached>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) known: Option<Known>,
}

/// A document of a walk, apart from its address.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Reached {
    pub(crate) role: Role,
    pub(crate) lister: Option<Address>,
    pub(crate) depth: u32,
    pub(crate) lastmod: Option<Arc<str>>,
    pub(crate) target: Option<Address>,
    pub(crate) redirects: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    pub(crate) fate: Fate,
    pub(crate) contents: Contents,
    pub(crate) has_changed: bool,
}

/// Facts about a document from when it was last read to its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Known {
    pub(crate) kind: DocumentKind,
    pub(crate) entries: u64,
    /// The address that it redirected to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<Address>,
    /// The validators of that address's response.
    pub(crate) validators: Validators,
    pub(crate) hash: Option<Hash>,
    /// Its lastmod in the index.
    pub(crate) lastmod: Option<Arc<str>>,
    /// What it lists.
    pub(crate) listed: Vec<Listed>,
}

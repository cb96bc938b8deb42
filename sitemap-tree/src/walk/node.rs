//! A document of a walk.
//!
//! **Depth counts along the shortest path.** A node knows the nodes that it lists, so that a later, higher list raises it and
//! everything below it.

use std::num::NonZero;
use std::sync::Arc;

use crate::address::Address;
use crate::report::{Contents, Failure, Fate};
use crate::request::{Role, Validators};
use crate::state::{Known, Reached};

/// A document of a walk.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) url: Address,
    /// The target of its redirect.
    pub(super) target: Option<Address>,
    pub(super) role: Role,
    /// The number of the document that lists it.
    pub(super) lister: Option<usize>,
    pub(super) depth: u32,
    /// The numbers of the documents that it lists.
    pub(super) children: Vec<u32>,
    pub(super) redirects: u32,
    /// The status of its last response, unless it was requested again since.
    pub(super) status: Option<NonZero<u16>>,
    /// `true` if it requests or has requested its own URL, and was not redirected from there.
    pub(super) owns_url: bool,
    pub(super) retries: u16,
    /// `true` if its server refused a conditional request.
    pub(super) is_unconditional: bool,
    /// Its lastmod in the index.
    pub(super) lastmod: Option<Arc<str>>,
    pub(super) fate: Fate,
    pub(super) contents: Contents,
    pub(super) has_changed: bool,
    pub(super) known: Option<Box<Known>>,
}

impl Node {
    pub(super) fn new(url: Address, role: Role) -> Self {
        Node {
            url,
            target: None,
            role,
            lister: None,
            depth: 0,
            children: Vec::new(),
            redirects: 0,
            status: None,
            owns_url: false,
            retries: 0,
            is_unconditional: false,
            lastmod: None,
            fate: Fate::Pending,
            contents: Contents::default(),
            has_changed: false,
            known: None,
        }
    }

    /// A document of an interrupted walk.
    pub(super) fn reached(
        url: Address,
        reached: Reached,
        known: Option<Known>,
        lister: Option<usize>,
    ) -> Self {
        Node {
            target: reached.target,
            lister,
            depth: reached.depth,
            redirects: reached.redirects,
            status: reached.status.and_then(NonZero::new),
            lastmod: reached.lastmod,
            fate: reached.fate,
            contents: reached.contents,
            has_changed: reached.has_changed,
            known: known.map(Box::new),
            ..Node::new(url, reached.role)
        }
    }

    /// The address to request.
    pub(super) fn address(&self) -> &Address {
        self.target.as_ref().unwrap_or(&self.url)
    }

    /// The validators of a conditional request, valid only at the address that sent them. A `robots.txt` is always read, since
    /// its rules are not kept.
    pub(super) fn validators(&self) -> Validators {
        match &self.known {
            _ if self.is_unconditional => Validators::default(),
            Some(known) if self.role != Role::Robots && known.target == self.target => {
                known.validators.clone()
            }
            _ => Validators::default(),
        }
    }

    /// Takes over the earlier contents, since it has not changed.
    pub(super) fn be_unchanged(&mut self) {
        self.fate = Fate::Unchanged;
        if let Some(known) = &mut self.known {
            known.lastmod.clone_from(&self.lastmod);
            self.contents.kind = Some(known.kind);
            self.contents.entries = known.entries;
        }
    }

    /// Returns `true` if its fate comes from a response at its address.
    pub(super) fn was_answered(&self) -> bool {
        match &self.fate {
            Fate::Read | Fate::Unchanged | Fate::Absent => true,
            Fate::Failed(failure) => !matches!(failure, Failure::Redirect(_) | Failure::PrivateIp(_)),
            Fate::Pending | Fate::SameAs(_) | Fate::Skipped(_) => false,
        }
    }

    /// Returns `true` if its list of documents is known: it was read, is unchanged, or no longer exists.
    pub(super) fn is_settled(&self) -> bool {
        matches!(
            self.fate,
            Fate::Read | Fate::Unchanged | Fate::Absent | Fate::SameAs(_)
        )
    }
}

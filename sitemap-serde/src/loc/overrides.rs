//! Types that declare their own base and encoding, which override the writer's or reader's for their entries.
#![cfg_attr(
    not(feature = "derive"),
    allow(dead_code, reason = "types declare them through the derive")
)]

use crate::error::Result;

use super::{LocRules, LocSettings};

/// The base and encoding that a type declares in its source code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LocOverrides {
    /// URL that paths are appended to.
    pub(crate) base: Option<&'static str>,
    /// Name of the encoding in which the server percent-decodes its URLs.
    pub(crate) encoding: Option<&'static str>,
    /// Description of the base for messages, if its value is known only at run time.
    pub(crate) base_name: Option<&'static str>,
}

impl LocOverrides {
    /// The overrides of a type within another type: the inner type's base and encoding win over the outer's.
    #[must_use]
    pub(crate) fn then(self, inner: LocOverrides) -> LocOverrides {
        LocOverrides {
            base: inner.base.or(self.base),
            encoding: inner.encoding.or(self.encoding),
            base_name: if inner.base.is_some() {
                inner.base_name
            } else {
                self.base_name
            },
        }
    }

    pub(super) fn settings(self) -> LocSettings {
        LocSettings {
            base: self.base.map(str::to_owned),
            encoding: self.encoding.map(str::to_owned),
            base_name: self.base_name,
            ..LocSettings::default()
        }
    }
}

/// The rules of a document, and the rules of the types in it that override them.
#[derive(Debug)]
pub(crate) struct MountedRules {
    document: LocRules,
    overrides: LocOverrides,
    /// At most one for each type in the program that declares overrides.
    mounted: Vec<(LocOverrides, LocRules)>,
    current: Option<usize>,
}

/// Which of the rules apply at the moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurrentRules {
    overrides: LocOverrides,
    current: Option<usize>,
}

impl MountedRules {
    pub(crate) fn new(document: LocRules) -> Self {
        MountedRules {
            document,
            overrides: LocOverrides::default(),
            mounted: Vec::new(),
            current: None,
        }
    }

    /// Returns an error if the document's settings are invalid.
    pub(crate) fn check(&self) -> Result<()> {
        self.document.check()
    }

    /// Goes back to the document's own rules.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.overrides = LocOverrides::default();
        self.current = None;
    }

    /// Switches to the rules of a type.
    pub(crate) fn mount(&mut self, overrides: LocOverrides) {
        let overrides = self.overrides.then(overrides);
        self.overrides = overrides;
        let known = self.mounted.iter().position(|(other, _)| *other == overrides);
        self.current = Some(known.unwrap_or_else(|| {
            self.mounted.push((overrides, self.document.mounted(overrides)));
            self.mounted.len() - 1
        }));
    }

    /// The rules that apply now, to be restored later.
    pub(crate) fn current(&self) -> CurrentRules {
        CurrentRules {
            overrides: self.overrides,
            current: self.current,
        }
    }

    pub(crate) fn restore(&mut self, rules: CurrentRules) {
        self.overrides = rules.overrides;
        self.current = rules.current;
    }

    #[inline]
    pub(crate) fn get(&self) -> &LocRules {
        self.current
            .and_then(|current| self.mounted.get(current))
            .map_or(&self.document, |(_, rules)| rules)
    }
}

impl LocRules {
    /// The rules of a type's entries in this document. The scope remains the document's.
    fn mounted(&self, overrides: LocOverrides) -> LocRules {
        let Ok(document) = &self.rules else {
            return LocRules {
                rules: self.rules.clone(),
            };
        };
        let rules = document.mounted(overrides);
        LocRules {
            rules: rules.map_err(|_| overrides.settings()),
        }
    }
}

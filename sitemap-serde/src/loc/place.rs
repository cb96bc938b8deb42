//! Where the pages of one type are, when a type says so itself: its base and its server's encoding, in place of the
//! writer's or reader's.
#![cfg_attr(
    not(feature = "derive"),
    allow(dead_code, reason = "types say it through the derive")
)]

use crate::error::Result;

use super::{LocRules, LocSettings};

/// What types say of their URLs. It stands in the program's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Where paths are mounted.
    pub(crate) base: Option<&'static str>,
    /// The name of the encoding that the server decodes its URLs by.
    pub(crate) encoding: Option<&'static str>,
    /// What the base is, in words, if only the program that runs knows its value.
    pub(crate) given: Option<&'static str>,
}

impl Place {
    /// What holds of a type in a type: its own word counts.
    #[must_use]
    pub(crate) fn then(self, inner: Place) -> Place {
        Place {
            base: inner.base.or(self.base),
            encoding: inner.encoding.or(self.encoding),
            given: if inner.base.is_some() {
                inner.given
            } else {
                self.given
            },
        }
    }

    pub(super) fn settings(self) -> LocSettings {
        LocSettings {
            base: self.base.map(str::to_owned),
            encoding: self.encoding.map(str::to_owned),
            given: self.given,
            ..LocSettings::default()
        }
    }
}

/// The rules of a document, and those of the types in it that have their own.
#[derive(Debug)]
pub(crate) struct MountedRules {
    document: LocRules,
    place: Place,
    /// As many as the program has types that say something.
    mounted: Vec<(Place, LocRules)>,
    current: Option<usize>,
}

/// Which of the rules hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurrentRules {
    place: Place,
    current: Option<usize>,
}

impl MountedRules {
    pub(crate) fn new(document: LocRules) -> Self {
        MountedRules {
            document,
            place: Place::default(),
            mounted: Vec::new(),
            current: None,
        }
    }

    /// Whether the document's settings are right.
    pub(crate) fn check(&self) -> Result<()> {
        self.document.check()
    }

    /// The document's own rules again.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.place = Place::default();
        self.current = None;
    }

    /// The rules of a type.
    pub(crate) fn mount(&mut self, place: Place) {
        let place = self.place.then(place);
        self.place = place;
        let known = self.mounted.iter().position(|(other, _)| *other == place);
        self.current = Some(known.unwrap_or_else(|| {
            self.mounted.push((place, self.document.mounted(place)));
            self.mounted.len() - 1
        }));
    }

    /// The rules that hold now, for going back to.
    pub(crate) fn current(&self) -> CurrentRules {
        CurrentRules {
            place: self.place,
            current: self.current,
        }
    }

    pub(crate) fn restore(&mut self, rules: CurrentRules) {
        self.place = rules.place;
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
    /// The rules of a type in a document of these: what may be listed is the document's to say.
    fn mounted(&self, place: Place) -> LocRules {
        let Ok(document) = &self.rules else {
            return LocRules {
                rules: self.rules.clone(),
            };
        };
        let rules = document.mounted(place);
        LocRules {
            rules: rules.map_err(|_| place.settings()),
        }
    }
}

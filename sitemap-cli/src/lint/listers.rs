//! Finds the indexes that list the documents of a lint.

use std::collections::{HashMap, HashSet};

use crate::folder::{index, is_index};
use crate::input::Input;

/// For each location, the locations of the indexes that list it.
#[derive(Debug, Default)]
pub(super) struct Listers(HashMap<String, Vec<String>>);

impl Listers {
    /// Reads the indexes. The lint reports read errors.
    pub(super) fn find(inputs: &[Input], locations: &[Option<String>]) -> Self {
        let mut listers = Listers::default();
        for (input, location) in inputs.iter().zip(locations) {
            let Some(location) = location.as_ref().filter(|_| input.response().is_none()) else {
                continue;
            };
            listers.add(input, location);
        }
        listers
    }

    fn add(&mut self, input: &Input, location: &str) {
        if !is_index(input) {
            return;
        }
        let (urls, _) = index(input);
        for url in urls {
            self.0.entry(url).or_default().push(location.to_owned());
        }
    }

    /// Returns all indexes above a location, nearest first.
    pub(super) fn above(&self, location: &str) -> Vec<String> {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut unseen = vec![location];
        while let Some(at) = unseen.pop() {
            let listers = self.0.get(at).map(Vec::as_slice).unwrap_or_default();
            unseen.extend(
                listers
                    .iter()
                    .map(String::as_str)
                    .filter(|lister| seen.insert(lister)),
            );
        }
        let mut above: Vec<String> = seen.into_iter().map(str::to_owned).collect();
        above.sort();
        above
    }
}

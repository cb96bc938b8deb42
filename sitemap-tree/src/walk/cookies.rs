//! Cookies. Many sites set one and redirect to the same address, which they serve only with the cookie.

use std::collections::HashMap;

use crate::address;

/// Limits: hosts with cookies, and cookies of a host.
const HOSTS: usize = 1000;
const COOKIES: usize = 50;

/// A name and a value.
type Cookie = (Box<str>, Box<str>);

/// The cookies of each origin, which are sent to that origin only, until the walk ends.
#[derive(Debug, Default)]
pub(super) struct Cookies(HashMap<Box<str>, Vec<Cookie>>);

impl Cookies {
    /// Takes the values of `Set-Cookie`. Returns `true` if the cookies to send have changed.
    pub(super) fn set(&mut self, address: &str, values: &[Box<str>]) -> bool {
        let origin = address::origin(address);
        if values.is_empty() || self.0.len() >= HOSTS && !self.0.contains_key(origin) {
            return false;
        }
        let kept = self.0.entry(origin.into()).or_default();
        let mut has_changed = false;
        for value in values {
            let mut parts = value.split(';');
            let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else {
                continue;
            };
            let (name, value) = (name.trim(), value.trim());
            let is_removed = parts.any(|part| {
                let (key, age) = part.split_once('=').unwrap_or_default();
                key.trim().eq_ignore_ascii_case("max-age")
                    && age.trim().parse::<i64>().is_ok_and(|age| age <= 0)
            });
            let is_valid = |text: &str| text.bytes().all(|b| (b' '..0x7F).contains(&b) && b != b';');
            if name.is_empty() || !is_valid(name) || !is_valid(value) {
                continue;
            }
            let place = kept.iter().position(|(other, _)| **other == *name);
            match place {
                Some(at) if is_removed => {
                    kept.remove(at);
                    has_changed = true;
                }
                Some(at) if *kept[at].1 != *value => {
                    kept[at].1 = value.into();
                    has_changed = true;
                }
                None if !is_removed && kept.len() < COOKIES => {
                    kept.push((name.into(), value.into()));
                    has_changed = true;
                }
                _ => {}
            }
        }
        has_changed
    }

    /// The value of `Cookie` for an address.
    pub(super) fn of(&self, address: &str) -> Option<Box<str>> {
        let kept = self
            .0
            .get(address::origin(address))
            .filter(|kept| !kept.is_empty())?;
        let pairs: Vec<String> = kept
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        Some(pairs.join("; ").into())
    }
}

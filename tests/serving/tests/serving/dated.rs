//! Rows with dates, for sources that find the newest rows.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use sitemap_serde::{UrlEntry, W3cDateTime};
use sitemap_site::source::{BoxError, DatedKey, Row, Span};
use sitemap_site::{Key, KeyValue, Source};
use sitemap_tests::Random;
use tokio::sync::Semaphore;

/// Rows with text or number keys, in descending order, which only the database knows. The newest ones are found by date.
#[derive(Clone, Default)]
pub(crate) struct Dated(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    rows: BTreeMap<String, W3cDateTime>,
    has_numbers: bool,
    is_broken: bool,
    counts: usize,
    looks: usize,
    gates: Vec<Gate>,
    /// The duration of a query of keys.
    delay: Duration,
    /// The number of times that queries yield to others.
    interruptions: Option<Random>,
}

/// A gate where some queries wait.
struct Gate {
    is_for: fn(&Span, usize) -> bool,
    opened: Arc<Semaphore>,
}

impl Dated {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap()
    }

    pub(crate) fn set(&self, key: usize, lastmod: &str) {
        self.put(key, lastmod.parse().unwrap());
    }

    pub(crate) fn put(&self, key: usize, lastmod: W3cDateTime) {
        self.lock().rows.insert(format!("k{key:04}"), lastmod);
    }

    pub(crate) fn remove(&self, key: usize) {
        self.lock().rows.remove(&format!("k{key:04}"));
    }

    /// Makes keys numbers from now on.
    pub(crate) fn use_numbers(&self) {
        self.lock().has_numbers = true;
    }

    /// `true` if finding the newest rows fails.
    pub(crate) fn break_looks(&self, is_broken: bool) {
        self.lock().is_broken = is_broken;
    }

    /// The number of queries of keys.
    pub(crate) fn counts(&self) -> usize {
        self.lock().counts
    }

    /// The number of queries of the newest rows.
    pub(crate) fn looks(&self) -> usize {
        self.lock().looks
    }

    /// Blocks queries of keys with a matching range and limit until the semaphore has a permit for each.
    pub(crate) fn gate(&self, is_for: fn(&Span, usize) -> bool) -> Arc<Semaphore> {
        let opened = Arc::new(Semaphore::new(0));
        self.lock().gates.push(Gate {
            is_for,
            opened: Arc::clone(&opened),
        });
        opened
    }

    /// Sets the duration of each query of keys from now on.
    pub(crate) fn delay(&self, delay: Duration) {
        self.lock().delay = delay;
    }

    /// Makes each query yield to other tasks at random from now on.
    pub(crate) fn interrupt(&self, seed: u64) {
        self.lock().interruptions = Some(Random::new(seed));
    }

    async fn interruptions(&self) {
        let random = |inner: &mut Inner| inner.interruptions.as_mut().map(|random| random.below(6));
        let times = random(&mut self.lock());
        for _ in 0..times.unwrap_or(0) {
            tokio::task::yield_now().await;
        }
    }

    /// The keys of a range.
    pub(crate) fn within(&self, span: &Span, limit: usize) -> Vec<DatedKey> {
        let text = |key: &Key| match key.values() {
            [KeyValue::Text(text)] => text.clone(),
            [KeyValue::Integer(number)] => format!("k{number:04}"),
            _ => panic!("{key}"),
        };
        let (after, to) = (span.after.as_ref().map(text), span.to.as_ref().map(text));
        let inner = self.lock();
        let rows = inner.rows.iter().rev();
        let rows = rows.filter(|(key, _)| {
            after.as_ref().is_none_or(|after| *key < after) && to.as_ref().is_none_or(|to| *key >= to)
        });
        let dated = |(key, lastmod): (&String, &W3cDateTime)| {
            let number = || key[1..].parse::<i64>().unwrap();
            let key = if inner.has_numbers {
                Key::from(number())
            } else {
                Key::from(key.as_str())
            };
            DatedKey::new(key, Some(*lastmod))
        };
        rows.take(limit).map(dated).collect()
    }
}

impl Source for Dated {
    type Entry = UrlEntry;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        let rows = self.within(span, limit).into_iter().map(|row| {
            let mut entry = UrlEntry::new(format!("/{}", row.key));
            entry.lastmod = row.lastmod.lastmod();
            Row::new(row.key, entry)
        });
        Ok(rows.collect())
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let (gates, delay): (Vec<_>, Duration) = {
            let mut inner = self.lock();
            inner.counts += 1;
            let gates = inner.gates.iter().filter(|gate| (gate.is_for)(span, limit));
            (gates.map(|gate| Arc::clone(&gate.opened)).collect(), inner.delay)
        };
        tokio::time::sleep(delay).await;
        self.interruptions().await;
        for gate in gates {
            gate.acquire().await?.forget();
        }
        Ok(self.within(span, limit))
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        self.interruptions().await;
        if self.lock().is_broken {
            return Err("no index".into());
        }
        let mut rows = self.within(&Span::ALL, usize::MAX);
        rows.sort_by_key(|row| std::cmp::Reverse(row.lastmod.lastmod()));
        rows.truncate(limit);
        self.lock().looks += 1;
        Ok(Some(rows))
    }
}

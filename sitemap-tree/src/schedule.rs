//! The order and time of requests: a limit of connections per host, and delays.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::time::Duration;

use fastrand::Rng;

/// Documents to request, by host. All times come from the walk's caller.
#[derive(Debug)]
pub(crate) struct Schedule {
    connections: usize,
    /// The minimum time between two requests to a host.
    interval: Duration,
    hosts: Vec<Host>,
    by_origin: HashMap<Box<str>, usize>,
    /// Hosts that have a document to request and a free connection.
    ready: VecDeque<usize>,
    /// The same for hosts that must get no request before a time.
    held: BinaryHeap<Reverse<(Duration, usize)>>,
    /// Documents to request again at a time: time, host, document.
    delayed: BinaryHeap<Reverse<(Duration, usize, usize)>>,
    /// Documents to request.
    documents: usize,
}

#[derive(Debug, Default)]
struct Host {
    queue: VecDeque<usize>,
    in_flight: usize,
    /// No request before this time.
    from: Duration,
    /// The time between two requests.
    interval: Duration,
    /// `true` if it is in `ready` or `held`.
    is_listed: bool,
}

/// A document to request now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) document: usize,
    pub(crate) host: usize,
}

impl Schedule {
    /// Creates a schedule with at most `connections` concurrent requests per host, and this time between two.
    pub(crate) fn new(connections: usize, interval: Duration) -> Self {
        Schedule {
            connections,
            interval,
            hosts: Vec::new(),
            by_origin: HashMap::new(),
            ready: VecDeque::new(),
            held: BinaryHeap::new(),
            delayed: BinaryHeap::new(),
            documents: 0,
        }
    }

    /// The number of an origin's host.
    pub(crate) fn host(&mut self, origin: &str) -> usize {
        if let Some(&host) = self.by_origin.get(origin) {
            return host;
        }
        self.hosts.push(Host {
            interval: self.interval,
            ..Host::default()
        });
        self.by_origin.insert(origin.into(), self.hosts.len() - 1);
        self.hosts.len() - 1
    }

    pub(crate) fn push(&mut self, due: Due) {
        self.documents += 1;
        self.queue(due);
    }

    /// Requests a document before the others of its host.
    pub(crate) fn push_first(&mut self, due: Due) {
        self.documents += 1;
        if let Some(host) = self.hosts.get_mut(due.host) {
            host.queue.push_front(due.document);
        }
        self.list(due.host);
    }

    fn queue(&mut self, due: Due) {
        if let Some(host) = self.hosts.get_mut(due.host) {
            host.queue.push_back(due.document);
        }
        self.list(due.host);
    }

    /// Requests a document at a time.
    pub(crate) fn push_at(&mut self, due: Due, time: Duration) {
        self.documents += 1;
        self.delayed.push(Reverse((time, due.host, due.document)));
    }

    /// Sends no request to a host before a time.
    pub(crate) fn hold(&mut self, host: usize, until: Duration) {
        if let Some(host) = self.hosts.get_mut(host) {
            host.from = host.from.max(until);
        }
    }

    /// Sets the time between two requests to a host, if it is longer than the schedule's.
    pub(crate) fn set_interval(&mut self, host: usize, interval: Duration) {
        if let Some(host) = self.hosts.get_mut(host) {
            host.interval = interval.max(self.interval);
        }
    }

    /// Takes the next document to request. Its connection is in use until it is [released](Self::release).
    pub(crate) fn pop(&mut self, now: Duration) -> Option<Due> {
        while let Some(&Reverse((time, host, document))) = self.delayed.peek()
            && time <= now
        {
            self.delayed.pop();
            self.queue(Due { document, host });
        }
        while let Some(&Reverse((time, host))) = self.held.peek()
            && time <= now
        {
            self.held.pop();
            self.ready.push_back(host);
        }
        while let Some(number) = self.ready.pop_front() {
            let Some(host) = self.hosts.get_mut(number) else {
                continue;
            };
            if host.from > now {
                self.held.push(Reverse((host.from, number)));
                continue;
            }
            host.is_listed = false;
            let Some(document) = host.queue.pop_front() else {
                continue;
            };
            self.documents -= 1;
            host.in_flight += 1;
            host.from = now.saturating_add(host.interval);
            self.list(number);
            return Some(Due {
                document,
                host: number,
            });
        }
        None
    }

    /// Frees a connection.
    pub(crate) fn release(&mut self, host: usize) {
        if let Some(host) = self.hosts.get_mut(host) {
            host.in_flight = host.in_flight.saturating_sub(1);
        }
        self.list(host);
    }

    /// After [`pop`](Self::pop) returned nothing: the earliest time when it may return a document.
    pub(crate) fn next_time(&self) -> Option<Duration> {
        let held = self.held.peek().map(|Reverse((time, _))| *time);
        let delayed = self.delayed.peek().map(|Reverse((time, ..))| *time);
        [held, delayed].into_iter().flatten().min()
    }

    /// Returns `true` if there is no document to request.
    pub(crate) fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// Forgets every document; requests in flight keep their connections.
    pub(crate) fn clear_queues(&mut self) {
        self.documents = 0;
        self.ready.clear();
        self.held.clear();
        self.delayed.clear();
        for host in &mut self.hosts {
            host.queue.clear();
            host.is_listed = false;
        }
    }

    fn list(&mut self, number: usize) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        if !host.is_listed && !host.queue.is_empty() && host.in_flight < self.connections {
            host.is_listed = true;
            self.ready.push_back(number);
        }
    }
}

/// Times between tries: exponential, with jitter, so that clients that failed together do not retry together.
#[derive(Debug)]
pub(crate) struct Backoff {
    random: Rng,
}

impl Backoff {
    const FIRST: Duration = Duration::from_secs(1);
    const LONGEST: Duration = Duration::from_secs(60);

    pub(crate) fn new(seed: u64) -> Self {
        Backoff {
            random: Rng::with_seed(seed),
        }
    }

    /// The time before a try: half of 1 s, 2 s, 4 s, … (at most 60 s), and a random part of the other half.
    pub(crate) fn before_retry(&mut self, retry: u32) -> Duration {
        let longest = Self::FIRST
            .saturating_mul(1 << retry.saturating_sub(1).min(16))
            .min(Self::LONGEST);
        let half = longest / 2;
        half + half.mul_f64(self.random.f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn pushed(connections: usize, documents: &[(&str, usize)]) -> Schedule {
        let mut schedule = Schedule::new(connections, Duration::ZERO);
        for &(origin, document) in documents {
            let host = schedule.host(origin);
            schedule.push(Due { document, host });
        }
        schedule
    }

    fn pop(schedule: &mut Schedule, now: Duration) -> Vec<usize> {
        std::iter::from_fn(|| schedule.pop(now))
            .map(|due| due.document)
            .collect()
    }

    #[test]
    fn hosts_take_turns_within_their_connections() {
        let mut schedule = pushed(2, &[("a", 1), ("a", 2), ("a", 3), ("b", 4), ("b", 5)]);
        assert_eq!(pop(&mut schedule, Duration::ZERO), [1, 4, 2, 5]);
        assert_eq!(schedule.next_time(), None);
        schedule.release(0);
        assert_eq!(pop(&mut schedule, Duration::ZERO), [3]);
    }

    #[test]
    fn intervals_holds_and_delays() {
        let mut schedule = pushed(4, &[("a", 1), ("a", 2), ("a", 3)]);
        schedule.set_interval(0, SECOND);
        assert_eq!(pop(&mut schedule, Duration::ZERO), [1]);
        assert_eq!(schedule.next_time(), Some(SECOND));
        schedule.hold(0, 5 * SECOND);
        assert_eq!(pop(&mut schedule, SECOND), [0_usize; 0]);
        assert_eq!(schedule.next_time(), Some(5 * SECOND));
        assert_eq!(pop(&mut schedule, 5 * SECOND), [2]);
        schedule.push_at(Due { document: 9, host: 0 }, 20 * SECOND);
        assert_eq!(pop(&mut schedule, 6 * SECOND), [3]);
        assert_eq!(schedule.next_time(), Some(20 * SECOND));
        schedule.release(0);
        assert_eq!(pop(&mut schedule, 20 * SECOND), [9]);
    }

    /// Every host respects the schedule's interval, or its own if that is longer.
    #[test]
    fn the_minimum_interval() {
        let mut schedule = Schedule::new(4, SECOND);
        for (origin, document) in [("a", 1), ("a", 2), ("b", 3), ("b", 4)] {
            let host = schedule.host(origin);
            schedule.push(Due { document, host });
        }
        schedule.set_interval(0, SECOND / 2);
        schedule.set_interval(1, 3 * SECOND);
        assert_eq!(pop(&mut schedule, Duration::ZERO), [1, 3]);
        assert_eq!(schedule.next_time(), Some(SECOND));
        assert_eq!(pop(&mut schedule, SECOND), [2]);
        assert_eq!(pop(&mut schedule, 3 * SECOND), [4]);
    }

    #[test]
    fn backoff_grows_to_its_bound() {
        let mut backoff = Backoff::new(1);
        for (retry, longest) in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (u32::MAX, 60)] {
            let time = backoff.before_retry(retry);
            assert!(
                time >= longest * SECOND / 2 && time <= longest * SECOND,
                "{retry}: {time:?}"
            );
        }
        let times = |seed| {
            [
                Backoff::new(seed).before_retry(5),
                Backoff::new(seed).before_retry(5),
            ]
        };
        assert_eq!(times(7)[0], times(7)[1]);
        assert_ne!(times(7)[0], times(8)[0]);
    }
}

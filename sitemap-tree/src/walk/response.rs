//! The heads of responses.

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use super::Walk;
use crate::address::{self, Address};
use crate::budget::BudgetItem;
use crate::document::Ticket;
use crate::report::{Cause, Failure, Fate};
use crate::request::{Answer, Head, RequestId, Role};
use crate::schedule::Due;

/// The longest wait that a response may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// The longest pause of a host that a response may ask for.
const LONGEST_HOLD: Duration = Duration::from_secs(60);

impl Walk {
    /// Takes the head of a response, and returns what to do with its body.
    ///
    /// If the body is to be read, the request stays in flight until its outcome is [finished](Self::finish), or it
    /// [failed](Self::fail).
    pub fn respond(&mut self, id: RequestId, head: &Head, now: Duration) -> Answer {
        let Some(due) = self.flights.get(&id).map(|flight| flight.due) else {
            return Answer::Skip;
        };
        self.hosts.meet(head);
        self.nodes[due.document].status = NonZero::new(head.status);
        let address = Arc::clone(self.nodes[due.document].address());
        let has_cookie = self.cookies.set(&address, &head.cookies);
        match head.status {
            _ if head.has_document() => return Answer::Read(self.accept(id, due, head)),
            301 | 302 | 303 | 307 | 308 => {
                self.flights.remove(&id);
                self.schedule.release(due.host);
                match self.redirect(due.document, head, has_cookie) {
                    Ok(()) => return Answer::Redirect,
                    Err(fate) => self.end(due.document, fate),
                }
            }
            _ => {
                self.flights.remove(&id);
                self.refused(due, head, now);
            }
        }
        self.add_listed();
        Answer::Skip
    }

    /// Issues the ticket for a body.
    fn accept(&mut self, id: RequestId, due: Due, head: &Head) -> Ticket {
        let number = due.document;
        if self.is_of_site(number) {
            self.hosts.adopt(self.nodes[number].address());
        }
        if let Some(flight) = self.flights.get_mut(&id) {
            flight.validators = head.validators.clone();
        }
        let (settings, node) = (&self.settings, &self.nodes[number]);
        let decompressed_bytes = settings.budget.decompressed_bytes;
        Ticket {
            id,
            document_url: Arc::clone(&node.url),
            url: Arc::clone(node.address()),
            role: node.role,
            listers: self.listers(number),
            reader: settings.reader.clone(),
            filter: settings.filter.clone(),
            is_unwanted: self.is_unwanted(node),
            decompressed_bytes: decompressed_bytes.saturating_sub(self.progress.decompressed_bytes),
            documents: settings.budget.documents,
            url_bytes: settings.budget.url_bytes,
            content_length: head.content_length(),
            encodings: head.encodings.clone(),
            is_framed: head.content_length().is_some() || head.is_transfer_encoded,
            guesses: (node.role == Role::Guess).then(|| self.guesses.clone()),
            known_hash: node.known.as_ref().and_then(|known| known.hash),
            remaining: Arc::clone(&self.remaining),
        }
    }

    /// The addresses of the indexes above a document.
    fn listers(&self, number: usize) -> Vec<Address> {
        let mut listers = Vec::new();
        let mut at = number;
        // Each has fewer indexes above it than the one before, so this ends.
        while let Some(lister) = self.nodes.get(at).and_then(|node| node.lister)
            && let Some(node) = self.nodes.get(lister).filter(|node| node.role != Role::Robots)
            && listers.len() < 100
        {
            listers.push(Arc::clone(&node.url));
            listers.extend(node.target.clone());
            at = lister;
        }
        listers
    }

    /// Returns `true` if the document locates the site. A site that it redirects to counts as the start's.
    fn is_of_site(&self, number: usize) -> bool {
        match self.nodes[number].role {
            Role::Start | Role::Guess => true,
            // The robots.txt of another host is a file of this site.
            Role::Robots | Role::Named | Role::Child => false,
        }
    }

    /// Requests a document, and all others that wait at its address, at the redirect's target. The error is the fate of all.
    fn redirect(&mut self, number: usize, head: &Head, has_cookie: bool) -> Result<(), Fate> {
        let from = Arc::clone(self.nodes[number].address());
        let fail = |problem: String| Fate::Failed(Failure::Redirect(problem.into()));
        let Some(location) = &head.location else {
            if head.is_location_too_long {
                return Err(fail("the Location is longer than 8 KiB".to_owned()));
            }
            return Err(fail("the response has no valid Location".to_owned()));
        };
        let target = address::parse(location, Some(&from))
            .map_err(|problem| fail(format!("{} {problem}", address::shown(location))))?;
        if target == from && !has_cookie {
            return Err(fail("to itself".to_owned()));
        }
        if !self.use_address(&target) {
            return Err(Fate::Skipped(Cause::Budget(BudgetItem::UrlBytes)));
        }
        self.nodes[number].owns_url = false;
        if has_cookie || self.nodes[number].role == Role::Robots {
            let waiting = self.resources.forget(&from);
            let followed = self.follow(number, target);
            if followed.is_ok() {
                self.arrive(number, true);
            }
            for waiting in waiting {
                self.arrive(waiting, true);
            }
            return followed;
        }
        let waiting = self.resources.redirect(&from, &target);
        for number in [number].into_iter().chain(waiting) {
            self.arrive(number, true);
        }
        Ok(())
    }

    /// A response without a document.
    fn refused(&mut self, due: Due, head: &Head, now: Duration) {
        let number = due.document;
        let node = &self.nodes[number];
        let is_absent = match head.status {
            404 | 410 => true,
            408 | 429 => false,
            // RFC 9309 section 2.3.1: an empty file, or none.
            status => {
                node.role == Role::Robots && (matches!(status, 204 | 205) || (400..500).contains(&status))
            }
        };
        // The condition may be what the server cannot answer.
        let was_conditional = !node.validators().is_empty();
        if is_absent {
            self.schedule.release(due.host);
            self.end(number, Fate::Absent);
        } else if was_conditional && matches!(head.status, 400 | 412 | 500..=599) && head.status != 503 {
            self.nodes[number].is_unconditional = true;
            self.schedule.release(due.host);
            self.schedule.push_first(due);
        } else if head.status == 304 && was_conditional {
            self.schedule.release(due.host);
            self.be_unchanged(number);
        } else if matches!(head.status, 429 | 503) && self.may_retry(number) {
            self.be_busy(due, head, now);
        } else {
            self.retry_or_end(due, Failure::Status(head.status), now);
        }
    }

    /// Delays a document as its response asks, or fails it if the time is too long. After 429 the host pauses too, since it gets
    /// too many requests.
    fn be_busy(&mut self, due: Due, head: &Head, now: Duration) {
        self.schedule.release(due.host);
        let node = &mut self.nodes[due.document];
        node.is_unconditional = true;
        node.retries = node.retries.saturating_add(1);
        let backoff = self.backoff.before_retry(node.retries.into());
        let asked = head.retry_after().unwrap_or_default();
        let until = now.saturating_add(asked.saturating_add(backoff));
        let deadline = self
            .began
            .unwrap_or(now)
            .saturating_add(self.settings.budget.time);
        if asked > LONGEST_WAIT || !asked.is_zero() && until >= deadline {
            let failure = Failure::Busy {
                status: head.status,
                seconds: asked.as_secs(),
            };
            return self.end(due.document, Fate::Failed(failure));
        }
        if head.status == 429 {
            let hold = asked.saturating_add(backoff).min(LONGEST_HOLD);
            self.schedule.hold(due.host, now.saturating_add(hold));
        }
        self.schedule.push_at(due, until);
    }
}

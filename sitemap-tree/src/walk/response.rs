//! The heads of responses.

use std::sync::Arc;
use std::time::Duration;

use super::Walk;
use crate::address;
use crate::budget::BudgetItem;
use crate::document::Ticket;
use crate::report::{Cause, Failure, Fate};
use crate::request::{Answer, Head, RequestId, Role};
use crate::schedule::Due;

impl Walk {
    /// Says what the head of a response is, and returns what to do with its body.
    ///
    /// If it is to be read, the request is in flight until its outcome is [finished](Self::finish), or it [failed](Self::fail).
    pub fn respond(&mut self, id: RequestId, head: &Head, now: Duration) -> Answer {
        let Some(due) = self.flights.get(&id).map(|flight| flight.due) else {
            return Answer::Skip;
        };
        self.hosts.meet(head);
        match head.status {
            200 | 203 => return Answer::Read(self.accept(id, due, head)),
            301 | 302 | 303 | 307 | 308 => {
                self.flights.remove(&id);
                self.schedule.release(due.host);
                match self.redirect(due.document, head) {
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

    /// Has a body read.
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
            reader: settings.reader.clone(),
            limits: settings.limits.clone(),
            decompressed_bytes: decompressed_bytes.saturating_sub(self.progress.decompressed_bytes),
            documents: settings.budget.documents,
            address_bytes: settings.budget.address_bytes,
            content_length: head.content_length,
            encodings: head.encodings.clone(),
            is_framed: head.content_length.is_some() || head.is_transfer_encoded,
            known_hash: node.known.as_ref().and_then(|known| known.hash),
            remaining: Arc::clone(&self.remaining),
        }
    }

    /// Whether a document is one that the site is found by: where it redirects to counts as the site's.
    fn is_of_site(&self, number: usize) -> bool {
        match self.nodes[number].role {
            Role::Robots => number == 0,
            Role::Start | Role::Guess => true,
            Role::Named | Role::Child => false,
        }
    }

    /// Requests a document, and those that wait for the same address, at the address that it redirects to. The error is the fate of all.
    fn redirect(&mut self, number: usize, head: &Head) -> Result<(), Fate> {
        let from = Arc::clone(self.nodes[number].address());
        let fail = |problem: String| Fate::Failed(Failure::Redirect(problem.into()));
        let Some(location) = &head.location else {
            return Err(fail("the response has no valid Location".to_owned()));
        };
        let target = address::parse(location, Some(&from))
            .map_err(|problem| fail(format!("{} {problem}", address::shown(location))))?;
        if target == from {
            return Err(fail("to itself".to_owned()));
        }
        if !self.use_address(&target) {
            return Err(Fate::LeftOut(Cause::Budget(BudgetItem::AddressBytes)));
        }
        if self.nodes[number].role == Role::Robots {
            self.follow(number, target)?;
            self.arrive(number, true);
            return Ok(());
        }
        self.nodes[number].owns_url = false;
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
            status => node.role == Role::Robots && (400..500).contains(&status),
        };
        if is_absent {
            self.schedule.release(due.host);
            self.end(number, Fate::Absent);
        } else if head.status == 304 && !node.validators().is_empty() {
            self.schedule.release(due.host);
            self.be_unchanged(number);
        } else if matches!(head.status, 429 | 503) && self.may_retry(number) {
            // The host is busy: no request to it before it says so.
            self.schedule.release(due.host);
            let node = &mut self.nodes[number];
            node.retries += 1;
            let backoff = self.backoff.before_retry(node.retries);
            let wait = head
                .retry_after()
                .map_or(backoff, |wait| wait.saturating_add(backoff));
            self.schedule.hold(due.host, now.saturating_add(wait));
            self.schedule.push(due);
        } else {
            self.retry_or_end(due, Failure::Status(head.status), now);
        }
    }
}

//! A shop with a sitemap as a process of its own, and clients that do what clients do. Counted is what a loaded machine does not
//! change: queries, renderings, bytes, tasks, files, and time on a processor. Times are compared only with others of the same
//! run.
#![cfg(target_os = "linux")]

mod instances;
mod leaving;
mod many;
mod outages;
mod served;
mod slow;

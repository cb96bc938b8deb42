//! A shop with a sitemap as a process of its own, and clients that do what clients do. The tests count quantities that do not
//! depend on the machine's load: queries, renderings, bytes, tasks, files, and processor time. Times are compared only with
//! others of the same run.
#![cfg(target_os = "linux")]

mod instances;
mod leaving;
mod many;
mod outages;
mod served;
mod slow;

//! A shop with a sitemap as a separate process, and realistic clients. The tests count quantities that do not depend on the machine's load:
//! queries, renderings, bytes, tasks, files, and processor time. Times are only compared to other times in the same run.
#![cfg(target_os = "linux")]

mod instances;
mod leaving;
mod many;
mod outages;
mod served;
mod slow;

//! Reading, writing and editing sitemaps, side by side with the other libraries, in one run.
//!
//! ```text
//! cargo run --release -p sitemap-benches -- read
//! cargo run --release -p sitemap-benches -- write
//! cargo run --release -p sitemap-benches -- edit
//! ```
//!
//! Nothing after `--` means all. `write <candidate> <times>` repeats one candidate, for a profiler; so does
//! `read <candidate> <times>`, and `extended <candidate> <times>` on the file with extensions.

mod edit;
mod harness;
mod read;
mod write;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (section, what) = (arguments.next(), arguments.next());
    let times = arguments
        .next()
        .map_or(200, |times| times.parse().expect("a number of times"));
    match section.as_deref() {
        None => {
            read::run(None, false);
            write::run(None);
            edit::run(None);
        }
        Some("write") => write::run(what.as_deref().map(|name| (name, times))),
        Some(section @ ("read" | "extended")) => {
            read::run(what.as_deref().map(|name| (name, times)), section == "extended");
        }
        Some("edit") => edit::run(what.as_deref().map(|name| (name, times))),
        Some(section) => panic!("no section {section}: `read`, `extended`, `write` or `edit`"),
    }
}

//! Reading, writing and editing sitemaps, side by side with the other libraries, in one run.
//!
//! ```text
//! cargo run --release -p sitemap-benches -- read
//! cargo run --release -p sitemap-benches -- write
//! cargo run --release -p sitemap-benches -- edit
//! cargo run --release -p sitemap-benches -- shapes
//! cargo run --release -p sitemap-benches -- write-shapes
//! cargo run --release -p sitemap-benches -- set
//! cargo run --release -p sitemap-benches -- refused
//! cargo run --release -p sitemap-benches -- tree
//! ```
//!
//! Nothing after `--` means all. `write <candidate> <times>` repeats one candidate, for a profiler; so does
//! `read <candidate> <times>`, `extended <candidate> <times>` on the file with extensions, and
//! `shapes <shape> <candidate> <times>` and `write-shapes <shape> <candidate> <times>`. `shapes` reads documents of every shape
//! that is published, and with the variable `SITEMAP_SHARED` set the published files themselves. `set [entries]` writes sets of
//! files to the temporary folder, of 10,000,000 entries by default; `set <entries> plain`, `gzip` or `scripts` makes one
//! comparison, and `set <entries> <candidate>` runs one candidate once. `tree [documents]` walks a site that nginx serves; so
//! does the command, if it was built (`cargo build --release -p sitemap-cli`), and with the variable `SITEMAP_READERS` other
//! crawlers. `walk <site>` only walks it, and says how much memory that needs.

mod edit;
mod generated;
mod harness;
mod read;
mod refused;
mod set;
mod shapes;
mod tree;
mod write;
mod write_shapes;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (section, what) = (arguments.next(), arguments.next());
    if let Some(name @ ("shapes" | "write-shapes")) = section.as_deref() {
        let (candidate, times) = (arguments.next(), arguments.next());
        let times = times.and_then(|times| times.parse().ok()).unwrap_or(200);
        let repeat = what
            .as_deref()
            .zip(candidate.as_deref())
            .map(|(shape, name)| (shape, name, times));
        if name == "shapes" {
            shapes::run(repeat);
        } else {
            write_shapes::run(repeat);
        }
        return;
    }
    if section.as_deref() == Some("set") {
        let entries = what.map(|entries| entries.parse().expect("a number of entries"));
        return set::run(entries, arguments.next().as_deref());
    }
    if section.as_deref() == Some("walk") {
        return tree::walk(&what.expect("a site"));
    }
    if section.as_deref() == Some("tree") {
        return tree::run(what.map(|documents| documents.parse().expect("a number of documents")));
    }
    let times = arguments
        .next()
        .map_or(200, |times| times.parse().expect("a number of times"));
    match section.as_deref() {
        None => {
            read::run(None, false);
            write::run(None);
            edit::run(None);
            shapes::run(None);
            write_shapes::run(None);
            set::run(None, None);
            refused::run(None);
            tree::run(None);
        }
        Some("refused") => refused::run(what.as_deref().map(|name| (name, times))),
        Some("write") => write::run(what.as_deref().map(|name| (name, times))),
        Some(section @ ("read" | "extended")) => {
            read::run(what.as_deref().map(|name| (name, times)), section == "extended");
        }
        Some("edit") => edit::run(what.as_deref().map(|name| (name, times))),
        Some(section) => {
            panic!(
                "no section {section}: `read`, `extended`, `write`, `edit`, `shapes`, `write-shapes`, `refused`, `set` or `tree`"
            )
        }
    }
}

//! What is written to a set, and committed.

use sitemap_serde::UrlEntry;
use sitemap_site::{PartList, SitemapSet, TaskWriter};

fn commits_a_writer(set: &SitemapSet, writer: TaskWriter) {
    let _ = set.commit(writer);
}

fn commits_an_unfinished_list(set: &SitemapSet, list: sitemap_site::Result<PartList>) {
    let _ = set.commit(&[list]);
}

fn writes_without_a_key(writer: &mut TaskWriter) {
    let _ = writer.write(None::<i64>, &UrlEntry::new("/"));
}

fn writes_an_unsigned_key(writer: &mut TaskWriter) {
    let _ = writer.write(1_u64, &UrlEntry::new("/"));
}

fn does_not_open() {
    let set = SitemapSet::directory("public", "https://example.com");
    let _ = set.task_writer("pages", "all");
}

fn main() {}

//! The shop's sitemap on disk.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use sitemap_examples::progress::{Progress, counted};
use sitemap_serde::OnInvalid;
use sitemap_serde::SitemapEntry;
use sitemap_site::{PartList, SitemapSet};

use crate::database::Stock;
use crate::model::{Post, Product, StaticPage, posts, products};
use crate::sitemap;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The directory to write to, created if it does not exist. A web server serves DIR/current
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    stock: Stock,
    /// The public URL of the shop, such as https://example.com/shop
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:3000")]
    base: String,
    /// Compress the parts; their names then end in .xml.gz
    #[arg(long)]
    gzip: bool,
    /// Publish the sitemap even if it has less than half of its previous entries
    #[arg(long)]
    allow_shrinking: bool,
}

/// Writes the parts, and publishes them at once.
pub(crate) fn run(options: &Options) -> Result<()> {
    sitemap::check_base(&options.base)?;
    let set = SitemapSet::directory(&options.directory, &options.base)
        .gzip(options.gzip.then_some(6))
        .default_stylesheet(true)
        .allow_shrinking(options.allow_shrinking)
        .on_invalid(OnInvalid::SkipEntry)
        .open()?;
    let mut connection = options.stock.open()?.connect()?;
    let mut pages = set.task_writer("pages", "all")?;
    for page in StaticPage::ALL {
        pages.write(None, &page)?;
    }
    // One statement for each table, whose rows arrive one by one: a snapshot of the table, with one row in memory.
    let rows = posts::table
        .order(posts::id)
        .select(Post::as_select())
        .load_iter::<Post, DefaultLoadingMode>(&mut connection)?;
    let posts = write(&set, "posts", rows.map(|row| row.map(|post| (post.id, post))))?;
    let rows = products::table
        .order(products::id)
        .select(Product::as_select())
        .load_iter::<Product, DefaultLoadingMode>(&mut connection)?;
    let products = write(
        &set,
        "products",
        rows.map(|row| row.map(|product| (product.id, product))),
    )?;

    let summary = set.commit(&[pages.finish()?, posts, products])?;
    for reason in &summary.problems {
        eprintln!("skipped: {reason}");
    }
    println!(
        "{}: {summary}",
        options.directory.join("current/sitemap.xml").display()
    );
    match summary.skipped {
        0 => Ok(()),
        rows => bail!("the sitemap is written, without {}", counted(rows, "row")),
    }
}

/// A bad slug skips only its page. An unreadable row fails the export.
fn write<T: SitemapEntry>(
    set: &SitemapSet,
    section: &str,
    rows: impl Iterator<Item = QueryResult<(i64, T)>>,
) -> Result<PartList> {
    let mut writer = set.task_writer(section, "all")?;
    let mut progress = Progress::new(section, "row", None);
    for row in rows {
        let (id, row) =
            row.with_context(|| format!("cannot read the {section}; the sitemap stays as it was"))?;
        writer.write(id, &row)?;
        progress.step();
    }
    progress.finish();
    Ok(writer.finish()?)
}

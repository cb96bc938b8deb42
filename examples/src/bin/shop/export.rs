//! The shop's sitemap on disk.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_examples::progress::{Progress, counted};
use sitemap_examples::replace::replace;

use crate::database::Stock;
use crate::sitemap;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to write it; created if it is not there
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    stock: Stock,
    /// Where the shop is for the public, such as https://example.com/shop
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:3000")]
    base: String,
    /// Compress the parts; their names end in .xml.gz then
    #[arg(long)]
    gzip: bool,
}

/// Writes the parts first, the index last: whoever reads it finds what it lists.
pub(crate) fn run(options: &Options) -> Result<()> {
    let base = options.base.trim_end_matches('/');
    sitemap::check_base(base)?;
    let directory = options.directory.as_path();
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let mut connection = options.stock.open()?.connect()?;
    let parts = sitemap::parts(&mut connection)?;

    let suffix = if options.gzip { ".gz" } else { "" };
    let mut left_out = 0_u64;
    for summary in &parts {
        let part = summary.part;
        let name = format!("{part}{suffix}");
        let mut progress = Progress::new(&name, "URL", Some(summary.listed));
        let each = |row| match row {
            Ok(()) => progress.step(),
            Err(error) => {
                left_out += 1;
                progress.say(format_args!("{part}: left out: {error}"));
            }
        };
        write(&directory.join(&name), |file| {
            if options.gzip {
                let compressed = GzEncoder::new(file, Compression::default());
                part.write(&mut connection, base, compressed, each)?.finish()?;
            } else {
                part.write(&mut connection, base, file, each)?;
            }
            Ok(())
        })?;
        progress.finish();
    }
    write(&directory.join(sitemap::CSS_FILE), |file| {
        Ok(file.write_all(sitemap::CSS.as_bytes())?)
    })?;
    write(&directory.join(sitemap::INDEX_FILE), |file| {
        sitemap::write_index(&parts, base, suffix, file)?;
        Ok(())
    })?;

    println!("{}", directory.join(sitemap::INDEX_FILE).display());
    if left_out > 0 {
        bail!("the sitemap is written, without {}", counted(left_out, "row"));
    }
    Ok(())
}

fn write(place: &Path, content: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    replace(place, content).with_context(|| format!("cannot write {}", place.display()))
}

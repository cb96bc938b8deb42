//! A gate for a build: it ends with status 1 if a sitemap has an error. The arguments are files.

use std::fs;
use std::process::ExitCode;

use sitemap_serde::lint::{Linter, Severity};

fn main() -> std::io::Result<ExitCode> {
    let mut errors = 0;
    for name in std::env::args().skip(1) {
        for found in Linter::new().check(&fs::read(&name)?) {
            println!("{name}: {found}");
            errors += u32::from(found.severity() == Severity::Error);
        }
    }
    println!("{errors} found");
    Ok(ExitCode::from(u8::from(errors > 0)))
}

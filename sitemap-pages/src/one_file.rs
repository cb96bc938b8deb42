//! Errors of pages that do not fit into one file.

use sitemap_serde::__internal::{Advice, grouped};

use crate::error::{Error, ErrorKind};

/// Makes the error of pages that exceed a limit of one file.
pub(crate) fn too_large(pages: u64, most: u64, unit: &str) -> Error {
    let advice = write_set();
    let (pages, most) = (grouped(pages), grouped(most));
    let message =
        format!("{pages} pages do not fit into one file, which has at most {most} {unit}: {advice}");
    Error::new(ErrorKind::Output, message)
}

pub(crate) fn write_set() -> Advice {
    Advice::of_api(
        "Folder::write_set",
        "write a set of files with `Folder::write_set`",
    )
}

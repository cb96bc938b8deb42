//! Images of pages, as entries list them.

use std::slice;

use sitemap_serde::{Image, UrlEntry, to_string};

use crate::facts::PageFacts;
use crate::finding::{Finding, FindingKind};

/// The limit for one entry (P-IMG1).
const MOST: usize = 1000;

/// Returns the images of a page's entry. Images that a sitemap does not allow are findings.
pub(crate) fn listed(
    facts: &PageFacts,
    address: &str,
    file: &str,
    findings: &mut Vec<Finding>,
) -> Box<[Box<str>]> {
    // Nearly always, all are valid.
    if facts.images.len() <= MOST && refused(&facts.images, address).is_none() {
        return facts.images.clone();
    }
    let mut listed = Vec::new();
    let mut images = facts.images.iter();
    while listed.len() < MOST
        && let Some(image) = images.next()
    {
        match refused(slice::from_ref(image), address) {
            None => listed.push(image.clone()),
            Some(message) => findings.push(Finding::new(file, None, FindingKind::Refused, message)),
        }
    }
    if images.len() > 0 {
        let all = listed.len() + images.len();
        let message =
            format!("has {all} images, and an entry at most {MOST} (P-IMG1): the others are left out");
        findings.push(Finding::new(file, None, FindingKind::Images, message));
    }
    listed.into()
}

/// Returns the reason if the format of sitemaps does not allow one of the images.
fn refused(images: &[Box<str>], address: &str) -> Option<String> {
    let mut entry = UrlEntry::new(address);
    entry.images = images.iter().map(|image| Image::new(&**image)).collect();
    let error = to_string(&[entry]).err()?;
    Some(format!("the image {}: it is left out", error.problem()))
}

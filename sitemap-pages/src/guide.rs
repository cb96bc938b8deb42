//! Making the sitemap of a folder of pages: one guide for each task.

pub mod dates;
pub mod deploying;
pub mod static_sites;

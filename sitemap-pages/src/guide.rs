//! How to make the sitemap of a folder of pages: one page for each task.

pub mod dates;
pub mod deploying;
pub mod static_sites;

//! How to publish the sitemap of a site: a tutorial, and one page for each task.

#[cfg(feature = "serve")]
pub mod frameworks;
#[cfg(feature = "serve")]
pub mod operation;
#[cfg(feature = "serve")]
pub mod responses;
#[cfg(feature = "serve")]
pub mod serving;
pub mod sets;
#[cfg(feature = "serve")]
pub mod small;
#[cfg(feature = "serve")]
pub mod sources;
#[cfg(feature = "serve")]
pub mod tutorial;

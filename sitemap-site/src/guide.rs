//! How to publish the sitemap of a site, page by page.

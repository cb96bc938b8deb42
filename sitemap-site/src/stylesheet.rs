//! The stylesheet that ships with the crate.

/// A stylesheet and its file name, next to the sitemaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stylesheet {
    pub(crate) name: &'static str,
    pub(crate) content: &'static str,
}

/// A stylesheet for showing sitemaps in browsers: with titles, counts at the top, light and dark modes, also on phones. It is CSS, since
/// browsers are removing XSLT.
///
/// [`SetBuilder::default_stylesheet`](crate::SetBuilder::default_stylesheet) adds it to the files of a set, as `sitemap.css`.
pub const STYLESHEET: &str = include_str!("sitemap.css");

pub(crate) const SHIPPED: Stylesheet = Stylesheet {
    name: "sitemap.css",
    content: STYLESHEET,
};

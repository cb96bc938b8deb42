//! The stylesheet that ships with the crate.

/// A stylesheet, and the name of its file beside the sitemaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stylesheet {
    pub(crate) name: &'static str,
    pub(crate) content: &'static str,
}

/// The stylesheet that browsers show sitemaps with: titles, counts at the top, light and dark, for phones too. CSS, since browsers are
/// removing XSLT.
///
/// [`SetBuilder::stylesheet`](crate::SetBuilder::stylesheet) puts it beside the files of a set, as `sitemap.css`.
pub const STYLESHEET: &str = include_str!("sitemap.css");

pub(crate) const SHIPPED: Stylesheet = Stylesheet {
    name: "sitemap.css",
    content: STYLESHEET,
};

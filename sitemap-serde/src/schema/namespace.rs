//! The namespaces of the schema, and the display of their names.

/// P-NS: the URI of the sitemap's own namespace.
pub(crate) const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Prefix and URI of each extension's namespace, in the order of their declarations, for a program that writes the XML of entries
/// itself. A [`Writer`](crate::Writer) declares only the namespaces of its entries.
///
/// ```
/// use sitemap_serde::Reader;
/// use sitemap_serde::format::EXTENSIONS;
///
/// let declared: String = EXTENSIONS.iter().map(|(prefix, uri)| format!(" xmlns:{prefix}=\"{uri}\"")).collect();
/// let xml = format!(
///     r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"{declared}>
///   <url>
///     <loc>https://example.com/</loc>
///     <image:image><image:loc>https://example.com/lamp.jpg</image:loc></image:image>
///   </url>
/// </urlset>"#
/// );
/// let entry = Reader::from_str(&xml).entries().next().unwrap()?;
/// assert_eq!(entry.images[0].loc, "https://example.com/lamp.jpg");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub const EXTENSIONS: &[(&str, &str)] = &sitemap_values::schema::NAMESPACES;

/// A namespace, as far as this crate or the user knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namespace {
    /// No namespace at all.
    None,
    /// The sitemap schema's namespace, or one of its legacy spellings.
    Core,
    /// An extension's, by its number in [`EXTENSIONS`].
    Extension(u8),
    /// `xml:`
    Xml,
    /// A user namespace, by its index among those given to the builder.
    User(u8),
    /// An unknown namespace.
    Other,
}

impl Namespace {
    /// The namespace to look a name up in: no namespace counts as the core's.
    #[inline]
    pub(crate) fn schema(self) -> Self {
        if self == Namespace::None {
            Namespace::Core
        } else {
            self
        }
    }

    pub(crate) fn is_core(self) -> bool {
        self.schema() == Namespace::Core
    }

    /// Returns `true` if the schema has elements in it.
    pub(crate) fn is_schema(self) -> bool {
        matches!(self, Namespace::None | Namespace::Core | Namespace::Extension(_))
    }

    /// The prefix in a canonical name, if it is the same in every document.
    pub(crate) fn prefix(self) -> Option<&'static str> {
        Some(match self {
            Namespace::None | Namespace::Core => "",
            Namespace::Extension(i) => return EXTENSIONS.get(usize::from(i)).map(|(prefix, _)| *prefix),
            Namespace::Xml => "xml",
            Namespace::User(_) | Namespace::Other => return None,
        })
    }

    /// The extensions, in the order of their declarations.
    pub(crate) fn extensions() -> impl Iterator<Item = Self> {
        (0_u8..).take(EXTENSIONS.len()).map(Namespace::Extension)
    }

    /// The extension of a canonical prefix.
    pub(crate) fn of_prefix(prefix: &str) -> Option<Self> {
        Self::extensions().find(|extension| extension.prefix() == Some(prefix))
    }

    /// The URI that a namespace of the schema is declared with.
    pub(crate) fn uri(self) -> Option<&'static str> {
        match self {
            Namespace::Core => Some(CORE),
            Namespace::Extension(i) => EXTENSIONS.get(usize::from(i)).map(|(_, uri)| *uri),
            _ => None,
        }
    }
}

//! The namespaces of the schema, and how the names of each are shown.

/// What a namespace is to this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namespace {
    /// No namespace at all.
    None,
    /// The sitemap schema's, or one of its legacy spellings.
    Core,
    Image,
    Video,
    News,
    Xhtml,
    Mobile,
    Pagemap,
    /// `xml:`
    Xml,
    /// The user's own, by its index among those that the builder was given.
    User(u8),
    /// One that nobody knows.
    Other,
}

impl Namespace {
    /// The namespace that a name is looked up in: documents without any mean the core.
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

    /// The prefix in a canonical name, where it is the same in every document.
    pub(crate) fn prefix(self) -> Option<&'static str> {
        Some(match self {
            Namespace::None | Namespace::Core => "",
            Namespace::Image => "image",
            Namespace::Video => "video",
            Namespace::News => "news",
            Namespace::Xhtml => "xhtml",
            Namespace::Mobile => "mobile",
            Namespace::Pagemap => "pagemap",
            Namespace::Xml => "xml",
            Namespace::User(_) | Namespace::Other => return None,
        })
    }
}

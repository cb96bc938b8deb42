//! The names of the schema, as serde knows them: the canonical prefix and the local name, `@` before an attribute's.

use crate::xml::names::Namespace;

/// What an element is to somebody who does not know the type it is read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    /// An XSD decimal.
    Decimal,
    /// An XSD integer.
    Integer,
    /// `yes` or `no`.
    YesNo,
    /// Nothing: that it is there says it all.
    Flag,
    /// Text, any number of times.
    Texts,
    /// Attributes and children.
    Group,
    /// Attributes and children, any number of times.
    Groups,
}

impl Shape {
    pub(crate) fn is_group(self) -> bool {
        matches!(self, Shape::Group | Shape::Groups)
    }

    pub(crate) fn is_repeated(self) -> bool {
        matches!(self, Shape::Texts | Shape::Groups)
    }
}

/// The name of an element or attribute: one of the schema's, or one that only this record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(u16);

macro_rules! names {
    (
        elements { $($namespace:ident { $($element:ident $local:literal $name:literal $shape:ident;)* })* }
        attributes { $($attribute:ident $attribute_local:literal $attribute_name:literal $attribute_shape:ident;)* }
    ) => {
        #[repr(u16)]
        enum Index {
            $($($element,)*)*
            $($attribute,)*
            End,
        }

        static NAMES: [&str; Index::End as usize] = [$($($name,)*)* $($attribute_name,)*];

        static SHAPES: [Shape; Index::End as usize] = [$($(Shape::$shape,)*)* $(Shape::$attribute_shape,)*];

        #[expect(non_upper_case_globals, reason = "named as in the table")]
        impl Name {
            $($(pub(crate) const $element: Name = Name(Index::$element as u16);)*)*
            $(pub(crate) const $attribute: Name = Name(Index::$attribute as u16);)*
        }

        /// The elements of a namespace, for a message.
        fn elements_of(namespace: Namespace) -> &'static [&'static str] {
            match namespace {
                $(Namespace::$namespace => &[$($name),*],)*
                _ => &[],
            }
        }

        fn element(namespace: Namespace, local: &str) -> Option<Index> {
            Some(match namespace {
                $(Namespace::$namespace => match local {
                    $($local => Index::$element,)*
                    _ => return None,
                },)*
                _ => return None,
            })
        }

        fn attribute(local: &str) -> Option<Index> {
            Some(match local {
                $($attribute_local => Index::$attribute,)*
                _ => return None,
            })
        }
    };
}

names! {
    elements {
        Core {
            Loc "loc" "loc" Text;
            Lastmod "lastmod" "lastmod" Text;
            Changefreq "changefreq" "changefreq" Text;
            Priority "priority" "priority" Decimal;
        }
        Image {
            Image "image" "image:image" Groups;
            ImageLoc "loc" "image:loc" Text;
            ImageCaption "caption" "image:caption" Text;
            ImageGeoLocation "geo_location" "image:geo_location" Text;
            ImageTitle "title" "image:title" Text;
            ImageLicense "license" "image:license" Text;
        }
        Video {
            Video "video" "video:video" Groups;
            VideoThumbnailLoc "thumbnail_loc" "video:thumbnail_loc" Text;
            VideoTitle "title" "video:title" Text;
            VideoDescription "description" "video:description" Text;
            VideoContentLoc "content_loc" "video:content_loc" Text;
            VideoPlayerLoc "player_loc" "video:player_loc" Group;
            VideoDuration "duration" "video:duration" Integer;
            VideoExpirationDate "expiration_date" "video:expiration_date" Text;
            VideoRating "rating" "video:rating" Decimal;
            VideoContentSegmentLoc "content_segment_loc" "video:content_segment_loc" Groups;
            VideoViewCount "view_count" "video:view_count" Integer;
            VideoPublicationDate "publication_date" "video:publication_date" Text;
            VideoTag "tag" "video:tag" Texts;
            VideoCategory "category" "video:category" Text;
            VideoFamilyFriendly "family_friendly" "video:family_friendly" YesNo;
            VideoRestriction "restriction" "video:restriction" Group;
            VideoGalleryLoc "gallery_loc" "video:gallery_loc" Group;
            VideoPrice "price" "video:price" Groups;
            VideoRequiresSubscription "requires_subscription" "video:requires_subscription" YesNo;
            VideoUploader "uploader" "video:uploader" Group;
            VideoTvshow "tvshow" "video:tvshow" Group;
            VideoShowTitle "show_title" "video:show_title" Text;
            VideoVideoType "video_type" "video:video_type" Text;
            VideoEpisodeTitle "episode_title" "video:episode_title" Text;
            VideoSeasonNumber "season_number" "video:season_number" Integer;
            VideoEpisodeNumber "episode_number" "video:episode_number" Integer;
            VideoPremierDate "premier_date" "video:premier_date" Text;
            VideoPlatform "platform" "video:platform" Group;
            VideoLive "live" "video:live" YesNo;
            VideoId "id" "video:id" Groups;
        }
        News {
            News "news" "news:news" Group;
            NewsPublication "publication" "news:publication" Group;
            NewsName "name" "news:name" Text;
            NewsLanguage "language" "news:language" Text;
            NewsAccess "access" "news:access" Text;
            NewsGenres "genres" "news:genres" Text;
            NewsPublicationDate "publication_date" "news:publication_date" Text;
            NewsTitle "title" "news:title" Text;
            NewsKeywords "keywords" "news:keywords" Text;
            NewsStockTickers "stock_tickers" "news:stock_tickers" Text;
        }
        Xhtml {
            XhtmlLink "link" "xhtml:link" Groups;
        }
        Mobile {
            Mobile "mobile" "mobile:mobile" Flag;
        }
        Pagemap {
            PageMap "PageMap" "pagemap:PageMap" Group;
            PageMapTemplate "Template" "pagemap:Template" Group;
            PageMapDataObject "DataObject" "pagemap:DataObject" Groups;
            PageMapAttribute "Attribute" "pagemap:Attribute" Groups;
        }
    }
    attributes {
        Rel "rel" "@rel" Text;
        Hreflang "hreflang" "@hreflang" Text;
        Href "href" "@href" Text;
        Media "media" "@media" Text;
        Relationship "relationship" "@relationship" Text;
        AllowEmbed "allow_embed" "@allow_embed" YesNo;
        Autoplay "autoplay" "@autoplay" Text;
        Title "title" "@title" Text;
        DurationOf "duration" "@duration" Integer;
        Currency "currency" "@currency" Text;
        Type "type" "@type" Text;
        Resolution "resolution" "@resolution" Text;
        Info "info" "@info" Text;
        NameOf "name" "@name" Text;
        ValueOf "value" "@value" Text;
        IdOf "id" "@id" Text;
        Src "src" "@src" Text;
    }
}

impl Name {
    pub(crate) const LOC: Name = Name::Loc;
    pub(crate) const LASTMOD: Name = Name::Lastmod;
    pub(crate) const CHANGEFREQ: Name = Name::Changefreq;
    pub(crate) const PRIORITY: Name = Name::Priority;

    /// The number of names that the schema has.
    pub(crate) const KNOWN: usize = NAMES.len();

    /// How many of them are the core's.
    pub(crate) const CORE: usize = 4;

    /// The name of an element of the schema.
    #[inline]
    pub(crate) fn element(namespace: Namespace, local: &str) -> Option<Self> {
        element(namespace.schema(), local).map(|index| Name(index as u16))
    }

    /// The name of an attribute of the schema.
    pub(crate) fn attribute(local: &str) -> Option<Self> {
        attribute(local).map(|index| Name(index as u16))
    }

    /// The `i`-th name that only this record has; none if there are too many of them to tell apart.
    pub(crate) fn custom(i: usize) -> Option<Self> {
        u16::try_from(Self::KNOWN + i).ok().map(Name)
    }

    /// Below [`KNOWN`](Self::KNOWN) if the schema has it.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline]
    pub(crate) fn as_static(self) -> Option<&'static str> {
        NAMES.get(self.index()).copied()
    }

    /// Where it stands among the names of the schema, which are in the order in which they are written.
    pub(crate) fn rank(self) -> u16 {
        self.0
    }

    /// The namespace of an element; of an attribute none.
    pub(crate) fn namespace(self) -> Namespace {
        match self {
            _ if self.index() < Name::CORE => Namespace::Core,
            _ if self <= Name::ImageLicense => Namespace::Image,
            _ if self <= Name::VideoId => Namespace::Video,
            _ if self <= Name::NewsStockTickers => Namespace::News,
            Name::XhtmlLink => Namespace::Xhtml,
            Name::Mobile => Namespace::Mobile,
            _ if self <= Name::PageMapAttribute => Namespace::Pagemap,
            _ => Namespace::None,
        }
    }

    /// Whether an element of the schema has text of its own.
    pub(crate) fn has_text(self) -> bool {
        !matches!(
            self,
            Name::Image
                | Name::Video
                | Name::VideoTvshow
                | Name::News
                | Name::NewsPublication
                | Name::XhtmlLink
                | Name::Mobile
                | Name::PageMap
                | Name::PageMapTemplate
                | Name::PageMapDataObject
        )
    }

    /// The names of a namespace's elements.
    pub(crate) fn all_of(namespace: Namespace) -> &'static [&'static str] {
        elements_of(namespace)
    }

    /// The element that it is a child of; `None` if it stands in the entry.
    pub(crate) fn parent(self) -> Option<Name> {
        Some(match self {
            _ if self >= Name::ImageLoc && self <= Name::ImageLicense => Name::Image,
            _ if self >= Name::VideoShowTitle && self <= Name::VideoPremierDate => Name::VideoTvshow,
            _ if self >= Name::VideoThumbnailLoc && self <= Name::VideoId => Name::Video,
            Name::NewsName | Name::NewsLanguage => Name::NewsPublication,
            _ if self >= Name::NewsPublication && self <= Name::NewsStockTickers => Name::News,
            Name::PageMapTemplate | Name::PageMapDataObject => Name::PageMap,
            Name::PageMapAttribute => Name::PageMapDataObject,
            _ => return None,
        })
    }

    /// Whether the schema gives the element an attribute of that name.
    pub(crate) fn has_attribute(self, attribute: &str) -> bool {
        let attributes: &[&str] = match self {
            // XHTML has many.
            Name::XhtmlLink => return true,
            Name::VideoPlayerLoc => &["@allow_embed", "@autoplay"],
            Name::VideoContentSegmentLoc => &["@duration"],
            Name::VideoRestriction | Name::VideoPlatform => &["@relationship"],
            Name::VideoGalleryLoc => &["@title"],
            Name::VideoPrice => &["@currency", "@type", "@resolution"],
            Name::VideoUploader => &["@info"],
            Name::VideoId => &["@type"],
            Name::PageMapTemplate => &["@src"],
            Name::PageMapDataObject => &["@type", "@id"],
            Name::PageMapAttribute => &["@name", "@value"],
            _ => &[],
        };
        attributes.contains(&attribute)
    }

    /// `None` if the schema does not have it.
    #[inline]
    pub(crate) fn shape(self) -> Option<Shape> {
        SHAPES.get(self.index()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::names::split;

    #[test]
    fn every_name_is_found_by_its_parts() {
        let namespaces = [
            Namespace::Image,
            Namespace::Video,
            Namespace::News,
            Namespace::Xhtml,
            Namespace::Mobile,
            Namespace::Pagemap,
        ];
        for (i, name) in NAMES.iter().enumerate() {
            let found = if let Some(local) = name.strip_prefix('@') {
                Name::attribute(local)
            } else {
                let (prefix, local) = split(name);
                let namespace = namespaces
                    .into_iter()
                    .find(|namespace| namespace.prefix() == Some(prefix));
                Name::element(namespace.unwrap_or(Namespace::Core), local)
            };
            assert_eq!(found.map(Name::index), Some(i), "{name}");
        }
        assert_eq!(Name::element(Namespace::None, "loc"), Some(Name::LOC));
        assert_eq!(Name::element(Namespace::Other, "loc"), None);
    }
}

//! The names of the schema, as serde knows them: the canonical prefix and the local name, `@` before an attribute's.

use crate::xml::names::Namespace;

/// What an element is to somebody who does not know the type it is read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    /// An XSD decimal.
    Decimal,
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
        attributes { $($attribute:ident $attribute_local:literal $attribute_name:literal;)* }
    ) => {
        #[repr(u16)]
        enum Index {
            $($($element,)*)*
            $($attribute,)*
            End,
        }

        static NAMES: [&str; Index::End as usize] = [$($($name,)*)* $($attribute_name,)*];

        static SHAPES: [Shape; Index::End as usize] = [$($(Shape::$shape,)*)* $(names!(@text $attribute),)*];

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
    (@text $attribute:ident) => { Shape::Text };
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
            VideoDuration "duration" "video:duration" Decimal;
            VideoExpirationDate "expiration_date" "video:expiration_date" Text;
            VideoRating "rating" "video:rating" Decimal;
            VideoContentSegmentLoc "content_segment_loc" "video:content_segment_loc" Groups;
            VideoViewCount "view_count" "video:view_count" Decimal;
            VideoPublicationDate "publication_date" "video:publication_date" Text;
            VideoTag "tag" "video:tag" Texts;
            VideoCategory "category" "video:category" Text;
            VideoFamilyFriendly "family_friendly" "video:family_friendly" Text;
            VideoRestriction "restriction" "video:restriction" Group;
            VideoGalleryLoc "gallery_loc" "video:gallery_loc" Group;
            VideoPrice "price" "video:price" Groups;
            VideoRequiresSubscription "requires_subscription" "video:requires_subscription" Text;
            VideoUploader "uploader" "video:uploader" Group;
            VideoTvshow "tvshow" "video:tvshow" Group;
            VideoShowTitle "show_title" "video:show_title" Text;
            VideoVideoType "video_type" "video:video_type" Text;
            VideoEpisodeTitle "episode_title" "video:episode_title" Text;
            VideoSeasonNumber "season_number" "video:season_number" Decimal;
            VideoEpisodeNumber "episode_number" "video:episode_number" Decimal;
            VideoPremierDate "premier_date" "video:premier_date" Text;
            VideoPlatform "platform" "video:platform" Group;
            VideoLive "live" "video:live" Text;
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
            Mobile "mobile" "mobile:mobile" Text;
        }
        Pagemap {
            PageMap "PageMap" "pagemap:PageMap" Group;
            PageMapTemplate "Template" "pagemap:Template" Group;
            PageMapDataObject "DataObject" "pagemap:DataObject" Groups;
            PageMapAttribute "Attribute" "pagemap:Attribute" Groups;
        }
    }
    attributes {
        Rel "rel" "@rel";
        Hreflang "hreflang" "@hreflang";
        Href "href" "@href";
        Media "media" "@media";
        Relationship "relationship" "@relationship";
        AllowEmbed "allow_embed" "@allow_embed";
        Autoplay "autoplay" "@autoplay";
        Title "title" "@title";
        DurationOf "duration" "@duration";
        Currency "currency" "@currency";
        Type "type" "@type";
        Resolution "resolution" "@resolution";
        Info "info" "@info";
        NameOf "name" "@name";
        ValueOf "value" "@value";
        IdOf "id" "@id";
    }
}

impl Name {
    pub(crate) const LOC: Name = Name(Index::Loc as u16);
    pub(crate) const LASTMOD: Name = Name(Index::Lastmod as u16);
    pub(crate) const CHANGEFREQ: Name = Name(Index::Changefreq as u16);
    pub(crate) const PRIORITY: Name = Name(Index::Priority as u16);

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
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) fn as_static(self) -> Option<&'static str> {
        NAMES.get(self.index()).copied()
    }

    /// `None` if the schema does not have it.
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

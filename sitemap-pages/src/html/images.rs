//! The images that a page shows.

use super::attributes::Attributes;

/// Images below this width or height are icons, or pixels that count visits.
const SMALLEST: u32 = 33;

/// The addresses of a page's images, as written, in the order of the page.
#[derive(Debug, Default)]
pub(crate) struct Images {
    pub(crate) addresses: Vec<String>,
    /// The address from the open `picture`, for its `img`.
    picture: Option<String>,
}

impl Images {
    pub(crate) fn start_picture(&mut self, _: &Attributes) {
        self.picture = None;
    }

    /// Takes a `source`. The `img` after it shows the same image.
    pub(crate) fn source(&mut self, attributes: &Attributes) {
        if self.picture.is_none() {
            self.picture = largest_of(attributes);
        }
    }

    pub(crate) fn img(&mut self, attributes: &Attributes) {
        let picture = self.picture.take();
        if is_small(attributes) {
            return;
        }
        // If scripts load the images, `src` is a placeholder.
        let address = ["data-src", "src"]
            .into_iter()
            .find_map(|name| usable(&attributes.text(name)?))
            .or_else(|| largest_of(attributes))
            .or(picture);
        self.addresses.extend(address);
    }

    pub(crate) fn meta(&mut self, attributes: &Attributes) {
        let is_image = ["og:image", "og:image:url"]
            .iter()
            .any(|name| attributes.is("property", name) || attributes.is("name", name));
        if is_image {
            self.addresses
                .extend(attributes.text("content").and_then(|content| usable(&content)));
        }
    }
}

/// Returns `true` if the image is as small as an icon, by its attributes.
fn is_small(attributes: &Attributes) -> bool {
    ["width", "height"].iter().any(|name| {
        let size = attributes.text(name);
        let size = size.and_then(|size| size.trim().trim_end_matches("px").parse::<u32>().ok());
        size.is_some_and(|size| size < SMALLEST)
    })
}

/// Returns the address if it is a file's.
fn usable(address: &str) -> Option<String> {
    let address = address.trim();
    let is_data = address
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let is_icon = path
        .get(path.len().saturating_sub(4)..)
        .is_some_and(|end| end.eq_ignore_ascii_case(".ico"));
    (!address.is_empty() && !is_data && !is_icon).then(|| address.to_owned())
}

fn largest_of(attributes: &Attributes) -> Option<String> {
    ["data-srcset", "srcset"]
        .into_iter()
        .find_map(|name| usable(largest(&attributes.text(name)?)?))
}

/// Returns the address of the widest or densest image in a `srcset`.
fn largest(srcset: &str) -> Option<&str> {
    let is_end = |c: char| c == ',' || c.is_ascii_whitespace();
    let mut rest = srcset.trim_start_matches(is_end);
    let mut largest: Option<(f64, &str)> = None;
    while !rest.is_empty() {
        let (address, after) = rest
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((rest, ""));
        // A comma ends an address only as its last character. Such an address has no size.
        let (size, next) = match address.strip_suffix(',') {
            Some(_) => ("", after),
            None => after.split_once(',').unwrap_or((after, "")),
        };
        let size = size.trim().trim_end_matches(['w', 'x']).parse().unwrap_or(1.0);
        if largest.is_none_or(|(most, _)| size > most) {
            largest = Some((size, address.trim_end_matches(',')));
        }
        rest = next.trim_start_matches(is_end);
    }
    largest.map(|(_, address)| address)
}

#[cfg(test)]
mod tests {
    use super::largest;

    #[test]
    fn the_largest_of_several() {
        for (srcset, expected) in [
            ("a.jpg", Some("a.jpg")),
            ("a.jpg 1x, b.jpg 2x", Some("b.jpg")),
            ("a.jpg 800w,b.jpg 400w", Some("a.jpg")),
            ("\n a.jpg 1.5x , b.jpg", Some("a.jpg")),
            ("a.jpg, b.jpg 3x", Some("b.jpg")),
            ("w_1,h_2/a.jpg 2x, w_1,h_1/a.jpg 1x", Some("w_1,h_2/a.jpg")),
            ("data:image/png;base64,AA== 1x, b.jpg 2x", Some("b.jpg")),
            ("a.jpg wide", Some("a.jpg")),
            (",, ,", None),
            ("", None),
        ] {
            assert_eq!(largest(srcset), expected, "{srcset}");
        }
    }
}

//! The derive macros of [sitemap-serde](https://docs.rs/sitemap-serde). Use them from there, through the feature `derive`,
//! which is on by default.

mod ambiguity;
mod attr;
mod ctxt;
mod expand;
#[cfg(test)]
mod expansions;
mod fallback;
mod generics;
mod literal;
mod suggest;
mod template;
mod validate;

use proc_macro::TokenStream;
use syn::DeriveInput;

use crate::validate::Direction;

/// Makes a struct or an enum of yours an entry of a sitemap.
///
/// ```
/// use sitemap_serde::{SitemapEntry, WriterBuilder};
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/products/{slug}", changefreq = "weekly", priority = 0.8)]
/// struct Product {
///     id: u64, // not mentioned, so not in the sitemap
///     slug: String,
///     #[sitemap(lastmod)]
///     updated_at: Option<String>,
///     #[sitemap(exclude_if)]
///     draft: bool,
/// }
///
/// let product = Product {
///     id: 1,
///     slug: "blue shoes".to_owned(),
///     updated_at: Some("2024-05-06".to_owned()),
///     draft: false,
/// };
///
/// let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// writer.write(&product)?;
/// let xml = String::from_utf8(writer.finish()?).unwrap();
/// assert!(xml.contains(
///     "<url><loc>https://example.com/products/blue%20shoes</loc><lastmod>2024-05-06</lastmod>\
///      <changefreq>weekly</changefreq><priority>0.8</priority></url>"
/// ));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// Everything that the compiler can know is checked while it compiles: a priority out of range, a changefreq that does
/// not exist, 30 February, a template that names no field. All mistakes of a type are reported at once, each where it
/// is. The [list](#what-the-errors-mean) says what to do about each.
///
/// # The attributes
///
/// They may stand in one `#[sitemap(…)]` or in several. [`FromSitemapEntry`](macro@FromSitemapEntry) reads entries by the
/// same attributes.
///
/// | on a struct or variant | on its field | |
/// |---|---|---|
/// | `loc = "/products/{slug}"` | `loc` | [the address](#loc), which every entry needs |
/// | `lastmod = "2024-05-06"` | `lastmod` | [when it changed](#lastmod) |
/// | | `lastmod, utc` or `lastmod, offset = "+09:00"` | the same, from a date-time [without a zone](#a-date-time-without-a-zone) |
/// | `changefreq = "weekly"` | `changefreq` | [how often it changes](#changefreq-and-priority) |
/// | `priority = 0.8` | `priority` | [how important it is](#changefreq-and-priority) |
/// | | `…, default = 0.5` | what to write for a `priority` or `changefreq` that is `None` |
/// | | `…, with = path` | [a function](#with) that converts the field |
/// | | `…, from_with = path` | the function of the way back, for [`FromSitemapEntry`](macro@FromSitemapEntry#with-and-from_with) |
/// | `exclude_if = path`, `include_if = path` (a struct or enum) | `exclude_if`, `include_if`, or either `= path` | [whether it is listed](#exclude_if-and-include_if) |
/// | `crate = path` (a struct or enum) | | [where sitemap-serde is](#crate) |
///
/// # loc
///
/// A field, which holds a whole URL or a path. A path is appended to the writer's base. `String`, `&str`, `Cow<str>`,
/// `Box<str>`, `Arc<str>`, `Rc<str>`, `url::Url` (with the feature `url`) and an `Option` of each will do.
///
/// ```
/// # use sitemap_serde::{SitemapEntry, WriterBuilder};
/// # fn written(entry: &impl SitemapEntry) -> String {
/// #     let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// #     writer.write(entry).unwrap();
/// #     let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
/// #     xml.split_once("<url>").map_or("", |(_, rest)| rest.split_once("</url>").unwrap().0).to_owned()
/// # }
/// #[derive(SitemapEntry)]
/// struct Page {
///     #[sitemap(loc)]
///     url: String,
/// }
///
/// let page = Page { url: "https://example.com/about?lang=en&print".to_owned() };
/// assert_eq!(written(&page), "<loc>https://example.com/about?lang=en&amp;print</loc>");
/// ```
///
/// Or a template as in RFC 6570, up to its level 2. `{name}` is the value of the field `name`, with everything
/// percent-encoded that is not a letter, a digit or one of `-._~`. `{+name}` keeps what URLs reserve, `/` above all.
/// Any type with [`Display`](core::fmt::Display) will do. A tuple's fields are `{0}`, `{1}`, …; the field `r#type` is
/// `{type}`. A template begins with `/`, `http://`, `https://` or a `{+…}`. It is written as a URL is, not as XML: `&`,
/// never `&amp;`.
///
/// ```
/// # use sitemap_serde::{SitemapEntry, WriterBuilder};
/// # fn written(entry: &impl SitemapEntry) -> String {
/// #     let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// #     writer.write(entry).unwrap();
/// #     let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
/// #     xml.split_once("<url>").map_or("", |(_, rest)| rest.split_once("</url>").unwrap().0).to_owned()
/// # }
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/{+category}/{name}?page={page}&lang=en")]
/// struct Listing<'a> {
///     category: &'a str,
///     name: &'a str,
///     page: u32,
/// }
///
/// let listing = Listing { category: "shoes/summer", name: "50% & more", page: 2 };
/// assert_eq!(
///     written(&listing),
///     "<loc>https://example.com/shoes/summer/50%25%20%26%20more?page=2&amp;lang=en</loc>"
/// );
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/tags/{0}")]
/// struct Tag(String);
///
/// assert_eq!(written(&Tag("a/b".to_owned())), "<loc>https://example.com/tags/a%2Fb</loc>");
/// ```
///
/// An `Option` can stand in a template, too. Where it is `None` there is no address to write: such an entry is an error
/// when it is written, unless it is left out with `#[sitemap(exclude_if = Option::is_none)]` on the field.
///
/// # lastmod
///
/// A field: a `W3cDateTime`, a `SystemTime`, text (checked when it is written), or with the features `chrono`, `time`
/// and `jiff` a date or a date-time with a zone of theirs. An `Option` of each may be `None`, and then there is no
/// lastmod. Or a literal, for a page that changes when the program does:
///
/// ```
/// # use sitemap_serde::{SitemapEntry, WriterBuilder};
/// # fn written(entry: &impl SitemapEntry) -> String {
/// #     let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// #     writer.write(entry).unwrap();
/// #     let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
/// #     xml.split_once("<url>").map_or("", |(_, rest)| rest.split_once("</url>").unwrap().0).to_owned()
/// # }
/// use std::time::{Duration, SystemTime};
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/articles/{id}")]
/// struct Article {
///     id: u32,
///     #[sitemap(lastmod)]
///     changed: SystemTime,
/// }
///
/// let article = Article { id: 7, changed: SystemTime::UNIX_EPOCH + Duration::from_secs(1_715_000_000) };
/// assert_eq!(
///     written(&article),
///     "<loc>https://example.com/articles/7</loc><lastmod>2024-05-06T12:53:20Z</lastmod>"
/// );
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/imprint", lastmod = "2024-05")]
/// struct Imprint;
///
/// assert_eq!(written(&Imprint), "<loc>https://example.com/imprint</loc><lastmod>2024-05</lastmod>");
/// ```
///
/// ## A date-time without a zone
///
/// A lastmod with a time has a zone. chrono's `NaiveDateTime`, time's `PrimitiveDateTime` and jiff's `civil::DateTime`
/// have none, so say which one the values are in. Databases often give such values; it is best to know what they mean.
///
/// ```
/// # use sitemap_serde::{SitemapEntry, WriterBuilder};
/// # fn written(entry: &impl SitemapEntry) -> String {
/// #     let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// #     writer.write(entry).unwrap();
/// #     let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
/// #     xml.split_once("<url>").map_or("", |(_, rest)| rest.split_once("</url>").unwrap().0).to_owned()
/// # }
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/products/{slug}")]
/// struct Product {
///     slug: String,
///     #[sitemap(lastmod, offset = "+09:00")] // or: utc
///     updated_at: chrono::NaiveDateTime,
/// }
///
/// let product = Product { slug: "shoes".to_owned(), updated_at: "2024-05-06T07:08:09".parse().unwrap() };
/// assert_eq!(
///     written(&product),
///     "<loc>https://example.com/products/shoes</loc><lastmod>2024-05-06T07:08:09+09:00</lastmod>"
/// );
/// ```
///
/// # changefreq and priority
///
/// Literals, or paths of constants: a `ChangeFreq`, and an `f32` or `f64` from 0.0 to 1.0, which is checked in const
/// evaluation. Or fields: a `ChangeFreq`, its text, or a type of yours with `ToChangeFreq`; a `Priority`, an `f32` or an
/// `f64`. An `Option` of each may be `None`, and `default = …` is what to write then.
///
/// ```
/// # use sitemap_serde::{SitemapEntry, WriterBuilder};
/// # fn written(entry: &impl SitemapEntry) -> String {
/// #     let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// #     writer.write(entry).unwrap();
/// #     let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
/// #     xml.split_once("<url>").map_or("", |(_, rest)| rest.split_once("</url>").unwrap().0).to_owned()
/// # }
/// use sitemap_serde::ChangeFreq;
///
/// const HIGH: f32 = 0.9;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/", changefreq = "daily", priority = HIGH)]
/// struct Home;
///
/// assert_eq!(
///     written(&Home),
///     "<loc>https://example.com/</loc><changefreq>daily</changefreq><priority>0.9</priority>"
/// );
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/products/{id}")]
/// struct Product {
///     id: u32,
///     #[sitemap(changefreq)]
///     frequency: Option<ChangeFreq>,
///     #[sitemap(priority, default = 0.3)]
///     boost: Option<f32>,
/// }
///
/// assert_eq!(
///     written(&Product { id: 1, frequency: None, boost: None }),
///     "<loc>https://example.com/products/1</loc><priority>0.3</priority>"
/// );
/// ```
///
/// # with
///
/// The path of a function that takes a reference to the field. What it returns is used as a field of that type would
/// be. Beside `loc`, `lastmod`, `changefreq` or `priority` it converts for that; alone, for the template that names the
/// field.
///
/// ```
/// # use sitemap_serde::{SitemapEntry, WriterBuilder};
/// # fn written(entry: &impl SitemapEntry) -> String {
/// #     let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// #     writer.write(entry).unwrap();
/// #     let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
/// #     xml.split_once("<url>").map_or("", |(_, rest)| rest.split_once("</url>").unwrap().0).to_owned()
/// # }
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/{name}")]
/// struct Product {
///     #[sitemap(with = slug)]
///     name: String,
///     #[sitemap(priority, with = share)]
///     percent: u8,
/// }
///
/// fn slug(name: &str) -> String {
///     name.to_lowercase().replace(' ', "-")
/// }
///
/// fn share(percent: &u8) -> f32 {
///     f32::from(*percent) / 100.0
/// }
///
/// let product = Product { name: "Blue Shoes".to_owned(), percent: 75 };
/// assert_eq!(written(&product), "<loc>https://example.com/blue-shoes</loc><priority>0.75</priority>");
/// ```
///
/// # exclude_if and include_if
///
/// An entry that is not listed is passed over when a sitemap is written. Alone they stand on a bool field; with the path
/// of a function they ask it, with a reference to the field or, on the type, to the whole value. All conditions have to
/// hold.
///
/// ```
/// use sitemap_serde::SitemapEntry;
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/products/{slug}", exclude_if = Self::is_test)]
/// struct Product {
///     #[sitemap(exclude_if = str::is_empty)]
///     slug: String,
///     #[sitemap(include_if)]
///     public: bool,
///     #[sitemap(include_if = Option::is_some)]
///     price: Option<u32>,
/// }
///
/// impl Product {
///     fn is_test(&self) -> bool {
///         self.slug.starts_with("test-")
///     }
/// }
///
/// let mut product = Product { slug: "shoes".to_owned(), public: true, price: Some(20) };
/// assert!(product.is_listed());
/// product.slug = "test-shoes".to_owned();
/// assert!(!product.is_listed());
/// ```
///
/// # Enums
///
/// A variant with attributes is a page of its own: without fields a static page, with fields as a struct. A variant with
/// one unnamed field and no attributes is the entry inside, with its own `is_listed`.
///
/// ```
/// # use sitemap_serde::{SitemapEntry, WriterBuilder};
/// # fn written(entry: &impl SitemapEntry) -> String {
/// #     let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// #     writer.write(entry).unwrap();
/// #     let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
/// #     xml.split_once("<url>").map_or("", |(_, rest)| rest.split_once("</url>").unwrap().0).to_owned()
/// # }
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/products/{0}")]
/// struct Product(u32);
///
/// #[derive(SitemapEntry)]
/// enum Page {
///     #[sitemap(loc = "/about", lastmod = "2024-05-06")]
///     About,
///     Product(Product),
///     #[sitemap(loc = "/tags/{0}", changefreq = "daily")]
///     Tag(String),
///     #[sitemap(loc = "/blog/{slug}")]
///     Post {
///         slug: String,
///         #[sitemap(exclude_if)]
///         draft: bool,
///     },
/// }
///
/// assert_eq!(written(&Page::About), "<loc>https://example.com/about</loc><lastmod>2024-05-06</lastmod>");
/// assert_eq!(written(&Page::Product(Product(1))), "<loc>https://example.com/products/1</loc>");
/// assert!(!Page::Post { slug: "soon".to_owned(), draft: true }.is_listed());
/// ```
///
/// # Generics
///
/// A type parameter that is used needs what its use needs, and the implementation asks for that: `Product<T>` with
/// `loc = "/{0}"` is an entry where `T: Display`. Parameters of fields that are not used are left alone.
///
/// # crate
///
/// Generated code finds the library as `::sitemap_serde`. If it is there under another name, or only through a crate of
/// yours, say where:
///
/// ```
/// mod facade {
///     pub use sitemap_serde as sitemaps;
/// }
///
/// #[derive(facade::sitemaps::SitemapEntry)]
/// #[sitemap(crate = facade::sitemaps, loc = "/")]
/// struct Home;
/// ```
///
/// # What the errors mean
///
/// The id in parentheses at the end of many messages is that of the format's rule.
///
/// | the error says | what to do |
/// |---|---|
/// | … has no loc | write a template above the type or variant, or `#[sitemap(loc)]` on the field that holds the address |
/// | a second `loc` (`lastmod`, `changefreq`, `priority`) | an entry has one of each; for a value that stands in for `None`, write `default = …` beside the field |
/// | `{slg}` names no field | correct the name; only fields of the same struct or variant can be named, and a tuple's are numbers |
/// | … names no field: write the field's name | `{}` is not filled in by order: write `{slug}` or `{0}` |
/// | … has a brace inside braces, … has no `}`, there is a `}` without a `{` | a placeholder is `{slug}`; a brace of the URL itself is `%7B` or `%7D` |
/// | … has a space in it, … is not a placeholder | nothing but the name stands in the braces |
/// | … is a level 3 operator of RFC 6570, … has a modifier, … begins with an operator that RFC 6570 reserves | write the text around it yourself, `?page={page}`; format a value with `with` |
/// | … names more than one field, … is a path | one name in each pair of braces; `with` on the field reaches into its value |
/// | … is not a placeholder here | `:slug` and `<slug>` are routers' notations: write `{slug}` |
/// | … is neither a path nor a URL, an empty template is no URL | begin with `/`, `http://`, `https://` or `{+…}` |
/// | the template begins with `{url}`, whose `:` and `/` would be percent-encoded | write `{+url}` for a whole URL, `/{url}` for a path |
/// | … is not the beginning of a loc, … begins with `//`, … has no host (has a port that is none, …) | sitemaps list pages of `http://` and `https://`, with a host, and a port to 65535 |
/// | a space (or another character) cannot stand in a URL, `%` in a URL is followed by two hexadecimal digits | percent-encode it: `%20`, `%25` |
/// | `&amp;` is escaped for XML already | write `&`; escaping is the writer's work |
/// | the segment `..` resolves away | write the path without it |
/// | the template's text alone makes … characters | a loc has at most 2,048 |
/// | … is not a priority | a number from 0.0 to 1.0, without exponent, quotes or sign |
/// | … is not a changefreq | always, hourly, daily, weekly, monthly, yearly or never |
/// | … is not a W3C Datetime | `2024`, `2024-05`, `2024-05-06` or `2024-05-06T07:08:09Z`, on a day that there was |
/// | … is not an offset | `+hh:mm` or `-hh:mm`; for UTC write `utc` |
/// | … is not a key of `#[sitemap(…)]` | the message names the nearest one, or all |
/// | … does not belong on a struct (an enum, a variant, a field) | the message says where it belongs |
/// | … is given twice, … beside …, … are two zones | keep one |
/// | … stands alone, … needs a value, … takes a string literal (a path, no bool) | write it as in the [table](#the-attributes) |
/// | `with` (`from_with`) converts a value that is not written (to a value that is not read) | put `lastmod` or another key beside it, or name the field in the template |
/// | `utc` (`offset`) goes with `lastmod`, `default` goes with `priority` or `changefreq` | put them on one field |
/// | a union cannot be a sitemap entry, … has no variants | derive for a struct, or for an enum with a variant |
/// | … cannot be a loc (a lastmod, a changefreq, a priority) | the field's type is none of those above: convert it with `with` |
/// | … cannot stand in a template's placeholder | implement `Display`, or convert with `with` |
/// | … is not a naive date-time | `utc` and `offset` are only for types without a zone: leave them out |
/// | … is not a bool | give `exclude_if` or `include_if` a function: `exclude_if = path` |
/// | … is no entry of a sitemap | a newtype variant's field needs `#[derive(SitemapEntry)]`, or the variant attributes |
#[proc_macro_derive(SitemapEntry, attributes(sitemap))]
pub fn derive_sitemap_entry(input: TokenStream) -> TokenStream {
    match syn::parse::<DeriveInput>(input) {
        Ok(input) => derive(&input, Direction::Write).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

/// Makes a struct or an enum of yours what an entry of a sitemap can be read as: [`SitemapEntry`](macro@SitemapEntry)
/// backwards, by the same attributes.
///
/// ```
/// use sitemap_serde::{FromSitemapEntry, ReaderBuilder, SitemapEntry, WriterBuilder};
///
/// #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
/// #[sitemap(loc = "/products/{id}-{slug}", changefreq = "weekly")]
/// struct Product {
///     id: u64,
///     slug: String,
///     #[sitemap(lastmod)]
///     updated_at: Option<chrono::DateTime<chrono::Utc>>,
///     #[sitemap(priority, default = 0.5)]
///     boost: f32,
///     #[sitemap(exclude_if)]
///     draft: bool,
///     stock: u32, // the sitemap says nothing about it
/// }
///
/// let product = Product {
///     id: 7,
///     slug: "50% off & more".to_owned(),
///     updated_at: Some("2024-05-06T07:08:09Z".parse().unwrap()),
///     boost: 0.8,
///     draft: false,
///     stock: 12,
/// };
/// let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
/// writer.write(&product)?;
/// let xml = String::from_utf8(writer.finish()?).unwrap();
///
/// let mut reader = ReaderBuilder::new().base("https://example.com").from_str(&xml);
/// let read: Vec<Product> = reader.read().collect::<Result<_, _>>()?;
/// assert_eq!(read, [Product { stock: 0, ..product }]);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// | attribute | what is read |
/// |---|---|
/// | `loc` on a field | [the whole loc](#loc), as it stands |
/// | `loc = "/products/{slug}"` | [the placeholders](#templates): the loc has to match |
/// | `lastmod`, `changefreq`, `priority` on a field | [the value](#lastmod-changefreq-and-priority) |
/// | `lastmod = "2024-05-06"` and the like | nothing: it says what is written, not what is expected |
/// | `lastmod, utc` or `lastmod, offset = "+09:00"` | the local time there |
/// | `…, default = 0.5` | what a document means that has no `priority` or `changefreq` |
/// | `…, from_with = path` | [a function](#with-and-from_with) that converts to the field |
/// | bare `exclude_if`, `include_if` on a bool | `false`, `true`: what is in a sitemap is listed |
/// | `exclude_if = path`, `include_if = path` | nothing |
/// | none | [`Default`](#fields-that-the-sitemap-says-nothing-about) |
/// | `crate = path` | where sitemap-serde is, as for `SitemapEntry` |
///
/// # loc
///
/// A `String`, `Cow<str>`, `Box<str>`, `Arc<str>`, `Rc<str>`, `url::Url` (with the feature `url`), or an `Option` of each,
/// which is never `None`. It is the whole URL, also where a path was written and a base put in front of it.
///
/// ```
/// # use sitemap_serde::{FromSitemapEntry, Reader};
/// #[derive(FromSitemapEntry)]
/// struct Page {
///     #[sitemap(loc)]
///     url: String,
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/?a=1&amp;b=2</loc></url>
/// </urlset>"#;
/// let page: Page = Reader::from_str(xml).read().next().unwrap()?;
/// assert_eq!(page.url, "https://example.com/?a=1&b=2");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Templates
///
/// A template that begins with `/` has to match what follows the reader's
/// [base](../sitemap_serde/struct.ReaderBuilder.html#method.base), or if it has none, what follows the host, whatever the
/// host. Any other template has to match the whole loc. Text matches as URLs do: `%C3%A9`, `%c3%a9` and `é` are the same,
/// `%2F` and `/` are not.
///
/// The text of `{name}` is percent-decoded. It has no `/`, `?` or `#` in it, so it ends with its segment at the latest.
/// Any type with [`FromStr`](core::str::FromStr) will do, and `Cow<str>`, `Box<str>`, `Arc<str>` and `Rc<str>`; an
/// `Option` of each is never `None`. `{+name}` may hold anything, and is left as it stands: only a value that was encoded
/// already comes back as it was written.
///
/// ```
/// # use sitemap_serde::{FromSitemapEntry, Reader};
/// #[derive(FromSitemapEntry, Debug)]
/// #[sitemap(loc = "/{+category}/{year}-{month}/{name}.html?page={page}")]
/// struct Listing {
///     category: String,
///     year: u16,
///     month: u8,
///     name: String,
///     page: u32,
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/a/b%20c/2024-05/d%20e.html?page=2</loc></url>
///   <url><loc>https://example.com/a/2024-05/b.html?page=two</loc></url>
///   <url><loc>https://example.com/about</loc></url>
/// </urlset>"#;
/// let mut reader = Reader::from_str(xml);
/// let mut listings = reader.read::<Listing>();
/// let listing = listings.next().unwrap()?;
/// assert_eq!((listing.category.as_str(), listing.name.as_str()), ("a/b%20c", "d e"));
/// assert_eq!((listing.year, listing.month, listing.page), (2024, 5, 2));
///
/// assert_eq!(
///     listings.next().unwrap().unwrap_err().to_string(),
///     "`two` is no value of `{page}`: invalid digit found in string, at line 3, column 13 (byte 151), entry 2 · loc"
/// );
/// let error = listings.next().unwrap().unwrap_err().to_string();
/// assert!(error.contains("`.html?page=` has to come behind `{name}`, and `about` has none"), "{error}");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// A loc has to tell where each placeholder ends, or the template does not compile. It does if something stands between
/// two placeholders that no value can hold: a `/`, `?`, `&`, `=` or another of RFC 3986's reserved characters. One `{+…}`
/// may be among them. A `-` or `.` will do behind a number, and in front of one without a sign: where the field's type is
/// called `u32`, `i64`, `NonZeroU8` or the like.
///
/// # lastmod, changefreq and priority
///
/// A lastmod is read as a `W3cDateTime`, a `SystemTime`, text, or with the features `chrono`, `time` and `jiff` a date or a
/// date-time with a zone of theirs; a changefreq as a `ChangeFreq`, text, or a type of yours with `FromChangeFreq`; a
/// priority as a `Priority`, an `f32` or an `f64`. An `Option` of each is `None` where the element is absent or empty. For
/// other types its absence is an error, unless a `default` stands in.
///
/// ```
/// # use sitemap_serde::{FromSitemapEntry, Reader};
/// use sitemap_serde::ChangeFreq;
///
/// #[derive(FromSitemapEntry, PartialEq, Debug)]
/// #[sitemap(loc = "/{id}")]
/// struct Page {
///     id: u32,
///     #[sitemap(lastmod, offset = "+09:00")]
///     changed: Option<chrono::NaiveDateTime>,
///     #[sitemap(changefreq, default = "monthly")]
///     frequency: ChangeFreq,
///     #[sitemap(priority)]
///     boost: Option<f64>,
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/1</loc><lastmod>2024-05-06T00:00:00Z</lastmod></url>
/// </urlset>"#;
/// let page: Page = Reader::from_str(xml).read().next().unwrap()?;
/// assert_eq!(page.changed, Some("2024-05-06T09:00:00".parse().unwrap()));
/// assert_eq!((page.frequency, page.boost), (ChangeFreq::Monthly, None));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # with and from_with
///
/// A field that is written through `with = path` is read through `from_with = path`. For a `loc` and for a placeholder the
/// function takes a `&str`, decoded; for the other three it takes what a field could be, such as an
/// `Option<W3cDateTime>` or an `f32`. It returns the field's value, or a `Result` with it and an error that can be
/// displayed. A generic function is given with its types, `parse::<u8>`. A field that the template names is read from
/// there, so a `with` for its lastmod needs no way back.
///
/// ```
/// # use sitemap_serde::{FromSitemapEntry, Reader};
/// use std::num::ParseIntError;
/// use sitemap_serde::SitemapEntry;
///
/// #[derive(SitemapEntry, FromSitemapEntry)]
/// #[sitemap(loc = "/p/{id}")]
/// struct Product {
///     #[sitemap(with = hex, from_with = of_hex)]
///     id: u32,
///     #[sitemap(priority, with = share, from_with = percent)]
///     percent: u8,
/// }
///
/// fn hex(id: &u32) -> String {
///     format!("{id:x}")
/// }
///
/// fn of_hex(text: &str) -> Result<u32, ParseIntError> {
///     u32::from_str_radix(text, 16)
/// }
///
/// fn share(percent: &u8) -> f32 {
///     f32::from(*percent) / 100.0
/// }
///
/// fn percent(priority: f32) -> u8 {
///     (priority * 100.0).round() as u8
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/p/ff</loc><priority>0.75</priority></url>
/// </urlset>"#;
/// let product: Product = Reader::from_str(xml).read().next().unwrap()?;
/// assert_eq!((product.id, product.percent), (255, 75));
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # Fields that the sitemap says nothing about
///
/// come from their type's `Default`. A bool with a bare `exclude_if` is `false` and one with a bare `include_if` is
/// `true`, since the entry is listed.
///
/// # Enums
///
/// The variants are tried in order, and the first that the loc matches is the value: a unit variant by its literal loc,
/// one with fields by its template, a newtype variant without attributes if its inner type reads the entry. What is wrong
/// beside the loc is an error at once, and no reason to try the next variant. `UrlEntry`, or a variant with
/// `#[sitemap(loc)]` on a field, takes any loc that is left.
///
/// ```
/// # use sitemap_serde::{FromSitemapEntry, Reader, UrlEntry};
/// #[derive(FromSitemapEntry, PartialEq, Debug)]
/// enum Page {
///     #[sitemap(loc = "/")]
///     Home,
///     #[sitemap(loc = "/posts/{0}")]
///     Numbered(u32),
///     #[sitemap(loc = "/posts/{slug}")]
///     Post { slug: String },
///     Other(UrlEntry),
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/</loc></url>
///   <url><loc>https://example.com/posts/7</loc></url>
///   <url><loc>https://example.com/posts/seven</loc></url>
///   <url><loc>https://example.com/about</loc></url>
/// </urlset>"#;
/// let pages: Vec<Page> = Reader::from_str(xml).read().collect::<Result<_, _>>()?;
/// assert_eq!(
///     pages,
///     [
///         Page::Home,
///         Page::Numbered(7),
///         Page::Post { slug: "seven".to_owned() },
///         Page::Other(UrlEntry::new("https://example.com/about")),
///     ]
/// );
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
///
/// # What the errors mean
///
/// Those that `SitemapEntry` has too are explained [there](macro@SitemapEntry#what-the-errors-mean).
///
/// | the error says | what to do |
/// |---|---|
/// | nothing stands between `{a}` and `{b}`, `-` may stand in `{a}` and in `{b}` too | put a `/` between them; of two `{+…}` write one without the `+`; a number needs an integer's type, not an alias |
/// | `with` converts the field's value when it is written, and `FromSitemapEntry` needs the way back | put `from_with = path` beside it |
/// | `from_with` converts to a value that is not read | put `lastmod` or another key beside it, or name the field in the template |
/// | … is never read, since … | give the variant another template, or move the variant that takes everything to the end |
/// | … has no default, and the sitemap says nothing about this field | implement `Default`, make the field an `Option`, or map it |
/// | a template's placeholder cannot be read as … | implement `FromStr`, or convert with `from_with`; text is a `String` or a `Cow<str>`, not a `&str` |
/// | a loc (a lastmod, a changefreq, a priority) cannot be read as … | the field's type is none of those above: convert it with `from_with` |
/// | … is not what the field holds | the `from_with` function returns another type than the field's, or an error without `Display` |
/// | … cannot be read from an entry of a sitemap | a newtype variant's field needs `#[derive(FromSitemapEntry)]`, or the variant attributes |
///
/// And when entries are read:
///
/// | the error says | what to do |
/// |---|---|
/// | … does not match the template …: its path does not begin with … (is …, does not end with …) | the entry is of another kind: read an enum with a variant for each kind, or pass over such errors |
/// | … it is not under the reader's base | the loc is on another site than `ReaderBuilder::base` says, or outside of its path |
/// | … holds no `/`, and … does | a `{name}` is one segment; write `{+name}` for a path |
/// | … is no value of `{name}` | the text does not parse as the field's type, is not UTF-8, or says something else in another place of the loc |
/// | … matches no variant of … | add a last variant that takes the rest, `Other(UrlEntry)` |
/// | no `lastmod` (`changefreq`, `priority`), and the field … cannot be without one | make the field an `Option`, or give it a `default` |
#[proc_macro_derive(FromSitemapEntry, attributes(sitemap))]
pub fn derive_from_sitemap_entry(input: TokenStream) -> TokenStream {
    match syn::parse::<DeriveInput>(input) {
        Ok(input) => derive(&input, Direction::Read).into(),
        Err(error) => error.into_compile_error().into(),
    }
}

fn derive(input: &DeriveInput, direction: Direction) -> proc_macro2::TokenStream {
    let cx = ctxt::Ctxt::new();
    let (derivation, krate) = validate::derivation(&cx, input, direction);
    let krate_path = krate.as_ref().and_then(|given| given.value.as_ref().ok());
    match (cx.check(), derivation) {
        (Ok(()), Ok(derivation)) => match direction {
            Direction::Write => expand::expand(input, &derivation, krate_path),
            Direction::Read => expand::expand_read(input, &derivation, krate_path),
        },
        (Err(errors), _) => match &krate {
            // Whoever renames the crate may not have it under its own name.
            Some(attr::Given { value: Err(_), .. }) => errors.to_compile_error(),
            _ => fallback::fallback(input, direction, krate_path, &errors),
        },
        (Ok(()), Err(ctxt::Reported)) => {
            let message = "the derive refuses this type without saying why; please report it";
            syn::Error::new_spanned(&input.ident, message).to_compile_error()
        }
    }
}

#[cfg(test)]
mod tests {
    use syn::{DeriveInput, parse_quote};

    use super::derive;
    use crate::validate::Direction;

    const BOTH: [(Direction, &str); 2] = [
        (Direction::Write, "SitemapEntry"),
        (Direction::Read, "FromSitemapEntry"),
    ];

    /// Where the library has another name, nothing may use the usual one.
    #[test]
    fn a_renamed_crate_is_not_named() {
        let right: DeriveInput = parse_quote! {
            #[sitemap(crate = renamed, exclude_if = f, include_if = g)]
            enum Page<T> {
                #[sitemap(loc = "/", lastmod = "2024", changefreq = "daily", priority = 0.5)]
                Home,
                #[sitemap(loc = "/{+a}/{b}", changefreq = OFTEN, priority = HIGH)]
                Template { a: T, #[sitemap(with = f, from_with = g)] b: u8, #[sitemap(lastmod, utc)] c: u8, #[sitemap(exclude_if)] d: T },
                Fields(
                    #[sitemap(loc, with = f, from_with = g)] T,
                    #[sitemap(lastmod)] T,
                    #[sitemap(changefreq, default = "daily")] T,
                    #[sitemap(priority, default = 0.5, exclude_if = f)] T,
                ),
                Inside(T),
                Plain(#[sitemap(loc, with = f, from_with = g)] T, #[sitemap(changefreq)] T, #[sitemap(priority)] T),
            }
        };
        let wrong: DeriveInput = parse_quote! {
            #[sitemap(crate = renamed)]
            struct Page;
        };
        for (input, error) in [(right, false), (wrong, true)] {
            for (direction, name) in BOTH {
                let code = derive(&input, direction).to_string();
                assert_eq!(code.contains("compile_error"), error, "{code}");
                assert!(
                    code.contains("impl") && code.contains(&format!("renamed :: {name} for Page")),
                    "{code}"
                );
                assert!(!code.contains("sitemap_serde"), "{code}");
            }
        }
    }

    /// Without knowing where the library is, an implementation would only add errors.
    #[test]
    fn an_unreadable_crate_path_leaves_the_errors_alone() {
        let input = parse_quote! {
            #[sitemap(loc = "/", crate = 5)]
            struct Page;
        };
        for (direction, _) in BOTH {
            let code = derive(&input, direction).to_string();
            assert!(code.contains("compile_error") && !code.contains("impl"), "{code}");
        }
    }

    /// Whatever stands in the attributes, there is code or an error, and never a panic.
    #[test]
    fn any_tokens_are_taken_or_refused() {
        const PARTS: [&str; 23] = [
            "loc",
            "lastmod",
            "priority",
            "with",
            "from_with",
            "default",
            "utc",
            "offset",
            "crate",
            "x",
            "=",
            ",",
            "-",
            "::",
            "::x",
            "\"/\"",
            "\"é\"",
            "0.5",
            "5",
            "(x)",
            "[=]",
            "|a| b",
            "'a'",
        ];
        let mut tried = 0;
        for a in PARTS {
            for b in PARTS {
                for c in PARTS {
                    for source in [
                        format!("#[sitemap({a} {b} {c})] struct S {{ x: u8 }}"),
                        format!("enum E {{ #[sitemap({a} {b})] A(#[sitemap({c})] u8) }}"),
                        format!("#[sitemap(loc = \"/\")] struct S(#[sitemap({a} {b} {c})] u8);"),
                    ] {
                        // Not everything that can be put together is Rust.
                        if let Ok(input) = syn::parse_str::<DeriveInput>(&source) {
                            for (direction, _) in BOTH {
                                assert!(!derive(&input, direction).is_empty(), "{source}");
                            }
                            tried += 1;
                        }
                    }
                }
            }
        }
        assert!(tried > 20_000, "{tried}");
    }
}

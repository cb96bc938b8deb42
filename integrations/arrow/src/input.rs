//! The input of a reader of batches.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// One document to read, and its name for the column `source`.
///
/// ```
/// use sitemap_arrow::Input;
///
/// let file = Input::path("public/sitemap-1.xml.gz");
/// assert_eq!(file.name(), "public/sitemap-1.xml.gz");
/// let fetched = Input::bytes("https://example.com/sitemap.xml", "<urlset …");
/// let stream = Input::reader("standard input", std::io::stdin());
/// ```
pub struct Input {
    name: String,
    content: Content,
}

enum Content {
    Path(PathBuf),
    Reader(Box<dyn Read + Send>),
}

impl Input {
    /// A file, opened when the reader reaches it. Its name is the path.
    pub fn path(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        Input {
            name: path.display().to_string(),
            content: Content::Path(path.to_owned()),
        }
    }

    /// A stream.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Input {
            name: name.into(),
            content: Content::Reader(Box::new(reader)),
        }
    }

    /// A document in memory: the record of a crawl, with its URL as the name.
    pub fn bytes(name: impl Into<String>, bytes: impl AsRef<[u8]> + Send + 'static) -> Self {
        Input::reader(name, Cursor::new(bytes))
    }

    /// Replaces the name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The name, for the column `source` of each of its entries. In a lenient reading, relative locs are resolved against it if it
    /// is a URL.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn open(self) -> (String, io::Result<Box<dyn Read + Send>>) {
        let opened = match self.content {
            Content::Path(path) => File::open(path).map(|file| Box::new(file) as Box<dyn Read + Send>),
            Content::Reader(reader) => Ok(reader),
        };
        (self.name, opened)
    }
}

/// A file.
impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        Input::path(path)
    }
}

/// A file.
impl From<&Path> for Input {
    fn from(path: &Path) -> Self {
        Input::path(path)
    }
}

/// A document in memory with its URL or another name.
impl<N: Into<String>, B: AsRef<[u8]> + Send + 'static> From<(N, B)> for Input {
    fn from((name, bytes): (N, B)) -> Self {
        Input::bytes(name, bytes)
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

//! A type's own base and encoding: `base = …` and `encoding = …`.

use crate::entry::{EntryReader, EntryWriter};

pub use crate::loc::Mount;

/// Writes the entry's URLs with its type's base and encoding.
pub fn mount(entry: &mut EntryWriter<'_>, mount: &'static Mount) {
    entry.mount(mount);
}

/// Reads the entry's URLs with its type's base and encoding.
pub fn mounted<'r>(entry: &EntryReader<'r>, mount: &'static Mount) -> EntryReader<'r> {
    entry.mounted(mount)
}

/// The name of an encoding other than UTF-8, in a `const`.
#[cfg(feature = "encoding")]
pub const fn encoding(name: &'static str) -> Option<&'static str> {
    Some(name)
}

/// The name of an encoding other than UTF-8, in a `const`. Without the feature `encoding` there is none.
///
/// # Panics
/// Always, at compile time.
#[cfg(not(feature = "encoding"))]
pub const fn encoding(_: &'static str) -> Option<&'static str> {
    panic!(
        "`encoding = …` needs sitemap-serde's feature `encoding`, without which UTF-8 is the only one that is known (P-LOCENC): turn it \
         on in Cargo.toml, `features = [\"encoding\"]`"
    )
}

#[cfg(all(test, not(feature = "encoding")))]
mod tests {
    #[test]
    #[should_panic(expected = "needs sitemap-serde's feature `encoding`")]
    fn an_encoding_names_its_feature() {
        let _ = super::encoding("EUC-JP");
    }
}

//! Content of files whose names say whether they are compressed.

use std::io;

/// The uncompressed content of a file that is compressed if its name ends in `.gz`; an error beyond `most` bytes.
pub(crate) fn inflate(name: &str, content: Vec<u8>, most: u64) -> io::Result<Vec<u8>> {
    if !has_gzip_name(name) {
        return Ok(content);
    }
    #[cfg(feature = "gzip")]
    {
        use std::io::Read;
        let mut plain = Vec::new();
        flate2::read::MultiGzDecoder::new(content.as_slice())
            .take(most.saturating_add(1))
            .read_to_end(&mut plain)?;
        if plain.len() as u64 > most {
            return Err(io::Error::other(format!(
                "{name} has more than {} bytes, uncompressed",
                sitemap_serde::__internal::grouped(most)
            )));
        }
        Ok(plain)
    }
    #[cfg(not(feature = "gzip"))]
    {
        let _ = most;
        Err(io::Error::other(format!(
            "{name} is compressed, and the feature `gzip` is off"
        )))
    }
}

/// Compresses content if the file's name ends in `.gz`.
pub(crate) fn deflate(name: &str, content: Vec<u8>, level: u32) -> io::Result<Vec<u8>> {
    if !has_gzip_name(name) {
        return Ok(content);
    }
    #[cfg(feature = "gzip")]
    {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
        encoder.write_all(&content)?;
        encoder.finish()
    }
    #[cfg(not(feature = "gzip"))]
    {
        let _ = level;
        Err(io::Error::other(format!(
            "{name} is compressed, and the feature `gzip` is off"
        )))
    }
}

fn has_gzip_name(name: &str) -> bool {
    name.rsplit('.').next() == Some("gz")
}

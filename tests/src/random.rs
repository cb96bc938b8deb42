//! Pseudorandom numbers that are the same in every run, and readers that return pieces.

use std::io::{self, Read};

/// A xorshift generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts a sequence. The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `bound`, or 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).unwrap_or_default() % bound.max(1)
    }
}

/// A reader that returns this number of bytes at a time.
#[derive(Debug)]
pub struct Chunks<'a> {
    rest: &'a [u8],
    size: usize,
}

impl<'a> Chunks<'a> {
    /// Makes a reader of `document`.
    pub fn new(document: &'a [u8], size: usize) -> Self {
        Chunks { rest: document, size }
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let size = self.size.min(into.len());
        self.rest.read(&mut into[..size])
    }
}

//! Decompression of a stream that keeps all text before damaged data.

use std::io::{self, Read, Write};

use flate2::write::GzDecoder;

use super::{Failure, read_once};

/// Compressed bytes read at a time.
const BLOCK: usize = 8 << 10;
/// The first byte of a member (RFC 1952 section 2.3.1).
const MAGIC: u8 = 0x1F;

/// Decompresses the members of a gzip file (P-GZIP, RFC 1952 section 2.2) one after another.
///
/// flate2's readers drop the text that they decompressed in the same step as damaged data; its writers keep it. With
/// its writers, therefore, text and error do not depend on the sizes of the reads.
pub(super) struct Gunzip<R> {
    compressed: R,
    block: Vec<u8>,
    used: usize,
    filled: usize,
    /// `None` between members.
    member: Option<GzDecoder<Vec<u8>>>,
    /// `true` if all members were read, so that only padding may follow.
    is_padding: bool,
    /// Decompressed text, and how much of it was handed out.
    text: Vec<u8>,
    given: usize,
    /// The number of bytes that may still be decompressed.
    room: u64,
    most: u64,
    ended: bool,
    /// The failure to report after the text.
    failure: Option<Failure>,
    /// The error of the first member with a wrong checksum.
    checksum: Option<io::Error>,
}

impl<R> Gunzip<R> {
    pub(super) fn compressed(&self) -> &R {
        &self.compressed
    }

    pub(super) fn compressed_mut(&mut self) -> &mut R {
        &mut self.compressed
    }

    pub(super) fn into_compressed(self) -> R {
        self.compressed
    }
}

impl<R: Read> Gunzip<R> {
    pub(super) fn new(compressed: R, most: u64) -> Self {
        Gunzip {
            compressed,
            block: vec![0; BLOCK],
            used: 0,
            filled: 0,
            member: None,
            is_padding: false,
            text: Vec::new(),
            given: 0,
            // The last byte that is allowed leaves one.
            room: most.saturating_add(1),
            most,
            ended: false,
            failure: None,
            checksum: None,
        }
    }

    /// Reads decompressed bytes; 0 at the end, and after a failure.
    pub(super) fn read(&mut self, into: &mut [u8]) -> Result<usize, Failure> {
        loop {
            let rest = self.text.get(self.given..).unwrap_or_default();
            if !rest.is_empty() {
                let len = rest.len().min(into.len());
                into[..len].copy_from_slice(&rest[..len]);
                self.given += len;
                return Ok(len);
            }
            self.text.clear();
            self.given = 0;
            match self.failure.take() {
                Some(failure) => return Err(failure),
                None if self.ended => return Ok(0),
                None => {}
            }
            let step = self.step();
            let is_over = self.room == 0 && step.is_ok();
            let step = if is_over {
                Err(Failure::TooLarge(self.most))
            } else {
                step
            };
            if let Err(failure) = step {
                self.ended = true;
                self.failure = Some(failure);
                self.take_text();
            }
        }
    }

    /// Decompresses the next piece.
    fn step(&mut self) -> Result<(), Failure> {
        if self.used == self.filled && !self.fill()? {
            self.ended = true;
            return self.end();
        }
        let data = self.block.get(self.used..self.filled).unwrap_or_default();
        // Tapes and mirrors pad files with zeros, and gzip(1) accepts that.
        self.is_padding |= self.member.is_none() && data.first() == Some(&0);
        if self.is_padding && data.iter().all(|b| *b == 0) {
            self.used = self.filled;
            return Ok(());
        }
        if self.is_padding || self.member.is_none() && data.first() != Some(&MAGIC) {
            return Err(self.checksum.take().map_or(Failure::Trailing, Failure::Checksum));
        }
        let member = self.member.get_or_insert_with(|| GzDecoder::new(Vec::new()));
        let used = member.write(data).map_err(Failure::Damaged)?;
        self.used += used;
        if used == 0 {
            // The data of the member has ended as it should, so all of its text is there.
            let checked = member.try_finish();
            self.checksum = self.checksum.take().or(checked.err());
        }
        self.take_text();
        if used == 0 {
            self.member = None;
        }
        Ok(())
    }

    /// Reads compressed bytes; `false` at the end.
    fn fill(&mut self) -> Result<bool, Failure> {
        self.used = 0;
        self.filled = 0;
        self.filled = read_once(&mut self.compressed, &mut self.block)?;
        Ok(self.filled > 0)
    }

    /// Ends the data: the last member is complete, or was truncated.
    fn end(&mut self) -> Result<(), Failure> {
        let Some(member) = &mut self.member else {
            return self
                .checksum
                .take()
                .map_or(Ok(()), |error| Err(Failure::Checksum(error)));
        };
        if member.header().is_none() {
            return Err(Failure::CutOffGzip);
        }
        member.flush().map_err(Failure::Damaged)?;
        self.take_text();
        let Some(member) = &mut self.member else {
            return Ok(());
        };
        // A complete member accepts no more bytes.
        if !matches!(member.write(&[0]), Ok(0)) {
            self.member = None;
            return Err(Failure::CutOffGzip);
        }
        let checked = member.try_finish();
        let wrong = self.checksum.take().or(checked.err());
        wrong.map_or(Ok(()), |error| Err(Failure::Checksum(error)))
    }

    /// Takes the text that the member has decompressed so far, damaged or not.
    fn take_text(&mut self) {
        if let Some(member) = &mut self.member {
            if self.failure.is_some() {
                // `try_finish` hands out its remaining text, and then repeats the failure, which is known.
                let _ = member.try_finish();
            }
            let text = member.get_mut();
            self.room = self.room.saturating_sub(text.len() as u64);
            self.text.append(text);
        }
    }
}

//! Sixteen bytes that are compared at once.
//!
//! A comparison results in one bit for each byte, so the positions of all matches are known at once. The compiler vectorizes a loop
//! over bytes by itself, but does not use the instruction that collects these bits.
//!
//! **One vector instruction by hand**. The compiler vectorises loops over bytes, but does not use the instruction that collects one bit
//! from each of sixteen compared bytes. With it, the bit sets for `<` and for special characters take about 80 instructions per 64 bytes,
//! where a bytewise loop took 147 for one of the two, and a comparison of text takes one instruction where two words took six. `safe_arch`
//! makes it available to safe code on x86-64. It is part of SSE2, which every such processor has, so there is no detection at run time; the
//! crate has no dependencies and builds in 0.5 s. Other processors use plain Rust, which a test compares with it. `wide` (4.7 s to build)
//! and `fearless_simd` (5.2 s) could process more bytes at once, but would save less than a tenth of a plain entry's instructions.

use std::ops::BitOr;

#[cfg(not(target_arch = "x86_64"))]
use portable as instructions;
#[cfg(target_arch = "x86_64")]
use sse2 as instructions;

/// The number of bytes in a block.
pub(crate) const LEN: usize = 16;

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(crate) struct Block(instructions::Bytes);

/// Some of the sixteen.
#[derive(Clone, Copy)]
pub(crate) struct Found(instructions::Bytes);

impl Block {
    #[inline(always)]
    pub(crate) fn new(bytes: &[u8; LEN]) -> Self {
        Block(instructions::load(bytes))
    }

    /// The bytes that are `b`.
    #[inline(always)]
    pub(crate) fn equal(self, b: u8) -> Found {
        Found(instructions::equal(self.0, b))
    }

    /// The bytes that are the same in both.
    #[inline(always)]
    pub(crate) fn same(self, other: Self) -> Found {
        Found(instructions::same(self.0, other.0))
    }

    /// The bytes that are `b` or less.
    #[inline(always)]
    pub(crate) fn at_most(self, b: u8) -> Found {
        Found(instructions::at_most(self.0, b))
    }

    /// The bytes, each with these bits set.
    #[inline(always)]
    pub(crate) fn with(self, bits: u8) -> Self {
        Block(instructions::with(self.0, bits))
    }

    /// The bytes, each less `by`, wrapping.
    #[inline(always)]
    pub(crate) fn less(self, by: u8) -> Self {
        Block(instructions::less(self.0, by))
    }
}

impl BitOr for Found {
    type Output = Found;

    #[inline(always)]
    fn bitor(self, other: Found) -> Found {
        Found(instructions::either(self.0, other.0))
    }
}

impl Found {
    /// A bit for each byte, the first byte's the lowest.
    #[inline(always)]
    pub(crate) fn bits(self) -> u16 {
        instructions::bits(self.0)
    }
}

/// The offset of the first byte of a text that `find` finds in its block.
#[inline]
pub(crate) fn position(text: &[u8], find: impl Fn(Block) -> Found) -> Option<usize> {
    let (blocks, rest) = text.as_chunks::<LEN>();
    for (i, block) in blocks.iter().enumerate() {
        let bits = find(Block::new(block)).bits();
        if bits != 0 {
            return Some(i * LEN + bits.trailing_zeros() as usize);
        }
    }
    if rest.is_empty() {
        return None;
    }
    if let Some(last) = text.last_chunk::<LEN>() {
        // It overlaps the previous block, where nothing was found.
        let bits = find(Block::new(last)).bits();
        return (bits != 0).then(|| text.len() - LEN + bits.trailing_zeros() as usize);
    }
    let bits = find(Block::new(&padded(rest))).bits() & !(u16::MAX << rest.len());
    (bits != 0).then(|| bits.trailing_zeros() as usize)
}

/// Returns `true` if `find` finds every byte of a text in its block.
#[inline]
pub(crate) fn all(text: &[u8], find: impl Fn(Block) -> Found) -> bool {
    let (blocks, rest) = text.as_chunks::<LEN>();
    blocks
        .iter()
        .all(|block| find(Block::new(block)).bits() == u16::MAX)
        && match text.last_chunk::<LEN>() {
            _ if rest.is_empty() => true,
            Some(last) => find(Block::new(last)).bits() == u16::MAX,
            None => find(Block::new(&padded(rest))).bits() | (u16::MAX << rest.len()) == u16::MAX,
        }
}

/// The blocks of a text; the last one is padded with zeros.
#[inline]
pub(crate) fn blocks(text: &[u8]) -> impl Iterator<Item = Block> {
    let (blocks, rest) = text.as_chunks::<LEN>();
    let last = (!rest.is_empty()).then(|| padded(rest));
    let whole = blocks.iter().map(Block::new);
    whole.chain(last.into_iter().map(|last| Block::new(&last)))
}

/// Fewer bytes than a block has, and zeros.
#[inline]
fn padded(bytes: &[u8]) -> [u8; LEN] {
    // The bytes that both halves have are the same in both.
    let whole = if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        let last = u128::from(u64::from_le_bytes(*last));
        u128::from(u64::from_le_bytes(*first)) | last << (8 * (bytes.len() - 8))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last));
        u128::from(u64::from(u32::from_le_bytes(*first)) | last << (8 * (bytes.len() - 4)))
    } else {
        let at = |i: usize| u128::from(bytes.get(i).copied().unwrap_or_default()) << (8 * i);
        at(0) | at(1) | at(2)
    };
    whole.to_le_bytes()
}

/// SSE2, which every such processor has.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use safe_arch::{
        bitor_m128i, cmp_eq_mask_i8_m128i, load_unaligned_m128i, m128i, min_u8_m128i, move_mask_i8_m128i,
        set_splat_i8_m128i, sub_i8_m128i,
    };

    pub(super) type Bytes = m128i;

    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Bytes {
        load_unaligned_m128i(bytes)
    }

    #[inline(always)]
    pub(super) fn equal(bytes: Bytes, b: u8) -> Bytes {
        cmp_eq_mask_i8_m128i(bytes, all(b))
    }

    #[inline(always)]
    pub(super) fn same(one: Bytes, other: Bytes) -> Bytes {
        cmp_eq_mask_i8_m128i(one, other)
    }

    #[inline(always)]
    pub(super) fn at_most(bytes: Bytes, b: u8) -> Bytes {
        cmp_eq_mask_i8_m128i(min_u8_m128i(bytes, all(b)), bytes)
    }

    #[inline(always)]
    pub(super) fn with(bytes: Bytes, bits: u8) -> Bytes {
        bitor_m128i(bytes, all(bits))
    }

    #[inline(always)]
    pub(super) fn less(bytes: Bytes, by: u8) -> Bytes {
        sub_i8_m128i(bytes, all(by))
    }

    #[inline(always)]
    pub(super) fn either(one: Bytes, other: Bytes) -> Bytes {
        bitor_m128i(one, other)
    }

    #[inline(always)]
    pub(super) fn bits(found: Bytes) -> u16 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it has sixteen bits"
        )]
        let bits = move_mask_i8_m128i(found) as u16;
        bits
    }

    #[inline(always)]
    fn all(b: u8) -> Bytes {
        set_splat_i8_m128i(b.cast_signed())
    }
}

/// A portable implementation, without special processor instructions.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable {
    pub(super) type Bytes = [u8; 16];

    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Bytes {
        *bytes
    }

    #[inline(always)]
    pub(super) fn equal(bytes: Bytes, b: u8) -> Bytes {
        bytes.map(|byte| if byte == b { 0xFF } else { 0 })
    }

    #[inline(always)]
    pub(super) fn same(one: Bytes, other: Bytes) -> Bytes {
        std::array::from_fn(|i| if one[i] == other[i] { 0xFF } else { 0 })
    }

    #[inline(always)]
    pub(super) fn at_most(bytes: Bytes, b: u8) -> Bytes {
        bytes.map(|byte| if byte <= b { 0xFF } else { 0 })
    }

    #[inline(always)]
    pub(super) fn with(bytes: Bytes, bits: u8) -> Bytes {
        bytes.map(|byte| byte | bits)
    }

    #[inline(always)]
    pub(super) fn less(bytes: Bytes, by: u8) -> Bytes {
        bytes.map(|byte| byte.wrapping_sub(by))
    }

    #[inline(always)]
    pub(super) fn either(one: Bytes, other: Bytes) -> Bytes {
        std::array::from_fn(|i| one[i] | other[i])
    }

    #[inline(always)]
    pub(super) fn bits(found: Bytes) -> u16 {
        let (halves, _) = found.as_chunks::<8>();
        let [low, high] = [0, 1].map(|i| {
            let ones = u64::from_le_bytes(halves[i]) & u64::from_le_bytes([1; 8]);
            // The lowest bit of each byte, moved to its place in the highest byte.
            ones.wrapping_mul(0x0102_0408_1020_4080).to_be_bytes()[0]
        });
        u16::from_le_bytes([low, high])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of each comparison with a block, by a module's instructions.
    macro_rules! found {
        ($module:ident, $block:expr, $b:expr) => {{
            let block = $module::load(&$block);
            let (equal, at_most) = ($module::equal(block, $b), $module::at_most(block, $b));
            [
                $module::bits(equal),
                $module::bits(at_most),
                $module::bits($module::either(equal, $module::equal(block, b'x'))),
                $module::bits($module::equal($module::with(block, 0x20), $b)),
                $module::bits($module::at_most($module::less(block, 11), $b)),
                $module::bits($module::same(block, $module::load(&[$b; LEN]))),
            ]
        }};
    }

    #[test]
    fn vector_and_plain_code_agree() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            seed.to_be_bytes()[0]
        };
        for round in 0..20_000 {
            let mask = if round % 2 == 0 { 0xFF } else { 0x83 };
            let block: [u8; LEN] = std::array::from_fn(|_| random() & mask);
            let b = block[usize::from(random() % 16)] ^ (random() & 0x21 & random());
            let bits = |is: &dyn Fn(u8) -> bool| {
                block
                    .iter()
                    .rev()
                    .fold(0, |bits, byte| bits << 1 | u16::from(is(*byte)))
            };
            let expected = [
                bits(&|byte| byte == b),
                bits(&|byte| byte <= b),
                bits(&|byte| byte == b || byte == b'x'),
                bits(&|byte| byte | 0x20 == b),
                bits(&|byte| byte.wrapping_sub(11) <= b),
                bits(&|byte| byte == b),
            ];
            assert_eq!(found!(portable, block, b), expected, "{block:?} {b}");
            assert_eq!(found!(instructions, block, b), expected, "{block:?} {b}");
        }
    }

    #[test]
    fn short_texts_are_padded() {
        let bytes: Vec<u8> = (1..).take(LEN).collect();
        for len in 0..LEN {
            let mut expected = [0; LEN];
            expected[..len].copy_from_slice(&bytes[..len]);
            assert_eq!(padded(&bytes[..len]), expected);
        }
    }

    #[test]
    fn the_first_is_found() {
        for len in 0..70 {
            let find = |text: &[u8]| position(text, |block| block.equal(b'<') | block.at_most(0));
            assert_eq!(find(&vec![b'x'; len]), None);
            assert!(all(&vec![b'x'; len], |block| block.equal(b'x')));
            assert_eq!(blocks(&vec![b'x'; len]).count(), len.div_ceil(LEN));
            for at in 0..len {
                let mut text = vec![b'x'; len];
                text[at] = b'<';
                assert_eq!(find(&text), Some(at), "{at} of {len}");
                assert!(!all(&text, |block| block.equal(b'x')), "{at} of {len}");
                let bits: Vec<u16> = blocks(&text).map(|block| block.equal(b'<').bits()).collect();
                assert_eq!(bits[at / LEN], 1 << (at % LEN), "{at} of {len}");
                text[len - 1] = 0;
                assert_eq!(find(&text), Some(at), "{at} of {len}");
            }
        }
    }
}

//! The beginning of an absolute URL: its scheme, host and port.

use sitemap_values::url::{MAX_LABEL, Parts};

use crate::block::{self, LEN};

use super::class;
use super::problem::LocProblem;

/// The parts of a URL of http or https whose authority is legal.
pub(super) fn of_web(url: &str) -> Result<Parts<'_>, LocProblem> {
    let Some(parts) = Parts::of(url) else {
        return Err(LocProblem::of_relative(url));
    };
    if !parts.is_web() {
        return Err(LocProblem::Scheme);
    }
    parts.check_authority()?;
    Ok(parts)
}

/// The offset of the path (or query, or fragment, or end) of a URL that begins like nearly every loc: `https://` or `http://`,
/// a name of letters, digits, `.` and `-`, and perhaps a port. `None` for others, valid or not.
#[inline]
pub(super) fn plain_site(loc: &str) -> Option<usize> {
    let after = loc
        .strip_prefix("https://")
        .or_else(|| loc.strip_prefix("http://"))?;
    // A bit for each of the bytes that can be of such a name, and for each dot and hyphen among them.
    let (mut name, mut dots, mut hyphens) = (0_u64, 0_u64, 0_u64);
    for (i, block) in block::blocks(after.as_bytes())
        .take(MAX_LABEL.div_ceil(LEN))
        .enumerate()
    {
        let (dot, hyphen) = (block.equal(b'.'), block.equal(b'-'));
        let of_name = (class::is_alphanumeric(block) | dot | hyphen).bits();
        name |= u64::from(of_name) << (i * LEN);
        dots |= u64::from(dot.bits()) << (i * LEN);
        hyphens |= u64::from(hyphen.bits()) << (i * LEN);
        if of_name != u16::MAX {
            break;
        }
    }
    let end = name.trailing_ones();
    // The labels are no longer than the name.
    if end == 0 || end as usize > MAX_LABEL {
        return None;
    }
    let site = loc.len() - after.len() + end as usize;
    let site = match loc.as_bytes().get(site) {
        None | Some(b'/' | b'?' | b'#') => site,
        Some(b':') => site + port_len(&loc.as_bytes()[site..])?,
        Some(_) => return None,
    };
    let of_name = (1_u64 << end) - 1;
    (dots, hyphens) = (dots & of_name, hyphens & of_name);
    let label_starts = (dots << 1 | 1) & of_name;
    // Empty labels and punycode labels need a closer look.
    let ends_with_dot = dots >> (end - 1) & 1 != 0;
    let is_plain =
        label_starts & dots == 0 && !ends_with_dot && label_starts & hyphens >> 2 & hyphens >> 3 == 0;
    is_plain.then_some(site)
}

/// The length of a port with its colon, if a path, query or fragment, or nothing, comes after it.
fn port_len(text: &[u8]) -> Option<usize> {
    let digits = text.iter().skip(1).take_while(|b| b.is_ascii_digit()).count();
    let port = text.get(1..=digits).filter(|_| (1..=5).contains(&digits))?;
    let number = port
        .iter()
        .fold(0_u32, |number, digit| number * 10 + u32::from(digit - b'0'));
    let is_end = matches!(text.get(digits + 1), None | Some(b'/' | b'?' | b'#'));
    (is_end && number <= u16::MAX.into()).then_some(digits + 1)
}

//! Numbers in messages.

pub(crate) use sitemap_serde::__internal::grouped;

/// Formats a number with its unit: `1 URL`, `120,000 URLs`.
pub(crate) fn counted(number: u64, unit: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {unit}{plural}", grouped(number))
}

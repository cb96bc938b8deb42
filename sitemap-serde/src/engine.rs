//! Search engines: their reaction to broken rules, and their own limits.
//!
//! The rules come from the protocol and its extensions; engines treat them differently, and change their treatment. Each known reaction
//! has its [source](Engine::source), as of November 2026. If an engine's documentation is silent, the reaction is [`Stance::Unknown`],
//! never a guess.
//!
//! ```
//! use sitemap_serde::Rule;
//! use sitemap_serde::engine::{Engine, Stance};
//!
//! let priority = |engine: Engine| engine.on(Rule::Ignored);
//! assert_eq!(priority(Engine::Google), Stance::Ignores);
//! assert_eq!(priority(Engine::Yandex), Stance::Takes); // it orders pages by priority
//! assert_eq!(priority(Engine::Naver), Stance::Unknown);
//! ```

pub use sitemap_values::engine::{Engine, Stance};

/// The strictest limit on the bytes of a document among engines, and whose it is.
pub(crate) fn most_bytes(engines: &[Engine]) -> Option<(Engine, u64)> {
    let limits = engines
        .iter()
        .filter_map(|engine| Some((*engine, engine.most_bytes()?)));
    limits.min_by_key(|(_, most)| *most)
}

/// The strictest limit on the bytes of a loc among engines, and whose it is.
pub(crate) fn most_loc_bytes(engines: &[Engine]) -> Option<(Engine, usize)> {
    let limits = engines
        .iter()
        .filter_map(|engine| Some((*engine, engine.most_loc_bytes()?)));
    limits.min_by_key(|(_, most)| *most)
}

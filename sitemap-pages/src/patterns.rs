//! The patterns of files that are included or excluded.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::error::{Error, ErrorKind, Result};

/// Patterns as in `.gitignore`: `drafts/` is every folder of this name, `/drafts/` the one at the top, `*.pdf` a file in any
/// folder, `/a/*.html` files of one folder, and `!drafts/about.html` an exception to patterns before it.
#[derive(Debug)]
pub(crate) struct Patterns {
    globs: GlobSet,
    patterns: Vec<Pattern>,
}

#[derive(Debug)]
struct Pattern {
    text: String,
    is_exception: bool,
    is_used: bool,
}

/// The number of globs for each pattern: one matches a file, the other the files in a folder.
const GLOBS: usize = 2;

impl Patterns {
    pub(crate) fn parse(patterns: &[String]) -> Result<Self> {
        let mut globs = GlobSetBuilder::new();
        let refused = |text: &str, problem: &dyn std::fmt::Display| {
            let message = format!("cannot read the pattern `{text}`: {problem}");
            Error::new(ErrorKind::Setting, message)
        };
        let mut parsed = Vec::new();
        for text in patterns {
            let (is_exception, pattern) = match text.strip_prefix('!') {
                Some(pattern) => (true, pattern),
                None => (false, text.as_str()),
            };
            let name = pattern.trim_end_matches('/');
            let path = name.trim_start_matches('/');
            if path.is_empty() {
                return Err(refused(text, &"it names no file"));
            }
            let anchor = if name.contains('/') { "" } else { "**/" };
            let inside = if path.ends_with("**") { "" } else { "/**" };
            // With a slash at its end, it matches no file.
            let file = if pattern.ends_with('/') { inside } else { "" };
            for glob in [format!("{anchor}{path}{file}"), format!("{anchor}{path}{inside}")] {
                let glob = GlobBuilder::new(&glob).literal_separator(true).build();
                globs.add(glob.map_err(|error| refused(text, error.kind()))?);
            }
            parsed.push(Pattern {
                text: text.clone(),
                is_exception,
                is_used: false,
            });
        }
        let globs = globs
            .build()
            .map_err(|error| Error::new(ErrorKind::Setting, format!("cannot use the patterns: {error}")))?;
        Ok(Patterns {
            globs,
            patterns: parsed,
        })
    }

    /// Returns `true` if a path in the folder is matched. The last matching pattern decides.
    pub(crate) fn matches(&mut self, path: &Path) -> bool {
        let mut is_matched = false;
        for glob in self.globs.matches(path) {
            if let Some(pattern) = self.patterns.get_mut(glob / GLOBS) {
                pattern.is_used = true;
                is_matched = !pattern.is_exception;
            }
        }
        is_matched
    }

    /// Iterates over patterns without a match.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &str> {
        let unused = self.patterns.iter().filter(|pattern| !pattern.is_used);
        unused.map(|pattern| pattern.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Patterns;

    #[test]
    fn as_gitignore_has_them() {
        const PATHS: [&str; 6] = [
            "drafts",
            "drafts/a.html",
            "blog/drafts/a.html",
            "drafts.html",
            "a.pdf",
            "blog/a.pdf",
        ];
        for (patterns, matched) in [
            (&["drafts"][..], [true, true, true, false, false, false]),
            (&["drafts/"], [false, true, true, false, false, false]),
            (&["/drafts"], [true, true, false, false, false, false]),
            (&["/drafts/"], [false, true, false, false, false, false]),
            (&["drafts/**"], [false, true, false, false, false, false]),
            (&["drafts/a.html"], [false, true, false, false, false, false]),
            (&["**/drafts/a.html"], [false, true, true, false, false, false]),
            (&["*.pdf"], [false, false, false, false, true, true]),
            (&["/*.pdf"], [false, false, false, false, true, false]),
            (&["*/*.pdf"], [false, false, false, false, false, true]),
            (&["drafts/", "!a.html"], [false; 6]),
            (&["!a.html", "drafts/"], [false, true, true, false, false, false]),
        ] {
            let owned: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            let mut parsed = Patterns::parse(&owned).unwrap();
            let found = PATHS.map(|path| parsed.matches(Path::new(path)));
            assert_eq!(found, matched, "{patterns:?}");
        }
    }

    #[test]
    fn what_matches_nothing_is_known() {
        let patterns = ["a", "b/", "!c"].map(str::to_owned);
        let mut parsed = Patterns::parse(&patterns).unwrap();
        parsed.matches(Path::new("a/x.html"));
        assert_eq!(parsed.unused().collect::<Vec<_>>(), ["b/", "!c"]);
    }

    #[test]
    fn what_is_none() {
        for (pattern, message) in [
            ("", "cannot read the pattern ``: it names no file"),
            ("/", "cannot read the pattern `/`: it names no file"),
            (
                "[a",
                "cannot read the pattern `[a`: unclosed character class; missing ']'",
            ),
        ] {
            let error = Patterns::parse(&[pattern.to_owned()]).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}

//! The command's own words where the library speaks to programs, of its types, functions and settings.

use std::borrow::Cow;

/// What the library says and what the command says instead.
struct Words {
    begin: &'static str,
    /// The library's words end with the next occurrence of this; if it is empty, `begin` is all of them.
    end: &'static str,
    own: &'static str,
}

const fn words(begin: &'static str, own: &'static str) -> Words {
    Words { begin, end: "", own }
}

const ALL: [Words; 17] = [
    words(
        "or read it into a `String` and resolve it",
        "with its scheme and host",
    ),
    words(
        "or give the writer a base and begin it with `/`",
        "with its scheme and host",
    ),
    words(", or begins with `/` if the writer has a base", ""),
    words("correct the writer's location", "correct --address"),
    words("the writer's base", "--base"),
    words("correct it, or read it into a `String`", "correct it"),
    words("split the file, or raise `Limits::entries`", "split the file"),
    words("split the file, or raise `Limits::bytes`", "split the file"),
    Words {
        begin: "if you trust the document, raise `Limits::",
        end: "`",
        own: "the command has no higher limit",
    },
    words(
        "correct the name, or leave it out with `#[serde(skip_serializing)]`",
        "correct the name, or leave it out",
    ),
    words(
        "namespaces are declared by the writer; leave it out with `#[serde(skip_serializing)]`",
        "namespaces are declared at the root; leave it out",
    ),
    Words {
        begin: "make it known with `",
        end: "`",
        own: "leave it out",
    },
    words(
        "write one from the table in the documentation of `Rule`, such as `P-LOC`",
        "`sitemap lint --explain` lists all",
    ),
    words(
        "allow it with `SetBuilder::allow_shrinking(true)`",
        "allow it with --force",
    ),
    words(
        "publish the whole set with `SetBuilder::forget(true)`, which goes on without it",
        "delete it, and run the command again",
    ),
    words(
        "move it away, or write the set in place with `SetBuilder::in_place(true)`",
        "move it away",
    ),
    words(
        "lists are committed once, and within a day; run the task again",
        "run the command again",
    ),
];

/// A message of the library in the command's words.
pub(crate) fn own(message: &str) -> Cow<'_, str> {
    ALL.iter().fold(Cow::Borrowed(message), |message, words| {
        replaced(&message, words).map_or(message.clone(), Cow::Owned)
    })
}

/// The message with the command's words; `None` if it does not have the library's.
fn replaced(message: &str, words: &Words) -> Option<String> {
    let (before, rest) = message.split_once(words.begin)?;
    let (_, behind) = rest.split_once(words.end)?;
    Some([before, words.own, behind].concat())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn advice_for_programs_becomes_advice_for_people() {
        for (said, expected) in [
            ("no such thing", "no such thing"),
            (
                "too deep; if you trust the document, raise `Limits::depth`, at line 1",
                "too deep; the command has no higher limit, at line 1",
            ),
            (
                "the set would be empty; if this is intended, allow it with `SetBuilder::allow_shrinking(true)`; nothing was changed",
                "the set would be empty; if this is intended, allow it with --force; nothing was changed",
            ),
        ] {
            assert_eq!(own(said), expected);
        }
    }

    /// What the library no longer says needs no words of the command.
    #[test]
    fn the_library_says_all_of_it() {
        let mut sources = String::new();
        for crate_name in ["sitemap-serde", "sitemap-site", "sitemap-values"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("..")
                .join(crate_name)
                .join("src");
            read(&folder, &mut sources);
        }
        for words in &ALL {
            assert!(sources.contains(words.begin), "{}", words.begin);
        }
    }

    /// The literals of all source files, each in one line.
    fn read(folder: &Path, sources: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                read(&path, sources);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let mut lines = text.lines();
            let mut continues = false;
            for line in lines.by_ref() {
                let line = if continues { line.trim_start() } else { line };
                continues = line.ends_with('\\');
                sources.push_str(line.strip_suffix('\\').unwrap_or(line));
                if !continues {
                    sources.push('\n');
                }
            }
        }
    }
}

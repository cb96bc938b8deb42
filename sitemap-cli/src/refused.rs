//! Messages for arguments that clap refuses without advice: invalid numbers, and too many names.

use std::error::Error;
use std::fs;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::missing;
use crate::synonyms::ALL;

/// Explains why clap refuses an argument, given all arguments.
pub(crate) fn answer(error: &clap::Error, arguments: &[String]) -> Option<String> {
    if error.kind() == ErrorKind::MissingRequiredArgument {
        return no_directory(arguments);
    }
    let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    match error.kind() {
        ErrorKind::ValueValidation => not_a_number(error, found),
        ErrorKind::UnknownArgument if found == "-" || !found.starts_with('-') => beyond(found, arguments),
        ErrorKind::UnknownArgument => negative(found, arguments),
        _ => None,
    }
}

/// Reports a missing directory before other missing arguments.
fn no_directory(arguments: &[String]) -> Option<String> {
    let mut arguments = arguments
        .iter()
        .skip_while(|argument| *argument == "-q" || *argument == "--quiet");
    let command = arguments.next()?;
    let path = arguments
        .find(|argument| !argument.starts_with('-'))
        .map(Path::new)?;
    let problem = fs::metadata(path)
        .err()
        .filter(|_| command == "index" || command == "from")?;
    Some(format!(
        "cannot open {}: {}",
        path.display(),
        missing::explain(path, problem)
    ))
}

fn not_a_number(error: &clap::Error, option: &str) -> Option<String> {
    let problem = error.source()?.downcast_ref::<ParseIntError>()?;
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        return None;
    };
    let option = option.split(' ').next().unwrap_or(option);
    let advice = match problem.kind() {
        IntErrorKind::Zero => "write a whole number from 1",
        IntErrorKind::PosOverflow => "the number is too large",
        _ if value.starts_with('-') => NEGATIVE,
        _ => "write a whole number, such as 10",
    };
    Some(format!("{option} {value}: {advice}"))
}

const NEGATIVE: &str = "write a whole number that is not negative";

/// Reports a negative number after an option, which clap takes for an option.
fn negative(found: &str, arguments: &[String]) -> Option<String> {
    let is_negative = |argument: &String| argument.starts_with(found) && argument.parse::<i128>().is_ok();
    let at = arguments.iter().position(is_negative)?;
    let (value, option) = (arguments.get(at)?, arguments.get(at.checked_sub(1)?)?);
    option
        .starts_with("--")
        .then(|| format!("{option} {value}: {NEGATIVE}"))
}

/// Reports an extra name.
fn beyond(found: &str, arguments: &[String]) -> Option<String> {
    let command = arguments.iter().find(|argument| ALL.contains(&&***argument))?;
    let field = found.split_once('=').map(|(field, _)| field);
    if command == "edit" && matches!(field, Some("loc" | "lastmod" | "changefreq" | "priority")) {
        return Some(format!(
            "`{found}` is not for --add, which takes only a URL: `sitemap edit FILE --set LOC {found}` sets it once the entry is there"
        ));
    }
    let takes = match &**command {
        "repair" => {
            "repairs one file, and `FOUND` is a second one: -o names the output, and each file is repaired by itself"
        }
        "edit" => {
            "changes one file, and `FOUND` is a second one: -o names the output, and each file is changed by itself"
        }
        "convert" => {
            "reads one file or directory, and `FOUND` is a second one: -o names the output, and a directory is read with all its \
             sitemaps"
        }
        "from" | "index" => "reads one directory, and `FOUND` is a second one: name the one above both",
        "diff" | "submit" => {
            "compares two, OLD and NEW, and `FOUND` is a third one: a set is named by its directory"
        }
        _ => return None,
    };
    Some(format!("`sitemap {command}` {}", takes.replace("FOUND", found)))
}

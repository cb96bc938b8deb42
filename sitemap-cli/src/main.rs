//! The command `sitemap`: lint, repair, edit, compare, count and convert sitemaps.

#[macro_use]
mod message;

mod cat;
mod convert;
mod diff;
mod edit;
mod entries;
mod filters;
mod folder;
mod formats;
mod from;
mod generate;
mod html;
mod index;
mod input;
mod lint;
#[cfg(feature = "http")]
mod live;
#[cfg(not(feature = "http"))]
#[path = "no_live.rs"]
mod live;
mod malformed;
mod missing;
mod numbers;
mod omitted;
mod outputs;
mod progress;
mod refused;
mod repair;
mod replace;
mod split;
mod stat;
mod stylesheet;
#[cfg(feature = "http")]
mod submit;
mod suggested;
mod synonyms;
mod unified;
mod unread;
mod unsaid;
mod url_parts;
mod words;

use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};
use sitemap_serde::__internal::Advice;

/// Lint, repair, edit, compare, count and convert sitemaps
///
/// Files and documents at URLs are read as streams, compressed by gzip or not; - is standard input.
#[derive(Debug, Parser)]
#[command(name = "sitemap", version, verbatim_doc_comment, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Print only problems: no progress, notes or totals
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Lint(lint::Options),
    Repair(repair::Options),
    Edit(edit::Options),
    Diff(diff::Options),
    Stat(stat::Options),
    Cat(cat::Options),
    Convert(convert::Options),
    Split(split::Options),
    From(from::Options),
    #[cfg(feature = "http")]
    Submit(submit::Options),
    Index(index::Options),
    Completions(generate::Completions),
    Man(generate::Man),
}

fn main() -> ExitCode {
    Advice::set_words(words::about_item);
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Err(error) = url_parts::check_words(&words) {
        print_message!("sitemap: {error}");
        return ExitCode::from(2);
    }
    let arguments = Arguments::try_parse().unwrap_or_else(|error| {
        if let Some(file) = file_as_command(&error) {
            print_message!(
                "sitemap: {file} is a document, and no command: `sitemap lint {}` finds problems in it",
                words::argument(file)
            );
            std::process::exit(2);
        }
        if is_help_of_help(&error) {
            let _ = Arguments::command().print_help();
            std::process::exit(0);
        }
        let answer = synonyms::answer(&error, &words).or_else(|| refused::answer(&error, &words));
        if let Some(answer) = answer {
            print_message!("sitemap: {answer}");
            std::process::exit(2);
        }
        error.exit()
    });
    if arguments.quiet {
        message::be_quiet();
    }
    if matches!(arguments.command, Command::Convert(_) | Command::Edit(_)) {
        words::complete_by_base();
    }
    let result = match arguments.command {
        Command::Lint(options) => lint::run(&options),
        Command::Repair(options) => repair::run(&options),
        Command::Edit(options) => edit::run(&options),
        Command::Diff(options) => diff::run(&options),
        Command::Stat(options) => stat::run(&options),
        Command::Cat(options) => cat::run(&options),
        Command::Convert(options) => convert::run(&options),
        Command::Split(options) => split::run(&options),
        Command::From(options) => from::run(&options),
        #[cfg(feature = "http")]
        Command::Submit(options) => submit::run(&options),
        Command::Index(options) => index::run(&options),
        Command::Completions(options) => generate::completions(&options),
        Command::Man(options) => generate::man(&options),
    };
    message::print_hidden();
    if result.is_ok() {
        filters::print();
    }
    result.unwrap_or_else(|error| {
        if input::is_broken_pipe(&error) {
            // The reader of the output has closed the pipe.
            return ExitCode::SUCCESS;
        }
        print_message!("sitemap: {}", input::error_text(&error));
        ExitCode::from(2)
    })
}

/// Returns `true` for `sitemap help --help`, where clap takes `--help` for the name of a command.
fn is_help_of_help(error: &clap::Error) -> bool {
    let word = error.get(ContextKind::InvalidSubcommand);
    matches!(word, Some(ContextValue::String(word)) if word == "--help" || word == "-h")
}

/// Returns the word in place of a command, if it names a document.
fn file_as_command(error: &clap::Error) -> Option<&str> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let path = Path::new(word);
    (path.exists() || input::url(path).is_some()).then_some(word)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    #[test]
    fn the_arguments_fit_together() {
        super::Arguments::command().debug_assert();
    }

    /// The README's commands parse. They contain no quotes, so they are split at spaces.
    #[test]
    fn the_readmes_commands_are_commands() {
        let readme = include_str!("../README.md");
        let examples = readme
            .split("```sh\n")
            .nth(1)
            .and_then(|rest| rest.split("```").next());
        let commands: Vec<_> = examples
            .unwrap()
            .lines()
            .filter(|line| line.starts_with("sitemap "))
            .collect();
        assert!(commands.len() >= 8, "{commands:?}");
        for command in commands {
            if let Err(error) = super::Arguments::try_parse_from(command.split(' ')) {
                panic!("`{command}`: {error}");
            }
        }
    }
}

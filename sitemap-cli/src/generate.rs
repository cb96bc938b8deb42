//! Shell completions and manual pages, generated from the definitions of the arguments.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Write shell completions to standard output
///
///     sitemap completions bash > /etc/bash_completion.d/sitemap
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Write the manual page of `sitemap`, or of a command, to standard output
///
///     sitemap man lint | man -l -
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Man {
    /// The command
    command: Option<String>,
}

pub(crate) fn completions(options: &Completions) -> Result<ExitCode> {
    let mut out = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut super::Arguments::command(),
        "sitemap",
        &mut out,
    );
    io::stdout().lock().write_all(&out)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(options: &Man) -> Result<ExitCode> {
    let mut command = super::Arguments::command();
    command.build();
    if let Some(name) = &options.command {
        match command.find_subcommand(name) {
            Some(found) => command = found.clone(),
            None => anyhow::bail!("no command `{name}`: see `sitemap --help`"),
        }
    }
    let mut out = Vec::new();
    clap_mangen::Man::new(command).render(&mut out)?;
    io::stdout().lock().write_all(&out)?;
    Ok(ExitCode::SUCCESS)
}

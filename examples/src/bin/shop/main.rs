//! A shop with a sitemap: rows of a database become a served sitemap, and a sitemap becomes rows again.
//!
//! `shop` fills an SQLite database with 120,000 products, and serves them with their sitemap. `shop export` writes the same
//! sitemap to disk. `shop import` reads any sitemap into a table.

mod connections;
mod database;
mod export;
mod html;
mod import;
mod model;
mod sample;
mod server;
mod sitemap;
mod storefront;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A shop with a sitemap, to show sitemap-serde at work
///
/// The default is `serve`: it fills a database with products, posts and pages, and serves them on http://127.0.0.1:3000 with a
/// sitemap of its rows.
#[derive(Debug, Parser)]
#[command(name = "shop", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: server::Options,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the shop and its sitemap (the default)
    Serve(server::Options),
    /// Write the shop's sitemap to a directory: an index, its parts, and their stylesheet
    Export(export::Options),
    /// Read sitemap files, compressed ones too, into the table `pages` of the database
    Import(import::Options),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command.unwrap_or(Command::Serve(cli.serve)) {
        Command::Serve(options) => server::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Export(options) => export::run(&options).map(|()| ExitCode::SUCCESS),
        Command::Import(options) => import::run(&options),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("shop: {error:#}");
            ExitCode::FAILURE
        }
    }
}

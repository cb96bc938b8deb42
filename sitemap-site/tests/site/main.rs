//! A site and a set, asked without a server in between.

mod addresses;
mod ask;
mod empty;
mod export;
mod html;
mod runtime;
mod serve_set;
mod spans;
mod spill;

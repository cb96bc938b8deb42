//! Walks over servers in memory, with a clock of their own.

mod again;
mod budgets;
mod encodings;
mod hosts;
mod random;
mod redirects;
mod responses;
mod server;
mod start;

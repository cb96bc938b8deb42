//! Walks over servers in memory, with a clock of their own.

mod again;
mod budgets;
mod hosts;
mod random;
mod responses;
mod server;
mod start;

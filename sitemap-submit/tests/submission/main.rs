//! Submissions and deployments on a virtual clock, with servers that answer in every way.

mod deployment;
mod engine;
mod index_now;
mod orders;
mod random;
mod record;

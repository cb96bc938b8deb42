//! The project's own files: layers, public API, rules and workflows.

mod api;
mod benchmarks;
mod files;
mod layers;
mod packages;
mod programs;

mod rules;
mod traits;
mod workflows;

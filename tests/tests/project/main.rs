//! The project's own files: layers, public API, rules, workflows and scripts.

mod api;
mod benchmarks;
mod files;
mod layers;
mod packages;
mod programs;

mod rules;
mod scripts;
mod traits;
mod workflows;

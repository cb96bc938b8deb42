//! The project's own files: its layers, its public API, its rules, its workflows and scripts.

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

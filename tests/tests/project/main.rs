//! The project's own files: its layers, its rules and its workflows.

mod layers;
mod packages;
mod rules;
mod workflows;

//! The project's own files: its layers, its rules, its workflows and its releases.

mod layers;
mod packages;
mod release;
mod rules;
mod workflows;

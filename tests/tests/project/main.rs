//! The project's own files: its layers, and its rules.

mod layers;
mod rules;

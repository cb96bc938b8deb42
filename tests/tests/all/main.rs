//! The public API: reading, writing, changing, checking and publishing, and their rejections.
//!
//! One program, so that the library is linked once; `memory` counts allocations and `project` reads the sources, each in its own.

mod changes;
mod derive;
mod extensions;
mod lenient;
mod lint;
mod merged;
mod reading;
mod rejections_reading;
mod rejections_writing;
mod round_trip;
mod serde_types;
mod sets;
mod writing;

//! The derives: documents written and read through derived types.

mod core_values;
mod decimals;
mod elements;
mod empty_values;
mod entries;
mod extensions;
mod flatten;
mod from;
mod functions;
mod languages;
mod mounts;
mod newest;
mod parts;
mod programs;
mod read_rows;
mod round_trip;
mod title;
mod tools;
mod unix_times;
mod values;
mod video;

//! Batches hold what `Reader::entries` gives, and sets hold what batches say.

mod differential;
mod documents;
mod problems;
mod reading;
mod schema;
mod told;
mod writing;

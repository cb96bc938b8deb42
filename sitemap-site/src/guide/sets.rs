//! Sets of files.

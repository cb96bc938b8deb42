//! The limits of files, hit exactly.

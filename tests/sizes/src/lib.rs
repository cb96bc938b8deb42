//! Sets of files at the sizes that sites have.

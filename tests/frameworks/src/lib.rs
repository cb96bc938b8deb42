//! The examples of this crate: a site in each framework that accepts a tower service directly, and a walk over a site by reqwest.

//! The examples of this crate are a site in each framework that takes a tower service as it is, and a walk over a site by reqwest.

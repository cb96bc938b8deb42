//! Only examples, which tests run.

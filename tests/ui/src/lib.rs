//! What the compiler makes of the derives: a crate of its own, so that trybuild need not build what other tests use.

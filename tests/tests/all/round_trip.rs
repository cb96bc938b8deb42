//! Reading and writing without loss: published sitemaps, and entries made at random, which the schemas find nothing wrong with.

mod corpus;
mod guide;
mod independent;
mod namespaces;
mod random;
mod schemas;
mod shuffled;

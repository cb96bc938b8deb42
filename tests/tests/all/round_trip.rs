//! Reading and writing without loss: published sitemaps, and random entries, which are valid by the schemas.

mod corpus;
mod guide;
mod independent;
mod limits;
mod namespaces;
mod random;
mod schemas;
mod shuffled;

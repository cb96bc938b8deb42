//! A site on axum, over sockets.

mod announced;
#[cfg(unix)]
mod browser;
mod cancelled;
mod causes;
mod changes;
mod checks;
mod dated;
mod deploys;
mod failing;
mod failures;
mod files;
mod flat;
mod flights;
mod fresh;
mod future;
mod hanging;
mod instances;
mod lists;
mod lost_changes;
mod made_up;
mod mounting;
mod news;
#[cfg(unix)]
mod nginx;
mod order;
mod others;
mod panics;
mod readers;
mod rebased;
mod returning;
mod robots;
mod server;
mod stats;
mod store;
mod table;
mod unheard;
mod waits;
mod writer_settings;

use server::Server;

#[test]
fn everything_that_every_framework_does() {
    let server = Server::start(&sitemap_serving_tests::site());
    sitemap_serving_tests::check(server.address);
}

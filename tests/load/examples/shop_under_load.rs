//! The shop as a separate process. The arguments are DATABASE CONNECTIONS, and the environment has the site's settings.

use std::env;
use std::time::Duration;

use sitemap_load_tests::{app, open};
use tokio::net::TcpListener;

fn setting(name: &str) -> Option<usize> {
    env::var(name).ok()?.parse().ok()
}

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let database = env::var("DATABASE")?;
    let connections = setting("CONNECTIONS").unwrap_or(4);
    let database = open(&database, u32::try_from(connections)?).await?;
    let mut site = database.site("https://example.com");
    if let Some(bytes) = setting("MEMORY_BYTES") {
        site.memory_bytes(bytes);
    }
    if let Some(rows) = setting("PAGE_ROWS") {
        site.batch_rows(rows);
    }
    if let Some(rows) = setting("PART_ROWS") {
        site.part_rows(rows);
    }
    if let Some(age) = setting("MAX_AGE_MS") {
        site.max_age(Duration::from_millis(age as u64));
    }
    let site = site.build()?;
    site.ready().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, app(&database, &site)).await?;
    Ok(())
}

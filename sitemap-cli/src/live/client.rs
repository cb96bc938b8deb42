//! Requests besides those of a walk, by the same client.

use std::time::Duration;

use sitemap_serde::robots::Robots;
use sitemap_tree::{Client, Failure, Head, is_global};
use ureq::http::Response;
use ureq::{Body, ResponseExt};

/// The time that a robots.txt or a page may take.
const GET_TIMEOUT: Duration = Duration::from_secs(30);
/// The most redirects of a robots.txt that are followed (RFC 9309 section 2.3.1.2).
const ROBOTS_REDIRECTS: u32 = 5;

/// Requests any URL, without following redirects; of a private address only if `allows_any`.
pub(crate) fn get(client: &Client, url: &str, allows_any: bool) -> Result<Response<Body>, Failure> {
    get_following(client, url, allows_any, 0)
}

fn get_following(
    client: &Client,
    url: &str,
    allows_any: bool,
    redirects: u32,
) -> Result<Response<Body>, Failure> {
    let get = client
        .agent(allows_any)
        .get(url)
        .header("user-agent", concat!("sitemap/", env!("CARGO_PKG_VERSION")));
    let get = get
        .config()
        .timeout_global(Some(GET_TIMEOUT))
        .max_redirects(redirects)
        .build();
    Ok(get.call()?)
}

/// The robots.txt at a URL, or at the address that it redirects to, and that address; empty if there is none.
pub(crate) fn robots(client: &Client, url: &str, allows_any: bool) -> Result<(String, Robots), Failure> {
    let response = match get_following(client, url, false, ROBOTS_REDIRECTS) {
        // The host itself is private. From a public one no redirect is followed to it.
        Err(Failure::PrivateIp(_)) if allows_any && !client.ip(url).is_some_and(is_global) => {
            get_following(client, url, true, ROBOTS_REDIRECTS)
        }
        response => response,
    }?;
    let end = response.get_uri().to_string();
    let head = Head::from(&response);
    let robots = match response.status().as_u16() {
        200..300 => {
            let body = response.into_body().into_with_config().limit(u64::MAX).reader();
            Robots::from_reader(head.body(body).text()).map_err(Failure::connection)
        }
        status @ (408 | 429) => Err(Failure::Status(status)),
        // RFC 9309 section 2.3.1.3.
        400..500 => Ok(Robots::default()),
        status => Err(Failure::Status(status)),
    };
    Ok((end, robots?))
}

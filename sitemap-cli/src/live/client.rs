//! Requests outside of walks, sent by the same client.

use std::io::Read;

use anyhow::Result;
use sitemap_serde::robots::Robots;
use sitemap_tree::{Failure, Head, is_global};
use ureq::http::{Request, Response};
use url::Url;

use super::connection::Connection;

/// The maximum number of redirects to follow for a robots.txt (RFC 9309 section 2.3.1.2).
const ROBOTS_REDIRECTS: usize = 5;

/// Requests any URL without following redirects. Private addresses are allowed only with `allows_any`. The outer error is an invalid
/// option.
pub(crate) fn get(
    connection: &Connection,
    url: &str,
    allows_any: bool,
) -> Result<Result<Response<impl Read + use<>>, Failure>> {
    let client = connection.client()?;
    let request = Request::get(url).body(()).map_err(Failure::connection);
    Ok(request.and_then(|request| client.run(request, connection.short_timeout(), allows_any)))
}

/// Loads the robots.txt at a URL and follows redirects. Returns it with its final URL; empty if there is none. The outer error is an
/// invalid option.
pub(crate) fn robots(
    connection: &Connection,
    url: &str,
    allows_any: bool,
) -> Result<Result<(String, Robots), Failure>> {
    let client = connection.client()?;
    Ok(match follow(connection, url, false)? {
        // The host itself has a private address. A redirect from a public host to a private one is not followed.
        Err(Failure::PrivateIp(_)) if allows_any && !client.ip(url).is_some_and(is_global) => {
            follow(connection, url, true)?
        }
        answer => answer,
    }
    .and_then(|(end, response)| Ok((end, read(response)?))))
}

/// Requests a URL and follows redirects. Returns the last URL with its response. The client itself follows none, so only the named host
/// gets its headers.
fn follow(
    connection: &Connection,
    url: &str,
    allows_any: bool,
) -> Result<Result<(String, Response<impl Read + use<>>), Failure>> {
    let mut url = url.to_owned();
    for _ in 0..=ROBOTS_REDIRECTS {
        let response = match get(connection, &url, allows_any)? {
            Ok(response) => response,
            Err(failure) => return Ok(Err(failure)),
        };
        let location = response.headers().get("location");
        let Some(location) = location.filter(|_| response.status().is_redirection()) else {
            return Ok(Ok((url, response)));
        };
        let location = String::from_utf8_lossy(location.as_bytes());
        let target = Url::parse(&url).and_then(|url| url.join(&location)).ok();
        match target.filter(|target| matches!(target.scheme(), "http" | "https")) {
            Some(target) => url = target.into(),
            None => return Ok(Err(Failure::Redirect(format!("{location} is no URL").into()))),
        }
    }
    Ok(Err(Failure::Redirect(
        format!("more than {ROBOTS_REDIRECTS}").into(),
    )))
}

fn read(response: Response<impl Read>) -> Result<Robots, Failure> {
    let head = Head::from(&response);
    match response.status().as_u16() {
        200..300 => Robots::from_reader(head.body(response.into_body()).text()).map_err(Failure::connection),
        status @ (408 | 429) => Err(Failure::Status(status)),
        // RFC 9309 section 2.3.1.3.
        400..500 => Ok(Robots::default()),
        status => Err(Failure::Status(status)),
    }
}

//! Compression of all requested bodies, declared or not.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use sitemap_tree::{Fate, Request};

use crate::server::{Client, Response, fates, gzip, index, site, urlset};

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

type Encode = fn(&[u8]) -> Vec<u8>;

const ENCODINGS: [(&str, Encode); 6] = [
    ("plain", |bytes| bytes.to_vec()),
    ("gzip", gzip),
    ("gzip twice", |bytes| gzip(&gzip(bytes))),
    ("zlib", zlib),
    ("deflate", deflate),
    ("gzip in zlib", |bytes| zlib(&gzip(bytes))),
];

const DECLARED: [Option<&str>; 8] = [
    None,
    Some("gzip"),
    Some("x-GZIP"),
    Some("gzip, gzip"),
    Some("deflate"),
    Some("identity"),
    Some("UTF-8"),
    Some("br"),
];

/// Returns `true` if a body in this encoding can be read, with this declared one.
fn is_read(encoding: &str, declared: Option<&str>) -> bool {
    match encoding {
        "zlib" | "deflate" | "gzip in zlib" => declared == Some("deflate"),
        _ => true,
    }
}

/// robots.txt, indexes and sitemaps are decoded by the same rules.
#[test]
fn bodies_of_all_documents() {
    for (encoding, encode) in ENCODINGS {
        for declared in DECLARED {
            for encoded in ["/robots.txt", "/index.xml", "/pages.xml", "/pages.xml.gz"] {
                let name = if encoded == "/pages.xml.gz" {
                    encoded
                } else {
                    "/pages.xml"
                };
                let mut walk = site();
                let mut client = Client::new(|request: &Request| {
                    let path = &request.url()["https://example.com".len()..];
                    let body = match path {
                        "/robots.txt" => "# No rules\n".repeat(20) + "Sitemap: /index.xml\n",
                        "/index.xml" => index(&[name]),
                        path if path == name => urlset(&["https://example.com/page"]),
                        _ => return Response::status(404),
                    };
                    if path != encoded {
                        return Response::ok(body);
                    }
                    let body = encode(body.as_bytes());
                    let response = Response::ok(body.clone()).with("content-length", body.len().to_string());
                    match declared {
                        Some(declared) => response.with("content-encoding", declared),
                        None => response,
                    }
                });
                client.run(&mut walk);
                let shown = format!(
                    "{encoded}: {encoding}, declared as {declared:?}\n{}",
                    walk.report()
                );
                let is_readable = is_read(encoding, declared);
                assert_eq!(client.seen.locs().len(), usize::from(is_readable), "{shown}");
                let are_read = fates(&walk).iter().all(|(_, fate)| *fate == Fate::Read);
                // A robots.txt that cannot be decoded names nothing.
                assert!(
                    are_read == is_readable || encoded == "/robots.txt" && !is_readable,
                    "{shown}"
                );
                // A finding only if no encoding explains it.
                let is_gzip = declared.is_some_and(|name| name.to_ascii_lowercase().contains("gzip"));
                let found = format!("https://example.com{encoded} is compressed twice (P-GZIP)\n");
                let is_found = encoding == "gzip twice" && !is_gzip;
                assert_eq!(walk.report().to_string().contains(&found), is_found, "{shown}");
            }
        }
    }
}

/// Truncated encoded bodies are requested again, wherever they break off.
#[test]
fn encoded_bodies_that_are_cut() {
    for (encoding, encode) in ENCODINGS {
        for declared in ["gzip", "deflate"] {
            let whole = encode(urlset(&["https://example.com/page"]).as_bytes());
            for cut in [0, 1, 2, 3, 10, whole.len() / 2, whole.len() - 1] {
                let mut tries = 0;
                let mut walk = crate::server::builder()
                    .walk_sitemap("https://example.com/pages.xml")
                    .unwrap();
                let mut client = Client::new(|_: &Request| {
                    tries += 1;
                    let sent = if tries < 3 { cut } else { whole.len() };
                    Response::ok(&whole[..sent])
                        .with("content-length", whole.len().to_string())
                        .with("content-encoding", declared)
                });
                client.run(&mut walk);
                let is_readable = is_read(encoding, Some(declared));
                let shown = format!("{encoding}, {declared}, {cut}: {}", walk.report());
                assert_eq!(client.seen.locs().len(), usize::from(is_readable), "{shown}");
                if is_readable {
                    assert_eq!(walk.report().requests(), 3, "{shown}");
                }
            }
        }
    }
}

//! Processor time of one response with a part, by its encoding and number of pages: a server in a process of its own, on Linux.
//!
//! `cargo run --release -p sitemap-serving-tests --example encodings`

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use axum::Router;
use sitemap_serde::UrlEntry;
use sitemap_site::SiteBuilder;

/// The numbers of pages of the parts.
const SIZES: [usize; 4] = [100, 1_000, 10_000, 40_000];
/// The total number of pages sent is about equal for each size.
const PAGES: usize = 5_000_000;
const MOST_REQUESTS: usize = 2_000;
/// `/proc` counts this many ticks per second.
const TICKS: f64 = 100.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if env::args().nth(1).as_deref() == Some("serve") {
        return serve();
    }
    let mut server = Command::new(env::current_exe()?)
        .arg("serve")
        .stdout(Stdio::piped())
        .spawn()?;
    let mut address = String::new();
    let stdout = server.stdout.take().ok_or("no output")?;
    BufReader::new(stdout).read_line(&mut address)?;
    let mut stream = TcpStream::connect(address.trim())?;
    for size in SIZES {
        for encoding in ["gzip", "identity"] {
            let bytes = get(&mut stream, size, encoding)?;
            let requests = (PAGES / size).min(MOST_REQUESTS);
            let before = processor_seconds(server.id())?;
            for _ in 0..requests {
                get(&mut stream, size, encoding)?;
            }
            let took = (processor_seconds(server.id())? - before) / f64::from(u32::try_from(requests)?);
            println!(
                "{size} pages, {encoding}: {bytes} bytes, {:.3} ms, {:.2} ms a megabyte",
                took * 1e3,
                took * 1e9 / f64::from(u32::try_from(bytes)?)
            );
        }
    }
    server.kill()?;
    Ok(())
}

#[tokio::main(worker_threads = 2)]
async fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let mut site = SiteBuilder::new("https://example.com");
    for size in SIZES {
        let pages = (1..=size).map(|id| {
            let mut page = UrlEntry::new(format!("/products/{}-{id}", ["lamp", "chair", "table"][id % 3]));
            page.lastmod = format!("2026-05-{:02}T{:02}:17:00Z", id % 28 + 1, id % 24)
                .parse()
                .ok();
            page
        });
        site.section(format!("p{size}"), pages.collect::<Vec<_>>());
    }
    let site = site.part_rows(40_000).build()?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback_service(site)).await?;
    Ok(())
}

/// Reads a response to its end, and returns the length of its body.
fn get(stream: &mut TcpStream, size: usize, encoding: &str) -> Result<usize, Box<dyn std::error::Error>> {
    let request =
        format!("GET /sitemap-p{size}.xml HTTP/1.1\r\nHost: a\r\nAccept-Encoding: {encoding}\r\n\r\n");
    // In one packet. Otherwise, the next packet waits for an acknowledgement.
    stream.write_all(request.as_bytes())?;
    let mut response = BufReader::with_capacity(1 << 20, stream);
    let (mut line, mut length) = (String::new(), 0);
    while response.read_line(&mut line)? > 2 {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    response.read_exact(&mut body)?;
    Ok(length)
}

/// User and system time of a process so far.
fn processor_seconds(process: u32) -> Result<f64, Box<dyn std::error::Error>> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, fields) = stat.rsplit_once(')').ok_or("no name")?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? / TICKS)
}

//! Processor time of one response with a part of 10,000 pages, by its encoding: a server in a process of its own, on Linux.
//!
//! `cargo run --release -p sitemap-serving-tests --example encodings`

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use axum::Router;
use sitemap_serde::UrlEntry;
use sitemap_site::Site;

const REQUESTS: u32 = 2_000;
/// Of `/proc`, in a second.
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
    for encoding in ["gzip", "identity"] {
        let bytes = get(&mut stream, encoding)?;
        let before = processor_seconds(server.id())?;
        for _ in 0..REQUESTS {
            get(&mut stream, encoding)?;
        }
        let took = (processor_seconds(server.id())? - before) / f64::from(REQUESTS);
        println!("{encoding}: {bytes} bytes, {:.3} ms", took * 1e3);
    }
    server.kill()?;
    Ok(())
}

#[tokio::main(worker_threads = 2)]
async fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let pages: Vec<_> = (1..=10_000)
        .map(|id| {
            let mut page = UrlEntry::new(format!("/products/{}-{id}", ["lamp", "chair", "table"][id % 3]));
            page.lastmod = format!("2026-05-{:02}T{:02}:17:00Z", id % 28 + 1, id % 24)
                .parse()
                .ok();
            page
        })
        .collect();
    let site = Site::builder("https://example.com").section("p", pages).build()?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback_service(site)).await?;
    Ok(())
}

/// Reads a response to its end, and returns the length of its body.
fn get(stream: &mut TcpStream, encoding: &str) -> Result<usize, Box<dyn std::error::Error>> {
    write!(
        stream,
        "GET /sitemap-p.~10000.xml HTTP/1.1\r\nHost: a\r\nAccept-Encoding: {encoding}\r\n\r\n"
    )?;
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

//! The client example, against a local server.

use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;

const KEY: &str = "0123456789abcdef";

/// Serves a site and an engine, and returns its URL.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    let own = site.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, site) = (stream.unwrap(), own.clone());
            thread::spawn(move || respond(&stream, &site));
        }
    });
    site
}

fn respond(mut stream: &TcpStream, site: &str) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut request, mut line, mut length) = (String::new(), String::new(), 0);
    while reader.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        if request.is_empty() {
            request.clone_from(&line);
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut posted = vec![0; length];
    reader.read_exact(&mut posted)?;
    let posted = String::from_utf8(posted).unwrap();
    let index = format!(
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <sitemap><loc>{site}/a.txt</loc></sitemap><sitemap><loc>{site}/moved.txt</loc></sitemap>\
         <sitemap><loc>{site}/gone.txt</loc></sitemap></sitemapindex>"
    );
    let (status, location, body) = match request.split(' ').nth(1).unwrap_or_default() {
        "/robots.txt" => ("200 OK", "/", format!("Sitemap: {site}/index.xml")),
        "/index.xml" => ("200 OK", "/", index),
        "/a.txt" => ("200 OK", "/", "https://example.com/a\n".repeat(5000)),
        "/moved.txt" => ("302 Found", "/b.txt", String::new()),
        "/b.txt" => ("200 OK", "/", "https://example.com/b\n".to_owned()),
        "/0123456789abcdef.txt" => ("200 OK", "/", KEY.to_owned()),
        "/indexnow" if posted.contains(&format!("\"urlList\":[\"{site}/lamps\"]")) => {
            ("202 Accepted", "/", String::new())
        }
        _ => ("404 Not Found", "/", String::new()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nLocation: {location}\r\nConnection: close\r\n\r\n{body}"
    )
}

#[test]
fn reqwest() {
    let site = serve();
    let test = env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap();
    let program = folder
        .join("examples")
        .join(format!("reqwest{}", env::consts::EXE_SUFFIX));
    let output = Command::new(program)
        .args([&site, &format!("{site}/lamps"), KEY, &format!("{site}/indexnow")])
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let expected = format!(
        "{}https://example.com/b\n{site}/gone.txt does not exist\n1 received\n",
        "https://example.com/a\n".repeat(5000)
    );
    assert_eq!(printed, expected, "{}", String::from_utf8_lossy(&output.stderr));
}

//! Whole exchanges with `Exchange::run`. A server on this machine is both the engine and the site.
#![cfg(feature = "ureq")]

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sitemap_submit::{Deployment, Exchange, PageState, Submission};

const KEY: &str = "0123456789abcdef";

/// Serves the responses in order. Returns its URL and the requests with their bodies.
fn serve(responses: &[(&'static str, &'static str, &'static str)]) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let (seen, responses) = (Arc::clone(&requests), responses.to_vec());
    thread::spawn(move || {
        for response in responses {
            let (stream, _) = listener.accept().unwrap();
            let request = read(&stream).unwrap();
            seen.lock().unwrap().push(request);
            respond(&stream, response).unwrap();
        }
    });
    (url, requests)
}

/// Reads a request: its first line, some of its headers, and its body.
fn read(stream: &TcpStream) -> io::Result<String> {
    let mut reader = BufReader::new(stream);
    let (mut request, mut line, mut length) = (String::new(), String::new(), 0);
    while reader.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        let lower = line.trim().to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        if request.is_empty() {
            line.trim().trim_end_matches(" HTTP/1.1").clone_into(&mut request);
        } else if ["user-agent", "cache-control", "content-type"].contains(&lower.split(':').next().unwrap())
        {
            request += "\n";
            request += &lower;
        }
        line.clear();
    }
    let mut posted = vec![0; length];
    reader.read_exact(&mut posted)?;
    if !posted.is_empty() {
        request += "\n";
        request += &String::from_utf8(posted).unwrap();
    }
    Ok(request)
}

fn respond(mut stream: &TcpStream, (status, headers, body): (&str, &str, &str)) -> io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    )
}

/// A submission of one page at `url`, to an engine there.
fn submission(url: &str) -> Submission {
    let mut submission = Submission::new(KEY).unwrap();
    submission.endpoint(&format!("{url}/indexnow")).unwrap();
    submission
        .push(&format!("{url}/lamps"), PageState::new("1"))
        .unwrap();
    submission
}

/// The key is checked, the order is repeated while the engine is busy, and each received page is returned once.
#[test]
fn pages() {
    let (url, requests) = serve(&[
        ("200 OK", "", KEY),
        ("429 Too Many Requests", "Retry-After: 1\r\n", ""),
        ("202 Accepted", "", ""),
    ]);
    let mut submission = submission(&url);
    let mut received = Vec::new();
    submission
        .run(|submission| {
            received.extend(submission.take_received().into_iter().map(|page| page.url));
            Ok(())
        })
        .unwrap();
    assert_eq!(received, [format!("{url}/lamps")]);
    let report = submission.report();
    assert_eq!(
        (report.received, report.unchecked, report.unsent.len()),
        (1, 1, 0)
    );
    let agent = concat!("user-agent: sitemap/", env!("CARGO_PKG_VERSION"));
    let order = format!(
        "POST /indexnow\n{agent}\ncontent-type: application/json; charset=utf-8\n\
         {{\"host\":\"127.0.0.1\",\"key\":\"{KEY}\",\"urlList\":[\"{url}/lamps\"]}}"
    );
    let key = format!("GET /{KEY}.txt\n{agent}\ncache-control: no-cache");
    assert_eq!(*requests.lock().unwrap(), [key, order.clone(), order]);
}

/// Redirects are not followed, and an error of the program ends the run.
#[test]
fn failures() {
    let (url, _) = serve(&[("302 Found", "Location: /other\r\n", ""), ("200 OK", "", KEY)]);
    let mut redirected = submission(&url);
    redirected.run(|_| Ok(())).unwrap();
    let unsent = &redirected.report().unsent;
    let problems: Vec<String> = unsent.iter().map(|unsent| unsent.problem.to_string()).collect();
    assert_eq!(
        problems,
        [format!(
            "the key is not at {url}/{KEY}.txt: status 302; serve it there as a text file"
        )]
    );

    let (url, _) = serve(&[("200 OK", "", KEY)]);
    let error = submission(&url).run(|_| Err(io::Error::other("the disk is full")));
    assert_eq!(error.unwrap_err().to_string(), "the disk is full");
}

/// Waits until the site serves the new document.
#[test]
fn deployments() {
    let (url, _) = serve(&[("200 OK", "", "old"), ("200 OK", "", "new")]);
    let mut deployment = Deployment::new(Duration::from_secs(60));
    deployment
        .document(&format!("{url}/sitemap.xml"), &b"new"[..])
        .unwrap();
    let mut awaited = Vec::new();
    deployment
        .run(|deployment| {
            awaited.push(deployment.awaited().map(|awaited| awaited.to_string()));
            Ok(())
        })
        .unwrap();
    deployment.result().unwrap();
    assert_eq!(
        awaited,
        [Some(format!("{url}/sitemap.xml is not the new document")), None]
    );
}

//! A whole exchange with the client of `sitemap-tree`.

use std::io;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use sitemap_tree::{Client, Failure, Head};
use ureq::http::{Request as HttpRequest, Response as HttpResponse};
use ureq::{Agent, AsSendBody, Body};

use crate::exchange::{Exchange, Request, Response, Step};

/// The timeout of a request, including its body.
const TIMEOUT: Duration = Duration::from_secs(60);

/// An exchange may run several times. Its time never goes back.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Carries out an exchange, and calls `after` after each response.
pub(crate) fn run<E: Exchange>(
    exchange: &mut E,
    mut after: impl FnMut(&mut E) -> io::Result<()>,
) -> io::Result<()> {
    let client = Client::new();
    loop {
        match exchange.step(BEGAN.elapsed()) {
            Step::Request(request) => {
                match send(client.agent(true), &request) {
                    Ok(response) => {
                        let head = Head::from(&response);
                        let mut body = response.into_body().into_with_config().limit(u64::MAX).reader();
                        exchange.respond(Ok(Response::new(head, &mut body)), BEGAN.elapsed());
                    }
                    Err(error) => exchange.respond(Err(Failure::from(error)), BEGAN.elapsed()),
                }
                after(exchange)?;
            }
            Step::Wait(time) => thread::sleep(time),
            Step::Done => return Ok(()),
        }
    }
}

fn send(agent: &Agent, request: &Request) -> Result<HttpResponse<Body>, ureq::Error> {
    match request.body() {
        Some(body) => send_body(agent, request, "POST", body),
        None => send_body(agent, request, "GET", ()),
    }
}

fn send_body(
    agent: &Agent,
    request: &Request,
    method: &str,
    body: impl AsSendBody,
) -> Result<HttpResponse<Body>, ureq::Error> {
    let mut builder = HttpRequest::builder().method(method).uri(request.url());
    builder = builder.header("user-agent", concat!("sitemap/", env!("CARGO_PKG_VERSION")));
    for (name, value) in request.headers() {
        builder = builder.header(name, value);
    }
    let request = agent.configure_request(builder.body(body)?);
    agent.run(request.timeout_global(Some(TIMEOUT)).build())
}

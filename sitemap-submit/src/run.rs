//! A whole exchange with the client of `sitemap-tree`.

use std::io::{self, Read};
use std::sync::LazyLock;
use std::thread;
use std::time::Instant;

use sitemap_tree::{Client, ClientBuilder, Failure, Head};
use ureq::AsSendBody;
use ureq::http::Request as HttpRequest;

use crate::exchange::{Exchange, Request, Response, Step};

/// An exchange may run several times. Its time never goes back.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Carries out an exchange, and calls `after` after each response.
pub(crate) fn run<E: Exchange>(
    exchange: &mut E,
    client: &Client,
    mut after: impl FnMut(&mut E) -> io::Result<()>,
) -> io::Result<()> {
    loop {
        match exchange.step(BEGAN.elapsed()) {
            Step::Request(request) => {
                match send(client, &request) {
                    Ok((head, mut body)) => {
                        exchange.respond(Ok(Response::new(head, &mut *body)), BEGAN.elapsed());
                    }
                    Err(failure) => exchange.respond(Err(failure), BEGAN.elapsed()),
                }
                after(exchange)?;
            }
            Step::Wait(time) => thread::sleep(time),
            Step::Done => return Ok(()),
        }
    }
}

/// The client that [`Exchange::run`] uses.
pub(crate) fn client() -> io::Result<Client> {
    let mut client = ClientBuilder::new();
    let client = client.user_agent(concat!("sitemap/", env!("CARGO_PKG_VERSION")));
    client.and_then(|client| client.build()).map_err(io::Error::other)
}

fn send(client: &Client, request: &Request) -> Result<(Head, Box<dyn Read>), Failure> {
    match request.body() {
        Some(body) => send_body(client, request, "POST", body.to_owned()),
        None => send_body(client, request, "GET", ()),
    }
}

fn send_body(
    client: &Client,
    request: &Request,
    method: &str,
    body: impl AsSendBody + 'static,
) -> Result<(Head, Box<dyn Read>), Failure> {
    let mut builder = HttpRequest::builder().method(method).uri(request.url());
    for (name, value) in request.headers() {
        builder = builder.header(name, value);
    }
    let timeout = request.timeout();
    let request = builder.body(body).map_err(Failure::connection)?;
    let response = client.run(request, timeout, true)?;
    Ok((Head::from(&response), Box::new(response.into_body())))
}

//! The HTTP client of a submission.

use std::time::Duration;

use sitemap_submit::{Request, Response};
use sitemap_tree::Failure;
use ureq::Agent;
use ureq::http::Request as HttpRequest;

use crate::live::client::{failure, head};

/// The time that a request may take, with its body.
const TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
}

impl Client {
    pub(super) fn new() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(TIMEOUT))
            .user_agent(concat!("sitemap/", env!("CARGO_PKG_VERSION")))
            .build();
        Client { agent: config.into() }
    }

    /// Sends a request, and hands over the response.
    pub(super) fn send(&self, request: &Request, respond: impl FnOnce(Result<Response<'_>, Failure>)) {
        let mut builder = HttpRequest::builder().uri(request.url());
        for (name, value) in request.headers() {
            builder = builder.header(name, value);
        }
        let sent = match request.body() {
            Some(body) => builder
                .method("POST")
                .body(body.to_owned())
                .map_err(ureq::Error::from)
                .and_then(|request| self.agent.run(request)),
            None => builder
                .body(())
                .map_err(ureq::Error::from)
                .and_then(|request| self.agent.run(request)),
        };
        match sent {
            Ok(response) => {
                let head = head(&response);
                let mut body = response.into_body().into_with_config().limit(u64::MAX).reader();
                respond(Ok(Response::new(head, &mut body)));
            }
            Err(error) => respond(Err(failure(error))),
        }
    }
}

//! Options for requests, shared by every command that reads URLs.
//!
//! **Values of headers are secrets.** Their type never shows its text, and they are checked here, because clap would print an invalid
//! value. The client of `sitemap-tree` adds them by a request's origin, so they never follow a redirect to another host.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use sitemap_tree::{Client, ClientBuilder, Failure, Report, WalkBuilder};
use url::Url;

use crate::input::url;
use crate::outputs::Outputs;
use crate::url_parts::origin;

/// The environment variable for a user name and a password, used without `--basic-auth`.
const BASIC_AUTH: &str = "SITEMAP_BASIC_AUTH";

/// The default `User-Agent`.
const USER_AGENT: &str = concat!("sitemap/", env!("CARGO_PKG_VERSION"));

/// Options for requests.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Requests")]
pub(crate) struct Connection {
    /// Send a header, such as 'Authorization: Bearer TOKEN', only to the named URL's host (same scheme, host and port); may be given
    /// several times
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = Secret::of)]
    headers: Vec<Secret>,
    /// Send a user name and a password, like --header [default: the variable SITEMAP_BASIC_AUTH, which lists of processes do not show]
    #[arg(long, value_name = "USER:PASSWORD", value_parser = Secret::of)]
    basic_auth: Option<Secret>,
    /// The host for --header and --basic-auth, if the URLs name several
    #[arg(long, value_name = "URL")]
    auth_to: Option<String>,
    /// The User-Agent of all requests. Its first word selects the rules of robots.txt [default: sitemap/VERSION]
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<String>,
    /// Trust the certificates in this file (PEM), such as your own authority's, instead of Mozilla's [default: the file named by the
    /// variable SSL_CERT_FILE]
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Accept every certificate, with a warning: anyone between you and the server can read and change everything
    #[arg(long, conflicts_with = "ca_file")]
    insecure: bool,
    /// Time out if a server sends nothing for this long, in seconds [default: 60; robots.txt and pages 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: Option<u64>,
    /// Number of retries after a broken connection or a status such as 503 [default: 3; pages 1; IndexNow 8]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(..=100))]
    retries: Option<u32>,
    /// Limit the requests to a host per second, such as 2 or 0.5, per minute, such as 30/m, or per hour, such as 100/h [default: no limit]
    #[arg(long, value_name = "RATE", value_parser = interval)]
    rate: Option<Duration>,
    /// Created by the first request. All requests of a run share its connections and cookies.
    #[arg(skip)]
    client: OnceLock<Client>,
}

/// A text that is never shown.
#[derive(Clone)]
struct Secret(String);

impl Secret {
    #[expect(clippy::unnecessary_wraps, reason = "clap asks for a result")]
    fn of(text: &str) -> Result<Self, Infallible> {
        Ok(Secret(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<secret>")
    }
}

/// Parses a rate and returns the time between two requests.
fn interval(text: &str) -> Result<Duration, &'static str> {
    let (number, unit) = match text.split_once('/') {
        None | Some((_, "s")) => (text.trim_end_matches("/s"), 1.0),
        Some((number, "m")) => (number, 60.0),
        Some((number, "h")) => (number, 3600.0),
        Some(_) => ("", 0.0),
    };
    let is_number = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let seconds = number.parse::<f64>().ok().map(|rate| unit / rate);
    seconds
        .filter(|seconds| is_number && *seconds <= 86_400.0)
        .map(Duration::from_secs_f64)
        .ok_or("write a number of requests a second, such as 2 or 0.5, or a minute or hour, such as 30/m or 100/h; at least one a day")
}

impl Connection {
    /// Checks all values. Headers need a host: the only one among the URLs, or the host of `--auth-to`. Without a URL, each option is an error,
    /// unless the command `sends` other requests.
    pub(crate) fn check<'p>(&self, paths: impl IntoIterator<Item = &'p Path>, sends: bool) -> Result<()> {
        let urls = paths.into_iter().filter_map(url);
        let hosts: BTreeSet<String> = urls.map(normalized_origin).collect();
        if hosts.is_empty() && !sends {
            return self.given().map_or(Ok(()), |option| Err(without_url(option)));
        }
        let option = match self {
            Connection { headers, .. } if !headers.is_empty() => Some("--header"),
            Connection {
                basic_auth: Some(_), ..
            } => Some("--basic-auth"),
            _ => None,
        };
        let to = self.auth_to.as_deref().or(hosts.first().map(String::as_str));
        match (to, option) {
            (None, Some(option)) => bail!(
                "{option} is for documents at URLs, and no URL is named: --auth-to names the host that gets it"
            ),
            (None, None) => return Ok(()),
            (Some(_), _) => {}
        }
        if self.auth_to.is_none() && self.has_secrets() && hosts.len() > 1 {
            let hosts: Vec<String> = hosts.into_iter().collect();
            bail!(
                "{} is for one host, and URLs of several are named: --auth-to says which one of {}",
                option.unwrap_or(BASIC_AUTH),
                hosts.join(", ")
            );
        }
        let client = self.builder(to)?.build()?;
        self.warn();
        self.client.get_or_init(|| client);
        Ok(())
    }

    /// Adds the files that the options name to those that the command reads.
    pub(crate) fn outputs(&self, outputs: Outputs) -> Outputs {
        outputs.reads(&self.ca_file)
    }

    /// Returns the first given option.
    fn given(&self) -> Option<&'static str> {
        let Connection {
            headers,
            basic_auth,
            auth_to,
            user_agent,
            ca_file,
            insecure,
            timeout,
            retries,
            rate,
            client: _,
        } = self;
        let options = [
            ("--header", !headers.is_empty()),
            ("--basic-auth", basic_auth.is_some()),
            ("--auth-to", auth_to.is_some()),
            ("--user-agent", user_agent.is_some()),
            ("--ca-file", ca_file.is_some()),
            ("--insecure", *insecure),
            ("--timeout", timeout.is_some()),
            ("--retries", retries.is_some()),
            ("--rate", rate.is_some()),
        ];
        options
            .into_iter()
            .find_map(|(name, is_given)| is_given.then_some(name))
    }

    fn warn(&self) {
        if self.insecure {
            print_message!(
                "sitemap: warning: certificates are not checked (--insecure): anyone on the way can read and change everything"
            );
        }
    }

    /// Returns `true` if there are headers or a password to send.
    fn has_secrets(&self) -> bool {
        !self.headers.is_empty() || self.basic_auth().is_some()
    }

    /// Returns the user name and password from the option or the environment, and the name of that source.
    fn basic_auth(&self) -> Option<(&'static str, Secret)> {
        if let Some(given) = &self.basic_auth {
            return Some(("--basic-auth", given.clone()));
        }
        let set = std::env::var_os(BASIC_AUTH).filter(|value| !value.is_empty())?;
        // Invalid Unicode is replaced with an empty text, which fails the check for a colon.
        Some((BASIC_AUTH, Secret(set.into_string().unwrap_or_default())))
    }

    /// Returns the client of the run. Sends headers to no host if the arguments name no URL.
    pub(crate) fn client(&self) -> Result<Client> {
        if self.client.get().is_none() {
            let client = self.builder(None)?.build()?;
            self.warn();
            self.client.get_or_init(|| client);
        }
        let client = self.client.get().cloned();
        client.context("there is no client")
    }

    /// Creates a client that sends the headers to the host of a URL.
    fn builder(&self, to: Option<&str>) -> Result<ClientBuilder> {
        let mut client = ClientBuilder::new();
        client.user_agent(self.user_agent()).context("--user-agent")?;
        if let Some(path) = &self.ca_file {
            let name = || format!("--ca-file {}", path.display());
            let pem = fs::read(path).with_context(name)?;
            client.certificates(&pem).with_context(name)?;
        }
        client.accept_invalid_certificates(self.insecure);
        client.min_interval(self.interval());
        if let Some(seconds) = self.timeout {
            client.timeout(Duration::from_secs(seconds));
        }
        let Some(to) = to else {
            return Ok(client);
        };
        if let Some(own) = &self.auth_to {
            // Adding any header checks that it is a URL.
            client.clone().header(own, "accept", "*/*").context("--auth-to")?;
        }
        for Secret(header) in &self.headers {
            let Some((name, value)) = header.split_once(':') else {
                bail!("--header is written as 'NAME: VALUE', such as 'Authorization: Bearer TOKEN'");
            };
            client.header(to, name.trim(), value).context("--header")?;
            if name.trim().eq_ignore_ascii_case("authorization")
                && let Some((from, _)) = self.basic_auth()
            {
                bail!(
                    "--header Authorization and {from} exclude each other, since a request has one Authorization"
                );
            }
        }
        if let Some((from, Secret(pair))) = self.basic_auth() {
            let Some((user, password)) = pair.split_once(':') else {
                bail!("{from} is written as USER:PASSWORD");
            };
            client.basic_auth(to, user, password).context(from)?;
        }
        Ok(client)
    }

    /// Returns the `User-Agent`.
    pub(crate) fn user_agent(&self) -> &str {
        self.user_agent.as_deref().map_or(USER_AGENT, str::trim)
    }

    /// Applies these options to a walk.
    pub(super) fn apply(&self, walk: &mut WalkBuilder) {
        if let Some(retries) = self.retries {
            walk.max_retries(retries);
        }
        walk.min_interval(self.interval());
    }

    /// Returns the minimum time between two requests to a host.
    pub(crate) fn interval(&self) -> Duration {
        self.rate.unwrap_or_default()
    }

    /// Returns the number of retries, if it is given.
    pub(crate) fn retries(&self) -> Option<u32> {
        self.retries
    }

    /// Returns the number of retries for a page of a busy site.
    pub(crate) fn page_retries(&self) -> u32 {
        self.retries.unwrap_or(1)
    }

    /// Returns the timeout for a robots.txt or a page.
    pub(super) fn short_timeout(&self) -> Duration {
        Duration::from_secs(self.timeout.unwrap_or(30))
    }

    /// Returns advice about a failure, to be printed after it.
    pub(crate) fn advice(&self, url: &str, failure: &Failure) -> &'static str {
        match failure {
            Failure::Status(401 | 403) if self.is_elsewhere(url) => {
                " (--header and --basic-auth are sent only to the host of the named URL: --auth-to URL names another one)"
            }
            Failure::Status(401) if !self.has_secrets() => " (--basic-auth or --header send credentials)",
            Failure::Status(407) => {
                " (the URL of a proxy may have a user name and a password: http://USER:PASSWORD@proxy.example:3128)"
            }
            // What `openssl req -x509` writes by default.
            Failure::Certificate(problem) if problem.contains("CaUsedAsEndEntity") => {
                " (the certificate is for an authority and not for a server: make one with CA:FALSE, or use --insecure)"
            }
            Failure::Certificate(problem) if self.ca_file.is_none() && problem.contains("UnknownIssuer") => {
                " (--ca-file FILE trusts an authority of your own, and --insecure accepts every certificate)"
            }
            _ => "",
        }
    }

    /// Prints a note if a site redirects to another host of its own, which does not get the headers.
    pub(super) fn note_redirects(&self, report: &Report<'_>) {
        let Some(client) = self.client.get().filter(|_| self.has_secrets()) else {
            return;
        };
        let elsewhere = report.documents().iter().find_map(|document| {
            let (url, end) = (document.url(), document.redirected_to()?);
            let is_lost = client.has_headers(url) && !client.has_headers(end) && site(url) == site(end);
            is_lost.then_some((url, origin(end)))
        });
        if let Some((url, end)) = elsewhere {
            print_note!(
                "note: {url} redirects to {end}, which does not get the headers: name a URL there, or --auth-to {end}"
            );
        }
    }

    /// Returns `true` if there are headers, but a URL does not get them.
    fn is_elsewhere(&self, url: &str) -> bool {
        let own = self.client.get().is_some_and(|client| client.has_headers(url));
        self.has_secrets() && !own
    }
}

/// Returns the error for an option without effect.
pub(super) fn without_url(option: &str) -> anyhow::Error {
    anyhow!("{option} is for documents at URLs, and no URL is named")
}

/// Returns the origin of a URL as the client compares it, such as without a default port.
fn normalized_origin(url: &str) -> String {
    Url::parse(url).map_or_else(
        |_| origin(url).to_owned(),
        |parsed| parsed.origin().ascii_serialization(),
    )
}

/// Returns the host of a URL without `www.`.
fn site(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(host.strip_prefix("www.").unwrap_or(host).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        for (text, milliseconds) in [
            ("2", 500),
            ("0.5", 2000),
            ("4/s", 250),
            ("30/m", 2000),
            ("100/h", 36_000),
            ("1000", 1),
        ] {
            assert_eq!(interval(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in [
            "", "0", "-1", "2/d", "inf", "NaN", "1e3", "0.000001", "a", "/s", "2/", "1,5", ".",
        ] {
            assert!(interval(text).is_err(), "{text}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let connection = Connection {
            headers: vec![Secret("X-Token: t0psecret".to_owned())],
            basic_auth: Some(Secret("user:t0psecret".to_owned())),
            ..Connection::default()
        };
        connection
            .check([Path::new("https://example.com/")], false)
            .unwrap();
        assert!(!format!("{connection:?}").contains("t0psecret"));
    }
}

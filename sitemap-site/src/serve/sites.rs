//! Several sites in one process, selected by host.

use std::fmt;
use std::sync::Arc;

use http::header::HOST;
use http::{Request, Response};

use super::{Body, Site, respond};

/// Several sites as one service: tenants, or a host per language.
///
/// The sites share no limits. So a site whose database hangs does not delay the others, and the process needs the memory of all:
/// [`memory_bytes`](crate::SiteBuilder::memory_bytes) for each site. With the default of 128 MiB, a thousand sites may need 125 GiB.
///
/// ```
/// use sitemap_serde::UrlEntry;
/// use sitemap_site::{SiteBuilder, Sites};
///
/// let site = |base: &str| SiteBuilder::new(base).section("pages", vec![UrlEntry::new("/")]).build();
/// let (english, german) = (site("https://example.com")?, site("https://example.de")?);
/// let sites = Sites::by_host(move |host| match host {
///     "example.com" => Some(english.clone()),
///     "example.de" => Some(german.clone()),
///     _ => None,
/// });
/// # Ok::<(), sitemap_site::Error>(())
/// ```
#[derive(Clone)]
pub struct Sites(Arc<Find>);

type Find = dyn Fn(&str) -> Option<Site> + Send + Sync;

impl fmt::Debug for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sites").finish_non_exhaustive()
    }
}

impl Sites {
    /// Selects the site of a request by calling `find` with its host: the `Host` of HTTP/1.1, the authority of HTTP/2, in lower
    /// case and without a port. The response is 404 if `find` returns `None`. `find` must return clones of existing sites, since
    /// a newly built site has an empty cache.
    ///
    /// Headers of proxies (`Forwarded`, `X-Forwarded-Host`) are ignored, since any client can send them: a proxy must pass on
    /// `Host`.
    pub fn by_host(find: impl Fn(&str) -> Option<Site> + Send + Sync + 'static) -> Self {
        Sites(Arc::new(find))
    }

    /// The response to a request; see [`Site::respond`].
    pub fn respond<B>(
        &self,
        request: &Request<B>,
    ) -> impl Future<Output = Response<Body>> + Send + 'static + use<B> {
        let site = host(request).and_then(|host| (self.0)(&host));
        let found = match site {
            Some(site) => Ok(site.respond(request)),
            None => Err(respond::not_found(request)),
        };
        async move {
            match found {
                Ok(response) => response.await,
                Err(refused) => refused,
            }
        }
    }
}

/// The request's host in lower case, without a port. An absolute request target has precedence over the header (RFC 9112 section 3.2.2).
fn host<B>(request: &Request<B>) -> Option<String> {
    let host = match request.uri().host() {
        Some(host) => host,
        None => {
            let mut values = request.headers().get_all(HOST).iter();
            let value = values.next()?.to_str().ok()?;
            // With two `Host` headers the request is invalid.
            if values.next().is_some() {
                return None;
            }
            let port = value.rfind(':').filter(|colon| {
                value
                    .get(colon + 1..)
                    .is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
            });
            port.and_then(|colon| value.get(..colon)).unwrap_or(value)
        }
    };
    Some(host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_that_of_the_request() {
        let of = |uri: &str, headers: &[(&str, &str)]| {
            let mut request = Request::get(uri);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            host(&request.body(()).unwrap())
        };
        assert_eq!(
            of("/", &[("host", "Example.COM")]).as_deref(),
            Some("example.com")
        );
        assert_eq!(
            of("/", &[("host", "example.com:8080")]).as_deref(),
            Some("example.com")
        );
        assert_eq!(of("/", &[("host", "[::1]:80")]).as_deref(), Some("[::1]"));
        assert_eq!(of("/", &[("host", "[::1]")]).as_deref(), Some("[::1]"));
        assert_eq!(
            of("http://a.example/", &[("host", "b.example")]).as_deref(),
            Some("a.example")
        );
        assert_eq!(
            of(
                "/",
                &[
                    ("host", "a.example"),
                    ("x-forwarded-host", "b.example"),
                    ("forwarded", "host=b.example")
                ]
            )
            .as_deref(),
            Some("a.example")
        );
        assert_eq!(of("/", &[]), None);
        assert_eq!(of("/", &[("host", "a.example"), ("host", "b.example")]), None);
    }
}

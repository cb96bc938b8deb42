//! A site as a tower service.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use tower_service::Service;

use super::{Body, ServeSet, Site, Sites};

/// The future of a response from a [`Site`], [`Sites`] or [`ServeSet`]. Dropping it cancels the rendering, unless other requests wait for it.
pub struct ResponseFuture(Pin<Box<dyn Future<Output = Response<Body>> + Send>>);

impl ResponseFuture {
    pub(super) fn new(response: impl Future<Output = Response<Body>> + Send + 'static) -> Self {
        ResponseFuture(Box::pin(response))
    }
}

impl fmt::Debug for ResponseFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}

impl Future for ResponseFuture {
    type Output = Response<Body>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response<Body>> {
        self.0.as_mut().poll(context)
    }
}

/// An [`ResponseFuture`] as the future of a service, which never fails.
#[derive(Debug)]
pub struct ServiceFuture(ResponseFuture);

impl Future for ServiceFuture {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map(Ok)
    }
}

macro_rules! service {
    ($($service:ty),*) => {$(
        impl<B> Service<Request<B>> for $service {
            type Response = Response<Body>;
            type Error = Infallible;
            type Future = ServiceFuture;

            fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
                Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: Request<B>) -> ServiceFuture {
                ServiceFuture(self.respond(&request))
            }
        }
    )*};
}
service!(Site, Sites, ServeSet);

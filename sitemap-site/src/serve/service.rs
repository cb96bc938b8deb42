//! A site as a tower service.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use tower_service::Service;

use super::{Body, Rebased, ServeSet, Site, Sites};

/// The future of a response from a [`Site`], [`Sites`], [`ServeSet`] or [`Rebased`] as a service, which never fails. Dropping it cancels the rendering, unless other
/// requests wait for it.
pub struct ResponseFuture(Pin<Box<dyn Future<Output = Response<Body>> + Send>>);

impl fmt::Debug for ResponseFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}

impl Future for ResponseFuture {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context).map(Ok)
    }
}

macro_rules! service {
    ($($service:ty),*) => {$(
        impl<B> Service<Request<B>> for $service {
            type Response = Response<Body>;
            type Error = Infallible;
            type Future = ResponseFuture;

            fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
                Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: Request<B>) -> ResponseFuture {
                ResponseFuture(Box::pin(self.respond(&request)))
            }
        }
    )*};
}
service!(Site, Sites, ServeSet, Rebased);

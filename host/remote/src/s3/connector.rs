//! How objects are asked for: by the pool of connections that endpoints are asked with, so that no second library for HTTP is built.

use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as Pool;
use hyper_util::client::legacy::connect::HttpConnector as Tcp;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpService,
};
use rustls::ClientConfig;

const CONNECTING: Duration = Duration::from_secs(15);

/// Time for one attempt at one object.
const ATTEMPT: Duration = Duration::from_secs(300);

/// Connects to the server of a bucket.
#[derive(Debug)]
pub struct Connector(pub ClientConfig);

#[derive(Debug)]
struct Service(Pool<HttpsConnector<Tcp>, HttpRequestBody>);

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = Tcp::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECTING));
        tcp.set_nodelay(true);
        let builder = HttpsConnectorBuilder::new().with_tls_config(self.0.clone()).https_or_http();
        let pool = Pool::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .build(builder.enable_http1().wrap_connector(tcp));
        Ok(HttpClient::new(Service(pool)))
    }
}

#[async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let reply = async {
            let reply = self.0.request(request).await.map_err(|error| {
                let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
                HttpError::new(kind, error)
            })?;
            let (head, body) = reply.into_parts();
            let body =
                body.collect().await.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error))?;
            Ok(HttpResponse::from_parts(head, body.to_bytes().into()))
        };
        match tokio::time::timeout(ATTEMPT, reply).await {
            Ok(reply) => reply,
            Err(late) => Err(HttpError::new(HttpErrorKind::Timeout, late)),
        }
    }
}

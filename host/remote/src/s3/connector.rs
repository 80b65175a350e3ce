//! How objects are asked for: by the pool of connections that endpoints are asked with, so that no second library for HTTP is built.

use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::Incoming;
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
use tokio::time::timeout;

const CONNECTING: Duration = Duration::from_secs(15);

/// Time for one attempt at one object.
const ATTEMPT: Duration = Duration::from_secs(300);

/// Bytes a second that a slow network sends.
const SLOW: u64 = 100_000;

/// How long a server may keep silent.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until it is said that it has not answered.
    pub until_said: Duration,
    /// Until an attempt is given up: before the reply begins, and between two pieces of it.
    pub until_given_up: Duration,
}

/// Who is told that a server keeps silent.
pub type OnSilence = Arc<dyn Fn(&Silence) + Send + Sync>;

/// A server that has not answered yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// Its name.
    pub host: String,
    /// For how long it was waited.
    pub waited: Duration,
    /// For how long it is asked again at most.
    pub retried: Duration,
}

/// Connects to the server of a bucket.
pub struct Connector {
    /// How connections are encrypted.
    pub encryption: ClientConfig,
    /// How long it is waited.
    pub patience: Patience,
    /// For how long a request is made again at most.
    pub retried: Duration,
    /// Told of each silence once.
    pub on_silence: OnSilence,
}

struct Service {
    pool: Pool<HttpsConnector<Tcp>, HttpRequestBody>,
    patience: Patience,
    retried: Duration,
    on_silence: OnSilence,
    /// True from the time when a silence was told until the server answers.
    is_told: AtomicBool,
}

/// A server that keeps silent for too long.
#[derive(Debug, thiserror::Error)]
#[error("no answer within {} s", .0.as_secs())]
struct Late(Duration);

impl fmt::Debug for Connector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Connector").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Service").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = Tcp::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECTING));
        tcp.set_nodelay(true);
        let builder = HttpsConnectorBuilder::new().with_tls_config(self.encryption.clone()).https_or_http();
        let pool = Pool::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .build(builder.enable_http1().wrap_connector(tcp));
        Ok(HttpClient::new(Service {
            pool,
            patience: self.patience,
            retried: self.retried,
            on_silence: Arc::clone(&self.on_silence),
            is_told: AtomicBool::new(false),
        }))
    }
}

impl Service {
    /// The reply to `request` once it begins; who listens is told if that takes a while.
    async fn begun(&self, request: HttpRequest) -> Result<Response<Incoming>, HttpError> {
        let host = request.uri().host().unwrap_or_default().to_owned();
        // A large object takes its time on the way there.
        let sending = Duration::from_secs(request.body().content_length() as u64 / SLOW);
        let mut reply = pin!(self.pool.request(request));
        let waited = self.patience.until_said + sending;
        let begun = match timeout(waited, reply.as_mut()).await {
            Ok(begun) => begun,
            Err(_) => {
                if !self.is_told.swap(true, Ordering::Relaxed) {
                    (self.on_silence)(&Silence { host, waited, retried: self.retried });
                }
                let left = self.patience.until_given_up.saturating_sub(self.patience.until_said);
                timeout(left, reply).await.map_err(|_| late(self.patience.until_given_up + sending))?
            }
        };
        let begun = begun.map_err(|error| {
            let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
            HttpError::new(kind, error)
        })?;
        self.is_told.store(false, Ordering::Relaxed);
        Ok(begun)
    }

    /// The bytes of a reply, each piece of which comes in time.
    async fn all_of(&self, mut body: Incoming) -> Result<Vec<u8>, HttpError> {
        let mut bytes = Vec::new();
        let patience = self.patience.until_given_up;
        while let Some(piece) = timeout(patience, body.frame()).await.map_err(|_| late(patience))? {
            let piece = piece.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error))?;
            if let Ok(piece) = piece.into_data() {
                bytes.extend_from_slice(&piece);
            }
        }
        Ok(bytes)
    }
}

fn late(waited: Duration) -> HttpError {
    HttpError::new(HttpErrorKind::Timeout, Late(waited))
}

#[async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let reply = async {
            let (head, body) = self.begun(request).await?.into_parts();
            Ok(HttpResponse::from_parts(head, self.all_of(body).await?.into()))
        };
        timeout(ATTEMPT, reply).await.unwrap_or_else(|_| Err(late(ATTEMPT)))
    }
}

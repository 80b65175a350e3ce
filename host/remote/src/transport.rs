//! Sends one request and reads its reply: a pool of connections, whom to believe, a time limit, and
//! no redirects.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderValue, USER_AGENT};
use hyper::{Method, Request, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as Pool;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::{ClientConfig, RootCertStore};

use crate::overload::retry_after;
use crate::{Endpoint, Policy};

const CONNECTING: Duration = Duration::from_secs(15);
const IDLE: Duration = Duration::from_secs(30);

/// Bytes that are read of a reply that is no answer: enough for what it says.
const NO_ANSWER: usize = 64 << 10;

const AGENT: &str = concat!("mteb-host/", env!("CARGO_PKG_VERSION"));

/// The connections to endpoints.
#[derive(Debug)]
pub struct Transport {
    pool: Pool<HttpsConnector<HttpConnector>, Full<Bytes>>,
    attempt_time: Duration,
    late: &'static str,
    reply_bytes: usize,
}

/// A reply, whatever it says.
#[derive(Debug)]
pub struct Reply {
    /// Status of HTTP.
    pub status: u16,
    /// How long the endpoint wants to be left alone.
    pub retry_after: Option<Duration>,
    /// What it says.
    pub body: Bytes,
}

/// Why there is no whole reply; each has one line.
#[derive(Debug)]
pub enum NoReply {
    /// It broke off, or did not come in time.
    Missing(String),
    /// It is larger than any answer can be; the next one would be, too.
    TooLarge(String),
}

impl Transport {
    /// Connections within the limits of `policy`.
    ///
    /// # Errors
    /// If connections cannot be encrypted.
    pub fn new(policy: &Policy) -> Result<Self, rustls::Error> {
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_connect_timeout(Some(CONNECTING));
        connector.set_nodelay(true);
        let builder = HttpsConnectorBuilder::new().with_tls_config(encryption()?).https_or_http();
        let pool = Pool::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(policy.concurrency.max(1))
            .build(builder.enable_http1().wrap_connector(connector));
        let Policy { attempt_time, late, reply_bytes, .. } = *policy;
        Ok(Self { pool, attempt_time, late, reply_bytes })
    }

    /// Posts `body` to `uri`, with the key of `endpoint`; an answer may have `most` bytes. Of what is no answer the begin is read.
    ///
    /// # Errors
    /// If there is no whole reply in time.
    pub async fn post(
        &self,
        endpoint: &Endpoint,
        uri: &Uri,
        body: Bytes,
        most: usize,
    ) -> Result<Reply, NoReply> {
        match tokio::time::timeout(self.attempt_time, self.ask(endpoint, uri, body, most)).await {
            Ok(reply) => reply,
            Err(_) => {
                let seconds = self.attempt_time.as_secs();
                Err(NoReply::Missing(format!("no complete reply within {seconds} s{}", self.late)))
            }
        }
    }

    async fn ask(&self, endpoint: &Endpoint, uri: &Uri, body: Bytes, most: usize) -> Result<Reply, NoReply> {
        let request = request(endpoint, uri, body).map_err(|error| NoReply::Missing(error.to_string()))?;
        let reply = self.pool.request(request).await.map_err(|error| NoReply::Missing(causes(&error)))?;
        let (head, body) = reply.into_parts();
        let body = match head.status.is_success() {
            true => {
                let most = self.reply_bytes.min(most);
                let body = Limited::new(body, most).collect().await.map(|body| body.to_bytes());
                body.map_err(|error| match error.is::<LengthLimitError>() {
                    true => NoReply::TooLarge(format!(
                        "the reply has more than {most} bytes, the most that were requested"
                    )),
                    false => broke_off(&*error),
                })?
            }
            false => begin_of(body).await.map_err(|error| broke_off(&error))?,
        };
        Ok(Reply {
            status: head.status.as_u16(),
            #[allow(clippy::disallowed_methods, reason = "the header may hold a date")]
            retry_after: retry_after(&head.headers, SystemTime::now()),
            body,
        })
    }
}

/// The first bytes of a body; the rest is not read.
async fn begin_of(mut body: Incoming) -> hyper::Result<Bytes> {
    let mut begin = Vec::new();
    while begin.len() < NO_ANSWER
        && let Some(frame) = body.frame().await
    {
        begin.extend_from_slice(frame?.data_ref().map_or(&[], |data| data.as_ref()));
    }
    begin.truncate(NO_ANSWER);
    Ok(begin.into())
}

fn request(endpoint: &Endpoint, uri: &Uri, body: Bytes) -> Result<Request<Full<Bytes>>, RequestError> {
    let json = HeaderValue::from_static("application/json");
    let mut builder = Request::builder().method(Method::POST).uri(uri.clone());
    builder = builder.header(CONTENT_TYPE, json.clone()).header(ACCEPT, json).header(USER_AGENT, AGENT);
    for (name, value) in endpoint.headers {
        builder = builder.header(*name, *value);
    }
    if let Some(key) = &endpoint.key {
        let (name, before) = endpoint.key_header;
        let value = HeaderValue::from_str(&format!("{before}{}", key.expose()));
        // The error would show the value.
        let mut value = value.map_err(|_| RequestError::Key)?;
        value.set_sensitive(true);
        builder = builder.header(name, value);
    }
    Ok(builder.body(Full::new(body))?)
}

/// Why there is no request to send.
#[derive(Debug, thiserror::Error)]
enum RequestError {
    /// No header can hold the key.
    #[error("the key has characters that are not allowed in a header")]
    Key,
    /// A part of it has another form.
    #[error(transparent)]
    Form(#[from] hyper::http::Error),
}

fn broke_off(error: &(dyn Error + 'static)) -> NoReply {
    NoReply::Missing(format!("the reply broke off: {}", causes(error)))
}

/// An error with its causes, which say what happened.
pub(crate) fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// How connections are encrypted; authorities that are compiled in count where the system has none.
///
/// # Errors
/// If there is no way to encrypt.
pub fn encryption() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(builder?.with_root_certificates(roots).with_no_client_auth())
}

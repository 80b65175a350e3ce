//! Requests and the way to their answers: who asks, redirects, silence, and hosts that cannot be reached.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ureq::http::{Response, StatusCode, Uri};
use ureq::tls::TlsConfig;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::{Agent, Body, Error, Timeout};

use crate::environment::NamedProxy;
use crate::error::Failure;
use crate::{Access, HubError, Repository, SettingError, environment, pace};

/// Steps that an answer may send us on before the file's own place.
pub(crate) const MOST_REDIRECTS: usize = 8;

/// Longest time to wait for a connection.
const LONGEST_CONNECT: Duration = Duration::from_secs(10);

/// Sends requests to the hub, and follows where it sends us.
pub(crate) struct Asker {
    agent: Agent,
    pub endpoint: String,
    token: Option<String>,
    proxy: Option<NamedProxy>,
    stopped: fn() -> bool,
    outages: Outages,
    has_answered: AtomicBool,
    timeout: Duration,
}

impl Asker {
    /// Nothing is asked yet.
    ///
    /// # Errors
    /// If the environment names certificates that are none.
    pub fn new(access: &Access) -> Result<Self, SettingError> {
        let proxy = NamedProxy::of_environment()?;
        let endpoint = access.address().to_owned();
        let config = Agent::config_builder()
            .user_agent(concat!("mteb-host/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_resolve(Some(LONGEST_CONNECT))
            .timeout_connect(Some(LONGEST_CONNECT))
            .timeout_recv_response(Some(access.timeout))
            .timeout_per_read(Some(access.timeout))
            .tls_config(TlsConfig::builder().root_certs(environment::authorities()?).build());
        Ok(Self {
            agent: Agent::with_parts(
                config.build(),
                pace::connector(access.stopped),
                DefaultResolver::default(),
            ),
            endpoint,
            token: access.token.clone(),
            proxy,
            stopped: access.stopped,
            outages: Outages::default(),
            has_answered: AtomicBool::new(false),
            timeout: access.timeout,
        })
    }

    /// Goes on unless whoever asks wants to end.
    ///
    /// # Errors
    /// [`HubError::Interrupted`], then.
    pub fn go_on(&self) -> Result<(), HubError> {
        if (self.stopped)() { Err(HubError::Interrupted) } else { Ok(()) }
    }

    /// Longest silence.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// True if anybody has answered yet: then a connection that fails may be a passing fault.
    pub fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }

    /// Notes that `place` cannot be reached, so that it is not asked again for a while.
    pub fn note_outage(&self, place: &str, why: &str) {
        self.outages.note(place, why);
    }

    /// The answer at the end of all redirects, if it is a success.
    pub fn follow(
        &self,
        url: &str,
        start: Option<u64>,
        repository: &Repository,
        file: &str,
    ) -> Result<Response<Body>, Failure> {
        let mut url = url.to_owned();
        for _ in 0..MOST_REDIRECTS {
            let response = self.request("GET", &url, start)?;
            match self.next(&response, &url)? {
                Some(next) => url = next,
                None => {
                    self.check(&response, &url, repository, file)?;
                    return Ok(response);
                }
            }
        }
        Err(self.too_many())
    }

    /// Where an answer sends us.
    ///
    /// # Errors
    /// If it leads from an encrypted address to one that is not.
    pub fn next(&self, response: &Response<Body>, url: &str) -> Result<Option<String>, Failure> {
        let location = header(response, "location").filter(|_| response.status().is_redirection());
        let Some(location) = location else { return Ok(None) };
        let next = if location.starts_with('/') { format!("{}{location}", self.endpoint) } else { location };
        if url.starts_with("https:") && !next.starts_with("https:") {
            return Err(Failure::answer(format!("{url} leads to an address that is not encrypted")));
        }
        Ok(Some(next))
    }

    /// The failure of an address that leads on and on.
    pub fn too_many(&self) -> Failure {
        Failure::answer(format!("{}: expected at most {MOST_REDIRECTS} redirects, found more", self.endpoint))
    }

    /// One request; who asks is told to the hub alone, not to where it sends us.
    pub fn request(&self, method: &str, url: &str, start: Option<u64>) -> Result<Response<Body>, Failure> {
        self.go_on()?;
        let place = place(url);
        if let Some(why) = self.outages.of(&place) {
            return Err(Failure::Final(HubError::Down { place, why }));
        }
        let mut request = if method == "HEAD" { self.agent.head(url) } else { self.agent.get(url) };
        request = request.header("Accept-Encoding", "identity");
        if let Some(token) = self.token.as_ref().filter(|_| self.is_own(url)) {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(start) = start {
            request = request.header("Range", format!("bytes={start}-"));
        }
        let response = request.call().map_err(|error| self.meaning(error, place, url))?;
        self.has_answered.store(true, Ordering::Relaxed);
        let encoding = header(&response, "content-encoding").filter(|encoding| encoding != "identity");
        match encoding {
            Some(encoding) if response.status().is_success() => Err(Failure::answer(format!(
                "{url}: expected uncompressed bytes, found `Content-Encoding: {encoding}`"
            ))),
            _ => Ok(response),
        }
    }

    /// Turns an answer that is no success into what it means.
    pub fn check(
        &self,
        response: &Response<Body>,
        url: &str,
        repository: &Repository,
        file: &str,
    ) -> Result<(), Failure> {
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        if status.is_client_error() && !self.is_own(url) && !matches!(status.as_u16(), 408 | 416 | 429) {
            let place = place(url);
            return Err(Failure::answer(format!("{place}, to which the hub leads, answered {status}")));
        }
        let (token, repository) = (self.token.is_some(), Box::new(repository.clone()));
        let code = header(response, "x-error-code").unwrap_or_default();
        let is_repository = matches!(code.as_str(), "RepoNotFound" | "RevisionNotFound") || file.is_empty();
        Err(match status.as_u16() {
            401 | 403 if code != "RepoNotFound" => Failure::Final(HubError::Refused { repository, token }),
            401 | 403 => Failure::Final(HubError::NoRepository { repository, token }),
            404 if is_repository => Failure::Final(HubError::NoRepository { repository, token }),
            404 => Failure::Final(HubError::NoFile { repository, file: file.to_owned() }),
            416 => Failure::Beyond,
            408 | 429 | 500.. => Failure::Passing(format!("the hub answered {status}")),
            _ => Failure::answer(format!("the hub answered {status}")),
        })
    }

    /// What a request that brought no answer means.
    fn meaning(&self, error: Error, place: String, url: &str) -> Failure {
        let text = error.to_string();
        let why = match error {
            Error::BadUri(message) => return Failure::answer(message),
            Error::HostNotFound => "its name is unknown".to_owned(),
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                format!("no connection within {} seconds", LONGEST_CONNECT.as_secs())
            }
            Error::Timeout(_) => format!("no answer within {} seconds", self.timeout.as_secs()),
            Error::ConnectionFailed | Error::ConnectProxyFailed(_) => text,
            Error::Io(error) if is_unreachable(&error) => error.to_string(),
            _ if text.contains("invalid peer certificate") => {
                return Failure::Final(HubError::Certificate { place, why: text });
            }
            _ => return Failure::Passing(text),
        };
        let why = match self.proxy.as_ref().and_then(|proxy| proxy.on_the_way(url)) {
            Some(proxy) => format!("{why} ({proxy})"),
            None => why,
        };
        Failure::Down { place, why }
    }

    fn is_own(&self, url: &str) -> bool {
        url.strip_prefix(&self.endpoint).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// A header's text.
pub(crate) fn header(response: &Response<Body>, name: &str) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(str::to_owned)
}

/// True if the answer is a part of a file that begins at `start`.
pub(crate) fn is_part(response: &Response<Body>, start: u64) -> bool {
    let range = header(response, "content-range");
    let begins = |range: String| {
        range.strip_prefix("bytes ").is_some_and(|range| range.starts_with(&format!("{start}-")))
    };
    response.status() == StatusCode::PARTIAL_CONTENT && range.is_none_or(begins)
}

/// True if the answer is a part of a file that does not begin at `start`.
pub(crate) fn is_other_part(response: &Response<Body>, start: u64) -> bool {
    response.status() == StatusCode::PARTIAL_CONTENT && !is_part(response, start)
}

/// Scheme and host of an address.
pub(crate) fn place(url: &str) -> String {
    let uri: Option<Uri> = url.parse().ok();
    let parts = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.authority()?)));
    parts.map_or_else(|| url.to_owned(), |(scheme, authority)| format!("{scheme}://{authority}"))
}

fn is_unreachable(error: &std::io::Error) -> bool {
    let kinds = [
        ErrorKind::ConnectionRefused,
        ErrorKind::HostUnreachable,
        ErrorKind::NetworkUnreachable,
        ErrorKind::NetworkDown,
        ErrorKind::AddrNotAvailable,
        ErrorKind::TimedOut,
    ];
    kinds.contains(&error.kind()) || error.to_string().contains("failed to lookup address")
}

/// How long nobody is asked again who could not be reached.
const QUIET: Duration = Duration::from_secs(60);

/// The addresses that could not be reached, and why.
#[derive(Debug, Default)]
struct Outages(Mutex<HashMap<String, (Instant, String)>>);

impl Outages {
    /// Why `place` could not be reached a short time ago.
    pub fn of(&self, place: &str) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(place).filter(|(since, _)| since.elapsed() < QUIET).map(|(_, why)| why.clone())
    }

    /// Notes that `place` cannot be reached.
    pub fn note(&self, place: &str, why: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(place.to_owned(), (Instant::now(), why.to_owned()));
    }
}

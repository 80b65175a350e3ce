//! Requests to the hub, and what its answers mean.

use std::io::Read;
use std::time::Duration;

use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body};

use crate::error::Failure;
use crate::{Access, HubError, Kind, Repository};

/// Address of the public hub.
const PUBLIC: &str = "https://huggingface.co";

/// Steps that an answer may send us on before the file's own place.
const MOST_REDIRECTS: usize = 8;

/// A body that takes longer is cut, and the rest of it asked for.
const LONGEST_BODY: Duration = Duration::from_secs(600);

/// Asks the hub.
pub(crate) struct Client {
    agent: Agent,
    endpoint: String,
    token: Option<String>,
}

/// What the hub says of a file before it is fetched.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// The commit that the revision stands for.
    pub commit: String,
    /// Hash of the bytes.
    pub etag: String,
    /// Bytes.
    pub size: u64,
}

/// The bytes of a file from some place on.
pub(crate) struct FileBody {
    /// Place of the first byte: 0 if the server sends the whole file although a part was asked for.
    pub start: u64,
    pub reader: Box<dyn Read>,
}

impl Client {
    pub fn new(access: &Access) -> Self {
        let config = Agent::config_builder()
            .user_agent(concat!("mteb-host/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_connect(Some(Duration::from_secs(20)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .timeout_recv_body(Some(LONGEST_BODY));
        let endpoint = access.endpoint.as_deref().unwrap_or(PUBLIC).trim_end_matches('/').to_owned();
        Self { agent: config.build().into(), endpoint, token: access.token.clone() }
    }

    /// One page of the list of a repository's files, and the address of the next.
    pub fn page(
        &self,
        repository: &Repository,
        next: Option<&str>,
    ) -> Result<(String, Option<String>), Failure> {
        let kind = match repository.kind {
            Kind::Dataset => "datasets",
            Kind::Model => "models",
        };
        let (id, revision) = (&repository.id, escape(&repository.revision, true));
        let first = format!("{}/api/{kind}/{id}/tree/{revision}?recursive=true", self.endpoint);
        let mut response = self.follow("GET", next.unwrap_or(&first), None, repository, "")?;
        let link = header(&response, "link").and_then(|link| next_page(&link));
        let text = response.body_mut().with_config().limit(1 << 30).read_to_string();
        Ok((text.map_err(|error| passing(&error))?, link))
    }

    /// Hash, size and commit of a file.
    pub fn metadata(&self, repository: &Repository, file: &str) -> Result<Metadata, Failure> {
        let mut url = self.file_url(repository, &repository.revision, file);
        let mut commit = None;
        for _ in 0..MOST_REDIRECTS {
            let response = self.request("HEAD", &url, None)?;
            commit = commit.or_else(|| header(&response, "x-repo-commit"));
            let location = header(&response, "location").filter(|_| response.status().is_redirection());
            let linked = header(&response, "x-linked-etag");
            // A large file lies elsewhere; the hub says what it is before it sends us there.
            if let (Some(location), None) = (&location, &linked) {
                url = self.absolute(location);
                continue;
            }
            if location.is_none() {
                self.check(&response, repository, file)?;
            }
            let etag = linked.or_else(|| header(&response, "etag"));
            let size = header(&response, "x-linked-size").or_else(|| header(&response, "content-length"));
            let size = size.and_then(|size| size.parse().ok());
            return match (commit, etag, size) {
                (Some(commit), Some(etag), Some(size)) => {
                    let etag = etag.trim_start_matches("W/").trim_matches('"').to_owned();
                    is_name(&etag)
                        .then_some(Metadata { commit, etag, size })
                        .ok_or_else(|| unusual(&url, "an ETag that can name a file"))
                }
                _ => Err(unusual(&url, "X-Repo-Commit, ETag and Content-Length")),
            };
        }
        Err(unusual(&url, "fewer redirects"))
    }

    /// The bytes of `file` at `commit` from place `start` on.
    pub fn body(
        &self,
        repository: &Repository,
        commit: &str,
        file: &str,
        start: u64,
    ) -> Result<FileBody, Failure> {
        let url = self.file_url(repository, commit, file);
        let response = self.follow("GET", &url, (start > 0).then_some(start), repository, file)?;
        let start = if response.status() == StatusCode::PARTIAL_CONTENT { start } else { 0 };
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        Ok(FileBody { start, reader: Box::new(reader) })
    }

    fn file_url(&self, repository: &Repository, revision: &str, file: &str) -> String {
        let kind = match repository.kind {
            Kind::Dataset => "datasets/",
            Kind::Model => "",
        };
        let (revision, file) = (escape(revision, true), escape(file, false));
        format!("{}/{kind}{}/resolve/{revision}/{file}", self.endpoint, repository.id)
    }

    /// The answer at the end of all redirects.
    fn follow(
        &self,
        method: &str,
        url: &str,
        start: Option<u64>,
        repository: &Repository,
        file: &str,
    ) -> Result<Response<Body>, Failure> {
        let mut url = url.to_owned();
        for _ in 0..MOST_REDIRECTS {
            let response = self.request(method, &url, start)?;
            match header(&response, "location").filter(|_| response.status().is_redirection()) {
                Some(location) => url = self.absolute(&location),
                None => {
                    self.check(&response, repository, file)?;
                    return Ok(response);
                }
            }
        }
        Err(unusual(&url, "fewer redirects"))
    }

    /// One request; who asks is told to the hub alone, not to where it sends us.
    fn request(&self, method: &str, url: &str, start: Option<u64>) -> Result<Response<Body>, Failure> {
        let mut request = if method == "HEAD" { self.agent.head(url) } else { self.agent.get(url) };
        if let Some(token) = self.token.as_ref().filter(|_| self.is_own(url)) {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(start) = start {
            request = request.header("Range", format!("bytes={start}-"));
        }
        request.call().map_err(|error| match error {
            ureq::Error::BadUri(message) => Failure::Final(HubError::Client(message)),
            error => passing(&error),
        })
    }

    fn is_own(&self, url: &str) -> bool {
        url.strip_prefix(&self.endpoint).is_some_and(|rest| rest.starts_with('/'))
    }

    fn absolute(&self, location: &str) -> String {
        if location.starts_with('/') { format!("{}{location}", self.endpoint) } else { location.to_owned() }
    }

    /// Turns an answer that is no success into what it means.
    fn check(&self, response: &Response<Body>, repository: &Repository, file: &str) -> Result<(), Failure> {
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        let (token, repository) = (self.token.is_some(), Box::new(repository.clone()));
        let code = header(response, "x-error-code").unwrap_or_default();
        let is_repository = matches!(code.as_str(), "RepoNotFound" | "RevisionNotFound") || file.is_empty();
        Err(match status.as_u16() {
            401 | 403 if code != "RepoNotFound" => Failure::Final(HubError::Refused { repository, token }),
            401 | 403 => Failure::Final(HubError::NoRepository { repository, token }),
            404 if is_repository => Failure::Final(HubError::NoRepository { repository, token }),
            404 => Failure::Final(HubError::NoFile { repository, file: file.to_owned() }),
            408 | 416 | 429 | 500.. => Failure::Passing(format!("the hub answered {status}")),
            _ => Failure::Final(HubError::Client(format!("the hub answered {status}"))),
        })
    }
}

fn passing(error: &ureq::Error) -> Failure {
    Failure::Passing(error.to_string())
}

fn unusual(url: &str, expected: &str) -> Failure {
    Failure::Final(HubError::Client(format!("{url}: expected {expected} in the answer")))
}

fn header(response: &Response<Body>, name: &str) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(str::to_owned)
}

/// The address of the next page in a `Link` header.
fn next_page(link: &str) -> Option<String> {
    let entry = link.split(',').find(|entry| entry.contains("rel=\"next\""))?;
    let (_, rest) = entry.split_once('<')?;
    rest.split_once('>').map(|(address, _)| address.to_owned())
}

/// True if `etag` can be the name of a file.
fn is_name(etag: &str) -> bool {
    !etag.is_empty() && etag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Percent-encodes what has a meaning in an address; `/` too if it is one name.
fn escape(text: &str, one_name: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => escaped.push(byte.into()),
            b'/' if !one_name => escaped.push('/'),
            byte => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_as_paths_or_as_one_part() {
        assert_eq!(escape("data/ind Latn#1.csv", false), "data/ind%20Latn%231.csv");
        assert_eq!(escape("refs/convert/parquet", true), "refs%2Fconvert%2Fparquet");
    }

    #[test]
    fn the_next_page_is_read_from_the_link() {
        let link = "<https://hub/api/x?cursor=a>; rel=\"next\", <https://hub/api/x>; rel=\"first\"";
        assert_eq!(next_page(link).as_deref(), Some("https://hub/api/x?cursor=a"));
        assert_eq!(next_page("<https://hub/api/x>; rel=\"first\""), None);
    }
}

//! The address of an endpoint, as a user or a card writes it.

use std::fmt;
use std::net::IpAddr;

use hyper::Uri;

/// `http://host:port/path` or `https://host/path`, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    uri: Uri,
    text: String,
}

/// What is wrong with an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an address as `https://api.example.org/v1`, {0}")]
pub struct AddressError(String);

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// If it is none, names another protocol, or carries a user, a password or a question.
    pub fn new(text: &str) -> Result<Self, AddressError> {
        let text = text.trim().trim_end_matches('/');
        // Before anything is said of it or done with it: what stands before an `@` may be a password, which is not to be shown.
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let port = authority.rsplit_once(':').map_or("", |(_, port)| port.trim_end_matches(']'));
        let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) || authority.starts_with('[');
        if authority.contains('@') || (text.contains('@') && !is_port) {
            return Err(AddressError("found one with a user or a password in it".to_owned()));
        }
        // What stands behind it would be sent nowhere, and neither would the path that goes below the address.
        if text.contains('#') {
            return Err(AddressError("found one with a `#` in it".to_owned()));
        }
        let uri: Uri = text.parse().map_err(|error| AddressError(format!("found: {text} ({error})")))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(AddressError(format!(
                "found one that does not begin with `http://` or `https://`: {text}"
            )));
        }
        if uri.host().is_none_or(str::is_empty) {
            return Err(AddressError(format!("found one without a host: {text}")));
        }
        if uri.query().is_some() {
            return Err(AddressError("found one with a question mark in it".to_owned()));
        }
        Ok(Self { uri, text: text.to_owned() })
    }

    /// The host, with a port if one is given; in lower case.
    pub fn host(&self) -> String {
        self.uri.authority().map(|authority| authority.as_str().to_ascii_lowercase()).unwrap_or_default()
    }

    /// The path, without a slash at its end.
    pub fn path(&self) -> &str {
        self.uri.path().trim_end_matches('/')
    }

    /// True if what is sent is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.uri.scheme_str() == Some("https")
    }

    /// True if the endpoint is on this machine.
    pub fn is_local(&self) -> bool {
        let host = self.uri.host().unwrap_or_default();
        let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
        host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
    }

    /// The address of `path` below this one.
    ///
    /// # Errors
    /// If the path has characters that no address may have.
    pub(crate) fn below(&self, path: &str) -> Result<Uri, AddressError> {
        let text = format!("{}/{}", self.text, path.trim_start_matches('/'));
        text.parse().map_err(|error| AddressError(format!("found: {text} ({error})")))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_below_an_address_with_or_without_a_slash() {
        for text in ["http://localhost:8000/v1", "http://LOCALHOST:8000/v1/"] {
            let address = Address::new(text).unwrap();
            assert_eq!(address.host(), "localhost:8000");
            assert!(address.is_local() && !address.is_encrypted());
            assert!(address.below("embeddings").unwrap().to_string().ends_with(":8000/v1/embeddings"));
        }
        assert!(Address::new("http://[::1]:80").unwrap().is_local());
        assert!(!Address::new("https://127.0.0.1.example.org").unwrap().is_local());
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_a_password() {
        for text in
            ["", "localhost:8000", "ftp://host", "http://", "/v1", "http://host/?key=1", "http://host/v1#x"]
        {
            assert!(Address::new(text).is_err(), "{text}");
        }
        for text in [
            "https://me:hunter2@host/v1",
            "ftp://me:hunter2@host/v1",
            "me:hunter2@host",
            "http://me:hunter2@ho st",
            "http://me:hun/ter2@host",
            "ftp://me:hunter2#@host",
        ] {
            let refused = Address::new(text).unwrap_err().to_string();
            assert!(!refused.contains("hun"), "{refused}");
        }
        assert!(Address::new("https://host/run/@cf/model").is_ok());
        assert!(Address::new("http://[::1]:80/@cf").is_ok() && Address::new("http://host:80/@cf").is_ok());
    }
}

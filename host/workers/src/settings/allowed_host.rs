//! A host to which cards that do not come with mteb-host may send texts, once the user permits it.

use std::fmt;
use std::str::FromStr;

/// A host, with a port if it is not the usual one of its protocol; in lower case, without the dot that ends a whole name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AllowedHost(String);

impl AllowedHost {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Why a text is no host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AllowedHostError {
    /// Something stands before an `@`. It is not shown, because it may be a password.
    #[error(
        "expected a host such as `api.example.org` or `10.0.0.7:8000`, found one with a user or a \
         password before it"
    )]
    User,
    /// It has not the form of one.
    #[error("expected a host such as `api.example.org` or `10.0.0.7:8000`, found: {0}")]
    Form(String),
}

impl FromStr for AllowedHost {
    type Err = AllowedHostError;

    fn from_str(text: &str) -> Result<Self, AllowedHostError> {
        // What stands before an `@` may be a password.
        if text.contains('@') {
            return Err(AllowedHostError::User);
        }
        let text = text.to_ascii_lowercase();
        let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
        let (host, port) = match text.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')) {
            Some((host, port)) => (host, Some(port)),
            None => (text.as_str(), None),
        };
        let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
        let is_number = host.starts_with('[') && host.ends_with(']');
        if host.is_empty()
            || !host.bytes().all(is_of_host)
            || host.contains([':', '[', ']']) != is_number
            || !port.is_none_or(is_port)
        {
            return Err(AllowedHostError::Form(text));
        }
        let host = host.strip_suffix('.').unwrap_or(host);
        Ok(Self(port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))))
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_read_with_its_port() {
        for (text, host) in [
            ("API.example.org", "api.example.org"),
            ("api.example.org.", "api.example.org"),
            ("10.0.0.7:8000", "10.0.0.7:8000"),
            ("[::1]", "[::1]"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(text.parse::<AllowedHost>().unwrap().name(), host);
        }
    }

    #[test]
    fn what_is_no_host_is_refused_without_a_password() {
        let none = [
            "",
            "https://api.example.org",
            "host/v1",
            "host:",
            "host:0",
            "host:70000",
            "a:b:c",
            "::1",
            "a b",
            "é",
        ];
        for text in none {
            assert!(text.parse::<AllowedHost>().is_err(), "{text}");
        }
        let refused = "https://me:hunter2@host".parse::<AllowedHost>().unwrap_err().to_string();
        assert!(!refused.contains("hunter2"), "{refused}");
    }
}

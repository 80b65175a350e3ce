//! The address of an endpoint, as a user or a card writes it.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use hyper::Uri;

/// `http://host:port/path` or `https://host/path`, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    uri: Uri,
    text: String,
}

/// What is wrong with an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an address such as `https://api.example.org/v1`, {0}")]
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
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let behind = if authority.starts_with('[') {
            authority.rsplit_once(']').map_or("", |(_, rest)| rest.trim_start_matches(':'))
        } else {
            authority.split_once(':').map_or("", |(_, port)| port)
        };
        let is_digits = behind.bytes().all(|byte| byte.is_ascii_digit());
        if authority.contains('@') || (text.contains('@') && !is_digits) {
            return Err(AddressError("found one with a user or a password in it".to_owned()));
        }
        // The library would ask the usual port in the place of one that is none.
        if !is_digits {
            return Err(AddressError("found one whose port is not a number".to_owned()));
        }
        if !behind.is_empty() && behind.parse::<u16>().ok().is_none_or(|port| port == 0) {
            return Err(AddressError(format!("with a port from 1 to 65535, found the port {behind}")));
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

    /// The host as leave for it is asked and kept: without the dot that ends a whole name and without the usual port of its protocol,
    /// numbers of IPv6 in their shortest form.
    pub fn plain_host(&self) -> String {
        let host = self.uri.host().unwrap_or_default().to_ascii_lowercase();
        let number = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let host = match number.and_then(|number| number.parse::<Ipv6Addr>().ok()) {
            Some(number) => format!("[{number}]"),
            None => host.strip_suffix('.').unwrap_or(&host).to_owned(),
        };
        match self.uri.port_u16().filter(|port| *port != self.usual_port()) {
            Some(port) => format!("{host}:{port}"),
            None => host,
        }
    }

    /// All names under which a user may have given leave for the host: the plain one, the same with its port, and as it is written.
    pub fn names(&self) -> Vec<String> {
        let plain = self.plain_host();
        let with_port = format!("{plain}:{}", self.usual_port());
        let has_port = self.uri.port_u16().is_some_and(|port| port != self.usual_port());
        [Some(plain), (!has_port).then_some(with_port), Some(self.host())].into_iter().flatten().collect()
    }

    fn usual_port(&self) -> u16 {
        if self.is_encrypted() { 443 } else { 80 }
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
    fn a_host_has_one_plain_form_however_it_is_written() {
        for (text, plain) in [
            ("https://API.example.org/v1", "api.example.org"),
            ("https://api.example.org.:443/v1", "api.example.org"),
            ("http://api.example.org:443", "api.example.org:443"),
            ("http://api.example.org:80", "api.example.org"),
            ("http://[0:0::1]:8000/v1", "[::1]:8000"),
            ("https://xn--bcher-kva.example", "xn--bcher-kva.example"),
        ] {
            assert_eq!(Address::new(text).unwrap().plain_host(), plain, "{text}");
        }
        let names = Address::new("https://api.example.org./v1").unwrap().names();
        assert_eq!(names, ["api.example.org", "api.example.org:443", "api.example.org."]);
    }

    #[test]
    fn only_what_nobody_can_lead_elsewhere_is_on_this_machine() {
        for text in ["http://localhost", "http://127.0.0.2:1", "http://[::1]"] {
            assert!(Address::new(text).unwrap().is_local(), "{text}");
        }
        for text in [
            "http://localhost.",
            "http://localhost.example.org",
            "http://127.1",
            "http://0x7f000001",
            "http://[::ffff:10.0.0.1]",
            "http://0.0.0.0",
        ] {
            assert!(!Address::new(text).is_ok_and(|address| address.is_local()), "{text}");
        }
    }

    #[test]
    fn a_port_that_is_none_is_refused_and_not_another_one_asked() {
        for port in ["70000", "65536", "0", "00", "99999999999999999999"] {
            for host in ["localhost", "[::1]"] {
                let refused = Address::new(&format!("http://{host}:{port}/v1")).unwrap_err().to_string();
                assert!(refused.ends_with(&format!("found the port {port}")), "{refused}");
            }
        }
        assert!(Address::new("http://localhost:65535").is_ok());
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
            "http://me:70000@host",
            "http://me:hun\\ter2@host",
            "http://[me:hunter2@host",
            "https://me:hunter2",
            "me:hunter2",
            "https://[::1]:hunter2/v1",
        ] {
            let refused = Address::new(text).unwrap_err().to_string();
            assert!(!refused.contains("hun"), "{refused}");
        }
        assert!(Address::new("https://host/run/@cf/model").is_ok());
        assert!(Address::new("http://[::1]:80/@cf").is_ok() && Address::new("http://host:80/@cf").is_ok());
    }
}

//! Whom to ask, and the key that opens the door: it is sent in a header and shown nowhere.

use std::fmt;

use crate::Address;
use crate::traces::Traces;

/// An endpoint.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Where it is.
    pub address: Address,
    /// Header of the key and what stands before the key there, as `("authorization", "Bearer ")`.
    pub key_header: (&'static str, &'static str),
    /// The key, if it asks for one.
    pub key: Option<Secret>,
    /// Headers that it wants beside.
    pub headers: &'static [(&'static str, &'static str)],
}

/// Why an endpoint is not asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// Others could read the key.
    #[error(
        "{address}: expected `https://` for an endpoint that gets a key, found `http://` to another machine, where \
         others could read the key"
    )]
    Unencrypted {
        /// Where the key would go.
        address: String,
    },
    /// No header may hold the key.
    #[error(
        "{address}: expected a key of printable characters, found one with line ends or others; set its variable again"
    )]
    Unprintable {
        /// Where the key would go.
        address: String,
    },
}

impl Endpoint {
    /// An endpoint that takes its key as most do, after `Bearer`.
    ///
    /// # Errors
    /// If the key would travel to another machine without encryption, or cannot travel at all.
    pub fn new(address: Address, key: Option<Secret>) -> Result<Self, EndpointError> {
        Self::with_header(address, key, ("authorization", "Bearer "))
    }

    /// An endpoint that takes its key in a header of its own.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_header(
        address: Address,
        key: Option<Secret>,
        key_header: (&'static str, &'static str),
    ) -> Result<Self, EndpointError> {
        let key = key.filter(|key| !key.is_empty());
        if key.is_some() && !address.is_encrypted() && !address.is_local() {
            return Err(EndpointError::Unencrypted { address: address.to_string() });
        }
        if key.as_ref().is_some_and(|key| !key.is_printable()) {
            return Err(EndpointError::Unprintable { address: address.to_string() });
        }
        Ok(Self { address, key_header, key, headers: &[] })
    }

    /// The same endpoint, which is told these headers with every question.
    #[must_use]
    pub fn saying(self, headers: &'static [(&'static str, &'static str)]) -> Self {
        Self { headers, ..self }
    }

    /// `text` without the key.
    pub(crate) fn clean(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.removed_from(text))
    }
}

/// A key, which neither a message nor a debug form shows.
#[derive(Clone)]
pub struct Secret {
    key: String,
    traces: Traces,
}

impl Secret {
    /// The key `text`, without the white space around it that files and copies leave.
    pub fn new(text: &str) -> Self {
        let key = text.trim().to_owned();
        Self { traces: Traces::of(&key), key }
    }

    /// True if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.key.is_empty()
    }

    /// True if a header may hold it.
    fn is_printable(&self) -> bool {
        self.key.bytes().all(|byte| (b' '..=b'~').contains(&byte) || byte >= 0x80)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.key
    }

    /// `text` without the key and without parts of it, in whichever case, backwards, spaced out, in pieces, in escapes or codes of
    /// characters, as hexadecimal digits, in base32 or in base64.
    pub fn removed_from(&self, text: &str) -> String {
        self.traces.removed_from(text)
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(crate::traces::HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_travels_encrypted_or_not_at_all() {
        let endpoint =
            |address: &str, key: &str| Endpoint::new(Address::new(address).unwrap(), Some(Secret::new(key)));
        assert!(endpoint("http://example.org/v1", "secret").unwrap_err().to_string().contains("https"));
        assert!(endpoint("https://example.org/v1", "secret").is_ok());
        assert!(endpoint("http://127.0.0.1:8000/v1", "secret").is_ok());
        assert!(endpoint("http://example.org/v1", " ").unwrap().key.is_none());
        let unprintable = endpoint("https://example.org/v1", "sec\nret").unwrap_err().to_string();
        assert!(unprintable.contains("printable") && !unprintable.contains("ret;"), "{unprintable}");
    }

    #[test]
    fn a_key_is_not_shown_by_its_debug_form() {
        assert_eq!(format!("{:?}", Secret::new(" sk-test-0123456789abcdef\n")), "[key]");
        assert_eq!(Secret::new("").removed_from("all"), "all");
    }
}

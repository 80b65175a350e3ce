//! Whom to ask, and the key that opens the door.

use crate::{Address, Secret};

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
}

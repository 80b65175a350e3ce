//! Why a bucket cannot be named, opened or asked, and what a server says when it refuses, as one
//! line.

use std::error::Error;
use std::{fmt, io};

use crate::transport::causes;
use crate::{Address, AddressError};

/// An address that is none of a bucket, or an environment that does not let it be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// It does not begin as addresses of buckets do.
    #[error("expected an address such as `s3://bucket/folder`, found: {0}")]
    NoAddress(String),
    /// What stands for the name of the bucket is none.
    #[error("expected an address such as `s3://bucket/folder`, found no name of a bucket in it: {0}")]
    NoBucket(String),
    /// What stands for the folder is none.
    #[error(
        "expected an address such as `s3://bucket/folder`, found a folder that is empty or begins with a dot: {0}"
    )]
    NoFolder(String),
    /// Nothing says who asks.
    #[error(
        "{address}: expected credentials in the environment variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, found \
         none in `{variable}`"
    )]
    NoCredentials {
        /// The address.
        address: String,
        /// The variable that is not set.
        variable: &'static str,
    },
    /// The address of the server is none.
    #[error("AWS_ENDPOINT_URL: {0}")]
    Endpoint(#[from] AddressError),
    /// Credentials would travel unencrypted to another machine.
    #[error(
        "AWS_ENDPOINT_URL: expected `https://` for another machine, found `http://`, where others could read what is sent: {0}; \
         `AWS_ALLOW_HTTP=true` allows it"
    )]
    Unencrypted(Address),
}

/// A bucket that cannot be asked. No form of it holds credentials, so what the server said is kept in words alone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BucketError {
    /// The system lets nothing be asked.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Connections cannot be encrypted.
    #[error("cannot encrypt connections: {0}")]
    Encryption(#[from] rustls::Error),
    /// The settings of the bucket do not go together.
    #[error("{said}")]
    Settings {
        /// What is wrong with them.
        said: String,
    },
    /// No object can be called so.
    #[error("{key}: no name of an object: {source}")]
    Name {
        /// The name in the bucket.
        key: String,
        /// What is wrong with it.
        source: object_store::path::Error,
    },
    /// There is no such bucket.
    #[error("{object}: expected a bucket of this name, found none ({said}); create it, or name another one")]
    NoBucket {
        /// Address of the object, or of the folder that was listed.
        object: String,
        /// What the server said, on one line.
        said: String,
    },
    /// These credentials may not do it.
    #[error(
        "{object}: cannot {doing} it ({said}); check `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, and that they may list the \
         bucket, read from it and write into it"
    )]
    Forbidden {
        /// Address of the object, or of the folder that was listed.
        object: String,
        /// What was tried.
        doing: Doing,
        /// What the server said, on one line.
        said: String,
    },
    /// The server does not answer, or refuses.
    #[error("{object}: cannot {doing} it: {said}; check the network and `AWS_ENDPOINT_URL`")]
    Refused {
        /// Address of the object, or of the folder that was listed.
        object: String,
        /// What was tried.
        doing: Doing,
        /// What the server said, or why it cannot be asked, on one line.
        said: String,
    },
}

/// What is done with an object, or with those below a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Their names are asked for.
    List,
    /// It is read.
    Read,
    /// It is written.
    Write,
}

impl fmt::Display for Doing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::List => "list",
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

/// What an error with its causes says, on one line: of a reply in XML its code and its message.
pub fn said_by(error: &(dyn Error + 'static)) -> String {
    let text = causes(error);
    let said = match element(&text, "Code") {
        Some(code) => match element(&text, "Message") {
            Some(message) => format!("{code}: {message}"),
            None => code.to_owned(),
        },
        None => text,
    };
    said.replace(['\n', '\r'], " ").trim_end_matches(['.', ' ']).to_owned()
}

/// The text of the first element of this name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_reply_in_xml_the_code_and_the_message_are_said() {
        let said = |text: &str| said_by(&std::io::Error::other(text.to_owned()));
        assert_eq!(
            said("403: <?xml?><Error><Code>AccessDenied</Code>\n<Message>No way.</Message></Error>"),
            "AccessDenied: No way"
        );
        assert_eq!(said("<Error><Code>SlowDown</Code></Error>"), "SlowDown");
        assert_eq!(said("connection\nrefused"), "connection refused");
    }
}

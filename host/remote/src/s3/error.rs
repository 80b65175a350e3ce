//! Why a bucket cannot be named, opened or asked.

use std::io;

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
        "AWS_ENDPOINT_URL: expected `https://` for another machine, found `http://`, where others could read what is sent: {0}"
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
    /// The server does not answer, or refuses.
    #[error("s3://{bucket}: {said}")]
    Refused {
        /// Name of the bucket.
        bucket: String,
        /// What it said, on one line.
        said: String,
    },
}

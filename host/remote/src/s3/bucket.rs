//! Lists, reads and writes objects of a bucket, each whole or not at all.

use std::fmt;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{
    ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload, RetryConfig, UpdateVersion,
};
use tokio::runtime::{Builder, Runtime};

use super::connector::{Connector, causes};
use super::error::BucketError;
use super::place::Place;
use crate::Secret;
use crate::transport::encryption;

/// How often a server that does not answer is asked again, and for how long.
const RETRIES: usize = 5;
const PATIENCE: Duration = Duration::from_secs(120);

/// Objects that are asked for at once.
const AT_ONCE: usize = 16;

/// A bucket, or what is below a name in it.
pub struct Bucket {
    store: AmazonS3,
    place: Place,
    runtime: Runtime,
    secrets: Vec<Secret>,
}

/// What an object holds, and its `ETag`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What changes with its bytes.
    pub tag: String,
}

/// When an object is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unless<'a> {
    /// Never.
    Never,
    /// If there is one of its name.
    Exists,
    /// If there is none of its name with this tag.
    OtherThan(&'a str),
}

impl Bucket {
    /// Opens the bucket at `place`; nothing is asked yet.
    ///
    /// # Errors
    /// If connections cannot be encrypted, or nothing can be asked.
    pub fn open(place: Place) -> Result<Self, BucketError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let retry = RetryConfig { max_retries: RETRIES, retry_timeout: PATIENCE, ..RetryConfig::default() };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&place.bucket)
            .with_region(&place.region)
            .with_access_key_id(&place.key_id)
            .with_secret_access_key(&place.key)
            .with_retry(retry)
            .with_http_connector(Connector(encryption()?));
        if let Some(token) = &place.token {
            builder = builder.with_token(token);
        }
        if let Some(endpoint) = &place.endpoint {
            builder = builder.with_endpoint(endpoint.to_string()).with_allow_http(endpoint.is_local());
        }
        let secrets = place.secrets();
        let store = builder.build();
        let store =
            store.map_err(|error| BucketError::Settings { said: clean(&secrets, &causes(&error)) })?;
        Ok(Self { store, place, runtime, secrets })
    }

    /// The names of all objects below `below`, each without it.
    ///
    /// # Errors
    /// If the server does not answer, or refuses.
    pub fn list(&self, below: &str) -> Result<Vec<String>, BucketError> {
        let prefix = self.path(below)?;
        let found = self.store.list(Some(&prefix)).try_collect::<Vec<ObjectMeta>>();
        let found = self.runtime.block_on(found).map_err(|error| self.said(&error))?;
        let begin = format!("{prefix}/");
        let name = |object: &ObjectMeta| object.location.as_ref().strip_prefix(&begin).map(str::to_owned);
        Ok(found.iter().filter_map(name).collect())
    }

    /// The object of this name; `None` if there is none.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub fn read(&self, name: &str) -> Result<Option<Stored>, BucketError> {
        self.runtime.block_on(self.found(name))
    }

    /// The objects of these names, in their order; several are asked for at once.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub fn read_all(&self, names: &[String]) -> Result<Vec<Option<Stored>>, BucketError> {
        let asked = stream::iter(names).map(|name| self.found(name)).buffered(AT_ONCE);
        self.runtime.block_on(asked.try_collect())
    }

    async fn found(&self, name: &str) -> Result<Option<Stored>, BucketError> {
        let path = self.path(name)?;
        let found = async {
            let found = self.store.get(&path).await?;
            let tag = found.meta.e_tag.clone().unwrap_or_default();
            Ok::<Stored, object_store::Error>(Stored { bytes: found.bytes().await?.into(), tag })
        };
        match found.await {
            Ok(stored) => Ok(Some(stored)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.said(&error)),
        }
    }

    /// Writes an object, whole or not at all; gives its tag, or `None` if it was not written for what is there.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub fn write(&self, name: &str, bytes: &[u8], unless: Unless<'_>) -> Result<Option<String>, BucketError> {
        use object_store::Error::{AlreadyExists, NotFound, Precondition};
        let path = self.path(name)?;
        let mode = match unless {
            Unless::Never => PutMode::Overwrite,
            Unless::Exists => PutMode::Create,
            Unless::OtherThan(tag) => {
                PutMode::Update(UpdateVersion { e_tag: Some(tag.to_owned()), version: None })
            }
        };
        let is_conditional = unless != Unless::Never;
        let options = PutOptions { mode, ..PutOptions::default() };
        let written = self.store.put_opts(&path, PutPayload::from(bytes.to_vec()), options);
        match self.runtime.block_on(written) {
            Ok(done) => Ok(Some(done.e_tag.unwrap_or_default())),
            Err(AlreadyExists { .. } | Precondition { .. } | NotFound { .. }) if is_conditional => Ok(None),
            Err(error) => Err(self.said(&error)),
        }
    }

    fn path(&self, name: &str) -> Result<Path, BucketError> {
        let key = self.place.key_of(name);
        Path::parse(&key).map_err(|source| BucketError::Name { key, source })
    }

    fn said(&self, error: &object_store::Error) -> BucketError {
        let said = clean(&self.secrets, &causes(error)).replace(['\n', '\r'], " ");
        BucketError::Refused { bucket: self.place.bucket.clone(), said }
    }
}

impl fmt::Debug for Bucket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(out)
    }
}

fn clean(secrets: &[Secret], text: &str) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| secret.removed_from(&text))
}

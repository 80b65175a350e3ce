//! Lists, reads and writes objects of a bucket, each whole or not at all.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{
    ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload, RetryConfig, UpdateVersion,
};
use tokio::runtime::{Builder, Runtime};

use super::connector::{Connector, OnSilence, Patience};
use super::error::{BucketError, Doing, said_by};
use super::place::Place;
use crate::Secret;
use crate::transport::encryption;

/// How often a server that does not answer is asked again, and for how long.
const RETRIES: usize = 5;
const RETRIED: Duration = Duration::from_secs(120);

/// How long a server may keep silent.
const PATIENCE: Patience =
    Patience { until_said: Duration::from_secs(5), until_given_up: Duration::from_secs(20) };

/// Objects that are asked for at once.
const AT_ONCE: usize = 16;

/// The code of a server that does not know the conditions of a request.
const NO_CONDITIONS: &str = "NotImplemented";

/// The code of a server that has no such bucket.
const NO_BUCKET: &str = "NoSuchBucket";

/// The codes of a server that does not take the credentials, or to which they do not suffice.
const FORBIDDEN: [&str; 5] =
    ["AccessDenied", "ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "SignatureDoesNotMatch"];

/// A bucket, or what is below a name in it.
pub struct Bucket {
    store: AmazonS3,
    place: Place,
    runtime: Runtime,
    secrets: Vec<Secret>,
    /// True once the server has said that it knows no conditions.
    knows_no_conditions: AtomicBool,
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
    /// Opens the bucket at `place`; nothing is asked yet. Who listens is told once of each time in which the server keeps silent.
    ///
    /// # Errors
    /// If connections cannot be encrypted, or nothing can be asked.
    pub fn open(place: Place, on_silence: OnSilence) -> Result<Self, BucketError> {
        Self::with_patience(place, PATIENCE, on_silence)
    }

    fn with_patience(place: Place, patience: Patience, on_silence: OnSilence) -> Result<Self, BucketError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRIED, ..RetryConfig::default() };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&place.bucket)
            .with_region(&place.region)
            .with_access_key_id(&place.key_id)
            .with_secret_access_key(&place.key)
            .with_retry(retry)
            .with_http_connector(Connector {
                encryption: encryption()?,
                patience,
                retried: RETRIED,
                on_silence,
            });
        if let Some(token) = &place.token {
            builder = builder.with_token(token);
        }
        if let Some(endpoint) = &place.endpoint {
            let is_open = endpoint.is_local() || place.allows_http;
            builder = builder.with_endpoint(endpoint.to_string()).with_allow_http(is_open);
        }
        let secrets = place.secrets();
        let store = builder.build();
        let store =
            store.map_err(|error| BucketError::Settings { said: clean(&secrets, &said_by(&error)) })?;
        Ok(Self { store, place, runtime, secrets, knows_no_conditions: AtomicBool::new(false) })
    }

    /// The names of all objects below `below`, each without it.
    ///
    /// # Errors
    /// If the server does not answer, or refuses.
    pub fn list(&self, below: &str) -> Result<Vec<String>, BucketError> {
        let prefix = self.path(below)?;
        let found = self.store.list(Some(&prefix)).try_collect::<Vec<ObjectMeta>>();
        let found = self.runtime.block_on(found).map_err(|error| self.refused(Doing::List, below, &error))?;
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
            Err(error) if is_missing_object(&error) => Ok(None),
            Err(error) => Err(self.refused(Doing::Read, name, &error)),
        }
    }

    /// Writes an object, whole or not at all; gives its tag, or `None` if it was not written for what is there. A server that says that it
    /// knows no conditions is asked without.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub fn write(&self, name: &str, bytes: &[u8], unless: Unless<'_>) -> Result<Option<String>, BucketError> {
        use object_store::Error::{AlreadyExists, Precondition};
        let has_conditions = !self.knows_no_conditions.load(Ordering::Relaxed);
        let mode = match unless {
            Unless::Exists if has_conditions => PutMode::Create,
            Unless::OtherThan(tag) if has_conditions => {
                PutMode::Update(UpdateVersion { e_tag: Some(tag.to_owned()), version: None })
            }
            _ => PutMode::Overwrite,
        };
        let is_conditional = mode != PutMode::Overwrite;
        match self.put(name, bytes, mode)? {
            Ok(tag) => Ok(Some(tag)),
            Err(AlreadyExists { .. } | Precondition { .. }) if is_conditional => Ok(None),
            Err(error) if is_conditional && is_missing_object(&error) => Ok(None),
            Err(error) if is_conditional && said_by(&error).contains(NO_CONDITIONS) => {
                self.knows_no_conditions.store(true, Ordering::Relaxed);
                self.write(name, bytes, Unless::Never)
            }
            Err(error) => Err(self.refused(Doing::Write, name, &error)),
        }
    }

    /// Asks for an object to be written; gives its tag.
    fn put(
        &self,
        name: &str,
        bytes: &[u8],
        mode: PutMode,
    ) -> Result<object_store::Result<String>, BucketError> {
        let path = self.path(name)?;
        let options = PutOptions { mode, ..PutOptions::default() };
        let written = self.store.put_opts(&path, PutPayload::from(bytes.to_vec()), options);
        Ok(self.runtime.block_on(written).map(|done| done.e_tag.unwrap_or_default()))
    }

    fn path(&self, name: &str) -> Result<Path, BucketError> {
        let key = self.place.key_of(name);
        Path::parse(&key).map_err(|source| BucketError::Name { key, source })
    }

    /// Why something could not be done with an object.
    fn refused(&self, doing: Doing, name: &str, error: &object_store::Error) -> BucketError {
        let said = clean(&self.secrets, &said_by(error));
        let object = format!("s3://{}/{}", self.place.bucket, self.place.key_of(name));
        // Of a listing the library does not tell why it failed; the code of the server does.
        match said.split(':').next().unwrap_or_default() {
            NO_BUCKET => BucketError::NoBucket { object, said },
            code if FORBIDDEN.contains(&code) => BucketError::Forbidden { object, doing, said },
            _ => BucketError::Refused { object, doing, said },
        }
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

/// True if the bucket has no object of the name that was asked for.
fn is_missing_object(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::NotFound { .. }) && !said_by(error).contains(NO_BUCKET)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::{Arc, Mutex};

    use super::super::connector::Silence;
    use super::*;

    const KEY: &str = "hunter2hunter2hunter2";

    /// The head of a request, in lower case.
    fn read(stream: &TcpStream) -> std::io::Result<String> {
        let mut input = BufReader::new(stream);
        let mut head = String::new();
        while input.read_line(&mut head)? > 2 {}
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        input.take(length.unwrap_or(0)).read_to_end(&mut Vec::new())?;
        Ok(head)
    }

    /// A bucket on a server that answers a request by what `answer` makes of its head: a status and a code.
    fn bucket(answer: fn(&str) -> (u16, &'static str)) -> Bucket {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let Ok(head) = read(&stream) else { continue };
                let (status, code) = answer(&head);
                let body = format!("<Error><Code>{code}</Code><Message>It says {KEY}.</Message></Error>");
                let body = if status == 200 { String::new() } else { body };
                let head =
                    format!("HTTP/1.1 {status} -\r\ncontent-length: {}\r\netag: \"1\"\r\n", body.len());
                let _ = write!(stream, "{head}connection: close\r\n\r\n{body}");
            }
        });
        Bucket::open(place(&address), Arc::new(|_: &Silence| {})).unwrap()
    }

    fn place(address: &str) -> Place {
        let place = Place::new("s3://results/run", |name| {
            let value = match name {
                "AWS_ENDPOINT_URL" => address,
                "AWS_ACCESS_KEY_ID" => "id",
                "AWS_SECRET_ACCESS_KEY" => KEY,
                _ => return None,
            };
            Some(value.to_owned())
        });
        place.unwrap()
    }

    #[test]
    fn a_server_that_keeps_silent_is_named_once_and_asked_again() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let mut silent = Vec::new();
            for mut stream in listener.incoming().flatten() {
                let _ = read(&stream);
                // The first two requests are never answered.
                if silent.len() < 2 {
                    silent.push(stream);
                    continue;
                }
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 -\r\ncontent-length: 2\r\netag: \"1\"\r\n\
                     last-modified: Mon, 30 Nov 2026 00:00:00 GMT\r\nconnection: close\r\n\r\nhi"
                );
            }
        });
        let told = Arc::new(Mutex::new(Vec::new()));
        let patience =
            Patience { until_said: Duration::from_millis(20), until_given_up: Duration::from_millis(200) };
        let note = {
            let told = Arc::clone(&told);
            Arc::new(move |silence: &Silence| told.lock().unwrap().push(silence.clone()))
        };
        let bucket = Bucket::with_patience(place(&address), patience, note).unwrap();
        assert_eq!(bucket.read("0/shard.json").unwrap().unwrap().bytes, b"hi");
        let told = told.lock().unwrap();
        let hosts: Vec<&str> = told.iter().map(|silence| silence.host.as_str()).collect();
        assert_eq!(hosts, ["127.0.0.1"], "once, however often it is asked");
    }

    #[test]
    fn what_a_server_refuses_is_said_with_the_object_and_a_remedy_and_without_the_key() {
        let closed = bucket(|_| (403, "AccessDenied"));
        assert!(closed.list("0").unwrap_err().to_string().contains("/run/0: cannot list it (AccessDenied: "));
        let denied = closed.write("0/shard.json", b"{}", Unless::Never).unwrap_err().to_string();
        assert!(
            denied.starts_with("s3://results/run/0/shard.json: cannot write it (AccessDenied: It says "),
            "{denied}"
        );
        assert!(denied.contains("check `AWS_ACCESS_KEY_ID`") && !denied.contains(KEY), "{denied}");
        let missing = bucket(|_| (404, "NoSuchBucket"));
        for refused in [
            missing.list("0").map(|_| ()),
            missing.read("0/shard.json").map(|_| ()),
            missing.write("0/shard.json", b"{}", Unless::Exists).map(|_| ()),
        ] {
            let refused = refused.unwrap_err().to_string();
            assert!(
                refused.contains("expected a bucket of this name, found none (NoSuchBucket: "),
                "{refused}"
            );
        }
        assert_eq!(bucket(|_| (404, "NoSuchKey")).read("0/shard.json").unwrap(), None);
    }

    #[test]
    fn a_server_without_conditions_is_asked_without() {
        let simple = bucket(|head| if head.contains("\nif-") { (501, "NotImplemented") } else { (200, "") });
        for unless in [Unless::Exists, Unless::OtherThan("\"2\"")] {
            assert_eq!(simple.write("0/shard.json", b"{}", unless).unwrap().as_deref(), Some("\"1\""));
        }
        assert_eq!(bucket(|_| (412, "PreconditionFailed")).write("a", b"", Unless::Exists).unwrap(), None);
    }
}

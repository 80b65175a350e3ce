//! Addresses of S3 in the place of folders, where the shards of a plan leave their results, and the
//! thread that sends what a shard leaves while it is scored.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use mteb_json::Json;
use mteb_results::reading::named_units;
use mteb_shards::{Mirror, MirrorError, Objects};

use crate::output;

/// A store of objects that is open.
pub type Store = Box<dyn Objects + Send>;

/// The address in the place of a folder; `None` if `path` is that of a folder.
pub fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.starts_with("s3://")).map(|text| text.trim_end_matches('/'))
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The address is none, or credentials are missing.
    #[cfg(feature = "s3")]
    #[error(transparent)]
    Place(#[from] mteb_remote::s3::PlaceError),
    /// The system lets nothing be asked.
    #[cfg(feature = "s3")]
    #[error(transparent)]
    Bucket(#[from] mteb_remote::s3::BucketError),
    /// This program was built without S3.
    #[cfg(not(feature = "s3"))]
    #[error(
        "{0}: expected a folder, because this mteb-host was built without S3; name a folder, install the wheel, \
         or build it with `cargo build --release --package mteb-host --features s3`"
    )]
    WithoutS3(String),
}

/// Opens the store at `address`.
///
/// # Errors
/// If the address is none, credentials are missing, or this program was built without S3.
#[cfg(feature = "s3")]
pub fn open_store(address: &str) -> Result<Store, OpenError> {
    use std::sync::Arc;

    use mteb_remote::s3::{Bucket, Place};
    let place = Place::new(address, |name| std::env::var(name).ok())?;
    Ok(Box::new(s3::Opened(Bucket::open(place, Arc::new(s3::say_silence))?)))
}

/// Opens the store at `address`.
///
/// # Errors
/// This program was built without S3.
#[cfg(not(feature = "s3"))]
pub fn open_store(address: &str) -> Result<Store, OpenError> {
    Err(OpenError::WithoutS3(address.to_owned()))
}

/// What went wrong at `address`; a store names its objects itself.
pub fn write_fault(address: &str, why: &MirrorError) -> String {
    match why {
        MirrorError::Store(_) => why.to_string(),
        _ => format!("{address}: {why}"),
    }
}

/// The units that a file of results holds: the scores of a task, or its predictions. `None` of any other file.
pub fn read_units(bytes: &[u8]) -> Option<BTreeSet<(String, String)>> {
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let file = Json::parse(std::str::from_utf8(bytes).ok()?).ok()?;
    if file.get("scores").is_some_and(|scores| scores.as_map().is_some()) {
        let units = named_units(&file);
        return Some(units.map(|(split, subset)| (split.to_owned(), subset.to_owned())).collect());
    }
    file.get(MODEL_OF_PREDICTIONS)?;
    let mut units = BTreeSet::new();
    for (subset, splits) in
        file.as_map().unwrap_or_default().iter().filter(|(name, _)| name != MODEL_OF_PREDICTIONS)
    {
        let splits = splits.as_map().unwrap_or_default();
        units.extend(splits.iter().map(|(split, _)| (split.clone(), subset.clone())));
    }
    Some(units)
}

/// Key of a prediction file of the reference that is no subset.
const MODEL_OF_PREDICTIONS: &str = "mteb_model_meta";

#[cfg(feature = "s3")]
mod s3 {
    //! A bucket as a store.

    use mteb_remote::s3::{Bucket, Silence, Stored, Unless};
    use mteb_shards::{Object, Objects, Over, StoreError};

    pub struct Opened(pub Bucket);

    /// Says that a server has not answered, long before it is given up.
    pub fn say_silence(Silence { host, waited, retried }: &Silence) {
        crate::output::warn(format!(
            "{host}: no answer from the S3 server for {} s; it is asked again for up to {} s",
            waited.as_secs(),
            retried.as_secs()
        ));
    }

    fn object(Stored { bytes, tag }: Stored) -> Object {
        Object { bytes, tag }
    }

    impl Objects for Opened {
        fn list(&self, below: &str) -> Result<Vec<String>, StoreError> {
            Ok(self.0.list(below)?)
        }

        fn read(&self, name: &str) -> Result<Option<Object>, StoreError> {
            Ok(self.0.read(name)?.map(object))
        }

        fn read_all(&self, names: &[String]) -> Result<Vec<Option<Object>>, StoreError> {
            Ok(self.0.read_all(names)?.into_iter().map(|found| found.map(object)).collect())
        }

        fn write(&self, name: &str, bytes: &[u8], over: Over<'_>) -> Result<Option<String>, StoreError> {
            let unless = match over {
                Over::Anything => Unless::Never,
                Over::Nothing => Unless::Exists,
                Over::Tagged(tag) => Unless::OtherThan(tag),
            };
            Ok(self.0.write(name, bytes, unless)?)
        }
    }
}

/// Between two looks at what is new.
const PAUSE: Duration = Duration::from_secs(5);

/// What a shard leaves, on its way to a store.
pub struct Uploads {
    /// Where it goes.
    address: String,
    folder: PathBuf,
    /// Dropped, it ends the thread.
    going_on: Sender<()>,
    thread: JoinHandle<Mirror<Store>>,
}

/// Why what a shard leaves is not in its store.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// The store refuses, or what it has is of another plan.
    #[error("{}", write_fault(.address, .source))]
    Refused {
        /// Where the shard's files are in it.
        address: String,
        /// What went wrong there.
        source: MirrorError,
    },
    /// The system starts no thread.
    #[error("cannot start a thread that sends results: {0}")]
    NoThread(#[source] io::Error),
    /// The thread ended before its work did.
    #[error("{address}: cannot send results: the thread that does it has ended")]
    ThreadEnded {
        /// Where the files were to go.
        address: String,
    },
    /// The shard has ended, and some of its files are here alone.
    #[error("{why}; results are in {}, and the same command sends them", .folder.display())]
    Unsent {
        /// Why they were not sent.
        #[source]
        why: Box<UploadError>,
        /// Where they are.
        folder: PathBuf,
    },
}

fn refuse_at(address: &str) -> impl Fn(MirrorError) -> UploadError {
    move |source| UploadError::Refused { address: address.to_owned(), source }
}

impl Uploads {
    /// Brings what the `store` at an address has of `shard` of the plan with this hash into its `folder`; from then on sends what is new
    /// there.
    ///
    /// # Errors
    /// If the store cannot be asked, or what is there is of another plan.
    pub fn begin(
        (store, address): (Store, &str),
        (plan, shard): (&str, usize),
        folder: &Path,
    ) -> Result<Self, UploadError> {
        let mut mirror = Mirror::new(store, &shard.to_string(), folder, read_units);
        let address = format!("{address}/{shard}");
        let fetched = mirror.fetch_shard(plan).map_err(refuse_at(&address))?;
        if fetched > 0 {
            output::say(format!("{} of {address} downloaded", output::count(fetched, "file")));
        }
        let (going_on, ended) = channel::<()>();
        let place = address.clone();
        let send = move || {
            let mut is_warned = false;
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if let Err(why) = mirror.send()
                    && !is_warned
                {
                    is_warned = true;
                    output::warn(format!("{}; it is tried again", write_fault(&place, &why)));
                }
            }
            mirror
        };
        let thread = Builder::new().name("uploads".to_owned()).spawn(send).map_err(UploadError::NoThread)?;
        Ok(Self { address, folder: folder.to_owned(), going_on, thread })
    }

    /// Sends the rest; gives where all is.
    ///
    /// # Errors
    /// If it cannot be sent; what was scored stays in the folder of the shard.
    pub fn end(self) -> Result<String, UploadError> {
        let Self { address, folder, going_on, thread } = self;
        drop(going_on);
        let sent = match thread.join() {
            Ok(mut mirror) => mirror.send().map_err(refuse_at(&address)),
            Err(_) => Err(UploadError::ThreadEnded { address: address.clone() }),
        };
        match sent {
            Ok(_) => Ok(address),
            Err(why) => Err(UploadError::Unsent { why: Box::new(why), folder }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_no_folders() {
        assert_eq!(address(Path::new("s3://bucket/run/")), Some("s3://bucket/run"));
        assert_eq!(address(Path::new("results/s3")), None);
    }

    #[test]
    fn scores_and_predictions_say_of_which_units_they_are() {
        let unit = |split: &str, subset: &str| (split.to_owned(), subset.to_owned());
        let scores =
            br#"{"scores": {"test": [{"hf_subset": "ind", "main_score": NaN}, {"hf_subset": "jav"}]}}"#;
        assert_eq!(read_units(scores), Some(BTreeSet::from([unit("test", "ind"), unit("test", "jav")])));
        let predictions =
            br#"{"mteb_model_meta": {"model_name": "m"}, "ind": {"dev": {"q": {"d": 1.0}}, "test": {}}}"#;
        assert_eq!(read_units(predictions), Some(BTreeSet::from([unit("dev", "ind"), unit("test", "ind")])));
        for other in [&b"{\"plan\": \"ab\"}"[..], b"\x1f\x8b", b"", b"[1]"] {
            assert_eq!(read_units(other), None);
        }
    }
}

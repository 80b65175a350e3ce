//! Addresses of S3 in the place of folders, where the shards of a plan leave their results.

use std::collections::BTreeSet;
use std::path::Path;

use mteb_json::Json;
use mteb_results::reading::named_units;
use mteb_shards::{MirrorError, Objects};

/// A store of objects that is open.
pub type Store = Box<dyn Objects + Send>;

/// The address in the place of a folder; `None` if `path` is that of a folder.
pub fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.starts_with("s3://")).map(|text| text.trim_end_matches('/'))
}

/// Opens the store at `address`.
///
/// # Errors
/// One line: the address is none, credentials are missing, or this program was built without S3.
#[cfg(feature = "s3")]
pub fn open(address: &str) -> Result<Store, String> {
    use std::sync::Arc;

    use mteb_remote::s3::{Bucket, Place};
    let place = Place::new(address, |name| std::env::var(name).ok()).map_err(|error| error.to_string())?;
    let bucket = Bucket::open(place, Arc::new(s3::say_silence)).map_err(|error| error.to_string())?;
    Ok(Box::new(s3::Opened(bucket)))
}

/// Opens the store at `address`.
///
/// # Errors
/// One line: this program was built without S3.
#[cfg(not(feature = "s3"))]
pub fn open(address: &str) -> Result<Store, String> {
    Err(format!(
        "{address}: expected a folder, because this mteb-host was built without S3; name a folder, install the wheel, \
         or build it with `cargo build --release --package mteb-host --features s3`"
    ))
}

/// What went wrong at `address`; a store names its objects itself.
pub fn fault_at(address: &str, why: &MirrorError) -> String {
    match why {
        MirrorError::Store(_) => why.to_string(),
        _ => format!("{address}: {why}"),
    }
}

/// The units that a file of results holds: the scores of a task, or its predictions. `None` of any other file.
pub fn units_of(bytes: &[u8]) -> Option<BTreeSet<(String, String)>> {
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
        assert_eq!(units_of(scores), Some(BTreeSet::from([unit("test", "ind"), unit("test", "jav")])));
        let predictions =
            br#"{"mteb_model_meta": {"model_name": "m"}, "ind": {"dev": {"q": {"d": 1.0}}, "test": {}}}"#;
        assert_eq!(units_of(predictions), Some(BTreeSet::from([unit("dev", "ind"), unit("test", "ind")])));
        for other in [&b"{\"plan\": \"ab\"}"[..], b"\x1f\x8b", b"", b"[1]"] {
            assert_eq!(units_of(other), None);
        }
    }
}

//! How long embeddings are trusted of a model that may change without notice, such as one behind an
//! endpoint.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::folder::MODEL_FILE;
use crate::folder::model_folders;

/// Key of the description that says when the first of the embeddings was made, in milliseconds since 1970.
const SINCE: &str = "since_ms";

/// When the first of the embeddings below `root` was made that `description` speaks of, if that is less than `most` ago;
/// `now` if there are none. In milliseconds since 1970.
pub fn since(root: &Path, description: &Value, most: Duration, now: SystemTime) -> u64 {
    let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
    let folders = model_folders(root).into_iter();
    let begins = folders.filter_map(|folder| {
        let text = fs::read_to_string(folder.join(MODEL_FILE)).ok()?;
        let mut kept: Value = serde_json::from_str(&text).ok()?;
        let begin = kept.as_object_mut()?.shift_remove(SINCE)?.as_u64()?;
        (kept == *description).then_some(begin)
    });
    let is_young = |begin: &u64| *begin <= now && Duration::from_millis(now - begin) < most;
    begins.filter(is_young).max().unwrap_or(now)
}

/// `description` of embeddings of which the first was made at `begin`.
pub fn described(description: &Value, begin: u64) -> Value {
    let mut description = description.clone();
    description[SINCE] = begin.into();
    description
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn embeddings_are_found_again_until_they_are_too_old() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("0123456789abcdef0123456789abcdef");
        let model = json!({"name": "m", "device": "remote"});
        let at = |milliseconds: u64| SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds);
        let most = Duration::from_secs(30);
        assert_eq!(since(root.path(), &model, most, at(100_000)), 100_000);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(MODEL_FILE), described(&model, 100_000).to_string()).unwrap();
        assert_eq!(since(root.path(), &model, most, at(129_999)), 100_000);
        assert_eq!(since(root.path(), &model, most, at(130_000)), 130_000);
        assert_eq!(since(root.path(), &json!({"name": "other"}), most, at(100_001)), 100_001);
        assert_eq!(
            since(root.path(), &model, Duration::ZERO, at(100_001)),
            100_001,
            "what is too old the moment it is made"
        );
    }
}

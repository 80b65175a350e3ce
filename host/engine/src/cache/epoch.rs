//! How long embeddings of a model are trusted that may change without a word, as those behind an endpoint may.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::evict::model_folders;
use super::folder::MODEL_FILE;

/// Key of the description that says when the first of the embeddings was made, in days since 1970.
const SINCE: &str = "since_day";

const DAY: u64 = 86_400;

/// The first day of the embeddings below `root` that `description` speaks of and that are younger than `most`; today's if
/// there are none.
pub fn since(root: &Path, description: &Value, most: Duration, now: SystemTime) -> u64 {
    let today = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs() / DAY);
    let folders = model_folders(root).into_iter();
    let days = folders.filter_map(|folder| {
        let text = fs::read_to_string(folder.join(MODEL_FILE)).ok()?;
        let mut kept: Value = serde_json::from_str(&text).ok()?;
        let day = kept.as_object_mut()?.shift_remove(SINCE)?.as_u64()?;
        (kept == *description).then_some(day)
    });
    let is_young = |day: &u64| *day <= today && Duration::from_secs((today - day) * DAY) < most;
    days.filter(is_young).max().unwrap_or(today)
}

/// `description` of embeddings of which the first was made on `day`.
pub fn described(description: &Value, day: u64) -> Value {
    let mut description = description.clone();
    description[SINCE] = day.into();
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
        let at = |day: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(day * DAY + 1);
        let month = Duration::from_secs(30 * DAY);
        assert_eq!(since(root.path(), &model, month, at(20_000)), 20_000);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(MODEL_FILE), described(&model, 20_000).to_string()).unwrap();
        assert_eq!(since(root.path(), &model, month, at(20_029)), 20_000);
        assert_eq!(since(root.path(), &model, month, at(20_030)), 20_030);
        assert_eq!(since(root.path(), &json!({"name": "other"}), month, at(20_001)), 20_001);
        assert_eq!(since(root.path(), &model, Duration::ZERO, at(20_000)), 20_000);
    }
}

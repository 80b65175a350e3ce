//! Opens result files and what lies beside them, none of which need be what it seems.

use std::io;
use std::path::Path;

use mteb_json::{Json, read_past_tokens};
use serde_json::Value;

use crate::fault::ResultFault;

/// The text of a file, without the mark that some editors put before UTF-8.
///
/// # Errors
/// What the system says, and that it is too large, or no regular file.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text = mteb_files::read_to_string(path, mteb_files::TEXT)?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Reads any JSON file that may not be one.
///
/// # Errors
/// What was expected and what was found; without the path.
pub fn read_json(path: &Path) -> Result<Json, ResultFault> {
    Ok(Json::parse(&read_text(path)?)?)
}

/// What this host adds to a result file, `mteb_host`, as any reader of JSON finds it; `None` where there is none.
pub fn read_host(path: &Path) -> Option<Value> {
    let text = read_text(path).ok()?;
    let mut file: Value = read_past_tokens(&text, |text| serde_json::from_str(text)).ok()?;
    file.get_mut("mteb_host").map(Value::take)
}

/// The units, as split and subset, that `file` names under `scores`, whether it can be right or not.
pub fn named_units(file: &Json) -> impl Iterator<Item = (&str, &str)> {
    let splits = file.get("scores").and_then(Json::as_map).unwrap_or_default();
    splits.iter().flat_map(|(split, entries)| {
        let entries = entries.as_list().unwrap_or_default().iter();
        entries.filter_map(|entry| Some((split.as_str(), entry.get("hf_subset")?.as_text()?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_before_utf_8_is_no_part_of_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("T.json");
        std::fs::write(&path, "\u{feff}{\"a\": 1}").unwrap();
        assert_eq!(read_json(&path).unwrap().get("a"), Some(&Json::Int(1)));
    }

    #[test]
    fn units_are_named_by_files_that_cannot_be_right_too() {
        let file = Json::parse(r#"{"scores": {"test": [{"hf_subset": "a"}, {}, 1], "dev": null}}"#).unwrap();
        assert_eq!(named_units(&file).collect::<Vec<_>>(), [("test", "a")]);
        assert_eq!(named_units(&Json::Null).count(), 0);
    }
}

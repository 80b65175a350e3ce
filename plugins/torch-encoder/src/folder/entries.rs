//! `modules.json`: the parts of a model in their order, as sentence-transformers takes them.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::TorchError;

/// A part of a model.
pub struct Entry {
    /// Its class without the modules around it: `Pooling`, …
    pub kind: String,
    /// The folder with its files.
    pub folder: PathBuf,
}

/// Classes that models of every kind have, which lie in `base.modules`.
const OF_ALL_MODELS: [&str; 4] = ["Transformer", "Dense", "Normalize", "Router"];

/// The entries of `modules.json` in the folder `path`.
///
/// # Errors
/// If one lacks its path or type, leads outside the folder, shares its name with another, or is no class of the library.
pub fn read(path: &Path, entries: &[Map<String, Value>]) -> Result<Vec<Entry>, TorchError> {
    let file = path.join("modules.json");
    let wrong = |message: String| TorchError::Malformed { path: file.clone(), message };
    if entries.is_empty() {
        return Err(wrong("expected modules, found an empty list".to_owned()));
    }
    let mut names: Vec<&Value> = Vec::new();
    let mut found = Vec::new();
    for entry in entries {
        let text = |key: &str| {
            let value = entry.get(key).and_then(Value::as_str);
            value.ok_or_else(|| wrong(format!("expected a text `{key}` for each module, found none")))
        };
        let (place, class) = (text("path")?, text("type")?);
        if !is_inside(place) {
            return Err(wrong(format!("expected a path inside the folder, found: {place}")));
        }
        let name = entry
            .get("name")
            .ok_or_else(|| wrong("expected a `name` for each module, found none".to_owned()))?;
        if names.contains(&name) {
            return Err(wrong(format!("expected a unique name for each module, found {name} twice")));
        }
        names.push(name);
        let kind = own_class(class).ok_or_else(|| TorchError::Unsupported {
            path: file.clone(),
            message: format!(
                "the module `{class}` is not part of sentence-transformers, and its code is not run"
            ),
        })?;
        let folder = if place.is_empty() { path.to_owned() } else { path.join(place) };
        found.push(Entry { kind: kind.to_owned(), folder });
    }
    Ok(found)
}

/// True for a relative path without a way up, in the spelling of any system.
fn is_inside(place: &str) -> bool {
    let rooted = place.starts_with(['/', '\\']) || place.chars().nth(1) == Some(':');
    !rooted && !place.contains('\0') && place.split(['/', '\\']).all(|part| part != "..")
}

/// The class that a type of the library names, in the modules in which it lies now or lay in earlier releases: one for several
/// classes, or one of its own.
fn own_class(class: &str) -> Option<&str> {
    let (module, kind) = class.strip_prefix("sentence_transformers.")?.rsplit_once('.')?;
    let is_of_all = OF_ALL_MODELS.contains(&kind);
    let is_snake = |own: &str| {
        own.replace('_', "").eq_ignore_ascii_case(kind)
            && own.chars().all(|letter| !letter.is_ascii_uppercase())
    };
    let is_home = match module {
        "models" | "sentence_transformer.modules" => true,
        "base.modules" => is_of_all,
        _ => match module.rsplit_once('.')? {
            ("models", own) => own == kind || !is_of_all && is_snake(own),
            ("base.modules", own) => is_of_all && is_snake(own),
            ("sentence_transformer.modules", own) => {
                is_snake(own) && !["Transformer", "Dense"].contains(&kind)
            }
            _ => false,
        },
    };
    is_home.then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_the_library_are_known_by_their_whole_name() {
        for class in [
            "sentence_transformers.models.Pooling",
            "sentence_transformers.models.Pooling.Pooling",
            "sentence_transformers.sentence_transformer.modules.pooling.Pooling",
            "sentence_transformers.sentence_transformer.modules.Pooling",
        ] {
            assert_eq!(own_class(class), Some("Pooling"), "{class}");
        }
        for class in [
            "Pooling",
            "my_pooling.Pooling",
            "sentence_transformersX.models.Pooling",
            "sentence_transformers.mine.Pooling",
            "sentence_transformers.base.modules.Pooling",
        ] {
            assert_eq!(own_class(class), None, "{class}");
        }
    }

    #[test]
    fn paths_lead_nowhere_but_into_the_folder() {
        assert!(["", "1_Pooling", "a/b", "..a"].iter().all(|place| is_inside(place)));
        assert!(
            ["..", "../a", "a/../../b", "/a", "\\a", "C:a", "C:\\a", "a\\..\\b"]
                .iter()
                .all(|place| !is_inside(place))
        );
    }
}

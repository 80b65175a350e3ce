//! Parameters and bytes of weights, as the heads of the files say (the form of safetensors).

use std::fs;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

/// Most bytes of the head of a file.
const HEAD: u64 = 100 << 20;

/// What a model's files hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// Numbers.
    pub parameters: u64,
    /// Bytes of these.
    pub bytes: u64,
}

/// The weights in the folder of a model and in the folders directly in it; `None` if there are no files of this form, or one
/// cannot be read.
pub fn weights_of(folder: &Path) -> Option<Weights> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()) {
        if entry.is_dir() {
            all.extend(fs::read_dir(entry).ok()?.flatten().map(|entry| entry.path()));
        } else {
            all.push(entry);
        }
    }
    all.retain(|path| path.extension().is_some_and(|suffix| suffix == "safetensors"));
    let heads = all.iter().map(|path| of_file(path)).collect::<Option<Vec<_>>>()?;
    let sum = |all: Weights, one: &Weights| {
        Some(Weights {
            parameters: all.parameters.checked_add(one.parameters)?,
            bytes: all.bytes.checked_add(one.bytes)?,
        })
    };
    if heads.is_empty() { None } else { heads.iter().try_fold(Weights::default(), sum) }
}

fn of_file(path: &Path) -> Option<Weights> {
    let mut file = mteb_files::open(path).ok()?;
    let mut length = [0; 8];
    file.read_exact(&mut length).ok()?;
    let length = u64::from_le_bytes(length);
    let mut head = Vec::new();
    file.take(length.min(HEAD)).read_to_end(&mut head).ok()?;
    let head: Value = serde_json::from_slice(&head).ok()?;
    let mut weights = Weights::default();
    for (_, tensor) in head.as_object()?.iter().filter(|(name, _)| *name != "__metadata__") {
        let shape = tensor.get("shape")?.as_array()?;
        let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul(size.as_u64()?))?;
        let [start, end] = tensor.get("data_offsets")?.as_array()?.as_slice() else { return None };
        weights.parameters = weights.parameters.checked_add(count)?;
        weights.bytes = weights.bytes.checked_add(end.as_u64()?.checked_sub(start.as_u64()?)?)?;
    }
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, head: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.extend(head.as_bytes());
        fs::write(path, bytes).unwrap();
    }

    #[test]
    fn numbers_and_bytes_of_all_files_are_added() {
        let folder = tempfile::tempdir().unwrap();
        write(
            &folder.path().join("model.safetensors"),
            r#"{"__metadata__": {"format": "pt"}, "a": {"dtype": "F16", "shape": [3, 4], "data_offsets": [0, 24]},
                "b": {"dtype": "F32", "shape": [], "data_offsets": [24, 28]}}"#,
        );
        write(
            &folder.path().join("2_Dense/model.safetensors"),
            r#"{"linear": {"dtype": "F32", "shape": [5], "data_offsets": [0, 20]}}"#,
        );
        assert_eq!(weights_of(folder.path()), Some(Weights { parameters: 18, bytes: 48 }));
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(weights_of(folder.path()), None);
        fs::write(folder.path().join("model.safetensors"), [255; 64]).unwrap();
        assert_eq!(weights_of(folder.path()), None);
        // More than any number counts.
        for name in ["model.safetensors", "other.safetensors"] {
            let head =
                r#"{"a": {"dtype": "F16", "shape": [9223372036854775807, 2], "data_offsets": [0, 24]}}"#;
            write(&folder.path().join(name), head);
        }
        assert_eq!(weights_of(folder.path()), None);
    }
}

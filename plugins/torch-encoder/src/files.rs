//! The files of a model folder: JSON, and those that hold the weights.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::error::TorchError;

/// Reads a JSON file that must be there.
///
/// # Errors
/// If it is absent, cannot be read, or holds something else.
pub fn read_required<T: DeserializeOwned>(path: &Path) -> Result<T, TorchError> {
    optional(path)?.ok_or_else(|| TorchError::Missing { path: path.to_owned(), expected: "a JSON file" })
}

/// Reads a JSON file that may be absent.
///
/// # Errors
/// If it cannot be read, or holds something else.
pub fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, TorchError> {
    let malformed = |message: String| TorchError::Malformed { path: path.to_owned(), message };
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(malformed(format!("cannot read the file: {error}"))),
        Ok(text) => match serde_json::from_str(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(malformed(format!("expected JSON, found: {error}"))),
        },
    }
}

/// What transformers looks for, in its order: one file, or an index with the names of several.
const NAMES: [&str; 2] = ["model.safetensors", "pytorch_model.bin"];

/// The weight files of a folder, in the order of their names.
///
/// # Errors
/// If there is none, or one that an index names is absent.
pub fn weight_files(folder: &Path) -> Result<Vec<PathBuf>, TorchError> {
    for name in NAMES {
        let single = folder.join(name);
        if single.is_file() {
            return Ok(vec![single]);
        }
        let shards = shards(folder, &format!("{name}.index.json"))?;
        if !shards.is_empty() {
            return Ok(shards);
        }
    }
    // LASER's file; transformers takes no other name.
    if !folder.join("config.json").exists()
        && let Some(file) = lone_file(folder, "pt")
    {
        return Ok(vec![file]);
    }
    Err(TorchError::Missing {
        path: folder.to_owned(),
        expected: "weights (model.safetensors, pytorch_model.bin, or one of them in parts with its index)",
    })
}

/// The only file of a folder whose name ends so.
pub fn lone_file(folder: &Path, extension: &str) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut files = files.filter(|path| path.extension().is_some_and(|found| found == extension));
    let file = files.next()?;
    files.next().is_none().then_some(file)
}

fn shards(folder: &Path, index: &str) -> Result<Vec<PathBuf>, TorchError> {
    let values: Map<String, Value> = optional(&folder.join(index))?.unwrap_or_default();
    let map = values.get("weight_map").and_then(Value::as_object).into_iter().flatten();
    let names: BTreeSet<&str> = map.filter_map(|(_, file)| file.as_str()).collect();
    if let Some(name) = names.iter().find(|name| name.contains(['/', '\\', '\0']) || **name == "..") {
        return Err(TorchError::Malformed {
            path: folder.join(index),
            message: format!("expected names of files beside the index, found: {name}"),
        });
    }
    let files: Vec<PathBuf> = names.into_iter().map(|name| folder.join(name)).collect();
    match files.iter().find(|file| !file.is_file()) {
        Some(absent) => Err(TorchError::Missing { path: absent.clone(), expected: "a part of the weights" }),
        None => Ok(files),
    }
}

/// How files end, and what they are.
const FORMS: [(&str, &str); 8] = [
    ("gguf", "GGUF, the form of llama.cpp"),
    ("ggml", "GGML, the form of llama.cpp"),
    ("onnx", "ONNX"),
    ("xml", "OpenVINO"),
    ("h5", "TensorFlow's weights"),
    ("msgpack", "Flax's weights"),
    ("tflite", "TensorFlow Lite"),
    ("mlmodel", "Core ML"),
];

/// Refuses a folder that has no weights but those of another form.
///
/// # Errors
/// If there are such weights, and none that are read.
pub fn foreign_weights(folder: &Path) -> Result<(), TorchError> {
    if !matches!(weight_files(folder), Err(TorchError::Missing { .. })) {
        return Ok(());
    }
    let found = [folder.to_owned(), folder.join("onnx"), folder.join("openvino")]
        .iter()
        .find_map(|place| form_in(place));
    match found {
        None => Ok(()),
        Some((path, form)) => Err(foreign(path, form)),
    }
}

/// The refusal of a file that is named in place of a folder: of weights of another form, if it is such.
pub fn refuse_file(file: &Path) -> TorchError {
    match form_of(file) {
        Some(form) => foreign(file.to_owned(), form),
        None => TorchError::Malformed {
            path: file.to_owned(),
            message: "expected a folder with a model, found a file; name the folder that it lies in"
                .to_owned(),
        },
    }
}

fn foreign(path: PathBuf, form: &str) -> TorchError {
    TorchError::Unsupported {
        path,
        message: format!(
            "expected weights of PyTorch (model.safetensors or pytorch_model.bin), found {form}; name the folder or hub id \
             of the weights it was made from, or serve it and name the server's address (`--url`)"
        ),
    }
}

/// What a file is that ends so.
fn form_of(file: &Path) -> Option<&'static str> {
    let end = file.extension()?.to_str()?.to_ascii_lowercase();
    Some(FORMS.iter().find(|(known, _)| *known == end)?.1)
}

fn form_in(folder: &Path) -> Option<(PathBuf, &'static str)> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort_unstable();
    files.into_iter().find_map(|path| {
        let form = form_of(&path)?;
        Some((path, form))
    })
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// SHA-256 over the weight files of all `folders`, in hexadecimal digits. Folders without weights count for nothing. Ends early, with
/// an error, once it is not `wanted` any more.
///
/// # Errors
/// If a file cannot be read.
pub fn weights_hash<'a>(
    folders: impl IntoIterator<Item = &'a Path>,
    wanted: &AtomicBool,
) -> Result<String, TorchError> {
    let mut hasher = Hasher { sum: Sha256::new(), wanted };
    for folder in folders {
        for path in weight_files(folder).unwrap_or_default() {
            let file = File::open(&path).map(|file| BufReader::with_capacity(PIECE, file));
            file.and_then(|mut file| io::copy(&mut file, &mut hasher)).map_err(|error| {
                TorchError::Malformed { path, message: format!("cannot read the file: {error}") }
            })?;
        }
    }
    Ok(hasher.sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

struct Hasher<'a> {
    sum: Sha256,
    wanted: &'a AtomicBool,
}

impl Write for Hasher<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.wanted.load(Ordering::Relaxed) {
            return Err(io::Error::other("it is not wanted any more"));
        }
        self.sum.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

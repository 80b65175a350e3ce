//! Weights in forms that this plugin does not read, named for what they are.

use std::path::{Path, PathBuf};

use super::weight_files::weight_files;
use crate::error::TorchError;

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
        Some((path, form)) => Err(TorchError::Unsupported {
            path,
            message: format!(
                "expected weights of PyTorch (model.safetensors or pytorch_model.bin), found {form}; name the folder or hub id \
                 of the weights it was made from, or serve it and name the server's address (`--url`)"
            ),
        }),
    }
}

fn form_in(folder: &Path) -> Option<(PathBuf, &'static str)> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort_unstable();
    files.into_iter().find_map(|path| {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        let form = FORMS.iter().find(|(known, _)| *known == end)?.1;
        Some((path, form))
    })
}

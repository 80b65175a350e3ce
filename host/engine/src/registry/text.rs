//! The text of a card or a registry.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::Fault;

/// The folder of the model cards beside registries.
pub const MODELS: &str = "models";
/// Largest card or registry in bytes: the largest of the project has 500 kB.
const LARGEST: u64 = 8 << 20;

/// A text and the name by which messages speak of it.
#[derive(Clone, Debug)]
pub struct Text {
    /// File name for messages.
    pub file: String,
    /// Content.
    pub text: Cow<'static, str>,
    /// The file, unless it is part of the binary.
    pub path: Option<PathBuf>,
    /// The content as JSON, of a file that is part of the binary.
    pub json: Option<&'static str>,
}

impl Text {
    /// A text that is neither a file nor part of the binary.
    pub fn new(file: String, text: String) -> Self {
        Self { file, text: text.into(), path: None, json: None }
    }

    /// True if the text may be meant for a registry: it is no TOML, or has a key that registries have.
    pub fn may_be_registry(&self) -> bool {
        const KEYS: [&str; 6] = ["schema", "cards", "packs", "include", "tasks", "benchmark"];
        let table = self.parse::<serde_json::Map<String, serde_json::Value>>();
        table.map_or(true, |table| KEYS.iter().any(|key| table.contains_key(*key)))
    }

    /// Reads the content.
    ///
    /// # Errors
    /// If it is no TOML, or has another form than `T`.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, toml::de::Error> {
        let fast = self.json.and_then(|json| serde_json::from_str(json).ok());
        fast.map_or_else(|| toml::from_str(&self.text), Ok)
    }
}

/// True if a file lies where model cards are.
pub fn is_model_card(path: &Path) -> bool {
    let whole = path.canonicalize();
    let path = whole.as_deref().unwrap_or(path);
    path.parent().and_then(Path::file_name).is_some_and(|folder| folder == MODELS)
}

/// A file with a task type is a card; it stands for a registry of one task.
pub fn is_card(text: &Text) -> bool {
    text.parse::<serde_json::Map<String, serde_json::Value>>().is_ok_and(|table| table.contains_key("type"))
}

/// Reads a card or a registry.
///
/// # Errors
/// If it is no regular file, larger than 8 MiB, or no text.
pub fn read_text(path: &Path) -> Result<Text, Fault> {
    let text = mteb_files::read_to_string(path, LARGEST).map_err(|error| cannot_read(path, &error))?;
    let file = path.display().to_string();
    Ok(Text { file, text: text.into(), path: Some(path.to_owned()), json: None })
}

/// The fault that a file or folder cannot be read.
pub fn cannot_read(path: &Path, error: &std::io::Error) -> Fault {
    Fault::of_file(path.display().to_string(), format!("cannot read the file: {error}"))
}

//! The text of a card or a registry.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::Fault;
use crate::embedded;

/// The folder of the model cards beside registries.
pub const MODELS: &str = "models";
/// Largest card or registry in bytes: the largest of the project has 500 kB.
const LARGEST: u64 = 8 << 20;

/// A text and the name by which messages speak of it.
#[derive(Clone, Debug)]
pub struct Text {
    /// File name for messages.
    pub file: String,
    content: Content,
    /// The file, unless it is part of the binary.
    pub path: Option<PathBuf>,
}

/// A text, or where in the binary it is: it is unpacked when it is asked for.
#[derive(Clone, Debug)]
enum Content {
    Own(String),
    /// Of a pack that is part of the program.
    Bundled(String),
    Embedded(embedded::File),
}

/// What tells a card from a registry.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    task_type: Option<IgnoredAny>,
    dataset: Option<IgnoredAny>,
}

impl Text {
    /// A text that is neither a file nor part of the binary.
    pub fn new(file: String, text: String) -> Self {
        Self { file, content: Content::Own(text), path: None }
    }

    /// A card of a pack that is part of the program.
    pub fn bundled(file: String, text: String) -> Self {
        Self { file, content: Content::Bundled(text), path: None }
    }

    /// A file of the binary.
    pub fn embedded(file: embedded::File) -> Self {
        let name = format!("registries/{}", file.path());
        Self { file: name, content: Content::Embedded(file), path: None }
    }

    /// Its file's name without the ending: the task, of a card of the binary.
    pub fn stem(&self) -> &str {
        Path::new(&self.file).file_stem().and_then(OsStr::to_str).unwrap_or_default()
    }

    /// The content.
    pub fn text(&self) -> &str {
        match &self.content {
            Content::Own(text) | Content::Bundled(text) => text,
            Content::Embedded(file) => file.text(),
        }
    }

    /// The content as JSON, of a file that is part of the binary.
    pub fn json(&self) -> Option<&'static str> {
        match &self.content {
            Content::Own(_) | Content::Bundled(_) => None,
            Content::Embedded(file) => file.json(),
        }
    }

    /// True if the text is part of the program, whose build and tests have checked it.
    pub fn is_of_program(&self) -> bool {
        matches!(self.content, Content::Bundled(_)) || self.json().is_some()
    }

    /// True if the text may be meant for a registry: it is no TOML, or has a key that registries
    /// have.
    pub fn may_be_registry(&self) -> bool {
        const KEYS: [&str; 6] = ["schema", "cards", "packs", "include", "tasks", "benchmark"];
        let table = self.parse::<serde_json::Map<String, serde_json::Value>>();
        table.map_or(true, |table| KEYS.iter().any(|key| table.contains_key(*key)))
    }

    /// True if the text can be read and has no key by which a registry or a card has anything to
    /// say of tasks.
    pub fn holds_nothing(&self) -> bool {
        const KEYS: [&str; 6] = ["cards", "packs", "include", "tasks", "benchmark", "type"];
        let table = self.parse::<serde_json::Map<String, serde_json::Value>>();
        table.is_ok_and(|table| KEYS.iter().all(|key| !table.contains_key(*key)))
    }

    /// True if the text is a registry and can be no card: it has no type, but a key that registries
    /// alone have.
    pub fn is_registry(&self) -> bool {
        const KEYS: [&str; 5] = ["cards", "packs", "include", "tasks", "benchmark"];
        // Most files beside a registry are cards; this spares them a reading.
        let names_type =
            |line: &str| line.strip_prefix("type").is_some_and(|rest| rest.trim_start().starts_with('='));
        if self.text().lines().any(names_type) || is_card(self) {
            return false;
        }
        let table = self.parse::<serde_json::Map<String, serde_json::Value>>();
        table.is_ok_and(|table| KEYS.iter().any(|key| table.contains_key(*key)))
    }

    /// Reads the content.
    ///
    /// # Errors
    /// If it is no TOML, or has another form than `T`.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, toml::de::Error> {
        let fast = self.json().and_then(|json| serde_json::from_str(json).ok());
        fast.map_or_else(|| toml::from_str(self.text()), Ok)
    }

    /// Reads the card of the task `name` beside this one; `None` if there is none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn beside(&self, name: &str) -> Result<Option<Self>, Fault> {
        let file = format!("{name}.toml");
        match &self.path {
            Some(path) => {
                let beside = path.with_file_name(file);
                if beside.is_symlink() {
                    stays_inside(path, &beside)?;
                }
                beside.is_file().then(|| read_text(&beside)).transpose()
            }
            None => {
                let own = self.file.strip_prefix("registries/").unwrap_or(&self.file);
                let beside = Path::new(own).with_file_name(file);
                Ok(embedded::file(&beside.to_string_lossy()).map(Self::embedded))
            }
        }
    }
}

/// True if a file lies where model cards are, or in a folder there.
pub fn is_model_card(path: &Path) -> bool {
    let whole = path.canonicalize();
    let path = whole.as_deref().unwrap_or(path);
    path.ancestors().skip(1).take(2).any(|folder| folder.file_name().is_some_and(|name| name == MODELS))
}

/// A file with a task type is a card, and one with a dataset whose type was forgotten; it stands
/// for a registry of one task.
pub fn is_card(text: &Text) -> bool {
    text.parse::<Head>().is_ok_and(|head| head.task_type.is_some() || head.dataset.is_some())
}

/// True if a text is meant for the card of a judge: it says where the judge is asked, and how.
pub fn is_judge_card(text: &Text) -> bool {
    let table = text.parse::<serde_json::Map<String, serde_json::Value>>();
    table.is_ok_and(|table| table.contains_key("endpoint") && table.contains_key("prompt"))
}

/// Reads a card or a registry.
///
/// # Errors
/// If it is no regular file, larger than 8 MiB, or no text.
pub fn read_text(path: &Path) -> Result<Text, Fault> {
    let text = mteb_files::read_to_string(path, LARGEST).map_err(|error| cannot_read(path, &error))?;
    let file = path.display().to_string();
    Ok(Text { path: Some(path.to_owned()), ..Text::new(file, text) })
}

/// The fault that a file or folder cannot be read.
pub fn cannot_read(path: &Path, error: &std::io::Error) -> Fault {
    Fault::of_file(path.display().to_string(), format!("cannot read the file: {error}"))
}

/// Refuses links that lead out of the folder of the registry, or of the card, that names the one at
/// `path`: who gives it on gives its folder.
pub fn stays_inside(registry: &Path, path: &Path) -> Result<(), Fault> {
    let folder = registry.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.canonicalize()) {
        (Ok(folder), Ok(found)) if !found.starts_with(&folder) => Err(Fault::of_file(
            path.display().to_string(),
            "expected cards in the folder of the file that names them, found a link that leads out of it; copy \
             them there",
        )),
        // What is not there is told of by whoever reads it.
        _ => Ok(()),
    }
}

//! The plugins that were found, with what they declare. Declarations are kept by checksum, so that listing
//! starts no plugin.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use mteb_plugin_api::{Manifest, PluginKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::directories::is_safe;
use super::{Lock, Patience, PluginDirectory, Request, Start, Trust, Worker, WorkerError, directories};
use crate::atomic_file;
use crate::output;
use crate::settings::Settings;

/// One plugin and what it declares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plugin {
    /// The library's file.
    pub path: PathBuf,
    /// SHA-256 of the file.
    pub checksum: String,
    /// Its manifest.
    pub manifest: Manifest,
    /// Cards of a task pack: task name = TOML text.
    pub cards: BTreeMap<String, String>,
    /// True if it lies beside the executable, as a part of the host.
    #[serde(skip)]
    pub installed: bool,
}

/// What stands before the hash of its sources in the version of a plugin.
const SOURCES: &str = "+sources.";

impl Plugin {
    /// What the plugin is made of: the hash of the sources that shape its numbers, which a plugin that is part of the host
    /// says in its version; else the SHA-256 of its file.
    pub fn code(&self) -> String {
        match self.manifest.version.split_once(SOURCES) {
            Some((_, sources)) if self.installed => format!("sources:{sources}"),
            _ => format!("sha256:{}", self.checksum),
        }
    }
}

/// A file that is no usable plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file.
    pub path: PathBuf,
    /// One line: what was expected, what was found, what to do.
    pub message: String,
    /// True if the user named its folder.
    pub explicit: bool,
}

/// All plugins that were found, in order of precedence, and all files that were refused.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Usable plugins; no two share a name.
    pub plugins: Vec<Plugin>,
    /// Refused files.
    pub refusals: Vec<Refusal>,
}

/// Seconds that a plugin may take to say what it brings.
const PATIENCE: u64 = 60;

/// What is remembered of a file: while size and times are the same, so is the content.
#[derive(Serialize, Deserialize)]
struct Remembered {
    host: String,
    size: u64,
    times: [i64; 4],
    plugin: Plugin,
}

impl Catalog {
    /// Looks through all plugin folders.
    pub fn discover(settings: &Settings) -> Self {
        let mut catalog = Self::default();
        let mut trust = Trust::load(settings.trust.clone());
        for directory in directories(settings) {
            catalog.add_directory(&directory, &mut trust, settings);
        }
        for unused in trust.unused() {
            output::warn(format!("`--trust-plugin`: no plugin has this SHA-256: {unused}"));
        }
        catalog
    }

    /// The plugin called `name`.
    pub fn plugin(&self, name: &str) -> Option<&Plugin> {
        self.plugins.iter().find(|plugin| plugin.manifest.name == name)
    }

    /// The plugin that brings the model called `name`; one that names it goes before one that takes any name.
    pub fn model_plugin(&self, name: &str) -> Option<&Plugin> {
        let models = || self.plugins.iter().filter(|plugin| plugin.manifest.kind == PluginKind::Model);
        let exact = models().find(|plugin| plugin.manifest.models.iter().any(|model| model == name));
        exact.or_else(|| models().find(|plugin| plugin.manifest.has_model(name)))
    }

    fn add_directory(&mut self, directory: &PluginDirectory, trust: &mut Trust, settings: &Settings) {
        let refuse = |path: &Path, message: String| Refusal {
            path: path.to_owned(),
            message,
            explicit: directory.explicit,
        };
        let files = match library_files(directory) {
            Ok(files) => files,
            Err(error) if !directory.explicit && error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                let message = format!("{}: cannot read the plugin folder: {error}", directory.path.display());
                return self.refusals.push(refuse(&directory.path, message));
            }
        };
        let lock = match Lock::of(&directory.path) {
            Ok(lock) => lock,
            Err(message) => return self.refusals.push(refuse(&directory.path, message)),
        };
        for path in files {
            let check = |path: &Path, checksum: &str| {
                lock.as_ref().map_or(Ok(()), |lock| lock.check(path, checksum))?;
                if directory.installed && is_safe(path) { Ok(()) } else { trust.check(path, checksum) }
            };
            match declared(&path, check, settings) {
                Ok(plugin) if self.plugin(&plugin.manifest.name).is_none() => {
                    let installed = directory.installed && is_safe(&plugin.path);
                    self.plugins.push(Plugin { installed, ..plugin });
                }
                Ok(_) => {}
                Err(message) => self.refusals.push(refuse(&path, message)),
            }
        }
    }
}

/// SHA-256 of a file in hex digits.
pub fn checksum(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = mteb_files::open(path)?;
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => break,
            read => hasher.update(&block[..read]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn library_files(directory: &PluginDirectory) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(&directory.path)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_library = path.extension().is_some_and(|extension| extension == "so");
        if is_library && (!directory.only_ours || name.starts_with("libmteb_")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// What the plugin at `path` declares, remembered or asked of a worker, if `check` lets its checksum pass.
fn declared(
    path: &Path,
    check: impl FnOnce(&Path, &str) -> Result<(), String>,
    settings: &Settings,
) -> Result<Plugin, String> {
    let cannot_read = |error: io::Error| format!("{}: cannot read the file: {error}", path.display());
    let path = &path.canonicalize().map_err(cannot_read)?;
    let metadata = fs::metadata(path).map_err(cannot_read)?;
    // The time of the change, unlike that of the content, cannot be set by who writes the file.
    let times = [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()];
    let memory = memory_file(path, settings);
    if let Some(plugin) = recall(&memory, metadata.len(), times) {
        check(path, &plugin.checksum)?;
        return Ok(plugin);
    }
    let checksum = checksum(path).map_err(cannot_read)?;
    check(path, &checksum)?;
    let plugin = ask(path, checksum, settings)?;
    remember(&memory, metadata.len(), times, &plugin);
    Ok(plugin)
}

fn memory_file(path: &Path, settings: &Settings) -> PathBuf {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    let name: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    settings.cache_dir.join("plugins").join(format!("{name}.json"))
}

fn recall(memory: &Path, size: u64, times: [i64; 4]) -> Option<Plugin> {
    let remembered: Remembered =
        serde_json::from_slice(&mteb_files::read(memory, mteb_files::TEXT).ok()?).ok()?;
    let same =
        remembered.host == env!("CARGO_PKG_VERSION") && remembered.size == size && remembered.times == times;
    same.then_some(remembered.plugin)
}

/// A cache that cannot be written costs time, never correctness.
fn remember(memory: &Path, size: u64, times: [i64; 4], plugin: &Plugin) {
    let host = env!("CARGO_PKG_VERSION").to_owned();
    let remembered = Remembered { host, size, times, plugin: plugin.clone() };
    if let Ok(bytes) = serde_json::to_vec(&remembered) {
        let _ = atomic_file::write(memory, &bytes);
    }
}

fn ask(path: &Path, checksum: String, settings: &Settings) -> Result<Plugin, String> {
    let one_line = |error: WorkerError| error.to_string();
    let start = Start { patience: Patience::new(PATIENCE), ..Start::with(path, &checksum, settings) };
    let mut worker = Worker::start(start).map_err(one_line)?;
    let (manifest, _) = worker.ask(&Request::Open, &[]).map_err(one_line)?;
    let manifest: Manifest = serde_json::from_value(manifest)
        .map_err(|error| format!("{}: the manifest is not valid: {error}", path.display()))?;
    let mut cards = BTreeMap::new();
    for task in &manifest.tasks {
        let (card, _) = worker.ask(&Request::Card { task: task.clone() }, &[]).map_err(one_line)?;
        match card {
            Value::String(card) => cards.insert(task.clone(), card),
            other => return Err(format!("{}: expected a card as text, found: {other}", path.display())),
        };
    }
    Ok(Plugin { path: path.to_owned(), checksum, manifest, cards, installed: false })
}

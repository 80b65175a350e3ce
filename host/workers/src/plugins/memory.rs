//! What plugins have declared, kept in the cache folder by the hash of their content. It says nothing of where a plugin is,
//! nor whether it is trusted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mteb_card::MeasureDeclaration;
use mteb_files::hex;
use mteb_plugin_api::Manifest;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{PackType, private};
use crate::settings::Settings;

/// What a plugin declares.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Declaration {
    /// Its manifest.
    pub manifest: Manifest,
    /// Cards of a task pack: task name = TOML text.
    pub cards: BTreeMap<String, String>,
    /// Types of tasks that it declares, by name.
    #[serde(default)]
    pub types: BTreeMap<String, PackType>,
    /// Measures that it declares, by name.
    #[serde(default)]
    pub measures: BTreeMap<String, MeasureDeclaration>,
}

/// The place where the declaration of one file is kept.
#[derive(Debug)]
pub struct Memory {
    file: PathBuf,
    checksum: String,
}

#[derive(Serialize, Deserialize)]
struct Remembered {
    host: String,
    checksum: String,
    declaration: Declaration,
}

impl Memory {
    /// The place for the file with this checksum; `None` where others can write to the cache folder.
    pub fn of(checksum: &str, settings: &Settings) -> Option<Self> {
        let folder = settings.cache_dir.join("plugins");
        private::create_folder(&folder).ok()?;
        private::check_way(&folder).ok()?;
        let digest = Sha256::digest(format!("{} {checksum}", env!("CARGO_PKG_VERSION")));
        let name = hex(&digest);
        Some(Self { file: folder.join(format!("{name}.json")), checksum: checksum.to_owned() })
    }

    /// What the file has declared to this version of the host.
    pub fn recall(&self) -> Option<Declaration> {
        private::check_way(&self.file).ok()?;
        let remembered: Remembered =
            serde_json::from_slice(&mteb_files::read(&self.file, mteb_files::TEXT).ok()?).ok()?;
        let is_same = remembered.host == env!("CARGO_PKG_VERSION") && remembered.checksum == self.checksum;
        is_same.then_some(remembered.declaration)
    }

    /// Keeps it. A cache that cannot be written costs time, never correctness.
    pub fn keep(&self, declaration: &Declaration) {
        let (host, checksum) = (env!("CARGO_PKG_VERSION").to_owned(), self.checksum.clone());
        let remembered = Remembered { host, checksum, declaration: declaration.clone() };
        if let Ok(bytes) = serde_json::to_vec(&remembered) {
            let _ = mteb_files::write(&self.file, &bytes);
        }
    }
}

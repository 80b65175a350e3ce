//! The files or rows that a unit is read from, by content, and what the reader of a result should
//! know of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mteb_cache::{FileHashes, Stamp};
use mteb_card::TaskCard;
use mteb_files::hex;
use mteb_plugin_api::name_and_edition;
use mteb_results::identity::DataFacts;
use sha2::{Digest, Sha256};

use super::layout::{PartPlace, Readers, task_of_pack};
use super::lock::cannot_read;
use crate::SourceError;

/// What a unit was read from.
#[derive(Clone, Debug)]
pub struct UnitSource {
    /// The data, by content.
    pub data: DataFacts,
    /// Its files as they were when they were hashed.
    pub watched: Vec<(PathBuf, Stamp)>,
}

/// What stands among the files for what a README says of them; it is the name of no file that is read.
const ROLES: &str = "`configs` of README.md";

/// The files of a unit.
#[derive(Default)]
pub struct Located {
    /// The dataset's folder, or its only file.
    pub root: PathBuf,
    /// Where each part is.
    pub places: Vec<PartPlace>,
    /// True if the names of files say what they are, and no README.
    pub is_by_name: bool,
}

impl UnitSource {
    /// The files of a unit, by content.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn of_files(
        hashes: &mut FileHashes,
        card: &TaskCard,
        located: &Located,
    ) -> Result<Self, SourceError> {
        let paths: Vec<&PathBuf> = located.places.iter().flat_map(PartPlace::files).collect();
        let all: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        hashes.add(&all).map_err(|(path, error)| cannot_read(&path, error))?;
        let (mut files, mut watched) = (BTreeMap::new(), Vec::new());
        for path in paths {
            let (stamp, hash) = hashes.of(path).map_err(|error| cannot_read(path, error))?;
            files.insert(name_of(&located.root, path), hash);
            watched.push((path.clone(), stamp));
        }
        if card.dataset.fetched().is_none() && !located.is_by_name {
            files.insert(ROLES.to_owned(), roles(located));
        }
        let data = match card.dataset.fetched() {
            Some(dataset) => DataFacts::Fetched {
                dataset: dataset.to_owned(),
                revision: card.revision().to_owned(),
                files,
            },
            None => DataFacts::Local(files),
        };
        Ok(Self { data, watched })
    }

    /// The rows that a task pack gave, of the SHA-256 `rows`.
    pub fn of_pack(readers: &Readers, card: &TaskCard, rows: String) -> Self {
        let pack = card.dataset.plugin.clone().unwrap_or_default();
        let code = pack_code(readers, card);
        Self { data: DataFacts::Pack { pack, code, rows }, watched: Vec::new() }
    }
}

/// What the pack of a card is made of, and the edition whose rows it gives, of which one pack may have several.
pub fn pack_code(readers: &Readers, card: &TaskCard) -> String {
    let client = card.dataset.plugin.as_ref().and_then(|pack| readers.packs.get(pack));
    client.map_or_else(String::new, |client| {
        let task = task_of_pack(client, card);
        match name_and_edition(&task) {
            (_, Some(edition)) => format!("{}@{edition}", client.plugin().code()),
            _ => client.plugin().code(),
        }
    })
}

/// Hash over which file a README makes which part and split of a unit, in which order.
fn roles(located: &Located) -> String {
    let name = |file: &PathBuf| name_of(&located.root, file);
    let splits = |place: &PartPlace| -> Vec<Vec<String>> {
        place.splits.iter().map(|files| files.iter().map(name).collect()).collect()
    };
    let roles: Vec<_> = located.places.iter().map(|place| (place.part.as_str(), splits(place))).collect();
    hex(&Sha256::digest(serde_json::json!(roles).to_string()))
}

fn name_of(root: &Path, path: &Path) -> String {
    match path.strip_prefix(root) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_string_lossy().into_owned(),
        _ => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// A line on data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What is said.
    pub text: String,
    /// What it is about.
    pub about: About,
}

/// What a line on data is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// One unit.
    Unit,
    /// The folder of the data, which all units of a task share: it is said once.
    Folder,
    /// Rows to learn from that are those to predict: whoever compares their texts finds the same.
    Training,
}

impl Note {
    /// A line on one unit.
    pub fn of_unit(text: String) -> Self {
        Self { text, about: About::Unit }
    }

    /// A line on the folder of the data.
    pub fn of_folder(text: String) -> Self {
        Self { text, about: About::Folder }
    }

    /// A line on training rows.
    pub fn of_training(text: String) -> Self {
        Self { text, about: About::Training }
    }
}

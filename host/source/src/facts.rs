//! What the rows of a unit are read from, by content.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use mteb_cache::Stamp;
use mteb_card::TaskCard;
use mteb_files::hex;
use mteb_plugin_api::name_and_edition;
use mteb_registry::{TaskEntry, option_changes, options_of_unit};
use mteb_results::identity::{DataFacts, OTHER_EARLIER, change_of_mean_made_from, earlier_of};
use mteb_tasks::Unit;
use sha2::{Digest, Sha256};
use tracing::debug_span;

use super::continued::Continued;
use super::layout::{PartPlace, UnitOf, layout_of, task_of_pack};
use super::lock::{Locks, cannot_read};
use super::sources::{DataSources, Located};
use super::{PartFiles, SourceError};

/// What stands among the files for what a README says of them; it is the name of no file that is read.
const ROLES: &str = "`configs` of README.md";

/// What a unit was read from.
#[derive(Clone, Debug)]
pub struct UnitSource {
    /// The data, by content.
    pub data: DataFacts,
    /// Its files as they were when they were hashed.
    pub watched: Vec<(PathBuf, Stamp)>,
}

/// Why results are not of the data and options of now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// What changed; a run scores anew.
    Changed(String),
    /// Which file is not the one of its registry's lock; a run refuses it.
    Locked(String),
    /// The same, where the results are of this very file: a run refuses it, but they are of the data of now.
    OtherLock(String),
    /// Why the data cannot be read; a run fails.
    Unreadable(String),
}

impl Since {
    /// The same, with another text.
    #[must_use]
    pub fn within(self, text: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Changed(what) => Self::Changed(text(&what)),
            Self::Locked(what) => Self::Locked(text(&what)),
            Self::OtherLock(what) => Self::OtherLock(text(&what)),
            Self::Unreadable(what) => Self::Unreadable(text(&what)),
        }
    }

    /// What changed.
    pub fn what(&self) -> &str {
        match self {
            Self::Changed(what) | Self::Locked(what) | Self::OtherLock(what) | Self::Unreadable(what) => what,
        }
    }

    /// True if the results are of other data or options than those of now, or nobody can tell.
    pub fn is_of_other_data(&self) -> bool {
        !matches!(self, Self::OtherLock(_))
    }
}

/// A unit, the files of its corpus if it is streamed, and what both are read from.
pub type Read = (Unit, Option<PartFiles>, UnitSource);

impl DataSources {
    /// As [`Self::stream`], with what the unit is read from.
    ///
    /// # Errors
    /// As [`Self::stream`].
    pub fn read(&mut self, entry: &TaskEntry, split: &str, subset: &str) -> Result<Read, SourceError> {
        let _span = debug_span!("read data", task = entry.card.name, split, subset).entered();
        let located = self.locate(entry, split, subset)?;
        let facts = self.facts_of(entry, &located)?;
        let unit = UnitOf { card: &entry.card, split, subset };
        let mut parts = self.stream_from(&located, entry, unit)?;
        let facts = match parts.pack_rows.take() {
            Some(rows) => self.pack_facts(entry, rows),
            None => facts,
        };
        let (unit, corpus) = parts.into_unit(unit);
        Ok((unit, corpus, facts))
    }

    /// What a unit would be read from now, given what it was read from before. Nothing is fetched: of a pinned dataset, a
    /// file that is not here is the one that was here, unless another one is read in its place. A pack that did not change gives the rows that it gave.
    ///
    /// # Errors
    /// If the data is nowhere, cannot be read, or is not that of its registry's lock.
    pub fn facts(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
        before: Option<&DataFacts>,
    ) -> Result<DataFacts, SourceError> {
        let card = &entry.card;
        if let Some(pack) = &card.dataset.plugin {
            let code = self.pack_code(&entry.card);
            return match before {
                Some(facts @ DataFacts::Pack { pack: of, code: built, .. })
                    if of == pack && *built == code =>
                {
                    Ok(facts.clone())
                }
                _ => {
                    let unit = UnitOf { card, split, subset };
                    let parts = layout_of(card).read(&mut self.readers, &[], unit)?;
                    Ok(self.pack_facts(entry, parts.pack_rows.unwrap_or_default()).data)
                }
            };
        }
        if let Some(dataset) = card.dataset.fetched()
            && let Some(root) = self.datasets.pinned_folder(entry)
        {
            if self.datasets.may_change(entry)
                && let Ok(facts) = self.as_it_is_now(entry, split, subset)
            {
                return Ok(facts);
            }
            let known = match before {
                Some(DataFacts::Fetched { files, .. }) => files.clone(),
                _ => BTreeMap::new(),
            };
            let files = self.as_far_as_here(&root, known)?;
            return Ok(DataFacts::Fetched {
                dataset: dataset.to_owned(),
                revision: card.revision().to_owned(),
                files,
            });
        }
        self.as_it_is_now(entry, split, subset)
    }

    /// The files of a unit, by content.
    fn as_it_is_now(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<DataFacts, SourceError> {
        // Nothing is read: what there is to say of the unit is said when it is.
        let notes = std::mem::take(&mut self.notes);
        let located = self.locate(entry, split, subset);
        self.notes = notes;
        Ok(self.facts_of(entry, &located?)?.data)
    }

    /// What of a unit of the user's own data is not any more as `made_from` says, its data and options as a result gives them as
    /// text; `None` if nothing changed, for data of others, and for a folder that is not here at all. Of a mean of other tasks it is
    /// whose mean it is.
    pub fn change_since(&mut self, entry: &TaskEntry, unit: (&str, &str), made_from: &str) -> Option<Since> {
        if !entry.card.members.is_empty() {
            return change_of_mean_made_from(&entry.card, unit, made_from).map(Since::Changed);
        }
        let (split, subset) = unit;
        let (before, options) = DataFacts::and_options(made_from)?;
        if !matches!(before, DataFacts::Local(_)) {
            return None;
        }
        let change = |now: &DataFacts| {
            before.change(now).or_else(|| {
                let options = option_changes(&options, &options_of_unit(&entry.card, subset), unit)?;
                Some(format!("options changed: {options}"))
            })
        };
        match self.facts(entry, split, subset, Some(&before)) {
            Ok(now) => match change(&now) {
                Some(change) => Some(Since::Changed(change)),
                None => self.change_of_earlier(entry, unit, &earlier_of(made_from)?),
            },
            Err(SourceError::NoPath(_) | SourceError::Card(_)) => None,
            Err(SourceError::Changed { path, lock, .. }) => {
                let locks = std::mem::replace(&mut self.locks, Locks::none());
                let now = self.as_it_is_now(entry, split, subset);
                self.locks = locks;
                Some(match now {
                    Ok(now) if change(&now).is_none() => {
                        Since::OtherLock(format!("{} is not that of {lock}", path.display()))
                    }
                    _ => Since::Locked(format!("data changed: {} is not that of {lock}", path.display())),
                })
            }
            Err(error) => Some(Since::Unreadable(error.to_string())),
        }
    }

    /// Why a score is not one of the draws of now that continues those of earlier units, of which it knows the hash `earlier`.
    fn change_of_earlier(&mut self, entry: &TaskEntry, unit: (&str, &str), earlier: &str) -> Option<Since> {
        let place = entry.card.units().position(|other| other == unit)?;
        let walked = self.continued.take().filter(|walked| walked.is_within(&entry.card, place));
        let mut walked = walked.unwrap_or_else(|| Continued::new(&entry.card));
        for (split, subset) in entry.card.units().take(place).skip(walked.units()) {
            match self.facts(entry, split, subset, None) {
                Ok(data) => walked.push((split, subset), &data),
                Err(error) => {
                    return Some(Since::Unreadable(format!(
                        "draws continue those of split {split}, subset {subset}: {error}"
                    )));
                }
            }
        }
        let is_same = walked.is(earlier);
        self.continued = Some(walked);
        (!is_same).then(|| Since::Changed(OTHER_EARLIER.to_owned()))
    }

    fn pack_facts(&self, entry: &TaskEntry, rows: String) -> UnitSource {
        let pack = entry.card.dataset.plugin.clone().unwrap_or_default();
        let code = self.pack_code(&entry.card);
        UnitSource { data: DataFacts::Pack { pack, code, rows }, watched: Vec::new() }
    }

    /// What the pack of a card is made of, and the edition whose rows it gives, of which one pack may have several.
    fn pack_code(&self, card: &TaskCard) -> String {
        let client = card.dataset.plugin.as_ref().and_then(|pack| self.readers.packs.get(pack));
        client.map_or_else(String::new, |client| {
            let task = task_of_pack(client, card);
            match name_and_edition(&task) {
                (_, Some(edition)) => format!("{}@{edition}", client.plugin().code()),
                _ => client.plugin().code(),
            }
        })
    }

    fn facts_of(&mut self, entry: &TaskEntry, located: &Located) -> Result<UnitSource, SourceError> {
        let paths: Vec<&PathBuf> = located.places.iter().flat_map(PartPlace::files).collect();
        let all: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        self.hashes.add(&all).map_err(|(path, error)| cannot_read(&path, error))?;
        let (mut files, mut watched) = (BTreeMap::new(), Vec::new());
        for path in paths {
            let (stamp, hash) = self.hashes.of(path).map_err(|error| cannot_read(path, error))?;
            files.insert(name_of(&located.root, path), hash);
            watched.push((path.clone(), stamp));
        }
        let card = &entry.card;
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
        Ok(UnitSource { data, watched })
    }

    /// The hashes of files below `root`; of those that are not there, the `known` ones.
    fn as_far_as_here(
        &mut self,
        root: &Path,
        known: BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, String>, SourceError> {
        let mut files = BTreeMap::new();
        for (name, hash) in known {
            let is_inside = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
            let path = root.join(&name);
            let hash = if is_inside && path.exists() {
                self.hashes.of(&path).map_err(|error| cannot_read(&path, error))?.1
            } else {
                hash
            };
            files.insert(name, hash);
        }
        Ok(files)
    }
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

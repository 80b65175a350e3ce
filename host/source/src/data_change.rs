//! What of the data of a unit has changed since a result was made from it.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use mteb_registry::{TaskEntry, option_changes, options_of_unit};
use mteb_results::identity::{DataFacts, OTHER_EARLIER, change_of_mean_made_from, earlier_of};

use super::layout::{UnitOf, layout_of};
use super::lock::{Locks, cannot_read};
use super::sources::{Continued, DataSources};
use super::unit_source::{UnitSource, pack_code};
use crate::SourceError;

/// Why results are not of the data and options of now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataChange {
    /// What changed; a run scores anew.
    Changed(String),
    /// Which file is not the one of its registry's lock; a run refuses it.
    Locked(String),
    /// The same, where the results are of this very file: a run refuses it, but they are of the data of now.
    OtherLock(String),
    /// Why the data cannot be read; a run fails.
    Unreadable(String),
}

impl DataChange {
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

impl DataSources {
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
            let code = pack_code(&self.readers, card);
            return match before {
                Some(facts @ DataFacts::Pack { pack: of, code: built, .. })
                    if of == pack && *built == code =>
                {
                    Ok(facts.clone())
                }
                _ => {
                    let unit = UnitOf { card, split, subset };
                    let parts = layout_of(card).read(&mut self.readers, &[], unit)?;
                    Ok(UnitSource::of_pack(&self.readers, card, parts.pack_rows.unwrap_or_default()).data)
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
        Ok(UnitSource::of_files(&mut self.hashes, &entry.card, &located?)?.data)
    }

    /// What of a unit of the user's own data is not any more as `made_from` says, its data and options as a result gives them as
    /// text; `None` if nothing changed, for data of others, and for a folder that is not here at all. Of a mean of other tasks it is
    /// whose mean it is.
    pub fn change_since(
        &mut self,
        entry: &TaskEntry,
        unit: (&str, &str),
        made_from: &str,
    ) -> Option<DataChange> {
        if !entry.card.members.is_empty() {
            return change_of_mean_made_from(&entry.card, unit, made_from).map(DataChange::Changed);
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
                Some(change) => Some(DataChange::Changed(change)),
                None => self.change_of_earlier(entry, unit, &earlier_of(made_from)?),
            },
            Err(SourceError::NoPath(_) | SourceError::Card(_)) => None,
            Err(SourceError::Changed { path, lock, .. }) => {
                let locks = std::mem::replace(&mut self.locks, Locks::none());
                let now = self.as_it_is_now(entry, split, subset);
                self.locks = locks;
                Some(match now {
                    Ok(now) if change(&now).is_none() => {
                        DataChange::OtherLock(format!("{} is not that of {lock}", path.display()))
                    }
                    _ => {
                        DataChange::Locked(format!("data changed: {} is not that of {lock}", path.display()))
                    }
                })
            }
            Err(error) => Some(DataChange::Unreadable(error.to_string())),
        }
    }

    /// Why a score is not one of the draws of now that continues those of earlier units, of which it knows the hash `earlier`.
    fn change_of_earlier(
        &mut self,
        entry: &TaskEntry,
        unit: (&str, &str),
        earlier: &str,
    ) -> Option<DataChange> {
        let place = entry.card.units().position(|other| other == unit)?;
        let continued = self.continued.take().filter(|continued| continued.is_within(&entry.card, place));
        let mut continued = continued.unwrap_or_else(|| Continued::new(&entry.card));
        for (split, subset) in entry.card.units().take(place).skip(continued.units()) {
            match self.facts(entry, split, subset, None) {
                Ok(data) => continued.push((split, subset), &data),
                Err(error) => {
                    return Some(DataChange::Unreadable(format!(
                        "draws continue those of split {split}, subset {subset}: {error}"
                    )));
                }
            }
        }
        let is_same = continued.is(earlier);
        self.continued = Some(continued);
        (!is_same).then(|| DataChange::Changed(OTHER_EARLIER.to_owned()))
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

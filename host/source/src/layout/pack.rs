//! The layout of task packs: there are no files, and the pack provides the rows of one part after
//! the other.

use std::collections::BTreeMap;
use std::path::Path;

use mteb_card::TaskCard;
use mteb_data::{DataError, Folder, Table, read_json_lines};
use mteb_files::hex;
use mteb_plugin_api::v1::code;
use mteb_tasks::{Part, needs_training_split};
use mteb_workers::plugins::{PackClient, WorkerError};
use sha2::{Digest, Sha256};

use super::part_place::{PartPlace, UnitOf};
use super::parts::{Layout, Parts, Readers};
use crate::SourceError;
use crate::transform::{shape, transform_together};

/// Rows that a task pack gives.
pub struct PackRows;

impl Layout for PackRows {
    fn locate(&self, _: &Folder, _: UnitOf) -> Result<Vec<PartPlace>, DataError> {
        Ok(Vec::new())
    }

    fn fits_one_file(&self, _: UnitOf, _: &Path) -> bool {
        false
    }

    /// All parts that the pack has, and the SHA-256 of their rows.
    fn read(&self, from: &mut Readers, _: &[PartPlace], unit: UnitOf) -> Result<Parts, SourceError> {
        let name = unit.card.dataset.plugin.clone().unwrap_or_default();
        let pack = from.packs.get_mut(&name).ok_or(SourceError::NoPack(name))?;
        let task = task_of_pack(pack, unit.card);
        let mut answers = Answers { pack, task, subset: unit.subset, hasher: Sha256::new() };
        let tables =
            if unit.card.task_type.is_ranking() { answers.ranking(unit)? } else { answers.rows(unit)? };
        Ok(Parts { pack_rows: Some(hex(&answers.hasher.finalize())), ..Parts::of_files(tables) })
    }

    fn part_of_splits(&self) -> Part {
        Part::Rows
    }

    fn parts_by_name(&self) -> Vec<Part> {
        Vec::new()
    }

    fn subset_in<'a>(&self, _: &Folder, _: &TaskCard, _: &'a str) -> Option<&'a str> {
        None
    }
}

/// The pack's name for the task at the revision that the card pins: `Name@1` if an edition of the
/// pack has this revision as its name, else `Name`.
pub fn task_of_pack(pack: &PackClient, card: &TaskCard) -> String {
    let pinned = card.dataset.revision.as_ref().map(|revision| format!("{}@{revision}", card.name));
    pinned.filter(|task| pack.plugin().cards.contains_key(task)).unwrap_or_else(|| card.name.clone())
}

/// The rows of a unit as the pack gives them.
struct Answers<'a> {
    pack: &'a mut PackClient,
    /// As the pack calls it.
    task: String,
    subset: &'a str,
    hasher: Sha256,
}

impl Answers<'_> {
    /// The evaluation rows, and the training rows if the task type learns.
    fn rows(&mut self, unit: UnitOf) -> Result<BTreeMap<Part, Table>, SourceError> {
        let UnitOf { card, split, subset } = unit;
        let mut parts = BTreeMap::from([(Part::Rows, shape(self.read(Part::Rows, split)?, card)?)]);
        if needs_training_split(card, subset) {
            let train = card.dataset.training_split();
            parts.insert(Part::Train, shape(self.read(Part::Rows, train)?, card)?);
        }
        transform_together(&mut parts, card, (split, subset))?;
        Ok(parts)
    }

    /// The parts of a ranking task that the pack has.
    fn ranking(&mut self, unit: UnitOf) -> Result<BTreeMap<Part, Table>, SourceError> {
        let mut parts = BTreeMap::new();
        for part in Part::of_rankings() {
            match self.read(part, unit.split) {
                Ok(table) => {
                    parts.insert(part, table);
                }
                Err(error) if !part.is_needed() && is_absent(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(parts)
    }

    fn read(&mut self, part: Part, split: &str) -> Result<Table, SourceError> {
        let rows = self.pack.rows(&self.task, self.subset, part.as_str(), split)?;
        for bytes in [part.as_str().as_bytes(), split.as_bytes(), &rows] {
            self.hasher.update((bytes.len() as u64).to_le_bytes());
            self.hasher.update(bytes);
        }
        // The message is completed with the unit elsewhere; the rows may belong to another split.
        let place = format!("part {}, split {split}", part.as_str());
        Ok(read_json_lines(&place, &rows)?)
    }
}

fn is_absent(error: &SourceError) -> bool {
    let SourceError::Worker(WorkerError::Plugin { error, .. }) = error else { return false };
    error.code == code::NOT_FOUND
}

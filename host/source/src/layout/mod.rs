//! How the parts of a unit are laid out in its dataset, with one file per layout. This file selects
//! the layout of a card.
//!
//! Whoever wants the tables of a unit asks twice: where they are ([`places_in_folder`],
//! [`place_in_file`]), so that the files can be fetched and checked, then what is in them
//! ([`Layout::read`], [`Layout::stream`]; both are in `parts.rs`). Only rankings override `stream`:
//! elsewhere it is `read`. Only this folder knows which tasks are rankings.

mod belebele;
mod pack;
mod part_files;
mod part_place;
mod parts;
mod query_rows;
mod ranking;
mod rows;

use std::path::Path;
use std::sync::Arc;

use mteb_card::{Layout as LayoutWord, TaskCard};
use mteb_data::{DataError, Folder};
use mteb_registry::{Fault, TaskEntry, fault_in, text_form};
use mteb_tasks::Part;

use self::belebele::Belebele;
use self::pack::PackRows;
use self::ranking::Ranking;
use self::rows::Rows;

pub use pack::task_of_pack;
pub use part_files::PartFiles;
pub use part_place::{PartPlace, UnitOf};
pub use parts::{Layout, Parts, Readers, Tables};
pub use rows::of_split;

/// The layout of a task's data.
pub fn layout_of(card: &TaskCard) -> &'static dyn Layout {
    if card.dataset.plugin.is_some() {
        &PackRows
    } else if card.dataset.layout == LayoutWord::Belebele {
        &Belebele
    } else if card.task_type.is_ranking() {
        &Ranking
    } else {
        &Rows
    }
}

/// Where the parts of a unit are in the folder of its dataset, and how their text files are
/// written.
///
/// # Errors
/// As [`Layout::locate`].
pub fn places_in_folder(folder: &Folder, unit: UnitOf) -> Result<Vec<PartPlace>, DataError> {
    let form = text_form(&unit.card.dataset).map(Arc::new);
    let places = layout_of(unit.card).locate(folder, unit)?;
    Ok(places.into_iter().map(|place| PartPlace { form: form.clone(), ..place }).collect())
}

/// Where a unit of the task `entry` is in the one file that is its dataset.
///
/// # Errors
/// The fault at the card's `path`, if the unit needs several files.
pub fn place_in_file(entry: &TaskEntry, file: &Path, unit: UnitOf) -> Result<PartPlace, Fault> {
    if !layout_of(unit.card).fits_one_file(unit, file) {
        let message = format!(
            "a task of type {} needs several files; expected a folder, found the file {}",
            unit.card.task_type,
            file.display()
        );
        return Err(fault_in(&entry.origin, &["dataset", "path"], message));
    }
    let form = text_form(&unit.card.dataset).map(Arc::new);
    Ok(PartPlace { form, ..PartPlace::of_file(Part::Rows, file.to_owned()) })
}

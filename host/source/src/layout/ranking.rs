//! The layout of ranking tasks: corpus, queries, qrels and what belongs to them in files of their
//! own (protocol 2.2, 2.5), or a row for each query.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use mteb_card::{Layout as LayoutWord, PartSource, TaskCard};
use mteb_data::{DataError, Folder, OpenRows, Table, is_split_word, may_hold_lists};
use mteb_tasks::Part;

use super::part_files::{PartFiles, read_part};
use super::part_place::{PartPlace, UnitOf, filled_source, first_names, merged_splits, named_file};
use super::parts::{Layout, Parts, Readers};
use super::query_rows::make_parts;
use super::rows::locate_rows;
use crate::SourceError;

/// Corpus, queries and qrels.
pub struct Ranking;

impl Layout for Ranking {
    fn locate(&self, folder: &Folder, unit: UnitOf) -> Result<Vec<PartPlace>, DataError> {
        match locate_query_rows(folder, unit)? {
            Some(places) => Ok(places),
            None => locate_parts(folder, unit),
        }
    }

    fn fits_one_file(&self, unit: UnitOf, file: &Path) -> bool {
        unit.card.dataset.parts.is_empty() && may_hold_lists(&file.to_string_lossy())
    }

    fn read(&self, from: &mut Readers, places: &[PartPlace], unit: UnitOf) -> Result<Parts, SourceError> {
        let card = unit.card;
        let Some(rows) = places.iter().find(|place| place.part == Part::Rows) else {
            return Ok(Parts::of_files(read_parts(places, card, &from.opener)?));
        };
        let corpus = places.iter().filter(|place| place.part == Part::Corpus);
        let corpus = read_parts(corpus, card, &from.opener)?.remove(&Part::Corpus);
        let rows = from.read_shared(rows, card.dataset.first_rows)?;
        Ok(Parts::of_files(make_parts(&rows, corpus, card.task_type)?))
    }

    fn stream(&self, from: &mut Readers, places: &[PartPlace], unit: UnitOf) -> Result<Parts, SourceError> {
        let card = unit.card;
        let corpus = card.dataset.parts.get(Part::Corpus.as_str());
        let is_made = places.iter().any(|place| place.part == Part::Rows)
            || card.dataset.first_rows.is_some()
            || corpus.is_some_and(PartSource::needs_all_rows);
        if is_made {
            return self.read(from, places, unit);
        }
        let opener = &from.opener;
        let (corpus, others): (Vec<&PartPlace>, Vec<&PartPlace>) =
            places.iter().partition(|place| place.part == Part::Corpus);
        let parts = Parts::of_files(read_parts(others, card, opener)?);
        let corpus = corpus.first().map(|place| PartFiles::new(place, card, Arc::clone(opener)));
        Ok(Parts { corpus, ..parts })
    }

    fn part_of_splits(&self) -> Part {
        Part::Qrels
    }

    fn parts_by_name(&self) -> Vec<Part> {
        Part::of_rankings().collect()
    }

    fn subset_in<'a>(&self, _: &Folder, card: &TaskCard, config: &'a str) -> Option<&'a str> {
        match card.dataset.layout {
            LayoutWord::PartSuffix => config.strip_prefix("corpus-"),
            _ => config.strip_suffix("-corpus"),
        }
    }
}

fn read_parts<'a>(
    places: impl IntoIterator<Item = &'a PartPlace>,
    card: &TaskCard,
    opener: &Arc<dyn OpenRows>,
) -> Result<BTreeMap<Part, Table>, DataError> {
    places.into_iter().map(|place| Ok((place.part, read_part(place, card, opener)?))).collect()
}

/// The file with a row for each query, and a corpus beside it, where data of the user's own has
/// neither queries nor judgements in files of their own.
fn locate_query_rows(folder: &Folder, unit: UnitOf) -> Result<Option<Vec<PartPlace>>, DataError> {
    let card = unit.card;
    let is_plain = card.dataset.path.is_some() && card.dataset.parts.is_empty() && folder.is_by_name();
    let config = |part: Part| {
        let names = part_configs(unit, part, None).into_iter();
        names.filter(|name| name != "default").find(|name| folder.has_config(name))
    };
    if !is_plain || config(Part::Queries).is_some() || config(Part::Qrels).is_some() {
        return Ok(None);
    }
    let Ok(place) = locate_rows(folder, Part::Rows, unit) else { return Ok(None) };
    if !place.files().all(|file| may_hold_lists(&file.to_string_lossy())) {
        return Ok(None);
    }
    let mut places = vec![place];
    if let Some(config) = config(Part::Corpus) {
        places.push(locate_part(folder, unit, Part::Corpus, &config, None)?);
    }
    Ok(Some(places))
}

fn locate_parts(folder: &Folder, unit: UnitOf) -> Result<Vec<PartPlace>, DataError> {
    let mut places = Vec::new();
    for part in Part::of_rankings() {
        let source = filled_source(unit, part);
        let source = source.as_ref();
        if let Some(place) = named_file(folder, part, source)? {
            places.push(place);
            continue;
        }
        let configs = part_configs(unit, part, source);
        let Some(config) = configs.iter().find(|config| folder.has_config(config)) else {
            // If the card describes a part, that part must exist.
            if part.is_needed() || source.is_some() {
                return Err(missing_config(folder, part, &configs));
            }
            continue;
        };
        places.push(locate_part(folder, unit, part, config, source)?);
    }
    Ok(places)
}

/// Names that the config of a part may have, best first.
fn part_configs(unit: UnitOf, part: Part, source: Option<&PartSource>) -> Vec<String> {
    if let Some(config) = source.and_then(|source| source.config.clone()) {
        return vec![config];
    }
    let names = part.configs();
    let configs: Vec<String> = match unit.card.subset(unit.subset) {
        None => names.iter().map(|name| (*name).to_owned()).collect(),
        Some(found) => {
            let subset = found.config.as_deref().unwrap_or(unit.subset);
            let is_suffix = unit.card.dataset.layout == LayoutWord::PartSuffix;
            let name =
                |part: &&str| if is_suffix { format!("{part}-{subset}") } else { format!("{subset}-{part}") };
            names.iter().map(name).collect()
        }
    };
    let shared = part.shared_config().map(str::to_owned);
    shared.into_iter().chain(configs).collect()
}

/// The evaluation split of a part if the config has it, else its only split.
///
/// If a split has no qrels, the reference silently uses those of another split. For data that the
/// reference scores, too, so does this function, with a note; in the user's own data it is an
/// error.
fn locate_part(
    folder: &Folder,
    unit: UnitOf,
    part: Part,
    config: &str,
    source: Option<&PartSource>,
) -> Result<PartPlace, DataError> {
    let at = |splits, note| PartPlace::of_config(folder, part, config, splits, note);
    if let Some(split) = source.and_then(|source| source.split.clone()) {
        return at(vec![split], None);
    }
    let UnitOf { card, split, .. } = unit;
    let wanted = merged_splits(card, split);
    let splits = folder.splits(config)?;
    match splits.as_slice() {
        found if wanted.iter().all(|split| found.contains(&split.as_str())) => at(wanted, None),
        [only] => {
            let is_other = part.is_of_a_split() && is_split_word(only);
            if is_other && card.dataset.is_own() {
                return Err(other_split(folder, part, config, split, only));
            }
            let note =
                || format!("there is no split {split} of the {}: those of {only} are used", part.as_str());
            at(vec![(*only).to_owned()], is_other.then(note))
        }
        _ => Err(DataError::Missing {
            place: format!("{}, config {config}", folder.path().display()),
            what: "split",
            name: split.to_owned(),
            present: first_names(splits.iter().copied()),
        }),
    }
}

fn other_split(folder: &Folder, part: Part, config: &str, split: &str, only: &str) -> DataError {
    DataError::Malformed {
        place: format!("{}, config {config}", folder.path().display()),
        message: format!(
            "expected the split `{split}`, found only `{only}`; write `eval_splits = [\"{only}\"]` \
             in the card, or `split = \"{only}\"` under its `[dataset.parts.{}]`",
            part.as_str()
        ),
    }
}

fn missing_config(folder: &Folder, part: Part, configs: &[String]) -> DataError {
    DataError::Missing {
        place: format!("{}, part {}", folder.path().display(), part.as_str()),
        what: "config",
        name: configs.join("` or `"),
        present: first_names(folder.configs()),
    }
}

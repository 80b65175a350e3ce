//! Which files hold which part of a unit (protocol 2).

use std::path::PathBuf;
use std::sync::Arc;

use mteb_card::{Layout, PartSource, TaskCard};
use mteb_data::{DataError, Folder, OpenRows, ReadRows, SplitRows, Table, TextForm, Wanted, may_hold_lists};
use mteb_registry::{needs_training_split, text_form};
use mteb_tasks::Part;

/// The files of one part of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartPlace {
    /// The part.
    pub part: Part,
    /// The files of each of its splits, in order.
    pub splits: Vec<Vec<PathBuf>>,
    /// The config and the name of each of these splits; empty for a file that the card names.
    pub from: Vec<(String, String)>,
    /// What the reader of the result should know of the choice.
    pub note: Option<String>,
    /// How text files are written, where not as usual.
    pub form: Option<Arc<TextForm>>,
}

impl PartPlace {
    /// One file.
    pub fn of_file(part: Part, file: PathBuf) -> Self {
        Self { part, splits: vec![vec![file]], from: Vec::new(), note: None, form: None }
    }

    /// Splits of a config.
    fn of(
        folder: &Folder,
        part: Part,
        config: &str,
        splits: Vec<String>,
        note: Option<String>,
    ) -> Result<Self, DataError> {
        let files = splits.iter().map(|split| folder.files(config, split)).collect::<Result<_, _>>()?;
        let from = splits.into_iter().map(|split| (config.to_owned(), split)).collect();
        Ok(Self { part, splits: files, from, note, form: None })
    }

    /// All files in order.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.splits.iter().flatten()
    }

    /// The rows, read piece by piece from files that are opened in this `way`.
    pub fn rows(&self, wanted: Wanted, way: Arc<dyn OpenRows>) -> SplitRows {
        SplitRows::new(self.files().cloned().collect(), wanted.written(self.form.clone())).opened(way)
    }

    /// All rows, or the first ones of each split.
    ///
    /// # Errors
    /// If a file is damaged, or files differ in their columns.
    pub fn read(&self, first_rows: Option<usize>, way: &Arc<dyn OpenRows>) -> Result<Table, DataError> {
        let mut all = Table::default();
        for files in &self.splits {
            let wanted = Wanted::All.written(self.form.clone());
            let mut rows = SplitRows::new(files.clone(), wanted).opened(Arc::clone(way));
            all.append(rows.read_rows(first_rows.unwrap_or(usize::MAX))?)?;
        }
        Ok(all)
    }
}

/// Where the parts of a unit are; of Belebele the passages and the questions, from which the judgements are made.
///
/// # Errors
/// If a config, split or file that the unit needs is absent.
pub fn places(
    folder: &Folder,
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<Vec<PartPlace>, DataError> {
    let form = text_form(&card.dataset).map(Arc::new);
    let places = places_of_parts(folder, card, split, subset)?;
    Ok(places.into_iter().map(|place| PartPlace { form: form.clone(), ..place }).collect())
}

fn places_of_parts(
    folder: &Folder,
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<Vec<PartPlace>, DataError> {
    if card.dataset.layout == Layout::Belebele {
        return belebele(folder, card, split, subset);
    }
    if card.task_type.is_ranking() {
        return match query_rows(folder, card, split, subset)? {
            Some(places) => Ok(places),
            None => ranking(folder, card, split, subset),
        };
    }
    let mut places = vec![rows(folder, card, Part::Rows, split, subset)?];
    if needs_training_split(card, subset) {
        let train = card.dataset.training_split();
        places.push(rows(folder, card, Part::Train, train, subset)?);
    }
    Ok(places)
}

fn rows(
    folder: &Folder,
    card: &TaskCard,
    part: Part,
    split: &str,
    subset: &str,
) -> Result<PartPlace, DataError> {
    let source = source_of(card, part, split, subset);
    let source = source.as_ref();
    if let Some(place) = named_file(folder, part, source)? {
        return Ok(place);
    }
    let config = match (source.and_then(|source| source.config.clone()), card.subset(subset)) {
        (Some(config), _) => config,
        (None, Some(found)) if card.dataset.layout.is_config_per_subset() => {
            found.config.clone().unwrap_or_else(|| subset.to_owned())
        }
        (None, _) => shared_config(folder, card)?,
    };
    let split = source.and_then(|source| source.split.as_deref()).unwrap_or(split);
    PartPlace::of(folder, part, &config, merged(card, split), None)
}

/// The one config of a task without subsets, or with subsets that share it.
fn shared_config(folder: &Folder, card: &TaskCard) -> Result<String, DataError> {
    let named = card.dataset.config.as_deref().or(folder.default_config());
    named.map(str::to_owned).ok_or_else(|| DataError::Missing {
        place: folder.path().display().to_string(),
        what: "config",
        name: "default".to_owned(),
        present: some(folder.configs()),
    })
}

fn merged(card: &TaskCard, split: &str) -> Vec<String> {
    card.dataset.merge_splits.get(split).cloned().unwrap_or_else(|| vec![split.to_owned()])
}

/// The file with a row for each query, and a corpus beside it, where data of the user's own has neither queries nor judgements in files
/// of their own.
fn query_rows(
    folder: &Folder,
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<Option<Vec<PartPlace>>, DataError> {
    let is_plain = card.dataset.path.is_some() && card.dataset.parts.is_empty() && folder.is_by_name();
    let config = |part: Part| {
        let names = part_configs(card, part, subset, None).into_iter();
        names.filter(|name| name != "default").find(|name| folder.has_config(name))
    };
    if !is_plain || config(Part::Queries).is_some() || config(Part::Qrels).is_some() {
        return Ok(None);
    }
    let Ok(place) = rows(folder, card, Part::Rows, split, subset) else { return Ok(None) };
    if !place.files().all(|file| may_hold_lists(&file.to_string_lossy())) {
        return Ok(None);
    }
    let mut places = vec![place];
    if let Some(config) = config(Part::Corpus) {
        let Chosen { splits, note } = part_splits(folder, card, Part::Corpus, &config, split, None)?;
        places.push(PartPlace::of(folder, Part::Corpus, &config, splits, note)?);
    }
    Ok(Some(places))
}

fn ranking(folder: &Folder, card: &TaskCard, split: &str, subset: &str) -> Result<Vec<PartPlace>, DataError> {
    let mut places = Vec::new();
    for part in Part::of_rankings() {
        let source = source_of(card, part, split, subset);
        let source = source.as_ref();
        if let Some(place) = named_file(folder, part, source)? {
            places.push(place);
            continue;
        }
        let configs = part_configs(card, part, subset, source);
        let Some(config) = configs.iter().find(|config| folder.has_config(config)) else {
            // What the card says of a part is meant for one that is there.
            if part.is_needed() || source.is_some() {
                return Err(missing(folder, part, &configs));
            }
            continue;
        };
        let Chosen { splits, note } = part_splits(folder, card, part, config, split, source)?;
        places.push(PartPlace::of(folder, part, config, splits, note)?);
    }
    Ok(places)
}

/// What the card says of a part, with the names that stand for the subset and the split.
fn source_of(card: &TaskCard, part: Part, split: &str, subset: &str) -> Option<PartSource> {
    let source = card.dataset.parts.get(part.as_str())?;
    let config = card.subset(subset).and_then(|found| found.config.as_deref()).unwrap_or(subset);
    let filled = |name: &Option<String>| {
        name.as_ref().map(|name| name.replace("{subset}", config).replace("{split}", split))
    };
    let (config, file) = (filled(&source.config), filled(&source.file));
    Some(PartSource { config, split: filled(&source.split), file, ..source.clone() })
}

/// The file that a card names for a part.
fn named_file(
    folder: &Folder,
    part: Part,
    source: Option<&PartSource>,
) -> Result<Option<PartPlace>, DataError> {
    let Some(name) = source.and_then(|source| source.file.as_deref()) else { return Ok(None) };
    if !folder.all_files().any(|file| file == name) {
        return Err(DataError::Missing {
            place: format!("{}, part {}", folder.path().display(), part.as_str()),
            what: "file",
            name: name.to_owned(),
            present: some(folder.all_files()),
        });
    }
    Ok(Some(PartPlace::of_file(part, folder.path().join(name))))
}

/// Names that the config of a part may have, best first.
fn part_configs(card: &TaskCard, part: Part, subset: &str, source: Option<&PartSource>) -> Vec<String> {
    if let Some(config) = source.and_then(|source| source.config.clone()) {
        return vec![config];
    }
    let names = part.configs();
    let configs: Vec<String> = match card.subset(subset) {
        None => names.iter().map(|name| (*name).to_owned()).collect(),
        Some(found) => {
            let subset = found.config.as_deref().unwrap_or(subset);
            let is_suffix = card.dataset.layout == Layout::PartSuffix;
            let name =
                |part: &&str| if is_suffix { format!("{part}-{subset}") } else { format!("{subset}-{part}") };
            names.iter().map(name).collect()
        }
    };
    let shared = part.shared_config().map(str::to_owned);
    shared.into_iter().chain(configs).collect()
}

/// Splits of a part.
struct Chosen {
    splits: Vec<String>,
    note: Option<String>,
}

/// The evaluation split if the config has it, else its only split.
///
/// The reference takes the judgements of another split without a word if there is no other; so do we, with a note, where
/// it has scores to compare with, and refuse them in data of the user's own.
fn part_splits(
    folder: &Folder,
    card: &TaskCard,
    part: Part,
    config: &str,
    split: &str,
    source: Option<&PartSource>,
) -> Result<Chosen, DataError> {
    let named = source.and_then(|source| source.split.clone());
    if let Some(split) = named {
        return Ok(Chosen { splits: vec![split], note: None });
    }
    let wanted = merged(card, split);
    let splits = folder.splits(config)?;
    let missing = || DataError::Missing {
        place: format!("{}, config {config}", folder.path().display()),
        what: "split",
        name: split.to_owned(),
        present: some(splits.iter().copied()),
    };
    match splits.as_slice() {
        found if wanted.iter().all(|split| found.contains(&split.as_str())) => {
            Ok(Chosen { splits: wanted, note: None })
        }
        [only] => {
            let is_other = part.is_of_a_split() && is_split_name(only);
            if is_other && card.dataset.is_own() {
                return Err(DataError::Malformed {
                    place: format!("{}, config {config}", folder.path().display()),
                    message: format!(
                        "expected the split `{split}`, found only `{only}`; write `eval_splits = [\"{only}\"]` \
                         in the card, or `split = \"{only}\"` under its `[dataset.parts.{}]`",
                        part.as_str()
                    ),
                });
            }
            let note =
                || format!("there is no split {split} of the {}: those of {only} are used", part.as_str());
            Ok(Chosen { splits: vec![(*only).to_owned()], note: is_other.then(note) })
        }
        _ => Err(missing()),
    }
}

fn is_split_name(name: &str) -> bool {
    const NAMES: [&str; 9] =
        ["train", "training", "validation", "valid", "val", "dev", "test", "eval", "evaluation"];
    NAMES.contains(&name)
}

/// A subset `X-Y` takes passages of X and questions of Y.
fn belebele(
    folder: &Folder,
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<Vec<PartPlace>, DataError> {
    let columns = card.subset(subset).and_then(|subset| subset.columns.as_ref());
    let (passages, questions) = match columns {
        Some([passages, questions]) => (passages.as_str(), questions.as_str()),
        None => subset.split_once('-').unwrap_or((subset, subset)),
    };
    let place = |part, config| PartPlace::of(folder, part, config, vec![split.to_owned()], None);
    Ok(vec![place(Part::Corpus, passages)?, place(Part::Queries, questions)?])
}

fn missing(folder: &Folder, part: Part, configs: &[String]) -> DataError {
    DataError::Missing {
        place: format!("{}, part {}", folder.path().display(), part.as_str()),
        what: "config",
        name: configs.join("` or `"),
        present: some(folder.configs()),
    }
}

/// The first names of many.
fn some<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.take(13).collect();
    if names.len() == 13 {
        names[12] = "…";
    }
    names.join(", ")
}

//! A unit, and the files of one of its parts (protocol 2).

use std::path::PathBuf;
use std::sync::Arc;

use mteb_card::{PartSource, TaskCard};
use mteb_data::{DataError, Folder, OpenRows, ReadRows, SplitRows, Table, TextForm, Wanted};
use mteb_tasks::Part;

/// A unit of a task.
#[derive(Clone, Copy)]
pub struct UnitOf<'a> {
    /// The task.
    pub card: &'a TaskCard,
    /// The split that is scored.
    pub split: &'a str,
    /// The subset.
    pub subset: &'a str,
}

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
    ///
    /// # Errors
    /// If the config or a split is absent.
    pub fn of_config(
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

    /// The rows, read piece by piece from files that are opened by `opener`.
    pub fn rows(&self, wanted: Wanted, opener: Arc<dyn OpenRows>) -> SplitRows {
        SplitRows::new(self.files().cloned().collect(), wanted.written(self.form.clone())).with_opener(opener)
    }

    /// All rows, or the first ones of each split.
    ///
    /// # Errors
    /// If a file is damaged, or files differ in their columns.
    pub fn read(&self, first_rows: Option<usize>, opener: &Arc<dyn OpenRows>) -> Result<Table, DataError> {
        let mut all = Table::default();
        for files in &self.splits {
            let wanted = Wanted::All.written(self.form.clone());
            let mut rows = SplitRows::new(files.clone(), wanted).with_opener(Arc::clone(opener));
            all.append(rows.read_rows(first_rows.unwrap_or(usize::MAX))?)?;
        }
        Ok(all)
    }
}

/// What the card says of a part, with the names that stand for the subset and the split.
pub fn filled_source(unit: UnitOf, part: Part) -> Option<PartSource> {
    let UnitOf { card, split, subset } = unit;
    let source = card.dataset.parts.get(part.as_str())?;
    let config = card.subset(subset).and_then(|found| found.config.as_deref()).unwrap_or(subset);
    let filled = |name: &Option<String>| {
        name.as_ref().map(|name| name.replace("{subset}", config).replace("{split}", split))
    };
    let (config, file) = (filled(&source.config), filled(&source.file));
    Some(PartSource { config, split: filled(&source.split), file, ..source.clone() })
}

/// The file that a card names for a part.
///
/// # Errors
/// If it is not in the folder.
pub fn named_file(
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
            present: first_names(folder.all_files()),
        });
    }
    Ok(Some(PartPlace::of_file(part, folder.path().join(name))))
}

/// The splits that are read as the split `split` of a card.
pub fn merged_splits(card: &TaskCard, split: &str) -> Vec<String> {
    card.dataset.merge_splits.get(split).cloned().unwrap_or_else(|| vec![split.to_owned()])
}

/// The first names of many.
pub fn first_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.take(13).collect();
    if names.len() == 13 {
        names[12] = "…";
    }
    names.join(", ")
}

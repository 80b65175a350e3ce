//! Examples of the data of tasks for a page: from what is on this machine, where the licence lets anyone show them.

use std::collections::HashMap;
use std::path::Path;

use mteb_card::is_quotable;
use mteb_inspect::samples::samples_of;
use mteb_registry::{Selected, data_path, embedded};
use mteb_report::page::{TaskSamples, Withheld};
use mteb_source::{DataSources, SourceError};
use mteb_tasks::Corpus;
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

/// Texts of a dataset of the hub, and bytes of data of the user's own, above which no examples are read: a page is made in seconds.
const MOST_TEXTS: u64 = 200_000;
const MOST_BYTES: u64 = 256 << 20;

/// Folders within the folder of a dataset that are looked into for its size.
const DEEPEST: usize = 4;

/// Reads examples; downloads nothing. Each task is read once, however often its page is written.
pub struct SampleReader {
    sources: DataSources,
    count: usize,
    read: HashMap<String, TaskSamples>,
}

impl SampleReader {
    /// Reads `count` examples of each task.
    pub fn new(count: usize, settings: Settings, catalog: &Catalog) -> Self {
        let settings = Settings { offline: true, ..settings };
        Self { sources: DataSources::new(settings, catalog), count, read: HashMap::new() }
    }

    /// The examples of a task, of its first split and subset, or why there are none.
    pub fn of(&mut self, task: &Selected) -> TaskSamples {
        let name = &task.entry.card.name;
        if let Some(read) = self.read.get(name) {
            return read.clone();
        }
        let found = match withheld(task) {
            Some(why) => TaskSamples::Withheld(why),
            None => self.first_unit(task).unwrap_or(TaskSamples::Withheld(Withheld::Absent)),
        };
        self.read.insert(name.clone(), found.clone());
        found
    }

    fn first_unit(&mut self, task: &Selected) -> Option<TaskSamples> {
        // Of a mean of tasks the first of them.
        let task = task.with_data().into_iter().next()?;
        let unit = task.units().next()?;
        let (tables, corpus) = self.sources.stream(&task.entry, unit.0, unit.1).ok()?;
        let corpus =
            corpus.as_ref().map(|corpus| corpus.open().map(|chunk| chunk.map_err(SourceError::from)));
        let found = samples_of(&tables, corpus, self.count).ok()?;
        Some(TaskSamples::of(unit, &found))
    }
}

/// Why no examples of a task are shown, whatever its data is.
fn withheld(task: &Selected) -> Option<Withheld> {
    let with_data = task.with_data();
    let cards = || std::iter::once(&task.entry).chain(with_data.iter().map(|task| &task.entry));
    if cards().any(|entry| entry.card.private) {
        return Some(Withheld::Private);
    }
    // A mean has no data of its own.
    let first = with_data.first().unwrap_or(task);
    let card = &first.entry.card;
    match card.license.as_deref() {
        None | Some("not specified") => return Some(Withheld::NoLicense),
        Some(license) if !is_quotable(license) => return Some(Withheld::License),
        Some(_) => {}
    }
    let is_large = match (&card.dataset.path, card.dataset.fetched()) {
        (Some(_), _) => data_path(&first.entry).is_ok_and(|path| bytes_of(&path, DEEPEST) > MOST_BYTES),
        (None, Some(_)) => embedded::size(&card.name).is_some_and(|size| size.texts > MOST_TEXTS),
        (None, None) => false,
    };
    is_large.then_some(Withheld::Large)
}

/// Bytes of a file, or of the files in a folder and below.
fn bytes_of(path: &Path, deepest: usize) -> u64 {
    let Ok(facts) = path.metadata() else { return 0 };
    if !facts.is_dir() {
        return facts.len();
    }
    let entries = path.read_dir().into_iter().flatten().flatten().filter(|_| deepest > 0);
    entries.map(|entry| bytes_of(&entry.path(), deepest - 1)).sum()
}

/// True if a page may show texts of the task.
pub fn may_show_texts(task: &Selected) -> bool {
    !matches!(withheld(task), Some(Withheld::License | Withheld::NoLicense | Withheld::Private))
}

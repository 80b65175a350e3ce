//! Results as tables need them: read from folders, with the tasks of registries and the facts of
//! model cards; and whether the folders have changed since.

mod benchmark;
mod local_data;

pub use benchmark::find_similar;

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use local_data::{find_current, mark_other_data, name_unchecked};
use mteb_registry::{BenchmarkPart, BenchmarkView, ModelCards, Selected};
use mteb_report::benchmark::TaskSet;
use mteb_report::facts::{KnownModels, SimilarTasks};
use mteb_report::outcomes::leave_out_contradicted;
use mteb_report::reading::{Checks, Collection, Entry, LeftOut, Options, ReadError, Summary, read};
use mteb_report::table::{Board, BoardWarning, ReferenceTable, Row, Tasks};
use mteb_workers::settings::Settings;

/// Where results, their index and the cards of models lie.
pub struct ScoreSources<'a> {
    /// Folders of results.
    pub folders: &'a [PathBuf],
    /// Where data and what can be made again lie.
    pub settings: Settings,
    /// Where the cards of models are.
    pub cards: ModelCards,
}

/// The tasks whose results are read.
#[derive(Default)]
pub struct Chosen {
    /// Those of registries.
    pub selected: Vec<Selected>,
    /// What a leaderboard shows of them beside their means.
    pub view: BenchmarkView,
    /// Names of tasks that no registry knows.
    pub of_results: Vec<String>,
    /// Which part they are of a benchmark; `None` for all of it.
    pub part: Option<BenchmarkPart>,
}

/// Results, tasks and facts.
pub struct Scores {
    /// The tasks.
    pub benchmark: TaskSet,
    /// Which of them are columns.
    pub tasks: Tasks,
    /// What the folders hold.
    pub collection: Collection,
    /// What model cards say.
    pub facts: KnownModels,
    /// Which tasks share data.
    pub similar: SimilarTasks,
    /// Files with the languages of pages that the registries bring which were asked for.
    pub page_languages: Vec<PathBuf>,
    /// The tasks with their cards.
    selected: Vec<Selected>,
    folders: Vec<PathBuf>,
    settings: Settings,
}

impl Scores {
    /// Reads the results of the tasks.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn read(
        place: ScoreSources,
        name: &str,
        Chosen { selected, view, of_results, part }: Chosen,
        tasks: Tasks,
        similar: SimilarTasks,
    ) -> Result<Self, ReadError> {
        let part = part.map(benchmark::part);
        let benchmark = TaskSet { of_results, part, ..benchmark::benchmark(name, &selected, view) };
        // A mean is checked against its members: those that its card names, and those that its results were made from.
        let members = selected.iter().flat_map(|task| &task.entry.members);
        let mut members: BTreeSet<String> = members.map(|member| member.card.name.clone()).collect();
        let wanted = |task: &str| {
            tasks == Tasks::WithResults
                || benchmark.task(task).is_some()
                || benchmark.of_results.iter().any(|asked| asked == task)
        };
        let read_with = |members: &BTreeSet<String>| {
            let wanted = |task: &str| wanted(task) || members.contains(task);
            read_files(place.folders, &place.settings, &wanted, &main_scores(&selected))
        };
        let mut collection = read_with(&members)?;
        let further = collection.members().filter(|member| benchmark.task(member).is_none());
        let further: BTreeSet<String> = further.map(str::to_owned).collect();
        if tasks != Tasks::WithResults && !further.is_subset(&members) {
            members.extend(further);
            collection = read_with(&members)?;
        }
        let facts = benchmark::facts(&place.cards);
        let folders = place.folders.to_vec();
        let (page_languages, settings) = (Vec::new(), place.settings);
        let scores = Self {
            similar,
            tasks,
            collection,
            facts,
            benchmark,
            page_languages,
            selected,
            folders,
            settings,
        };
        scores.read_for_main_scores()
    }

    /// The same results; where files of others were not read for the main score of their task, which its card says, or else results of
    /// this host, they are read again.
    fn read_for_main_scores(mut self) -> Result<Self, ReadError> {
        let mut known = main_scores(&self.selected);
        let files = || self.collection.folders.iter().flat_map(|folder| &folder.files);
        for file in files() {
            let own = file.entries.iter().find_map(|entry| entry.origin.as_ref()?.main_score.clone());
            if let Some(own) = own.filter(|_| !known.contains_key(&file.task)) {
                known.insert(file.task.clone(), own);
            }
        }
        let is_compared = |file: &Summary| {
            file.is_ours || known.get(&file.task).is_none_or(|main| file.main_score.as_ref() == Some(main))
        };
        if files().all(|file| is_compared(file)) {
            return Ok(self);
        }
        let left_out = self.collection.left_out.iter().filter_map(|left| left.path.file_stem());
        let left_out = left_out.map(|stem| stem.to_string_lossy().into_owned());
        let names: HashSet<String> = files().map(|file| file.stem.clone()).chain(left_out).collect();
        self.collection = read_files(&self.folders, &self.settings, &|task| names.contains(task), &known)?;
        Ok(self)
    }

    /// The benchmark whose means these are not, because the tasks are more than its own.
    pub fn whose_means(&self) -> Option<String> {
        self.benchmark.beyond.as_ref().map(|beyond| beyond.line(beyond.tasks))
    }

    /// The names of the tasks on the board of no card whose scores were made from files of the user's own, or are means of others.
    pub fn tasks_without_cards(&self) -> HashSet<String> {
        let is_own = |entry: &Entry| {
            let is_mean = entry.origin.as_ref().is_some_and(|origin| !origin.members.is_empty());
            is_mean || entry.is_of_own_data()
        };
        let files = self.collection.folders.iter().flat_map(|folder| &folder.files);
        let is_asked = |task: &str| {
            self.tasks == Tasks::WithResults || self.benchmark.of_results.iter().any(|asked| asked == task)
        };
        let files = files.filter(|file| is_asked(&file.task) && self.benchmark.task(&file.task).is_none());
        files.filter(|file| file.entries.iter().any(is_own)).map(|file| file.task.clone()).collect()
    }

    /// The same results, checked against the cards of more tasks.
    ///
    /// # Errors
    /// If a folder can no longer be read.
    pub fn add_cards(mut self, tasks: Vec<Selected>) -> Result<Self, ReadError> {
        self.benchmark.tasks.extend(benchmark::tasks(&tasks));
        let TaskSet { tasks: known, of_results, .. } = &mut self.benchmark;
        of_results.retain(|name| known.iter().all(|task| task.name != *name));
        self.selected.extend(tasks);
        self.read_for_main_scores()
    }

    /// The task called `name`, with its card; `None` where only results know it.
    pub fn task(&self, name: &str) -> Option<&Selected> {
        self.selected.iter().find(|task| task.entry.card.name == name)
    }

    /// The names of the tasks that have results.
    pub fn tasks_with_results(&self) -> BTreeSet<&str> {
        let files = self.collection.folders.iter().flat_map(|folder| &folder.files);
        files.map(|file| file.task.as_str()).collect()
    }

    /// Each file of the folders of a model that holds no usable result; the model may be named without its organisation.
    pub fn left_out_of(&self, model: &str) -> Vec<&LeftOut> {
        let is_its = |left: &&LeftOut| {
            left.model == model || left.model.rsplit_once('/').is_some_and(|(_, short)| short == model)
        };
        self.collection.left_out.iter().filter(is_its).collect()
    }

    /// Every model, those that nobody knows and those that lack a task included.
    pub fn board(&self) -> Board {
        let Self { tasks, collection, facts, similar, .. } = self;
        let mut benchmark = self.benchmark.clone();
        for (name, of_now) in find_current(collection, &self.selected, &self.settings) {
            benchmark
                .tasks
                .iter_mut()
                .filter(|task| task.name == name)
                .for_each(|task| task.of_now.clone_from(&of_now));
        }
        let mut board = Board::new(&benchmark, *tasks, collection, facts, similar, Checks::All);
        let members = self
            .members()
            .map(|members| Board::new(&members, Tasks::WithResults, collection, facts, similar, Checks::All));
        leave_out_contradicted(&mut board, Checks::All);
        let other_data = mark_other_data(&mut board, members.as_ref(), &self.selected, &self.settings);
        let of_own_data = self.name_unchecked(&board, |_| true).into_iter().chain(other_data);
        board.warnings.splice(0..0, of_own_data.map(BoardWarning::OwnData));
        board
    }

    /// A line on the tasks of the rows that `are_meant` whose scores were made from data of the user's own, where no card says
    /// where this data is: nobody has looked whether it is still the same.
    pub fn name_unchecked(&self, board: &Board, are_meant: impl Fn(&Row) -> bool) -> Option<String> {
        name_unchecked(board, &self.selected, are_meant)
    }

    /// The members with data of the user's own of the tasks that are means; `None` if there is none.
    fn members(&self) -> Option<TaskSet> {
        let means = self.selected.iter().filter(|task| !task.entry.members.is_empty());
        let is_local = |member: &Selected| member.entry.card.dataset.path.is_some();
        let members: Vec<Selected> = means.flat_map(Selected::with_data).filter(is_local).collect();
        (!members.is_empty()).then(|| benchmark::benchmark("", &members, BenchmarkView::default()))
    }

    /// The table as the reference makes it.
    pub fn reference_table(&self) -> ReferenceTable {
        ReferenceTable::new(&self.benchmark, &self.collection, &self.facts, &self.similar)
    }
}

/// The main score of each of the tasks and of their members, by name.
fn main_scores(tasks: &[Selected]) -> HashMap<String, String> {
    let members = tasks.iter().flat_map(|task| &task.entry.members).map(|member| &member.card);
    let cards = tasks.iter().map(|task| &task.entry.card).chain(members);
    cards.map(|card| (card.name.clone(), card.main_score().to_owned())).collect()
}

/// Reads the files of the tasks that are `wanted`, each for the main score of its task.
fn read_files(
    folders: &[PathBuf],
    settings: &Settings,
    wanted: &(dyn Fn(&str) -> bool + Sync),
    main_scores: &HashMap<String, String>,
) -> Result<Collection, ReadError> {
    let index = Some(settings.cache_dir.join("reports"));
    let main_score = |task: &str| main_scores.get(task).cloned();
    read(folders, &Options { index, checks: Checks::All, wanted, main_score: &main_score })
}

/// Folders deeper than these hold no results: `MODEL/REVISION/outcomes/TASK`.
const DEEPEST: usize = 6;

/// A number that differs where a result was added, changed or removed below any of `folders`.
pub fn state_of(folders: &[PathBuf]) -> u64 {
    folders.iter().map(|folder| hash_folder(folder, DEEPEST)).fold(0, u64::wrapping_add)
}

/// Of one folder; files are added up, so that the order in which a system lists them says nothing.
fn hash_folder(folder: &Path, deepest: usize) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let mut sum = 0u64;
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && deepest > 0 {
            sum = sum.wrapping_add(hash_folder(&path, deepest - 1));
            continue;
        }
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let Ok(facts) = entry.metadata() else { continue };
        let mut hasher = DefaultHasher::new();
        (path, facts.len(), facts.modified().ok()).hash(&mut hasher);
        sum = sum.wrapping_add(hasher.finish());
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_is_added_changed_or_removed_is_seen_and_another_file_is_not() {
        let root = tempfile::tempdir().unwrap();
        let (folder, folders) = (root.path().join("m/1"), [root.path().to_owned()]);
        fs::create_dir_all(&folder).unwrap();
        let empty = state_of(&folders);
        fs::write(folder.join("Task.json"), "{}").unwrap();
        let one = state_of(&folders);
        assert_ne!(one, empty);
        fs::write(folder.join("notes.txt"), "x").unwrap();
        assert_eq!(state_of(&folders), one);
        fs::write(folder.join("Task.json"), "{ }").unwrap();
        assert_ne!(state_of(&folders), one);
        fs::remove_file(folder.join("Task.json")).unwrap();
        assert_eq!(state_of(&folders), empty);
        assert_eq!(state_of(&[root.path().join("absent")]), 0);
    }
}

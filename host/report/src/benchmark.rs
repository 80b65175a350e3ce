//! What a table needs to know of a benchmark: its tasks, and which units make up each.

use std::collections::{BTreeMap, HashMap};

/// A named selection of tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskSet {
    /// Name, for example `MTEB(eng, v1)`.
    pub name: String,
    /// Its tasks, in its own order.
    pub tasks: Vec<Task>,
    /// Names of further tasks, of which nothing is known but what results say.
    pub of_results: Vec<String>,
    /// Its groups of tasks, each with a mean of its own.
    pub groups: Vec<Group>,
    /// Codes of the languages that are shown one by one, as `vie-Latn`.
    pub languages: Vec<String>,
    /// Which part of the benchmark of this name it is; `None` for all of it.
    pub part: Option<Part>,
    /// Whose its means are not, where the tasks are those of a registry.
    pub beyond: Option<BeyondBenchmark>,
    /// What it says of itself.
    pub about: About,
}

/// Tasks of a registry that are more than those of its benchmark: no benchmark has their mean.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeyondBenchmark {
    /// Name of the registry.
    pub registry: String,
    /// How many tasks there are.
    pub tasks: usize,
    /// The widest benchmark within them.
    pub benchmark: String,
    /// How many of the tasks it has.
    pub of_benchmark: usize,
}

impl BeyondBenchmark {
    /// The sentence that names the benchmark whose means these, over so many `tasks`, are not.
    pub fn line(&self, tasks: usize) -> String {
        let Self { registry, tasks: all, benchmark, of_benchmark } = self;
        let which =
            if tasks == *all { format!("all {all} tasks") } else { format!("{tasks} of {all} tasks") };
        format!(
            "the means are over {which} of {registry}, not over a benchmark; {benchmark} has {of_benchmark} of them: \
             `--benchmark \"{benchmark}\"` shows its means"
        )
    }
}

/// What a benchmark says of itself, as its registry has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// One line on what it measures.
    pub title: String,
    /// Where it is described.
    pub reference: Option<String>,
    /// BibTeX entry.
    pub citation: Option<String>,
    /// What brings it: the name of a registry and its title.
    pub registry: Option<(String, String)>,
    /// Who wrote and judged the data of its own tasks, and what follows from it.
    pub provenance: Option<String>,
}

/// A part of a benchmark: its means are not those of the benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// How many of the tasks are there, and how many the benchmark has.
    pub tasks: [usize; 2],
    /// The same of units, where all tasks are there, but not all of their splits and subsets.
    pub units: Option<[usize; 2]>,
    /// Names of tasks that no card describes.
    pub absent: Vec<String>,
    /// True if something was left out that could be there.
    pub is_narrowed: bool,
}

/// Tasks of a benchmark that have a mean of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// By what the tasks are grouped, for example `Context Length`; `None` for a mean that stands
    /// alone.
    pub grouping: Option<String>,
    /// Which of these groups it is, for example `256`, or the name of the mean.
    pub label: String,
    /// Names of its tasks, each with the units that count, as split and subset. A task that is
    /// named several times, with other units each, counts as often.
    pub tasks: Vec<(String, Vec<(String, String)>)>,
}

/// A task as a benchmark takes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// Name of the task.
    pub name: String,
    /// Type, for example `Retrieval`.
    pub task_type: String,
    /// The score that stands for a unit, for example `ndcg_at_10`.
    pub main_score: String,
    /// Splits that count.
    pub splits: Vec<String>,
    /// Subsets that count, each with its languages as `ind-Latn`.
    pub subsets: Vec<Subset>,
    /// The units that a complete result has, as split and subset; `None` where only results say it.
    pub units: Option<Vec<(String, String)>>,
    /// Units of its card beside these, which were not asked for.
    pub other_units: Vec<(String, String)>,
    /// What the scores of a unit are made from whose data is as it is now, as results say it, where
    /// several results differ in it and that is known; else the newest result decides.
    pub of_now: HashMap<(String, String), String>,
    /// True if the task is the mean of others: results hold the subset `default` alone.
    pub is_aggregate: bool,
    /// Revision of the data that the card pins.
    pub revision: Option<String>,
    /// Id of the dataset on the hub.
    pub dataset: Option<String>,
    /// Domains of the texts, for example `Medical`.
    pub domains: Vec<String>,
    /// What a language model did for it in place of people, for example `LM-written, LM-judged`.
    pub badge: Option<&'static str>,
    /// One sentence for readers.
    pub description: String,
    /// Where the data is described.
    pub reference: Option<String>,
    /// Licence of the data.
    pub license: Option<String>,
    /// Who annotated, for example `human-annotated`.
    pub annotations: Option<String>,
    /// How the texts came to be, for example `machine-translated`.
    pub sample_creation: Option<String>,
    /// Texts of all splits, where they were counted.
    pub texts: Option<u64>,
    /// BibTeX entry of the dataset.
    pub citation: Option<String>,
}

/// A subset of a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subset {
    /// Its name.
    pub name: String,
    /// Its languages, as `ind-Latn`.
    pub languages: Vec<String>,
}

impl TaskSet {
    /// The task called `name`.
    pub fn task(&self, name: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.name == name)
    }

    /// The types of the tasks and how many tasks each has, in the order in which they first occur.
    pub fn types(&self) -> Vec<(&str, usize)> {
        let mut types: Vec<(&str, usize)> = Vec::new();
        for task in &self.tasks {
            match types.iter_mut().find(|(name, _)| *name == task.task_type) {
                Some((_, count)) => *count += 1,
                None => types.push((&task.task_type, 1)),
            }
        }
        types
    }

    /// Number of tasks by their name.
    pub fn numbers(&self) -> BTreeMap<&str, usize> {
        self.tasks.iter().enumerate().map(|(number, task)| (task.name.as_str(), number)).collect()
    }
}

impl Task {
    /// The names of the subsets that results of the task hold.
    pub fn subset_names(&self) -> Vec<&str> {
        if self.is_aggregate {
            return vec!["default"];
        }
        self.subsets.iter().map(|subset| subset.name.as_str()).collect()
    }

    /// The languages of its subsets, of which there may be tens of thousands.
    pub fn languages(&self) -> Languages<'_> {
        let mut own: HashMap<&str, &Subset> = HashMap::with_capacity(self.subsets.len());
        for subset in &self.subsets {
            own.entry(&subset.name).or_insert(subset);
        }
        Languages { own, all: list_languages(self.subsets.iter()) }
    }
}

/// The languages of the subsets of a task.
#[derive(Debug)]
pub struct Languages<'a> {
    own: HashMap<&'a str, &'a Subset>,
    all: Vec<&'a str>,
}

impl<'a> Languages<'a> {
    /// The languages of a subset, each once; of all subsets where it is none of them.
    pub fn of(&self, subset: &str) -> Vec<&'a str> {
        let own = self.own.get(subset);
        own.map_or_else(|| self.all.clone(), |own| list_languages(std::iter::once(*own)))
    }
}

fn list_languages<'a>(subsets: impl Iterator<Item = &'a Subset>) -> Vec<&'a str> {
    let mut languages: Vec<&str> = subsets.flat_map(|subset| &subset.languages).map(String::as_str).collect();
    languages.sort_unstable();
    languages.dedup();
    languages
}

//! Small tasks of many types, scored by one run or by the shards of a plan.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, faulty_plugin, host, trust, without_times};
use serde_json::{Value, json};

const WORDS: [&str; 8] = ["padi", "laut", "gunung", "pasar", "hujan", "kereta", "sekolah", "gamelan"];

/// What all runs keep beside the scores.
pub const KEPT: [&str; 3] = ["--outcomes", "--rankings", "--predictions"];

/// A folder with a registry of eleven small tasks and a mean of two of them.
pub struct Tasks(tempfile::TempDir);

impl Tasks {
    /// Writes everything.
    pub fn new() -> Self {
        let tasks = Self(tempfile::tempdir().unwrap());
        let folder = tasks.folder();
        fs::create_dir_all(folder.join("cards")).unwrap();
        fs::write(folder.join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
        let three = ["ace", "ind", "jav"];
        tasks.task("Pairs", "STS", "", &three, &|subset, split| {
            rows(split, "test", 12, |row| pair(subset, row, json!(row % 6)))
        });
        tasks.task("OtherPairs", "STS", "", &["ind"], &|subset, split| {
            rows(split, "test", 9, |row| pair(subset, row + 3, json!(row % 4)))
        });
        let many: Vec<String> = (0..20).map(|number| format!("s{number:02}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        tasks.task("Parallel", "BitextMining", "", &many, &|subset, split| {
            rows(
                split,
                "test",
                6,
                |row| json!({"sentence1": sentence(subset, row), "sentence2": sentence(subset, row + row % 2)}),
            )
        });
        tasks.task("Same", "PairClassification", "", &three[..2], &|subset, split| {
            rows(split, "test", 12, |row| {
                let other = sentence(subset, row + row % 2);
                json!({"sentence1": sentence(subset, row), "sentence2": other, "labels": 1 - row % 2})
            })
        });
        tasks.task("Labels", "Classification", "", &three[..2], &|subset, split| {
            rows(split, "", 30, |row| json!({"text": sentence(subset, row), "label": row % 3}))
        });
        tasks.task("ManyLabels", "MultilabelClassification", "", &three, &|subset, split| {
            rows(split, "", 40, |row| {
                let labels: Vec<usize> = (0..3).filter(|label| row % (label + 2) == 0).collect();
                json!({"text": sentence(subset, row), "label": labels})
            })
        });
        let whole = "[protocol]\nmax_documents = 0\nmax_documents_per_cluster = 8\n";
        // Of the first a subset has more text than what is encoded together, so that a plan can cut it.
        for (name, repeats) in [("Clusters", 400), ("OtherClusters", 1)] {
            tasks.task(name, "Clustering", whole, &three, &|subset, split| {
                rows(split, "test", 24, |row| {
                    let text = sentence(&format!("{name} {subset}"), row).repeat(repeats);
                    json!({"sentences": text, "labels": format!("{}", row % 3)})
                })
            });
        }
        tasks.task("Regress", "Regression", "", &["ind"], &|subset, split| {
            rows(split, "", 30, |row| json!({"text": sentence(subset, row), "value": row % 5}))
        });
        for name in ["Search", "OtherSearch"] {
            tasks.search(name, ["ind", "jav"].map(|subset| (subset, 30)));
        }
        let mean = "schema = 1\nname = \"Mean\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
                    members = [\"Pairs\", \"OtherPairs\"]\n";
        fs::write(folder.join("cards/Mean.toml"), mean).unwrap();
        tasks
    }

    /// A folder with a registry of two small tasks and one that searches `documents` documents in one subset and 30 in another. Many documents
    /// have the same text, and so the same score.
    pub fn with_corpus(documents: usize) -> Self {
        let tasks = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(tasks.folder().join("cards")).unwrap();
        fs::write(tasks.folder().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n")
            .unwrap();
        tasks.task("Pairs", "STS", "", &["ind"], &|subset, split| {
            rows(split, "test", 12, |row| pair(subset, row, json!(row % 6)))
        });
        tasks.search("Search", ["ind", "jav"].map(|subset| (subset, 30)));
        tasks.search("Large", [("ind", documents), ("jav", 30)]);
        tasks
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The command of the host with these arguments.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = host(self.folder());
        for variable in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PBS_ARRAY_INDEX", "RANK"] {
            command.env_remove(variable);
        }
        command.args(arguments);
        command
    }

    /// Runs the host with these arguments.
    pub fn host(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments)).unwrap()
    }

    /// The same, which must end well.
    pub fn done(&self, arguments: &[&str]) -> Run {
        let run = self.host(arguments);
        assert_eq!(run.code, Some(0), "{arguments:?}\n{}{}", run.stdout, run.stderr);
        run
    }

    /// Scores all tasks in one run into the folder `results`; the files that it leaves.
    pub fn single(&self, model: &str, results: &str) -> BTreeMap<PathBuf, String> {
        let arguments =
            ["run", "--quiet", "--registry", "mine.toml", "--model", model, "--output-folder", results];
        self.done(&[&arguments[..], &KEPT].concat());
        files(&self.folder().join(results))
    }

    /// Plans the same run for so many shards.
    pub fn plan(&self, model: &str, shards: usize, plan: &str) -> Run {
        let shards = shards.to_string();
        let arguments =
            ["plan", "--registry", "mine.toml", "--model", model, "--shards", &shards, "-o", plan];
        self.done(&[&arguments[..], &KEPT].concat())
    }

    /// Scores a shard.
    pub fn shard(&self, plan: &str, shard: usize) -> Run {
        self.host(&["run", "--quiet", "--plan", plan, "--shard", &shard.to_string()])
    }

    /// Gives the units of a plan to its shards in turn.
    pub fn deal_out(&self, plan: &str) {
        let mut changed = self.json(plan);
        let shards = changed["shards"].as_array().unwrap().len();
        let mut counts = vec![0; shards];
        let units = changed["tasks"].as_array_mut().unwrap().iter_mut();
        let units = units.flat_map(|task| task["units"].as_array_mut().unwrap().iter_mut());
        for (number, unit) in units.enumerate() {
            unit["shard"] = json!(number % shards);
            counts[number % shards] += 1;
        }
        for (shard, count) in changed["shards"].as_array_mut().unwrap().iter_mut().zip(counts) {
            shard["units"] = json!(count);
        }
        fs::write(self.folder().join(plan), changed.to_string()).unwrap();
    }

    /// Brings a plugin of the tests into the folder `plugins`, and trusts it.
    pub fn add_plugin(&self, name: &str) {
        let plugins = self.folder().join("plugins");
        faulty_plugin(name, &plugins).unwrap();
        trust(self.folder(), &plugins).unwrap();
    }

    /// What a JSON file says.
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.folder().join(name)).unwrap()).unwrap()
    }

    fn card(&self, name: &str, task_type: &str, more: &str, subsets: &[&str]) {
        let mut card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"{task_type}\"\ndescription = \"d\"\n[dataset]\npath = \"../data/{name}\"\n{more}[subsets]\n"
        );
        for subset in subsets {
            writeln!(card, "{subset} = {{ languages = [\"ind-Latn\"] }}").unwrap();
        }
        fs::write(self.folder().join(format!("cards/{name}.toml")), card).unwrap();
    }

    /// A task of rows, which `rows` gives by subset and split.
    fn task(
        &self,
        name: &str,
        task_type: &str,
        more: &str,
        subsets: &[&str],
        rows: &dyn Fn(&str, &str) -> Option<String>,
    ) {
        self.card(name, task_type, more, subsets);
        for subset in subsets {
            let folder = self.folder().join("data").join(name).join(subset);
            fs::create_dir_all(&folder).unwrap();
            for split in ["train", "test"] {
                if let Some(text) = rows(subset, split) {
                    fs::write(folder.join(format!("{split}.jsonl")), text).unwrap();
                }
            }
        }
    }

    /// A task that searches corpora of so many documents.
    fn search(&self, name: &str, subsets: [(&str, usize); 2]) {
        self.card(name, "Retrieval", "", &subsets.map(|(subset, _)| subset));
        for (subset, documents) in subsets {
            let folder = self.folder().join("data").join(name);
            let write = |part: &str, file: &str, text: String| {
                let folder = folder.join(format!("{subset}-{part}"));
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join(file), text).unwrap();
            };
            let salt = format!("{name} {subset}");
            // Beyond the first thousand, documents repeat the texts of those.
            let document = |row: usize| {
                format!(
                    "{}\n",
                    json!({"_id": format!("d{row}"), "text": sentence(&salt, row * 7 % 1009 % 997)})
                )
            };
            let query = |row: usize| {
                format!("{}\n", json!({"_id": format!("q{row}"), "text": sentence(&salt, row * 2)}))
            };
            // One of the first documents is relevant, and one of the last.
            let judged = |row: usize| {
                format!("q{row}\td{}\t1\nq{row}\td{}\t2\n", row * 2, documents - 1 - row * 3 % documents)
            };
            write("corpus", "corpus.jsonl", (0..documents).map(document).collect());
            write("queries", "queries.jsonl", (0..8).map(query).collect());
            let judged: String = (0..8).map(judged).collect();
            write("qrels", "test.tsv", format!("query-id\tcorpus-id\tscore\n{judged}"));
        }
    }
}

fn sentence(salt: &str, row: usize) -> String {
    let word = |step: usize| WORDS[(row * step + step + row / 8) % WORDS.len()];
    format!("{salt} {} {} {} {row}", word(1), word(3), word(5))
}

fn pair(subset: &str, row: usize, score: Value) -> Value {
    json!({"sentence1": sentence(subset, row), "sentence2": sentence(subset, row + row % 3), "score": score})
}

/// The rows of `split`, if it is `only` or any split is meant.
fn rows(split: &str, only: &str, count: usize, row: impl Fn(usize) -> Value) -> Option<String> {
    let shift = if split == "train" { 100 } else { 0 };
    let line = |number: usize| format!("{}\n", row(number + shift));
    (only.is_empty() || split == only).then(|| (0..count).map(line).collect())
}

/// All files of results below `folder`, by their path, without what depends on the clock and the machine. Files that are no text are given
/// by their bytes.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let name = path.strip_prefix(folder).unwrap().to_owned();
            let parts = name.components().count();
            let is_experiment = parts == 5 && name.components().any(|part| part.as_os_str() == "experiments");
            let is_result = (parts == 3 || is_experiment)
                && name.extension().is_some_and(|ending| ending == "json")
                && !name.ends_with("model_meta.json");
            let text = match String::from_utf8(bytes) {
                Ok(text) if is_result => without_times(&text).unwrap(),
                Ok(text) => text,
                Err(error) => format!("{:?}", error.into_bytes()),
            };
            found.insert(name, text);
        }
    }
    found
}

/// Fails with the first file that differs.
pub fn assert_same(expected: &BTreeMap<PathBuf, String>, found: &BTreeMap<PathBuf, String>) {
    let names = |files: &BTreeMap<PathBuf, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(expected), names(found));
    for (name, text) in expected {
        assert!(*text == found[name], "{}\nexpected {text}\nfound {}", name.display(), found[name]);
    }
}

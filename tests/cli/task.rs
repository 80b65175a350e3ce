//! A task in a folder of one's own, which is run and whose data is validated.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

/// A folder with a card whose data lie beside it.
pub struct Task(tempfile::TempDir);

impl Task {
    /// A task whose data is at `path`, beside the card `card.toml`.
    pub fn of(task_type: &str, path: &str, files: &[(&str, &str)]) -> Self {
        let task = Self(tempfile::tempdir().unwrap());
        let card = format!(
            "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"{path}\"\n"
        );
        task.write("card.toml", &card);
        files.iter().for_each(|(name, text)| task.write(name, text));
        task
    }

    /// A retrieval task of these files.
    pub fn retrieval(corpus: &str, queries: &str, qrels: (&str, &str)) -> Self {
        Self::of("Retrieval", ".", &[("corpus.jsonl", corpus), ("queries.jsonl", queries), qrels])
    }

    /// An STS task whose data is one CSV file.
    pub fn pairs(text: &str) -> Self {
        Self::of("STS", "pairs.csv", &[("pairs.csv", text)])
    }

    /// Writes a file, and its folder.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let file = self.0.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Puts `lines` behind the line of the card that names the path, where `[dataset]` goes on.
    pub fn with(self, lines: &str) -> Self {
        let card = fs::read_to_string(self.0.path().join("card.toml")).unwrap();
        self.write("card.toml", format!("{card}{lines}\n"));
        self
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Runs the task with the default model.
    pub fn run(&self, more: &[&str]) -> Run {
        let args = ["run", "--registry", "card.toml", "--quiet"];
        Run::of(host(self.folder()).args(args).args(more)).unwrap()
    }

    /// Checks its data.
    pub fn validate(&self) -> Run {
        Run::of(host(self.folder()).args(["validate", "--data", "card.toml"])).unwrap()
    }

    /// What a run and `validate --data` both say is at fault, each once and with exit code 1.
    pub fn fault(&self) -> String {
        let (run, gate) = (self.run(&[]), self.validate());
        assert_eq!((run.code, gate.code), (Some(1), Some(1)), "{}\n{}", run.stderr, gate.stderr);
        let said = run.stderr.lines().find_map(|line| line.strip_prefix("failed: ")).unwrap().to_owned();
        let line = format!("error: {said}");
        let times = gate.stderr.lines().filter(|found| **found == line).count();
        assert_eq!(times, 1, "{line}\n{}", gate.stderr);
        said
    }

    /// What both warn of; the run scores the task.
    pub fn warning(&self) -> String {
        let (run, gate) = (self.run(&[]), self.validate());
        assert_eq!((run.code, gate.code), (Some(0), Some(0)), "{}\n{}", run.stderr, gate.stderr);
        assert_eq!(run.stderr, gate.stderr);
        run.stderr
    }
}

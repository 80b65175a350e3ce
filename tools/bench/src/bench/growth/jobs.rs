//! The jobs that are run in several sizes.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;
use std::process::Command;

use super::registry;
use crate::bench::made::write_set;
use crate::bench::{memory, sides};

/// Queries of the retrieval task, whatever the number of documents.
const QUERIES: usize = 1000;

/// What is run in several sizes.
pub struct GrowthJob {
    /// As the tables say it.
    pub name: &'static str,
    /// The plot in which it is drawn.
    pub plot: &'static str,
    /// What the size counts.
    pub unit: &'static str,
    /// Folder of the data, which jobs may share.
    pub data: &'static str,
    /// The size of the run that shows what the work costs without its data.
    pub empty: usize,
    pub sizes: &'static [usize],
    write: fn(&Path, usize) -> io::Result<()>,
    arguments: &'static [&'static str],
}

/// The registry of each job lies here in its folder.
pub const REGISTRY: &str = "registry.toml";

const SCORE: &[&str] = &[
    "run",
    "--overwrite",
    "always",
    "--quiet",
    "--no-cache",
    "--cache-memory",
    "0",
    "--model",
    sides::LETTERS,
    "--registry",
];

const CARDS: &[usize] = &[10, 100, 1000, 10_000];

/// All jobs.
pub const JOBS: [GrowthJob; 4] = [
    GrowthJob {
        name: "retrieval",
        plot: "retrieval",
        unit: "documents",
        data: "retrieval",
        empty: 10,
        sizes: &[10_000, 100_000, 1_000_000],
        write: write_retrieval,
        arguments: SCORE,
    },
    GrowthJob {
        name: "clustering",
        plot: "clustering",
        unit: "texts",
        data: "clustering",
        empty: 40,
        sizes: &[1000, 10_000, 100_000],
        write: write_clustering,
        arguments: SCORE,
    },
    GrowthJob {
        name: "list tasks",
        plot: "registry",
        unit: "cards",
        data: "cards",
        empty: 1,
        sizes: CARDS,
        write: registry::write,
        arguments: &["list", "tasks", "--registry"],
    },
    GrowthJob {
        name: "validate",
        plot: "registry",
        unit: "cards",
        data: "cards",
        empty: 1,
        sizes: CARDS,
        write: registry::write,
        arguments: &["validate"],
    },
];

impl GrowthJob {
    /// Writes the data of a size, unless an earlier run has; it is always the same.
    pub fn prepare(&self, folder: &Path, size: usize) -> io::Result<()> {
        let whole = folder.join("whole");
        if whole.exists() {
            return Ok(());
        }
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        (self.write)(folder, size)?;
        fs::write(whole, "")
    }

    /// The host, to do the work of a prepared folder with the plugins of another.
    pub fn command(&self, folder: &Path, plugins: &Path) -> Command {
        let mut command = sides::letters_host();
        command.args(self.arguments).arg(folder.join(REGISTRY)).arg("--plugin-dir").arg(plugins);
        if self.arguments.first() == Some(&"run") {
            command.arg("--output-folder").arg(folder.join("results"));
        }
        command.env("MTEB_HOST_CACHE", plugins.with_file_name("cache"));
        command
    }
}

fn write_retrieval(folder: &Path, documents: usize) -> io::Result<()> {
    memory::write_corpus(folder, documents, QUERIES)?;
    fs::rename(folder.join("memory.toml"), folder.join(REGISTRY))
}

/// One set of so many sentences, all of which a clustering of the older form groups at once.
fn write_clustering(folder: &Path, texts: usize) -> io::Result<()> {
    const CARD: &str = "\
schema = 1
name = \"MadeClustering\"
type = \"Clustering\"
description = \"Made for the benchmark of growth.\"
languages = [\"ind-Latn\"]

[dataset]
path = \"../data\"

[protocol]
legacy = true
";
    let (cards, data) = (folder.join("cards"), folder.join("data"));
    fs::create_dir_all(&cards)?;
    fs::create_dir_all(&data)?;
    fs::write(folder.join(REGISTRY), "schema = 1\nname = \"growth\"\ncards = [\"cards\"]\n")?;
    fs::write(cards.join("made.toml"), CARD)?;
    write_set(BufWriter::new(File::create(data.join("test.jsonl"))?), texts)
}

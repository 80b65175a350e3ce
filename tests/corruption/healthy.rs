//! A registry of small tasks of several types and formats, in a folder of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mteb_host_tests::{Run, host, root};

/// A task of the registry.
pub struct Task {
    /// Name.
    pub name: &'static str,
    /// Its data files.
    pub files: &'static [&'static str],
    /// Columns that it needs, as its files call them.
    pub columns: &'static [&'static str],
    card: &'static str,
}

/// The tasks, sorted by name.
pub const TASKS: [Task; 5] = [
    Task {
        name: "Clusters",
        files: &["clusters.tsv"],
        columns: &["sentences", "labels"],
        card: "type = \"Clustering\"\n[dataset]\npath = \"../data/clusters.tsv\"\n[protocol]\nmax_documents = 0\nmax_documents_per_cluster = 8\n",
    },
    Task {
        name: "Columns",
        files: &["plain.parquet"],
        columns: &["text", "word"],
        card: "type = \"Clustering\"\n[dataset]\npath = \"../data/plain.parquet\"\nfirst_rows = 5\n\
               columns = { sentences = \"text\", labels = \"word\" }\n[protocol]\nmax_documents = 0\nmax_documents_per_cluster = 8\n",
    },
    Task {
        name: "Labels",
        files: &["labels/test.jsonl.gz", "labels/train.jsonl"],
        columns: &["text", "label"],
        card: "type = \"Classification\"\n[dataset]\npath = \"../data/labels\"\n",
    },
    Task {
        name: "Pairs",
        files: &["pairs.csv"],
        columns: &["kiri", "sentence2", "score"],
        card: "type = \"STS\"\n[dataset]\npath = \"../data/pairs.csv\"\ncolumns = { sentence1 = \"kiri\" }\n",
    },
    Task {
        name: "Search",
        files: &["search/corpus.jsonl", "search/queries.jsonl", "search/qrels.jsonl"],
        columns: &["_id", "text", "query-id", "corpus-id"],
        card: "type = \"Retrieval\"\n[dataset]\npath = \"../data/search\"\nparts.corpus.file = \"corpus.jsonl\"\n\
               parts.queries.file = \"queries.jsonl\"\nparts.qrels.file = \"qrels.jsonl\"\n",
    },
];

/// The registry with its data.
pub struct Healthy {
    folder: tempfile::TempDir,
}

impl Healthy {
    /// Writes everything.
    pub fn new() -> Self {
        let set = Self { folder: tempfile::tempdir().unwrap() };
        for folder in ["cards", "data/labels", "data/search"] {
            fs::create_dir_all(set.folder.path().join(folder)).unwrap();
        }
        set.write("mine.toml", b"schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n");
        for Task { name, card, .. } in &TASKS {
            let head = format!(
                "schema = 1\nname = \"{name}\"\ndescription = \"A small set.\"\nlanguages = [\"ind-Latn\"]\n"
            );
            set.write(&format!("cards/{name}.toml"), format!("{head}{card}").as_bytes());
        }
        set.write("data/clusters.tsv", clusters().as_bytes());
        set.write("data/pairs.csv", pairs().as_bytes());
        set.write("data/plain.parquet", &fs::read(root().join("tests/golden/data/plain.parquet")).unwrap());
        set.write("data/labels/test.jsonl.gz", &gzip(&labels(12)));
        set.write("data/labels/train.jsonl", labels(40).as_bytes());
        for (part, lines) in search() {
            set.write(&format!("data/search/{part}.jsonl"), lines.as_bytes());
        }
        set
    }

    /// The path of a file of the set.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Reads a file of the set.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Writes a file of the set.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Runs all tasks with the default encoder.
    pub fn run(&self, more: &[&str]) -> Run {
        let mut command = host(self.folder.path());
        command.env("MTEB_HOST_CACHE", shared_cache());
        Run::of(command.args(["run", "--registry", "mine.toml", "--json"]).args(more)).unwrap()
    }
}

/// What is known of the plugins is the same for every set.
fn shared_cache() -> &'static Path {
    static CACHE: OnceLock<tempfile::TempDir> = OnceLock::new();
    CACHE.get_or_init(|| tempfile::tempdir().unwrap()).path()
}

const WORDS: [&str; 8] = ["padi", "laut", "gunung", "pasar", "hujan", "kereta", "sekolah", "gamelan"];

fn clusters() -> String {
    let row =
        |index: usize| format!("{} {} {index}\tkelompok {}\n", WORDS[index % 3], WORDS[index % 8], index % 3);
    (0..24).map(row).fold("sentences\tlabels\n".to_owned(), |text, row| text + &row)
}

fn pairs() -> String {
    let row = |index: usize| {
        let (left, right) = (WORDS[index % 8], WORDS[(index * index) % 8]);
        format!("{left} di {right},\"{right}, bukan {left}\",{}\n", index % 6)
    };
    (0..12).map(row).fold("kiri,sentence2,score\n".to_owned(), |text, row| text + &row)
}

fn labels(rows: usize) -> String {
    let row = |index: usize| {
        format!(
            "{{\"text\": \"{} ke-{index}\", \"label\": \"{}\"}}\n",
            WORDS[index % 4],
            ["darat", "air", "kota"][index % 3]
        )
    };
    (0..rows).map(row).collect()
}

fn search() -> [(&'static str, String); 3] {
    let document =
        |index: usize| format!("{{\"_id\": \"d{index}\", \"text\": \"cerita {}\"}}\n", WORDS[index]);
    let query = |index: usize| format!("{{\"_id\": \"q{index}\", \"text\": \"{} itu apa\"}}\n", WORDS[index]);
    let judgement =
        |index: usize| format!("{{\"query-id\": \"q{index}\", \"corpus-id\": \"d{index}\", \"score\": 1}}\n");
    [
        ("corpus", (0..8).map(document).collect()),
        ("queries", (0..4).map(query).collect()),
        ("qrels", (0..4).map(judgement).collect()),
    ]
}

/// `text` as a gzip file.
fn gzip(text: &str) -> Vec<u8> {
    let mut file = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    file.write_all(text.as_bytes()).unwrap();
    file.finish().unwrap()
}

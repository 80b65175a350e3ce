//! Rows and cards that the host's types and those of one's own score.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use mteb_files::hex;
use sha2::{Digest, Sha256};
use xtask_start::command::root;

/// The card whose evaluator must be trusted.
pub const PYTHON: &str = "python.toml";

/// Queries of a corpus, of which each has one relevant document.
const QUERIES: usize = 1000;

/// What is scored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Pairs of texts, by STS.
    Pairs,
    /// Documents, by retrieval.
    Documents,
}

impl Kind {
    /// Its name, of a folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Documents => "documents",
        }
    }

    /// What a size counts.
    pub fn what(self) -> String {
        match self {
            Self::Pairs => "pairs (STS)".to_owned(),
            Self::Documents => format!("documents, {QUERIES} queries (Retrieval)"),
        }
    }

    /// The type of the host, that of the pack, and the script and the class in Python.
    pub fn types(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Pairs => ("STS", "Likeness", "likeness.py", "Likeness"),
            Self::Documents => ("Retrieval", "Finding", "finding.py", "Finding"),
        }
    }

    /// What the card in Python declares.
    pub fn declaration(self) -> String {
        match self {
            Self::Pairs => {
                let scores = ["", "cosine_", "manhattan_", "euclidean_"].iter().flat_map(|prefix| {
                    ["pearson", "spearman"].map(|name| format!("{prefix}{name} = {{ low = -1.0 }}\n"))
                });
                format!(
                    "\n[task_type]\nabout = \"Follows what people said of two texts.\"\nmain_score = \"cosine_spearman\"\n\n\
                     [task_type.columns]\nsentence1 = {{ holds = \"text\" }}\nsentence2 = {{ holds = \"text\" }}\n\
                     score = {{ holds = \"number\" }}\n\n[task_type.scores]\n{}",
                    scores.collect::<String>()
                )
            }
            Self::Documents => {
                let names = ["ndcg", "map", "recall", "precision", "mrr", "hit_rate"];
                let scores = names.iter().flat_map(|name| {
                    [1, 3, 5, 10, 20, 100, 1000].map(|cut| format!("{name}_at_{cut} = {{}}\n"))
                });
                format!(
                    "\n[task_type]\nabout = \"Finds the documents that are relevant to a query.\"\nmain_score = \"ndcg_at_10\"\n\
                     ranking = {{ depth = 1000 }}\n\n[task_type.scores]\n{}",
                    scores.collect::<String>()
                )
            }
        }
    }
}

/// Writes rows and cards, and gives the SHA-256 of the class in Python.
pub fn write(folder: &Path, kind: Kind, size: usize) -> io::Result<String> {
    fs::create_dir_all(folder.join("data"))?;
    match kind {
        Kind::Pairs => write_pairs(folder, size)?,
        Kind::Documents => write_documents(folder, size)?,
    }
    write_cards(folder, kind, "CostOf", "[dataset]\npath = \"data\"\n")
}

/// Writes the cards of the three sides, each with the table `dataset`.
pub fn write_cards(folder: &Path, kind: Kind, name: &str, dataset: &str) -> io::Result<String> {
    let (of_host, of_pack, script, class) = kind.types();
    let source = fs::read(root().join("tools/bench/scripts").join(script))?;
    fs::write(folder.join(script), &source)?;
    let card = |side: &str, kind: &str, more: &str| {
        format!(
            "schema = 1\nname = \"{name}{side}\"\ntype = \"{kind}\"\n{more}description = \"Made.\"\nlanguages = [\"ind-Latn\"]\n\n\
             {dataset}"
        )
    };
    let main_score = match kind {
        Kind::Pairs => "main_score = \"cosine_spearman\"\n",
        Kind::Documents => "main_score = \"ndcg_at_10\"\n",
    };
    fs::write(folder.join("host.toml"), card("Host", of_host, main_score))?;
    fs::write(folder.join("rust.toml"), card("Rust", of_pack, main_score))?;
    let more = format!("evaluator = \"python:{script}:{class}\"\n");
    let python = card("Python", &format!("{class}InPython"), &more);
    fs::write(folder.join(PYTHON), python + &kind.declaration())?;
    Ok(hex(&Sha256::digest(&source)))
}

/// Texts whose letters differ, for these are what the model counts, and scores that do not follow from them.
fn write_pairs(folder: &Path, pairs: usize) -> io::Result<()> {
    let mut rows = BufWriter::new(fs::File::create(folder.join("data/test.jsonl"))?);
    for number in 0..pairs {
        let [left, right] = [7919, 104_729].map(|factor| letters_of(number.wrapping_mul(factor)));
        writeln!(
            rows,
            r#"{{"sentence1": "teks {left}", "sentence2": "kalimat {right}", "score": {}}}"#,
            (number * 37) % 6
        )?;
    }
    rows.into_inner()?.sync_all()
}

fn write_documents(folder: &Path, documents: usize) -> io::Result<()> {
    let file = |name: &str| fs::File::create(folder.join("data").join(name)).map(BufWriter::new);
    let mut corpus = file("corpus.jsonl")?;
    for number in 0..documents {
        let text = letters_of(number.wrapping_mul(7919));
        writeln!(corpus, r#"{{"_id": "d{number}", "title": "", "text": "dokumen {text}"}}"#)?;
    }
    let (mut queries, mut qrels) = (file("queries.jsonl")?, file("qrels.tsv")?);
    writeln!(qrels, "query-id\tcorpus-id\tscore")?;
    for number in 0..QUERIES {
        let document = (number * 37) % documents;
        let text = letters_of(document.wrapping_mul(7919) + 1);
        writeln!(queries, r#"{{"_id": "q{number}", "text": "tanya {text}"}}"#)?;
        writeln!(qrels, "q{number}\td{document}\t1")?;
    }
    [corpus, queries, qrels].into_iter().try_for_each(|file| file.into_inner()?.sync_all())
}

/// The digits of a number as letters from a to j.
fn letters_of(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

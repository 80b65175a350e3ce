//! The rungs of the ladder: which models, where they come from, and which of them are compared.

use serde_json::Value;

/// Task types that rank documents, which a model of words alone can do.
pub const RANKED: [&str; 3] = ["Retrieval", "Reranking", "InstructionReranking"];

/// A rung of the ladder.
pub struct Rung {
    /// How it is called in tables.
    pub head: &'static str,
    /// The model as the host takes it, or the class in Python.
    pub model: Model,
    /// How it is called in results.
    pub name: &'static str,
}

/// Where a model comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// A part of the host, for all tasks.
    Host(&'static str),
    /// A part of the host that ranks documents alone.
    Ranks(&'static str),
    /// A class that runs in the Python environment of the tests.
    Tests(&'static str),
    /// A class that runs in an environment of its own.
    Own(&'static str),
}

pub const RUNGS: [Rung; 7] = [
    Rung { head: "random", model: Model::Host("random"), name: "mteb/baseline-random-encoder" },
    Rung { head: "hashing", model: Model::Host("hashing"), name: "mteb-host/hashing" },
    Rung { head: "TF-IDF", model: Model::Tests("TfIdf"), name: "ladder/tfidf" },
    Rung { head: "bm25", model: Model::Ranks("bm25"), name: "mteb/baseline-bm25s" },
    Rung { head: "MiniLM", model: Model::Tests("MiniLM"), name: "ladder/all-MiniLM-L6-v2" },
    Rung { head: "e5 (4 bit)", model: Model::Tests("E5"), name: "ladder/multilingual-e5-small-4bit" },
    Rung { head: "USE", model: Model::Own("Use"), name: "ladder/use-multilingual" },
];

/// The model that ought to be above the others where a set tells better models from worse ones.
pub const BEST: &str = "e5 (4 bit)";

/// What it is compared with; the last one also for the smallest difference that a set can show.
pub const BELOW: [&str; 3] = ["random", "hashing", "MiniLM"];

/// What became of a rung: its scores, or why there are none.
pub type Outcome = Result<Value, String>;

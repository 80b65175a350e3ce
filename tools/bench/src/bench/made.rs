//! Tasks of the types for which the hub folder has no data, in the sizes of well-known ones.

use std::io;

use serde_json::{Value, json};

/// A task whose data is made here.
pub struct MadeTask {
    /// Task name, and name of its dataset.
    pub name: &'static str,
    /// Type in the card.
    pub task_type: &'static str,
    /// The reference's class.
    pub class: &'static str,
    /// What the card's protocol says.
    pub protocol: &'static str,
    /// The dataset.
    pub files: Vec<DataFile>,
}

/// Rows of one config and split.
pub struct DataFile {
    pub config: &'static str,
    pub split: &'static str,
    pub rows: Vec<Value>,
}

/// All made tasks, always the same ones.
pub fn make_tasks() -> Vec<MadeTask> {
    let task = |name, task_type, class, files| MadeTask { name, task_type, class, protocol: "", files };
    vec![
        MadeTask {
            protocol: "legacy = true",
            ..task("MadeSetsClustering", "Clustering", "AbsTaskClusteringLegacy", sets())
        },
        task("MadeMultilabel", "MultilabelClassification", "AbsTaskMultilabelClassification", multilabel()),
        task("MadePairs", "PairClassification", "AbsTaskPairClassification", pairs()),
        task("MadeSummaries", "Summarization", "AbsTaskSummarization", summaries()),
        task("MadeReranking", "Reranking", "AbsTaskRetrieval", reranking()),
        task("MadeInstructions", "InstructionReranking", "InstructionReranking", instructions()),
    ]
}

/// A linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn sentence(&mut self) -> String {
        const WORDS: [&str; 16] = [
            "harga",
            "beras",
            "naik",
            "di",
            "pasar",
            "kota",
            "warga",
            "minta",
            "bantuan",
            "kepada",
            "dinas",
            "sosial",
            "dan",
            "pemerintah",
            "daerah",
            "setempat",
        ];
        let words: Vec<&str> = (0..12).map(|_| WORDS[self.below(16) as usize]).collect();
        format!("{} {}", words.join(" "), self.below(1_000_000_000))
    }

    fn sentences(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.sentence()).collect()
    }
}

fn file(config: &'static str, split: &'static str, rows: Vec<Value>) -> DataFile {
    DataFile { config, split, rows }
}

/// Labels of a set.
const LABELS: u64 = 20;

/// Ten sets of 2000 sentences with 20 labels.
fn sets() -> Vec<DataFile> {
    let mut numbers = Numbers(1);
    vec![file("default", "test", (0..10).map(|_| set(&mut numbers, 2000)).collect())]
}

fn set(numbers: &mut Numbers, count: usize) -> Value {
    let sentences = numbers.sentences(count);
    let labels: Vec<u64> = (0..count).map(|_| numbers.below(LABELS)).collect();
    json!({"sentences": sentences, "labels": labels})
}

/// Writes the row of a set of so many sentences, always the same one, without ever holding it.
pub fn write_set(mut out: impl io::Write, count: usize) -> io::Result<()> {
    let mut numbers = Numbers(7);
    write!(out, "{{\"sentences\": [")?;
    for place in 0..count {
        write!(out, "{}{}", if place == 0 { "" } else { ", " }, json!(numbers.sentence()))?;
    }
    write!(out, "], \"labels\": [")?;
    for place in 0..count {
        write!(out, "{}{}", if place == 0 { "" } else { ", " }, numbers.below(LABELS))?;
    }
    writeln!(out, "]}}")?;
    out.flush()
}

/// Rows with one to three of 12 labels; more to predict than the cap, so that some are drawn.
fn multilabel() -> Vec<DataFile> {
    let mut numbers = Numbers(2);
    let mut row = || {
        let mut labels: Vec<u64> = (0..=numbers.below(3)).map(|_| numbers.below(12)).collect();
        labels.sort_unstable();
        labels.dedup();
        json!({"text": numbers.sentence(), "label": labels})
    };
    let mut rows = |count| (0..count).map(|_| row()).collect();
    vec![file("default", "train", rows(2000)), file("default", "test", rows(4000))]
}

fn pairs() -> Vec<DataFile> {
    let mut numbers = Numbers(3);
    let mut pair = || {
        let (left, right) = (numbers.sentence(), numbers.sentence());
        json!({"sentence1": left, "sentence2": right, "labels": numbers.below(2)})
    };
    vec![file("default", "test", (0..8000).map(|_| pair()).collect())]
}

/// 100 documents with 11 human and 16 machine summaries.
fn summaries() -> Vec<DataFile> {
    let mut numbers = Numbers(4);
    let mut document = || {
        let relevance: Vec<f64> = (0..16).map(|_| 1.0 + numbers.below(9) as f64 / 2.0).collect();
        json!({
            "text": numbers.sentence(),
            "human_summaries": numbers.sentences(11),
            "machine_summaries": numbers.sentences(16),
            "relevance": relevance,
        })
    };
    vec![file("default", "test", (0..100).map(|_| document()).collect())]
}

/// 400 queries with 50 candidates each, of 10 000 documents.
fn reranking() -> Vec<DataFile> {
    let mut numbers = Numbers(5);
    let ids: Vec<String> = (0..400).map(|query| format!("q{query}")).collect();
    make_searches(&mut numbers, &ids, 50)
}

/// 40 topics with an original and a changed instruction, 500 candidates each, of 10 000 documents.
fn instructions() -> Vec<DataFile> {
    let mut numbers = Numbers(6);
    let both = |topic: usize| ["og", "changed"].map(|form| format!("{topic}-{form}"));
    let ids: Vec<String> = (0..40).flat_map(both).collect();
    let mut files = make_searches(&mut numbers, &ids, 500);
    let lists = files.iter().find(|file| file.config == "top_ranked").map(|file| file.rows.clone());
    let changed = (0..40).zip(lists.unwrap_or_default().into_iter().step_by(2)).map(|(topic, list)| {
        let documents: Vec<&Value> = list["corpus-ids"].as_array().into_iter().flatten().take(5).collect();
        json!({"query-id": topic.to_string(), "corpus-ids": documents})
    });
    let changed = changed.collect();
    let instruction = |id: &String| json!({"query-id": id, "instruction": numbers.sentence()});
    files.push(file("instruction", "test", ids.iter().map(instruction).collect()));
    files.push(file("qrel_diff", "qrel_diff", changed));
    files
}

/// Queries with `candidates` candidates; the first five are relevant. The two forms of a topic share their list.
fn make_searches(numbers: &mut Numbers, ids: &[String], candidates: u64) -> Vec<DataFile> {
    const DOCUMENTS: u64 = 10_000;
    let corpus = (0..DOCUMENTS)
        .map(|document| json!({"id": format!("d{document}"), "title": "", "text": numbers.sentence()}));
    let corpus = corpus.collect();
    let queries: Vec<Value> = ids.iter().map(|id| json!({"id": id, "text": numbers.sentence()})).collect();
    let (mut judgements, mut lists) = (Vec::new(), Vec::new());
    for (place, id) in ids.iter().enumerate() {
        let topic = if id.contains('-') { place / 2 } else { place } as u64;
        let document = |candidate: u64| format!("d{}", (topic * 7919 + candidate * 13) % DOCUMENTS);
        let listed: Vec<String> = (0..candidates).map(document).collect();
        let relevant = listed.iter().take(5);
        judgements
            .extend(relevant.map(|document| json!({"query-id": id, "corpus-id": document, "score": 1})));
        lists.push(json!({"query-id": id, "corpus-ids": listed}));
    }
    vec![
        file("corpus", "test", corpus),
        file("queries", "test", queries),
        file("default", "test", judgements),
        file("top_ranked", "test", lists),
    ]
}

//! The gate of data: the bundled pack passes, and each kind of fault that is planted in a copy of one of its sets is found.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, root};
use serde_json::{Value, json};

const REVIEWS: &str = "IndonesianReviewSentiment";
const PAIRS: &str = "IndonesianGeneralSTS";
const LAW: &str = "IndonesianLawRetrieval";
const CANDIDATES: &str = "IndonesianHowToReranking";
const INSTRUCTIONS: &str = "IndonesianInstructionRetrieval";

#[test]
fn the_bundled_pack_passes() {
    let folder = tempfile::tempdir().unwrap();
    let gate = Run::of(host(folder.path()).args(["validate", "--data", "indonesia", "--json"])).unwrap();
    let report = gate.json().unwrap();
    let tasks = report["tasks"].as_array().unwrap();
    let faults: Vec<&Value> = tasks.iter().flat_map(faults_of).collect();
    assert_eq!((gate.code, gate.stderr.as_str(), faults), (Some(0), "", vec![]));
    for task in tasks {
        assert_eq!(task["examined"][0]["declared"], json!(true), "{}", task["task"]);
    }
}

#[test]
fn a_copy_without_faults_passes() {
    for task in [REVIEWS, PAIRS, LAW, CANDIDATES, INSTRUCTIONS] {
        let copy = Copy::of(task);
        let gate = copy.gate(&[]);
        // A copy has the name of a task of the host, which is warned about.
        assert!(gate.stderr.lines().all(|line| line.starts_with("warning: ")), "{}", gate.stderr);
        assert_eq!((gate.code, gate.stderr.lines().count()), (Some(0), 1), "{task}: {}", gate.stderr);
        assert!(gate.stdout.contains(task), "{}", gate.stdout);
    }
}

#[test]
fn a_duplicate_is_found() {
    let copy = Copy::of(REVIEWS);
    let row = copy.append("test", &copy.rows("test")[2]);
    copy.finds("duplicates", &[("test", 3), ("test", row)], "the same text: “");
}

#[test]
fn a_near_duplicate_is_found() {
    let copy = Copy::of(REVIEWS);
    let mut twin = copy.rows("test")[2].clone();
    twin["text"] = json!(format!("{} banget", twin["text"].as_str().unwrap()));
    let row = copy.append("test", &twin);
    copy.finds("near duplicates", &[("test", 3), ("test", row)], "nearly the same text (similarity 0.9");
}

#[test]
fn training_rows_among_the_evaluation_rows_are_found() {
    let copy = Copy::of(REVIEWS);
    let row = copy.append("train", &copy.rows("test")[4]);
    copy.finds("train/test overlap", &[("test", 5), ("train", row)], "the same text: “");
    copy.change_card("[quality]", "[quality]\nmax_similarity = 1.0");
    copy.without_quality();
    let gate = copy.gate(&[]);
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
    let line =
        format!("1 training text among the evaluation texts, the first in test row 5 and train row {row}: ");
    assert!(gate.stderr.contains(&line), "{}", gate.stderr);
}

#[test]
fn a_template_is_found() {
    let copy = Copy::of(REVIEWS);
    let filled = [
        ("sandal", "Kupang"),
        ("payung", "Ambon"),
        ("kipas", "Ende"),
        ("wajan", "Tegal"),
        ("tikar", "Palu"),
        ("panci", "Solo"),
        ("bantal", "Medan"),
        ("ember", "Jambi"),
        ("piring", "Bima"),
        ("lampu", "Garut"),
        ("gayung", "Bogor"),
        ("tampah", "Kudus"),
        ("talenan", "Manado"),
        ("saringan", "Kendari"),
    ];
    let mut rows = Vec::new();
    for (index, (thing, city)) in filled.into_iter().enumerate() {
        let text = format!(
            "Baru beli {thing} di {city} seharga {} ribu, ternyata barangnya cepat rusak.",
            20 + index
        );
        rows.push(("test", copy.append("test", &json!({ "text": text, "label": "netral" }))));
    }
    copy.finds(
        "template",
        &rows,
        "with the same skeleton, found 14 with “baru beli _ di _ seharga _ ribu ternyata barangnya cepat rusak”",
    );
}

#[test]
fn labels_out_of_balance_are_found() {
    let copy = Copy::of(REVIEWS);
    let mut changed = 0;
    copy.change("test", |row| {
        if row["label"] == "netral" && changed < 40 {
            row["label"] = json!("positif");
            changed += 1;
        }
    });
    copy.finds("label balance", &[], "rows with the label “positif” in test, found 240");
    copy.finds("label balance", &[], "rows with the label “netral” in test, found 160");
}

#[test]
fn labels_that_are_unknown_or_missing_are_found() {
    let copy = Copy::of(REVIEWS);
    let unknown = copy
        .append("test", &json!({ "text": "Kuahnya bening tapi gurihnya ke mana-mana.", "label": "lumayan" }));
    let missing = copy.append(
        "test",
        &json!({ "text": "Kasirnya hafal nama semua langganan di gang ini.", "label": null }),
    );
    copy.finds("labels", &[("test", unknown)], "expected labels that the card declares, found “lumayan”");
    copy.finds(
        "data",
        &[("test", missing)],
        "expected a label: a text, a whole number or a boolean, found null",
    );
    copy.change("test", |row| row["label"] = json!("positif"));
    copy.finds("labels", &[], "expected at least two different labels in test, found only “positif”");
}

#[test]
fn another_language_is_found() {
    let copy = Copy::of(REVIEWS);
    let text = "The noodles were cold, the waiter was rude, and nobody came when we asked for the bill.";
    let row = copy.append("test", &json!({ "text": text, "label": "negatif" }));
    copy.finds("language", &[("test", row)], "expected a text in ind in `text`, found eng: “The noodles");
}

#[test]
fn an_empty_text_is_found() {
    let copy = Copy::of(REVIEWS);
    let row = copy.append("test", &json!({ "text": "  ", "label": "netral" }));
    copy.finds("empty texts", &[("test", row)], "expected a text in `text`, found an empty one");
    assert!(!copy.gate(&[]).stderr.contains("scored as they are"), "the fault says it");
    copy.without_quality();
    let (gate, note) = (copy.gate(&[]), "empty texts in `text`, which are scored as they are: 1 of");
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
    assert!(gate.stderr.contains(note), "{}", gate.stderr);
}

#[test]
fn a_set_that_is_too_small_and_texts_of_other_lengths_are_found() {
    let copy = Copy::of(REVIEWS);
    copy.change_card("test = 600", "test = 4000");
    copy.finds("records", &[], "expected at least 4000 rows in test, found 600");
    let row = copy.append("test", &json!({ "text": "Enak.", "label": "positif" }));
    copy.finds("lengths", &[("test", row)], "characters in `text`, found 5: “Enak.”");
}

#[test]
fn words_that_repeat_too_often_are_found() {
    let copy = Copy::of(REVIEWS);
    copy.change_card("[quality]", "[quality]\nmin_type_token_ratio = 0.9");
    copy.finds(
        "type-token ratio",
        &[],
        "expected a type-token ratio of at least 0.9 in `text` of test, found 0.",
    );
}

#[test]
fn a_part_of_the_scale_without_scores_is_found() {
    let copy = Copy::of(PAIRS);
    copy.change("test", |row| {
        if (1.0..2.0).contains(&row["score"].as_f64().unwrap()) {
            row["score"] = json!(0.5);
        }
    });
    copy.finds("score coverage", &[], "scores from 1 to 2, found 0");
}

#[test]
fn a_score_outside_the_scale_and_a_pair_of_the_same_text_are_found() {
    let copy = Copy::of(PAIRS);
    let text = "Kapal terakhir ke Pulau Sebuku berangkat sebelum magrib.";
    let row = copy.append("test", &json!({ "sentence1": text, "sentence2": text, "score": 7.0 }));
    copy.finds("duplicates", &[("test", row)], "the two texts are the same");
    let other = "Dermaga yang lama sepi sejak jembatan itu dibuka.";
    let again = copy.append("test", &json!({ "sentence1": text, "sentence2": other, "score": 1.0 }));
    copy.finds("duplicates", &[("test", row), ("test", again)], "the same text in `sentence1`: “");
    copy.finds("scores", &[("test", row)], "expected a score from 0 to 5, found 7");
    copy.without_quality();
    let gate = copy.gate(&[]);
    assert_eq!(gate.code, Some(0), "a run takes it, too: {}", gate.stderr);
    assert!(
        gate.stderr.contains("expected gold scores from 0 to 5, found 1 outside, the first: 7"),
        "{}",
        gate.stderr
    );
}

#[test]
fn a_query_without_the_top_grade_is_found() {
    let copy = Copy::of(LAW);
    copy.change("qrels", |row| {
        if row["query-id"] == "q-007" && row["score"] == 2 {
            row["score"] = json!(1);
        }
    });
    copy.finds("grades", &[("queries", 7)], "expected a document with grade 2 for query q-007, found none");
}

#[test]
fn a_query_without_judgements_is_found() {
    let copy = Copy::of(LAW);
    let query = json!({ "_id": "q-999", "text": "boleh gak ijazah ditahan kantor sampai kontrak habis" });
    let row = copy.append("queries", &query);
    copy.finds("judgements", &[("queries", row)], "expected judgements of query q-999, found none");
}

#[test]
fn ids_that_lead_nowhere_or_are_there_twice_are_found() {
    let copy = Copy::of(LAW);
    let document = copy.append("qrels", &json!({ "query-id": "q-001", "corpus-id": "d-9999", "score": 1 }));
    let query = copy.append("qrels", &json!({ "query-id": "q-999", "corpus-id": "d-0001", "score": 1 }));
    copy.finds(
        "ids",
        &[("qrels", document)],
        "expected the id of a document, found d-9999, which no document has",
    );
    copy.finds("ids", &[("qrels", query)], "expected the id of a query, found q-999, which no query has");
    let mut twin = copy.rows("corpus")[0].clone();
    twin["text"] =
        json!("Peringatan itu ditempel di loket dan tidak pernah dicabut, meskipun aturannya sudah diganti.");
    let row = copy.append("corpus", &twin);
    copy.finds(
        "data",
        &[("corpus", row)],
        "expected an id of its own, found “d-0001”, the id of data/corpus.jsonl, line 1",
    );
}

#[test]
fn a_list_of_candidates_that_is_too_short_is_found() {
    let copy = Copy::of(CANDIDATES);
    copy.change("top_ranked", |row| {
        if row["query-id"] == "q001" {
            row["corpus-ids"].as_array_mut().unwrap().pop();
        }
    });
    copy.finds("candidates", &[("top_ranked", 1)], "expected at least 20 different candidates, found 19");
}

#[test]
fn an_instruction_that_does_not_change_is_found() {
    let copy = Copy::of(INSTRUCTIONS);
    let first = copy.rows("instruction")[0]["instruction"].clone();
    copy.change("instruction", |row| {
        if row["query-id"] == "t001-changed" {
            row["instruction"] = first.clone();
        }
    });
    copy.finds("duplicates", &[("instruction", 1), ("instruction", 2)], "the two texts are the same");
}

#[test]
fn a_task_can_be_named_and_an_unknown_name_is_an_error_of_usage() {
    let folder = tempfile::tempdir().unwrap();
    let gate = |name: &str| Run::of(host(folder.path()).args(["validate", "--data", name])).unwrap();
    let named = gate(PAIRS);
    assert_eq!((named.code, named.stderr.as_str()), (Some(0), ""));
    assert!(named.stdout.contains("test.sentence1"), "{}", named.stdout);
    let unknown = gate("IndonesianNothing");
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.stderr.contains("expected the name of a task, found: IndonesianNothing"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn a_table_of_quality_that_cannot_be_met_is_a_fault_of_the_card() {
    let copy = Copy::of(REVIEWS);
    copy.change_card("[quality]", "[quality]\nmax_similarity = 1.5\ntop_grade = 3");
    let gate = copy.gate(&[]);
    assert_eq!(gate.code, Some(2));
    assert!(gate.stderr.contains("card.toml:"), "{}", gate.stderr);
    assert!(gate.stderr.contains("expected a number from 0 to 1, found 1.5"), "{}", gate.stderr);
    assert!(
        gate.stderr.contains("a task of type Classification has no option `top_grade`"),
        "{}",
        gate.stderr
    );
}

/// A set of the pack in a folder of its own, with a card that names its files.
struct Copy {
    task: &'static str,
    folder: tempfile::TempDir,
}

impl Copy {
    fn of(task: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let pack = root().join("indonesia");
        fs::create_dir(folder.path().join("data")).unwrap();
        let mut parts = String::new();
        for file in fs::read_dir(pack.join("data").join(task)).unwrap() {
            let file = file.unwrap().path();
            let (stem, name) = (file.file_stem().unwrap().to_str().unwrap(), file.file_name().unwrap());
            fs::copy(&file, folder.path().join("data").join(name)).unwrap();
            if !["test", "train"].contains(&stem) {
                parts += &format!("parts.{stem}.file = \"{stem}.jsonl\"\n");
            }
        }
        let card = fs::read_to_string(pack.join("cards").join(format!("{task}.toml"))).unwrap();
        let own = card.replace("plugin = \"indonesia\"\n", &format!("path = \"data\"\n{parts}"));
        fs::write(folder.path().join("card.toml"), own).unwrap();
        Self { task, folder }
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn rows(&self, part: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.file(&format!("data/{part}.jsonl"))).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn write(&self, part: &str, rows: &[Value]) {
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(self.file(&format!("data/{part}.jsonl")), lines).unwrap();
    }

    /// Gives the number of the new row.
    fn append(&self, part: &str, row: &Value) -> usize {
        let mut rows = self.rows(part);
        rows.push(row.clone());
        self.write(part, &rows);
        rows.len()
    }

    fn change(&self, part: &str, change: impl FnMut(&mut Value)) {
        let mut rows = self.rows(part);
        rows.iter_mut().for_each(change);
        self.write(part, &rows);
    }

    fn change_card(&self, from: &str, to: &str) {
        let card = fs::read_to_string(self.file("card.toml")).unwrap();
        assert!(card.contains(from), "{card}");
        fs::write(self.file("card.toml"), card.replace(from, to)).unwrap();
    }

    fn without_quality(&self) {
        let card = fs::read_to_string(self.file("card.toml")).unwrap();
        let (before, _) = card.split_once("[quality]").unwrap();
        fs::write(self.file("card.toml"), before).unwrap();
    }

    fn gate(&self, more: &[&str]) -> Run {
        let folder: &Path = self.folder.path();
        Run::of(host(folder).args(["validate", "--data", "card.toml"]).args(more)).unwrap()
    }

    /// The gate ends with exit code 1 and says what is wrong in which rows.
    fn finds(&self, check: &str, rows: &[(&str, usize)], message: &str) {
        let gate = self.gate(&["--json"]);
        assert_eq!(gate.code, Some(1), "{}", gate.stderr);
        let report = gate.json().unwrap();
        let rows: Vec<Value> = rows.iter().map(|(part, row)| json!({ "part": part, "row": row })).collect();
        let faults = faults_of(&report["tasks"][0]);
        let is_it = |fault: &&Value| {
            let text =
                format!("{}; {}", fault["message"].as_str().unwrap(), fault["advice"].as_str().unwrap());
            fault["check"] == check && fault["rows"] == json!(rows) && text.contains(message)
        };
        assert!(faults.iter().any(is_it), "expected {check} in {rows:?}: {message}, found {faults:#?}");
        let said = self.gate(&[]).stderr;
        assert!(said.contains(&format!("error: {}, split test", self.task)), "{said}");
        assert!(said.contains(message.split("; ").next().unwrap()), "{said}");
    }
}

fn faults_of(task: &Value) -> Vec<&Value> {
    let examined = task["examined"].as_array().unwrap();
    examined.iter().flat_map(|one| one["faults"].as_array().unwrap()).collect()
}

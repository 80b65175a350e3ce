//! Every layout of a dataset, read as cards say.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_registry::{Origin, RegistrySource, TaskEntry, TaskPattern};
use mteb_tasks::{Corpus, Part, Unit};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

/// A dataset in a folder `data` beside its card.
struct Given {
    folder: TempDir,
    entry: TaskEntry,
    sources: DataSources,
}

fn given(task_type: &str, rest: &str, files: &[(&str, &str)]) -> Given {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    let languages = if rest.contains("[subsets") { "" } else { "languages = [\"ind-Latn\"]\n" };
    let text = format!(
        "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\n{languages}[dataset]\npath = \"data\"\n{rest}"
    );
    let card = TaskCard::from_toml(&text).unwrap();
    let file = folder.path().join("card.toml");
    let (origin, home) = (Origin::File(file.clone()), RegistrySource::File(file));
    let entry = TaskEntry {
        card: Arc::new(card),
        origin,
        registry: "r".to_owned(),
        home,
        taken: TaskPattern::default(),
        members: Vec::new(),
    };
    Given { folder, entry, sources: sources(false) }
}

fn sources(update_lock: bool) -> DataSources {
    let settings = Settings::new(Vec::new(), None, None, true);
    DataSources::new(Settings { update_lock, ..settings }, &Catalog::default())
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join("data").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

impl Given {
    fn unit(&mut self, split: &str, subset: &str) -> Result<Unit, String> {
        let unit = self.sources.read_whole(&self.entry, split, subset).map_err(|error| error.to_string());
        unit.map_err(|error| error.replace(&format!("{}/", self.folder.path().display()), ""))
    }

    /// The cells of a column of a part.
    fn cells(&mut self, split: &str, subset: &str, part: Part, column: &str) -> Value {
        let unit = self.unit(split, subset).unwrap();
        let column = unit.part(part).unwrap().column(column).unwrap();
        (0..column.len()).map(|row| column.value(row)).collect()
    }
}

fn readme(configs: &[(&str, &[(&str, &str)])]) -> String {
    let mut text = "---\nconfigs:\n".to_owned();
    for (name, splits) in configs {
        text.push_str(&format!("- config_name: {name}\n  data_files:\n"));
        for (split, path) in *splits {
            text.push_str(&format!("  - split: {split}\n    path: {path}\n"));
        }
    }
    text + "---\n"
}

#[test]
fn a_config_a_subset_may_name_its_two_columns_and_its_first_rows() {
    let mut bible = given(
        "BitextMining",
        "first_rows = 2\n[subsets]\nind_Latn-eng_Latn = { languages = [\"ind-Latn\", \"eng-Latn\"], config = \"eng-ind\", \
         columns = [\"ind\", \"eng\"] }\n",
        &[
            ("README.md", &readme(&[("eng-ind", &[("train", "a.csv")])])),
            ("a.csv", "eng,ind\none,satu\ntwo,dua\nthree,tiga\n"),
        ],
    );
    let cells = bible.cells("train", "ind_Latn-eng_Latn", Part::Rows, "sentence1");
    assert_eq!(cells, json!(["satu", "dua"]));
    assert_eq!(bible.cells("train", "ind_Latn-eng_Latn", Part::Rows, "sentence2"), json!(["one", "two"]));
}

#[test]
fn splits_are_the_values_of_a_column() {
    let mut concepts = given(
        "Clustering",
        "columns = { sentences = \"item\", labels = \"kind\" }\n\
         [dataset.parts.rows]\nsplit = \"train\"\nkeep = { study = [\"{split}\"] }\n",
        &[("train.csv", "item,kind,study\nrobin,bird,a\nchair,thing,b\nwren,bird,a\n")],
    );
    assert_eq!(concepts.cells("a", "default", Part::Rows, "sentences"), json!(["robin", "wren"]));
    assert_eq!(concepts.cells("b", "default", Part::Rows, "labels"), json!(["thing"]));
}

#[test]
fn one_config_is_grouped_by_language_for_all_its_splits() {
    let mut massive = given(
        "Classification",
        "layout = \"lang-column\"\n[subsets]\nid = { languages = [\"ind-Latn\"] }\njv = { languages = [\"jav-Latn\"] }\n",
        &[
            ("train.csv", "text,label,lang\na,x,id\nb,y,jv\nc,y,id\n"),
            ("test.csv", "text,label,lang\nd,x,jv\n"),
        ],
    );
    assert_eq!(massive.cells("test", "jv", Part::Train, "text"), json!(["b"]));
    assert_eq!(massive.cells("test", "jv", Part::Rows, "text"), json!(["d"]));
    assert_eq!(
        massive.unit("test", "id").unwrap_err(),
        "data/test.csv: no rows with `lang` `id`; there is jv"
    );
}

#[test]
fn parallel_columns_become_pairs() {
    let mut ntrex = given(
        "BitextMining",
        "layout = \"parallel-columns\"\n[subsets]\nind_Latn-eng_Latn = { languages = [\"ind-Latn\", \"eng-Latn\"] }\n",
        &[("test.csv", "eng_Latn,ind_Latn,jav_Latn\none,satu,siji\n")],
    );
    assert_eq!(ntrex.cells("test", "ind_Latn-eng_Latn", Part::Rows, "sentence1"), json!(["satu"]));
    assert_eq!(ntrex.cells("test", "ind_Latn-eng_Latn", Part::Rows, "sentence2"), json!(["one"]));
}

#[test]
fn splits_are_taken_together_in_the_order_of_the_card() {
    let mut sib = given(
        "Clustering",
        "merge_splits = { test = [\"train\", \"validation\", \"test\"] }\ncolumns = { sentences = \"text\", labels = \"category\" }\n",
        &[
            ("test.csv", "text,category\nc,x\n"),
            ("train.csv", "text,category\na,x\n"),
            ("validation.csv", "text,category\nb,y\n"),
        ],
    );
    assert_eq!(sib.cells("test", "default", Part::Rows, "sentences"), json!(["a", "b", "c"]));
    assert_eq!(sib.cells("test", "default", Part::Rows, "labels"), json!(["x", "y", "x"]));
}

#[test]
fn nested_pairs_of_one_row_stay_lists() {
    let mut sprint = given(
        "PairClassification",
        "columns = { sentence1 = \"sent1\", sentence2 = \"sent2\" }\n",
        &[("test.jsonl", "{\"sent1\": [\"a\", \"b\"], \"sent2\": [\"c\", \"d\"], \"labels\": [0, 1]}\n")],
    );
    assert_eq!(sprint.cells("test", "default", Part::Rows, "sentence2"), json!([["c", "d"]]));
}

const CORPUS: &str = "{\"_id\": \"d\", \"text\": \"isi\", \"title\": \"Judul\", \"metadata\": {}}\n";
const QUERIES: &str = "{\"_id\": \"q\", \"text\": \"apa\"}\n";
const QRELS: &str = "query-id\tcorpus-id\tscore\nq\td\t1\n";

#[test]
fn retrieval_parts_are_found_without_a_readme() {
    let mut task = given(
        "Retrieval",
        "",
        &[("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES), ("qrels/test.tsv", QRELS)],
    );
    assert_eq!(task.cells("test", "default", Part::Qrels, "query-id"), json!(["q"]));
    assert_eq!(task.cells("test", "default", Part::Corpus, "text"), json!(["isi"]));
    let (unit, corpus) = task.sources.stream(&task.entry, "test", "default").unwrap();
    assert!(unit.get(Part::Corpus).is_none() && unit.get(Part::Queries).is_some());
    let corpus = corpus.unwrap();
    let chunks: Vec<_> = corpus.open().collect();
    let chunk = chunks[0].as_ref().unwrap();
    assert_eq!((chunks.len(), chunk.rows()), (1, 1));
    assert_eq!(chunk.names().collect::<Vec<_>>(), ["_id", "text", "title"]);
}

#[test]
fn retrieval_parts_stand_behind_or_before_the_subset() {
    let files = [
        ("c.jsonl", CORPUS),
        ("q.jsonl", QUERIES),
        ("r.tsv", QRELS),
        ("n.jsonl", "{\"query-id\": \"q\", \"instruction\": \"n\"}\n"),
    ];
    for (layout, subset, configs) in [
        ("config-per-subset", "id", ["id-corpus", "id-queries", "id-qrels", "id-instruction"]),
        ("part-suffix", "eng-zho", ["corpus-zho", "queries-zho", "default-zho", "instruction-zho"]),
    ] {
        let splits: [&[(&str, &str)]; 4] = [
            &[("corpus", "c.jsonl")],
            &[("queries", "q.jsonl")],
            &[("test", "r.tsv"), ("dev", "r.tsv")],
            &[("instruction", "n.jsonl")],
        ];
        let configs: Vec<(&str, &[(&str, &str)])> = configs.into_iter().zip(splits).collect();
        let readme = readme(&configs);
        let all: Vec<(&str, &str)> = files.iter().copied().chain([("README.md", readme.as_str())]).collect();
        let config = if layout == "part-suffix" { ", config = \"zho\"" } else { "" };
        let rest = format!(
            "layout = \"{layout}\"\n[subsets]\n{subset} = {{ languages = [\"zho-Hans\"]{config} }}\n"
        );
        let mut task = given("Retrieval", &rest, &all);
        assert_eq!(task.cells("test", subset, Part::Instruction, "instruction"), json!(["n"]), "{layout}");
        assert_eq!(task.cells("test", subset, Part::Qrels, "corpus-id"), json!(["d"]), "{layout}");
        let unit = task.unit("test", subset).unwrap();
        assert!(unit.get(Part::TopRanked).is_none());
        let error = task.unit("train", subset).unwrap_err();
        assert!(error.ends_with("no split `train`; there is test, dev"), "{error}");
    }
}

#[test]
fn parts_may_be_files_with_columns_of_other_names() {
    let mut task = given(
        "Retrieval",
        "[dataset.parts.corpus]\nfile = \"docs.csv\"\ncolumns = { _id = \"nomor\", text = \"isi\" }\n\
         [dataset.parts.queries]\nconfig = \"tanya\"\n",
        &[
            ("README.md", &readme(&[("tanya", &[("dev", "q.jsonl")]), ("qrels", &[("test", "r.tsv")])])),
            ("docs.csv", "nomor,isi\nd,isi\n"),
            ("q.jsonl", QUERIES),
            ("r.tsv", QRELS),
        ],
    );
    assert_eq!(task.cells("test", "default", Part::Corpus, "_id"), json!(["d"]));
    assert_eq!(task.cells("test", "default", Part::Queries, "text"), json!(["apa"]));
    fs::remove_file(task.folder.path().join("data/docs.csv")).unwrap();
    task.sources = sources(false);
    let error = task.unit("test", "default").unwrap_err();
    assert!(
        error.ends_with("expected a file at data/docs.csv, found none; `file` is relative to the dataset"),
        "{error}"
    );
}

/// A task whose dataset is one file.
fn given_file(task_type: &str, rest: &str, name: &str, text: &str) -> Given {
    let mut task = given(task_type, rest, &[(name, text)]);
    Arc::make_mut(&mut task.entry.card).dataset.path = Some(format!("data/{name}"));
    task
}

#[test]
fn a_run_and_validate_say_alike_that_a_task_needs_several_files() {
    let mut task = given_file("Classification", "", "test.csv", "text,label\na,x\nb,y\n");
    let said = task.unit("test", "default").unwrap_err();
    let expected =
        "a task of type Classification needs several files; expected a folder, found the file data/test.csv";
    assert!(said.ends_with(expected), "{said}");
    let settings = Settings::new(Vec::new(), None, None, true);
    let faults = absent_files(&[Arc::new(task.entry)], &settings);
    let faults: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert!(matches!(faults.as_slice(), [one] if one.contains("needs several files")), "{faults:?}");
}

#[test]
fn a_task_that_holds_rows_out_may_be_one_file() {
    let rows: String = (0..8).map(|row| format!("text {row},{}\n", row % 2)).collect();
    let text = format!("text,label\n{rows}");
    let mut task = given_file("Classification", "hold_out = { share = 0.5 }\n", "test.csv", &text);
    let unit = task.unit("test", "default").unwrap();
    let rows = |part| unit.part(part).map(mteb_data::Table::rows);
    assert_eq!((rows(Part::Train).unwrap(), rows(Part::Rows).unwrap()), (4, 4));
}

#[test]
fn judgements_of_another_split_are_refused_whatever_word_it_is_called_by() {
    for word in ["dev", "testing"] {
        let mut task = given(
            "Retrieval",
            "",
            &[
                (
                    "README.md",
                    &readme(&[
                        ("corpus", &[("corpus", "c.jsonl")]),
                        ("queries", &[("queries", "q.jsonl")]),
                        ("qrels", &[(word, "r.tsv")]),
                    ]),
                ),
                ("c.jsonl", "{\"_id\": \"d\", \"text\": \"isi\"}\n"),
                ("q.jsonl", QUERIES),
                ("r.tsv", QRELS),
            ],
        );
        let error = task.unit("test", "default").unwrap_err();
        assert!(error.contains(&format!("expected the split `test`, found only `{word}`")), "{error}");
    }
}

#[test]
fn belebele_takes_passages_of_one_language_and_questions_of_the_other() {
    let configs: [(&str, &[(&str, &str)]); 2] =
        [("ind_Latn", &[("test", "i.jsonl")]), ("eng_Latn", &[("test", "e.jsonl")])];
    let row = |link: &str, passage: &str, question: &str| {
        json!({"link": link, "flores_passage": passage, "question": question}).to_string() + "\n"
    };
    let indonesian = row("l1", "satu", "apa?") + &row("l2", "dua", "siapa?") + &row("l1", "lain", "mana?");
    let english = row("l2", "two", "who?") + &row("l1", "one", "what?") + &row("l2", "two", "what?");
    let mut task = given(
        "Retrieval",
        "layout = \"belebele\"\n[subsets]\nind_Latn-eng_Latn = { languages = [\"ind-Latn\", \"eng-Latn\"] }\n",
        &[("README.md", &readme(&configs)), ("i.jsonl", &indonesian), ("e.jsonl", &english)],
    );
    let mut cells = |part, column| task.cells("test", "ind_Latn-eng_Latn", part, column);
    assert_eq!(cells(Part::Corpus, "id"), json!(["C0", "C1"]));
    assert_eq!(cells(Part::Corpus, "text"), json!(["satu", "dua"]));
    assert_eq!(cells(Part::Queries, "text"), json!(["who?", "what?"]));
    assert_eq!(cells(Part::Qrels, "query-id"), json!(["Q0", "Q1", "Q1"]));
    assert_eq!(cells(Part::Qrels, "corpus-id"), json!(["C1", "C0", "C1"]));
}

#[test]
fn a_file_that_changed_since_it_was_locked_is_refused_with_both_checksums() {
    let mut task = given("STS", "", &[("test.csv", "sentence1,sentence2,score\na,b,1\n")]);
    task.unit("test", "default").unwrap();
    task.sources = sources(true);
    task.unit("test", "default").unwrap();
    let lock = task.folder.path().join("card.lock.toml");
    let text = fs::read_to_string(&lock).unwrap();
    assert!(
        text.contains("dataset = \"./data\"\nrevision = \"1\"\npath = \"test.csv\"\nsize = 32\n"),
        "{text}"
    );

    write(task.folder.path(), "test.csv", "sentence1,sentence2,score\na,b,2\n");
    task.sources = sources(false);
    let error = task.unit("test", "default").unwrap_err();
    let locked = text.split("sha256 = \"").nth(1).unwrap().split('"').next().unwrap();
    assert!(
        error.starts_with(&format!(
            "data/test.csv: expected the SHA-256 {locked} (32 bytes) of card.lock.toml, found "
        )),
        "{error}"
    );
    assert!(
        error.ends_with(
            "(32 bytes): the file has changed; restore the earlier file, or accept it with `mteb-host run \
             --update-lock`"
        ),
        "{error}"
    );
    let unit = task.sources.read_whole_despite_lock(&task.entry, "test", "default").unwrap();
    assert_eq!(unit.part(Part::Rows).unwrap().rows(), 1);
    assert!(task.unit("test", "default").is_err(), "the lock still holds");
    task.sources = sources(true);
    task.unit("test", "default").unwrap();
    task.sources = sources(false);
    task.unit("test", "default").unwrap();
}

#[test]
fn data_may_be_read_on_a_thread_of_its_own() {
    fn is_send<T: Send>() {}
    is_send::<DataSources>();
}

//! Labels that are learned from, classes or numbers, and what `validate --data` finds in rows: labels from
//! which nothing can be learned, contradictions, Unicode forms, near duplicates across splits, and texts
//! that stand in datasets of the hub cache.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

use super::new_task::Task;

fn classification(train: &str, test: &str) -> Task {
    let files = [("data/train.csv", train), ("data/test.csv", test)];
    Task::of("Classification", "data", &files)
}

const TRAIN: &str = "text,label\nhujan deras,cuaca\ngol bola,bola\nberas,pasar\n";

#[test]
fn a_whole_number_may_be_written_as_a_float_in_one_of_two_files() {
    let task = classification("text,label\na,1\nb,1\nc,0\nd,0\n", "text,label\na x,1.0\nc x,0.0\n");
    assert_eq!(task.warning(), "");
    let declared = task.with("[quality]\nlabels = [\"0\", \"1\"]\nmax_similarity = 1.0\nmax_template_share = 1.0\nmin_type_token_ratio = 0.0\nmin_language_share = 0.0");
    let gate = declared.validate();
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
}

#[test]
fn ids_may_be_written_so_too() {
    let task = Task::of(
        "Retrieval",
        "data",
        &[
            ("data/corpus.jsonl", "{\"_id\":3.0,\"text\":\"satu\"}\n{\"_id\":4,\"text\":\"dua\"}\n"),
            ("data/queries.jsonl", "{\"_id\":1.0,\"text\":\"mana yang pertama\"}\n"),
            ("data/qrels.jsonl", "{\"query-id\":1,\"corpus-id\":3,\"score\":1}\n"),
        ],
    );
    let quality = "[quality]\nmax_similarity = 1.0\nmax_template_share = 1.0\nmin_type_token_ratio = 0.0\nmin_language_share = 0.0";
    assert_eq!(task.with(quality).warning(), "");
}

#[test]
fn labels_to_predict_that_no_training_row_has_are_refused_or_counted() {
    let none = classification(TRAIN, "text,label\nhujan,Cuaca\ngol,Bola\nharga,Pasar\n");
    insta::assert_snapshot!(none.fault(), @"T, split test, subset default: data/test.csv, column `label`: expected labels of the training rows (“bola”, “cuaca”, “pasar”), found none of them, but “Bola”, “Cuaca”, “Pasar”; correct the labels of one of the two");
    let some = classification(TRAIN, "text,label\nhujan,cuaca \ngol,bola\nharga,harga\n");
    insta::assert_snapshot!(some.warning(), @"warning: T, split test, subset default: data/test.csv, column `label`: labels that no training row has, so that no model can predict them: “cuaca ”, “harga” (2 of 3 rows)");
    let one = classification(TRAIN, "text,label\ngol,bola\nwasit,bola\n");
    insta::assert_snapshot!(one.warning(), @"warning: T, split test, subset default: data/test.csv, column `label`: expected rows to predict of at least 2 labels, found only “bola”");
}

#[test]
fn empty_cells_of_csv_are_no_label() {
    let rows = "text,label\nhujan deras,cuaca\ngol bola,bola\nberas,\nharga,\n";
    let words = classification(rows, rows);
    insta::assert_snapshot!(words.fault(), @"T, split test, subset default: data/train.csv, line 4, column `label`: expected a label, found an empty cell; 1 more row is invalid: line 5; write the label, or remove the row");
    let numbers = classification("text,label\na,1\nb,0\nc,1\n", "text,label\na x,1\nc x,\n");
    insta::assert_snapshot!(numbers.fault(), @"T, split test, subset default: data/test.csv, line 3, column `label`: expected a label, found an empty cell; write the label, or remove the row");
    let clusters = Task::of("Clustering", "c.tsv", &[("c.tsv", "sentences\tlabels\na\tx\nb\ty\nc\t\n")])
        .with("[protocol]\nmax_documents = 0");
    insta::assert_snapshot!(clusters.fault(), @"T, split test, subset default: c.tsv, line 4, column `labels`: expected a label, found an empty cell; write the label, or remove the row");
}

#[test]
fn too_few_rows_to_cluster_are_told_with_the_option() {
    let task = Task::of("Clustering", "c.tsv", &[("c.tsv", "sentences\tlabels\na\tx\nb\ty\nc\tx\n")]);
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: c.tsv: expected at least 25 rows, of which the share 0.04 (`max_fraction_of_documents`) is one to embed, found: 3; set `max_documents = 0` to embed all, or the number of rows to embed");
    let also = |rows: &str| Task::of("Clustering", "c.csv", &[("c.csv", rows)]).fault();
    insta::assert_snapshot!(also("sentences,labels\na,x\nb,\n"), @"T, split test, subset default: c.csv, line 3, column `labels`: expected a label, found an empty cell; write the label, or remove the row; c.csv: expected at least 25 rows, of which the share 0.04 (`max_fraction_of_documents`) is one to embed, found: 2; set `max_documents = 0` to embed all, or the number of rows to embed");
    let columns = also("text,label\na,x\nb,y\n");
    for said in ["no column `sentences`; ", "no column `labels`; ", "expected at least 25 rows"] {
        assert!(columns.contains(said), "{columns}");
    }
}

#[test]
fn clusters_of_one_row_each_are_refused() {
    let rows: String = (0..30).map(|row| format!("s{row},l{row}\n")).collect();
    let all = "[protocol]\nmax_documents = 0";
    let own = Task::of("Clustering", "c.csv", &[("c.csv", &format!("sentences,labels\n{rows}"))]).with(all);
    insta::assert_snapshot!(own.fault(), @"T, split test, subset default: c.csv, column `labels`: each of the 30 rows of level 0 has its own label: every model scores 1 there; give rows that belong together the same label");
    let sets = "{\"sentences\":[\"a\",\"b\"],\"labels\":[0,1]}\n{\"sentences\":[\"c\"],\"labels\":[0]}\n";
    let sets = Task::of("Clustering", "c.jsonl", &[("c.jsonl", sets)]).with("[protocol]\nlegacy = true");
    insta::assert_snapshot!(sets.fault(), @"T, split test, subset default: c.jsonl, column `labels`: each sentence of a set has its own label: every model scores 1 there; give sentences that belong together the same label");
}

#[test]
fn one_odd_label_of_a_column_is_told_of_alone() {
    let odd = classification("text,label\na,1\nb,0\nc,2\n", "text,label\na x,1\nb x,0\nc x,tiga\na b,1\n");
    insta::assert_snapshot!(odd.fault(), @"T, split test, subset default: data/test.csv, line 4, column `label`: expected a whole number like the labels before it, found a string: \"tiga\"");
    let pairs = "sentence1,sentence2,labels\na,b,1\nc,d,0\ne,f,ya\ng,h,0\n";
    let pairs = Task::of("PairClassification", "p.csv", &[("p.csv", pairs)]);
    insta::assert_snapshot!(pairs.fault(), @"T, split test, subset default: p.csv, line 4, column `labels`: expected 0 (dissimilar) or 1 (similar), found a string: \"ya\"");
}

#[test]
fn pairs_of_one_label_are_refused() {
    let task =
        Task::of("PairClassification", "p.csv", &[("p.csv", "sentence1,sentence2,labels\na,b,1\nc,d,1\n")]);
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: p.csv, column `labels`: expected pairs with 0 and pairs with 1, found only 1: every model scores the same");
}

#[test]
fn a_sample_of_one_row_is_told_from_rows_of_one_label() {
    let rows = |labels: usize| -> String {
        (0..30)
            .map(|row| format!("{{\"sentences\":\"s{row}\",\"labels\":\"l{}\"}}\n", row % labels))
            .collect()
    };
    let few = Task::of("Clustering", "data", &[("data/test.jsonl", &rows(3))]);
    insta::assert_snapshot!(few.fault(), @"T, split test, subset default: data/test.jsonl, column `labels`: 1 of 30 rows is embedded, all with one label on level 0: every model scores 1 there; set `max_documents` to embed more rows, 0 for all");
    let all = few.with("[protocol]\nmax_documents = 0");
    assert_eq!(all.warning(), "", "as the message says");
    let one = Task::of("Clustering", "data", &[("data/test.jsonl", &rows(1))])
        .with("[protocol]\nmax_documents = 0");
    insta::assert_snapshot!(one.fault(), @"T, split test, subset default: data/test.jsonl, column `labels`: all labels of level 0 are equal: every model scores 1 there");
}

#[test]
fn queries_without_candidates_are_told_without_a_model() {
    let task = Task::of(
        "Reranking",
        "data",
        &[
            ("data/corpus.jsonl", "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n"),
            ("data/queries.jsonl", "{\"_id\":\"q1\",\"text\":\"satu\"}\n{\"_id\":\"q2\",\"text\":\"dua\"}\n"),
            ("data/qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n"),
            ("data/top_ranked.jsonl", "{\"query-id\":\"q1\",\"corpus-ids\":[\"d1\",\"d2\"]}\n"),
        ],
    );
    insta::assert_snapshot!(task.warning(), @"warning: T, split test, subset default: queries without candidates, which score 0: 1, the first of them “q2”");
}

#[test]
fn a_fault_of_a_document_hides_no_document() {
    let corpus =
        "{\"_id\":\"d1\",\"title\":7,\"text\":\"satu\"}\n{\"_id\":\"d2\",\"title\":\"t\",\"text\":\"dua\"}\n";
    let queries = "{\"_id\":\"q1\",\"text\":\"satu\"}\n";
    let task =
        Task::retrieval(corpus, queries, ("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t1\n"));
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: ./corpus.jsonl, line 1, column `title`: expected a string or null, found a number: 7"#);
    let gate = task.validate().stderr;
    assert!(!gate.contains("not in the corpus"), "{gate}");
}

#[test]
fn rows_that_an_option_leaves_out_are_said_to_be() {
    let task = classification(TRAIN, TRAIN).with("keep = { label = [\"Cuaca\"] }");
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: data/test.csv: expected rows that the card's `keep` keeps, found none of 3: its column `label` holds "bola", "cuaca", "pasar""#);
}

#[test]
fn names_under_quality_are_those_of_the_task() {
    let task = classification(TRAIN, TRAIN);
    let quality = "[quality]\nrecords = { tset = 1000 }\ncharacters = { txt = [500, 600] }\nlabels = [\"bola\", \"cuaca\", \"pasar\"]\nlabel_shares = { cuacu = 0.9 }";
    let gate = task.with(quality).validate();
    assert_eq!(gate.code, Some(2));
    insta::assert_snapshot!(gate.stderr, @r"
    error: card.toml:9:20: expected one of the splits test, train, found: tset (near it: test)
    error: card.toml:10:22: expected one of the columns of texts text, found: txt (near it: text)
    error: card.toml:12:26: expected one of the `labels` bola, cuaca, pasar, found: cuacu (near it: cuaca)
    ");
    let undeclared = classification(TRAIN, TRAIN).with("[quality]\nlabel_shares = { cuacu = 0.9 }");
    let gate = undeclared.validate();
    assert!(gate.stderr.contains("rows with the label “cuacu” in test, found 0"), "{}", gate.stderr);
}

#[test]
fn lists_in_a_format_that_holds_none_are_no_labels() {
    let rows = "sentences,labels\na b,\"[0, 0]\"\nc d,\"[0, 1]\"\ne f,\"[1, 0]\"\ng h,\"[1, 1]\"\n";
    let task = Task::of("Clustering", "d", &[("d/test.csv", rows)]).with("[protocol]\nmax_documents = 0");
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: d/test.csv, line 2, column `labels`: expected a label, found a string: "[0, 0]"; 3 more rows are invalid: lines 3, 4, 5; CSV and TSV cannot hold lists: write the rows as JSON lines"#);
    let of = |label: &str| {
        let rows = |[first, second, third]: [&str; 3]| {
            format!("text,label\n{first},\"['x']\"\n{second},\"['z']\"\n{third},\"{label}\"\n")
        };
        classification(&rows(["a b", "c d", "e f"]), &rows(["a", "d", "e"]))
    };
    assert!(of("['y']").fault().contains("CSV and TSV cannot hold lists"));
    assert_eq!(of("[UNK]").warning(), "", "a text in brackets is a label");
}

/// A classification with these training and test rows.
fn make_task(train: &str, test: &str) -> Task {
    let header = "text,label\n";
    let rows = |text: &str| format!("{header}{text}");
    Task::of("Classification", ".", &[("train.csv", &rows(train)), ("test.csv", &rows(test))])
}

#[test]
fn contradictions_of_rows_are_warned_of() {
    let train =
        "hujan turun lagi,0\nmacet lagi di kota,1\nudara dingin pagi ini,0\njembatan ditutup besok,1\n";
    let test = "angin kencang sekali,0\nHujan turun  lagi,1\ntruk mogok di tol,1\ncerah sepanjang hari,0\n";
    let gate = make_task(train, test).validate();
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
    let expected = "1 text has rows that contradict each other, the first in test row 3 and train row 2: the same text with the labels \
                    0 and 1: “hujan turun lagi”";
    assert!(gate.stderr.contains(expected), "{}", gate.stderr);
}

#[test]
fn rows_repeated_in_another_unicode_form_and_leaked_ones_are_found() {
    let train = "cafe\u{301} di kota ramai,1\nrumah makan sepi,0\nbioskop penuh,1\ntaman kosong,0\n";
    let test = "café di kota ramai,1\nnaïve sekali dia,0\nnai\u{308}ve sekali dia,0\npasar tutup,1\n";
    let gate = make_task(train, test).validate();
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
    assert!(gate.stderr.contains("1 training text among the evaluation texts"), "{}", gate.stderr);
    assert!(
        gate.stderr.contains("letters of `text` are written in several Unicode forms: 1 of 3 texts"),
        "{}",
        gate.stderr
    );
    let declared = make_task(train, test).with("[quality]\nother_languages = [\"eng\"]").validate();
    assert_eq!(declared.code, Some(1));
    assert!(declared.stderr.contains("written in several Unicode forms"), "{}", declared.stderr);
}

#[test]
fn near_duplicates_across_splits_are_found_in_scripts_without_spaces() {
    let train =
        "วันนี้อากาศดีมากที่กรุงเทพมหานครและปริมณฑล,1\nรถติดมากบนถนนสายหลัก,0\nฝนตกหนักทางภาคใต้,1\nสะพานปิดซ่อมพรุ่งนี้,0\n";
    let test = "วันนี้อากาศดีมากที่กรุงเทพมหานครและปริมณฑลๆ,1\nรถเสียกลางทางด่วน,0\nลมแรงทั้งวัน,1\nถนนลื่นระวัง,0\n";
    let gate = make_task(train, test).validate();
    assert_eq!(gate.code, Some(0), "{}", gate.stderr);
    assert!(
        gate.stderr.contains("1 evaluation text is nearly the same as training texts"),
        "{}",
        gate.stderr
    );
}

#[test]
fn evaluation_texts_in_datasets_of_the_hub_cache_are_named_offline() {
    let test = "Harga beras di pasar tradisional Jakarta naik lagi pada pekan ini karena hujan.,1\nIa pergi ke pasar bersama ibunya pada hari Minggu pagi yang cerah.,0\n";
    let train = "hujan turun lagi,1\nmacet lagi di kota,0\n";
    let task = make_task(train, test);
    let cached = "hub-cache/datasets--org--news/snapshots/0123456789012345678901234567890123456789";
    let rows = "{\"body\": \"BERITA: harga beras di pasar tradisional Jakarta naik lagi, pada pekan ini, karena hujan! Demikian.\"}\n";
    task.write(&format!("{cached}/data/train.jsonl"), rows);
    task.write(
        "hub-cache/datasets--org--other/snapshots/1/train.jsonl",
        "{\"body\": \"lain sama sekali\"}\n",
    );
    let gate = |more: &[&str]| {
        let mut command = host(task.folder());
        command.env("HF_HUB_CACHE", task.folder().join("hub-cache")).args([
            "validate",
            "--data",
            "card.toml",
        ]);
        Run::of(command.args(more)).unwrap()
    };
    let found = gate(&["--contamination", "--offline"]);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    let expected = "T: 1 of 2 evaluation texts are in the dataset org/news of the hub cache, the first: split test, subset default, row 2";
    assert!(found.stderr.contains(expected), "{}", found.stderr);
    assert!(found.stderr.contains("compared with 2 datasets"), "{}", found.stderr);
    let json = gate(&["--contamination", "--json"]).json().unwrap();
    assert_eq!(
        (&json["contamination"][0]["dataset"], &json["contamination"][0]["found"]),
        (&"org/news".into(), &1.into())
    );
    assert!(!gate(&[]).stderr.contains("org/news"));
    fs::write(task.folder().join(cached).join("data/train.jsonl"), "{\"body\": ").unwrap();
    let damaged = gate(&["--contamination"]);
    assert!(damaged.stderr.contains("org/news: a file is not compared: "), "{}", damaged.stderr);
}

/// A card of a regression with these lines at its top, and texts whose value is their number of words.
fn write(folder: &Path, lines: &str) {
    let card = format!(
        "schema = 1\nname = \"Lengths\"\ntype = \"Regression\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n{lines}[dataset]\npath = \"data\"\n"
    );
    fs::write(folder.join("card.toml"), card).unwrap();
    fs::create_dir_all(folder.join("data")).unwrap();
    let rows = |first: usize, count: usize| -> String {
        let text = |row: usize| {
            (0..=row % 9).map(|word| format!("kata{} ", row * 7 % (word + 5))).collect::<String>()
        };
        let rows = (first..first + count).map(|row| format!("{}{row},{}\n", text(row), row % 9 + 1));
        format!("text,value\n{}", rows.collect::<String>())
    };
    fs::write(folder.join("data/train.csv"), rows(0, 120)).unwrap();
    fs::write(folder.join("data/test.csv"), rows(120, 50)).unwrap();
}

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments).args(["--registry", "card.toml"])).unwrap()
}

#[test]
fn a_number_is_predicted_of_each_text_and_outcomes_add_up_to_the_scores() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "");
    for model in ["hashing", "random"] {
        let run = of(folder.path(), &["run", "--json", "--outcomes", "--model", model]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    }
    let file = folder.path().join("results/mteb__baseline-random-encoder/2/Lengths.json");
    let result: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let entry = &result["scores"]["test"][0];
    let keys: Vec<&str> = entry.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[..6], ["scores_per_experiment", "mse", "mae", "r2", "kendalltau", "rmse"]);
    assert_eq!(
        (entry["scores_per_experiment"].as_array().unwrap().len(), &entry["main_score"]),
        (10, &entry["kendalltau"])
    );
    let compared = of(folder.path(), &["compare", "hashing", "mteb/baseline-random-encoder", "--json"]);
    assert_eq!(compared.code, Some(0), "{}", compared.stderr);
    assert!(compared.stdout.contains("spearman"), "{}", compared.stdout);
    let board = of(folder.path(), &["leaderboard"]);
    assert!(board.stdout.contains("Regression"), "{}", board.stdout);
}

#[test]
fn no_measure_of_which_less_is_better_stands_for_a_task() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "main_score = \"mse\"\n");
    let run = Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap();
    let expected = "card.toml:6:14: expected a score of Regression, such as kendalltau, found: mse";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    write(folder.path(), "main_score = \"r2\"\n");
    assert_eq!(Run::of(host(folder.path()).args(["validate", "--data", "card.toml"])).unwrap().code, Some(0));
}

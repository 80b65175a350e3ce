//! What cards change in rows, beside what the reference makes of the same rows.

use std::collections::BTreeMap;

use mteb_card::TaskCard;
use mteb_data::{DataError, Table, read_json_lines};
use mteb_tasks::Part;
use serde_json::{Value, json};

use super::{choose, shape, transform_together};

fn card(task_type: &str, dataset: &str) -> TaskCard {
    let text = format!(
        "schema = 1\nname = \"T\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"p\"\n{dataset}"
    );
    TaskCard::from_toml(&text).unwrap()
}

fn table(rows: Value) -> Table {
    let lines: Vec<String> = rows.as_array().unwrap().iter().map(Value::to_string).collect();
    read_json_lines("f.jsonl", lines.join("\n").as_bytes()).unwrap()
}

fn column(table: &Table, name: &str) -> Value {
    let column = table.column(name).unwrap();
    (0..table.rows()).map(|row| column.value(row)).collect()
}

fn transform(table: Table, card: &TaskCard) -> Result<Table, DataError> {
    choose(shape(table, card)?, card)
}

#[test]
fn columns_are_joined_renamed_and_filtered_before_labels_are_replaced() {
    let card = card(
        "Classification",
        "join = { text = [\"question\", \"answer\"] }\ncolumns = { label = \"kelas\" }\nkeep = { lang = [\"ind\"] }\n\
         drop = { label = [\"lain\"] }\nlabel_map = { baik = 1, buruk = 0 }\n",
    );
    let rows = json!([
        {"question": "apa?", "answer": "ini", "kelas": "baik", "lang": "ind"},
        {"question": "who?", "answer": "me", "kelas": "unknown", "lang": "eng"},
        {"question": "siapa?", "answer": "itu", "kelas": "lain", "lang": "ind"},
        {"question": "mana?", "answer": "sana", "kelas": "buruk", "lang": "ind"},
    ]);
    let changed = transform(table(rows), &card).unwrap();
    assert_eq!(column(&changed, "text"), json!(["apa? ini", "mana? sana"]));
    assert_eq!(column(&changed, "label"), json!([1, 0]));
    assert_eq!(changed.location(1), "f.jsonl, line 4");
}

#[test]
fn a_label_without_entry_in_the_map_is_named_with_its_line() {
    let card = card("Classification", "label_map = { a = 1 }\n");
    let error = transform(table(json!([{"label": "a"}, {"label": "b"}])), &card).unwrap_err().to_string();
    assert_eq!(error, "f.jsonl, line 2, column `label`: expected one of the values a, found a string: \"b\"");
}

#[test]
fn sets_are_unfolded_before_columns_are_renamed() {
    let card = card("Clustering", "unfold = true\ncolumns = { sentences = \"texts\" }\n");
    let rows = json!([{"texts": ["a", "b"], "labels": [0, 1]}, {"texts": ["c"], "labels": [2]}]);
    let changed = transform(table(rows), &card).unwrap();
    assert_eq!(column(&changed, "sentences"), json!(["a", "b", "c"]));
    assert_eq!(column(&changed, "labels"), json!([0, 1, 2]));
}

#[test]
fn soft_labels_are_names_or_weights() {
    let card = card(
        "Classification",
        "soft_labels = { column = \"softlabel\", classes = [\"positif\", \"netral\", \"negatif\"] }\n",
    );
    let cells = ["[0.2, 0.4, 0.4]", "negatif", "[0.5, 0.5]", "rusak", "[1, 0, 0]"];
    let rows = cells.iter().map(|cell| json!({"text": cell, "softlabel": cell})).collect();
    let changed = transform(table(rows), &card).unwrap();
    assert_eq!(column(&changed, "text"), json!(["[0.2, 0.4, 0.4]", "negatif", "[1, 0, 0]"]));
    assert_eq!(column(&changed, "label"), json!([1, 2, 0]));
}

/// The fixture: the reference's `stratified_subsampling` of rows whose text is the row's number.
#[test]
fn subsamples_hold_the_rows_and_labels_of_the_reference_in_its_order() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/subsample/subsample.json");
    let cases: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for case in cases.as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let card = card("Classification", case["card"].as_str().unwrap());
        let labelled = |labels: &Value| {
            let labels = labels.as_array().unwrap().iter().enumerate();
            table(labels.map(|(row, label)| json!({"text": row.to_string(), "label": label})).collect())
        };
        let mut parts =
            BTreeMap::from([(Part::Rows, labelled(&case["test"])), (Part::Train, labelled(&case["train"]))]);
        transform_together(&mut parts, &card, ("test", "default")).unwrap();
        assert_eq!(column(&parts[&Part::Rows], "text"), case["expected"]["text"], "{name}");
        assert_eq!(column(&parts[&Part::Rows], "label"), case["expected"]["label"], "{name}");
        assert_eq!(column(&parts[&Part::Train], "label"), case["expected"]["train"], "{name}");
    }
}

/// The fixture: rows of a subset of the reference that makes its training split of the split that it scores.
#[test]
fn rows_are_held_out_as_the_reference_divides_them_in_its_order() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/subsample/hold_out.json");
    let cases: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let card = card("Classification", HELD_OUT);
    for case in cases.as_array().unwrap() {
        let labels = case["labels"].as_array().unwrap().iter().enumerate();
        let rows = labels.map(|(row, label)| json!({"row": row, "label": label})).collect();
        let mut parts = BTreeMap::from([(Part::Rows, table(rows))]);
        transform_together(&mut parts, &card, ("test", "cym")).unwrap();
        assert_eq!(column(&parts[&Part::Train], "row"), case["train"], "{}", case["name"]);
        assert_eq!(column(&parts[&Part::Rows], "row"), case["test"], "{}", case["name"]);
    }
}

/// datasets 5.2: `Dataset.from_list(rows).class_encode_column("kind")`, then
/// `train_test_split(train_size=8, test_size=6, seed=42, stratify_by_column="kind")`.
#[test]
fn so_many_rows_are_held_out_and_learned_from_with_the_shares_of_a_column() {
    let card =
        card("Classification", "encode_labels = true\nhold_out = { test = 6, train = 8, by = \"kind\" }\n");
    let rows = (0..30_usize).map(|row| {
        let (label, kind) = (["a", "b", "c"][row * 7 % 3], ["x", "y"][row * 5 % 7 % 2]);
        json!({"row": row, "label": label, "kind": kind})
    });
    let mut parts = BTreeMap::from([(Part::Rows, table(rows.collect()))]);
    transform_together(&mut parts, &card, ("test", "default")).unwrap();
    assert_eq!(column(&parts[&Part::Train], "row"), json!([20, 24, 21, 12, 19, 28, 22, 29]));
    assert_eq!(column(&parts[&Part::Rows], "row"), json!([1, 6, 13, 10, 9, 18]));
    let few = (0..10).map(|row| json!({"row": row, "label": "a", "kind": "x"})).collect();
    let mut parts = BTreeMap::from([(Part::Rows, table(few))]);
    let error = transform_together(&mut parts, &card, ("test", "default")).unwrap_err().to_string();
    assert!(error.starts_with("f.jsonl: rows cannot be split into 6 to score and 8 to train on"), "{error}");
}

#[test]
fn rows_with_blank_cells_are_left_out() {
    let card = card("Classification", "columns = { text = \"kalimat\" }\ndrop_blank = [\"text\"]\n");
    let rows = json!([
        {"kalimat": "apa?", "label": 0}, {"kalimat": null, "label": 1}, {"kalimat": "", "label": 1},
        {"kalimat": " \n", "label": 0}, {"kalimat": "ini", "label": 1},
    ]);
    assert_eq!(column(&transform(table(rows), &card).unwrap(), "text"), json!(["apa?", "ini"]));
}

/// One subset that holds rows out, and one that does not.
const HELD_OUT: &str = "[subsets]\ncym = { languages = [\"cym-Latn\"], hold_out = { share = 0.3, rows = 2048 } }\n\
                        ind = { languages = [\"ind-Latn\"] }\n";

#[test]
fn rows_that_cannot_be_divided_and_other_subsets_stay() {
    let card = card("Classification", HELD_OUT);
    let rows = table(json!([{"label": "a"}, {"label": "a"}, {"label": "b"}]));
    let mut parts = BTreeMap::from([(Part::Rows, rows)]);
    transform_together(&mut parts, &card, ("test", "ind")).unwrap();
    assert_eq!(parts.len(), 1);
    let error = transform_together(&mut parts, &card, ("test", "cym")).unwrap_err().to_string();
    assert_eq!(
        error,
        "f.jsonl: a subsample of 1 rows cannot be drawn: expected at least 2 rows of every label, found 1 of b"
    );
}

#[test]
fn a_label_that_cannot_be_divided_is_named() {
    let card = card("Classification", "subsample = { rows = 3 }\n");
    let rows = table(json!([{"label": "a"}, {"label": "a"}, {"label": "b"}, {"label": "c"}, {"label": "c"}]));
    let mut parts = BTreeMap::from([(Part::Rows, rows)]);
    let error = transform_together(&mut parts, &card, ("test", "default")).unwrap_err().to_string();
    assert_eq!(
        error,
        "f.jsonl: a subsample of 3 rows cannot be drawn: expected at least 2 rows of every label, found 1 of b"
    );
}

#[test]
fn labels_of_one_row_and_texts_that_occur_again_are_dropped() {
    let card = card("Clustering", "once = { sentences = \"first\" }\ndrop_single_labels = true\n");
    let rows = [("a", 0), ("b", 1), ("a", 2), ("c", 0), ("d", 2), ("e", 2)];
    let rows = rows.map(|(text, label)| json!({"sentences": text, "labels": label}));
    let changed = transform(table(json!(rows)), &card).unwrap();
    assert_eq!(column(&changed, "sentences"), json!(["a", "c", "d", "e"]));
    assert_eq!(changed.location(2), "f.jsonl, line 5");
}

#[test]
fn labels_are_split_into_levels_and_rows_drawn_whatever_their_labels() {
    let card = card(
        "Clustering",
        "split_labels = { at = \".\", most = 2 }\nsubsample = { rows = 3, any_label = true }\n",
    );
    let rows = ["cs.LG.x", "math", "cs.AI", "hep-th", "q-bio.NC"];
    let rows: Vec<Value> = rows.iter().map(|label| json!({"sentences": label, "labels": label})).collect();
    let mut parts = BTreeMap::from([(Part::Rows, table(json!(rows)))]);
    transform_together(&mut parts, &card, ("test", "default")).unwrap();
    // numpy.random.default_rng(42).permutation(5)[:3] is 4, 2, 3
    assert_eq!(column(&parts[&Part::Rows], "labels"), json!([["q-bio", "NC"], ["cs", "AI"], ["hep-th"]]));
}

#[test]
fn rows_are_folded_into_lists_of_which_the_first_are_longer() {
    let card = card("Clustering", "fold = 3\n");
    let rows: Vec<Value> = (0..7).map(|row| json!({"sentences": format!("s{row}"), "labels": row})).collect();
    let mut parts = BTreeMap::from([(Part::Rows, table(json!(rows)))]);
    transform_together(&mut parts, &card, ("test", "default")).unwrap();
    assert_eq!(column(&parts[&Part::Rows], "labels"), json!([[0, 1, 2], [3, 4], [5, 6]]));
    let mut parts = BTreeMap::from([(Part::Rows, table(json!(rows[..2])))]);
    let error = transform_together(&mut parts, &card, ("test", "default")).unwrap_err().to_string();
    assert_eq!(error, "f.jsonl: expected at least 3 rows for as many lists, found 2");
}

#[test]
fn a_subsample_before_the_choice_counts_the_rows_that_are_not_kept() {
    let rows: Vec<Value> = (0..40).map(|row| json!({"labels": row % 4, "row": row})).collect();
    let rows_of = |before_keep: bool| {
        let card = card(
            "PairClassification",
            &format!(
                "keep = {{ labels = [0, 2] }}\nsubsample = {{ rows = 20, before_keep = {before_keep} }}\n"
            ),
        );
        let mut parts = BTreeMap::from([(Part::Rows, table(json!(rows)))]);
        transform_together(&mut parts, &card, ("test", "default")).unwrap();
        parts[&Part::Rows].rows()
    };
    assert_eq!((rows_of(true), rows_of(false)), (10, 20));
}

#[test]
fn a_split_that_is_learned_from_and_evaluated_is_subsampled_for_both() {
    let rows = table((0..40).map(|row| json!({"text": row.to_string(), "label": row % 4})).collect());
    let sampled = |split: &str| {
        let card = card("Classification", "subsample = { rows = 8 }\n");
        let mut parts = BTreeMap::from([(Part::Rows, rows.clone()), (Part::Train, rows.clone())]);
        transform_together(&mut parts, &card, (split, "default")).unwrap();
        parts
    };
    let both = sampled("train");
    assert_eq!(column(&both[&Part::Train], "text"), column(&both[&Part::Rows], "text"));
    assert_eq!((both[&Part::Rows].rows(), sampled("test")[&Part::Train].rows()), (8, 40));
}

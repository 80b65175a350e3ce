//! Text files as spreadsheets of other countries write them: the card names the mark between cells, the decimal mark, the encoding.

use std::fs;

use serde_json::Value;

use super::task::Task;

/// Pairs as an English program writes them.
const USUAL: &str = "sentence1,sentence2,score\ncafé kopi,kopi,3.5\nsatu,dua,1.25\n\"a, b\",c,0\nd;e,f,5\n";

/// The same rows, written with semicolons and decimal commas.
const EUROPEAN: &str =
    "sentence1;sentence2;score\ncafé kopi;kopi;3,5\nsatu;dua;1,25\na, b;c;0\n\"d;e\";f;5\n";

/// The scores that a run of `task` keeps.
fn scores(task: &Task) -> Value {
    let run = task.run(&[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(task.validate().code, Some(0));
    let text = fs::read(task.folder().join("results/mteb-host__hashing/1/T.json")).unwrap();
    let mut scores = serde_json::from_slice::<Value>(&text).unwrap()["scores"].take();
    scores["test"][0].as_object_mut().unwrap().remove("mteb_host");
    scores
}

fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
}

#[test]
fn rows_score_the_same_however_their_file_is_written() {
    let usual = scores(&Task::pairs(USUAL));
    let form = "delimiter = \";\"\ndecimal = \",\"";
    assert_eq!(scores(&Task::pairs(EUROPEAN).with(form)), usual);
    let task = Task::pairs("").with(&format!("{form}\nencoding = \"windows-1252\""));
    task.write("pairs.csv", latin_1(EUROPEAN));
    assert_eq!(scores(&task), usual);
    let task = Task::pairs("").with("delimiter = \"\\t\"\nencoding = \"utf-16\"");
    let text =
        "\u{feff}".to_owned() + &USUAL.replace("\"a, b\"", "a; b").replace(',', "\t").replace("a; b", "a, b");
    task.write("pairs.csv", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    assert_eq!(scores(&task), usual);
}

#[test]
fn lines_of_json_in_another_encoding_are_read() {
    let rows = "{\"sentence1\": \"café kopi\", \"sentence2\": \"kopi\", \"score\": 3.5}\n{\"sentence1\": \"satu\", \"sentence2\": \"dua\", \"score\": 1}\n";
    let plain = Task::of("STS", "pairs.jsonl", &[("pairs.jsonl", rows)]);
    let task = Task::of("STS", "pairs.jsonl", &[]).with("encoding = \"latin1\"");
    task.write("pairs.jsonl", latin_1(rows));
    assert_eq!(scores(&task), scores(&plain));
}

#[test]
fn another_decimal_mark_is_another_number_and_scores_again() {
    let task = Task::pairs(EUROPEAN).with("delimiter = \";\"\ndecimal = \",\"");
    scores(&task);
    let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
    task.write("card.toml", card.replace("decimal = \",\"\n", ""));
    let run = task.run(&[]);
    assert_eq!(run.code, Some(1), "a text is no score: {}", run.stderr);
}

#[test]
fn what_is_not_written_so_is_refused() {
    let latin = Task::pairs("").with("delimiter = \";\"");
    latin.write("pairs.csv", latin_1(EUROPEAN));
    insta::assert_snapshot!(latin.fault(), @r#"T, split test, subset default: pairs.csv, line 2, column `sentence1`: expected UTF-8 text, found the byte 0xe9; save the file as UTF-8, or name its encoding in the card, such as `encoding = "windows-1252"` in `[dataset]`"#);
    let wrong = Task::pairs("").with("encoding = \"shift_jis\"");
    wrong.write("pairs.csv", b"sentence1,sentence2,score\na,\x81\xff,1\n");
    let fault = wrong.fault();
    assert!(fault.contains("pairs.csv: expected text in Shift_JIS, found other bytes"), "{fault}");
    let fault = Task::pairs(EUROPEAN).fault();
    assert!(fault.contains("name the character in the card: `delimiter = \";\"`"), "{fault}");
}

#[test]
fn marks_and_encodings_that_are_none_are_faults_of_the_card() {
    let task = Task::pairs(USUAL).with("delimiter = \"x\"\ndecimal = \";\"\nencoding = \"klingon\"");
    let gate = task.validate();
    assert_eq!(gate.code, Some(2));
    insta::assert_snapshot!(gate.stderr, @r#"
    error: card.toml:8:13: expected one character that separates cells, such as ";", "|" or "\t", found: 'x'
    error: card.toml:9:11: expected "." or ",", found: ';'
    error: card.toml:10:12: expected the name of an encoding, such as windows-1252, iso-8859-2, utf-16le or shift_jis, found: "klingon"
    "#);
}

#[test]
fn the_tab_of_a_tsv_file_stays_where_the_card_names_another_mark_for_csv() {
    let corpus = "_id;text\nd1;satu, dua\nd2;tiga\n";
    let queries = "_id;text\nq1;satu\n";
    let files = [
        ("corpus.csv", corpus),
        ("queries.csv", queries),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n"),
    ];
    let task = Task::of("Retrieval", ".", &files).with("delimiter = \";\"");
    let run = task.run(&[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    // A file that is called so and has the character of the card is read as before.
    task.write("qrels/test.tsv", "query-id;corpus-id;score\nq1;d1;1\n");
    assert_eq!(task.run(&["--overwrite", "always"]).code, Some(0));
}

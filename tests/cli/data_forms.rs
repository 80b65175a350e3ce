//! Forms that data is written in elsewhere: one file for all splits, folders of `save_to_disk`, names of
//! columns, and text files as spreadsheets of other countries write them.

use std::fs;

use mteb_host_tests::{Run, host};
use serde_json::Value;

use super::new_task::Task;

#[test]
fn a_folder_that_save_to_disk_wrote_is_named_with_what_to_do() {
    let files: [&[(&str, &str)]; 2] = [
        &[
            ("data/data-00000-of-00001.arrow", "x"),
            ("data/state.json", "{}"),
            ("data/dataset_info.json", "{}"),
        ],
        &[
            ("data/dataset_dict.json", "{\"splits\": [\"test\"]}"),
            ("data/test/data-00000-of-00001.arrow", "x"),
            ("data/test/state.json", "{}"),
            ("data/test/dataset_info.json", "{}"),
        ],
    ];
    for files in files {
        let fault = Task::of("STS", "data", files).fault();
        assert!(fault.contains("found the output of `save_to_disk` ("), "{fault}");
        assert!(fault.contains("data-00000-of-00001.arrow") && fault.contains("to_parquet"), "{fault}");
    }
}

/// What `save_to_disk` writes to describe its Arrow files.
const STATE: &str = "{\"_data_files\": [{\"filename\": \"data-00000-of-00001.arrow\"}], \"_fingerprint\": \"1\", \"_split\": \"test\"}";
const PAIRS: &str = "sentence1,sentence2,score\na b,b c,1\nd e,d,5\nf,g h,2\n";

#[test]
fn a_split_that_save_to_disk_wrote_beside_plain_ones_is_named_and_what_describes_it_is_no_rows() {
    let saved = [
        ("data/test/data-00000-of-00001.arrow", "x"),
        ("data/test/state.json", STATE),
        ("data/test/dataset_info.json", "{}"),
    ];
    let train = ("data/train.csv", "text,label\na,x\nb,y\n");
    let fault = Task::of("Classification", "data", &[&saved[..], &[train]].concat()).fault();
    assert!(fault.contains("expected the split `test` in a file as `test.csv`"), "{fault}");
    let named = "the output of `save_to_disk` is not read: test/data-00000-of-00001.arrow; load it with ";
    assert!(fault.contains(named) && fault.contains("to_parquet"), "{fault}");
    // Where plain rows of the split lie there, too, these are scored.
    let warning = Task::of("STS", "data", &[&saved[..], &[("data/test.csv", PAIRS)]].concat()).warning();
    assert!(warning.lines().count() == 1 && warning.contains(named), "{warning}");
}

#[test]
fn what_save_to_disk_wrote_about_files_that_are_gone_changes_no_score() {
    let rows = "{\"sentence1\": \"a b\", \"sentence2\": \"b c\", \"score\": 1}\n{\"sentence1\": \"d e\", \"sentence2\": \"d\", \"score\": 5}\n\
                {\"sentence1\": \"f\", \"sentence2\": \"g h\", \"score\": 2}\n";
    let plain = [("data/test.jsonl", rows)];
    let about = [("data/state.json", STATE), ("data/dataset_info.json", "{}")];
    let score = |files: &[(&str, &str)]| {
        let run = Task::of("STS", "data", files).run(&["--json"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run.json().unwrap()["tasks"][0]["units"][0]["main_score"].clone()
    };
    let expected = score(&plain);
    assert!(expected.is_number(), "{expected}");
    assert_eq!(score(&[&plain[..], &about].concat()), expected);
    // The only file of rows there is need not be called as its split.
    let one = |files: &[(&str, &str)]| {
        Task::of("STS", "data", files).with("[dataset.parts.rows]\nfile = \"pairs.jsonl\"").run(&["--json"])
    };
    let run = one(&[&[("data/pairs.jsonl", rows)][..], &about].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn a_text_that_is_learned_in_another_form_of_its_letters_is_found() {
    let train = "text,label\nHu\u{1ebf} \u{111}\u{1eb9}p,x\nb,y\nc,z\n";
    let test = "text,label\nHu\u{65}\u{302}\u{301} \u{111}\u{65}\u{323}p,x\ne,y\nf,z\n";
    let warning = Task::of("Classification", ".", &[("train.csv", train), ("test.csv", test)]).warning();
    assert!(warning.contains("1 training text among the evaluation texts"), "{warning}");
}

#[test]
fn a_row_that_begins_with_a_quote_swallows_no_other() {
    let test = "text\tlabel\n\"Ya, kata dia\tx\nb\ty\n\"Tidak\" kata dia\tz\n";
    let task = Task::of(
        "Classification",
        ".",
        &[("train.tsv", "text\tlabel\na\tx\nd\ty\nc\tz\n"), ("test.tsv", test)],
    );
    let fault = task.fault();
    assert!(fault.contains("test.tsv, line 4") && fault.contains("after a closing quote"), "{fault}");
}

#[test]
fn one_file_with_a_column_of_splits_gives_no_warning_of_its_training_rows() {
    let rows = "text,label,split\na,x,train\nb,y,train\ne,z,train\nc,x,test\nd,y,test\nf,z,test\n";
    let parts = |kept: &str| {
        format!(
            "[dataset.parts.rows]\nfile = \"all.csv\"\nkeep = {{ split = [\"{{split}}\"] }}\n\
             [dataset.parts.train]\nfile = \"all.csv\"\nkeep = {{ split = [\"{kept}\"] }}\n"
        )
    };
    let run = |kept: &str| Task::of("Classification", ".", &[("all.csv", rows)]).with(&parts(kept)).run(&[]);
    let apart = run("train");
    assert_eq!(
        (apart.code, apart.stderr.contains("are the rows to predict")),
        (Some(0), false),
        "{}",
        apart.stderr
    );
    let same = run("test");
    assert!(same.stderr.contains("the training rows are the rows to predict"), "{}", same.stderr);
}

/// Rows of which one begins with a quote that a later one closes, as RFC 4180 has it.
const SWALLOWED: &str = "text\tlabel\na\tx\n\"Ya, kata dia\tx\nb\ty\nbegitu\"\tz\nd\tx\ne\ty\n";
const TRAIN: &str = "text\tlabel\nsatu\tx\ndua\ty\ntiga\tz\n";

#[test]
fn rows_that_a_closed_quote_has_swallowed_are_told_with_their_lines() {
    let task = |test: &str| Task::of("Classification", ".", &[("train.tsv", TRAIN), ("test.tsv", test)]);
    insta::assert_snapshot!(task(SWALLOWED).warning(), @r#"warning: T, split test, subset default: ./test.tsv, lines 3 to 5: a quoted cell spans these lines, each of which looks like a row, and all are scored as one row; if they are rows, put the text that begins with a quote into double quotes and double its own (`"""Yes"", she said"`); if the cell is meant, write `multiline_cells = true` under `[dataset]` of the card"#);
    let twice = format!("{SWALLOWED}\"Tidak\tx\nkata dia\"\ty\n");
    let warning = task(&twice).warning();
    assert!(warning.contains("lines 3 to 5") && warning.contains("1 more cell is like it"), "{warning}");
    let escaped =
        SWALLOWED.replace("\"Ya, kata dia\t", "\"\"\"Ya, kata dia\"\t").replace("begitu\"", "begitu");
    assert_eq!(task(&escaped).warning(), "");
    let meant = task(SWALLOWED).with("multiline_cells = true");
    assert_eq!(meant.warning(), "");
    // The text of several lines itself is no reason to warn.
    let lines = SWALLOWED.replace("\"Ya, kata dia\tx\nb\ty\nbegitu\"", "\"Ya, kata dia\nbegitu\"");
    assert_eq!(task(&lines).warning(), "");
}

#[test]
fn one_line_that_is_no_row_does_not_hide_that_rows_were_swallowed() {
    let task = |test: &str| Task::of("Classification", ".", &[("train.tsv", TRAIN), ("test.tsv", test)]);
    let remark = task(&SWALLOWED.replace("b\ty\n", "b\ty\ncatatan\n")).warning();
    assert!(
        remark.contains("lines 3 to 6: a quoted cell spans these lines, all but 1 of which look like rows,")
            && remark.contains("`multiline_cells = true`"),
        "{remark}"
    );
    let tab_more = task(&SWALLOWED.replace("b\ty\n", "b\ty\nc\tx\t\nf\tz\n")).warning();
    assert!(tab_more.contains("lines 3 to 7") && tab_more.contains("all but 1 of which"), "{tab_more}");
    // Texts of several lines, one of which has a comma, as a text may have.
    let train = TRAIN.replace('\t', ",");
    let texts =
        "text,label\n\"satu\ndua, tiga\nempat\",x\n\"lima\nenam\ntujuh\",y\n\"delapan\nsembilan\",z\n";
    let texts = Task::of("Classification", ".", &[("train.csv", &train), ("test.csv", texts)]);
    assert_eq!(texts.warning(), "");
}

#[test]
fn rows_of_judgements_and_of_a_corpus_are_told_too() {
    let corpus = "_id,text\nd1,\"satu\nd2,dua\nd3,tiga\"\nd4,empat\n";
    let files = [
        ("corpus.csv", corpus),
        ("queries.csv", "_id,text\nq1,satu\n"),
        ("qrels.csv", "query-id,corpus-id,score\nq1,d1,1\n"),
    ];
    let warning = Task::of("Retrieval", ".", &files).warning();
    assert!(warning.contains("corpus.csv, lines 2 to 4: a quoted cell spans these lines"), "{warning}");
}

const CORPUS: &str = "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n";
const QUERIES: &str = "{\"_id\":\"q1\",\"text\":\"satu\"}\n";

/// What `validate` says of the card alone, and a run, too.
fn card_fault(task: &Task) -> String {
    let checked = Run::of(host(task.folder()).args(["validate", "card.toml"])).unwrap();
    let run = task.run(&[]);
    assert_eq!((checked.code, run.code), (Some(2), Some(2)), "{}", checked.stdout);
    let line = checked.stderr.lines().next().unwrap_or_default().to_owned();
    assert!(run.stderr.lines().any(|said| said == line), "{line}: {}", run.stderr);
    line
}

#[test]
fn a_column_of_a_part_is_named_where_the_message_says() {
    let qrels = "query_id\tcorpus-id\tscore\nq1\td1\t1\n";
    let task = || Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", qrels));
    insta::assert_snapshot!(task().fault(), @r#"T, split test, subset default: ./qrels.tsv: no column `query-id`; its columns are query_id, corpus-id, score; if `query_id` is meant, say so in the card under `[dataset.parts.qrels]`: `columns = { query-id = "query_id" }`"#);
    let told = task().with("[dataset.parts.qrels]\ncolumns = { query-id = \"query_id\" }");
    assert_eq!(told.warning(), "", "as the message says");
    let elsewhere = task().with("columns = { query-id = \"query_id\" }");
    insta::assert_snapshot!(card_fault(&elsewhere), @"error: card.toml:8:1: a task of type Retrieval has no option `columns` here; name the columns of a part under `[dataset.parts.corpus]`, `[dataset.parts.queries]` or `[dataset.parts.qrels]`");
}

#[test]
fn a_column_that_the_type_does_not_have_is_no_name_for_one() {
    let task =
        Task::pairs("sentence1,sentence2,score\na,b,1\nc,d,2\n").with("columns = { s1 = \"sentence1\" }");
    insta::assert_snapshot!(card_fault(&task), @"error: card.toml:8:18: expected a column of a task of type STS (sentence1, sentence2, score) before `=`, and after it the file's name for it, found: s1");
    let part = Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", ""))
        .with("[dataset.parts.corpus]\ncolumns = { texts = \"isi\" }");
    assert!(card_fault(&part).contains("expected a column of the part `corpus` (_id, id, text, title)"));
}

#[test]
fn a_message_has_the_names_of_the_file() {
    let rows = "sentence1,sentence2,nilai\na,b,1\nc,d,2\n";
    let task = Task::pairs(rows).with("columns = { score = \"nilai\" }\ndrop = { nilai = [1] }");
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: pairs.csv: no column `nilai`; its columns are sentence1, sentence2, nilai; the card's `columns` call it `score`: name it so, or leave it out there");
    let task = Task::pairs("s1,s2,nilai\na,b,1\nc,d,2\n").with("columns = { score = \"nilai\" }");
    assert!(task.fault().contains("its columns are s1, s2, nilai;"), "{}", task.fault());
}

#[test]
fn a_column_that_is_made_and_that_nothing_asks_for_is_a_fault() {
    let pairs = |lines: &str| Task::pairs("s1,s2,score\na,b,1\nc,d,2\n").with(lines);
    insta::assert_snapshot!(card_fault(&pairs("join = { sentense1 = [\"s1\", \"s2\"] }")), @"error: card.toml:8:22: expected a column of a task of type STS (sentence1, sentence2, score) before `=`, and after it the columns that it is made of, found: sentense1 (near it: sentence1, sentence2)");
    let own = "join = { made = [\"s1\", \"s2\"] }\ncolumns = { sentence1 = \"made\", sentence2 = \"s2\" }";
    assert_eq!(pairs(own).run(&[]).code, Some(0), "what is made is renamed");
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";
    let corpus = |lines: &str| {
        Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", qrels)).with("[dataset.parts.corpus]").with(lines)
    };
    insta::assert_snapshot!(card_fault(&corpus("number = { _idd = [\"text\"] }")), @"error: card.toml:9:19: expected a column of the part `corpus` (_id, id, text, title) before `=`, and after it the columns whose texts identify a row, found: _idd (near it: _id)");
    insta::assert_snapshot!(card_fault(&corpus("join = { texts = [\"text\", \"title\"] }")), @"error: card.toml:9:18: expected a column of the part `corpus` (_id, id, text, title) before `=`, and after it the columns that it is made of, found: texts (near it: text)");
}

#[test]
fn a_part_and_a_role_that_no_task_of_the_type_has_are_faults() {
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";
    let task = || Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", qrels));
    insta::assert_snapshot!(card_fault(&task().with("[dataset.parts.qrel]\ngrade = 1")), @"error: card.toml:8:16: expected a part of a task of type Retrieval (corpus, queries, qrels, top_ranked, excluded, instruction, qrel_diff), found: qrel (near it: qrels, qrel_diff)");
    insta::assert_snapshot!(card_fault(&task().with("[dataset.parts.train]\nsplit = \"x\"")), @"error: card.toml:8:16: expected a part of a task of type Retrieval (corpus, queries, qrels, top_ranked, excluded, instruction, qrel_diff), found: train");
    let prompted = |prompt: &str| {
        let task = task();
        let card = std::fs::read_to_string(task.folder().join("card.toml")).unwrap();
        task.write("card.toml", card.replace("languages", &format!("prompt = {prompt}\nlanguages")));
        task
    };
    let unknown = prompted("{ query = \"Find it.\", documents = \"Be found.\" }");
    insta::assert_snapshot!(card_fault(&unknown), @"error: card.toml:5:32: prompt: unknown key `documents` (near it: document)");
    assert_eq!(prompted("{ query = \"Find it.\", document = \"Be found.\" }").run(&[]).code, Some(0));
}

#[test]
fn options_of_a_part_that_is_not_there_are_a_fault_of_the_data() {
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";
    let task = Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", qrels))
        .with("[dataset.parts.top_ranked]\ncolumns = { corpus-ids = \"docs\" }");
    let fault = task.fault();
    insta::assert_snapshot!(fault, @"T, split test, subset default: .: expected the part `top_ranked`, which the card has options for (`[dataset.parts.top_ranked]`), in a file as `top_ranked.jsonl`, found card.toml, corpus.jsonl, qrels.tsv, queries.jsonl");
    let checked = Run::of(host(task.folder()).args(["validate", "card.toml"])).unwrap();
    let (_, what) = fault.split_once(": ").unwrap();
    assert_eq!(checked.code, Some(1));
    assert!(checked.stderr.contains(what), "{}", checked.stderr);
    task.write("top_ranked.jsonl", "{\"query-id\":\"q1\",\"docs\":[\"d1\",\"d2\"]}\n");
    assert_eq!(task.warning(), "");
}

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

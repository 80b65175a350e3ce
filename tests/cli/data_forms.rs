//! Forms that data is written in elsewhere: letters of one or of two characters, one file for all splits, folders of `save_to_disk`.

use super::task::Task;

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
    assert!(warning.contains("corpus.csv, lines 2 to 4: a quoted cell goes on over"), "{warning}");
}

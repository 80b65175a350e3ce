//! A task in a folder of one's own: what is data there, what is refused, and what is said of it, by a run and by
//! `validate --data` alike.

use std::fs;

use mteb_host_tests::{Run, host};

use super::new_task::Task;

pub const CORPUS: &str = "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n";
pub const QUERIES: &str = "{\"_id\":\"q1\",\"text\":\"satu\"}\n";
pub const QRELS: &str = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";

#[test]
fn results_beside_the_data_are_never_read_as_data() {
    let retrieval = Task::retrieval(CORPUS, QUERIES, ("qrels/test.tsv", QRELS));
    let classification = Task::of(
        "Classification",
        ".",
        &[("train.csv", "text,label\na,x\nb,y\nc,z\n"), ("test.csv", "text,label\nd,x\ne,y\nf,z\n")],
    );
    for task in [retrieval, classification] {
        // A prompt file, a cache inside and results of another name are beside the data, too.
        task.write("zz-prompts.json", "{\"query\": \"q: \"}");
        for more in [
            vec![],
            vec!["--model", "random"],
            vec!["--output-folder", "tried"],
            vec!["--cache-dir", "kept"],
            vec!["--overwrite", "always"],
        ] {
            let run = task.run(&more);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{more:?}");
        }
        let gate = task.validate();
        assert!(gate.code == Some(0) && !gate.stderr.contains("error"), "{}", gate.stderr);
    }
}

#[test]
fn a_folder_without_data_names_the_files_that_are_not_read() {
    let task = Task::of("STS", "data", &[("data/pairs.xlsx", "x"), ("data/.hidden.csv", "a\n1\n")]);
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: data: expected files with rows (.parquet, .jsonl, .ndjson, .json, .csv, .tsv), found pairs.xlsx");
}

#[test]
fn judgements_of_unknown_documents_are_refused_or_counted() {
    let of = |qrels: &str| Task::retrieval(CORPUS, QUERIES, ("qrels/test.tsv", qrels));
    let header = "query-id\tcorpus-id\tscore\n";
    insta::assert_snapshot!(of(&format!("{header}q1\tx1\t1\nq1\tx2\t1\n")).fault(), @r#"T, split test, subset default: ./qrels/test.tsv, line 2, column `corpus-id`: expected ids of documents in the corpus, found none among 2, such as “x1”, “x2”; compare them with the ids (`_id` or `id`) of the corpus"#);
    insta::assert_snapshot!(of(&format!("{header}q1\tx1\t1\nq1\td2\t1\nq9\td1\t1\n")).warning(), @r#"
    warning: T, split test, subset default: ./qrels/test.tsv, line 4, column `query-id`: judged queries that do not exist: 1 of 2 (“q9”)
    warning: T, split test, subset default: ./qrels/test.tsv, line 2, column `corpus-id`: judged documents that are not in the corpus, and count as not found: 1 of 2 (“x1”)
    "#);
    insta::assert_snapshot!(of(&format!("{header}q9\td1\t1\n")).fault(), @r#"T, split test, subset default: ./qrels/test.tsv, line 2: expected judgements of the queries, found none among 1: compare their ids with `query-id`"#);
}

#[test]
fn judgements_of_which_none_is_above_0_are_refused() {
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t0\nq1\td2\t0\n";
    insta::assert_snapshot!(Task::retrieval(CORPUS, QUERIES, ("qrels/test.tsv", qrels)).fault(), @r#"T, split test, subset default: ./qrels/test.tsv, column `score`: expected a grade above 0 among the judgements, found none: nothing is relevant; give documents that answer a query a grade above 0"#);
}

#[test]
fn an_id_that_occurs_twice_is_refused() {
    let corpus = format!("{CORPUS}{{\"_id\":\"d1\",\"text\":\"tiga\"}}\n");
    insta::assert_snapshot!(Task::retrieval(&corpus, QUERIES, ("qrels/test.tsv", QRELS)).fault(), @r#"T, split test, subset default: ./corpus.jsonl, line 3, column `_id`: expected an id of its own, found “d1”, the id of ./corpus.jsonl, line 1 too"#);
    insta::assert_snapshot!(Task::retrieval(CORPUS, &QUERIES.repeat(2), ("qrels/test.tsv", QRELS)).fault(), @r#"T, split test, subset default: ./queries.jsonl, line 2, column `_id`: expected an id of its own, found “q1”, the id of ./queries.jsonl, line 1 too"#);
    let qrels = format!("{QRELS}q1\td1\t2\n");
    insta::assert_snapshot!(Task::retrieval(CORPUS, QUERIES, ("qrels/test.tsv", &qrels)).fault(), @r#"T, split test, subset default: ./qrels/test.tsv, line 3, column `corpus-id`: expected each document once for query “q1”, found “d1”, which ./qrels/test.tsv, line 2 judges too"#);
}

#[test]
fn an_empty_id_is_refused_whatever_the_format() {
    let corpus = format!("{CORPUS}{{\"_id\":\"\",\"text\":\"tiga\"}}\n{{\"_id\":\"\",\"text\":\"empat\"}}\n");
    insta::assert_snapshot!(Task::retrieval(&corpus, QUERIES, ("qrels/test.tsv", QRELS)).fault(), @"T, split test, subset default: ./corpus.jsonl, line 3, column `_id`: expected an id: a string or a number, found an empty string; 1 more row is invalid: line 4");
    let queries = format!("{QUERIES}{{\"_id\":\"\",\"text\":\"dua\"}}\n");
    insta::assert_snapshot!(Task::retrieval(CORPUS, &queries, ("qrels/test.tsv", QRELS)).fault(), @"T, split test, subset default: ./queries.jsonl, line 2, column `_id`: expected an id: a string or a number, found an empty string");
    let qrels = "{\"query-id\":\"q1\",\"corpus-id\":\"d1\",\"score\":1}\n{\"query-id\":\"q1\",\"corpus-id\":\"\",\"score\":1}\n";
    insta::assert_snapshot!(Task::retrieval(CORPUS, QUERIES, ("qrels/test.jsonl", qrels)).fault(), @"T, split test, subset default: ./qrels/test.jsonl, line 2, column `corpus-id`: expected an id: a string or a number, found an empty string");
}

#[test]
fn empty_ids_in_data_of_the_hub_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let revision = "0123456789abcdef0123456789abcdef01234567";
    let data = folder.path().join("hub/datasets/a/b").join(revision);
    fs::create_dir_all(data.join("qrels")).unwrap();
    let corpus = format!("{CORPUS}{{\"_id\":\"\",\"text\":\"tiga\"}}\n");
    let queries = format!("{QUERIES}{{\"_id\":\"\",\"text\":\"dua\"}}\n");
    for (name, text) in [("corpus.jsonl", &*corpus), ("queries.jsonl", &*queries), ("qrels/test.tsv", QRELS)]
    {
        fs::write(data.join(name), text).unwrap();
    }
    let card = format!(
        "schema = 1\nname = \"T\"\ntype = \"Retrieval\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
         [dataset]\nhub = \"a/b\"\nrevision = \"{revision}\"\n"
    );
    fs::write(folder.path().join("card.toml"), card).unwrap();
    let command = |args: &[&str]| {
        let run = Run::of(host(folder.path()).args(args).args(["--hub-dir", "hub"])).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stderr.lines().filter(|line| line.contains("empty")).collect::<Vec<_>>().join("\n")
    };
    let run = command(&["run", "--quiet", "--registry", "card.toml"]);
    assert_eq!(run.lines().count(), 2, "{run}");
    let said = "ids of documents that are empty and are used as mteb uses them: 1, the first in ";
    assert!(run.contains(said) && run.contains("corpus.jsonl, line 3"), "{run}");
    assert!(run.contains("ids of queries that are empty") && run.contains("queries.jsonl, line 2"), "{run}");
    assert_eq!(command(&["validate", "--data", "card.toml"]), run);
}

#[test]
fn what_several_units_share_is_said_once() {
    let rows: String = (0..6).map(|row| format!("teks {row},{}\n", row % 2)).collect();
    let rows = format!("text,label\n{rows}");
    let files =
        ["ind/train.csv", "ind/test.csv", "jav/train.csv", "jav/test.csv"].map(|file| format!("data/{file}"));
    let more = format!("{rows}lain,0\n");
    let task = Task::of("Classification", "data", &[]);
    for file in &files {
        task.write(file, if file.contains("train") { &more } else { &rows });
    }
    let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
    let subsets = "[subsets]\nind = { languages = [\"ind-Latn\"] }\njav = { languages = [\"jav-Latn\"] }\n";
    task.write("card.toml", card.replace("languages = [\"ind-Latn\"]\n", "") + subsets);
    insta::assert_snapshot!(task.warning(), @"warning: T, split test, subset ind and 1 more unit (jav): 6 training texts among the evaluation texts, the first in test row 2 and train row 2: the same text: “teks 0”");
    for file in files.iter().filter(|file| file.contains("test")) {
        task.write(file, "text,label\n");
    }
    let run = task.run(&[]);
    let lines: Vec<&str> =
        run.stderr.lines().filter(|line| !line.starts_with("T: will be scored again")).collect();
    assert_eq!(lines.len(), 3, "one cause, and what stays of before: {}", run.stderr);
    let units = "T, split test, subset ind and 1 more unit (jav): ";
    assert!(lines[0].starts_with(&format!("failed: {units}data/ind/test.csv: ")), "{}", lines[0]);
    let kept = format!("warning: {units}scoring failed; the file still has the old result");
    assert!(lines[1].starts_with(&kept), "{}", lines[1]);
    assert_eq!(lines[2], "2 units failed, for the reasons above");
}

#[test]
fn judgements_of_another_split_are_not_taken() {
    insta::assert_snapshot!(Task::retrieval(CORPUS, QUERIES, ("qrels/dev.tsv", QRELS)).fault(), @r#"T, split test, subset default: ., config qrels: expected the split `test`, found only `dev`; write `eval_splits = ["dev"]` in the card, or `split = "dev"` under its `[dataset.parts.qrels]`"#);
}

#[test]
fn cuts_beyond_the_corpus_are_told() {
    let task = Task::retrieval(CORPUS, QUERIES, ("qrels/test.tsv", QRELS));
    let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
    task.write(
        "card.toml",
        format!("{card}[protocol]\nk_values = [1, 10, 100]\n")
            .replace("type", "main_score = \"ndcg_at_10\"\ntype"),
    );
    insta::assert_snapshot!(task.warning(), @r#"warning: T, split test, subset default: `k_values`: expected cut-offs of at most the 2 documents of the corpus, found: 10, 100"#);
}

#[test]
fn a_word_among_scores_is_one_fault_with_its_row_and_value() {
    let rows = "a,b,2\n".repeat(15);
    let task = Task::pairs(&format!("sentence1,sentence2,score\n{rows}c,d,tiga\n{rows}"));
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: pairs.csv, line 17, column `score`: expected a number, found a string: "tiga""#);
    let gate = task.validate().stderr;
    assert_eq!(gate.lines().filter(|line| line.starts_with("error:")).count(), 2, "{gate}");
}

#[test]
fn rows_at_fault_in_one_column_are_one_line() {
    let task = Task::pairs("sentence1,sentence2,score\na,b,1\nc,d,dua\ne,f,3\ng,h,\ni,j,2\n");
    insta::assert_snapshot!(errors(&task.validate()), @r#"
    error: T, split test, subset default: pairs.csv, line 3, column `score`: expected a number, found a string: "dua"; 1 more row is invalid: line 5
    "#);
}

#[test]
fn a_fault_of_a_whole_column_is_one_line_with_a_count_for_both() {
    let rows = "a,b,\"4,5\"\n".repeat(25);
    let comma = Task::pairs(&format!("sentence1,sentence2,score\n{rows}"));
    insta::assert_snapshot!(comma.fault(), @r#"T, split test, subset default: pairs.csv, line 2, column `score`: expected a number, found a string: "4,5"; 24 more rows are invalid: lines 3, 4, 5, …; write a point instead of the comma: 4.5, or name the comma in the card of a CSV file: `decimal = ","` in `[dataset]`"#);
    let gate = comma.validate();
    assert_eq!(gate.stderr.lines().count(), 2, "the fault and the count of faults: {}", gate.stderr);
    let json = Run::of(host(comma.folder()).args(["validate", "--data", "card.toml", "--json"])).unwrap();
    let faults = &json.json().unwrap()["tasks"][0]["examined"][0]["faults"];
    assert_eq!(faults[0]["rows"].as_array().unwrap().len(), 25, "JSON names all rows");
    let missing = Task::pairs("sentence1,sentence2,score\na,b,\nc,d,2\ne,f,\n");
    insta::assert_snapshot!(missing.fault(), @"T, split test, subset default: pairs.csv, line 2, column `score`: expected a number, found an empty cell; 1 more row is invalid: line 4");
    let words = Task::of(
        "PairClassification",
        "p.csv",
        &[("p.csv", "sentence1,sentence2,labels\na,b,ya\nc,d,tidak\ne,f,ya\n")],
    );
    insta::assert_snapshot!(words.fault(), @r#"T, split test, subset default: p.csv, line 2, column `labels`: expected 0 (dissimilar) or 1 (similar), found a string: "ya"; 2 more rows are invalid: lines 3, 4"#);
    assert_eq!(errors(&words.validate()).lines().count(), 1);
}

#[test]
fn a_fault_of_a_whole_column_of_a_search_is_one_line_too() {
    let document = |row: usize| format!("{{\"_id\":\"d{row}\",\"title\":7,\"text\":\"satu {row}\"}}\n");
    // More rows than a run reads at once.
    let corpus: String = (1..=900).map(document).collect();
    let titles = Task::retrieval(&corpus, QUERIES, ("qrels.tsv", QRELS));
    insta::assert_snapshot!(titles.fault(), @r#"T, split test, subset default: ./corpus.jsonl, line 1, column `title`: expected a string, found a number: 7; 899 more rows are invalid: lines 2, 3, 4, …"#);
    let queries: String = (1..=3).map(|row| format!("{{\"_id\":\"q{row}\",\"text\":\"satu\"}}\n")).collect();
    let qrels: String = (1..=3).map(|row| format!("q{row}\td1\t1\n")).collect();
    let list = |row: usize| format!("{{\"query-id\":\"q{row}\",\"corpus-ids\":[\"d1\",\"d2\",\"d1\"]}}\n");
    let lists: String = (1..=3).map(list).collect();
    let task =
        Task::retrieval(CORPUS, &queries, ("qrels.tsv", &format!("query-id\tcorpus-id\tscore\n{qrels}")));
    task.write("top_ranked.jsonl", lists);
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: ./top_ranked.jsonl, line 1, column `corpus-ids`: expected each document once, found a string: "d1"; 2 more rows are invalid: lines 2, 3"#);
    let twice = Task::retrieval(&CORPUS.repeat(2), QUERIES, ("qrels.tsv", QRELS));
    insta::assert_snapshot!(twice.fault(), @"T, split test, subset default: ./corpus.jsonl, line 3, column `_id`: expected an id of its own, found “d1”, the id of ./corpus.jsonl, line 1 too; 1 more row is invalid: line 4");
}

#[test]
fn candidates_of_a_query_that_is_not_there_are_told() {
    let task = Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", QRELS));
    let list = |query: &str| format!("{{\"query-id\":\"{query}\",\"corpus-ids\":[\"d1\",\"d2\"]}}\n");
    task.write("top_ranked.jsonl", list("q1") + &list("q2"));
    insta::assert_snapshot!(task.warning(), @"warning: T, split test, subset default: ./top_ranked.jsonl, line 2, column `query-id`: lists of queries that do not exist: 1 of 2 (“q2”)");
}

#[test]
fn rows_that_a_comma_or_a_missing_cell_shifts_are_answered_with_what_to_do() {
    let of = |row: &str| Task::pairs(&format!("sentence1,sentence2,score\na,b,1\n{row}\nc,d,3\n")).fault();
    insta::assert_snapshot!(of("a, b,c,2"), @"T, split test, subset default: pairs.csv, line 3: expected 3 cells as in the header, found 4; put a cell that holds a comma into double quotes");
    insta::assert_snapshot!(of("a,b"), @"T, split test, subset default: pairs.csv, line 3: expected 3 cells as in the header, found 2; write every cell, including empty ones");
}

#[test]
fn blanks_around_an_id_are_seen() {
    let task = Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\t d1\t1\n"));
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: ./qrels.tsv, line 2, column `corpus-id`: expected ids of documents in the corpus, found none among 1, such as “ d1”; compare them with the ids (`_id` or `id`) of the corpus");
}

#[test]
fn empty_documents_are_told_of_as_empty_queries_are() {
    let corpus = format!("{CORPUS}{{\"_id\":\"d3\",\"text\":\" \"}}\n{{\"_id\":\"d4\",\"text\":\"\"}}\n");
    let task = Task::retrieval(&corpus, QUERIES, ("qrels.tsv", QRELS));
    let expected = "warning: T, split test, subset default: empty documents, which are scored as they are: 2 of 4, the first in \
                    ./corpus.jsonl, line 3\n";
    assert_eq!(task.warning(), expected);
    let ranked = task.run(&["--model", "bm25", "--overwrite", "always"]);
    assert_eq!((ranked.code, ranked.stderr.as_str()), (Some(0), expected));
    task.write("top_ranked.jsonl", "{\"query-id\":\"q1\",\"corpus-ids\":[\"d1\",\"d4\"]}\n");
    assert_eq!(
        task.run(&["--overwrite", "always"]).stderr,
        "warning: T, split test, subset default: empty documents, which are scored as they are: 1 of 2, the first in \
         ./corpus.jsonl, line 4\n"
    );
}

#[test]
fn a_score_that_is_no_finite_number_is_named() {
    for score in ["NaN", "inf", "1e400"] {
        let task = Task::pairs(&format!("sentence1,sentence2,score\na,b,5\nc,d,{score}\ne,f,1\n"));
        let expected = format!(
            "T, split test, subset default: pairs.csv, line 3, column `score`: expected a number, found a string: \
             \"{score}\""
        );
        assert_eq!(task.fault(), expected);
    }
}

#[test]
fn a_number_for_a_text_is_no_empty_text() {
    let rows =
        "{\"text\":\"a\",\"label\":\"x\"}\n{\"text\":12,\"label\":\"y\"}\n{\"text\":\"c\",\"label\":\"z\"}\n";
    let sound = rows.replace("12", "\"b\"");
    let task = Task::of("Classification", "data", &[("data/train.jsonl", &sound), ("data/test.jsonl", rows)]);
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: data/test.jsonl, line 2, column `text`: expected a string, found a number: 12"#);
}

#[test]
fn labels_that_cannot_be_scored_are_found_without_a_model() {
    let of = |rows: &str, end: &str| {
        let (train, test) = (format!("data/train.{end}"), format!("data/test.{end}"));
        let task_type = if rows.contains('[') { "MultilabelClassification" } else { "Classification" };
        Task::of(task_type, "data", &[(&train, rows), (&test, rows)])
    };
    insta::assert_snapshot!(of("text,label\na,ya\nb,tidak\n", "csv").fault(), @r#"T, split test, subset default: data/test.csv, column `label`: expected one of two labels to be the number 1 or the boolean true, the positive class of average precision, found: tidak and ya; map them to 0 and 1 with `label_map`"#);
    insta::assert_snapshot!(of("{\"text\":\"a\",\"label\":\"x\"}\n{\"text\":\"b\",\"label\":1}\n", "jsonl").fault(), @r#"T, split test, subset default: data/train.jsonl, line 2, column `label`: expected a text like the labels before it, found a number: 1"#);
    insta::assert_snapshot!(of("text,label\na,\"[1,2]\"\nb,\"[0]\"\n", "csv").fault(), @r#"T, split test, subset default: data/train.csv, line 2, column `label`: expected a list, which CSV and TSV cannot hold (write the rows as JSON lines), found a string: "[1,2]"; 1 more row is invalid: line 3"#);
    insta::assert_snapshot!(Task::pairs("sentence1,sentence2,score\na,b,1\n").fault(), @r#"T, split test, subset default: pairs.csv: expected at least 2 rows to correlate, found: 1"#);
}

#[test]
fn a_file_of_another_form_is_called_what_it_is() {
    insta::assert_snapshot!(Task::pairs("sentence1;sentence2;score\na;b;1\n").fault(), @r#"T, split test, subset default: pairs.csv, line 1: expected columns separated by commas, found semicolons in the header; name the character in the card: `delimiter = ";"` in `[dataset]`"#);
    insta::assert_snapshot!(Task::pairs("sentence1\tsentence2\tscore\na\tb\t1\n").fault(), @r#"T, split test, subset default: pairs.csv, line 1: expected columns separated by commas, found tabs in the header; rename the file to `.tsv`"#);
    insta::assert_snapshot!(Task::pairs("sentence1,sentence2,score\na,b,1\n\"c,d,2\ne,f,3\n").fault(), @r#"T, split test, subset default: pairs.csv, line 3: expected 3 cells as in the header, found 1; a quote (") opens a cell that continues to line 4: close it, or double it if it is part of a text"#);
    insta::assert_snapshot!(Task::pairs("PK\u{3}\u{4}xl/workbook.xml").fault(), @r#"T, split test, subset default: pairs.csv: expected text, as its name says, found a ZIP archive, which `.xlsx` workbooks are; export the table as CSV, or unpack it"#);
}

#[test]
fn a_missing_column_is_answered_with_the_line_of_the_card() {
    insta::assert_snapshot!(Task::pairs("sentence1,sentence2,nilai_score\na,b,1\nc,d,2\n").fault(), @r#"T, split test, subset default: pairs.csv: no column `score`; its columns are sentence1, sentence2, nilai_score; if `nilai_score` is meant, say so in the card: `columns = { score = "nilai_score" }`"#);
    let first_row = "satu,dua,1\ntiga,empat,2\n";
    insta::assert_snapshot!(Task::pairs(first_row).fault(), @r#"T, split test, subset default: pairs.csv: no column `score`; its columns are satu, dua, 1; the first line is read as the header, and here it looks like a row: put a header before it"#);
    let trec = Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", "q1 0 d1 1\nq1 0 d2 0\n"));
    assert_eq!(trec.run(&[]).code, Some(0), "judgements in the form of TREC need no header");
    let blanks = Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", "q1   0\td1  1.5 \r\nq1 0 d2  0\r\n"));
    assert_eq!(blanks.run(&[]).code, Some(0), "any number of blanks and tabs, and grades with decimals");
    insta::assert_snapshot!(Task::pairs("a,b,c\na,b,1\nc,d,2\n").fault(), @r#"T, split test, subset default: pairs.csv: no column `score`; its columns are a, b, c; if it has another name, say so in the card: `columns = { score = "…" }`"#);
    let corpus = "{\"docid\":\"d1\",\"text\":\"satu\",\"sumber\":\"buku\"}\n";
    insta::assert_snapshot!(Task::retrieval(corpus, QUERIES, ("qrels/test.tsv", QRELS)).fault(), @r#"T, split test, subset default: ./corpus.jsonl: no column `_id`; its columns are text, docid, sumber; if `docid` is meant, say so in the card under `[dataset.parts.corpus]`: `columns = { _id = "docid" }`"#);
}

#[test]
fn a_file_without_rows_is_named() {
    let rows = "{\"text\":\"a\",\"label\":\"x\"}\n{\"text\":\"b\",\"label\":\"y\"}\n";
    let task = Task::of("Classification", "data", &[("data/train.jsonl", rows), ("data/test.jsonl", "\n\n")]);
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: data/test.jsonl: expected rows, found none; fetch or write it again"#);
}

#[test]
fn ids_of_csv_and_tsv_are_texts() {
    let documents = "_id,text\n1.1,satu\n1.10,dua\n1e5,tiga\n12345678901234567890,empat\n";
    let queries = "nomor,text\n1.0,satu\n1.00,dua\n3,tiga\n4,empat\n";
    let qrels =
        "query-id\tcorpus-id\tscore\n1.0\t1.1\t1\n1.00\t1.10\t1\n3\t1e5\t1\n4\t12345678901234567890\t1\n";
    let files = [("corpus.csv", documents), ("queries.csv", queries), ("qrels/test.tsv", qrels)];
    let task = Task::of("Retrieval", ".", &files);
    let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
    task.write("card.toml", format!("{card}[dataset.parts.queries]\ncolumns = {{ _id = \"nomor\" }}\n"));
    let run = task.run(&["--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.json().unwrap()["tasks"][0]["units"][0]["main_score"], 1.0, "{}", run.stdout);
}

#[test]
fn training_texts_among_the_evaluation_texts_are_one_line_where_nothing_is_declared() {
    let rows: String =
        (0..50).map(|row| format!("{{\"text\":\"teks {row}\",\"label\":\"l{}\"}}\n", row % 3)).collect();
    let more = format!("{rows}{{\"text\":\"lain\",\"label\":\"l0\"}}\n");
    let task = Task::of("Classification", "data", &[("data/train.jsonl", &more), ("data/test.jsonl", &rows)]);
    insta::assert_snapshot!(task.warning(), @r#"warning: T, split test, subset default: 50 training texts among the evaluation texts, the first in test row 1 and train row 1: the same text: “teks 0”"#);
}

#[test]
fn a_training_file_that_is_the_evaluation_file_is_told_once_and_by_both() {
    let rows: String = (0..80).map(|row| format!("teks {row},l{}\n", row % 3)).collect();
    let rows = format!("text,label\n{rows}");
    let task = Task::of("Classification", "data", &[("data/train.csv", &rows), ("data/test.csv", &rows)]);
    insta::assert_snapshot!(task.warning(), @"warning: T, split test, subset default: the training rows are the rows to predict: data/train.csv is a copy of data/test.csv");
}

#[test]
fn a_file_of_several_that_is_not_there_is_told() {
    let rows = "sentence1,sentence2,score\na b,a c,1\nd e,f e,4\n";
    let task = Task::of("STS", "data", &[("data/test-1.csv", rows), ("data/test-3.csv", rows)]);
    let expected = "warning: T, split test, subset default: the split test is all of these files together: \
                    test-1.csv, test-3.csv; test-2.csv does not exist\n";
    assert_eq!(task.warning(), expected);
    task.write("data/test-1.csv", format!("{rows}g h,g i,2\n"));
    let again = task.run(&[]);
    assert_eq!(
        again.stderr,
        format!("T: will be scored again: data changed: test-1.csv\n{expected}"),
        "scored again, it is told once"
    );
}

#[test]
fn a_numbered_file_beside_one_without_a_number_is_told() {
    let rows = "sentence1,sentence2,score\na b,a c,1\nd e,f e,4\n";
    let task = Task::of("STS", "data", &[("data/test.csv", rows), ("data/test2.csv", rows)]);
    let said = task.warning();
    assert!(said.contains("the split test is all of these files together: test.csv, test2.csv"), "{said}");
}

#[test]
fn a_subset_that_the_card_does_not_name_is_told_once() {
    let rows = "sentence1,sentence2,score\na b,a c,1\nd e,f e,4\n";
    let files = ["ind", "jav", "sun"].map(|subset| format!("data/{subset}/test.csv"));
    let files: Vec<(&str, &str)> = files.iter().map(|file| (file.as_str(), rows)).collect();
    let subsets = "[subsets]\nind = { languages = [\"ind-Latn\"] }\njav = { languages = [\"jav-Latn\"] }";
    let task = Task::of("STS", "data", &files).with(subsets);
    insta::assert_snapshot!(task.warning(), @"warning: T, split test, subset ind: data: a subset that the card does not name is not read: sun; name it under `[subsets]`, or move it away");
}

#[test]
fn a_split_that_is_called_otherwise_is_answered_with_the_line_of_the_card() {
    let rows = "sentence1,sentence2,score\na b,a c,1\nd e,f e,4\n";
    let dev = Task::of("STS", "data", &[("data/dev.csv", rows)]);
    insta::assert_snapshot!(dev.fault(), @r#"T, split test, subset default: data: expected the split `test` in a file as `test.csv` or `test.jsonl`, found dev.csv; if `dev` is meant, write `eval_splits = ["dev"]` in the card"#);
    let slip = Task::of("STS", "data", &[("data/dev.csv", rows), ("data/test.csv", rows)]);
    let card = fs::read_to_string(slip.folder().join("card.toml")).unwrap();
    slip.write("card.toml", card.replace("languages", "eval_splits = [\"tset\"]\nlanguages"));
    insta::assert_snapshot!(slip.fault(), @r#"T, split tset, subset default: data: expected the split `tset` in a file as `tset.csv` or `tset.jsonl`, found dev.csv, test.csv; if `test` is meant, write `eval_splits = ["test"]` in the card"#);
}

/// The lines that say a fault, without their count.
fn errors(gate: &Run) -> String {
    gate.stderr.lines().filter(|line| line.starts_with("error: T,")).collect::<Vec<_>>().join("\n")
}

//! Where the data of one's own lies: which files are read, which must not be beside them, and what is expected where some
//! are absent.

use std::fs;

use mteb_host_tests::{Run, host};
use serde_json::Value;

use super::new_task::Task;

const PAIRS: &str = "sentence1,sentence2,score\na b,a c,1\nx y,x z,2\np q,q q,4\n";
const LINE: &str = "{\"sentence1\":\"a\",\"sentence2\":\"b\",\"score\":1}\n";
const TRAIN: &str = "text,label\nhujan deras,cuaca\ngol bola,bola\nberas,pasar\n";
const TEST: &str = "text,label\nhujan,cuaca\ngol,bola\nharga beras,pasar\n";
const CORPUS: &str = "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n";
const QUERIES: &str = "{\"_id\":\"q1\",\"text\":\"satu\"}\n";
const QRELS: &str = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";

/// A ranking task whose corpus and queries lie beside `more`.
fn ranking(task_type: &str, more: &[(&str, &str)]) -> Task {
    let files = [("data/corpus.jsonl", CORPUS), ("data/queries.jsonl", QUERIES)];
    Task::of(task_type, "data", &[&files, more].concat())
}

fn classification(more: &[(&str, &str)]) -> Task {
    Task::of("Classification", "data", &[&[("data/train.csv", TRAIN)], more].concat())
}

#[test]
fn files_of_one_split_in_two_formats_are_refused_by_name() {
    let task = Task::of("STS", "data", &[("data/test.csv", PAIRS), ("data/test.jsonl", LINE)]);
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: data: expected the split `test` in files of one format and place, found test.csv, test.jsonl; remove those not meant, or name the one that is: `file = "test.jsonl"` under `[dataset.parts.rows]`"#);
    let named = task.with("parts.rows.file = \"test.csv\"");
    assert_eq!(named.warning(), "", "the file that the card names is read");
    let packed = Task::of("STS", "data", &[("data/test.csv", PAIRS), ("data/test.csv.gz", "")]);
    assert!(packed.fault().contains("found test.csv, test.csv.gz;"), "{}", packed.fault());
}

#[test]
fn judgements_in_two_formats_or_places_are_refused_by_name() {
    let line = "{\"query-id\":\"q1\",\"corpus-id\":\"d2\",\"score\":1}\n";
    let task = ranking("Retrieval", &[("data/qrels.tsv", QRELS), ("data/qrels.jsonl", line)]);
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: data: expected the part `qrels` in files of one format and place, found qrels.jsonl, qrels.tsv; remove those not meant, or name the one that is: `file = "qrels.tsv"` under `[dataset.parts.qrels]`"#);
    let task = ranking("Retrieval", &[("data/qrels.tsv", QRELS), ("data/qrels/test.tsv", QRELS)]);
    assert!(task.fault().contains("found qrels.tsv, qrels/test.tsv;"), "{}", task.fault());
}

#[test]
fn copies_that_are_read_as_the_split_are_named() {
    let task = Task::of("STS", "data", &[("data/test.csv", PAIRS), ("data/test copy.csv", PAIRS)]);
    insta::assert_snapshot!(task.warning(), @"warning: T, split test, subset default: the split test is all of these files together: test copy.csv, test.csv");
    let shards = Task::of("STS", "data", &[("data/test-1.csv", PAIRS), ("data/test-2.csv", PAIRS)]);
    assert_eq!(shards.warning(), "");
}

#[test]
fn splits_that_are_one_file_are_told() {
    let task = Task::pairs(PAIRS);
    let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
    task.write("card.toml", card.replace("languages", "eval_splits = [\"train\", \"test\"]\nlanguages"));
    insta::assert_snapshot!(task.warning(), @"warning: T, split test, subset default: the split test is read from the same file as the split train, and scored like it: pairs.csv");
    let qrels = ranking("Retrieval", &[("data/qrels.tsv", QRELS)]);
    let card = fs::read_to_string(qrels.folder().join("card.toml")).unwrap();
    qrels.write("card.toml", card.replace("languages", "eval_splits = [\"dev\", \"test\"]\nlanguages"));
    insta::assert_snapshot!(qrels.warning(), @"warning: T, split test, subset default: the split test is read from the same file as the split dev, and scored like it: data/qrels.tsv");
}

#[test]
fn training_rows_that_are_the_rows_to_predict_are_told() {
    let task = classification(&[("data/test.csv", TEST)]).with("train_split = \"test\"");
    let run = task.run(&[]);
    assert_eq!(run.code, Some(0));
    insta::assert_snapshot!(run.stderr, @"warning: T, split test, subset default: the training rows are the rows to predict: both are those of data/test.csv");
    assert!(task.validate().stderr.contains("the training rows are the rows to predict"));
}

#[test]
fn a_copy_of_the_rows_to_predict_among_the_training_rows_is_told() {
    let task = classification(&[("data/test.csv", TEST), ("data/train.csv", TEST)]);
    let run = task.run(&[]);
    assert_eq!(run.code, Some(0));
    insta::assert_snapshot!(run.stderr, @"warning: T, split test, subset default: the training rows are the rows to predict: data/train.csv is a copy of data/test.csv");
    assert!(task.validate().stderr.contains("data/train.csv is a copy of data/test.csv"));
}

#[test]
fn a_file_of_a_split_beside_the_folder_of_the_split_is_refused_by_name() {
    let rows = "sentence1,sentence2,score\na b,b,5\nc d,d e,3\nd f g,g,2\n";
    let task = Task::of("STS", "data", &[("data/test.csv", rows), ("data/test/any.csv", rows)]);
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: data: expected the split `test` in files of one format and place, found test.csv, test/any.csv; remove those not meant, or name the one that is: `file = \"test/any.csv\"` under `[dataset.parts.rows]`");
}

#[test]
fn what_a_cache_keeps_is_no_data_wherever_the_cache_was() {
    let rows = "sentence1,sentence2,score\na b,b,5\nc d,d e,3\nd f g,g,2\n";
    let task = Task::of("STS", ".", &[("test.csv", rows)]);
    let results = tempfile::tempdir().unwrap();
    let kept = |command: &[&str], option: &str| {
        let mut command_line = host(task.folder());
        command_line.args(command).args(["--cache-dir", "test", option]).arg(results.path());
        assert_eq!(Run::of(&mut command_line).unwrap().code, Some(0));
    };
    let run = ["run", "--quiet", "--registry", "indonesia", "--task", "IndonesianGeneralSTS"];
    kept(&run, "--output-folder");
    kept(&["leaderboard"], "--results");
    assert!(task.folder().join("test/reports").is_dir());
    assert_eq!(task.warning(), "");
}

#[test]
fn reranking_without_candidates_says_so_and_the_result_what_was_ranked() {
    let lists = "{\"query-id\":\"q1\",\"corpus-ids\":[\"d1\",\"d2\"]}\n";
    let mistyped = ranking("Reranking", &[("data/qrels.tsv", QRELS), ("data/top-ranked.jsonl", lists)]);
    insta::assert_snapshot!(mistyped.warning(), @r"
    warning: T, split test, subset default: data/top-ranked.jsonl is not read because it is not named like one of the parts (corpus, queries, qrels, top_ranked, excluded, instruction, qrel_diff): if it is `top_ranked`, rename it
    warning: T, split test, subset default: there is no part `top_ranked`, so the whole corpus is searched instead of given candidates
    ");
    assert_eq!(read_ranked(&mistyped), "corpus");
    let sound = ranking("Reranking", &[("data/qrels.tsv", QRELS), ("data/top_ranked.jsonl", lists)]);
    assert_eq!(sound.warning(), "");
    assert_eq!(read_ranked(&sound), "candidates");
}

#[test]
fn a_file_that_is_put_beside_scored_data_and_not_read_is_told_of_though_the_score_is_done() {
    let lists = "{\"query-id\":\"q1\",\"corpus-ids\":[\"d1\",\"d2\"]}\n";
    let task = ranking("Reranking", &[("data/qrels.tsv", QRELS)]);
    let before = task.warning();
    task.write("data/top_rank.jsonl", lists);
    let mistyped = "warning: T, split test, subset default: data/top_rank.jsonl is not read because it is not \
                    named like one of the parts";
    for _ in 0..2 {
        assert!(task.warning().starts_with(mistyped), "{}", task.warning());
    }
    let again = task.run(&["--json"]).json().unwrap();
    assert_eq!(again["tasks"][0]["units"][0]["state"], "found");
    fs::remove_file(task.folder().join("data/top_rank.jsonl")).unwrap();
    assert_eq!(task.warning(), before, "what is there no more is told no more");
    task.write("data/top_rank.jsonl", lists);
    task.run(&["--overwrite", "always"]);
    fs::remove_file(task.folder().join("data/top_rank.jsonl")).unwrap();
    assert_eq!(task.warning(), before);
}

/// What the result file says that was ranked.
fn read_ranked(task: &Task) -> String {
    result(task)["mteb_host"]["units"]["test"]["default"]["ranked"].as_str().unwrap().to_owned()
}

fn result(task: &Task) -> Value {
    let path = task.folder().join("results/mteb-host__hashing/1/T.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn what_a_query_must_not_find_is_read_from_a_file_of_that_name() {
    let qrels = ("data/qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t1\n");
    let lists = "{\"query-id\":\"q1\",\"corpus-ids\":[\"d1\"]}\n";
    let first = |task: &Task| {
        assert_eq!(task.warning(), "");
        result(task)["scores"]["test"][0]["hit_rate_at_1"].as_f64().unwrap()
    };
    assert_eq!(first(&ranking("Retrieval", &[qrels])), 0.0, "another document is nearer");
    let file = ranking("Retrieval", &[qrels, ("data/excluded.jsonl", lists)]);
    assert_eq!(first(&file), 1.0);
    let folder = ranking("Retrieval", &[qrels, ("data/excluded/test.jsonl", lists)]);
    assert_eq!(first(&folder), 1.0);
    let limited = file.with("[quality.records]\nexcluded = 1");
    assert_eq!(limited.run(&[]).code, Some(0), "its rows can be counted as those of other parts");
    let mistyped = ranking("Retrieval", &[qrels, ("data/exclude.jsonl", lists)]);
    assert!(mistyped.warning().contains("if it is `excluded`, rename it"), "{}", mistyped.warning());
}

#[test]
fn lists_of_what_is_excluded_are_held_to_queries_corpus_and_judgements() {
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n";
    let queries = "{\"_id\":\"q1\",\"text\":\"satu\"}\n{\"_id\":\"q2\",\"text\":\"dua\"}\n";
    let of = |lists: &[(&str, &str)]| {
        let line = |(query, documents): &(&str, &str)| {
            format!("{{\"query-id\":\"{query}\",\"corpus-ids\":[{documents}]}}\n")
        };
        let lists: String = lists.iter().map(line).collect();
        let task = Task::retrieval(CORPUS, queries, ("qrels.tsv", qrels));
        task.write("excluded.jsonl", lists);
        task
    };
    insta::assert_snapshot!(of(&[("q1", "\"d1\""), ("q2", "\"d2\"")]).fault(), @"T, split test, subset default: expected a relevant document that a query may find, found all of them excluded for all of 2: compare the ids of `excluded` with those of `qrels`");
    insta::assert_snapshot!(of(&[("q1", "\"d1\"")]).warning(), @"warning: T, split test, subset default: queries whose relevant documents are excluded: 1 of 2, the first of them “q1”; remove it from `excluded` or from `qrels`");
    insta::assert_snapshot!(of(&[("q1", "\"X\"")]).fault(), @"T, split test, subset default: ./excluded.jsonl, column `corpus-ids`: expected ids of documents in the corpus, found none among 1, such as “X”; compare them with the ids (`_id` or `id`) of the corpus");
    insta::assert_snapshot!(of(&[("q1", "\"d2\", \"X\"")]).warning(), @"warning: T, split test, subset default: ./excluded.jsonl, column `corpus-ids`: documents that are not in the corpus: 1 of 2 (“X”)");
    insta::assert_snapshot!(of(&[("q9", "\"d1\"")]).fault(), @"T, split test, subset default: ./excluded.jsonl, column `query-id`: expected ids of queries, found none among 1, such as “q9”; compare them with the ids (`_id` or `id`) of the queries");
    insta::assert_snapshot!(of(&[("q1", "\"d2\""), ("q9", "\"d1\"")]).warning(), @"warning: T, split test, subset default: ./excluded.jsonl, line 2, column `query-id`: lists of queries that do not exist: 1 of 2 (“q9”)");
    assert_eq!(of(&[("q1", "\"d2\"")]).run(&["--limit", "1"]).stderr, "", "of a trial the documents are few");
}

#[test]
fn absent_judgements_are_asked_for_by_the_names_of_files() {
    let task = ranking("Retrieval", &[("data/relevansi.tsv", QRELS)]);
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: data: expected the part `qrels` in a file as `qrels.tsv` or `qrels/test.tsv`, found corpus.jsonl, queries.jsonl, relevansi.tsv; if `relevansi.tsv` is meant, rename it, or write `file = "relevansi.tsv"` under `[dataset.parts.qrels]`"#);
    let named = task.with("parts.qrels.file = \"relevansi.tsv\"");
    assert_eq!(named.warning(), "");
    let mistyped = ranking("Retrieval", &[("data/qrel.tsv", QRELS)]);
    assert!(mistyped.fault().contains("if `qrel.tsv` is meant, rename it"), "{}", mistyped.fault());
}

#[test]
fn an_absent_split_is_asked_for_by_the_name_of_a_file() {
    insta::assert_snapshot!(classification(&[("data/uji.csv", TEST)]).fault(), @r#"T, split test, subset default: data: expected the split `test` in a file as `test.csv` or `test.jsonl`, found train.csv, uji.csv; if `uji` is meant, write `eval_splits = ["uji"]` in the card"#);
    insta::assert_snapshot!(classification(&[("data/test.xlsx", "x")]).fault(), @"T, split test, subset default: data: expected the split `test` in a file as `test.csv` or `test.jsonl`, found test.xlsx, train.csv; the format of `test.xlsx` is not supported: write its rows as CSV or JSON lines");
    let task = Task::of("Classification", "data", &[("data/latih.csv", TRAIN), ("data/test.csv", TEST)]);
    insta::assert_snapshot!(task.fault(), @r#"T, split test, subset default: data: expected the split `train` in a file as `train.csv` or `train.jsonl`, found latih.csv, test.csv; if `latih` is meant, write `train_split = "latih"` under `[dataset]` of the card"#);
}

#[test]
fn an_absent_subset_is_asked_for_by_the_name_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "card.toml",
        "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\n[dataset]\npath = \"data\"\n\
         [subsets.ind]\nlanguages = [\"ind-Latn\"]\n",
    );
    write("data/ind.csv", PAIRS);
    let run = || Run::of(host(folder.path()).args(["run", "--registry", "card.toml", "--quiet"])).unwrap();
    let absent = run();
    assert_eq!(absent.code, Some(1));
    let said = absent.stderr.lines().next().unwrap_or_default().to_owned();
    insta::assert_snapshot!(said, @"failed: T, split test, subset ind: data: expected the files of the subset `ind` in the folder `ind`, as `ind/test.csv`, found ind.csv; move `ind.csv` to `ind/test.csv`");
    fs::create_dir(folder.path().join("data/ind")).unwrap();
    fs::rename(folder.path().join("data/ind.csv"), folder.path().join("data/ind/test.csv")).unwrap();
    assert_eq!(run().code, Some(0), "where the message says, it is found");
}

#[test]
fn the_files_of_two_exports_are_told() {
    let rows = "sentence1,sentence2,score\na b,a c,1\nd e,f e,4\n";
    for (place, files) in [
        ("", &["0-of-00002", "1-of-00002", "0-of-00003", "1-of-00003", "2-of-00003"][..]),
        ("data/", &["0-of-00001", "0-of-00002", "1-of-00002"]),
        ("", &["0-of-00002", "1-of-00003"]),
    ] {
        let files: Vec<String> =
            files.iter().map(|file| format!("data/{place}test-0000{file}.csv")).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|file| (file.as_str(), rows)).collect();
        let said = Task::of("STS", "data", &files).warning();
        let expected = format!("the split test is all of these files together: {place}test-00000-of-0000");
        assert!(said.contains(&expected), "{files:?}: {said}");
    }
    let whole = [("data/test-00000-of-00002.csv", rows), ("data/test-00001-of-00002.csv", rows)];
    assert_eq!(Task::of("STS", "data", &whole).warning(), "");
}

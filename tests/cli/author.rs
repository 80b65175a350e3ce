//! What the author of a task meets: each message names what was found, where, and what to do.

use std::fs;

use mteb_host_tests::{Run, faulty_plugin, host, trust};
use serde_json::Value;

use super::new_task::Task;

/// A line a row, of `rows` rows.
fn lines(rows: usize, line: impl Fn(usize) -> String) -> String {
    (0..rows).map(|row| line(row) + "\n").collect()
}

const WORDS: [&str; 5] = ["satu", "dua", "tiga", "empat", "lima"];

fn run_on(task: &Task, arguments: &[&str]) -> Run {
    Run::of(host(task.folder()).args(arguments)).unwrap()
}

/// The first line that `validate` says of a card at fault.
fn card_fault(task: &Task) -> String {
    let run = run_on(task, &["validate", "card.toml"]);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    run.stderr.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn few_of_the_rows_of_a_clustering_are_told_of_where_nobody_chose_how_many() {
    let label = |row: usize| WORDS[row % 4];
    let rows =
        format!("sentences,labels\n{}", lines(100, |row| format!("{} {row},{}", label(row), label(row))));
    let task = || Task::of("Clustering", "c.csv", &[("c.csv", &rows)]);
    insta::assert_snapshot!(task().warning().trim_end(), @"warning: T, split test, subset default: c.csv: 4 of 100 rows are embedded and clustered, a share of 0.04 (`max_fraction_of_documents`), because the card sets none: a score of so few says little; write `max_documents = 0` under `[protocol]` to embed all, or the number of rows to embed");
    for chosen in ["max_documents = 0", "max_documents = 20", "max_fraction_of_documents = 0.04"] {
        assert_eq!(task().with(&format!("[protocol]\n{chosen}")).warning(), "", "{chosen}");
    }
    assert_eq!(task().run(&["--limit", "20"]).stderr, "", "a trial embeds all");
}

#[test]
fn a_registry_among_cards_is_left_out_in_one_line() {
    let task = Task::pairs("sentence1,sentence2,score\na b,b c,1\nd e f,d e,4\nb c,b,2\n");
    task.write("mine.toml", "schema = 1\nname = \"mine\"\ncards = [\".\"]\n");
    task.write("other.toml", "schema = 1\nname = \"other\"\ninclude = [\"mine.toml\"]\n");
    let line = "warning: mine.toml:3:10: left out of the cards because it is a registry: ./other.toml; use \
                `include` for its tasks";
    for arguments in [&["validate", "mine.toml"][..], &["run", "--quiet", "--registry", "mine.toml"]] {
        let run = run_on(&task, arguments);
        assert_eq!((run.code, run.stderr.trim_end()), (Some(0), line), "{arguments:?}");
    }
    task.write("third.toml", "schema = 1\nname = \"third\"\ncards = [\"other.toml\"]\n");
    let third = run_on(&task, &["validate", "third.toml"]);
    assert_eq!(third.code, Some(2));
    insta::assert_snapshot!(third.stderr.lines().next().unwrap(), @r#"error: third.toml:3:10: expected a card or a folder of cards, found a registry: other.toml; include its tasks with `include = ["other.toml"]`"#);
    // What has a dataset is a card whose type was forgotten.
    task.write(
        "forgotten.toml",
        "schema = 1\nname = \"F\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"pairs.csv\"\n",
    );
    let forgotten = run_on(&task, &["validate", "mine.toml"]);
    assert!(
        forgotten.stderr.contains("forgotten.toml:1:1: expected the key `type`, found none"),
        "{}",
        forgotten.stderr
    );
    let below = run_on(&task, &["validate", "."]);
    assert_eq!(below.stderr.matches("forgotten.toml").count(), 1, "as a card alone: {}", below.stderr);
}

#[test]
fn the_cuts_of_a_card_are_not_blamed_for_what_a_trial_leaves_out() {
    let corpus = lines(40, |row| format!("{{\"_id\":\"d{row}\",\"text\":\"{} {row}\"}}", WORDS[row % 5]));
    let queries = lines(10, |row| format!("{{\"_id\":\"q{row}\",\"text\":\"{} {row}\"}}", WORDS[row % 5]));
    let qrels = format!("query-id\tcorpus-id\tscore\n{}", lines(10, |row| format!("q{row}\td{row}\t1")));
    let task = Task::retrieval(&corpus, &queries, ("qrels/test.tsv", &qrels))
        .with("[protocol]\nk_values = [1, 10, 20]");
    assert_eq!(task.warning(), "");
    let tried = task.run(&["--limit", "3"]);
    assert_eq!((tried.code, tried.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_task_of_a_pack_that_no_registry_names_is_answered_with_the_registry_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("narrow_pack", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    let run =
        Run::of(host(folder.path()).args(["run", "--task", "Narrow", "--plugin-dir", "plugins"])).unwrap();
    assert_eq!(run.code, Some(2));
    insta::assert_snapshot!(run.stderr, @r#"error: expected a task of a registry, found: Narrow, which the plugin `narrow-pack` provides and no registry that was read names; write a registry with `packs = ["narrow-pack"]` and name it with `--registry FILE`"#);
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\npacks = [\"narrow-pack\"]\n")
        .unwrap();
    let named = ["run", "--quiet", "--registry", "mine.toml", "--task", "Narrow", "--plugin-dir", "plugins"];
    let run = Run::of(host(folder.path()).args(named)).unwrap();
    assert_eq!(run.code, Some(0), "as the message says: {}", run.stderr);
}

#[test]
fn what_a_query_must_not_find_is_asked_of_a_pack() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("narrow_pack", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    fs::write(folder.path().join("mine.toml"), "schema = 1\nname = \"mine\"\npacks = [\"narrow-pack\"]\n")
        .unwrap();
    let mut command = host(folder.path());
    command.args([
        "run",
        "--quiet",
        "--registry",
        "mine.toml",
        "--task",
        "Narrow",
        "--plugin-dir",
        "plugins",
    ]);
    let run = Run::of(command.env("MTEB_PLUGIN_FAULT", "search")).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let result = folder.path().join("results/mteb-host__hashing/1/Narrow.json");
    let result: Value = serde_json::from_str(&fs::read_to_string(result).unwrap()).unwrap();
    assert_eq!(result["scores"]["test"][0]["hit_rate_at_1"], 1.0, "the nearest document is left out");
}

#[test]
fn a_column_that_the_card_names_and_the_file_lacks_is_pointed_at_in_the_card() {
    let rows = "sentence1,sentence2,nilai\na,b,1\nc,d,2\n";
    let task = |columns: &str| Task::pairs(rows).with(&format!("columns = {{ {columns} }}"));
    insta::assert_snapshot!(task("score = \"skor\"").fault(), @"T, split test, subset default: card.toml:8:21: pairs.csv: no column `skor`; its columns are sentence1, sentence2, nilai; the card's `columns` read `score` from it: write the file's name for it there");
    insta::assert_snapshot!(task("score = \"nilai\", sentence1 = \"satu\"").fault(), @r#"T, split test, subset default: card.toml:8:42: pairs.csv: no column `satu`; its columns are sentence1, sentence2, nilai; the file has `sentence1` itself: leave `sentence1 = "satu"` out of the card's `columns`"#);
    let corpus = "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n";
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";
    let search = Task::retrieval(corpus, "{\"_id\":\"q1\",\"text\":\"satu\"}\n", ("qrels.tsv", qrels))
        .with("[dataset.parts.queries]\ncolumns = { text = \"pertanyaan\" }");
    insta::assert_snapshot!(search.fault(), @r#"T, split test, subset default: card.toml:9:20: ./queries.jsonl: no column `pertanyaan`; its columns are _id, text; the file has `text` itself: leave `text = "pertanyaan"` out of the card's `columns`"#);
}

#[test]
fn a_key_of_another_table_is_sent_there_also_with_a_slip() {
    let card = |lines: &str| {
        let corpus = "{\"_id\":\"d1\",\"text\":\"satu\"}\n";
        Task::retrieval(corpus, "{\"_id\":\"q1\",\"text\":\"satu\"}\n", ("qrels.tsv", "")).with(lines)
    };
    insta::assert_snapshot!(card_fault(&card("k_values = [1, 10]")), @"error: card.toml:8:1: dataset: unknown key `k_values`, which belongs under `[protocol]`");
    insta::assert_snapshot!(card_fault(&card("k_valuez = [1, 10]")), @"error: card.toml:8:1: dataset: unknown key `k_valuez` (near it: k_values, which belongs under `[protocol]`)");
    insta::assert_snapshot!(card_fault(&card("[protocol]\nlayuot = \"parallel-columns\"")), @"error: card.toml:9:1: protocol: unknown key `layuot` (near it: layout, which belongs under `[dataset]`)");
    let pairs = || Task::pairs("sentence1,sentence2,score\na,b,1\nc,d,2\n");
    insta::assert_snapshot!(card_fault(&pairs().with("k_values = [1]")), @"error: card.toml:8:1: dataset: unknown key `k_values`; it is an option under `[protocol]`, which tasks of type STS do not have");
    let task = pairs();
    task.write("mine.toml", "schema = 1\nname = \"mine\"\ndescription = \"d\"\ncards = [\"card.toml\"]\n");
    insta::assert_snapshot!(run_on(&task, &["validate", "mine.toml"]).stderr.lines().next().unwrap(), @"error: mine.toml:3:1: unknown key `description`; here it is called `title`");
}

#[test]
fn embeddings_that_are_equal_in_a_dimension_are_answered_with_what_helps() {
    let task = Task::pairs("sentence1,sentence2,score\na b,b c,1\nd e f,d e,4\nb c,b,2\n");
    let run = task.run(&["--quantize", "int8"]);
    assert_eq!(run.code, Some(1));
    let advice = "; use more texts, or numbers without a range (`--quantize binary`)\n";
    assert!(run.stderr.contains(advice), "{}", run.stderr);
    assert_eq!(task.run(&["--quantize", "binary"]).code, Some(0), "as the message says");
}

#[test]
fn a_file_without_a_header_is_told_so_whatever_its_cells_are() {
    let label = |row: usize| ["a", "b"][row % 2];
    let rows = lines(8, |row| format!("{} {row}\t{}", WORDS[row % 5], label(row)));
    let task = Task::of("Clustering", "c.tsv", &[("c.tsv", &rows)]).with("[protocol]\nmax_documents = 0");
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: c.tsv: no column `labels`; its columns are satu 0, a; the first line is read as the header, and here it looks like a row: put a header before it");
    let rows =
        lines(8, |row| format!("sebuah kalimat yang agak panjang {row},kalimat lain {row},nilai {row}"));
    let task = Task::pairs(&rows);
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: pairs.csv: no column `score`; its columns are sebuah kalimat yang agak panjang 0, kalimat lain 0, nilai 0; the first line is read as the header, and here it looks like a row: put a header before it");
}

#[test]
fn a_part_of_a_large_dataset_counts_as_its_share() {
    let folder = tempfile::tempdir().unwrap();
    let benchmark = "schema = 1\nname = \"vn\"\ninclude = [\"mteb\"]\n[[benchmark]]\nname = \"V\"\ntitle = \"v\"\n\
                     tasks = [\"SIB200Classification:vie_Latn\"]\n";
    fs::write(folder.path().join("vn.toml"), benchmark).unwrap();
    let show = ["show", "benchmark", "V", "--registry", "vn.toml"];
    let run = Run::of(host(folder.path()).args(show)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let known: Vec<&str> =
        run.stdout.lines().filter(|line| line.contains("to download") || line.contains("texts/s")).collect();
    insta::assert_snapshot!(known.join("\n"), @r"
      to download       1 dataset: about 1,004 texts of 135.19 kB unpacked (for 1 task, the share of the subsets used, assuming equal sizes); `mteb-host fetch --benchmark NAME --dry-run` asks the hub for exact sizes
      at 50 texts/s     about 20 seconds for the embeddings
      at 2000 texts/s   about 1 second for the embeddings
    ");
    let json = Run::of(host(folder.path()).args(show).arg("--json")).unwrap().json().unwrap();
    assert_eq!((&json["tasks_counted"], &json["tasks_estimated"]), (&1.into(), &1.into()));
}

#[test]
fn of_many_names_those_near_are_said_or_a_handful_and_what_lists_all() {
    let folder = tempfile::tempdir().unwrap();
    let said = |name: &str| {
        let run = Run::of(host(folder.path()).args(["list", "tasks", "--benchmark", name])).unwrap();
        assert_eq!(run.code, Some(2));
        run.stderr
    };
    insta::assert_snapshot!(said("Indonesia-MTEB(cor)"), @"error: expected the name of a benchmark, found: Indonesia-MTEB(cor) (near it: Indonesia-MTEB(core), Indonesia-MTEB, Indonesia-MTEB(STS), Indonesia-MTEB(ind), Indonesia-MTEB(hub); `mteb-host list benchmarks` shows all)");
    let unlike = said("qqq");
    assert!(unlike.contains("; `mteb-host list benchmarks` shows all") && unlike.len() < 250, "{unlike}");
}

#[test]
fn judgements_that_say_nothing_are_answered_with_what_to_do() {
    let corpus = "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n";
    let of = |judged: &str| {
        let qrels = format!("query-id\tcorpus-id\tscore\n{judged}");
        Task::retrieval(corpus, "{\"_id\":\"q1\",\"text\":\"satu\"}\n", ("qrels/test.tsv", &qrels)).fault()
    };
    assert!(of("q1\tx1\t1\n").ends_with("; compare them with the ids (`_id` or `id`) of the corpus"));
    assert!(of("q1\td1\t0\n").ends_with("; give documents that answer a query a grade above 0"));
}

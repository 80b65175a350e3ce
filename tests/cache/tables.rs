//! Parsed rows are kept from run to run: the results are the same with them and without, whatever happens to them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mteb_host_tests::{Run, host, without_times};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Rows of a data file: so many that their file is worth keeping.
const ROWS: usize = 5_000;

/// Tables of a run: four files of pairs and a corpus.
const TABLES: u64 = 5;

#[test]
fn results_are_the_same_from_parsed_rows_and_from_kept_ones() {
    let folder = folder();
    let without = results(folder.path(), &["--no-cache"]);
    assert_eq!(cache(folder.path(), "info")["tables"]["files"], 0, "`--no-cache` keeps none");
    let first = results(folder.path(), &[]);
    assert_eq!(cache(folder.path(), "info")["tables"]["files"], TABLES);
    let kept = results(folder.path(), &[]);
    assert_eq!(cache(folder.path(), "info")["tables"]["files"], TABLES);
    assert!(first == without && kept == without);

    let bytes = cache(folder.path(), "info")["tables"]["bytes"].as_u64().unwrap();
    let limit = (bytes / TABLES * 2).to_string();
    assert!(results(folder.path(), &["--table-cache-size", &limit]) == without);
    assert_eq!(results(folder.path(), &["--table-cache-size", "0"]).len(), without.len());

    let sound = cache(folder.path(), "verify");
    assert_eq!(
        (&sound["sound_tables"], &sound["table_rows"]),
        (&json!(TABLES), &json!(TABLES * ROWS as u64))
    );
    assert!(cache(folder.path(), "clear")["removed_bytes"].as_u64().unwrap() >= bytes);
    assert_eq!(cache(folder.path(), "info")["tables"]["files"], 0);
}

#[test]
fn damaged_tables_and_a_folder_in_the_way_change_no_result() {
    let folder = folder();
    let sound = results(folder.path(), &[]);
    for (number, table) in tables(folder.path()).into_iter().enumerate() {
        let mut bytes = fs::read(&table).unwrap();
        match number {
            0 => bytes.truncate(bytes.len() / 2),
            1 => bytes = b"something else".to_vec(),
            _ => {
                let middle = bytes.len() / 3;
                bytes[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 1);
            }
        }
        fs::write(&table, bytes).unwrap();
    }
    let run = run(folder.path(), &[]);
    assert_eq!(run.stderr.matches("is parsed again").count() as u64, TABLES, "{}", run.stderr);
    assert!(read_results(folder.path()) == sound);
    assert_eq!(cache(folder.path(), "verify")["sound_tables"], TABLES);

    let table = tables(folder.path()).remove(0);
    let mut bytes = fs::read(&table).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 1);
    fs::write(&table, bytes).unwrap();
    let verified = Run::of(host(folder.path()).args(["cache", "verify", "--json"])).unwrap();
    assert_eq!(verified.code, Some(1), "{}", verified.stderr);
    assert_eq!(verified.json().unwrap()["damaged"].as_array().unwrap().len(), 1);

    cache(folder.path(), "clear");
    fs::create_dir_all(folder.path().join("cache/tables")).unwrap();
    fs::write(folder.path().join("cache/tables/v1"), "in the way").unwrap();
    let run = self::run(folder.path(), &[]);
    assert_eq!(run.stderr.matches("cannot write parsed rows to the cache").count(), 1, "{}", run.stderr);
    assert!(read_results(folder.path()) == sound);
}

#[test]
fn a_fault_in_the_data_is_said_with_the_same_line_both_ways() {
    let folder = folder();
    let path = folder.path().join("data/jsonl/test.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let said = |text: &str| {
        fs::write(&path, text).unwrap();
        let said: Vec<String> = [&["--no-cache"][..], &[], &[]]
            .iter()
            .map(|options| {
                let run = Run::of(&mut command(folder.path(), options)).unwrap();
                assert_eq!(run.code, Some(1), "{}", run.stderr);
                run.stderr
            })
            .collect();
        assert!(said[0] == said[1] && said[1] == said[2], "{said:#?}");
        said[0].clone()
    };
    // The rows can be read and kept, but one is not what the task needs.
    let wrong = text.replacen("\"score\": 3777", "\"score\": \"many\"", 1);
    let found = said(&wrong);
    assert!(found.contains("test.jsonl, line 3778, column `score`: expected a number"), "{found}");
    // The rows cannot be read.
    let broken = text.replacen("{\"sentence1\"", "\n{\"sentence1\"", 1) + "{\"sentence1\": \n";
    let found = said(&broken);
    assert!(found.contains(&format!("test.jsonl, line {}: expected a JSON object", ROWS + 2)), "{found}");
}

#[test]
fn runs_share_what_is_kept() {
    let folder = folder();
    let children: Vec<_> = (0..3)
        .map(|number| {
            let mut command = command(folder.path(), &["--output-folder", &format!("results{number}")]);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(cache(folder.path(), "info")["tables"]["files"], TABLES);
    assert_eq!(cache(folder.path(), "verify")["sound_tables"], TABLES);
}

/// A task of pairs in four formats and a task of retrieval, whose corpus is read piece by piece.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let subsets: String = ["csv", "json", "jsonl", "tsv"]
        .map(|subset| format!("{subset} = {{ languages = [\"ind-Latn\"] }}\n"))
        .concat();
    let card = |name: &str, task_type: &str, rest: &str| {
        format!("schema = 1\nname = \"{name}\"\ntype = \"{task_type}\"\ndescription = \"For tests.\"\n{rest}")
    };
    let range = "[dataset]\npath = \"../data\"\n[protocol]\nmax_score = 5000\n";
    write("cards/pairs.toml", &card("Pairs", "STS", &format!("{range}[subsets]\n{subsets}")));
    let search = "languages = [\"ind-Latn\"]\n[dataset]\npath = \"../search\"\n";
    write("cards/search.toml", &card("Search", "Retrieval", search));
    write("registry.toml", "schema = 1\nname = \"both\"\ncards = [\"cards\"]\n");

    let (mut lines, mut corpus, mut csv) =
        (String::new(), String::new(), "sentence1,sentence2,score\n".to_owned());
    let mut state = 1_u64;
    for row in 0..ROWS {
        let text: String = (0..100).map(|_| format!("{:x} é", next(&mut state) % 65_536)).collect();
        let (left, right) = (format!("{row} {text}"), format!("{text} {row}"));
        let _ =
            writeln!(lines, "{{\"sentence1\": \"{left}\", \"sentence2\": \"{right}\", \"score\": {row}}}");
        let _ =
            writeln!(corpus, "{{\"_id\": \"d{row}\", \"text\": \"{left}{right}\", \"title\": \"{row}\"}}");
        let _ = writeln!(csv, "\"{left}\n\",{right},{row}");
    }
    write("data/jsonl/test.jsonl", &lines);
    write("data/json/test.json", &format!("[{}]", lines.trim_end().replace('\n', ",\n")));
    write("data/csv/test.csv", &csv);
    write("data/tsv/test.tsv", &csv.replace(',', "\t"));
    write("search/corpus.jsonl", &corpus);
    write(
        "search/queries.jsonl",
        "{\"_id\": \"q\", \"text\": \"satu\"}\n{\"_id\": \"r\", \"text\": \"dua\"}\n",
    );
    write("search/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\td1\t1\nr\td4000\t1\n");
    folder
}

/// A generator of numbers that look random.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn command(folder: &Path, options: &[&str]) -> Command {
    let mut command = host(folder);
    command.args([
        "run",
        "--registry",
        "registry.toml",
        "--model",
        "random",
        "--overwrite",
        "always",
        "--quiet",
    ]);
    command.args(options);
    command
}

fn run(folder: &Path, options: &[&str]) -> Run {
    let run = Run::of(&mut command(folder, options)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn results(folder: &Path, options: &[&str]) -> Vec<String> {
    assert_eq!(run(folder, options).stderr, "");
    read_results(folder)
}

/// The result files of both tasks.
fn read_results(folder: &Path) -> Vec<String> {
    let model = fs::read_dir(folder.join("results")).unwrap().next().unwrap().unwrap().path();
    let revision = fs::read_dir(model).unwrap().next().unwrap().unwrap().path();
    let read = |task: &str| fs::read_to_string(revision.join(format!("{task}.json"))).unwrap();
    ["Pairs", "Search"].map(|task| without_times(&read(task)).unwrap().to_string()).to_vec()
}

fn cache(folder: &Path, action: &str) -> Value {
    let run = Run::of(host(folder).args(["cache", action, "--json"])).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.json().unwrap()
}

fn tables(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join("cache/tables/v1")).unwrap().flatten().map(|file| file.path());
    let mut tables: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|ending| ending == "table")).collect();
    tables.sort();
    tables
}

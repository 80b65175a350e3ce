//! What people see fits the terminal: prose goes on below itself, and columns that do not fit stand in a table
//! below. A pipe gets whole lines. Failures are said once, and numbers agree with their words.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, Terminal, host, write_pair_card, write_pairs};

fn list_benchmarks(columns: Option<&str>) -> Command {
    let folder = std::env::temp_dir();
    let mut command = host(&folder);
    command.args(["list", "benchmarks"]).env("TERM", "dumb").env_remove("COLUMNS");
    command.envs(columns.map(|columns| ("COLUMNS", columns)));
    command
}

fn widest_without_colours(text: &str) -> usize {
    text.lines().map(|line| without_colours(line).chars().count()).max().unwrap_or_default()
}

fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, shown)| shown))
}

#[test]
fn a_table_fits_the_terminal_and_a_pipe_gets_100_columns() {
    let (code, narrow) = Terminal::new(80).unwrap().run(&mut list_benchmarks(None)).unwrap();
    assert_eq!(code, Some(0));
    assert!(widest_without_colours(&narrow) <= 80, "{narrow}");
    // Names stay whole; other columns go where there is no room.
    for name in ["MTEB(eng, v1)", "Indonesia-MTEB(MultilabelClassification)"] {
        assert!(narrow.contains(&format!("│ {name} ")), "{narrow}");
    }
    let whole = Run::of(&mut list_benchmarks(None)).unwrap().stdout;
    assert!((81..=100).contains(&widest_without_colours(&whole)), "{whole}");
    let asked = Run::of(&mut list_benchmarks(Some("100"))).unwrap().stdout;
    assert!((81..=100).contains(&widest_without_colours(&asked)), "{asked}");
}

#[test]
fn a_failure_is_said_once_and_one_task_is_no_1_tasks() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Once", &["ind", "jav"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b", 1.0), ("a b", "b c", 2.0), ("c", "d", 3.0)]).unwrap();
    fs::create_dir_all(folder.path().join("data/jav")).unwrap();
    fs::write(folder.path().join("data/jav/test.jsonl"), "{\"sentence1\": \"torn").unwrap();
    let run =
        Run::of(host(folder.path()).args(["run", "--registry", "task.toml", "--model", "hashing"])).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let lines: Vec<&str> = run.stderr.lines().filter(|line| line.contains("subset jav")).collect();
    assert_eq!(lines.len(), 1, "{}", run.stderr);
    assert!(lines[0].starts_with("failed: Once, split test, subset jav: "), "{}", run.stderr);
    assert!(run.stderr.ends_with("1 unit failed, for the reasons above\n"), "{}", run.stderr);
    assert!(run.stdout.contains("1 of 2 units failed"), "{}", run.stdout);
}

#[test]
fn a_terminal_shows_the_units_of_a_run_and_a_pipe_gets_no_bars() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Bars", &["ind", "jav"]).unwrap();
    for subset in ["ind", "jav"] {
        write_pairs(folder.path(), subset, [("a", "b", 1.0), ("a b", "b c", 2.0), ("c", "d", 3.0)]).unwrap();
    }
    let command = || {
        let mut command = host(folder.path());
        command.args(["run", "--registry", "task.toml", "--model", "hashing", "--overwrite", "always"]);
        command.env_remove("COLUMNS");
        command
    };
    let (code, seen) = Terminal::new(100).unwrap().run(&mut command()).unwrap();
    assert_eq!(code, Some(0), "{seen}");
    assert!(seen.contains("/2 units"), "{seen:?}");
    let piped = Run::of(&mut command()).unwrap();
    assert_eq!(piped.stderr, "");
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = host(folder);
    command.args(arguments).env("TERM", "dumb").env_remove("COLUMNS");
    command
}

/// What the command writes to a terminal of 80 columns that does not know its rows, as after `stty cols 80`.
fn on_80_columns(folder: &Path, arguments: &[&str]) -> String {
    let (code, seen) = Terminal::of(80, 0).unwrap().run(&mut command(folder, arguments)).unwrap();
    assert_eq!(code, Some(0), "{seen}");
    seen
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or_default()
}

/// Writes a result file as the reference does.
fn publish(root: &Path, model: &str, task: &str, score: f64) {
    let folder = root.join("results").join(model).join("abc");
    fs::create_dir_all(&folder).unwrap();
    let entry = serde_json::json!({ "main_score": score, "hf_subset": "default", "languages": ["eng-Latn"] });
    let file = serde_json::json!({
        "task_name": task, "dataset_revision": "another", "mteb_version": "2.26.24",
        "scores": { "test": [entry] }, "evaluation_time": 1.0
    });
    fs::write(folder.join(format!("{task}.json")), file.to_string()).unwrap();
}

/// Results of two models on tasks of as many types, of which the second lacks one.
fn results(root: &Path) {
    let tasks =
        ["STS12", "SciFact", "TweetSentimentExtractionClassification", "BIOSSES", "AskUbuntuDupQuestions"];
    let more = ["SprintDuplicateQuestions", "TwentyNewsgroupsClustering", "SummEval"];
    for task in tasks.into_iter().chain(more) {
        publish(root, "org__a-model-with-a-long-name", task, 0.5);
        publish(root, "org__other", task, 0.25);
    }
    fs::remove_file(root.join("results/org__other/abc/SummEval.json")).unwrap();
}

#[test]
fn prose_fits_the_terminal_and_is_whole_in_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let about = [
        (vec!["plugins", "list"], "IndonesianNewsTopic, "),
        (vec!["show", "benchmark", "MTEB(Scandinavian, v1)"], "NorQuadRetrieval: the reference"),
        (vec!["stats", "IndonesianGeneralSTS"], "characters"),
    ];
    for (arguments, said) in about {
        let seen = on_80_columns(folder.path(), &arguments);
        assert!(widest(&seen) <= 80, "{seen}");
        let piped = Run::of(&mut command(folder.path(), &arguments)).unwrap().stdout;
        assert!(widest(&piped) > 80 && piped.contains(said), "{piped}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&seen), words(&piped), "nothing is cut");
    }
    // Without the bars, which are drawn over each other.
    for first in [["run", "--task"], ["validate", "--data"]] {
        let mut command = command(folder.path(), &[first[0], first[1], "IndonesianGeneralSTS"]);
        let seen = Run::of(command.env("COLUMNS", "80")).unwrap().stdout;
        assert!(widest(&seen) <= 80 && seen.contains("IndonesianGeneralSTS"), "{seen}");
    }
    let seen = on_80_columns(folder.path(), &["doctor"]);
    // Paths are not broken.
    let prose = seen.lines().filter(|line| !line.contains('/')).collect::<Vec<_>>().join("\n");
    assert!(widest(&prose) <= 80, "{seen}");
}

#[test]
fn what_goes_on_below_begins_where_its_text_began() {
    let folder = tempfile::tempdir().unwrap();
    let seen = on_80_columns(folder.path(), &["show", "benchmark", "NanoBEIR"]);
    let mut lines = seen.lines().skip_while(|line| !line.starts_with("  to download       13 datasets"));
    assert!(lines.next().is_some(), "{seen}");
    let below = lines.next().unwrap();
    assert!(below.starts_with(&" ".repeat(20)) && !below.starts_with(&" ".repeat(21)), "{seen}");
}

#[test]
fn the_columns_of_a_leaderboard_that_do_not_fit_stand_in_a_table_below() {
    let folder = tempfile::tempdir().unwrap();
    results(folder.path());
    let seen = on_80_columns(folder.path(), &["leaderboard"]);
    // A message is one line.
    let is_message = |line: &&str| line.starts_with("warning: ");
    let seen = seen.lines().filter(|line| !is_message(line)).collect::<Vec<_>>().join("\n");
    assert!(widest(&seen) <= 80, "{seen}");
    for whole in ["Classification", "PairClassification", "Summarization", "org/other lacks SummEval"] {
        assert!(seen.contains(whole), "{whole}: {seen}");
    }
    assert!(!seen.contains('…'), "{seen}");
    let tables = seen.matches('╞').count();
    assert!(tables > 1 && seen.matches("org/other").count() > tables, "{seen}");
    let (code, wide) =
        Terminal::new(250).unwrap().run(&mut command(folder.path(), &["leaderboard"])).unwrap();
    assert_eq!((code, wide.matches('╞').count()), (Some(0), 1), "{wide}");
    let piped = Run::of(&mut command(folder.path(), &["leaderboard"])).unwrap().stdout;
    assert!(piped.starts_with("| Rank (Borda) | Model |"), "{piped}");
}

#[test]
fn the_words_of_a_table_stay_whole_where_they_can() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["IndonesianGeneralSTS", "IndonesianFormality", "IndonesianNewsClustering"];
    let mut run = command(folder.path(), &["run", "--limit", "20"]);
    run.args(names.iter().flat_map(|name| ["--task", name]));
    let seen = Run::of(run.env("COLUMNS", "80")).unwrap().stdout;
    assert!(widest(&seen) <= 80, "{seen}");
    for word in ["Classification", "Clustering", "cosine_spearman", "Mean(TaskType)", "v_measure"] {
        assert!(seen.contains(word), "{word}: {seen}");
    }
    // Names of tasks are whole, and other columns go where there is no room beside them.
    for name in names {
        assert!(seen.contains(&format!("│ {name} ")), "{name}: {seen}");
    }
    assert!(!seen.contains("Texts/s"), "{seen}");
}

#[test]
fn a_title_of_two_words_is_two_lines_and_columns_without_a_value_go_first() {
    let folder = tempfile::tempdir().unwrap();
    for task in ["STS12", "STS13"] {
        publish(folder.path(), "organisation__a-model-with-a-longer-name", task, 0.5);
    }
    let seen = on_80_columns(folder.path(), &["leaderboard"]);
    let table: Vec<&str> = seen.lines().filter(|line| line.starts_with(['┌', '│', '╞', '└'])).collect();
    let table = table.join("\n");
    assert!(widest(&table) <= 80 && !table.contains("\\n"), "{seen}");
    assert!(table.contains("│ organisation/a-model-with-a-longer-name "), "{seen}");
}

#[test]
fn cards_caches_and_comparisons_fit_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    results(folder.path());
    let card = on_80_columns(folder.path(), &["show", "task", "SciFact"]);
    assert!(widest(&card) <= 80, "{card}");
    let piped = Run::of(&mut command(folder.path(), &["show", "task", "SciFact"])).unwrap().stdout;
    let (shown, whole): (toml::Table, toml::Table) =
        (toml::from_str(&card).unwrap(), toml::from_str(&piped).unwrap());
    assert_eq!(shown, whole, "in other lines the same card");
    let compare = ["compare", "org/a-model-with-a-long-name", "other"];
    let seen = on_80_columns(folder.path(), &compare);
    assert!(
        widest(&seen) <= 80
            && seen.contains("│ TweetSentimentExtractionClassification ")
            && !seen.contains("|---"),
        "{seen}"
    );
    let piped = Run::of(&mut command(folder.path(), &compare)).unwrap().stdout;
    assert!(piped.contains("|---") && piped.contains("| SciFact |"), "{piped}");
    // Paths are not broken.
    let cache = on_80_columns(folder.path(), &["cache", "info"]);
    let prose = cache.lines().filter(|line| !line.contains('/')).collect::<Vec<_>>().join("\n");
    assert!(widest(&prose) <= 80, "{cache}");
}

#[test]
fn intervals_end_where_measures_do_and_p_values_are_never_0() {
    let folder = tempfile::tempdir().unwrap();
    for (task, score) in [("AmazonPolarityClassification", 0.9), ("Banking77Classification", 0.3)] {
        publish(folder.path(), "org__one", task, score);
    }
    let board = Run::of(&mut command(folder.path(), &["leaderboard", "--json"])).unwrap().json().unwrap();
    assert_eq!(board[0]["mean_task_interval"], serde_json::json!([0.0, 1.0]));
    publish(folder.path(), "org__one", "STS12", 0.2);
    let board = Run::of(&mut command(folder.path(), &["leaderboard", "--json"])).unwrap().json().unwrap();
    assert!(
        board[0]["mean_task_interval"][0].as_f64().unwrap() < 0.0,
        "a correlation may be below 0: {board}"
    );
    for number in 12..17 {
        for (model, score) in [("org__one", 0.3), ("org__two", 0.6)] {
            publish(folder.path(), model, &format!("STS{number}"), score);
        }
    }
    let more = [
        "BIOSSES",
        "SICK-R",
        "STSBenchmark",
        "SciFact",
        "NFCorpus",
        "SCIDOCS",
        "FiQA2018",
        "ArguAna",
        "TRECCOVID",
        "QuoraRetrieval",
        "DBPedia",
        "HotpotQA",
    ];
    for task in more {
        publish(folder.path(), "org__one", task, 0.3);
        publish(folder.path(), "org__two", task, 0.6);
    }
    let compare = Run::of(&mut command(folder.path(), &["compare", "one", "two"])).unwrap();
    assert!(compare.stdout.contains(": p < 0.0001: "), "{}", compare.stdout);
}

#[test]
fn names_of_lists_are_whole_in_a_narrow_terminal() {
    let folder = tempfile::tempdir().unwrap();
    for what in ["models", "benchmarks", "tasks"] {
        let list = ["list", what];
        let seen = on_80_columns(folder.path(), &list);
        assert!(widest(&seen) <= 80, "{seen}");
        let rows = Run::of(command(folder.path(), &list).arg("--json")).unwrap().json().unwrap();
        for row in rows.as_array().unwrap() {
            // Few names take more than three fifths of the terminal; these go on below.
            let name = row["name"].as_str().unwrap();
            assert!(name.len() > 48 || seen.contains(&format!("│ {name} ")), "{what}: {name}");
        }
        let first = seen.lines().nth(1).unwrap();
        assert!(what != "models" || (first.contains("parameters") && first.contains("dimension")), "{first}");
    }
}

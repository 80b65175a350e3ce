//! Where nothing is done, or something is left aside, the program says why and what to do.

use std::fs;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

use super::new_task::Task;

const PAIRS: &str = "sentence1,sentence2,score\na b,b c,1\nd e f,d e,4\nb c,b,2\n";

fn run_on(task: &Task, arguments: &[&str]) -> Run {
    Run::of(host(task.folder()).args(arguments)).unwrap()
}

#[test]
fn a_run_of_no_task_has_no_mean_and_leaves_no_folder() {
    let task = Task::pairs(PAIRS);
    let run = run_on(&task, &["run", "--registry", "card.toml", "--model", "bm25"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(run.stderr, @"error: expected retrieval or reranking tasks, because this model only ranks documents, found none among 1 task; choose another model or other tasks");
    assert!(!task.folder().join("results").exists());
}

#[test]
fn the_model_that_is_part_of_the_host_is_known() {
    let task = Task::pairs(PAIRS);
    let show = run_on(&task, &["show", "model", "bm25"]);
    assert_eq!((show.code, show.stderr.as_str()), (Some(0), ""));
    assert!(
        show.stdout.contains("its results are those of mteb/baseline-bm25s, revision 0_3_0"),
        "{}",
        show.stdout
    );
    let list = run_on(&task, &["list", "models", "--json"]).json().unwrap();
    assert_eq!(list[0]["name"], "hashing", "names come before the styles of names");
    assert!(list.as_array().unwrap().iter().any(|model| model["name"] == "bm25"));
}

#[test]
fn a_folder_of_registries_that_holds_none_is_named() {
    let task = Task::pairs(PAIRS);
    task.write("below/deep/mine.toml", "schema = 1\nname = \"mine\"\n");
    task.write("far/below/deep/mine.toml", "schema = 1\nname = \"mine\"\n");
    fs::create_dir(task.folder().join("empty")).unwrap();
    for (folder, found) in [
        ("absent", "no such folder"),
        ("empty", "none"),
        ("far", "none"),
        ("below", "none except in subfolders, which are not searched"),
    ] {
        let mut command = host(task.folder());
        let run = Run::of(command.env("MTEB_HOST_REGISTRIES", folder).args(["list", "registries"])).unwrap();
        assert_eq!(run.code, Some(0));
        let line = format!(
            "warning: `MTEB_HOST_REGISTRIES`: expected a folder with registries (`NAME.toml`), found {found}: {folder}\n"
        );
        assert_eq!(run.stderr, line);
    }
    let mut command = host(task.folder());
    let run = Run::of(command.env("MTEB_HOST_PLUGINS", "below").args(["list", "registries"])).unwrap();
    let line = "warning: `MTEB_HOST_PLUGINS`: expected absolute folders, found one that is left out: below\n";
    assert_eq!(run.stderr, line);
}

#[test]
fn a_folder_for_a_registry_and_an_option_of_another_command_are_answered_with_what_is_meant() {
    let task = Task::pairs(PAIRS);
    let folder = run_on(&task, &["run", "--registry", "."]);
    assert_eq!(folder.code, Some(2));
    assert!(
        folder.stderr.contains("expected a registry or card file, found a folder; name a file in it"),
        "{}",
        folder.stderr
    );
    let results = run_on(&task, &["run", "--registry", "card.toml", "--results", "tried"]);
    assert_eq!(results.code, Some(2));
    assert!(results.stderr.contains("--output-folder"), "{}", results.stderr);
}

#[test]
fn cuts_that_nobody_named_are_not_told_of() {
    let corpus = "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n";
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";
    let task = Task::retrieval(corpus, "{\"_id\":\"q1\",\"text\":\"satu\"}\n", ("qrels/test.tsv", qrels));
    let run = task.run(&["--k-values", "7"]);
    let line = "`k_values`: expected cut-offs of at most the 2 documents of the corpus, found: 7\n";
    assert!(run.code == Some(0) && run.stderr.ends_with(line), "{}", run.stderr);
}

#[test]
fn an_undefined_score_is_told_of_where_scores_are_shown() {
    let task = Task::pairs("sentence1,sentence2,score\na b,b c,3\na b,b c,4\na b,b c,5\n");
    assert_eq!(task.run(&[]).code, Some(0));
    let show = run_on(&task, &["show", "results", "mteb-host/hashing", "--registry", "card.toml"]);
    assert_eq!(show.code, Some(0), "{}", show.stderr);
    assert!(
        show.stderr.contains("warning: T: scored, but undefined: 1 unit, left out below\n"),
        "{}",
        show.stderr
    );
}

#[test]
fn a_result_of_before_is_told_of_where_nothing_new_was_scored() {
    let task = Task::pairs(PAIRS);
    assert_eq!(task.run(&[]).code, Some(0));
    task.write("pairs.csv", format!("{PAIRS}x,y,none\n"));
    let run = task.run(&[]);
    assert_eq!(run.code, Some(1));
    let line = "scoring failed; the file still has the old result: results/";
    assert!(run.stderr.contains(line), "{}", run.stderr);
}

#[test]
fn results_that_the_reference_would_not_show_are_not_called_absent() {
    let task = Task::of("STS", "pairs.csv", &[("pairs.csv", PAIRS)]);
    assert_eq!(task.run(&[]).code, Some(0));
    let board = run_on(&task, &["leaderboard", "--registry", "card.toml", "--like-reference"]);
    assert_eq!(board.code, Some(2));
    insta::assert_snapshot!(board.stderr, @"error: expected results of models that mteb knows, because it shows no others, found only: mteb-host/hashing; leave out `--like-reference`");
}

#[test]
fn a_model_card_at_fault_is_answered_by_a_run_as_by_validate() {
    let task = Task::pairs(PAIRS);
    task.write("models/random.toml", "schema = 1\nname = \"random\"\n[prompts]\nqueri = \"q: \"\n");
    let validate = run_on(&task, &["validate", "models/random.toml"]);
    let run = task.run(&["--model", "random"]);
    assert_eq!((validate.code, run.code), (Some(2), Some(2)), "{}\n{}", validate.stderr, run.stderr);
    assert_eq!(validate.stderr.lines().next(), run.stderr.lines().next());
    assert!(run.stderr.contains("unknown key `queri`"), "{}", run.stderr);
}

#[test]
fn a_card_of_the_other_name_of_a_model_is_told_of() {
    let task = Task::pairs(PAIRS);
    task.write("models/random.toml", "schema = 1\nname = \"random\"\nsimilarity = \"dot\"\n");
    let run = task.run(&["--model", "mteb/baseline-random-encoder"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let line = "found another name of its plugin: random";
    assert!(run.stderr.contains(line), "{}", run.stderr);
    assert_eq!(task.run(&["--model", "random", "--overwrite", "always"]).stderr, "");
}

#[test]
fn a_locked_file_of_ones_own_is_not_to_be_fetched() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "MySTS", &["ind"]).unwrap();
    let pairs = [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)];
    write_pairs(folder.path(), "ind", pairs).unwrap();
    let run = |more: &str| {
        Run::of(host(folder.path()).args(["run", "--quiet", "--registry", "task.toml", more])).unwrap()
    };
    assert_eq!(run("--update-lock").code, Some(0));
    write_pairs(folder.path(), "ind", pairs[..2].to_vec()).unwrap();
    let changed = run("--fail-fast");
    assert!(
        changed.stderr.contains("the file has changed; restore the earlier file, or accept it with"),
        "{}",
        changed.stderr
    );
}

#[test]
fn options_are_below_the_heading_of_their_own_kind() {
    let task = Task::pairs(PAIRS);
    let help = run_on(&task, &["run", "--help"]).stdout;
    let below = |heading: &str| {
        let begin = help.find(&format!("\n{heading}")).unwrap() + heading.len();
        let rest = &help[begin..];
        let end = rest
            .match_indices('\n')
            .map(|(at, _)| at + 1)
            .find(|&at| rest[at..].starts_with(char::is_alphabetic));
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    let names = |text: &str| {
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("--"));
        lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&below("Models in Python")), ["python", "trust-remote-code"]);
    assert_eq!(names(&below("Shards of a plan")), ["plan", "shard"]);
    let headings = [
        ("Smaller embeddings", "dimensions"),
        ("Additional measures and files", "outcomes"),
        ("Workers", "workers"),
        ("Second stage", "rerank-from"),
        ("Output", "json"),
    ];
    for (heading, option) in headings {
        let found = names(&below(&format!("{heading}:")));
        assert!(found.iter().any(|name| name == option), "{heading}: {option}: {found:?}");
    }
}

#[test]
fn a_folder_in_place_of_the_hub_without_the_model_turns_downloads_off() {
    let task = Task::pairs(PAIRS);
    let run = task.run(&["--model", "st:lab/absent", "--hub-dir", "mirror"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    insta::assert_snapshot!(run.stderr, @"error: model st:lab/absent: expected its files in mirror/models/lab/absent/REVISION, because `--hub-dir` turns downloads off, found none; leave `--hub-dir` out to download them");
}

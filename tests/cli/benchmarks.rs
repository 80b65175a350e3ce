//! What a benchmark lacks, names twice, or has the name of; and its parts: what is none is refused, and what
//! is one is not taken for the whole.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

/// A registry `mine` with the tasks A and B and with a benchmark of these lines.
fn registry(benchmark: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("cards")).unwrap();
    for name in ["A", "B"] {
        let card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"pairs.csv\"\n"
        );
        fs::write(folder.path().join(format!("cards/{name}.toml")), card).unwrap();
    }
    fs::write(
        folder.path().join("cards/pairs.csv"),
        "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a c,3\n",
    )
    .unwrap();
    let text = format!("schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n[[benchmark]]\n{benchmark}");
    fs::write(folder.path().join("mine.toml"), text).unwrap();
    folder
}

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

#[test]
fn a_mean_without_absent_tasks_is_told_of() {
    let folder = registry("name = \"M\"\ntasks = [\"A\", \"B\"]\nabsent = [\"Foo\"]\n");
    let expected = "warning: mine.toml: benchmark M: the means here are not those of the benchmark, of which \
                    this task is missing: Foo\n";
    for command in ["run", "leaderboard"] {
        let run = run_host(folder.path(), &[command, "--registry", "mine.toml", "--benchmark", "M"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.stderr, expected, "{command}");
    }
    let one = run_host(folder.path(), &["run", "--registry", "mine.toml", "--task", "A"]);
    assert_eq!(one.stderr, "");
}

#[test]
fn what_a_benchmark_says_of_tasks_is_so() {
    let said = |benchmark: &str| run_host(registry(benchmark).path(), &["validate", "mine.toml"]).stderr;
    let absent = said("name = \"M\"\ntasks = [\"A\"]\nabsent = [\"B\"]\n");
    let expected = "error: mine.toml:7:11: benchmark M: expected the name of a task that no card describes, found one that has a card: B; name it under `tasks`\n";
    assert!(absent.starts_with(expected), "{absent}");
    let twice = said("name = \"M\"\ntasks = [\"A\", \"A\"]\n");
    assert!(
        twice.starts_with("error: mine.toml:6:15: benchmark M: expected each task once, found twice: A\n"),
        "{twice}"
    );
}

#[test]
fn a_benchmark_has_names_and_each_is_its_own() {
    let said = |benchmark: &str| run_host(registry(benchmark).path(), &["validate", "mine.toml"]).stderr;
    let first = |benchmark: &str| said(benchmark).lines().next().unwrap_or_default().to_owned();
    let expected =
        "error: mine.toml:5:8: expected a name by which `--benchmark` finds it, found an empty one";
    assert_eq!(first("name = \"\"\ntasks = [\"A\"]\n"), expected);
    assert_eq!(first("name = \"  \"\ntasks = [\"A\"]\n"), expected);
    insta::assert_snapshot!(first("name = \"M\"\naliases = [\"\"]\ntasks = [\"A\"]\n"), @"error: mine.toml:6:12: benchmark M: expected another name as alias, found an empty one");
    insta::assert_snapshot!(first("name = \"M\"\naliases = [\"M\"]\ntasks = [\"A\"]\n"), @"error: mine.toml:6:12: benchmark M: expected another name as alias, found its own name: M; leave it out");
    let none = said("name = \"M\"\ntasks = []\nlanguage_view = [\"ind\"]\n");
    assert_eq!(none.lines().count(), 2, "{none}");
    assert!(none.contains("benchmark M: expected at least one task, found none"), "{none}");
}

#[test]
fn benchmarks_that_replace_each_other_in_a_ring_are_told_of() {
    let of_two = |second: &str| {
        let next = format!("[[benchmark]]\nname = \"v2\"\ntasks = [\"B\"]\nsuperseded_by = [\"{second}\"]\n");
        let folder = registry(&format!("name = \"v1\"\ntasks = [\"A\"]\nsuperseded_by = [\"v2\"]\n{next}"));
        run_host(folder.path(), &["validate", "mine.toml"]).stderr
    };
    insta::assert_snapshot!(of_two("v1"), @r"
    warning: mine.toml:7:18: benchmark v1: expected a newer benchmark, found one that this one replaces in turn: v2 (v1 -> v2 -> v1); leave out one of them
    warning: mine.toml:11:18: benchmark v2: expected a newer benchmark, found one that this one replaces in turn: v1 (v2 -> v1 -> v2); leave out one of them
    ");
    assert_eq!(of_two("MTEB(eng, v2)"), "");
    let folder = registry("name = \"v1\"\ntasks = [\"A\"]\nsuperseded_by = [\"MTEB(eng, v2)\"]\n");
    let run = run_host(folder.path(), &["run", "--quiet", "--registry", "mine.toml", "--benchmark", "v1"]);
    assert_eq!(run.stderr, "benchmark v1: replaced by MTEB(eng, v2), whose means are not comparable\n");
}

#[test]
fn a_subset_that_is_named_twice_is_refused_as_a_task_is() {
    let folder = registry("name = \"M\"\ntasks = [\"A\"]\n");
    let card = "schema = 1\nname = \"C\"\ntype = \"STS\"\ndescription = \"d\"\n[dataset]\npath = \"C\"\n[subsets.vie]\n\
                languages = [\"vie-Latn\"]\n[subsets.tyz]\nlanguages = [\"tyz-Latn\"]\n";
    fs::write(folder.path().join("cards/C.toml"), card).unwrap();
    for subset in ["vie", "tyz"] {
        let own = folder.path().join("cards/C").join(subset);
        fs::create_dir_all(&own).unwrap();
        fs::copy(folder.path().join("cards/pairs.csv"), own.join("test.csv")).unwrap();
    }
    let mine = folder.path().join("mine.toml");
    let text = fs::read_to_string(&mine).unwrap();
    let said = |tasks: &str| {
        fs::write(&mine, text.replace("[\"A\"]", tasks)).unwrap();
        let [validated, run] =
            [&["validate", "mine.toml"][..], &["run", "--registry", "mine.toml"]].map(|command| {
                run_host(folder.path(), command).stderr.lines().next().unwrap_or_default().to_owned()
            });
        assert!(validated == run || !validated.starts_with("error"), "{validated}: {run}");
        validated
    };
    insta::assert_snapshot!(said("[\"C:vie\", \"C\", \"A\"]"), @"error: mine.toml:6:19: benchmark M: expected each subset and split of a task once, found again: C");
    insta::assert_snapshot!(said("[\"C\", \"C:vie\"]"), @"error: mine.toml:6:15: benchmark M: expected each subset and split of a task once, found again: C:vie");
    insta::assert_snapshot!(said("[\"C:vie,vie\"]"), @"error: mine.toml:6:10: benchmark M: expected each subset once, found twice: vie in C:vie,vie");
    assert_eq!(said("[\"C:vie\", \"C:tyz\"]"), "", "two parts of a task are one part together");
}

#[test]
fn a_name_of_the_host_is_warned_about() {
    let folder = registry("name = \"MTEB(eng, v2)\"\naliases = [\"BEIR\"]\ntasks = [\"A\"]\n");
    let said = |benchmark: &str| {
        format!(
            "warning: mine.toml: benchmark MTEB(eng, v2): {benchmark} has the name of one that comes with \
             mteb-host; its means are not those of that one, so give it a name of its own\n"
        )
    };
    let both = said("MTEB(eng, v2)") + &said("BEIR");
    let validated = run_host(folder.path(), &["validate", "mine.toml"]);
    assert_eq!((validated.code, validated.stderr.as_str()), (Some(0), &*both));
    let run = run_host(folder.path(), &["run", "--registry", "mine.toml", "--benchmark", "BEIR"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), &*both));
}

#[test]
fn another_name_of_a_benchmark_is_suggested_too() {
    let folder = registry("name = \"M\"\naliases = [\"Viet one\"]\ntasks = [\"A\"]\n");
    let run =
        run_host(folder.path(), &["list", "tasks", "--registry", "mine.toml", "--benchmark", "viet one"]);
    assert!(run.stderr.contains("found: viet one (near it: Viet one"), "{}", run.stderr);
}

#[test]
fn languages_of_the_subset_that_was_named_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = ["list", "tasks", "--task", "NusaX-senti:ind", "--language", "jav"];
    let run = run_host(folder.path(), &tasks);
    let expected = "error: task NusaX-senti: expected one that matches `--language jav`, found: ind-Latn; leave \
                    out the task or the option\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), expected));
}

#[test]
fn the_registries_of_the_host_have_no_fault_and_name_no_successor_that_nobody_knows() {
    let folder = tempfile::tempdir().unwrap();
    for registry in ["mteb", "mteb-eng-v1", "graded", "indonesia", "indonesia-hub", "indonesia-graded"] {
        let run = Run::of(host(folder.path()).args(["validate", registry])).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{registry}");
    }
}

/// Results of two models on a benchmark `B(v1)`, also called `V`: the subset `vie` of News, Pairs, and a task that is not there.
fn score_mine() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, subsets) in [("News", &["vie", "tyz"][..]), ("Pairs", &["vie"])] {
        let own = folder.path().join(name);
        fs::create_dir(&own).unwrap();
        write_pair_card(&own, name, subsets).unwrap();
        for subset in subsets {
            write_pairs(&own, subset, [("a b", "b c", 1.0), ("a b", "a b", 3.0), ("b c", "b", 2.0)]).unwrap();
        }
    }
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"News\", \"Pairs\"]\n\
                    [[benchmark]]\nname = \"B(v1)\"\naliases = [\"V\"]\ntasks = [\"News:vie\", \"Pairs\"]\n\
                    [[benchmark]]\nname = \"Agg\"\ntasks = [\"News\", \"Pairs\"]\nabsent = [\"Gone\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    for model in ["hashing", "random"] {
        let run = run_mine(folder.path(), &["run", "--quiet", "--model", model]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    folder
}

fn run_mine(folder: &Path, args: &[&str]) -> Run {
    Run::of(host(folder).args(args).args(["--registry", "mine.toml"])).unwrap()
}

#[test]
fn a_subset_that_the_benchmark_does_not_take_is_refused_everywhere() {
    let folder = score_mine();
    let expected = "error: expected a part of the task that the benchmark V uses, found: News:tyz, whose subset \
                    tyz it does not use; leave out `--benchmark`\n";
    for command in [
        &["run"][..],
        &["leaderboard"],
        &["report"],
        &["figure", "table1"],
        &["list", "tasks"],
        &["fetch"],
        &["validate", "--data"],
        &["compare", "mteb-host/hashing", "mteb/baseline-random-encoder"],
        &["show", "results", "mteb-host/hashing"],
    ] {
        let run = run_mine(folder.path(), &[command, &["--benchmark", "V", "--task", "News:tyz"]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), expected), "{command:?}");
        assert_eq!(run.stdout, "", "{command:?}");
    }
    let taken = run_mine(folder.path(), &["list", "tasks", "--benchmark", "V", "--task", "News:vie"]);
    assert_eq!((taken.code, taken.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_part_of_a_benchmark_says_that_it_is_one() {
    let folder = score_mine();
    let part = "the means here are not those of the benchmark B(v1), of which this is a part: 1 of 2 tasks";
    for narrowed in [&["--task", "Pairs"][..], &["--task", "News"]] {
        let board = run_mine(folder.path(), &[&["leaderboard", "--benchmark", "V"], narrowed].concat());
        assert_eq!((board.code, board.stderr.as_str()), (Some(0), format!("warning: {part}\n").as_str()));
        let sentence = part.replacen("the", "The", 1);
        assert!(board.stdout.contains(&sentence), "{}", board.stdout);
        let markdown = ["leaderboard", "--benchmark", "V", "--format", "markdown"];
        let markdown = run_mine(folder.path(), &[&markdown, narrowed].concat()).stdout;
        assert!(markdown.contains("of which this is a part: 1 of 2 tasks."), "{markdown}");
        let json =
            run_mine(folder.path(), &[&["leaderboard", "--benchmark", "V", "--json"], narrowed].concat());
        let rows = json.json().unwrap();
        assert_eq!(rows[0]["part_of"]["benchmark"], "B(v1)", "{rows}");
        assert_eq!(rows[0]["part_of"]["tasks"], serde_json::json!([1, 2]), "{rows}");
    }
    let whole = run_mine(folder.path(), &["leaderboard", "--benchmark", "V"]);
    assert_eq!(whole.stderr, "");
    assert!(!whole.stdout.contains("part"), "{}", whole.stdout);
    let units = run_mine(
        folder.path(),
        &["leaderboard", "--benchmark", "Agg", "--task", "News:vie", "--task", "Pairs"],
    );
    assert!(units.stdout.contains("2 of 3 units; this task of it is missing: Gone."), "{}", units.stdout);
    let absent = run_mine(folder.path(), &["leaderboard", "--benchmark", "Agg"]);
    let expected =
        "The means here are not those of the benchmark Agg: 2 of 3 tasks; this task of it is missing: Gone.";
    assert!(absent.stdout.contains(expected), "{}", absent.stdout);
}

#[test]
fn the_page_of_a_part_is_called_so_and_leaves_that_of_the_whole() {
    let folder = score_mine();
    let report = |more: &[&str]| {
        let run = run_mine(folder.path(), &[&["report"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let page = fs::read_to_string(folder.path().join(run.stdout.trim())).unwrap();
        (run.stdout, page)
    };
    let (file, whole) = report(&["--benchmark", "B(v1)"]);
    assert_eq!(file, "report/B-v1.html\n");
    assert!(whole.contains("<title>B(v1)</title>") && !whole.contains("data-text=\"notePart\""));
    let (alias, _) = report(&["--benchmark", "V"]);
    assert_eq!(alias, file, "a benchmark has one page, by whichever of its names");
    let (file, part) = report(&["--benchmark", "B(v1)", "--task", "Pairs"]);
    assert_eq!(file, "report/B-v1-part.html\n");
    assert!(part.contains("<title>B(v1) (a part)</title>"));
    assert!(part.contains("The means here are not those of the whole benchmark."), "{part}");
    assert!(part.contains("<span data-text=\"tasks\">Tasks</span>: 1 / 2."), "{part}");
    assert_eq!(fs::read_to_string(folder.path().join("report/B-v1.html")).unwrap(), whole);
    let (file, absent) = report(&["--benchmark", "Agg"]);
    assert_eq!(file, "report/Agg.html\n");
    assert!(absent.contains("<title>Agg</title>"));
    assert!(absent.contains("<span data-text=\"absent\">Tasks that are missing</span>: Gone."), "{absent}");
}

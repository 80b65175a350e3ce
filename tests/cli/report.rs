//! `report`: a page for each benchmark, with the groups of tasks and languages that it shows, what they are
//! means of, and what is wrong with them.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use serde_json::Value;

fn run_mine(folder: &Path, args: &[&str]) -> Run {
    Run::of(host(folder).args(args).args(["--registry", "mine.toml"])).unwrap()
}

/// Results of two models, and a registry with three benchmarks, of which one has none.
fn score_benchmarks() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["One", "Two", "Three"] {
        let own = folder.path().join(name);
        fs::create_dir(&own).unwrap();
        write_pair_card(&own, name, &["ind"]).unwrap();
        write_pairs(&own, "ind", [("a b", "b c", 1.0), ("a b", "a b", 3.0), ("b c", "b", 2.0)]).unwrap();
    }
    let benchmark =
        |name: &str, task: &str| format!("[[benchmark]]\nname = \"{name}\"\ntasks = [\"{task}\"]\n");
    let text = [
        "schema = 1\nname = \"mine\"\ncards = [\"One\", \"Two\", \"Three\"]\n".to_owned(),
        benchmark("B(a, v1)", "One"),
        benchmark("B(A v1)", "Two"),
        benchmark("None", "Three"),
    ];
    fs::write(folder.path().join("mine.toml"), text.concat()).unwrap();
    for model in ["hashing", "random"] {
        let run =
            run_mine(folder.path(), &["run", "--quiet", "--model", model, "--task", "One", "--task", "Two"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    folder
}

#[test]
fn each_benchmark_has_a_page_of_its_own() {
    let folder = score_benchmarks();
    let benchmarks = ["--benchmark", "B(a, v1)", "--benchmark", "B(A v1)", "--benchmark", "B(a, v1)"];
    let report = run_mine(folder.path(), &[&["report", "--output", "out"][..], &benchmarks].concat());
    assert_eq!((report.code, report.stderr.as_str()), (Some(0), ""));
    // Names that some file systems take for one get a number.
    assert_eq!(report.stdout, "out/B-a-v1.html\nout/B-A-v1-2.html\n");
    let page = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    let (one, two) = (page("B-a-v1.html"), page("B-A-v1-2.html"));
    assert!(
        one.contains("<title>B(a, v1)</title>")
            && one.contains("\"name\":\"One\"")
            && !one.contains("\"name\":\"Two\"")
    );
    assert!(
        two.contains("<title>B(A v1)</title>")
            && two.contains("\"name\":\"Two\"")
            && !two.contains("\"name\":\"One\"")
    );
    // Each leads to the others.
    assert!(
        one.contains("<a href=\"B-A-v1-2.html\"><bdi>B(A v1)</bdi></a>")
            && !one.contains("href=\"B-a-v1.html")
    );
    assert!(two.contains("<a href=\"B-a-v1.html\">"));
    let single = run_mine(folder.path(), &["report", "--output", "one", "--benchmark", "B(A v1)"]);
    assert_eq!((single.code, single.stdout.as_str()), (Some(0), "one/B-A-v1.html\n"));
}

#[test]
fn a_benchmark_without_results_keeps_no_other_from_its_page() {
    let folder = score_benchmarks();
    let benchmarks = ["--benchmark", "None", "--benchmark", "B(a, v1)", "--benchmark", "Nobody"];
    let report = run_mine(folder.path(), &[&["report", "--output", "out"][..], &benchmarks].concat());
    assert_eq!((report.code, report.stdout.as_str()), (Some(2), "out/B-a-v1.html\n"));
    assert!(
        report.stderr.contains("expected results of the tasks of None in results, found none"),
        "{}",
        report.stderr
    );
    assert!(report.stderr.contains("Nobody"), "{}", report.stderr);
}

#[test]
fn the_output_may_be_the_file_of_one_page() {
    let folder = score_benchmarks();
    let report =
        run_mine(folder.path(), &["report", "--output", "site/index.html", "--benchmark", "B(A v1)"]);
    assert_eq!((report.code, report.stdout.as_str()), (Some(0), "site/index.html\n"), "{}", report.stderr);
    assert!(
        fs::read_to_string(folder.path().join("site/index.html")).unwrap().contains("<title>B(A v1)</title>")
    );
    let two = ["--benchmark", "B(A v1)", "--benchmark", "B(a, v1)"];
    let refused = run_mine(folder.path(), &[&["report", "--output", "page.html"][..], &two].concat());
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("expected a folder for 2 pages"), "{}", refused.stderr);
}

#[test]
fn a_page_that_is_watched_is_written_anew_when_results_come() {
    let folder = score_benchmarks();
    let two = folder.path().join("results");
    let moved = folder.path().join("later");
    fs::rename(two.join("mteb__baseline-random-encoder"), &moved).unwrap();
    let args =
        ["report", "--watch", "--output", "page.html", "--benchmark", "B(a, v1)", "--registry", "mine.toml"];
    let mut watch = host(folder.path()).args(args).stdout(std::process::Stdio::null()).spawn().unwrap();
    let page = folder.path().join("page.html");
    let has = |name: &str| {
        fs::read_to_string(&page).is_ok_and(|page| page.contains(&format!("\"name\":\"{name}\"")))
    };
    let until = |is_true: &dyn Fn() -> bool| {
        let start = std::time::Instant::now();
        while !is_true() && start.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        is_true()
    };
    let first = until(&|| has("mteb-host/hashing")) && !has("mteb/baseline-random-encoder");
    fs::rename(moved, two.join("mteb__baseline-random-encoder")).unwrap();
    let second = until(&|| has("mteb/baseline-random-encoder"));
    watch.kill().unwrap();
    watch.wait().unwrap();
    assert!(first && second, "first {first}, second {second}");
}

/// A registry `mine` of the tasks A, B and C, the last one with the subsets `vie` and `ind`, and a benchmark M with these lines.
fn registry(tasks: &str, lines: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let head = |name: &str| format!("schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\n");
    for (name, last) in [("A", 3), ("B", 5)] {
        let language = "languages = [\"vie-Latn\"]\n";
        write(
            &format!("cards/{name}.toml"),
            &format!("{}{language}[dataset]\npath = \"{name}.csv\"\n", head(name)),
        );
        write(&format!("cards/{name}.csv"), &pairs(last));
    }
    let subsets = "[subsets.vie]\nlanguages = [\"vie-Latn\"]\n[subsets.ind]\nlanguages = [\"ind-Latn\"]\n";
    write("cards/C.toml", &format!("{}[dataset]\npath = \"C\"\n{subsets}", head("C")));
    for (subset, last) in [("vie", 1), ("ind", 4)] {
        write(&format!("cards/C/{subset}/test.csv"), &pairs(last));
    }
    let benchmark = format!("[[benchmark]]\nname = \"M\"\ntasks = [{tasks}]\n{lines}");
    write("mine.toml", &format!("schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n{benchmark}"));
    folder
}

fn pairs(last: u32) -> String {
    format!("sentence1,sentence2,score\na b,a b,5\na b,c d,0\nc d e,c d,2\nb c,a b c,{last}\n")
}

fn group(grouping: &str, label: &str, tasks: &str) -> String {
    format!("[[benchmark.group]]\ngrouping = \"{grouping}\"\nlabel = \"{label}\"\ntasks = [{tasks}]\n")
}

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

fn board(folder: &Path, more: &[&str]) -> String {
    let arguments = [&["leaderboard", "--registry", "mine.toml", "--benchmark", "M"], more].concat();
    let run = run_host(folder, &arguments);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.stdout
}

fn score_views() -> tempfile::TempDir {
    let lines = [
        "language_view = [\"ind\", \"vie-Latn\"]\naggregations = [\"mean_task\", \"mean_subset\", \"public_private\"]\n".to_owned(),
        group("Topic", "law", "\"A\", \"C:ind\""),
        group("Topic", "news", "\"B\", \"C:vie\""),
        group("All", "of them", "\"*\""),
    ];
    let folder = registry("\"*\"", &lines.concat());
    for model in ["hashing", "random"] {
        let run = run_host(folder.path(), &["run", "--quiet", "--registry", "mine.toml", "--model", model]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    folder
}

/// The scores of a model by task and subset.
fn scores(folder: &Path, model: &str) -> impl Fn(&str, &str) -> f64 {
    let results =
        run_host(folder, &["show", "results", model, "--registry", "mine.toml", "--json"]).json().unwrap();
    move |task: &str, subset: &str| {
        let mut rows = results.as_array().unwrap().iter();
        let row = rows.find(|row| row["Task"] == task && row["Subset"] == subset);
        row.unwrap_or_else(|| panic!("{results}"))["Score"].as_f64().unwrap()
    }
}

fn is_near(found: &Value, expected: f64) -> bool {
    (found.as_f64().unwrap() - expected).abs() < 1e-9
}

#[test]
fn each_group_has_the_mean_of_its_tasks_and_each_language_that_of_its_subsets() {
    let folder = score_views();
    let rows: Value = serde_json::from_str(&board(folder.path(), &["--json"])).unwrap();
    for row in rows.as_array().unwrap() {
        let score = scores(folder.path(), row["model"].as_str().unwrap());
        let [a, b] = ["A", "B"].map(|task| score(task, "default"));
        let [vie, ind] = ["vie", "ind"].map(|subset| score("C", subset));
        assert!(is_near(&row["groups"]["Topic"]["law"], (a + ind) / 2.0), "{row}");
        assert!(is_near(&row["groups"]["Topic"]["news"], (b + vie) / 2.0), "{row}");
        assert_eq!(row["groups"]["All"]["of them"], row["mean_task"]);
        assert!(is_near(&row["means"]["Mean (Subset)"], (a + b + vie + ind) / 4.0), "{row}");
        assert_eq!(row["means"]["Mean (Public)"], row["mean_task"]);
        assert!(row["means"].get("Mean (Private)").is_none(), "no task is private: {row}");
        let codes: Vec<&String> = row["languages"].as_object().unwrap().keys().collect();
        assert_eq!(codes, ["ind-Latn", "vie-Latn"], "in the order of the benchmark");
        assert!(is_near(&row["languages"]["ind-Latn"], ind), "{row}");
        assert!(is_near(&row["languages"]["vie-Latn"], (a + b + vie) / 3.0), "{row}");
    }
}

#[test]
fn every_form_of_the_board_and_the_page_have_groups_and_languages() {
    let folder = score_views();
    let form = |form: &str| board(folder.path(), &["--format", form]);
    let csv = form("csv");
    let groups = "STS,Mean (Subset),Mean (Public),Topic: law,Topic: news,All: of them,";
    assert!(csv.lines().next().unwrap().contains(&format!("{groups}ind-Latn,vie-Latn,A,B,C")), "{csv}");
    let markdown = form("markdown");
    assert!(
        markdown
            .contains("| STS | Mean (Subset) | Mean (Public) | Topic: law | Topic: news | All: of them |"),
        "{markdown}"
    );
    assert!(markdown.contains("\n\n| Model | ind-Latn | vie-Latn |\n|---|---:|---:|\n| "), "{markdown}");
    let latex = form("latex");
    assert!(latex.contains("Topic: law") && latex.contains("Model & ind-Latn & vie-Latn"), "{latex}");
    let table = form("table");
    assert!(table.contains("law") && table.contains("│ Model") && table.contains("vie-Latn"), "{table}");
    let report = run_host(folder.path(), &["report", "--registry", "mine.toml", "--benchmark", "M"]);
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    let page = fs::read_to_string(folder.path().join("report/M.html")).unwrap();
    assert!(page.contains("Topic: law"), "the page has the groups of the benchmark");
    let shown = run_host(folder.path(), &["show", "benchmark", "M", "--registry", "mine.toml"]).stdout;
    assert!(shown.contains("groups            Topic (law, news), All (of them)\n"), "{shown}");
    assert!(shown.contains("languages shown   ind, vie-Latn\n"), "{shown}");
}

#[test]
fn a_group_of_which_a_score_is_missing_has_no_mean() {
    let folder = score_views();
    fs::remove_file(folder.path().join("results/mteb-host__hashing/1/B.json")).unwrap();
    let rows: Value = serde_json::from_str(&board(folder.path(), &["--json"])).unwrap();
    let row = rows.as_array().unwrap().iter().find(|row| row["model"] == "mteb-host/hashing").unwrap();
    assert!(row["groups"]["Topic"]["law"].is_number() && row["languages"]["ind-Latn"].is_number(), "{row}");
    assert!(row["groups"]["Topic"]["news"].is_null() && row["languages"]["vie-Latn"].is_null(), "{row}");
}

#[test]
fn a_board_of_some_tasks_has_the_groups_of_these() {
    let folder = score_views();
    let narrowed =
        ["leaderboard", "--registry", "mine.toml", "--benchmark", "M", "--format", "csv", "--task", "A"];
    let Run { stdout: csv, stderr, .. } = run_host(folder.path(), &narrowed);
    let part =
        "warning: the means here are not those of the benchmark M, of which this is a part: 1 of 3 tasks\n";
    assert_eq!(stderr, part);
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with("STS,Mean (Subset),Mean (Public),Topic: law,All: of them,vie-Latn,A"),
        "{csv}"
    );
}

/// What is said of a benchmark by the three commands, which is the same.
fn faults(tasks: &str, lines: &str) -> String {
    let folder = registry(tasks, lines);
    let validated = run_host(folder.path(), &["validate", "mine.toml"]);
    assert_eq!(validated.code, Some(2), "{}", validated.stderr);
    let (faults, _) = validated.stderr.trim_end().rsplit_once('\n').unwrap();
    for command in ["run", "leaderboard"] {
        let run = run_host(folder.path(), &[command, "--registry", "mine.toml", "--benchmark", "M"]);
        assert_eq!((run.code, run.stderr.trim_end()), (Some(2), faults), "{command}");
    }
    faults.replace("error: mine.toml:", "").replace("benchmark M: ", "")
}

#[test]
fn what_a_group_names_must_be_tasks_of_the_benchmark_once() {
    let lines = [
        group("G", "a", "\"Nope\", \"A\", \"A\""),
        group("G", "a", ""),
        group("G", "b", "\"A\", \"B\", \"C:jav\""),
        group("H", " ", "\"C:vie\", \"type:STSS\""),
    ];
    insta::assert_snapshot!(faults("\"A\", \"C:ind\"", &lines.concat()), @r"
    10:10: group G/a: expected a task of the benchmark, found: Nope
    10:23: group G/a: expected each task once, found twice: A
    13:9: expected each group once, found twice: G/a
    14:9: group G/a: expected at least one task, found none
    18:10: group G/b: expected a task that no other group of `G` has, found one of a: A; give one of the two groups another `grouping`
    18:15: group G/b: expected a task of the benchmark, found: B, which is not among its `tasks`; name it there too, or leave it out
    18:20: group G/b: task C: expected subsets among vie, ind; found: jav
    21:9: group: expected a name in `label`, found none
    22:10: group H/ : expected a part of the task that the benchmark uses, found: C:vie, whose subset vie it does not use
    22:19: group H/ : the benchmark has no task of the type STSS (near it: STS)
    ");
}

#[test]
fn languages_that_are_shown_must_be_those_of_the_tasks_once() {
    insta::assert_snapshot!(faults("\"A\"", "language_view = [\"tha\", \"Vietnamse\", \"vie\", \"vie-Latn\"]\n"), @r"
    7:18: expected a language of its tasks, found: tha; their languages are: vie-Latn
    7:25: expected a language such as `ind`, `ind-Latn`, `id` or `Indonesian` (ISO 639, ISO 15924), found: Vietnamse (near it: Vietnamese)
    7:45: expected each language once, found twice: vie-Latn
    ");
}

#[test]
fn all_faults_of_the_lists_of_a_benchmark_are_told_at_once() {
    let tasks = "\"A@dev\", \"C:jav,vei\", \"type:STSS\", \"C@dev:jav\", \"Bb\", \"A\", \"A\"";
    insta::assert_snapshot!(faults(tasks, "absent = [\"A\", \"B\"]\n"), @r"
    6:10: task A: expected a split among test; found: dev
    6:19: task C: expected subsets among vie, ind; found: jav, vei (near it: vie)
    6:32: registry mine has no task of the type STSS (near it: STS)
    6:45: task C: expected a split among test; found: dev; expected subsets among vie, ind; found: jav
    6:58: registry mine has no task that matches: Bb (near it: B)
    6:69: expected each task once, found twice: A
    7:11: expected the name of a task that no card describes, found one that has a card: A; name it under `tasks`
    7:16: expected the name of a task that no card describes, found one that has a card: B; name it under `tasks`
    ");
}

#[test]
fn means_over_a_registry_that_no_benchmark_has_are_told_from_those_of_the_benchmark_within() {
    let folder = registry("\"A\", \"B\"", "");
    let run = run_host(folder.path(), &["run", "--quiet", "--registry", "mine.toml"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let said = "warning: the means are over all 3 tasks of mine, not over a benchmark; M has 2 of them: `--benchmark \"M\"` \
                shows its means";
    for command in ["leaderboard", "report"] {
        let whole = run_host(folder.path(), &[command, "--registry", "mine.toml"]);
        assert_eq!((whole.code, whole.stderr.trim_end()), (Some(0), said));
        let part = run_host(folder.path(), &[command, "--registry", "mine.toml", "--benchmark", "M"]);
        assert_eq!((part.code, part.stderr.as_str()), (Some(0), ""));
    }
}

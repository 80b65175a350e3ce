//! Every command that answers with facts answers in the form that is asked for.

use mteb_host_tests::{Run, host};

use super::new_task::Task;

/// Commands that answer about a task of pairs that was run.
const COMMANDS: [&[&str]; 16] = [
    &["list", "tasks", "--registry", "card.toml"],
    &["list", "benchmarks", "--registry", "indonesia"],
    &["list", "models"],
    &["show", "task", "T", "--registry", "card.toml"],
    &["show", "model", "bm25"],
    &["show", "model", "sentence-transformers/all-MiniLM-L6-v2"],
    &["show", "benchmark", "Indonesia-MTEB(core)"],
    &["show", "results", "mteb-host/hashing"],
    &["stats", "T", "--registry", "card.toml"],
    &["run", "--registry", "card.toml"],
    &["run", "--registry", "card.toml", "--dimensions", "512,256"],
    &["efficiency", "hashing", "--task", "T", "--registry", "card.toml", "--singles", "1", "--repeat", "1"],
    &["leaderboard"],
    &["compare", "mteb-host/hashing", "mteb/baseline-random-encoder"],
    &["cache", "info"],
    &["cache", "verify"],
];

/// A card whose folder has a training text among the texts of the test.
const LEAKING: &str = "schema = 1\nname = \"L\"\ntype = \"Classification\"\ndescription = \"Rasa makanan.\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"leak\"\n";

fn pairs() -> Task {
    let rows = "sentence1,sentence2,score\nhujan turun,turun hujan,5\nsaya makan,ia tidur,0\nitu kucing,itu anjing,2\n";
    let task = Task::pairs(rows);
    for model in ["hashing", "random"] {
        assert_eq!(task.run(&["--model", model]).code, Some(0));
    }
    task
}

fn answer(task: &Task, command: &[&str], form: &[&str]) -> String {
    let run = Run::of(host(task.folder()).args(command).args(form)).unwrap();
    assert_eq!(run.code, Some(0), "{command:?} {form:?}: {}", run.stderr);
    run.stdout
}

#[test]
fn each_answer_is_json_and_a_table_of_values() {
    let task = pairs();
    for command in COMMANDS {
        let json: serde_json::Value = serde_json::from_str(&answer(&task, command, &["--json"])).unwrap();
        assert!(json.is_object() || json.is_array(), "{command:?}");
        let csv = answer(&task, command, &["--format", "csv"]);
        assert!(csv.lines().count() > 1 && csv.lines().next().unwrap().contains(','), "{command:?}: {csv}");
    }
}

#[test]
fn json_is_short_for_its_form_and_two_forms_are_refused() {
    let task = pairs();
    let command = ["show", "task", "T", "--registry", "card.toml"];
    assert_eq!(answer(&task, &command, &["--json"]), answer(&task, &command, &["--format", "json"]));
    let both = Run::of(host(task.folder()).args(command).args(["--json", "--format", "csv"])).unwrap();
    assert_eq!(both.code, Some(2));
    assert!(both.stderr.contains("cannot be used with"), "{}", both.stderr);
}

#[test]
fn a_table_has_the_same_cells_in_every_form() {
    let task = pairs();
    let of = |form| answer(&task, &["show", "results", "mteb-host/hashing"], &["--format", form]);
    insta::assert_snapshot!(of("csv"), @r"
    Task,Type,Split,Subset,Score,Measure
    T,STS,test,default,1,cosine_spearman
    ");
    insta::assert_snapshot!(of("markdown"), @r"
    | Task | Type | Split | Subset | Score | Measure |
    |---|---|---|---|---:|---|
    | T | STS | test | default | 100.00 | cosine_spearman |
    ");
    insta::assert_snapshot!(of("latex"), @r"
    \begin{tabular}{llllrl}
    \toprule
    Task & Type & Split & Subset & Score & Measure \\
    \midrule
    T & STS & test & default & \textbf{100.00} & cosine\_spearman \\
    \bottomrule
    \end{tabular}
    ");
    insta::assert_snapshot!(of("table"), @r"
    ┌──────────────────────────────────────────────────────────┐
    │ Task   Type   Split   Subset    Score    Measure         │
    ╞══════════════════════════════════════════════════════════╡
    │ T      STS    test    default   100.00   cosine_spearman │
    └──────────────────────────────────────────────────────────┘
    ");
}

#[test]
fn faults_are_rows() {
    let task = pairs();
    task.write(
        "broken.toml",
        "schema = 1\nname = \"B\"\ntype = \"STS\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = 5\n",
    );
    let faults = Run::of(host(task.folder()).args(["validate", "broken.toml", "--format", "csv"])).unwrap();
    assert_eq!(faults.code, Some(2));
    insta::assert_snapshot!(faults.stdout, @r#"
    file,line,column,message,kind
    broken.toml,1,1,"expected the key `description`, found none",fault
    broken.toml,6,8,"dataset.path: expected a string, found an integer: 5",fault
    "#);
    for (command, titles) in [
        (&["validate", "card.toml"][..], "file,line,column,message,kind"),
        (&["validate", "--data", "card.toml"], "task,split,subset,check,rows,message,advice"),
    ] {
        assert_eq!(
            answer(&task, command, &["--format", "csv"]).trim(),
            titles,
            "no fault is a table without rows"
        );
    }
}

#[test]
fn a_table_of_faults_leaves_warnings_to_standard_error() {
    let task = pairs();
    task.write("train_in_test.toml", LEAKING);
    task.write(
        "leak/test.jsonl",
        "{\"text\": \"enak\", \"label\": 1}\n{\"text\": \"hambar\", \"label\": 0}\n",
    );
    task.write(
        "leak/train.jsonl",
        "{\"text\": \"enak\", \"label\": 1}\n{\"text\": \"basi\", \"label\": 0}\n",
    );
    for format in ["table", "csv", "markdown"] {
        let arguments = ["validate", "--data", "train_in_test.toml", "--format", format];
        let said = Run::of(host(task.folder()).args(arguments)).unwrap();
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        assert!(
            said.stderr.contains("warning: ") && said.stderr.contains("“enak”"),
            "{format}: {}",
            said.stderr
        );
    }
}

#[test]
fn a_table_is_a_parquet_file_for_a_pipe_and_never_two() {
    let task = pairs();
    for command in COMMANDS {
        let output = host(task.folder()).args(command).args(["--format", "parquet"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{command:?}: {said}");
        assert!(output.stdout.starts_with(b"PAR1") && output.stdout.ends_with(b"PAR1"), "{command:?}");
    }
}

#[test]
fn numbers_are_rounded_for_people_and_whole_for_programs() {
    let rows = "sentence1,sentence2,score\nhujan turun,turun hujan deras,5\nsaya makan,ia tidur,0\nitu kucing,itu anjing,2\n\
                hari ini cerah,hari ini hujan,2\npergi ke pasar,pulang dari pasar,1\n";
    let task = Task::pairs(rows);
    let run = ["run", "--registry", "card.toml"];
    let json: serde_json::Value = serde_json::from_str(&answer(&task, &run, &["--json"])).unwrap();
    assert_eq!(task.run(&["--model", "random"]).code, Some(0));
    let score = json["tasks"][0]["main_score"].as_f64().unwrap();
    assert!(score.to_string().len() > 6, "a score of few digits shows nothing: {score}");
    let (csv, shown) = (answer(&task, &run, &["--format", "csv"]), format!("{:.2}", 100.0 * score));
    assert!(csv.contains(&format!(",{score},")), "{csv}");
    let of_run = answer(&task, &run, &["--format", "markdown"]);
    assert!(of_run.contains(&format!("| {shown} |")), "{of_run}");
    let of_run = answer(&task, &run, &["--format", "latex"]);
    assert!(of_run.contains(&shown), "{of_run}");
    let compare = ["compare", "mteb-host/hashing", "mteb/baseline-random-encoder"];
    for command in [&run[..], &compare] {
        for form in ["markdown", "latex"] {
            let table = answer(&task, command, &["--format", form]);
            let cells =
                table.split(['|', '&', '\n']).map(str::trim).filter(|cell| cell.parse::<f64>().is_ok());
            let digits = |cell: &str| cell.trim_start_matches(['-', '0', '.']).len();
            assert!(form == "latex" || cells.clone().count() > 1, "{table}");
            cells.for_each(|cell| assert!(digits(cell) <= "1.234e-10".len(), "{command:?}: {cell}"));
        }
    }
}

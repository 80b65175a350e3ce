//! `new`: what it writes passes the host's own checks at once, whatever kind it is.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, Terminal, build_outside, host, nested_cargo, outside_arguments, root, trust};

const TYPES: [&str; 12] = [
    "BitextMining",
    "Classification",
    "MultilabelClassification",
    "Clustering",
    "PairClassification",
    "Reranking",
    "Retrieval",
    "STS",
    "Summarization",
    "InstructionRetrieval",
    "InstructionReranking",
    "Regression",
];

/// Runs the host in `folder`.
fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

/// Runs the host, which finds nothing wrong.
fn succeed(folder: &Path, arguments: &[&str]) -> Run {
    let run = run_host(folder, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}\n{}{}", run.stdout, run.stderr);
    run
}

#[test]
fn a_task_of_every_type_begins_with_sample_rows_that_pass_and_score() {
    let folder = tempfile::tempdir().unwrap();
    for name in TYPES {
        let task = format!("My{name}");
        succeed(
            folder.path(),
            &["new", "task", &task, "--type", name, "--language", "eng-Latn", "--output", name],
        );
    }
    for name in TYPES {
        let card = fs::read_dir(folder.path().join(name))
            .unwrap()
            .flatten()
            .find(|file| file.path().extension().is_some_and(|ending| ending == "toml"));
        let card = card.unwrap().path().display().to_string();
        succeed(folder.path(), &["validate", &card]);
        succeed(folder.path(), &["validate", "--data", &card]);
        let run = succeed(folder.path(), &["run", "--registry", &card, "--json"]);
        let task = run.json().unwrap()["tasks"][0].clone();
        assert_eq!(
            (task["type"].as_str(), task["units"][0]["state"].as_str()),
            (Some(name), Some("scored")),
            "{task}"
        );
    }
}

#[test]
fn the_columns_and_the_type_of_a_file_are_guessed_shown_and_written_once_somebody_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "nomor,kiri,kanan,nilai\n1,Harga beras di pasar naik.,\"Beras makin mahal, katanya.\",4.5\n\
                2,Hujan turun sejak subuh.,Ayah pergi ke sawah.,0\n3,Ibu memasak nasi di dapur.,Nasi dimasak oleh ibu.,5\n";
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("data/pasangan.csv"), rows).unwrap();
    let arguments = ["new", "task", "DesaSTS", "--data", "data/pasangan.csv", "--language", "ind-Latn"];
    let elsewhere = run_host(folder.path(), &[&arguments[..], &["--yes", "--output", "cards"]].concat());
    assert!(elsewhere.code == Some(2) && elsewhere.stderr.contains("expected a folder that holds the data"));
    let shown = run_host(folder.path(), &arguments);
    assert_eq!(shown.code, Some(2), "{}", shown.stdout);
    assert!(shown.stderr.contains("`kiri` is used as `sentence1`"), "{}", shown.stderr);
    assert!(shown.stderr.contains("expected `--yes`"), "{}", shown.stderr);
    assert!(
        shown.stdout.contains("columns = { sentence1 = \"kiri\", sentence2 = \"kanan\", score = \"nilai\" }")
    );
    assert!(!folder.path().join("cards").exists());
    succeed(folder.path(), &[&arguments[..], &["--yes"]].concat());
    let card = fs::read_to_string(folder.path().join("desa-sts.toml")).unwrap();
    assert!(card.contains("path = \"data/pasangan.csv\""), "{card}");
    let run = succeed(folder.path(), &["run", "--registry", "desa-sts.toml", "--json"]);
    assert_eq!(run.json().unwrap()["tasks"][0]["type"], "STS");
    // A card that is there stays.
    assert_eq!(run_host(folder.path(), &[&arguments[..], &["--yes"]].concat()).code, Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("desa-sts.toml")).unwrap(), card);
}

#[test]
fn a_file_of_labels_a_folder_of_splits_and_a_search_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let labelled: String = (0..24)
        .map(|row| {
            format!(
                "Pesan nomor {row} soal {},{}\n",
                ["hujan", "macet"][row % 2],
                ["cuaca", "jalan"][row % 2]
            )
        })
        .collect();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("pesan.csv", &format!("isi,topik\n{labelled}"));
    write("split/train.csv", &format!("isi,topik\n{labelled}"));
    write(
        "split/test.csv",
        "isi,topik\nBesok hujan lagi,cuaca\nAngin kencang,cuaca\nBus mogok,jalan\nTol macet,jalan\n",
    );
    write(
        "law/corpus.jsonl",
        "{\"docid\": \"a\", \"content\": \"Tanah ini milik desa.\"}\n{\"docid\": \"b\", \"content\": \"Sungai itu dalam.\"}\n",
    );
    write("law/queries.jsonl", "{\"qid\": \"1\", \"query\": \"Milik siapa tanah ini?\"}\n");
    write("law/qrels.tsv", "qid\tdocid\tgrade\n1\ta\t1\n1\tb\t0\n");
    let alone = run_host(
        folder.path(),
        &["new", "task", "Alone", "--data", "pesan.csv", "--language", "ind-Latn", "--yes"],
    );
    assert!(
        alone.code == Some(2) && alone.stderr.contains("name a folder with `train.csv`"),
        "{}",
        alone.stderr
    );
    for (data, task_type) in [("split", "Classification"), ("law", "Retrieval")] {
        let name = format!("Of{}", data.replace('.', ""));
        succeed(folder.path(), &["new", "task", &name, "--data", data, "--language", "ind-Latn", "--yes"]);
        let card = format!("of-{}", data.replace('.', "")) + ".toml";
        let card = if folder.path().join(&card).is_file() { card } else { name.to_lowercase() + ".toml" };
        let run = succeed(folder.path(), &["run", "--registry", &card, "--json"]);
        assert_eq!(run.json().unwrap()["tasks"][0]["type"], task_type, "{data}");
    }
}

#[test]
fn on_a_terminal_questions_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = host(folder.path());
    let (code, shown) = Terminal::new(100)
        .unwrap()
        .answer(command.args(["new", "task", "Asked"]), "sts\neng-Latn\nHow alike two texts are.\n")
        .unwrap();
    assert_eq!(code, Some(0), "{shown}");
    let card = fs::read_to_string(folder.path().join("asked.toml")).unwrap();
    assert!(card.contains("type = \"STS\"") && card.contains("How alike two texts are."), "{card}");
}

#[test]
fn a_name_that_leads_elsewhere_and_a_type_that_is_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        (["new", "task", "../up", "--type", "STS"], "expected a name of at most 60 letters"),
        (["new", "task", "A", "--type", "Clusterring"], "near it: Clustering"),
        (
            ["new", "benchmark", "a", "--language", "indonesian"],
            "expected a language and a script such as `ind-Latn`",
        ),
    ] {
        let run = run_host(folder.path(), &arguments);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().flatten().filter(|file| file.path().is_file()).count(),
        0
    );
}

#[test]
fn a_model_in_python_runs_as_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let said = succeed(folder.path(), &["new", "model", "desa/huruf-kecil"]);
    assert!(said.stdout.contains("--model python:huruf_kecil.py:HurufKecil"), "{}", said.stdout);
    let mut command = host(folder.path());
    command.args(["run", "--registry", "indonesia", "--task", "IndonesianGeneralSTS", "--json"]);
    command
        .args(["--model", "python:huruf_kecil.py:HurufKecil"])
        .env_remove("VIRTUAL_ENV")
        .env_remove("CONDA_PREFIX");
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.json().unwrap()["model"], "desa/huruf-kecil");
}

#[test]
fn crates_of_plugins_build_pass_their_own_tests_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let interface = root().join("plugin-api").display().to_string();
    let begin =
        |words: &[&str]| succeed(folder.path(), &[&["new"], words, &["--plugin-api", &interface]].concat());
    begin(&["model", "small-letters", "--rust"]);
    begin(&["pack", "desa-tasks", "--task", "DesaSTS"]);
    begin(&["task-type", "WordPairs"]);
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    for name in ["small_letters", "desa_tasks", "word_pairs"] {
        let package = folder.path().join(name.replace('_', "-"));
        let library = plugins.join(format!("lib{name}.so"));
        fs::copy(build_outside(&package, name), &library).unwrap();
        let check = run_host(folder.path(), &["plugins", "check", &library.display().to_string()]);
        assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""), "{name}: {}", check.stdout);
    }
    own_tests(&folder.path().join("small-letters"));
    for name in ["desa-tasks", "word-pairs"] {
        let mut format = Command::new("cargo");
        let formatted =
            Run::of(format.args(["fmt", "--check"]).current_dir(folder.path().join(name))).unwrap();
        assert_eq!((formatted.code, formatted.stdout.as_str()), (Some(0), ""), "{name}");
    }
    trust(folder.path(), &plugins).unwrap();
    let run = |more: &[&str]| {
        let run = succeed(folder.path(), &[&["run", "--json", "--plugin-dir", "plugins"], more].concat());
        run.json().unwrap()
    };
    assert_eq!(run(&["--registry", "desa-tasks/desa-tasks.toml"])["tasks"][0]["task"], "DesaSTS");
    let own = run(&["--registry", "word-pairs/word-pairs.toml"])["tasks"][0].clone();
    assert_eq!(
        (own["type"].as_str(), own["units"][0]["state"].as_str()),
        (Some("WordPairs"), Some("scored")),
        "{own}"
    );
    let scored = run(&["--registry", "desa-tasks/desa-tasks.toml", "--model", "small-letters"]);
    assert_eq!(scored["model"], "local/small-letters");
}

/// Runs the tests of a crate, formatted as it says, where the tests of this one are built.
fn own_tests(package: &Path) {
    fs::copy(root().join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    let target = std::env::current_exe().unwrap().ancestors().nth(3).map(Path::to_owned).unwrap();
    let cargo = |arguments: &[&str]| {
        let mut command = nested_cargo();
        command.current_dir(package).args(arguments).env("CARGO_TARGET_DIR", &target);
        let run = Run::of(&mut command).unwrap();
        assert_eq!(run.code, Some(0), "{arguments:?}\n{}{}", run.stdout, run.stderr);
    };
    cargo(&["fmt", "--check"]);
    let arguments = outside_arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    cargo(&[&["test", "--quiet"], &arguments[..]].concat());
}

#[test]
fn a_benchmark_begins_valid_pinned_and_with_scores_of_its_baselines() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["new", "benchmark", "desa", "--language", "ind-Latn", "--title", "Village life"];
    TYPES.iter().for_each(|name| arguments.extend(["--task-type", name]));
    succeed(folder.path(), &arguments);
    let desa = folder.path().join("desa");
    succeed(&desa, &["validate", "desa.toml"]);
    succeed(&desa, &["validate", "--data", "desa.toml"]);
    for model in ["hashing", "random"] {
        let run = succeed(
            &desa,
            &[
                "run",
                "--registry",
                "desa.toml",
                "--model",
                model,
                "--check-expected",
                "--overwrite",
                "always",
            ],
        );
        assert!(!run.stderr.contains("warning"), "{}", run.stderr);
    }
    let shown = succeed(&desa, &["show", "benchmark", "Desa(v1)", "--registry", "desa.toml"]);
    assert!(shown.stdout.contains("@misc{desa, title = {{Village life}}"), "{}", shown.stdout);
    let card = fs::read_to_string(desa.join("cards/DesaSTS.toml")).unwrap();
    assert!(card.contains("[expected.\"mteb-host/hashing\"]") && card.contains("[quality]"), "{card}");
    assert!(!desa.join("desa.lock.toml").exists(), "sample rows are replaced, and not locked");
    for file in [
        "CITATION.cff",
        ".github/workflows/check.yml",
        "datasets/DesaSTS.md",
        "datasets/DesaSTS.id.md",
        "docs/annotation-guideline.md",
    ] {
        let text = fs::read_to_string(desa.join(file)).unwrap();
        // `${{ … }}` is of workflows, `{{DesaSTS}}` of BibTeX.
        let is_open = |name: &str| {
            !name.is_empty() && name.chars().all(|letter| letter.is_lowercase() || letter == '_')
        };
        let left =
            text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).find(|(name, _)| is_open(name));
        assert_eq!(left, None, "{file}");
    }
    let board =
        succeed(&desa, &["leaderboard", "--registry", "desa.toml", "--benchmark", "Desa(v1)", "--json"]);
    assert_eq!(board.json().unwrap().as_array().unwrap().len(), 2, "{}", board.stdout);
}

#[test]
fn scores_of_another_card_than_a_file_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        run_host(folder.path(), &["run", "--task", "IndonesianGeneralSTS", "--write-expected", "--quiet"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("expected a card in a file for `--write-expected`"), "{}", run.stderr);
}

#[test]
fn written_scores_are_those_that_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["new", "task", "Mine", "--type", "STS", "--language", "eng-Latn"]);
    let run = ["run", "--registry", "mine.toml"];
    succeed(folder.path(), &[&run[..], &["--write-expected"]].concat());
    let path = folder.path().join("mine.toml");
    succeed(folder.path(), &[&run[..], &["--check-expected"]].concat());
    let card = fs::read_to_string(&path).unwrap();
    let score = card.split("default = ").nth(1).unwrap().split(' ').next().unwrap();
    fs::write(&path, card.replace(score, "0.987")).unwrap();
    assert_eq!(run_host(folder.path(), &[&run[..], &["--check-expected"]].concat()).code, Some(1));
    succeed(folder.path(), &[&run[..], &["--write-expected"]].concat());
    assert_eq!(fs::read_to_string(&path).unwrap(), card);
}

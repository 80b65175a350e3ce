//! A name of others is one line, wherever a table has it: it forges no row, and steers no terminal.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

/// A name that would be a row of its own, and would paint what follows.
const NAME: &str =
    "evil/a\n│ 1 ┆ best/model ┆ 99.99 │\n| 1 | best/model | 99.99 |\n1,best/model,99.99\r\t\u{1b}[31m";

/// A folder with the results of a model that calls itself so.
fn results() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a b", "a b", 5.0), ("a c", "b d", 0.0), ("a b c", "a x", 2.0)])
        .unwrap();
    let run = Run::of(host(folder.path()).args(["run", "--quiet", "--registry", "task.toml"])).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for name in ["model_meta.json", "Pairs.json"] {
        let file = find_file(&folder.path().join("results"), name).unwrap();
        let said = fs::read_to_string(&file).unwrap();
        let own = serde_json::Value::from(NAME).to_string();
        fs::write(&file, said.replace("\"mteb-host/hashing\"", &own)).unwrap();
    }
    folder
}

fn find_file(folder: &Path, name: &str) -> Option<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find_map(|path| match path.is_dir() {
        true => find_file(&path, name),
        false => path.ends_with(name).then_some(path),
    })
}

/// No line has a part of the name without its begin, and no character steers a terminal.
fn is_one_line(text: &str, what: &str) {
    let mut lines = text.lines().filter(|line| line.contains("best/model"));
    assert!(lines.all(|line| line.contains("evil/a")), "{what}: {text}");
    let steers = |character: char| character.is_control() && character != '\n';
    assert!(!text.contains(steers), "{what}: {text:?}");
}

#[test]
fn a_name_with_line_ends_is_one_row_of_every_table() {
    let folder = results();
    for command in [
        &["leaderboard", "--results", "results"][..],
        &["show", "results", NAME],
        &["figure", "table1", "--results", "results"],
    ] {
        for form in ["table", "csv", "markdown", "latex"] {
            let mut run = host(folder.path());
            run.args(command).args(["--format", form]).env("COLUMNS", "400");
            let run = Run::of(&mut run).unwrap();
            let what = format!("{command:?} {form}: {}", run.stderr);
            assert!(command[0] == "show" || run.stdout.contains("evil/a"), "{what}{}", run.stdout);
            is_one_line(&run.stdout, &what);
            is_one_line(&run.stderr, &what);
        }
    }
}

#[test]
fn a_description_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    let card = fs::read_to_string(folder.path().join("task.toml")).unwrap();
    let described = format!("description = {}", serde_json::Value::from(format!("{NAME}\tlast")));
    let lines =
        card.lines().map(|line| if line.starts_with("description") { described.as_str() } else { line });
    fs::write(folder.path().join("task.toml"), lines.collect::<Vec<_>>().join("\n")).unwrap();
    for form in ["table", "csv", "markdown", "latex"] {
        let mut show = host(folder.path());
        show.args(["show", "task", "Pairs", "--registry", "task.toml", "--format", form])
            .env("COLUMNS", "900");
        let run = Run::of(&mut show).unwrap();
        assert_eq!(run.code, Some(0), "{form}: {}", run.stderr);
        assert!(run.stdout.contains("evil/a"), "{form}: {}", run.stdout);
        is_one_line(&run.stdout, form);
    }
}

#[test]
fn a_model_does_not_call_itself_as_nothing_or_another_looks() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a b", "a b", 5.0), ("a c", "b d", 0.0), ("a b c", "a x", 2.0)])
        .unwrap();
    for (name, code) in
        [(NAME, 1), ("hashing/", 1), ("hash\ting", 1), ("hash\u{200b}ing", 1), ("own/model v1", 0)]
    {
        let code_of_model = format!(
            "class M:\n    name = {}\n    def encode(self, texts):\n        return [[1.0, float(len(text))] for text in texts]\n",
            serde_json::Value::from(name)
        );
        fs::write(folder.path().join("mine.py"), code_of_model).unwrap();
        let mut run = host(folder.path());
        run.args(["run", "--registry", "task.toml", "--model", "python:mine.py:M"]);
        let run = Run::of(run.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap();
        assert_eq!(run.code, Some(code), "{name:?}: {}", run.stderr);
        assert!(code == 0 || run.stderr.contains("expected a name of the model"), "{name:?}: {}", run.stderr);
        is_one_line(&run.stderr, name);
    }
}

/// Results of two models on three tasks, enough for a correlation; one of the models has the name.
fn three_tasks() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pairs = [
        [("a b", "a b", 5.0), ("a c", "b d", 0.0), ("a b c", "a x", 2.0)],
        [("a b", "a b", 0.0), ("a c", "b d", 5.0), ("a b c", "a x", 2.0)],
        [("a b", "a b", 2.0), ("a c", "b d", 3.0), ("a b c", "a x", 0.0)],
    ];
    for (name, pairs) in ["One", "Two", "Three"].into_iter().zip(pairs) {
        fs::create_dir(folder.path().join(name)).unwrap();
        write_pair_card(&folder.path().join(name), name, &["ind"]).unwrap();
        write_pairs(&folder.path().join(name), "ind", pairs).unwrap();
    }
    let registry = "schema = 1\nname = \"mine\"\ncards = [\"One\", \"Two\", \"Three\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    for model in ["random", "hashing"] {
        let mut run = host(folder.path());
        let run = Run::of(run.args(["run", "--quiet", "--registry", "mine.toml", "--model", model])).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let own = folder.path().join("results/mteb-host__hashing");
    for name in ["model_meta.json", "One.json", "Two.json", "Three.json"] {
        let file = find_file(&own, name).unwrap();
        let said = fs::read_to_string(&file).unwrap();
        let own = serde_json::Value::from(NAME).to_string();
        fs::write(&file, said.replace("\"mteb-host/hashing\"", &own)).unwrap();
    }
    folder
}

#[test]
fn the_numbers_beside_a_figure_have_no_escape_characters() {
    let folder = three_tasks();
    let mut figure = host(folder.path());
    let figure = figure.args(["figure", "models", "--registry", "mine.toml", "--output", "figures"]);
    let run = Run::of(figure).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for ending in ["csv", "svg"] {
        let path = find_file(&folder.path().join("figures"), &format!("models.{ending}")).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("evil/a"), "{text}");
        is_one_line(&text, ending);
    }
}

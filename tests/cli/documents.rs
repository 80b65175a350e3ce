//! What documents show works as it is printed: `examples/`, the tutorials, the page about types of tasks of
//! one's own; and docs/commands.md is the help of every command.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, build_outside, host, host_binary, python, root, trust};

use super::python_types::{read_hash, unit};

#[test]
fn the_example_card_is_valid_and_can_be_scored() {
    let card = example("sts-card/weather-sts.toml");
    assert_eq!(score_selection(&card, &[]), ["WeatherSTS"]);
}

#[test]
fn the_example_registry_is_valid_and_its_benchmark_can_be_scored() {
    let registry = example("registry/kampung.toml");
    assert_eq!(
        score_selection(&registry, &["--benchmark", "Kampung(small)"]),
        ["KampungBitext", "KampungParaphrase"]
    );
}

#[test]
fn the_example_plugin_builds_outside_the_workspace_conforms_and_scores() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    let library = plugins.join("libbigram_model.so");
    fs::copy(build_outside(&example("plugin"), "bigram_model"), &library).unwrap();
    let check = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&library)).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
    trust(folder.path(), &plugins).unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--model", "bigrams", "--json", "--plugin-dir"]).arg(&plugins);
    let run = Run::of(command.arg("--registry").arg(example("sts-card/weather-sts.toml"))).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.json().unwrap()["model"], "example/bigrams");
    assert!(folder.path().join("results/example__bigrams/1/WeatherSTS.json").is_file());
}

#[test]
fn the_example_of_a_type_builds_outside_the_workspace_conforms_and_scores() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    let library = plugins.join("libanalogy_type.so");
    fs::copy(build_outside(&example("task-type"), "analogy_type"), &library).unwrap();
    let check = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&library)).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
    trust(folder.path(), &plugins).unwrap();
    let registry = "schema = 1\nname = \"mine\"\npacks = [\"analogies\"]\n";
    fs::write(folder.path().join("mine.toml"), registry).unwrap();
    let mut command = host(folder.path());
    command.args([
        "run",
        "--model",
        "hashing",
        "--json",
        "--outcomes",
        "--registry",
        "mine.toml",
        "--plugin-dir",
    ]);
    let run = Run::of(command.arg(&plugins)).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let task = run.json().unwrap()["tasks"][0].clone();
    assert_eq!((&task["type"], &task["main_score_name"]), (&"Analogy".into(), &"accuracy".into()));
    assert_eq!(task["units"][0]["state"], "scored", "{task}");
}

/// The tasks of `registry` that each of the two bundled models scores, once the registry was found valid.
fn score_selection(registry: &Path, selection: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let validate = Run::of(host(folder.path()).arg("validate").arg(registry)).unwrap();
    assert_eq!((validate.code, validate.stderr.as_str()), (Some(0), ""), "{}", validate.stdout);
    let tasks = ["hashing", "random"].map(|model| {
        let mut command = host(folder.path());
        command.args(["run", "--json", "--model", model]).args(selection).arg("--registry").arg(registry);
        let run = Run::of(&mut command).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{model}");
        let report = run.json().unwrap();
        let tasks = report["tasks"].as_array().unwrap().iter();
        tasks.map(|task| task["task"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    });
    let [hashing, random] = tasks;
    assert_eq!(hashing, random);
    hashing
}

fn example(name: &str) -> PathBuf {
    root().join("examples").join(name)
}

#[test]
fn the_first_run_does_what_its_page_says() {
    let folder = follow_tutorial("first-run");
    assert!(folder.path().join("report/report.html").is_file());
}

#[test]
fn a_task_of_ones_own_takes_one_card() {
    let folder = follow_tutorial("own-task");
    assert!(folder.path().join("results/mteb-host__hashing/1/MessageTopics.json").is_file());
}

#[test]
fn a_model_of_ones_own_takes_six_lines_of_python() {
    let folder = follow_tutorial("own-model");
    assert!(folder.path().join("results/example__letters/1/IndonesianGeneralSTS.json").is_file());
}

#[test]
fn a_graded_benchmark_needs_no_network_and_no_key() {
    let folder = follow_tutorial("graded");
    assert!(folder.path().join("graded/judgements/words.jsonl").is_file());
    assert!(folder.path().join("graded/pools/IndonesianLawRetrieval/test/default.jsonl").is_file());
}

#[test]
fn a_benchmark_of_ones_own_region_is_one_folder() {
    let folder = follow_tutorial("own-region");
    assert!(folder.path().join("report/desa.html").is_file());
    assert!(
        fs::read_dir(folder.path().join("desa"))
            .unwrap()
            .flatten()
            .any(|file| { file.file_name().to_string_lossy().contains("lock") })
    );
}

#[test]
fn a_run_in_shards_ends_in_one_folder() {
    let folder = follow_tutorial("cluster");
    assert!(folder.path().join("plan-shards/0/shard.json").is_file());
    assert!(folder.path().join("results/mteb-host__hashing/1/IndonesianLawRetrieval.json").is_file());
}

/// The folder in which the page `name` was followed.
fn follow_tutorial(name: &str) -> tempfile::TempDir {
    let page = fs::read_to_string(root().join("docs/tutorials").join(name).with_extension("md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for block in page.split("\n```").skip(1).step_by(2) {
        let (head, body) = block.split_once('\n').unwrap();
        match head.split_once(" title=\"") {
            Some((_, file)) => write(&folder.path().join(file.trim_end_matches('"')), body),
            // Shown, not run: it needs what a page says.
            None if head == "text" => {}
            None if head == "sh" => body.lines().for_each(|line| run_line(folder.path(), line)),
            None => panic!("{name}: a block of {head} is neither a file nor commands"),
        }
    }
    folder
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text.to_owned() + "\n").unwrap();
}

/// Runs a line of a shell in which `mteb-host` is the built host.
fn run_line(folder: &Path, line: &str) {
    assert!(["mteb-host ", "python3 "].iter().any(|program| line.starts_with(program)), "{line}");
    let path =
        std::env::join_paths([host_binary().parent().unwrap(), Path::new("/usr/bin"), Path::new("/bin")]);
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", path.unwrap());
    shell.env("MTEB_HOST_CACHE", folder.join("cache")).env("MTEB_HOST_DATA", folder.join("data"));
    let run = Run::of(&mut shell).unwrap();
    assert_eq!(run.code, Some(0), "{line}\n{}{}", run.stdout, run.stderr);
}

/// The indented block of a page that begins with `head`.
fn block(page: &str, head: &str) -> String {
    let begin = page.find(&format!("\n    {head}")).unwrap_or_else(|| panic!("no block with {head}")) + 1;
    let lines = page[begin..].lines().take_while(|line| line.is_empty() || line.starts_with("    "));
    lines.map(|line| line.strip_prefix("    ").unwrap_or_default().to_owned() + "\n").collect()
}

#[test]
fn the_type_of_the_page_is_written_checked_and_run_as_it_is_printed() {
    let Some(python) = python() else { return };
    let page = fs::read_to_string(root().join("docs/task-types.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("data")).unwrap();
    fs::write(folder.join("readability.py"), block(&page, "import numpy\n")).unwrap();
    let card = block(&page, "schema = 1");
    fs::write(folder.join("my-readability.toml"), &card).unwrap();
    let rows =
        (1..=6).map(|grade| format!("{{\"text\": \"{}\", \"grade\": {grade}}}\n", "word ".repeat(grade)));
    let rows = block(&page, "{\"text\"").trim().to_owned() + "\n" + &rows.collect::<String>();
    fs::write(folder.join("data/test.jsonl"), rows).unwrap();
    let first = Run::of(host(folder).args(["validate", "--data", "my-readability.toml"])).unwrap();
    let said = first.stdout + &first.stderr;
    assert!(first.code == Some(1) && said.contains("--trust-plugin "), "{said}");
    let run = |card: &str, more: &[&str]| {
        let mut command = host(folder);
        command.args(["run", "--json", "--model", "hashing", "--registry", card]).args(more);
        Run::of(command.arg("--python").arg(&python)).unwrap()
    };
    let sha256 = read_hash(&run("my-readability.toml", &[]));
    let validated = Run::of(
        host(folder)
            .args(["validate", "--data", "my-readability.toml", "--trust-plugin", &sha256, "--python"])
            .arg(&python),
    );
    let validated = validated.unwrap();
    assert_eq!(validated.code, Some(0), "{}{}", validated.stdout, validated.stderr);
    let scored = run("my-readability.toml", &[]);
    assert_eq!(unit(&scored)["state"], "scored", "{}{}", scored.stdout, scored.stderr);

    // Another task of the type, beside the first one, and an option that a card sets.
    let second = card.replacen("MyReadability", "SecondReadability", 1);
    fs::write(folder.join("second.toml"), second).unwrap();
    let both = run("my-readability.toml", &["--registry", "second.toml"]);
    assert_eq!(both.json().unwrap()["tasks"].as_array().unwrap().len(), 2, "{}{}", both.stdout, both.stderr);
    assert_eq!(both.code, Some(0), "{}{}", both.stdout, both.stderr);
    fs::write(folder.join("graded.toml"), card.clone() + "\n" + &block(&page, "[task_type.options]"))
        .unwrap();
    let plain = fs::read_to_string(folder.join("readability.py")).unwrap();
    let with_options = "rng, options):\n        assert options['highest'] == 5\n";
    fs::write(folder.join("readability.py"), plain.replacen("rng):\n", with_options, 1)).unwrap();
    let sha256 = read_hash(&run("graded.toml", &[]));
    let scored = run("graded.toml", &["--trust-plugin", &sha256]);
    assert_eq!(unit(&scored)["state"], "scored", "{}{}", scored.stdout, scored.stderr);
    fs::write(folder.join("readability.py"), plain).unwrap();

    // Its lines about files beside it, too.
    let line = "evaluator = \"python:readability.py:Readability\"\n";
    let with_files = format!("{line}{}", block(&page, "evaluator_files = "));
    fs::write(folder.join("with-files.toml"), card.replacen(line, &with_files, 1)).unwrap();
    fs::create_dir(folder.join("words")).unwrap();
    fs::write(folder.join("syllables.py"), "VOWELS = 'aeiou'\n").unwrap();
    fs::write(folder.join("words/easy.txt"), "a\n").unwrap();
    let class = fs::read_to_string(folder.join("readability.py")).unwrap();
    fs::write(folder.join("readability.py"), format!("import syllables\n{class}")).unwrap();
    let sha256 = read_hash(&run("with-files.toml", &[]));
    let scored = run("with-files.toml", &["--trust-plugin", &sha256]);
    assert_eq!(unit(&scored)["state"], "scored", "{}{}", scored.stdout, scored.stderr);
}

const PAGE: &str = "docs/commands.md";

/// Set to write the page anew.
const WRITE: &str = "MTEB_WRITE_DOCS";
const HEAD: &str = "# Commands\n\nThe help of every command, as the program prints it; `MTEB_WRITE_DOCS=1 cargo xtask test cli command_pages` writes this page.\n";

#[test]
fn the_page_of_commands_is_the_help_of_the_program() {
    let mut page = HEAD.to_owned();
    add(&mut page, &[]);
    let path = root().join(PAGE);
    if std::env::var_os(WRITE).is_some() {
        fs::write(&path, &page).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let line = found.lines().zip(page.lines()).position(|(found, expected)| found != expected);
    assert!(found == page, "{PAGE}: line {line:?} is not the program's help; write it anew with {WRITE}=1");
}

/// Adds the help of a command and of those below it.
fn add(page: &mut String, command: &[String]) {
    let mut words = vec!["mteb-host".to_owned()];
    words.extend_from_slice(command);
    let text = help(command);
    let level = if command.len() > 1 { "###" } else { "##" };
    write!(page, "\n{level} {}\n\n```text\n{}\n```\n", words.join(" "), text.trim_end()).unwrap();
    for name in subcommands(&text) {
        add(page, &[command, &[name]].concat());
    }
}

fn help(command: &[String]) -> String {
    let mut run = Command::new(host_binary());
    run.args(command).arg("--help").env_clear().env("COLUMNS", "100");
    let output = run.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The names in the list of commands of a help, but for `help` itself.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let list = list.lines().take_while(|line| !line.is_empty());
    let named = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = named.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

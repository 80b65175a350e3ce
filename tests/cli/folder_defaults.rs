//! `mteb-host.toml` sets options of commands that are started in its folder; `config show` says where each value comes from. Completions and
//! pages of the manual are of the command line as it is.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

fn with_task(defaults: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let begun = run_host(folder.path(), &["new", "task", "Mine", "--type", "STS", "--language", "eng-Latn"]);
    assert_eq!(begun.code, Some(0), "{}", begun.stderr);
    fs::write(folder.path().join("mteb-host.toml"), defaults).unwrap();
    folder
}

#[test]
fn options_of_the_file_hold_where_none_is_typed() {
    let folder = with_task(
        "registry = \"mine.toml\"\n\n[run]\nmodel = \"random\"\noutput-folder = \"scores\"\noutcomes = true\n",
    );
    let run = run_host(folder.path(), &["run", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.json().unwrap()["model"], "mteb/baseline-random-encoder");
    let mut revisions = fs::read_dir(folder.path().join("scores/mteb__baseline-random-encoder")).unwrap();
    assert!(revisions.next().unwrap().unwrap().path().join("outcomes/Mine").is_dir());
    let typed = run_host(folder.path(), &["run", "--json", "--model", "hashing"]);
    assert_eq!(typed.json().unwrap()["model"], "mteb-host/hashing", "{}", typed.stderr);
    let shown = run_host(folder.path(), &["config", "show", "--json"]).json().unwrap();
    let values = shown["values"].as_array().unwrap();
    let of = |name: &str| values.iter().find(|row| row["name"] == name).unwrap().clone();
    assert_eq!(
        (of("--model")["value"].as_str(), of("--model")["from"].as_str()),
        (Some("random"), Some("mteb-host.toml, line 4"))
    );
    assert_eq!(of("--registry")["from"], "mteb-host.toml, line 1");
    assert_eq!(of("--device")["from"], "built in");
    assert_eq!(of("MTEB_HOST_CACHE")["from"], "environment");
}

#[test]
fn what_runs_code_reaches_a_network_or_gives_consent_is_refused() {
    for line in [
        "plugin-dir = \"plugins\"",
        "python = \".venv\"",
        "trust-python = \".venv\"",
        "trust-plugin = \"00\"",
        "trust-remote-code = true",
        "allow-host = \"a.example\"",
        "allow-env = \"KEY=a.example\"",
        "url = \"http://a.example\"",
        "key-env = \"KEY\"",
        "model = \"python:evil.py:Evil\"",
        "model = \"openai:m\"",
        "output-folder = \"../elsewhere\"",
        "cache-dir = \"cache\"",
    ] {
        let folder = with_task(&format!("[run]\n{line}\n"));
        let run = run_host(folder.path(), &["run", "--registry", "mine.toml"]);
        assert_eq!(run.code, Some(2), "{line}: {}", run.stdout);
        assert!(run.stderr.contains("mteb-host.toml:2: `"), "{line}: {}", run.stderr);
        assert!(!folder.path().join("results").exists());
    }
}

#[test]
fn a_name_that_nothing_has_is_named_with_its_line() {
    let folder = with_task("\nmodle = \"random\"\n");
    let run = run_host(folder.path(), &["list", "tasks"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("mteb-host.toml:2: `modle` cannot be set here (near it: model)"),
        "{}",
        run.stderr
    );
}

#[test]
fn shells_complete_every_command_and_each_has_a_page_of_the_manual() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = run_host(folder.path(), &["completions", shell]);
        assert_eq!((script.code, script.stderr.as_str()), (Some(0), ""));
        for word in ["leaderboard", "write-expected", "verify"] {
            assert!(script.stdout.contains(word), "{shell}: {word}");
        }
    }
    let pages = run_host(folder.path(), &["man", "man1"]);
    assert_eq!((pages.code, pages.stderr.as_str()), (Some(0), ""));
    let page = fs::read_to_string(folder.path().join("man1/mteb-host-run.1")).unwrap();
    assert!(page.starts_with(".ie") && page.contains("write\\-expected"), "{page}");
    assert!(folder.path().join("man1/mteb-host-results-verify.1").is_file());
}

#[test]
fn the_help_names_the_variables_of_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let help = run_host(folder.path(), &["--help"]).stdout;
    for name in ["MTEB_HOST_CACHE", "MTEB_HOST_PLUGINS", "HF_TOKEN"] {
        assert!(help.contains(name), "{help}");
    }
}

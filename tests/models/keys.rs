//! Who gets a key, and that nobody else sees it.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Misdeed, Run, host};

use super::{endpoint, scores};

const KEY: &str = "sk-proj-0123456789abcdef";
const TASK: &str = "IndonesianGeneralSTS";

fn run_with_key(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia", "--json", "--task", TASK]).args(arguments);
    Run::of(command.env("OPENAI_API_KEY", KEY)).unwrap()
}

/// All that a run has written and said.
fn everything(folder: &Path, run: &Run) -> String {
    let mut all = format!("{}{}", run.stdout, run.stderr);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                all.push_str(&String::from_utf8_lossy(&fs::read(path).unwrap()));
            }
        }
    }
    all
}

#[test]
fn a_key_that_is_named_is_sent_and_appears_nowhere_else() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments = ["--model", "openai:m", "--url", &url, "--key-env", "OPENAI_API_KEY"];
    let run = run_with_key(folder.path(), &arguments);
    scores(&run);
    assert!(endpoint.asked().iter().all(|asked| asked.headers.contains(&format!("Bearer {KEY}"))));
    assert!(!everything(folder.path(), &run).contains("sk-proj-"));
}

#[test]
fn an_error_that_repeats_the_key_is_shown_without_it() {
    let (endpoint, folder) = (endpoint(Misdeed::Denied, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    let arguments = ["--model", "openai:m", "--url", &url, "--key-env", "OPENAI_API_KEY"];
    let run = run_with_key(folder.path(), &arguments);
    assert_eq!(run.code, Some(42), "{}", run.stderr);
    assert!(run.stderr.contains("status 401: wrong key: ") && run.stderr.contains("[key]"), "{}", run.stderr);
    assert!(!everything(folder.path(), &run).contains("sk-proj-"));
    assert_eq!(endpoint.asked().len(), 1, "a wrong key is tried once");
}

#[test]
fn the_usual_key_of_a_provider_is_not_sent_to_another_host() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let url = format!("{}/v1", endpoint.address);
    scores(&run_with_key(folder.path(), &["--model", "openai:m", "--url", &url]));
    assert!(endpoint.asked().iter().all(|asked| !asked.headers.contains("sk-proj-")));
}

#[test]
fn a_key_is_not_sent_without_encryption_to_another_machine() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--model", "openai:m", "--url", "http://192.0.2.1/v1", "--key-env", "OPENAI_API_KEY"];
    let run = run_with_key(folder.path(), &arguments);
    assert_eq!(run.code, Some(42), "{}", run.stderr);
    assert!(run.stderr.contains("expected `https://` for an endpoint that gets a key"), "{}", run.stderr);
}

#[test]
fn a_card_of_others_gets_no_key_unasked() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let models = folder.path().join("data/registries/models");
    fs::create_dir_all(&models).unwrap();
    let address = &endpoint.address;
    let card = format!(
        "schema = 1\nname = \"maker/model\"\n[api]\nstyle = \"openai\"\nmodel = \"m\"\nurl = \"{address}/v1\"\n\
         key_env = \"OPENAI_API_KEY\"\n"
    );
    fs::write(models.join("maker__model.toml"), card).unwrap();
    let refused = run_with_key(folder.path(), &["--model", "maker/model"]);
    let host = address.trim_start_matches("http://");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let hint = format!("add `--allow-env OPENAI_API_KEY={host}`");
    assert!(refused.stderr.contains(&hint), "{}", refused.stderr);
    assert_eq!(endpoint.asked().len(), 0);
    let allowed = format!("OPENAI_API_KEY={host}");
    scores(&run_with_key(folder.path(), &["--model", "maker/model", "--allow-env", &allowed]));
    assert!(endpoint.asked().iter().all(|asked| asked.headers.contains(KEY)));
}

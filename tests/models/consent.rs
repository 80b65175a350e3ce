//! Whom a card of others may have asked: nobody but this machine without leave, with no key, and under no name that is taken.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Endpoint, Misdeed, Run, host};

use super::{endpoint, scores};

const KEY: &str = "sk-proj-0123456789abcdef";
const TASK: &str = "IndonesianGeneralSTS";

/// Leaves a card with a table `[api]` beside a registry of others.
fn card(folder: &Path, name: &str, api: &str) {
    let models = folder.join("models");
    fs::create_dir_all(&models).unwrap();
    fs::write(folder.join("reg.toml"), "schema = 1\nname = \"mine\"\ninclude = [\"indonesia\"]\n").unwrap();
    let file = models.join(format!("{}.toml", name.replace('/', "__")));
    fs::write(
        file,
        format!("schema = 1\nname = \"{name}\"\n[api]\nstyle = \"openai\"\nmodel = \"m\"\n{api}"),
    )
    .unwrap();
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    command.args(["run", "--registry", "reg.toml", "--json", "--task", TASK]).args(arguments);
    Run::of(command.env("OPENAI_API_KEY", KEY)).unwrap()
}

/// The address of an endpoint in a form that nobody takes for this machine.
fn as_another(endpoint: &Endpoint) -> String {
    endpoint.address.replace("127.0.0.1", "127.1")
}

#[test]
fn a_server_on_this_machine_is_asked_without_leave_and_gets_no_key() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    card(folder.path(), "me/local", &format!("url = \"{}/v1\"\n", endpoint.address));
    let run = run(folder.path(), &["--model", "me/local"]);
    scores(&run);
    let place = endpoint.address.trim_start_matches("http://");
    assert!(run.stderr.contains(&format!("Texts are sent to {place}, as ")), "{}", run.stderr);
    assert!(!endpoint.asked().is_empty());
    assert!(endpoint.asked().iter().all(|asked| !asked.headers.to_lowercase().contains("authorization")));
}

#[test]
fn leave_for_a_host_on_another_port_is_not_taken_in_silence() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let address = as_another(&endpoint);
    card(folder.path(), "me/far", &format!("url = \"{address}/v1\"\n"));
    let (host, port) = address.trim_start_matches("http://").split_once(':').unwrap();
    let refused = run(folder.path(), &["--model", "me/far", "--allow-host", host]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let said =
        format!("the permission for `{host}` is for the usual port of its protocol, not for port {port}");
    assert!(refused.stderr.contains(&said), "{}", refused.stderr);
    assert!(refused.stderr.contains(&format!("add `--allow-host {host}:{port}`")), "{}", refused.stderr);
}

#[test]
fn leave_for_a_host_is_asked_for_once_and_shown() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let address = as_another(&endpoint);
    card(folder.path(), "me/far", &format!("url = \"{address}/v1\"\n"));
    let refused = run(folder.path(), &["--model", "me/far"]);
    let place = address.trim_start_matches("http://");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains(&format!("add `--allow-host {place}`")), "{}", refused.stderr);
    assert_eq!(endpoint.asked().len(), 0);
    scores(&run(folder.path(), &["--model", "me/far", "--allow-host", place]));
    scores(&run(folder.path(), &["--model", "me/far", "--overwrite", "always"]));
    let doctor = Run::of(host(folder.path()).arg("doctor")).unwrap();
    assert!(
        doctor.stdout.contains(&format!("Cards that do not come with mteb-host may send texts to: {place}")),
        "{}",
        doctor.stdout
    );
    assert!(endpoint.asked().iter().all(|asked| !asked.headers.contains(KEY)));
}

#[test]
fn a_key_that_was_meant_for_another_host_is_not_sent() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    for address in [endpoint.address.clone(), as_another(&endpoint)] {
        card(folder.path(), "me/taken", &format!("url = \"{address}/v1\"\n"));
        let place = address.trim_start_matches("http://");
        let run = run(
            folder.path(),
            &["--model", "me/taken", "--key-env", "OPENAI_API_KEY", "--allow-host", place],
        );
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        let hint = format!("add `--allow-env OPENAI_API_KEY={place}`");
        assert!(run.stderr.contains(&hint), "{}", run.stderr);
    }
    assert_eq!(endpoint.asked().len(), 0);
}

#[test]
fn no_card_of_others_takes_a_name_that_is_taken() {
    let (endpoint, folder) = (endpoint(Misdeed::None, 1), tempfile::tempdir().unwrap());
    let api = format!("url = \"{}/v1\"\n", endpoint.address);
    card(folder.path(), "hashing", &api);
    let run_of = |name: &str| run(folder.path(), &["--model", name]);
    let own = run_of("hashing");
    scores(&own);
    let said = "expected no table `[api]` for hashing, which is provided by a plugin, found one in a card that \
                does not come with mteb-host";
    assert!(own.stderr.contains(said), "{}", own.stderr);
    // None of these can run here; none of them asks the server either.
    for (name, card_name) in [
        ("sentence-transformers/all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
        ("st:sentence-transformers/all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
        ("st:maker/new", "maker/new"),
    ] {
        card(folder.path(), card_name, &api);
        let run = run(folder.path(), &["--model", name, "--offline"]);
        assert!(run.stderr.contains("is ignored; a card with its own name"), "{name}: {}", run.stderr);
    }
    fs::create_dir_all(folder.path().join("maker/folder")).unwrap();
    card(folder.path(), "maker/folder", &api);
    let of_folder = run_of("maker/folder");
    assert!(of_folder.stderr.contains("which is in a folder of that name"), "{}", of_folder.stderr);
    // The provider's own model, whatever a card of others says of its place: without the key it is not asked.
    card(folder.path(), "m", &api);
    let provider = Run::of(
        host(folder.path())
            .args(["run", "--registry", "reg.toml", "--task", TASK, "--model", "openai:m"])
            .env_remove("OPENAI_API_KEY"),
    )
    .unwrap();
    assert!(provider.stderr.contains("`OPENAI_API_KEY`, found none"), "{}", provider.stderr);
    card(folder.path(), "openai/text-embedding-3-small", &api);
    let bundled = Run::of(
        host(folder.path())
            .args([
                "run",
                "--registry",
                "reg.toml",
                "--task",
                TASK,
                "--model",
                "openai/text-embedding-3-small",
            ])
            .env_remove("OPENAI_API_KEY"),
    )
    .unwrap();
    assert!(bundled.stderr.contains("described by a card that comes with mteb-host"), "{}", bundled.stderr);
    assert!(bundled.stderr.contains("`OPENAI_API_KEY`, found none"), "{}", bundled.stderr);
    assert_eq!(endpoint.asked().len(), 0);
}

#[test]
fn a_password_in_the_address_of_a_card_is_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    for url in [
        r#""https://me:hunter2@127.1:1/v1""#,
        r#""https://me:hunter2""#,
        r#""me:hunter2@127.1""#,
        r#"["https://me:hunter2@127.1"]"#,
        r#""https://127.1:1"
encoding_format = "https://me:hunter2@127.1""#,
        r#""https://127.1:1"
key_env = ["hunter2"]"#,
    ] {
        card(folder.path(), "me/secret", &format!("url = {url}\n"));
        let registry = ["--registry", "reg.toml"];
        for command in [
            &["run", "--task", TASK, "--model", "me/secret"][..],
            &["show", "models", "me/secret"],
            &["show", "models", "me/secret", "--json"],
            &["list", "models"],
            &["list", "models", "--json"],
        ] {
            let run = Run::of(host(folder.path()).args(command).args(registry)).unwrap();
            let said = format!("{}{}", run.stdout, run.stderr);
            assert!(!said.contains("hunter2"), "{command:?}: {said}");
        }
        let run = Run::of(host(folder.path()).args(["validate", "models/me__secret.toml"])).unwrap();
        assert_eq!(run.code, Some(2), "{url}: {}{}", run.stdout, run.stderr);
        assert!(!format!("{}{}", run.stdout, run.stderr).contains("hunter2"), "{url}");
    }
}

#[test]
fn a_port_that_is_none_is_refused_and_port_80_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    card(folder.path(), "me/local", "url = \"http://localhost:70000/v1\"\n");
    for arguments in
        [&["--model", "me/local"][..], &["--model", "openai:m", "--url", "http://localhost:70000"]]
    {
        let run = run(folder.path(), arguments);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        let said = "with a port from 1 to 65535, found the port 70000";
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn prices_below_nothing_and_rows_without_numbers_are_faults_of_a_card() {
    let folder = tempfile::tempdir().unwrap();
    let price = |price: &str| {
        format!("[api.prices]\ncurrency = \"USD\"\ndate = \"2026-01-31\"\nmillion_tokens = {price}\n")
    };
    for (api, said) in [
        (price("-0.5"), "expected a price of 0 or more, found: -0.5"),
        (price("inf"), "expected a finite number, found: inf"),
        ("dimensions = 4000000000\n".to_owned(), "expected 1 to 1048576 numbers a row, found: 4000000000"),
    ] {
        card(folder.path(), "me/local", &format!("url = \"http://localhost:1\"\n{api}"));
        let run = run(folder.path(), &["--model", "me/local"]);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn a_card_of_others_does_not_choose_the_code_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    card(folder.path(), "maker/model", "url = \"http://localhost:1\"\n");
    let file = folder.path().join("models/maker__model.toml");
    fs::write(&file, "schema = 1\nname = \"maker/model\"\nrevision = \"refs/pr/7\"\n").unwrap();
    let run = run(folder.path(), &["--model", "st:maker/model", "--trust-remote-code", "--offline"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("if you trust it, add `--revision refs/pr/7`"), "{}", run.stderr);
}

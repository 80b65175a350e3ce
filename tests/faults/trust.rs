//! A plugin's code runs only if the user trusts the file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use mteb_host_tests::{Run, faulty_plugin, host, host_binary};

use super::machine::{children, command, plugin_workers, run_that_waits, signal, write_task};

#[test]
fn an_unknown_plugin_is_refused_until_its_checksum_is_given_once() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    let refused = Run::of(&mut list(folder.path(), &plugins)).unwrap();
    assert_eq!(refused.code, Some(3));
    assert!(!refused.stdout.contains("faulty"), "{}", refused.stdout);
    let (_, checksum) = refused.stderr.trim_end().rsplit_once("`--trust-plugin ").unwrap();
    let checksum = checksum.trim_end_matches('`');

    let trusted = Run::of(list(folder.path(), &plugins).args(["--trust-plugin", checksum])).unwrap();
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    assert!(trusted.stdout.contains("faulty 1.0.0"), "{}", trusted.stdout);
    let lock = fs::read_to_string(folder.path().join("data/plugins.lock")).unwrap();
    assert!(lock.contains(checksum), "{lock}");
    assert_eq!(Run::of(&mut list(folder.path(), &plugins)).unwrap().code, Some(0));
}

#[test]
fn a_changed_plugin_is_refused_with_both_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    let file = faulty_plugin("faulty_model", &plugins).unwrap();
    mteb_host_tests::trust(folder.path(), &plugins).unwrap();
    fs::remove_file(plugins.join("plugins.lock")).unwrap();
    let mut bytes = fs::read(&file).unwrap();
    bytes.push(0);
    fs::write(&file, bytes).unwrap();
    let changed = Run::of(&mut list(folder.path(), &plugins)).unwrap();
    assert_eq!(changed.code, Some(3));
    assert!(changed.stderr.contains("expected the trusted SHA-256 "), "{}", changed.stderr);
    assert!(changed.stderr.contains("the file has changed"), "{}", changed.stderr);
}

#[test]
fn a_plugin_that_is_not_the_locked_one_runs_nothing_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let mut command = command(folder.path());
    command.args(["--model", "faulty"]);
    let file = folder.path().join("plugins/libfaulty_model.so");
    let locked = sha256(&file);
    replace(&file);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    let expected = format!("expected the locked SHA-256 {locked}, found {}", sha256(&file));
    assert!(run.stderr.contains(&expected), "{}", run.stderr);
    assert!(
        run.stderr.contains("if you trust the new file, run `mteb-host plugins lock --plugin-dir /"),
        "{}",
        run.stderr
    );
    assert!(!folder.path().join("results").exists());
}

#[test]
fn a_plugin_that_is_replaced_during_a_run_is_not_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_that_waits(folder.path());
    let file = folder.path().join("plugins/libfaulty_model.so");
    let begun = sha256(&file);
    replace(&file);
    plugin_workers(run.id()).into_iter().for_each(|worker| signal(worker, "-KILL"));
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let expected = format!("expected the SHA-256 {begun}, found {}", sha256(&file));
    assert!(said.contains(&expected), "{said}");
    assert!(said.contains("the file has changed in the meantime; run again"), "{said}");
}

#[test]
fn a_plugin_that_is_replaced_while_it_is_loaded_runs_as_it_was_checked() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let plugins = folder.path().join("plugins");
    let file = faulty_plugin("changing_model", &plugins).unwrap();
    mteb_host_tests::trust(folder.path(), &plugins).unwrap();
    assert_eq!(Run::of(&mut list(folder.path(), &plugins)).unwrap().code, Some(0), "all is known of it");
    let mut run = command(folder.path());
    run.args(["--model", "changing"]).env("MTEB_PLUGIN_LOAD", "2000");
    let run = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !children(run.id()).into_iter().any(|worker| has_mapped(worker, "memfd:libchanging_model.so")) {
        std::thread::sleep(Duration::from_millis(5));
    }
    replace(&file);
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

/// Puts another library of the same use in the place of `file`, as a build does.
fn replace(file: &Path) {
    let new = file.with_extension("new");
    let mut bytes = fs::read(file).unwrap();
    bytes.push(0);
    fs::write(&new, bytes).unwrap();
    fs::rename(new, file).unwrap();
}

fn has_mapped(process: u32, file: &str) -> bool {
    fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default().contains(file)
}

fn sha256(file: &Path) -> String {
    let run = Run::of(Command::new("sha256sum").arg(file)).unwrap();
    run.stdout.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn a_lock_that_comes_with_a_folder_makes_nobody_trust_it() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    mteb_host_tests::trust(folder.path(), &plugins).unwrap();
    fs::remove_file(folder.path().join("data/plugins.lock")).unwrap();
    assert!(plugins.join("plugins.lock").exists());
    assert_eq!(Run::of(&mut list(folder.path(), &plugins)).unwrap().code, Some(3));
}

#[test]
fn a_damaged_list_of_trusted_plugins_trusts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    fs::create_dir_all(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("data/plugins.lock"), "schema = ").unwrap();
    let run = Run::of(&mut list(folder.path(), &plugins)).unwrap();
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("expected the list of trusted plugins in "), "{}", run.stderr);
}

#[test]
fn a_list_of_trusted_plugins_in_the_current_folder_trusts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    mteb_host_tests::trust(folder.path(), &plugins).unwrap();
    assert_eq!(Run::of(&mut list(folder.path(), &plugins)).unwrap().code, Some(0));
    let run = Run::of(list(folder.path(), &plugins).env("MTEB_HOST_DATA", "data")).unwrap();
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("MTEB_HOST_DATA to an absolute folder"), "{}", run.stderr);
}

#[test]
fn an_installed_plugin_that_everybody_may_write_needs_trust() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("bin/mteb-host");
    let file = faulty_plugin("faulty_model", &folder.path().join("bin/plugins")).unwrap();
    fs::copy(host_binary(), &program).unwrap();
    for (mode, is_listed) in [(0o644, true), (0o666, false)] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let mut command = Command::new(&program);
        command.env("MTEB_HOST_DATA", folder.path().join("data")).env("MTEB_HOST_CACHE", folder.path());
        let run = Run::of(command.args(["plugins", "list"])).unwrap();
        assert_eq!(run.stdout.contains("faulty 1.0.0"), is_listed, "{mode:o}: {}", run.stderr);
        assert_eq!(run.stderr.contains("--trust-plugin"), !is_listed, "{mode:o}: {}", run.stderr);
    }
}

#[test]
fn nothing_is_loaded_from_the_current_folder() {
    let folder = tempfile::tempdir().unwrap();
    faulty_plugin("faulty_model", folder.path()).unwrap();
    faulty_plugin("faulty_model", &folder.path().join("plugins")).unwrap();
    for plugins in ["", ".", "plugins", ":./plugins"] {
        let run =
            Run::of(host(folder.path()).args(["plugins", "list"]).env("MTEB_HOST_PLUGINS", plugins)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(!run.stdout.contains("faulty"), "{}", run.stdout);
    }
}

#[test]
fn data_outside_of_the_folder_of_the_registry_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let registry = folder.path().join("registry");
    fs::create_dir_all(registry.join("cards")).unwrap();
    let rows = "sentence1,sentence2,score\na,b,1\nc d,e,2\nf,g h,3\n";
    for file in [folder.path().join("outside.csv"), registry.join("inside.csv")] {
        fs::write(file, rows).unwrap();
    }
    std::os::unix::fs::symlink(folder.path().join("outside.csv"), registry.join("link.csv")).unwrap();
    let absolute = folder.path().join("outside.csv").display().to_string();
    for (path, code) in [
        ("inside.csv", 0),
        ("../outside.csv", 1),
        ("link.csv", 1),
        // A fault of the card.
        (absolute.as_str(), 2),
        ("/etc/passwd", 2),
    ] {
        let card = format!(
            "schema = 1\nname = \"Path\"\ntype = \"STS\"\ndescription = \"For tests.\"\nlanguages = [\"ind-Latn\"]\n\
             [dataset]\npath = \"{path}\"\n"
        );
        fs::write(registry.join("path.toml"), card).unwrap();
        let mut command = host(folder.path());
        command.args(["run", "--registry", "registry/path.toml", "--overwrite", "always", "--json"]);
        let run = Run::of(&mut command).unwrap();
        assert_eq!(run.code, Some(code), "{path}: {}", run.stderr);
        if code == 1 {
            assert!(run.stderr.contains("expected data below the folder of the registry"), "{}", run.stderr);
        }
    }
}

#[test]
fn a_name_cannot_lead_out_of_the_folder_of_results() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), "sentence1,sentence2,score\na,b,1\nc d,e,2\n").unwrap();
    let card = "schema = 1\nname = \"../../../../out\"\ntype = \"STS\"\ndescription = \"For tests.\"\n\
                languages = [\"ind-Latn\"]\n[dataset]\npath = \"d.csv\"\n";
    fs::write(folder.path().join("t.toml"), card).unwrap();
    let run = Run::of(host(folder.path()).args(["run", "--registry", "t.toml", "--json"])).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

#[test]
fn an_escape_sequence_in_data_is_shown_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let label = "\u{1b}[2Jbad\u{7}";
    fs::write(
        folder.path().join("d.jsonl"),
        format!("{{\"sentence1\": {0}, \"sentence2\": \"b\", \"score\": {0}}}\n", serde_json::json!(label)),
    )
    .unwrap();
    let card = "schema = 1\nname = \"Escape\"\ntype = \"STS\"\ndescription = \"For \\u001b[31mtests.\"\n\
                languages = [\"ind-Latn\"]\n[dataset]\npath = \"d.jsonl\"\n";
    fs::write(folder.path().join("t.toml"), card).unwrap();
    for arguments in [&["run"][..], &["show", "task", "Escape"], &["stats", "Escape"], &["list", "tasks"]] {
        let run = Run::of(host(folder.path()).args(arguments).args(["--registry", "t.toml"])).unwrap();
        let is_control = |character: char| character.is_control() && character != '\n';
        let said = run.stdout + &run.stderr;
        assert!(!said.contains(is_control), "{arguments:?}: {said:?}");
        assert!(!said.is_empty());
    }
}

fn list(home: &Path, plugins: &Path) -> Command {
    let mut command = host(home);
    command.args(["plugins", "list", "--plugin-dir"]).arg(plugins);
    command
}

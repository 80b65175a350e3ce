//! Plugins and models of one name: which of them runs is said.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust, write_pair_card, write_pairs};

/// A task, and the plugin `changing` in a folder of its own.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "MySTS", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)])
        .unwrap();
    faulty_plugin("changing_model", &folder.path().join("plugins")).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    command.env("MTEB_PLUGIN_ALSO", "hashing");
    Run::of(command.args(arguments).args(["--plugin-dir", "plugins"])).unwrap()
}

#[test]
fn of_two_plugins_of_one_name_the_one_that_is_left_out_is_named() {
    let folder = folder();
    let first = folder.path().join("plugins/libchanging_model.so");
    let mut bytes = fs::read(&first).unwrap();
    fs::copy(&first, folder.path().join("plugins/liba_copy.so")).unwrap();
    bytes.extend(b"built anew");
    fs::write(folder.path().join("plugins/libother.so"), bytes).unwrap();
    trust(folder.path(), &folder.path().join("plugins")).unwrap();
    let task = ["run", "--quiet", "--registry", "task.toml", "--model", "changing"];
    for arguments in [&task[..], &["plugins", "list"], &["list", "tasks", "--registry", "task.toml"]] {
        let run = run(folder.path(), arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let lines: Vec<&str> = run.stderr.lines().collect();
        let [line] = lines.as_slice() else { panic!("a copy that is the same needs no word: {lines:?}") };
        assert!(line.contains("plugins/libother.so: left out because the plugin changing of "), "{line}");
        assert!(line.ends_with("plugins/liba_copy.so takes precedence"), "{line}");
    }
}

#[test]
fn a_plugin_that_takes_the_name_of_another_ones_model_is_named() {
    let folder = folder();
    trust(folder.path(), &folder.path().join("plugins")).unwrap();
    let run_it = run(folder.path(), &["run", "--quiet", "--registry", "task.toml"]);
    assert_eq!(run_it.code, Some(0), "{}", run_it.stderr);
    let expected = "warning: model hashing: that of the plugin changing runs (";
    assert!(run_it.stderr.starts_with(expected), "{}", run_it.stderr);
    assert!(run_it.stderr.contains("which takes precedence over hashing-encoder ("), "{}", run_it.stderr);
    let listed = run(folder.path(), &["list", "models", "--json"]).json().unwrap();
    let listed = listed.as_array().unwrap().iter().filter(|model| model["name"] == "hashing");
    let plugins: Vec<&str> = listed.map(|model| model["plugin"].as_str().unwrap()).collect();
    assert_eq!(plugins, ["changing"], "the model that runs");
}

#[test]
fn a_plugin_of_the_host_that_lies_elsewhere_is_another_plugin_and_no_other_name() {
    let folder = folder();
    let own = folder.path().join("own");
    faulty_plugin("hashing_encoder", &own).unwrap();
    trust(folder.path(), &own).unwrap();
    let task = ["run", "--quiet", "--registry", "task.toml"];
    assert_eq!(Run::of(host(folder.path()).args(task)).unwrap().code, Some(0));
    let moved = Run::of(host(folder.path()).args(task).args(["--plugin-dir", "own"])).unwrap();
    assert!(moved.stderr.ends_with("scored again: model changed: plugin\n"), "{}", moved.stderr);
}

#[test]
fn a_folder_of_plugins_that_is_not_there_is_no_refused_plugin() {
    let folder = folder();
    let list = ["plugins", "list", "--plugin-dir", "plugin"];
    for arguments in [&list[..], &["run", "--quiet", "--registry", "task.toml", "--plugin-dir", "plugin"]] {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        let said = "error: `--plugin-dir`: expected a folder with plugins, found no such folder: plugin (near it: plugins)\n";
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), said), "{arguments:?}");
    }
}

#[test]
fn to_lock_a_folder_that_is_not_there_says_how_to_name_one() {
    let folder = folder();
    let lock = Run::of(host(folder.path()).args(["plugins", "lock"])).unwrap();
    let expected =
        "cannot lock: expected a folder with plugins, found none; name one with `--plugin-dir DIR`\n";
    assert_eq!(lock.code, Some(1));
    assert!(lock.stderr.ends_with(expected), "{}", lock.stderr);
}

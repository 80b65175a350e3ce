//! Plugins that are sound, and plugins that are not: each refusal is one line. One was built before the types
//! of plugins had a crate of their own, and still loads.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, faulty_plugin, host, plugin_folder, root, trust};
use mteb_plugin_api::v1::{Library, code};

#[test]
fn the_plugins_of_the_project_conform() {
    let templates = ["template_model", "template_task"].map(|name| format!("lib{name}.so"));
    let bundled = ["hashing_encoder", "random_encoder", "indonesian_pack"];
    for name in bundled.map(|name| format!("examples/lib{name}.so")).into_iter().chain(templates) {
        let folder = tempfile::tempdir().unwrap();
        let file = plugin_folder().join(&name);
        let run = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&file)).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{name}");
        assert!(run.stdout.ends_with("conforms to plugin interface 1\n"), "{}", run.stdout);
    }
}

#[test]
fn scores_and_methods_of_a_tasks_own_cross_the_interface() {
    let folder = tempfile::tempdir().unwrap();
    let pack = Library::open(&faulty_plugin("faulty_pack", folder.path()).unwrap()).unwrap();
    let task = pack.new_task("SoundTask").unwrap();
    assert_eq!(task.score("[1, 2]").unwrap(), "{\"columns\": [1, 2]}");
    assert_eq!(task.call("echo", "{\"a\": \"é\"}").unwrap(), "{\"a\": \"é\"}");
    assert_eq!(task.call("sing", "{}").unwrap_err().code, code::UNSUPPORTED);
    let panics = pack.new_task("PanickingTask").unwrap().score("[]").unwrap_err();
    assert!(panics.message.contains("no score today"), "{}", panics.message);
    let silent = Library::open(&faulty_plugin("two_editions", folder.path()).unwrap()).unwrap();
    let name = silent.manifest().tasks[0].clone();
    let task = silent.new_task(&name).unwrap();
    let codes = [task.score("[]"), task.call("echo", "{}")].map(|answer| answer.unwrap_err().code);
    assert_eq!(codes, [code::UNSUPPORTED; 2], "a task that has neither says so");
}

#[test]
fn a_plugin_of_another_version_is_refused_in_one_line() {
    insta::assert_snapshot!(refusal("other_version"), @r"
    code 3
    error: DIR/libother_version.so: expected plugin interface 1.0.0 (any 1.x), found 2.0.0; rebuild the plugin with mteb-plugin-api 1
    ");
}

#[test]
fn a_library_that_is_no_plugin_is_refused_in_one_line() {
    insta::assert_snapshot!(refusal("no_plugin"), @r"
    code 3
    error: DIR/libno_plugin.so: expected a plugin, found a file that exports none, or that is cut off; end its crate with `export_model!` or `export_task_pack!`, or copy it again
    ");
}

#[test]
fn a_file_that_is_no_library_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("libtext.so");
    fs::write(&file, "not a library").unwrap();
    let run = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&file)).unwrap();
    assert_eq!(run.code, Some(3));
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("libtext.so: expected a plugin, found a file that exports none"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_refused_file_in_a_named_folder_costs_the_exit_code_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("other_version", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--task", "IndonesianGeneralSTS", "--json"]).arg("--plugin-dir").arg(&plugins);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.starts_with("error: plugin refused: "), "{}", run.stderr);
    assert!(run.json().unwrap()["mean_task"].is_number());
}

#[test]
fn a_lock_takes_in_plugins_alone() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("data/plugins");
    for name in ["faulty_model", "no_plugin"] {
        faulty_plugin(name, &plugins).unwrap();
    }
    fs::write(plugins.join("libtext.so"), "not a library").unwrap();
    let run = Run::of(host(folder.path()).args(["plugins", "lock"])).unwrap();
    assert_eq!(run.code, Some(3), "without a folder, that of the user is locked: {}", run.stderr);
    assert!(run.stdout.contains("1 plugin locked"), "{}", run.stdout);
    for name in ["libno_plugin.so", "libtext.so"] {
        let line = format!("{name}: expected a plugin, found a file that exports none");
        assert!(run.stderr.contains(&line), "{}", run.stderr);
        let lock = fs::read_to_string(folder.path().join("data/plugins.lock")).unwrap();
        assert!(!lock.contains(name), "{lock}");
    }
}

#[test]
fn a_missing_file_is_named_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::of(host(folder.path()).args(["plugins", "check", "absent.so"])).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), "error: absent.so: expected a file, found none\n"));
}

#[test]
fn a_locked_folder_refuses_a_changed_plugin() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    let file = faulty_plugin("faulty_model", &plugins).unwrap();
    let list = |folder: &Path| {
        Run::of(host(folder).args(["plugins", "list"]).arg("--plugin-dir").arg(&plugins)).unwrap()
    };
    let lock =
        Run::of(host(folder.path()).args(["plugins", "lock"]).arg("--plugin-dir").arg(&plugins)).unwrap();
    assert_eq!(lock.code, Some(0), "{}", lock.stderr);
    assert_eq!(list(folder.path()).code, Some(0));

    let mut bytes = fs::read(&file).unwrap();
    bytes.push(0);
    fs::write(&file, bytes).unwrap();
    let changed = list(folder.path());
    assert_eq!(changed.code, Some(3));
    assert!(changed.stderr.contains("expected the locked SHA-256"), "{}", changed.stderr);
}

/// Exit code and message of `plugins check`, the folder's name replaced.
fn refusal(name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = faulty_plugin(name, folder.path()).unwrap();
    let run = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&file)).unwrap();
    let message = run.stderr.replace(&folder.path().display().to_string(), "DIR");
    format!("code {}\n{message}", run.code.unwrap())
}

#[test]
fn a_pack_that_does_not_conform_fails_its_check() {
    let folder = tempfile::tempdir().unwrap();
    let file = faulty_plugin("faulty_pack", &folder.path().join("plugins")).unwrap();
    let run = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&file)).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
}

const LIBRARY: &str = "libtemplate_model.so";
const TASK: &str = "IndonesianGeneralSTS";

/// The library, unpacked into a folder in which it is trusted.
fn unpack_library(folder: &Path) -> PathBuf {
    let plugins = folder.join("old");
    fs::create_dir(&plugins).unwrap();
    let packed = fs::File::open(root().join("tests/abi/old").join(format!("{LIBRARY}.zst"))).unwrap();
    fs::write(plugins.join(LIBRARY), zstd::stream::decode_all(packed).unwrap()).unwrap();
    trust(folder, &plugins).unwrap();
    plugins
}

fn score(folder: &Path, plugins: &Path) -> f64 {
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia", "--task", TASK, "--model", "letter-counts", "--json"]);
    let run = Run::of(command.arg("--plugin-dir").arg(plugins)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.json().unwrap()["mean_task"].as_f64().unwrap()
}

#[test]
fn a_plugin_of_an_earlier_build_loads_conforms_and_scores_as_it_did() {
    let folder = tempfile::tempdir().unwrap();
    let old = unpack_library(folder.path());
    let check = Run::of(host(folder.path()).args(["plugins", "check"]).arg(old.join(LIBRARY))).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""), "{}", check.stdout);
    let found = score(folder.path(), &old);
    let today = tempfile::tempdir().unwrap();
    fs::copy(plugin_folder().join(LIBRARY), today.path().join(LIBRARY)).unwrap();
    trust(today.path(), today.path()).unwrap();
    assert_eq!(found, score(today.path(), today.path()));
}

//! A plugin that was built before the types of plugins had a crate of their own: the library of `plugins/template-model`, of November
//! 2026, for x86-64. Whatever the interface becomes, it loads, conforms, and scores as the one of today.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host, plugin_folder, root, trust};

const LIBRARY: &str = "libtemplate_model.so";
const TASK: &str = "IndonesianGeneralSTS";

/// The library, unpacked into a folder in which it is trusted.
fn unpacked(folder: &Path) -> PathBuf {
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
    let old = unpacked(folder.path());
    let check = Run::of(host(folder.path()).args(["plugins", "check"]).arg(old.join(LIBRARY))).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""), "{}", check.stdout);
    let found = score(folder.path(), &old);
    let today = tempfile::tempdir().unwrap();
    fs::copy(plugin_folder().join(LIBRARY), today.path().join(LIBRARY)).unwrap();
    trust(today.path(), today.path()).unwrap();
    assert_eq!(found, score(today.path(), today.path()));
}

//! Faults of a task pack.

use std::fs;

use mteb_host_tests::{Run, faulty_plugin, host, trust};

#[test]
fn a_pack_with_a_bad_task_still_gives_its_sound_one() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_pack", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    fs::write(folder.path().join("r.toml"), "schema = 1\nname = \"r\"\npacks = [\"faulty-pack\"]\n").unwrap();
    let mut command = host(folder.path());
    command.args(["run", "--registry", "r.toml", "--json", "--plugin-dir"]).arg(&plugins);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let report = run.json().unwrap();
    let outcome = |task: &str| {
        let tasks = report["tasks"].as_array().unwrap();
        tasks.iter().find(|found| found["task"] == task).unwrap()["units"][0].clone()
    };
    assert_eq!(outcome("SoundTask")["state"], "scored");
    let reason = |task: &str| outcome(task)["reason"].as_str().unwrap().to_owned();
    let torn = reason("TornTask");
    assert!(torn.contains("line 2"), "{torn}");
    let narrow = reason("NarrowTask");
    assert!(narrow.contains("`sentence2`"), "{narrow}");
    let dying = reason("DyingTask");
    assert!(dying.contains("was killed by signal 6 (abort)"), "{dying}");
    let damaged = outcome("DamagedTask")["reason"].as_str().unwrap().to_owned();
    assert!(
        damaged.ends_with("line 2, column `score`: expected a number, found a string: \"lima\""),
        "{damaged}"
    );
    let panicking = outcome("PanickingTask")["reason"].as_str().unwrap().to_owned();
    assert!(panicking.contains("no rows today"), "{panicking}");
}

//! Faults of data, of result files and of task packs.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use mteb_host_tests::{Run, faulty_plugin, host, trust};

use super::trigger::{run, states, units, write_task};

#[test]
fn a_bad_row_is_named_with_file_row_and_column() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let rows = "{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1}\n{\"sentence1\": 5, \"sentence2\": \"b\", \"score\": 2}\n";
    fs::write(folder.path().join("data/jav/test.jsonl"), rows).unwrap();
    let run = run(folder.path());
    assert_eq!(run.code, Some(1));
    let units = units(&run);
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert!(
        reason.ends_with(
            "data/jav/test.jsonl, line 2, column `sentence1`: expected a string, found a number: 5"
        ),
        "{reason}"
    );
}

#[test]
fn a_small_file_that_unpacks_to_more_than_the_memory_holds_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let mut member = GzEncoder::new(Vec::new(), Compression::best());
    member.write_all(format!("{}\n", " ".repeat(1 << 20)).as_bytes()).unwrap();
    let member = member.finish().unwrap();
    let subset = folder.path().join("data/jav");
    fs::remove_file(subset.join("test.jsonl")).unwrap();
    fs::write(subset.join("test.jsonl.gz"), member.repeat(1100)).unwrap();
    let run = run(folder.path());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let units = units(&run);
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert!(reason.contains("test.jsonl.gz"), "{reason}");
    assert!(reason.contains("expected at most 1073741824 bytes of unpacked data, found more"), "{reason}");
}

#[test]
fn a_damaged_result_file_is_never_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let file = folder.path().join("results/tests__faulty/1/Trigger.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{ \"scores\": ").unwrap();
    let refused = run(folder.path());
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("run with `--overwrite always`"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), "{ \"scores\": ");
}

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

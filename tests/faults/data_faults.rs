//! Faults of data and of result files.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

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

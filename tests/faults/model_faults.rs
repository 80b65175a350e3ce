//! Faults of a model plugin.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use mteb_host_tests::{Run, host, write_pairs};
use serde_json::Value;

use super::machine::{
    children, command, processes, run, run_that_waits, run_with, run_with_trigger, states, units, write_task,
};

#[test]
fn a_panic_fails_its_unit_and_is_named_with_its_place() {
    let (run, units) = run_with_trigger("PANIC");
    assert_eq!(run.code, Some(1));
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert!(reason.contains("the plugin panicked at tests/plugins/faulty_model.rs:"), "{reason}");
    assert!(reason.ends_with("this text is not for me"), "{reason}");
}

#[test]
fn a_segmentation_fault_fails_its_unit_alone() {
    let (run, units) = run_with_trigger("SEGFAULT");
    assert_eq!(run.code, Some(1));
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert!(reason.contains("was killed by signal 11 (segmentation fault)"), "{reason}");
}

#[test]
fn a_value_that_is_not_finite_fails_its_unit() {
    let (run, units) = run_with_trigger("NAN");
    assert_eq!(run.code, Some(1));
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    let reason = units[1]["reason"].as_str().unwrap();
    assert_eq!(
        reason,
        "model tests/faulty: expected finite numbers, found NaN in the embedding of the text: \"NAN\"; \
         the model or its dtype is broken for this text"
    );
}

#[test]
fn a_plugin_that_ends_its_process_fails_its_unit() {
    let (run, units) = run_with_trigger("EXIT");
    assert_eq!(run.code, Some(1));
    assert_eq!(states(&units), ["scored", "failed", "scored"]);
    assert!(units[1]["reason"].as_str().unwrap().contains("ended with exit code 7"));
}

/// Each text is a batch, so that the thread that the first one leaves writes while many others are answered.
#[test]
fn numbers_that_a_thread_writes_after_the_answer_fail_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "LATE");
    let rows = (0..50).map(|number| (format!("LATE {number}"), "b c", f64::from(number)));
    write_pairs(folder.path(), "jav", rows.collect::<Vec<_>>()).unwrap();
    let run = run_with(folder.path(), &["--batch-tokens", "1"]);
    let reason = only_the_second_failed(&run);
    assert!(reason.contains("wrote other numbers after its answer, and was ended"), "{reason}");
}

#[test]
fn an_error_of_the_plugin_is_passed_on() {
    let (run, units) = run_with_trigger("ERROR");
    assert_eq!(run.code, Some(1));
    assert!(units[1]["reason"].as_str().unwrap().ends_with("this text cannot be encoded"));
}

#[test]
fn what_a_plugin_prints_does_not_reach_standard_output() {
    let (run, units) = run_with_trigger("PRINT");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(states(&units), ["scored", "scored", "scored"]);
}

#[test]
fn a_failed_unit_is_scored_by_the_next_run_and_the_others_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "ERROR");
    assert_eq!(run(folder.path()).code, Some(1));
    write_task(folder.path(), "mended");
    let again = run(folder.path());
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(states(&units(&again)), ["found", "scored", "found"]);
}

#[test]
fn an_endless_loop_is_ended_twice_and_fails_its_unit() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "HANG");
    let run = run_with(folder.path(), &["--batch-timeout", "1"]);
    let reason = only_the_second_failed(&run);
    assert!(reason.contains("the worker process gave no answer for 1 s, and was ended"), "{reason}");
    assert!(reason.contains("`--batch-timeout`"), "{reason}");
    assert_eq!(processes(folder.path()), 0);
}

#[test]
fn an_abort_is_named_with_its_signal() {
    let (run, _) = run_with_trigger("ABORT");
    let reason = only_the_second_failed(&run);
    assert!(reason.contains("was killed by signal 6 (abort)"), "{reason}");
    assert!(reason.contains("the last words of this plugin"), "{reason}");
}

#[test]
fn a_worker_that_the_system_kills_fails_its_unit() {
    let (run, _) = run_with_trigger("KILL");
    let reason = only_the_second_failed(&run);
    assert!(
        reason.contains("was killed by signal 9 (kill; the system does this when memory runs out)"),
        "{reason}"
    );
}

#[test]
fn a_plugin_that_takes_memory_without_end_is_refused_more_and_fails_its_unit() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "DEVOUR");
    let run = run_with(folder.path(), &["--worker-memory", "256M"]);
    let reason = only_the_second_failed(&run);
    let cause = "ran out of memory and was killed by signal 6 (abort); `--worker-memory` leaves it 256.0 MB";
    assert!(reason.contains(cause), "{reason}");
    assert!(reason.contains("it printed last: "), "{reason}");
    assert_eq!(processes(folder.path()), 0);
}

#[test]
fn a_limit_below_which_no_plugin_loads_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let run = run_with(folder.path(), &["--worker-memory", "1M"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("expected at least 64.0 MB"), "{}", run.stderr);
}

#[test]
fn where_memory_runs_out_the_system_kills_the_worker_before_the_host() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = run_that_waits(folder.path());
    let first_to_go =
        |process| fs::read_to_string(format!("/proc/{process}/oom_score_adj")).unwrap_or_default();
    let workers = children(run.id());
    let scores: Vec<String> = workers.into_iter().map(first_to_go).collect();
    assert!(scores.iter().any(|score| score.trim() == "1000"), "{scores:?}");
    assert_ne!(first_to_go(run.id()).trim(), "1000");
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(processes(folder.path()), 0);
}

#[test]
fn a_plugin_out_of_memory_gets_smaller_batches_until_it_works() {
    let (run, units) = run_with_trigger("GREEDY");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(states(&units), ["scored", "scored", "scored"]);
}

#[test]
fn a_plugin_that_closes_its_pipes_fails_its_unit() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "CLOSE");
    let run = run(folder.path());
    let reason = only_the_second_failed(&run);
    assert!(reason.contains("the worker process closed its pipes, and was ended"), "{reason}");
    assert_eq!(processes(folder.path()), 0);
}

#[test]
fn a_process_that_a_plugin_leaves_behind_ends_with_its_worker() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "CHILD");
    let begin = Instant::now();
    only_the_second_failed(&run(folder.path()));
    assert!(begin.elapsed() < Duration::from_secs(300), "the host waited for the process");
    assert_eq!(processes(folder.path()), 0);
}

#[test]
fn a_plugin_that_prints_without_end_costs_no_memory_and_no_output() {
    let (run, units) = run_with_trigger("PRINT MUCH");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(states(&units), ["scored", "scored", "scored"]);
}

#[test]
fn a_plugin_can_write_to_its_temporary_folder_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "WRITE");
    let run = run(folder.path());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // Kernels without Landlock let it write.
    let doctor = Run::of(host(folder.path()).args(["doctor", "--offline"])).unwrap();
    if doctor
        .stdout
        .contains("plugins can write only to their temporary folder, compute devices and /proc/self")
    {
        assert!(!folder.path().join("written-by-a-plugin").exists());
    }
    assert_eq!(fs::read_dir(folder.path().join("cache/workers")).unwrap().count(), 0);
}

#[test]
fn a_process_that_a_plugin_makes_of_its_own_worker_does_not_answer_for_it() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "FORK");
    let forked = run(folder.path());
    assert_eq!(forked.code, Some(0), "{}", forked.stderr);
    write_task(folder.path(), "KROF");
    let plain = run_with(folder.path(), &["--overwrite", "always"]);
    let scores = |run: &Run| units(run).iter().map(|unit| unit["main_score"].clone()).collect::<Vec<_>>();
    // The same letters make the same rows.
    assert_eq!(scores(&forked), scores(&plain));
    assert!(scores(&forked).iter().all(serde_json::Value::is_number), "{:?}", scores(&forked));
}

#[test]
fn a_model_that_dies_while_it_is_made_ends_the_run_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let run = Run::of(command(folder.path()).args(["--model", "faulty-at-load"])).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("model faulty-at-load: "), "{}", run.stderr);
    assert!(run.stderr.contains("was killed by signal 6 (abort)"), "{}", run.stderr);
}

#[test]
fn a_model_without_a_dimension_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let run = Run::of(command(folder.path()).args(["--model", "faulty-without-dimension"])).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("expected a dimension from 1 to 1048576, found: 0"), "{}", run.stderr);
}

#[test]
fn files_that_a_plugin_does_not_know_may_be_run_by_their_own_library() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    let model = folder.path().join("faulty-files/own");
    fs::create_dir_all(&model).unwrap();
    let run = |config: &str| {
        fs::write(model.join("config.json"), config).unwrap();
        Run::of(command(folder.path()).args(["--model", "faulty-files/own"])).unwrap().stderr
    };
    let hint = "found: own; in your Python, sentence-transformers may run it: `--model st:faulty-files/own";
    let said = run(r#"{"model_type": "own"}"#);
    assert!(said.contains(&format!("{hint}`")), "{said}");
    let said = run(r#"{"model_type": "own", "auto_map": {"AutoModel": "modeling.Own"}}"#);
    assert!(said.contains(&format!("{hint} --trust-remote-code`, if you trust its code")), "{said}");
}

#[test]
fn a_worker_that_dies_at_its_ten_thousandth_text_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "fine");
    write_many(folder.path(), 12_000);
    let run = Run::of(command(folder.path()).args(["--model", "faulty-at-10000"])).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(states(&units(&run)), ["scored", "scored", "scored"]);
}

fn write_many(folder: &Path, texts: usize) {
    let row = |number: usize| (format!("text {number}"), format!("other {number}"), (number % 7) as f64);
    write_pairs(folder, "jav", (0..texts / 2).map(row)).unwrap();
}

/// The reason of the one failure.
fn only_the_second_failed(run: &Run) -> String {
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let units: Vec<Value> = units(run);
    assert_eq!(states(&units), ["scored", "failed", "scored"], "{units:?}");
    let reason = units[1]["reason"].as_str().unwrap().to_owned();
    assert!(run.stderr.contains(&reason), "{}", run.stderr);
    reason
}

#[test]
fn texts_of_a_unit_that_fails_were_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path(), "SEGFAULT");
    let texts = |run: &Run| run.json().unwrap()["texts"].clone();
    let count = |texts: &Value, key: &str| texts[key].as_u64().unwrap_or(0);
    let first = texts(&run(folder.path()));
    // Two units of six texts, and the first three of the one that fails.
    assert_eq!(count(&first, "asked"), 2 * 6 + 3, "{first}");
    let again = texts(&run(folder.path()));
    assert!(count(&again, "from_cache") > 0, "{again}");
    assert!(count(&again, "asked") >= count(&again, "encoded") + count(&again, "from_cache"), "{again}");
}

//! Kills at random moments: a few in every test run, as many as `cargo xtask soak` says otherwise.

use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use mteb_host_tests::Run;

use super::machine::{finishes, list_undisturbed, plugin_workers, results, signal, slow, write_slow_task};

/// Kills in a usual test run.
const FEW: usize = 6;

#[test]
fn soak_kill_the_host_at_random_moments() {
    kill_often("kill -9 of the host at a random moment", |run| {
        signal(run.id(), "-KILL");
    });
}

#[test]
fn soak_kill_the_worker_at_random_moments() {
    kill_often("kill -9 of the worker at a random moment", |run| {
        plugin_workers(run.id()).into_iter().for_each(|worker| signal(worker, "-KILL"));
    });
}

#[test]
fn soak_interrupt_at_random_moments() {
    kill_often("Ctrl-C at a random moment", |run| signal(run.id(), "-INT"));
}

#[test]
fn soak_two_runs_at_once() {
    let expected = list_undisturbed();
    for _ in 0..tries() {
        let folder = tempfile::tempdir().unwrap();
        write_slow_task(folder.path());
        let runs: Vec<Child> = (0..2).map(|_| slow(folder.path()).spawn().unwrap()).collect();
        for run in runs {
            assert!(run.wait_with_output().unwrap().status.success());
        }
        assert_eq!(results(&folder.path().join("results")), expected);
    }
    report("two runs with one output folder and one cache", tries());
}

/// Disturbs a run again and again until it gets through; then lets a last one finish.
fn kill_often(fault: &str, disturb: impl Fn(&Child)) {
    let expected = list_undisturbed();
    let whole = time_of_a_run();
    let mut random = 0x9e37_79b9_u64;
    let mut done = 0;
    while done < tries() {
        let folder = tempfile::tempdir().unwrap();
        write_slow_task(folder.path());
        // At most four a folder, so that runs are killed at the begin, in the middle and at the end.
        for _ in 0..4 {
            let mut run = slow(folder.path()).spawn().unwrap();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            std::thread::sleep(whole.mul_f64((random >> 40) as f64 / (1_u64 << 24) as f64));
            if run.try_wait().unwrap().is_none() {
                disturb(&run);
                done += 1;
            }
            run.wait_with_output().unwrap();
        }
        finishes(folder.path(), &expected);
    }
    report(fault, done);
}

fn time_of_a_run() -> Duration {
    let folder = tempfile::tempdir().unwrap();
    write_slow_task(folder.path());
    let first = prepare_folder(folder.path());
    let begin = Instant::now();
    let run = Run::of(&mut slow(folder.path())).unwrap();
    assert_eq!((first, run.code), (Some(0), Some(0)), "{}", run.stderr);
    begin.elapsed()
}

/// The first run also installs the plugin; its results are removed.
fn prepare_folder(folder: &Path) -> Option<i32> {
    let run = Run::of(&mut slow(folder)).unwrap();
    std::fs::remove_dir_all(folder.join("results")).unwrap();
    run.code
}

fn tries() -> usize {
    std::env::var("MTEB_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(FEW)
}

/// A line of the table in docs/reliability.md; a loss has failed the test before.
fn report(fault: &str, tries: usize) {
    println!("soak | {fault} | {tries} | nothing |");
}

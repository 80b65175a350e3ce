//! What the system or the user limits: threads, the size of files, time; and Ctrl-C at moments when no unit is scored yet.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{
    Run, faulty_plugin, host, host_binary, interruptible, root, trust, write_pair_card, write_pairs,
};
use tempfile::TempDir;

/// A folder with a task of one unit.
fn task() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Small", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("a b", "b c", 2.0), ("b c", "b c", 4.0)]).unwrap();
    folder
}

/// `mteb-host run` of the task in `folder`, in a shell that sets a limit first.
fn run_limited(folder: &Path, limit: &str) -> Run {
    let usual = host(folder);
    let mut shell = Command::new("sh");
    let script = format!("{limit}; exec '{}' run --quiet --registry task.toml", host_binary().display());
    shell.args(["-c", &script]).current_dir(folder);
    shell.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Run::of(&mut shell).unwrap()
}

#[test]
fn a_stack_that_somebody_wants_to_be_tiny_is_none() {
    let folder = task();
    let run = run_limited(folder.path(), "export RUST_MIN_STACK=1");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_home_that_is_no_folder_holds_no_plugins() {
    let folder = task();
    let run = run_limited(folder.path(), "unset MTEB_HOST_DATA; export HOME=/dev/null");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn where_no_thread_can_be_started_the_limit_is_named() {
    let folder = task();
    // No machine has memory for such a stack.
    let run = run_limited(folder.path(), "export RUST_MIN_STACK=70368744177664");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    let said = "error: expected to start at least 9 threads, found that the system gives 0 (";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    assert!(run.stderr.contains("raise the limit of processes (`ulimit -u`, "), "{}", run.stderr);
}

#[test]
fn where_few_threads_can_be_started_fewer_compute() {
    let folder = task();
    // Of the 24 stacks of 1 GB that would be asked for, not all fit into 16 GB.
    let limit = "export RUST_MIN_STACK=1073741824 RAYON_NUM_THREADS=16; ulimit -v 16777216";
    let run = run_limited(folder.path(), limit);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_number_of_threads_that_helps_nobody_is_not_taken() {
    let folder = task();
    let scores = |threads: &str| {
        let mut command = host(folder.path());
        command.args(["run", "--registry", "task.toml", "--overwrite", "always", "--json"]);
        Run::of(command.env("RAYON_NUM_THREADS", threads)).unwrap()
    };
    let (usual, many) = (scores("2"), scores("100000"));
    assert_eq!((usual.code, usual.stderr.as_str()), (Some(0), ""));
    assert_eq!(many.code, Some(0), "{}", many.stderr);
    assert_eq!(many.stderr.lines().count(), 1, "{}", many.stderr);
    assert!(many.stderr.starts_with("warning: `RAYON_NUM_THREADS`: expected at most "), "{}", many.stderr);
    assert!(many.stderr.contains("threads on this machine, found: 100000; "), "{}", many.stderr);
    let score = |run: &Run| run.json().unwrap()["tasks"][0]["units"][0]["main_score"].clone();
    assert_eq!(score(&many), score(&usual));
}

#[test]
fn a_limit_of_file_sizes_ends_neither_the_host_nor_a_worker() {
    for limit in ["ulimit -f 0", "ulimit -f 100"] {
        let folder = task();
        let run = run_limited(folder.path(), limit);
        assert_eq!(run.code, Some(1), "{limit}: nothing was refused: {}", run.stderr);
        assert!(run.stderr.contains("File too large"), "{limit}: {}", run.stderr);
        assert!(!run.stderr.contains("signal 25"), "{limit}: {}", run.stderr);
        assert_eq!(run_limited(folder.path(), "true").code, Some(0), "{limit}: the next run scores it");
    }
}

#[test]
fn a_limit_with_which_nothing_can_work_is_named_before_anything_else() {
    let folder = task();
    for (limit, said) in [
        ("ulimit -n 10", "at least 32 open files, found 10; raise it with `ulimit -n`"),
        ("ulimit -s 128", "at least 262144 bytes of stack, found 131072; raise it with `ulimit -s`"),
        ("ulimit -d 16384", "at least 67108864 bytes of data, found 16777216; raise it with `ulimit -d`"),
    ] {
        let run = run_limited(folder.path(), limit);
        let line = format!("error: expected a limit of {said}\n");
        assert_eq!((run.code, run.stderr), (Some(1), line), "{limit}");
    }
}

#[test]
fn no_limit_of_address_space_ends_the_host_by_a_signal() {
    const MB: u64 = 1024;
    let folder = task();
    let run = |kilobytes: u64| {
        let run = run_limited(folder.path(), &format!("ulimit -v {kilobytes}"));
        assert!(matches!(run.code, Some(0 | 1)), "{kilobytes}: {:?}: {}", run.code, run.stderr);
        assert!(run.code == Some(0) || !run.stderr.is_empty(), "{kilobytes}");
        run
    };
    // The program of the tests is larger than the one that people have; no more of it is mapped than its file holds.
    let all = host_binary().metadata().unwrap().len() / 1024 + 512 * MB;
    let least = |run: &Run| {
        let (_, said) = run.stderr.split_once("error: expected a limit of at least ")?;
        said.split_once(" bytes of address space, found ")?.0.parse::<u64>().ok()
    };
    let sizes = (0..).map(|step| all - step * 64 * MB);
    let least = sizes.take_while(|size| *size > 64 * MB).find_map(|size| least(&run(size))).unwrap() / 1024;
    for more in [0, 4, 8, 12, 16, 24, 32, 48] {
        run(least + more * MB);
    }
    assert_eq!(run(least + 256 * MB).code, Some(0));
}

#[test]
fn a_folder_with_thousands_of_libraries_is_not_looked_through() {
    let folder = task();
    let plugins = folder.path().join("many");
    fs::create_dir(&plugins).unwrap();
    for number in 0..3000 {
        fs::write(plugins.join(format!("libmteb_{number}.so")), "x").unwrap();
    }
    let mut command = host(folder.path());
    command.args(["run", "--quiet", "--registry", "task.toml", "--plugin-dir", "many"]);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(3), "the task is scored, the folder refused: {}", run.stderr);
    let said = "error: plugin refused: many: cannot read the plugin folder: expected at most 256 libraries (`NAME.so`) in it, found more, ";
    assert!(run.stderr.starts_with(said) && run.stderr.lines().count() == 1, "{}", run.stderr);
    let lock = Run::of(host(folder.path()).args(["plugins", "lock", "--plugin-dir", "many"])).unwrap();
    assert_eq!(lock.code, Some(1), "{}", lock.stderr);
    assert!(lock.stderr.contains("many: cannot lock: expected at most 256 libraries"), "{}", lock.stderr);
    assert_eq!(fs::read_dir(&plugins).unwrap().count(), 3000, "no lock is written");
}

/// A plugin whose code waits as soon as it is loaded, made by the C compiler that links Rust, in
/// `folder/plugins`, and trusted by its checksum.
fn waiting_plugin(folder: &Path) {
    let plugins = folder.join("plugins");
    fs::create_dir(&plugins).unwrap();
    let source = folder.join("wait.c");
    // The host takes a library for a plugin by what it exports.
    let code = "#include <unistd.h>\nstatic void __attribute__((constructor)) wait_here(void) { sleep(600); }\n\
                void *_1as_0lib_1header_0root_bmodule_bloader = 0;\n";
    fs::write(&source, code).unwrap();
    let library = plugins.join("libmteb_waiting.so");
    let built =
        Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status().unwrap();
    assert!(built.success());
    trust(folder, &plugins).unwrap();
}

#[test]
fn a_plugin_that_does_not_say_what_it_brings_is_left_after_its_own_time() {
    let folder = task();
    waiting_plugin(folder.path());
    let begin = Instant::now();
    let mut command = host(folder.path());
    command.args([
        "run",
        "--quiet",
        "--registry",
        "task.toml",
        "--plugin-dir",
        "plugins",
        "--plugin-timeout",
        "1",
    ]);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(3), "the task is scored, the plugin refused: {}", run.stderr);
    let said = "gave no answer for 1 s, and was ended; one that takes long to load needs a longer `--plugin-timeout`";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(begin.elapsed() < Duration::from_secs(50));
}

#[test]
fn ctrl_c_while_plugins_are_asked_what_they_bring_is_an_interruption() {
    let folder = task();
    waiting_plugin(folder.path());
    let mut command = host(folder.path());
    command.args(["run", "--registry", "task.toml", "--plugin-dir", "plugins"]);
    let mut command = interruptible(&command);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    let workers = folder.path().join("cache/workers");
    while fs::read_dir(&workers).map_or(0, Iterator::count) == 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{stderr}");
    assert_eq!(
        stderr,
        "interrupted: ending cleanly; a second Ctrl-C ends at once\n\
         Interrupted before a unit was scored; run the same command again\n"
    );
}

#[test]
fn ctrl_c_at_any_moment_of_a_short_run_is_130_or_comes_too_late() {
    let folder = task();
    for moment in (0..200).step_by(10) {
        let _ = fs::remove_dir_all(folder.path().join("cache"));
        let _ = fs::remove_dir_all(folder.path().join("results"));
        let mut command = host(folder.path());
        command.args(["run", "--quiet", "--registry", "task.toml"]);
        let mut command = interruptible(&command);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
        let ended = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        // Shells say 130 of a process that ended by the signal before it could watch for it.
        let is_interrupted = ended.status.code() == Some(130) || ended.status.signal() == Some(2);
        let is_late = ended.status.code() == Some(0) && folder.path().join("results").exists();
        assert!(is_interrupted || is_late, "{moment} ms: {:?} {stderr}", ended.status);
        assert!(!stderr.contains("error: "), "{moment} ms: {stderr}");
    }
}

#[test]
fn a_refused_plugin_of_a_named_folder_is_an_exit_code_of_every_command_that_shows_plugins() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    let commands: [&[&str]; 5] = [
        &["list", "plugins"],
        &["list", "models"],
        &["plugins", "list"],
        &["doctor"],
        &["show", "model", "hashing"],
    ];
    for command in commands {
        let run = |more: &[&str]| Run::of(host(folder.path()).args(command).args(more)).unwrap();
        assert_eq!(run(&[]).code, Some(0), "{command:?}");
        let refused = run(&["--plugin-dir", "plugins"]);
        assert_eq!(refused.code, Some(3), "{command:?}: {}", refused.stderr);
    }
}

#[test]
fn what_a_model_cannot_do_is_wrong_usage_and_no_refused_plugin() {
    let folder = task();
    let mut command = host(folder.path());
    command.args(["run", "--quiet", "--registry", "task.toml", "--max-tokens", "1"]);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("leave out `--max-tokens`"), "{}", run.stderr);
}

#[test]
fn a_line_end_in_a_name_makes_no_line_of_its_own() {
    let folder = task();
    let forged = "a\nwarning: all is well";
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    fs::copy(root().join("README.md"), plugins.join(format!("libmteb_{forged}\n.so"))).unwrap();
    let cases: [&[&str]; 2] = [
        &["run", "--registry", "task.toml", "--model", forged],
        &["list", "plugins", "--plugin-dir", "plugins"],
    ];
    for arguments in cases {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert!(run.stderr.contains("a\\nwarning: all is well"), "{}", run.stderr);
        assert!(!run.stderr.lines().any(|line| line.starts_with("warning: all")), "{}", run.stderr);
    }
}

#[test]
fn scores_that_are_equal_leave_nothing_superseded() {
    let folder = tempfile::tempdir().unwrap();
    // Its scores hold what is no number: average precision, for labels of which there are more than two.
    let arguments = ["run", "--quiet", "--task", "IndonesianFormality", "--overwrite", "always"];
    for _ in 0..2 {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let results = folder.path().join("results/mteb-host__hashing/1");
    assert!(fs::read_to_string(results.join("IndonesianFormality.json")).unwrap().contains("NaN"));
    assert!(!results.join("superseded").exists());
}

#[test]
fn memory_that_is_refused_to_unpack_a_card_ends_the_host_with_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let size = zstd::zstd_safe::DCtx::try_create().unwrap().sizeof();
    // Refuses what the library of compression asks for first, and nothing else.
    let source = format!(
        "#include <stddef.h>\nvoid *__libc_malloc(size_t);\n\
         void *malloc(size_t size) {{ return size == {size} ? NULL : __libc_malloc(size); }}\n"
    );
    fs::write(folder.path().join("refuse.c"), source).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o", "refuse.so", "refuse.c"]).current_dir(folder.path());
    assert!(compiler.status().unwrap().success());
    let mut command = host(folder.path());
    command.args(["list", "tasks", "--registry", "indonesia"]);
    let run = Run::of(command.env("LD_PRELOAD", folder.path().join("refuse.so"))).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(
        run.stderr.contains("\nmemory allocation of ") && !run.stderr.contains("panicked"),
        "{}",
        run.stderr
    );
}

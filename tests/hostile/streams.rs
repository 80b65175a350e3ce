//! Standard streams that are closed or full, signals, limits of the system; and whoever is asked and says
//! nothing keeps no run that Ctrl-C was to end.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{
    Lie, LyingHub, Run, Terminal, faulty_plugin, host, host_binary, interruptible, trust, write_pair_card,
    write_pairs,
};
use rustix::fs::{FlockOperation, flock};

use super::hub::User;

/// A task of which the first unit fails, so that something is said before the others are scored.
fn write_task(folder: &Path) {
    write_pair_card(folder, "Streams", &["ind", "jav", "sun"]).unwrap();
    write_pairs(folder, "ind", [("a", "b", 1.0), ("a", "b", 1.0)]).unwrap();
    fs::write(folder.join("data/ind/test.jsonl"), "{\"sentence1\": \"no more\"").unwrap();
    for subset in ["jav", "sun"] {
        write_pairs(folder, subset, [("a", "b c", 1.0), ("d e f", "b c", 4.0), ("b c", "b", 2.0)]).unwrap();
    }
}

fn command(folder: &Path) -> Command {
    let mut command = host(folder);
    command.args(["run", "--registry", "task.toml", "--model", "hashing"]).stdin(Stdio::null());
    command
}

/// Subsets that have a result on the disk.
fn list_scored(folder: &Path) -> Vec<String> {
    let mut files = walk(&folder.join("results"));
    files.retain(|file| file.ends_with("Streams.json"));
    let text = files.first().map(|file| fs::read_to_string(file).unwrap()).unwrap_or_default();
    let subsets = ["ind", "jav", "sun"].into_iter();
    subsets
        .filter(|subset| text.contains(&format!("\"hf_subset\": \"{subset}\"")))
        .map(str::to_owned)
        .collect()
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

/// A pipe whose reader has gone away.
fn broken_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_standard_error_that_is_full_or_broken_costs_no_unit() {
    for (name, stream) in [("full", full()), ("broken", broken_pipe())] {
        let folder = tempfile::tempdir().unwrap();
        write_task(folder.path());
        let status =
            command(folder.path()).arg("--verbose").stdout(Stdio::null()).stderr(stream).status().unwrap();
        assert_eq!(status.code(), Some(1), "{name}: the failed unit");
        assert_eq!(list_scored(folder.path()), ["jav", "sun"], "{name}");
    }
}

#[test]
fn a_standard_output_that_is_full_is_named_and_costs_no_unit() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path());
    let run = command(folder.path()).stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
    let run = run.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("error: cannot write to standard output: No space left on device"), "{stderr}");
    assert_eq!(list_scored(folder.path()), ["jav", "sun"]);
}

#[test]
fn help_that_nobody_could_read_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["--help"][..], &["--version"], &["run", "--help"]] {
        let mut command = host(folder.path());
        let run = command.args(arguments).stdout(full()).stderr(Stdio::piped()).spawn().unwrap();
        let run = run.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains("cannot write to standard output: No space left on device"), "{stderr}");
        let broken = host(folder.path()).args(arguments).stdout(broken_pipe()).status().unwrap();
        assert_eq!(broken.code(), Some(0), "a reader that goes away has seen enough");
    }
}

#[test]
fn who_asked_for_json_gets_json_where_a_command_has_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.toml"), "schema = 1\nname = 7\n").unwrap();
    for (arguments, code) in [
        (&["run", "--registry", "card.toml", "--json"][..], 2),
        (&["run", "--task", "SciFakt", "--format", "json"][..], 2),
        (&["leaderboard", "--json"][..], 2),
        (&["show", "task", "SciFakt", "--json"][..], 2),
        (&["list", "tasks", "--json", "--absent"][..], 2),
    ] {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.stderr);
        let answer = run.json().unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", run.stdout));
        assert_eq!(answer["exit_code"], code, "{arguments:?}");
        let errors = answer["errors"].as_array().unwrap();
        assert!(!errors.is_empty(), "{arguments:?}: {}", run.stderr);
        for error in errors {
            assert!(run.stderr.contains(error.as_str().unwrap()), "{arguments:?}: {error}: {}", run.stderr);
        }
    }
    let without = Run::of(host(folder.path()).args(["show", "task", "SciFakt"])).unwrap();
    assert_eq!((without.code, without.stdout.as_str()), (Some(2), ""));
}

#[test]
fn a_terminal_that_goes_away_in_the_middle_of_a_run_costs_no_unit() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path());
    let terminal = Terminal::new(80).unwrap();
    let mut command = command(folder.path());
    command.stdout(Stdio::null()).stderr(terminal.stream().unwrap());
    drop(terminal);
    assert_eq!(command.status().unwrap().code(), Some(1));
    assert_eq!(list_scored(folder.path()), ["jav", "sun"]);
}

#[test]
fn a_reader_that_takes_one_line_is_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = host(folder.path())
        .args(["list", "tasks"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn streams_that_are_closed_from_the_start_are_taken_by_no_file_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    write_task(folder.path());
    let run = command(folder.path());
    let arguments: Vec<String> =
        run.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let script = format!("exec '{}' {} 0<&- 1>&- 2>&-", host_binary().display(), arguments.join(" "));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path());
    shell.envs(run.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let before = contents(folder.path());
    assert_eq!(shell.status().unwrap().code(), Some(1), "the failed unit");
    assert_eq!(list_scored(folder.path()), ["jav", "sun"]);
    assert_eq!(contents(folder.path()), before, "what the run says is in none of its files");
}

/// The user's own files.
fn contents(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = walk(&folder.join("data")).into_iter().chain([folder.join("task.toml")]);
    let mut files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|end| end != "toml" || file.ends_with("task.toml")))
        .map(|file| (file.clone(), fs::read(file).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_signal_that_nohup_ignores_does_not_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Slow", &["ind"]).unwrap();
    let slow = |number: u32| (format!("SLEEP {number}"), "b", f64::from(number));
    write_pairs(folder.path(), "ind", (0..60).map(slow)).unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("faulty_model", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    let run = host(folder.path());
    let mut shell = Command::new("sh");
    let script = format!(
        "trap '' HUP; exec '{}' run --registry task.toml --model faulty --verbose --plugin-dir plugins",
        host_binary().display()
    );
    shell.args(["-c", &script]).current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell.envs(run.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let child = shell.spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    // A worker runs only once the signals are watched.
    while walk(&folder.path().join("cache/workers")).is_empty()
        && fs::read_dir(folder.path().join("cache/workers")).map_or(0, Iterator::count) == 0
        && Instant::now() < until
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{stderr}");
    assert!(!stderr.contains("interrupted"), "{stderr}");
}

#[test]
fn a_terminal_shows_colours_unless_it_is_asked_for_none_and_a_pipe_never_does() {
    let folder = tempfile::tempdir().unwrap();
    let seen = |name: &str, value: &str| {
        let mut command = host(folder.path());
        command.args(["show", "task", "NoSuchTask"]).env("TERM", "xterm");
        for other in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(other);
        }
        command.env(name, value);
        command
    };
    let on_terminal = |mut command: Command| Terminal::new(80).unwrap().run(&mut command).unwrap().1;
    let red = "\u{1b}[1m\u{1b}[31merror\u{1b}[0m: ";
    assert!(on_terminal(seen("TERM", "xterm")).starts_with(red));
    for (name, value) in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
        let text = on_terminal(seen(name, value));
        assert!(text.starts_with("error: "), "{name}: {text:?}");
    }
    let piped = Run::of(&mut seen("TERM", "xterm")).unwrap();
    assert!(piped.stderr.starts_with("error: "), "{}", piped.stderr);
}

/// Longer than any machine takes to end, and far shorter than the silence.
const SOON: Duration = Duration::from_secs(30);

/// Waits until `is_so`, for a minute at most.
fn wait_for(mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < until, "it never came to it");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends one Ctrl-C, and gives the exit code and what was said, if the process ends soon.
fn interrupt(mut child: Child) -> Option<(Option<i32>, String)> {
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let until = Instant::now() + SOON;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = child.wait_with_output().unwrap();
    Some((ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned()))
}

#[test]
fn one_ctrl_c_ends_a_run_at_a_silent_hub() {
    for lie in [Lie::Silent, Lie::Drips] {
        let user = User::new();
        let hub = LyingHub::start(lie.clone()).unwrap();
        let mut command =
            user.command(&hub.address, &["run", "--registry", "Lies.toml", "--model", "hashing"]);
        command.env("HF_HUB_DOWNLOAD_TIMEOUT", "300");
        let mut command = interruptible(&command);
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(|| hub.asked() > 0);
        std::thread::sleep(Duration::from_millis(300));
        let (code, said) = interrupt(child).unwrap_or_else(|| panic!("{lie:?}: it did not end"));
        assert_eq!(code, Some(130), "{lie:?}: {said}");
        assert!(said.contains("interrupted: ending cleanly"), "{said}");
        assert!(!fs::exists(user.file()).unwrap());
    }
}

#[test]
fn one_ctrl_c_ends_a_run_that_waits_for_a_folder_that_another_program_has_locked() {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    write_pairs(folder.path(), "ind", [("a", "b c", 1.0), ("d", "b c", 2.0), ("e f g", "b", 4.0)]).unwrap();
    let arguments = ["run", "--quiet", "--registry", "task.toml", "--model", "hashing"];
    let once = Run::of(host(folder.path()).args(arguments)).unwrap();
    assert_eq!(once.code, Some(0), "{}", once.stderr);
    let results = folder.path().join("results/mteb-host__hashing/1").canonicalize().unwrap();
    let locked = fs::File::open(&results).unwrap();
    flock(&locked, FlockOperation::LockExclusive).unwrap();
    let mut command = interruptible(host(folder.path()).args(arguments));
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let open = format!("/proc/{}/fd", child.id());
    let waits = || {
        let files = fs::read_dir(&open).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|file| file == results)
    };
    wait_for(waits);
    let (code, said) = interrupt(child).expect("it ends");
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("interrupted: ending cleanly"), "{said}");
    // What it would say once it has waited as long as without Ctrl-C.
    assert!(!said.contains("has been locked by another program"), "{said}");
}

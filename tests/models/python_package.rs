//! The Python package `mteb_host`: a program of ten lines scores a model of its own, as the README has it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{Run, host, host_binary, root};

const PROGRAM: &str = "
import mteb_host

class Letters:
    def encode(self, texts):
        return [[1.0] + [float(text.count(letter)) for letter in 'aeiou'] for text in texts]

results = mteb_host.run(Letters, 'IndonesianGeneralSTS', registry='indonesia', quiet=True)
print(results.model, [(unit.task, unit.metric, unit.main_score is not None) for unit in results.units])
";

pub fn python(folder: &Path, program: &str) -> Run {
    python_of("python3".as_ref(), folder, program)
}

fn python_of(interpreter: &Path, folder: &Path, program: &str) -> Run {
    Run::of(&mut command_of(interpreter, folder, program)).unwrap()
}

pub fn command_of(interpreter: &Path, folder: &Path, program: &str) -> Command {
    fs::write(folder.join("program.py"), program).unwrap();
    let mut command = Command::new(interpreter);
    command.arg("program.py").current_dir(folder).env("PYTHONPATH", root().join("python"));
    command.env("MTEB_HOST_BINARY", host_binary()).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("MTEB_HOST_CACHE", folder.join("cache")).env("MTEB_HOST_DATA", folder.join("data"));
    command
}

#[test]
fn a_program_scores_a_class_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let run = python(folder.path(), PROGRAM);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected = "python:program.py:Letters [('IndonesianGeneralSTS', 'cosine_spearman', True)]";
    assert_eq!(run.stdout.trim(), expected);
}

#[test]
fn what_the_program_refuses_is_an_exception_with_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host\ntry:\n    mteb_host.run('hashing', 'NoSuchTask', quiet=True)\n\
                   except mteb_host.MtebHostError as error:\n    print(error.exit_code, error)\n";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with("2 ") && run.stdout.contains("NoSuchTask"), "{}", run.stdout);
}

#[test]
fn the_program_computes_with_the_interpreter_that_calls_it() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import os, sys
from mteb_host import _binary

code, printed, said = _binary.start(['doctor', '--offline'], quiet=True)
print(f'Python: {sys.executable}' in printed, printed if code == 2 else '')

def told(**active):
    seen = []
    os.execve = lambda program, arguments, environment: seen.append(environment.get('MTEB_HOST_PYTHON'))
    for name in ('VIRTUAL_ENV', 'CONDA_PREFIX', 'MTEB_HOST_PYTHON'):
        os.environ.pop(name, None)
    os.environ.update(active)
    _binary.main()
    return seen[0]

print(told() == sys.executable, told(VIRTUAL_ENV='/other'), told(MTEB_HOST_PYTHON='/named'))
";
    let mut command = command_of("python3".as_ref(), folder.path(), program);
    // Another one is active, as the base environment of conda always is.
    let active = folder.path().join("active");
    fs::create_dir_all(active.join("bin")).unwrap();
    std::os::unix::fs::symlink("/bin/false", active.join("bin/python")).unwrap();
    let run = Run::of(command.env("CONDA_PREFIX", &active)).unwrap();
    assert_eq!(run.stdout, "True \nTrue None /named\n", "{}", run.stderr);
}

#[test]
fn a_value_that_begins_as_an_option_is_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import mteb_host

for call in [
    lambda: mteb_host.run('--help', 'IndonesianGeneralSTS', registry='indonesia', quiet=True),
    lambda: mteb_host.run('hashing', '--overwrite', registry='indonesia', quiet=True),
    lambda: mteb_host.run('a\\0b', quiet=True),
    lambda: mteb_host.leaderboard('--help'),
]:
    try:
        print(call())
    except mteb_host.MtebHostError as error:
        print(error.exit_code, error)
";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines.len() == 4 && lines[0].contains("found: --help"), "{}", run.stdout);
    assert!(lines[1].contains("--overwrite") && lines[2].contains("null byte"), "{}", run.stdout);
    assert!(lines.iter().all(|line| !line.contains("Usage")), "{}", run.stdout);
}

/// A program in the place of `mteb-host`.
fn with_program_of(shell: &str, calls: &str) -> String {
    format!(
        "
import os, signal, sys, mteb_host

# A program that is started in the background of a shell may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

class Full:
    def write(self, text):
        raise OSError('full')
    def isatty(self):
        return False

def late(*_):
    if os.path.exists('started') and os.path.getsize('started'):
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise TimeoutError

with open('fake', 'w') as file:
    file.write({shell:?})
os.chmod('fake', 0o755)
os.environ['MTEB_HOST_BINARY'] = os.path.abspath('fake')
{calls}
"
    )
}

/// Where the end of a program is nobody's to learn, failure would pass for success.
#[test]
fn a_caller_that_ignores_the_ends_of_programs_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let calls = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)
try:
    mteb_host.run('hashing', quiet=True)
except mteb_host.MtebHostError as error:
    print(error.exit_code, error)";
    let run = python(folder.path(), &with_program_of("#!/bin/sh\nexit 1\n", calls));
    assert!(run.stdout.starts_with("2 expected SIGCHLD not to be ignored"), "{}{}", run.stdout, run.stderr);
}

/// A program that says much is read to its end, though nobody can be shown what it says.
#[test]
fn a_stream_that_takes_nothing_holds_up_no_call() {
    let folder = tempfile::tempdir().unwrap();
    let shell = "#!/bin/sh\nfor i in $(seq 20000); do echo a line of words >&2; done\n\
                 echo '{\"errors\": [], \"exit_code\": 2}'; exit 2\n";
    for stream in ["sys.stderr.close()", "sys.stderr = None", "sys.stderr = Full()"] {
        let calls = format!(
            "{stream}
try:
    mteb_host.run('hashing')
except mteb_host.MtebHostError as error:
    print(error.exit_code, str(error).count('words'))"
        );
        let run = python(folder.path(), &with_program_of(shell, &calls));
        assert_eq!(run.stdout.trim(), "2 20000", "{stream}: {}", run.stderr);
    }
}

#[test]
fn what_ends_a_call_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let calls = "signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
try:
    mteb_host.run('hashing', quiet=True)
except TimeoutError:
    print('late')";
    let shell = "#!/bin/sh\necho $$ > started\nexec sleep 600\n";
    let run = python(folder.path(), &with_program_of(shell, calls));
    assert_eq!(run.stdout.trim(), "late", "{}", run.stderr);
    let process = fs::read_to_string(folder.path().join("started")).unwrap();
    assert!(!Path::new("/proc").join(process.trim()).exists(), "{process} is left");
}

#[test]
fn an_empty_list_of_tasks_is_refused_and_a_folder_may_be_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import pathlib, mteb_host\n\
                   for model, tasks in [('hashing', []), (pathlib.Path('nowhere/model'), None)]:\n    try:\n        \
                   mteb_host.run(model, tasks, registry='indonesia', quiet=True)\n    \
                   except mteb_host.MtebHostError as error:\n        print(error.exit_code, error)\n";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("2 expected names of tasks, found an empty list"), "{}", run.stdout);
    assert!(lines[1].contains("nowhere/model") && !lines[1].contains("PosixPath"), "{}", run.stdout);
}

#[test]
fn an_undefined_score_is_none_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (0..6)
        .map(|row| format!("{{\"sentence1\": \"a {row}\", \"sentence2\": \"b {row}\", \"score\": {row}}}\n"));
    fs::write(folder.path().join("test.jsonl"), rows.collect::<String>()).unwrap();
    let card = "schema = 1\nname = \"Same\"\ntype = \"STS\"\ndescription = \"Made.\"\nlanguages = [\"eng-Latn\"]\n\
                [dataset]\npath = \".\"\n";
    fs::write(folder.path().join("same.toml"), card).unwrap();
    let program = "import mteb_host\nclass Same:\n    def encode(self, texts):\n        return [[1.0, 0.0]] * len(texts)\n\
                   results = mteb_host.run(Same, registry='same.toml', quiet=True)\n\
                   print([(unit.main_score, unit.failure) for unit in results.units])\n";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with("[(None, 'the main score is undefined"), "{}", run.stdout);
}

#[test]
fn a_unit_that_fails_is_an_exception_that_has_the_results() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host\nclass Broken:\n    def encode(self, texts):\n        \
                   return [[1.0 if texts == ['dimension'] else float('nan')]] * len(texts)\n\
                   try:\n    \
                   mteb_host.run(Broken, 'IndonesianGeneralSTS', registry='indonesia', quiet=True)\n\
                   except mteb_host.UnitsFailed as error:\n    print(len(error.results.failures))\n";
    let run = python(folder.path(), program);
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "1"), "{}", run.stderr);
}

/// Interrupts a program that runs `script` in place of the host; gives what it said.
#[cfg(unix)]
fn interrupt(script: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("host");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    // The signal of the alarm ends a program that waits for good.
    let asked = format!(
        "import os, signal\nsignal.alarm(60)\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n\
         os.environ['MTEB_HOST_BINARY'] = {:?}\nimport mteb_host\n\
         try:\n    mteb_host.run('hashing', 'T', quiet=True)\n\
         except KeyboardInterrupt:\n    print('interrupted', os.path.exists({:?}))\n",
        program.to_str().unwrap(),
        folder.path().join("host.ended").to_str().unwrap()
    );
    python(folder.path(), &asked)
}

#[test]
fn ctrl_c_ends_a_run_whose_report_is_longer_than_a_pipe_takes() {
    let run = interrupt(
        "#!/bin/sh\ntrap 'head -c 200000 /dev/zero | tr \"\\000\" x; touch $0.ended; exit 130' INT\nsleep 0.5\nkill -INT $PPID\n\
         while :; do sleep 0.05; done\n",
    );
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "interrupted True"), "{}", run.stderr);
}

#[test]
fn a_second_ctrl_c_reaches_the_program() {
    let run = interrupt(
        "#!/bin/sh\ncount=0\ntrap 'count=$((count + 1)); [ $count = 2 ] && touch $0.ended && exit 130; kill -INT $PPID' INT\nsleep 0.5\n\
         kill -INT $PPID\nwhile :; do sleep 0.05; done\n",
    );
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "interrupted True"), "{}", run.stderr);
}

#[test]
fn a_run_ends_with_the_program_that_started_it_also_where_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let model = "import time\nclass Slow:\n    def encode(self, texts):\n        time.sleep(600)\n";
    fs::write(path("slow.py"), model).unwrap();
    let host = format!("#!/bin/sh\necho $$ > pid.new\nmv pid.new pid\nexec {:?} \"$@\"\n", host_binary());
    fs::write(path("host"), host).unwrap();
    fs::set_permissions(path("host"), fs::Permissions::from_mode(0o755)).unwrap();
    let program = "import mteb_host\nmteb_host.run('python:slow.py:Slow', 'IndonesianGeneralSTS', registry='indonesia')\n";
    let mut caller = command_of("python3".as_ref(), folder.path(), program);
    let mut caller = caller.env("MTEB_HOST_BINARY", path("host")).stderr(Stdio::null()).spawn().unwrap();
    let pid = wait_for(|| fs::read_to_string(path("pid")).ok());
    caller.kill().unwrap();
    caller.wait().unwrap();
    let status = Path::new("/proc").join(pid.trim()).join("stat");
    let has_ended = || fs::read_to_string(&status).map_or(true, |status| status.contains(") Z "));
    wait_for(|| has_ended().then_some(()));
}

/// What `look` sees at last; a minute is more than it may take.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        match look() {
            Some(seen) => return seen,
            None if Instant::now() > end => panic!("nothing was seen within a minute"),
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

#[test]
fn progress_is_told_where_there_is_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let program = |more: &str| {
        format!(
            "import mteb_host\nmteb_host.run('hashing', 'IndonesianGeneralSTS', registry='indonesia'{more})\n"
        )
    };
    let run = python(folder.path(), &program(""));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr.lines().next(), Some("loading hashing"));
    assert!(run.stderr.lines().any(|line| line.starts_with("1/1 units, ")), "{}", run.stderr);
    let quiet = python(folder.path(), &program(", overwrite='always', quiet=True"));
    assert_eq!((quiet.code, &*quiet.stderr), (Some(0), ""));
}

#[test]
fn several_sizes_of_embeddings_are_rows_of_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host\nresults = mteb_host.run('hashing', 'IndonesianGeneralSTS', registry='indonesia', \
                   dimensions='256,64', quiet=True)\n\
                   print([(row['dimension'], row['main_score'] is not None) for row in results.rows()])\n";
    let run = python(folder.path(), program);
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "[(256, True), (64, True)]"), "{}", run.stderr);
}

#[test]
fn a_program_that_is_not_there_is_an_exception_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import os, mteb_host\nos.environ['MTEB_HOST_BINARY'] = '/no/such/program'\n\
                   try:\n    mteb_host.run('hashing', 'T')\n\
                   except mteb_host.MtebHostError as error:\n    print(error)\n";
    let run = python(folder.path(), program);
    let expected =
        "/no/such/program: expected the program `mteb-host`, cannot start it: No such file or directory";
    assert_eq!((run.code, run.stdout.trim()), (Some(0), expected), "{}", run.stderr);
}

#[test]
fn results_become_a_table_of_polars() {
    let Some(interpreter) = mteb_host_tests::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host\nresults = mteb_host.run('hashing', 'IndonesianGeneralSTS', registry='indonesia', quiet=True)\n\
                   print(results.to_polars().columns)\n";
    let run = python_of(&interpreter, folder.path(), program);
    let expected = "['model', 'task', 'type', 'split', 'subset', 'metric', 'main_score', 'failure']";
    assert_eq!((run.code, run.stdout.trim()), (Some(0), expected), "{}", run.stderr);
}

#[test]
fn the_example_of_the_readme_scores_a_model_in_less_than_ten_lines() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let program = readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(program.lines().filter(|line| !line.is_empty()).count() < 10, "{program}");
    let Some(interpreter) = mteb_host_tests::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = python_of(&interpreter, folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("main_score") && run.stdout.contains("IndonesianGeneralSTS"),
        "{}",
        run.stdout
    );
}

#[test]
fn results_become_a_leaderboard_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host\nmteb_host.run('hashing', 'IndonesianGeneralSTS', registry='indonesia', quiet=True)\n\
                   board = mteb_host.leaderboard('results', registry='indonesia')\nprint([row['model'] for row in board])\n\
                   print(mteb_host.report('results', registry='indonesia').read_text().lstrip().lower()[:15])\n";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("hashing") && run.stdout.contains("<!doctype html>"), "{}", run.stdout);
}

#[test]
fn rankings_of_others_get_the_scores_that_the_program_gives() {
    let folder = tempfile::tempdir().unwrap();
    let ranked = [
        "run",
        "--registry",
        "indonesia",
        "--task",
        "IndonesianHowToReranking",
        "--model",
        "hashing",
        "--rankings",
        "--quiet",
    ];
    let run = Run::of(host(folder.path()).args(ranked)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let program = "import glob, mteb_host\nfile = next(iter(glob.glob('results/**/*.trec*', recursive=True)))\n\
                   print(mteb_host.score(file, 'IndonesianHowToReranking')['task'])\n";
    let run = python(folder.path(), program);
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "IndonesianHowToReranking"), "{}", run.stderr);
}

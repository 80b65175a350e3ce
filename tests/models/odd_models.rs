//! Models in Python that do what no model should: they never answer, end the program, raise odd texts, give
//! what are no numbers, or run out of memory.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, python, root, write_pair_card, write_pairs};
use serde_json::Value;

use super::live_models::lines;
use super::scores;

/// Ends a program that waits for good, so that the test fails.
const ALARM: &str = "
signal.alarm(300)

def told(call):
    try:
        return call()
    except Exception as error:
        return f'{type(error).__name__}: {error}'
";

#[test]
fn a_model_that_never_answers_is_given_up_after_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Asked:
    async def encode(self, texts):
        await asyncio.sleep(3600)

class Sleeps:
    def encode(self, texts):
        time.sleep(3600)

class Turns:
    def encode(self, texts):
        while True:
            pass

class Stops:
    async def encode(self, texts):
        asyncio.get_running_loop().stop()
        return rows(texts)

class Once:
    asked = 0
    async def encode(self, texts):
        self.asked += 1
        if self.asked == 2:
            await asyncio.sleep(3600)
        return rows(texts)

def ended(model):
    return 'no answer for 1 s' in told(lambda: run(model, batch_timeout=1))

found = [ended(model) for model in (Asked(), Sleeps(), Turns())]
# Where no signal reaches the model.
thread = threading.Thread(target=lambda: found.append(ended(Asked())))
thread.start()
thread.join()
print(found)
print(told(lambda: run(Stops())))
print(state(run(Once(), batch_timeout=1)))
print(signal.getsignal(signal.SIGURG) == signal.SIG_DFL, run(Typed()).model)
";
    let (found, _) = lines(folder.path(), &format!("{ALARM}{program}"));
    assert_eq!(
        found,
        [
            "[True, True, True, True]",
            "RuntimeError: the model stopped the event loop in which the host awaits it; it may stop only loops of its own",
            "scored",
            "True live/Typed"
        ]
    );
}

#[test]
fn a_program_that_ends_without_a_word_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Kills:
    def encode(self, texts):
        for name in os.listdir('/proc'):
            try:
                parent = open(f'/proc/{name}/stat').read().rsplit(')', 1)[1].split()[1]
            except (OSError, IndexError):
                continue
            if parent == str(os.getpid()):
                os.kill(int(name), signal.SIGKILL)
        return rows(texts)

print(told(lambda: run(Kills())))
for program in ('/bin/true', '/bin/echo'):
    os.environ['MTEB_HOST_BINARY'] = program
    print(told(lambda: run('hashing'))[:90])
";
    let (found, _) = lines(folder.path(), &format!("{ALARM}{program}"));
    assert_eq!(
        found,
        [
            "MtebHostError: the program mteb-host was ended by signal 9 (SIGKILL), as the system does if memory runs out; \
             finished units are kept, and the same call resumes",
            "MtebHostError: the program mteb-host ended with exit code 0, without an answer and without",
            "MtebHostError: expected an answer of mteb-host as JSON, found: run --json --output-folder=",
        ]
    );
}

#[test]
fn what_a_model_raises_is_raised_whatever_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let program = r"
class Closed(Exception):
    def __setattr__(self, name, value):
        raise KeyError(name)
    def add_note(self, note):
        raise KeyError(note)

class Raises:
    def __init__(self, error, asked):
        self.error, self.left = error, asked
    def encode(self, texts):
        self.left -= 1
        if self.left < 0:
            raise self.error
        return rows(texts)

texts = ['\x1b[31mred\x1b[0m', 'a\u202eb', 'nul\0', 'zero\u200bwidth', '\ufeffmark', 'half \ud800', 'x' * 5000, 'a\nb\tc']
for asked in (0, 1):
    for error in (*map(ValueError, texts), Exception(*range(10000)), Closed('closed')):
        try:
            run(Raises(error, asked))
        except BaseException as raised:
            if raised is not error:
                print(asked, ascii(error)[:40], ascii(raised)[:200])
print('all')
";
    let (found, _) = lines(folder.path(), &format!("{ALARM}{program}"));
    assert_eq!(found, ["all"]);
}

#[test]
fn names_are_shown_as_text_and_values_of_other_types_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let program = r"
class Named:
    name, revision = 'a\x1b[31m\nb', '1'
    def encode(self, texts):
        return rows(texts)

print(told(lambda: run(Named(), quiet=False)))
print(told(lambda: run(Typed(), revision='1\u202e')))
for options in ({'name': 5}, {'revision': b'1'}, {'output_folder': 5}, {'prompts': {'query': 'x'}}, {'name': '\ud800'}):
    print(told(lambda: run(Typed(), **options))[:70])
print(repr(mteb_host.Results('\x1b[31mred', '', '')))
";
    let (found, said) = lines(folder.path(), &format!("{ALARM}{program}"));
    let refused = |what: &str, shown: &str| {
        format!("MtebHostError: expected a {what} without invisible characters and line ends, found: {shown}")
    };
    assert_eq!(found[0], refused("name", r"a\u001b[31m\nb"));
    assert_eq!(found[1], refused("revision", r"1\u202e"));
    assert_eq!(found[2], "TypeError: expected `name` as text, found int: 5");
    assert_eq!(found[3], "TypeError: expected `revision` as text, found bytes: b'1'");
    assert_eq!(found[4], "TypeError: expected `output_folder` as a path, found int: 5");
    assert!(found[5].starts_with("TypeError: expected `prompts` as text, a number, a path"), "{found:?}");
    assert!(found[6].starts_with("MtebHostError: expected a name without invisible"), "{found:?}");
    assert!(found[7].starts_with(r"<Results of \u001b[31mred: "), "{found:?}");
    assert!(!said.contains('\u{1b}'), "{said}");
}

#[test]
fn results_are_where_the_call_began_wherever_the_model_goes() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Goes:
    def encode(self, texts):
        os.makedirs('away', exist_ok=True)
        os.chdir('away')
        return rows(texts)

begin = os.getcwd()
results = run(Goes())
print(os.path.relpath(results.folder, begin).split('/')[:2], os.path.isdir(results.folder))
";
    let (found, _) = lines(folder.path(), &format!("{ALARM}{program}"));
    assert_eq!(found, ["['results', 'live__Goes'] True"]);
}

#[test]
fn rows_and_rankings_that_are_none_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Searches:
    def __init__(self, of):
        self.of = of
    def index(self, corpus, **_):
        self.documents = [row['id'] for row in corpus]
    def search(self, queries, **_):
        return {row['id']: self.of(self.documents) for row in queries}

class Clears:
    def encode(self, texts):
        found = rows(texts)
        texts.clear()
        return found

print(told(lambda: run(lambda texts: [[10 ** 400] * 3 for _ in texts])))
print(run(Clears())[0].main_score == run(Typed())[0].main_score)
for of in (lambda documents: {name: float('nan') for name in documents}, list):
    print(told(lambda: run(Searches(of), 'IndonesianHowToReranking')))
print(told(lambda: mteb_host.get_tasks(since='never')))
";
    let (found, _) = lines(folder.path(), &format!("{ALARM}{program}"));
    assert!(
        found[0].contains("expected rows as an array of numbers, found list: int too large"),
        "{found:?}"
    );
    assert_eq!(found[1], "True");
    assert!(found[2].starts_with("ValueError: expected a finite score of document '"), "{found:?}");
    assert!(
        found[3].starts_with("TypeError: expected `search` to return a dictionary with the documents"),
        "{found:?}"
    );
    assert!(found[4].starts_with("MtebHostError: invalid value 'never' for `since=`"), "{found:?}");
}

/// A line for each attempt: its name, and what is said of it or the numbers that are taken.
const TRIES: &str = r#"
import decimal, sys
import numpy, scipy.sparse
sys.path.insert(0, sys.argv[1])
from mteb_host._worker.frames import Refused
from mteb_host._worker.rows import MultiVectors, Numbers, SparseRows

masked = numpy.ma.masked_array([1.0, 2.0], mask=[False, True])
unmasked = numpy.ma.masked_array([1.0, 2.0])
def rows(given): return list(numpy.asarray(Numbers(given, len(given), "rows").values).ravel())
def sparse(given): made = SparseRows(given, len(given), 10); return list(made.places), list(made.values)
def vectors(given): return [list(numpy.asarray(part).ravel()) for part in MultiVectors(given, len(given), 2).parts()]
for name, call, given in [
    ("masked rows in a list", rows, [masked, masked]),
    ("a masked row behind another", rows, [numpy.array([1.0, 2.0]), masked]),
    ("masked vectors", vectors, [[masked]]),
    ("masked arrays without a mask", rows, [unmasked, unmasked]),
    ("nothing among objects", rows, numpy.array([[1.0, None]], dtype=object)),
    ("texts among objects", rows, numpy.array([[1.0, "2.5"]], dtype=object)),
    ("texts", rows, [["1.0", "2.0"]]),
    ("decimals", rows, numpy.array([[decimal.Decimal("1.5"), 2]], dtype=object)),
    ("a fractional place", sparse, [{1.7: 2.0}]),
    ("a place beyond the end", sparse, [{10: 2.0}]),
    ("a place before the begin", sparse, [{-1: 2.0}]),
    ("a place twice", sparse, [{1: 2.0, "1": 3.0}]),
    ("no weight", sparse, [{1: None}]),
    ("a text as a weight", sparse, [{1: "0.5"}]),
    ("a masked weight", sparse, [{1: numpy.ma.masked}]),
    ("a place that is a number of numpy", sparse, [{numpy.int64(3): numpy.float32(0.5), 1.0: 1}]),
    ("a place that JSON wrote", sparse, [{"3": 0.5, "1": 0}]),
    ("a matrix", sparse, scipy.sparse.csr_matrix(numpy.eye(2, 10))),
]:
    if name == "a matrix":
        made = SparseRows(given, 2, 10)
        said = (made.places.tolist(), made.values.tolist())
    else:
        try:
            said = call(given)
        except Refused as error:
            said = error
    print(f"{name}: {said}")
"#;

#[test]
fn what_is_no_number_is_refused_by_name() {
    let Some(python) = python() else { return };
    let modules = root().join("python");
    let run = list_refusals(&python, &modules);
    for (what, expected) in [
        ("masked rows in a list", "found a masked array with values behind its mask"),
        ("a masked row behind another", "found a masked array with values behind its mask"),
        ("masked vectors", "found a masked array with values behind its mask"),
        ("masked arrays without a mask", "1.0"),
        ("nothing among objects", "expected numbers, found None"),
        ("texts among objects", "expected numbers, found '2.5'"),
        ("texts", "expected rows as an array of numbers"),
        ("decimals", "1.5"),
        ("a fractional place", "expected integer indices from 0 to 9, found 1.7"),
        ("a place beyond the end", "expected integer indices from 0 to 9, found 10"),
        ("a place before the begin", "expected integer indices from 0 to 9, found -1"),
        ("a place twice", "expected each index once, found 1 twice"),
        ("no weight", "expected numbers, found None"),
        ("a text as a weight", "expected numbers, found '0.5'"),
        ("a masked weight", "expected numbers, found masked"),
        ("a place that is a number of numpy", "([1, 3], [1.0, 0.5])"),
        ("a place that JSON wrote", "([3], [0.5])"),
        ("a matrix", "([0, 1], [1.0, 1.0])"),
    ] {
        let line = run.lines().find(|line| line.starts_with(&format!("{what}: ")));
        assert!(line.is_some_and(|line| line.contains(expected)), "{what}: {run}");
    }
}

fn list_refusals(python: &Path, modules: &Path) -> String {
    let mut command = Command::new(python);
    let run = Run::of(command.env("PYTHONDONTWRITEBYTECODE", "1").args(["-c", TRIES]).arg(modules)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

const SUBSETS: [&str; 3] = ["ind", "jav", "sun"];

/// Runs the model `M` of `code` on three subsets, of which the second has the text `DEVOUR`.
fn run_code(folder: &Path, code: &str, arguments: &[&str]) -> Run {
    host_binary();
    fs::write(folder.join("mine.py"), code).unwrap();
    write_pair_card(folder, "Pairs", &SUBSETS).unwrap();
    for subset in SUBSETS {
        let word = if subset == "jav" { "DEVOUR" } else { "fine" };
        let pairs = [("a", subset, 1.0), (word, "b c", 2.0), ("d e f", "b c", 4.0)];
        write_pairs(folder, subset, pairs).unwrap();
    }
    let mut command = host(folder);
    command.args(["run", "--registry", "task.toml", "--json", "--model", "python:mine.py:M"]).args(arguments);
    Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap()
}

#[test]
fn memory_that_is_taken_without_end_costs_its_unit_and_none_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let code = "KEPT = []\nclass M:\n    def encode(self, texts):\n        KEPT.append(bytearray(4 << 20))\n        \
                while 'DEVOUR' in texts:\n            KEPT.append(bytearray(1 << 20))\n        \
                return [[1.0, float(len(text))] for text in texts]\n";
    let run = run_code(folder.path(), code, &["--worker-memory", "256M", "--no-cache"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let report = run.json().unwrap();
    let units = report["tasks"][0]["units"].as_array().unwrap();
    let states: Vec<&Value> = units.iter().map(|unit| &unit["state"]).collect();
    assert_eq!(states, ["scored", "failed", "scored"], "{}", run.stderr);
    let reason = units[1]["reason"].as_str().unwrap();
    let expected = "ran out of memory: MemoryError (mine.py, line 6); `--worker-memory` leaves it 256.0 MB";
    assert!(reason.contains(expected), "{reason}");
}

#[test]
fn a_batch_for_which_torch_finds_no_memory_is_halved() {
    let folder = tempfile::tempdir().unwrap();
    let code = "class M:\n    def encode(self, texts):\n        if len(texts) > 1:\n            \
                raise RuntimeError(\"[enforce fail at alloc_cpu.cpp:121] data. DefaultCPUAllocator: can't allocate memory: you \
                tried to allocate 274877906944 bytes. Error code 12 (Cannot allocate memory)\")\n        \
                return [[1.0, float(len(text))] for text in texts]\n";
    assert_eq!(scores(&run_code(folder.path(), code, &[])).len(), SUBSETS.len());
}

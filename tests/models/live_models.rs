//! Models that live in the caller's own process: an instance, a closure, a lambda or a class of a notebook is scored as its file would be, and
//! what it raises is raised where it was called.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host_binary, root};

/// What every program begins with. A class that is made by `exec` has no source, as one of a notebook.
const BEGIN: &str = "
import asyncio, os, signal, subprocess, sys, threading, time, traceback
import mteb_host

TASK = 'IndonesianGeneralSTS'

def rows(texts):
    return [[1.0] + [float(text.count(letter)) for letter in 'aeiou'] for text in texts]

exec('''
class Typed:
    def encode(self, texts):
        return rows(texts)
''')

def run(model, task=TASK, **options):
    return mteb_host.run(model, task, registry='indonesia', **{'quiet': True, **options})

def state(results):
    return results.report['tasks'][0]['units'][0]['state']
";

/// Runs a program in `folder`, and gives the lines that it prints.
pub fn lines(folder: &Path, program: &str) -> (Vec<String>, String) {
    fs::write(folder.join("program.py"), format!("{BEGIN}{program}")).unwrap();
    let mut command = Command::new("python3");
    command.arg("program.py").current_dir(folder).env("PYTHONPATH", root().join("python"));
    command.env("MTEB_HOST_BINARY", host_binary()).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("MTEB_HOST_CACHE", folder.join("cache")).env("MTEB_HOST_DATA", folder.join("data"));
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    (run.stdout.lines().map(str::to_owned).collect(), run.stderr)
}

#[test]
fn every_kind_of_object_gets_the_score_of_its_code_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class InFile:
    def encode(self, texts):
        return rows(texts)

class Asked(InFile):
    async def encode(self, texts):
        await asyncio.sleep(0)
        return rows(texts)

def closure(number):
    def encode(texts):
        return [row + [number] for row in rows(texts)]
    return encode

def factory():
    return InFile()

class Pairs:
    def predict(self, pairs):
        return [float(len(set(query.split()) & set(document.split()))) for query, document in pairs]

async def in_a_loop():
    return run(Asked())

expected = run(InFile)[0].main_score
print(run(InFile).model)
for model in (InFile(), Typed, Typed(), lambda texts: rows(texts), closure(0.0), factory(), rows, Asked()):
    found = run(model)
    print(found.model, found[0].main_score == expected)
print(asyncio.run(in_a_loop())[0].main_score == expected)
print(run(Pairs(), 'IndonesianHowToReranking')[0].main_score > 0.3)
found = []
threads = [threading.Thread(target=lambda: found.append(run(Typed(), output_folder=f'of{len(found)}'))) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print([results[0].main_score == expected for results in found])
print(run(InFile, live=True).model)
";
    let (found, _) = lines(folder.path(), program);
    let named = |name: &str| format!("live/{name} True");
    let expected = [
        "python:program.py:InFile".to_owned(),
        named("InFile"),
        named("Typed"),
        named("Typed"),
        named("function"),
        named("encode"),
        named("InFile"),
        named("rows"),
        named("Asked"),
        "True".to_owned(),
        "True".to_owned(),
        "[True, True, True]".to_owned(),
        "live/InFile".to_owned(),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_a_model_raises_is_raised_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Own(Exception):
    pass

class Late:
    asked = 0
    def encode(self, texts):
        self.asked += 1
        if self.asked > 1:
            raise Own('of its own')
        return rows(texts)

class AtOnce:
    def encode(self, texts):
        return self.missing

class Leaves:
    def encode(self, texts):
        raise SystemExit(3)

class TooFew:
    def encode(self, texts):
        return rows(texts[:1])

for model in (Late(), AtOnce(), Leaves(), TooFew(), object()):
    try:
        run(model)
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        notes = ''.join(getattr(error, '__notes__', []))
        print(type(error).__name__, '|', last.name, '|', type(getattr(error, 'mteb_host', None)).__name__, '|', TASK in notes)
results = run(Late(), raise_on_failure=False)
print(results.failures[0].failure.split(': ')[-2:])
";
    let (found, _) = lines(folder.path(), program);
    let has_notes = |line: &str| {
        if found[0].ends_with("True") { format!("{line} True") } else { format!("{line} False") }
    };
    assert_eq!(found[0], has_notes("Own | encode | UnitsFailed |"));
    assert_eq!(found[1], "AttributeError | encode | MtebHostError | False");
    assert_eq!(found[2], "SystemExit | encode | MtebHostError | False");
    assert!(found[3].starts_with("UnitsFailed | "), "{found:?}");
    assert!(found[4].starts_with("MtebHostError | "), "{found:?}");
    assert!(found[5].starts_with("['Own', 'of its own (program.py, line "), "{found:?}");
}

#[test]
fn what_an_async_model_raises_begins_in_its_own_code() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
async def counted(texts):
    await asyncio.sleep(0)
    return [len(text) // 0 for text in texts]

class Asked:
    async def encode(self, texts):
        return await asyncio.wait_for(counted(texts), 10)

class Plain:
    def encode(self, texts):
        return [len(text) // 0 for text in texts]

for model in (Plain(), Asked()):
    try:
        run(model)
    except ZeroDivisionError as error:
        frames = traceback.extract_tb(error.__traceback__)
        above = [frame.name for frame in frames]
        place = above.index('encode')
        print(above[:place], frames[place].filename.endswith('program.py'), frames[-1].line)
";
    let (found, _) = lines(folder.path(), program);
    let begins = "['<module>', 'run', 'run'] True return [len(text) // 0 for text in texts]";
    assert_eq!(found, [begins, begins]);
}

#[test]
fn a_model_is_kept_from_call_to_call_once_it_has_a_revision() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Says:
    name, revision = 'lab/says', '7'
    def encode(self, texts):
        return rows(texts)

print([state(run(Typed())), state(run(Typed()))])
named = {'name': 'lab/typed', 'revision': '1'}
print([state(run(Typed(), **named)), state(run(Typed(), **named)), state(run(Typed(), name='lab/typed', revision='2'))])
again = run(Typed(), overwrite='always', **named)
print(again.model, again.revision, again.report['texts']['from_cache'] == again.report['texts']['asked'])
print([state(run(Says())), state(run(Says())), run(Says()).revision])
print('---', file=sys.stderr)
run(Typed(), quiet=False)
print('---', file=sys.stderr)
run(Says(), quiet=False)
";
    let (found, said) = lines(folder.path(), program);
    assert_eq!(found[0], "['scored', 'scored']");
    assert_eq!(found[1], "['scored', 'found', 'scored']");
    assert_eq!(found[2], "lab/typed 1 True");
    assert_eq!(found[3], "['scored', 'found', '7']");
    let parts: Vec<usize> =
        said.split("---").map(|part| part.matches("give it `name=` and `revision=`").count()).collect();
    assert_eq!(parts, [0, 1, 0], "{said}");
    assert!(!said.contains("live:/"), "{said}");
}

#[test]
fn two_objects_of_one_name_and_revision_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
def weighted(weight):
    return lambda texts: [[weight * number for number in row] + [1.0] for row in rows(texts)]

class Counts:
    asked = 0
    def encode(self, texts):
        self.asked += 1
        return rows(texts)

def told(*models):
    print('---', file=sys.stderr)
    for model in models:
        run(model, name='lab/own', revision='1', quiet=False)

model = Counts()
told(model, model)
told(Counts())
told(weighted(2.0), weighted(3.0))

class Edited:
    def encode(self, texts):
        return rows(texts)

def own(model):
    run(model, name='lab/edited', revision='1', quiet=False)

print('---', file=sys.stderr)
own(Edited())
own(Edited())
print('---', file=sys.stderr)

class Edited:
    def encode(self, texts):
        return [[len(text), 1.0] for text in texts]

own(Edited())
own(Edited())
";
    let (_, said) = lines(folder.path(), program);
    let is_told = |part: &str| part.matches(" at revision 1 was a different object earlier").count();
    // The lambdas are others than the class before them, and an edited class is another in each call.
    assert_eq!(said.split("---").map(is_told).collect::<Vec<_>>(), [0, 0, 0, 2, 0, 2], "{said}");
}

#[test]
fn ctrl_c_reaches_the_model_and_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
signal.signal(signal.SIGINT, signal.default_int_handler)

class Slow:
    asked = 0
    def encode(self, texts):
        self.asked += 1
        if self.asked == 2:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(60)
        return rows(texts)

before = set(os.listdir('/proc'))
try:
    run(Slow())
except KeyboardInterrupt as error:
    print(traceback.extract_tb(error.__traceback__)[-1].name)
def told(name):
    try:
        return open(f'/proc/{name}/cmdline', 'rb').read()
    except OSError:
        return b''
def left():
    return [name for name in set(os.listdir('/proc')) - before if b'live:' in told(name)]
# A worker ends with its host, a moment later.
end = time.monotonic() + 30
while left() and time.monotonic() < end:
    time.sleep(0.1)
print(left())
print(run(Typed()).model)
";
    let (found, _) = lines(folder.path(), program);
    assert_eq!(found, ["encode", "[]", "live/Typed"]);
}

#[test]
fn processes_that_a_model_makes_neither_answer_nor_hold_up_the_host() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import multiprocessing

def row(text):
    return rows([text])[0]

class Pool:
    def encode(self, texts):
        with multiprocessing.get_context('fork').Pool(2) as pool:
            return pool.map(row, texts)

class Twice:
    def encode(self, texts):
        os.fork()
        return rows(texts)

class Stays:
    def encode(self, texts):
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
        return rows(texts)

expected = run(Typed())[0].main_score
for model in (Pool(), Twice(), Stays()):
    print(run(model)[0].main_score == expected)
";
    let (found, _) = lines(folder.path(), program);
    assert_eq!(found, ["True", "True", "True"]);
}

#[test]
fn what_is_no_model_is_told_what_it_is_and_what_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Older:
    def encode(self, sentences, task_name, prompt_type=None):
        return rows(sentences)

class Slow:
    def encode(self, texts):
        time.sleep(3)
        return rows(texts)

class Nothing:
    def encode(self, texts):
        return None

for model, options in ((['a', 'b'], {}), (Older(), {}), (Slow(), {'batch_timeout': 1}), (Nothing(), {}), (Slow(), {'device': 'cpu'})):
    try:
        print(run(model, **options))
    except mteb_host.MtebHostError as error:
        print(error)

class Model:
    name, revision = 'lab/model', '1'
    def encode(self, texts):
        return rows(texts)

run(Model(), quiet=False)
print('---', file=sys.stderr)
run(Model(), quiet=False)
";
    let (found, said) = lines(folder.path(), program);
    let expected = [
        "expected the name of a model, or an object with `encode`, `predict`, or `index` and `search`, found: list; \
         call `run` once for each model",
        "expected `encode(texts)`, or that of mteb 2, `encode(inputs, *, task_metadata, hf_split, hf_subset, \
         prompt_type=None, **kwargs)`, found that of mteb 1 in Older, with a required `task_name`; give it a default, \
         or leave it out",
        "model live/Slow: the model gave no answer for 1 s; a slow model needs a longer `batch_timeout=` or a smaller \
         `batch_tokens=`",
        "model live/Nothing: expected rows as an array of numbers, found None",
        "expected no `device=` with an object, which exists already, found: device='cpu'; set it when you create the object",
    ];
    assert_eq!(found, expected);
    let told = said
        .split("---")
        .map(|part| part.contains("1 of 1 unit scored before: read from results/lab__model/1"));
    assert_eq!(told.collect::<Vec<_>>(), [false, true], "{said}");
}

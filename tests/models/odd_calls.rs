//! Calls of the Python package whose model does what no model should: it never answers, ends the program, leaves its folder, raises odd texts,
//! has odd names. The call ends, and says why.

use super::live_models::lines;

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

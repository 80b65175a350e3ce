//! Objects with the reference's interface: its own baselines and wrappers, and a user's own class, get the scores that the reference gives them,
//! in the caller's process and through `--model mteb:FILE.py:NAME`. Needs `MTEB_PYTHON`.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host};

use super::live_library::list_lines;
use super::tiny::{tiny_models, write_cards};

/// Scores each model by the reference on the tasks that `mteb-host export` wrote, and by the host.
const COMPARED: &str = "
import contextlib, io, os, sys, tempfile, warnings

warnings.simplefilter('ignore')
sys.path.insert(0, 'exported')
import mteb, mteb_host
from mteb.models import CrossEncoderWrapper, MultiVectorWrapper, SentenceTransformerEncoderWrapper, SparseEncoderWrapper
from mteb.models.cache_wrappers import CachedEmbeddingWrapper
from mteb.models.instruct_wrapper import InstructSentenceTransformerModel
from tasks import task

STS, RERANKING = 'TinySTS', 'TinyReranking'
PROMPTS = {'query': 'ba: ', 'STS': 'do: '}

def baseline(name):
    return lambda: mteb.get_model_meta(f'mteb/baseline-random-{name}').load_model()

MODELS = {
    'random encoder': (baseline('encoder'), [STS, RERANKING]),
    'random cross-encoder': (baseline('cross-encoder'), [RERANKING]),
    'random sparse encoder': (baseline('sparse-encoder'), [STS, RERANKING]),
    'random several vectors': (baseline('colbert'), [RERANKING]),
    'sentence-transformers': (lambda: SentenceTransformerEncoderWrapper('prompted', '1', model_prompts=PROMPTS, device='cpu'), [STS, RERANKING]),
    'instructions': (
        lambda: InstructSentenceTransformerModel('prompted', '1', instruction_template='{instruction}: ', device='cpu'), [STS, RERANKING]
    ),
    'sparse': (lambda: SparseEncoderWrapper('sparse', '1', device='cpu'), [STS, RERANKING]),
    'several vectors': (lambda: MultiVectorWrapper('multi-vector', '1', device='cpu'), [RERANKING]),
    'cross-encoder': (lambda: CrossEncoderWrapper('cross-encoder', '1', device='cpu'), [RERANKING]),
    'router': (lambda: SentenceTransformerEncoderWrapper('router', '1', device='cpu'), [RERANKING]),
}
said = io.StringIO()
for name, (make, tasks) in MODELS.items():
    with contextlib.redirect_stdout(said):
        ours = mteb_host.run(make(), tasks, registry=[f'cards/{known}.toml' for known in tasks], quiet=True, output_folder=f'of {name}')
        found = mteb.evaluate(make(), [task(known) for known in tasks], cache=None, show_progress_bar=False)
    theirs = {result.task_name: float(result.get_score()) for result in found.task_results}
    # Rankings are equal; a correlation is written with six digits.
    print(name, [abs(ours[known].main_score - theirs[known]) < 6e-7 or (ours[known].main_score, theirs[known]) for known in tasks])
";

#[test]
fn baselines_and_wrappers_of_the_reference_get_its_own_scores() {
    let Some((python, folder)) = tiny_models() else { return };
    // In words that the models know. Of others many texts would be equal to them, and the last bit, which the padding of a batch changes,
    // would order these.
    write_cards(folder.path());
    let tasks = ["--registry", "cards/TinySTS.toml", "--registry", "cards/TinyReranking.toml"];
    let exported = Run::of(host(folder.path()).args(["export", "--to", "exported"]).args(tasks)).unwrap();
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let found = list_lines(&python, folder.path(), COMPARED);
    assert_eq!(found.len(), 10, "{found:?}");
    assert!(found.iter().all(|line| line.ends_with("[True]") || line.ends_with("[True, True]")), "{found:?}");
}

/// A class in the reference's form whose rows tell which role and task it was asked for; its similarity is a function.
const OWN: &str = "
class Own:
    def __init__(self, model_name, revision, *, device=None):
        self.revision = '3'

    def encode(self, inputs, *, task_metadata, hf_split, hf_subset, prompt_type=None, **kwargs):
        begin = getattr(prompt_type, 'value', 'none') + task_metadata.name
        texts = [text for batch in inputs for text in batch['text']]
        return [[1.0 + len(begin)] + [float((begin + text).count(letter)) for letter in 'aeiou'] for text in texts]

    def similarity(self, one, other):
        return [[sum(a * b for a, b in zip(row, column)) for column in other] for row in one]

class Square(Own):
    def similarity(self, one, other):
        return [[number ** 2 for number in row] for row in super().similarity(one, other)]
";

#[test]
fn a_class_with_the_references_interface_is_the_same_live_and_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("own.py"), OWN).unwrap();
    let program = "
import mteb_host
from own import Own, Square

def run(model, **options):
    return mteb_host.run(model, ['IndonesianGeneralSTS', 'IndonesianHowToReranking'], registry='indonesia', quiet=True, **options)

live = run(Own('x', None), output_folder='live')
print([round(unit.main_score, 3) > 0 for unit in live], live.revision)
print([unit.main_score for unit in run(Own, live=True, output_folder='made')] == [unit.main_score for unit in live])
print(run(Own('x', None), output_folder='live').report['tasks'][0]['units'][0]['state'])
try:
    run(Square('x', None))
except mteb_host.MtebHostError as error:
    print('found another function' in str(error))
";
    let found = list_lines("python3".as_ref(), folder.path(), program);
    assert_eq!(found, ["[True, True] 3", "True", "found", "True"]);
}

/// Writes four pairs, and beside them the card of a task of this name over them.
fn write_pairs(folder: &Path, task: &str) {
    let pairs = "sentence1,sentence2,score\na b,b a,1\nc,d,0\ne f,i i,3\nu,o o,2\n";
    fs::write(folder.join("pairs.csv"), pairs).unwrap();
    let card = format!(
        "schema = 1\nname = \"{task}\"\ntype = \"STS\"\ndescription = \"Made.\"\nlanguages = [\"eng-Latn\"]\n\
         [dataset]\npath = \"pairs.csv\"\n"
    );
    fs::write(folder.join("card.toml"), card).unwrap();
}

#[test]
fn a_file_with_the_references_interface_runs_tasks_that_the_reference_does_not_know() {
    let Some(python) = mteb_host_tests::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let own = "
class Own:
    name, revision = 'me/own', '1'

    def encode(self, inputs, *, task_metadata, hf_split, hf_subset, prompt_type=None, **kwargs):
        begin = f'{task_metadata.name} {task_metadata.type} {task_metadata.eval_langs} {task_metadata.prompt}'
        texts = [text for batch in inputs for text in batch['text']]
        return [[1.0 + len(begin)] + [float(text.count(letter)) for letter in 'aeiou'] for text in texts]
";
    fs::write(folder.path().join("own.py"), own).unwrap();
    write_pairs(folder.path(), "MySTS");
    let program = "
import mteb_host
from own import Own

for task, registry in (('IndonesianGeneralSTS', 'indonesia'), ('MySTS', 'card.toml')):
    found = [
        mteb_host.run(model, task, registry=registry, quiet=True, live=live, output_folder=folder)
        for model, live, folder in ((Own, None, 'file'), (Own, True, 'live'), ('mteb:own.py:Own', None, 'named'))
    ]
    print({(results.model, results.revision) for results in found}, len({results[0].main_score for results in found}))
";
    assert_eq!(list_lines(&python, folder.path(), program), ["{('me/own', '1')} 1"; 2]);
}

#[test]
fn a_model_that_the_reference_loads_may_be_called_otherwise() {
    let Some(python) = mteb_host_tests::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    write_pairs(folder.path(), "STSBenchmark");
    let run = |arguments: &[&str]| {
        let mut command: Command = host(folder.path());
        command.args(["run", "--registry", "card.toml", "--json", "--python"]).arg(&python);
        let run = Run::of(command.args(arguments)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run
    };
    let name = "mteb/baseline-random-encoder";
    let native = run(&["--model", "random"]).json().unwrap();
    let model = format!("mteb:{name}");
    let called = run(&["--model", &model, "--name", "lab/random"]);
    let called_report = called.json().unwrap();
    assert_eq!((&native["model"], &called_report["model"]), (&name.into(), &"lab/random".into()));
    assert_eq!(native["mean_task"], called_report["mean_task"], "it is the same baseline");
    assert!(!called.stderr.contains("of the same name and revision"), "{}", called.stderr);
    let again = run(&["--model", "random"]).json().unwrap();
    assert_eq!(again["tasks"][0]["units"][0]["state"], "found", "{again}");
}

#[test]
fn a_name_of_what_only_searches_is_told_what_works() {
    let folder = tempfile::tempdir().unwrap();
    let own = "
class Searches:
    mteb_model_meta = None
    def index(self, corpus, *, task_metadata, hf_split, hf_subset, encode_kwargs, num_proc=None):
        pass
    def search(self, queries, *, task_metadata, hf_split, hf_subset, top_k, encode_kwargs, top_ranked=None, num_proc=None):
        return {}

searches = Searches()
";
    fs::write(folder.path().join("own.py"), own).unwrap();
    let program = "
import mteb_host

for model in ('mteb:own.py:searches', 'mteb:own.py:Searches', 'python:own.py:searches'):
    try:
        mteb_host.run(model, 'IndonesianHowToReranking', registry='indonesia', quiet=True)
    except mteb_host.MtebHostError as error:
        said = ('`index` and `search`)', 'import mteb_host, own; mteb_host.run(own.', 'mteb-host score --rankings FILE')
        print(all(words in str(error) for words in said))
";
    let found = list_lines("python3".as_ref(), folder.path(), program);
    assert_eq!(found, ["True"; 3]);
}

#[test]
fn a_file_with_the_references_interface_is_a_model_of_the_command_line() {
    let Some(python) = mteb_host_tests::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let own = "
import mteb

class Own:
    revision = '1'
    def encode(self, inputs, *, task_metadata, hf_split, hf_subset, prompt_type=None, **kwargs):
        return [[1.0] + [float(text.count(letter)) for letter in 'aeiou'] for batch in inputs for text in batch['text']]

baseline = mteb.get_model_meta('mteb/baseline-random-encoder').load_model()
";
    fs::write(folder.path().join("own.py"), own).unwrap();
    write_pairs(folder.path(), "STSBenchmark");
    for name in ["Own", "baseline"] {
        let model = format!("mteb:own.py:{name}");
        let mut command: Command = host(folder.path());
        command.args(["run", "--registry", "card.toml", "--json", "--model", &model, "--python"]);
        let run = Run::of(command.arg(&python)).unwrap();
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        let report = run.json().unwrap();
        assert!(report["mean_task"].is_f64(), "{report}");
        let expected = if name == "Own" { "mteb:own.py:Own" } else { "mteb/baseline-random-encoder" };
        assert_eq!(report["model"], expected);
    }
}

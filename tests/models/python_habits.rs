//! What people bring to the Python package from mteb: names of arguments, splits of their own, files of
//! results, callbacks of their trainer.

use std::fs;

use mteb_host_tests::{Run, python as interpreter, shared};

use super::python_package::{command_of, python};

#[test]
fn arguments_that_only_mteb_has_are_told_in_words_of_python() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host
def told(call):
    try:
        call()
    except (TypeError, mteb_host.MtebHostError) as error:
        print(type(error).__name__, error)
def run(**options):
    return lambda: mteb_host.run('hashing', 'IndonesianGeneralSTS', registry='indonesia', quiet=True, **options)
told(run(batch_size=32))
told(run(encode_kwargs={'batch_size': 32}))
told(lambda: mteb_host.get_tasks(task_types=['STS']))
told(run(batch_tokns=32))
told(run(max_tokens='many'))
told(run(overwrite=True))
told(run(types='SST'))
told(lambda: mteb_host.compare('a', 'b', output_folder='results'))
";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!(run.stdout, @r"
    TypeError unexpected argument `batch_size=`, which is one of mteb; `batch_tokens=N` bounds a batch by its tokens; without it the model or the host chooses
    TypeError unexpected argument `encode_kwargs=`, which is one of mteb; `batch_tokens=N` bounds a batch by its tokens; other settings belong to the object, set when it is made
    TypeError unexpected argument `task_types=`, which is one of mteb; write `types=`
    MtebHostError unexpected argument `batch_tokns=`; a similar argument exists: `batch_tokens=`
    MtebHostError invalid value 'many' for `max_tokens=`: expected a whole number of at least 1
    MtebHostError expected a value of `overwrite=`, found True; possible values: never, missing, always
    MtebHostError expected a task type among BitextMining, Classification, MultilabelClassification, Clustering, PairClassification, Reranking, Retrieval, STS, Summarization, InstructionRetrieval, InstructionReranking, Regression; found: SST (near it: STS)
    TypeError unexpected argument `output_folder=`; write `results=` for the folder with result files
    ");
}

#[test]
fn benchmarks_are_names_or_objects_wherever_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host

pack = mteb_host.get_benchmarks(registry='indonesia')['Indonesia-MTEB(diagnostic)']
def run(*given, **options):
    report = mteb_host.run('hashing', *given, registry='indonesia', quiet=True, dry_run=True, **options).report
    return sorted(task['task'] for task in report['tasks'])

expected = run(benchmark=pack.name)
print(len(expected) > 1, run(benchmark=pack) == expected, run(tasks=pack) == expected, run(pack) == expected, run(pack, benchmark=pack.name) == expected)
print(sorted(mteb_host.get_tasks(benchmark=pack, registry='indonesia').names) == sorted(pack.tasks))
task = mteb_host.get_tasks('IndonesianGeneralSTS', registry='indonesia')
print(run(tasks=task), mteb_host.get_tasks(task, registry='indonesia').names)
for call in (lambda: run(benchmark=3), lambda: run(tasks=pack, benchmark='MTEB(eng, v2)'), lambda: run(tasks=3)):
    try:
        call()
    except TypeError as error:
        print(error)
";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "True True True True True");
    assert_eq!(lines[1], "True");
    assert_eq!(lines[2], "['IndonesianGeneralSTS'] ['IndonesianGeneralSTS']");
    assert_eq!(lines[3], "expected the name of a benchmark, or a benchmark of `get_benchmarks`, found: 3");
    assert!(
        lines[4].starts_with("expected one benchmark, found `tasks` of ")
            && lines[4].ends_with(" and `benchmark` MTEB(eng, v2)"),
        "{lines:?}"
    );
    assert_eq!(lines[5], "expected names of tasks, or tasks of `get_tasks`, found: 3");
}

#[test]
fn functions_and_attributes_that_only_mteb_has_are_told_in_words_of_python() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import copy, pickle
import mteb_host

results = mteb_host.Results('m', '1', '', [])
for call in (
    lambda: mteb_host.evaluate,
    lambda: mteb_host.get_task('STSBenchmark'),
    lambda: mteb_host.rnu,
    lambda: results.task_results,
    lambda: results.to_dataframe(),
    lambda: results.unts,
    lambda: mteb_host.get_models(model_names=['m']),
    lambda: mteb_host.run('hashing', 'SciFact', overwrite_results=True),
):
    try:
        call()
    except (AttributeError, TypeError) as error:
        print(error)
print(copy.deepcopy(results) == pickle.loads(pickle.dumps(results)) == results, hasattr(results, 'task_results'))
";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!(run.stdout, @r#"
    mteb_host has no `evaluate`; write `mteb_host.run(model, tasks)`
    mteb_host has no `get_task`; write `mteb_host.get_tasks(NAME)[0]`
    module 'mteb_host' has no attribute 'rnu'
    Results has no `task_results`; write `results[TASK]` or `units`, or `to_mteb().task_results` for all scores
    Results has no `to_dataframe`; write `to_pandas()`
    'Results' object has no attribute 'unts'
    unexpected argument `model_names=`, which is one of mteb; index the listing by name, as `mteb_host.get_models()[NAME]`
    unexpected argument `overwrite_results=`, which is one of mteb; write `overwrite="always"`
    True False
    "#);
}

#[test]
fn result_files_of_mteb_are_read_without_a_description_of_their_model() {
    let folder = tempfile::tempdir().unwrap();
    let entry =
        r#"{"hf_subset": "default", "languages": ["eng-Latn"], "main_score": 0.5, "cosine_spearman": 0.5}"#;
    let file = format!(
        r#"{{"task_name": "STS12", "dataset_revision": "1", "mteb_version": "2.26.24", "scores": {{"test": [{entry}]}}}}"#
    );
    for place in ["plain", "below/org__model/abc", "empty"] {
        fs::create_dir_all(folder.path().join(place)).unwrap();
    }
    fs::write(folder.path().join("plain/STS12.json"), &file).unwrap();
    fs::write(folder.path().join("plain/other.json"), "[1]").unwrap();
    fs::write(folder.path().join("below/org__model/abc/STS12.json"), &file).unwrap();
    let program = "import mteb_host
for folder in ('plain', 'below', 'empty'):
    found = mteb_host.load_results(folder)
    print([(results.model, results.revision, results['STS12'].main_score) for results in found])
";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout, "[('plain', '', 0.5)]\n[('org/model', 'abc', 0.5)]\n[]\n");
    assert_eq!(
        run.stderr,
        "empty: expected result files `TASK.json` with scores in it or in folders below, found no JSON file\n"
    );
}

#[test]
fn a_callback_refuses_what_is_no_function_of_the_trainers_model() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import sys, types
library = types.ModuleType('transformers')
library.TrainerCallback = object
sys.modules['transformers'] = library
from mteb_host.transformers import Callback

class Module:
    def encode(self, texts):
        return [[1.0] for text in texts]
    def __call__(self, batch):
        return batch

for encoder in (Module(), 3, Module, lambda model: model.encode, None):
    try:
        Callback('STSBenchmark', encoder=encoder)
        print('taken')
    except TypeError as error:
        print(error)
";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!(run.stdout, @r"
    expected `encoder` to be a function that is given the trainer's model and returns a model for `mteb_host.run`, found an object of Module; leave it out if the trainer's model is one already, else write `encoder=lambda model: …`
    expected `encoder` to be a function that is given the trainer's model and returns a model for `mteb_host.run`, found an object of int; leave it out if the trainer's model is one already, else write `encoder=lambda model: …`
    taken
    taken
    taken
    ");
}

/// A task of mteb as `mteb.get_tasks(…, eval_splits=…)` gives it, which needs no mteb.
const TASK: &str = "
import types
import mteb_host

def task(name, splits, languages=None, subsets=None):
    about = types.SimpleNamespace(name=name, eval_splits=['test'], eval_langs=languages or ['eng-Latn'])
    return types.SimpleNamespace(metadata=about, eval_splits=splits, hf_subsets=subsets)
";

#[test]
fn a_split_that_the_card_does_not_list_is_scored_or_refused() {
    let Some(shared) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = format!(
        "{TASK}
def scored(tasks):
    results = mteb_host.run('random', tasks, hub_dir={:?}, quiet=True)
    return [(unit.task, unit.split, round(unit.main_score, 6)) for unit in results]

both = scored(['STSBenchmark@validation', 'IndonesianGeneralSTS'])
print([(name, split) for name, split, _ in both])
print(scored([task('STSBenchmark', ['validation'])]) == scored('STSBenchmark@validation') == both[:1])
print(sorted(split for _, split, _ in scored(task('STSBenchmark', ['test', 'validation']))))
print(scored('STSBenchmark'))
try:
    scored('STSBenchmark@other')
except mteb_host.UnitsFailed as failed:
    print('no split `other`; there is train, validation, test' in str(failed))
",
        shared.join("hub").display().to_string()
    );
    let run = python(folder.path(), &program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "[('STSBenchmark', 'validation'), ('IndonesianGeneralSTS', 'test')]");
    assert_eq!(lines[1], "True");
    assert_eq!(lines[2], "['test', 'validation']");
    assert_eq!(lines[3], "[('STSBenchmark', 'test', 0.030174)]");
    assert_eq!(lines[4], "True");
}

#[test]
fn a_card_with_no_other_splits_is_refused_with_the_splits_that_it_has() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("pairs.csv"),
        "sentence1,sentence2,score\na b,a c,0.5\na,b,0.1\nc,c,0.9\n",
    )
    .unwrap();
    let card = "schema = 1\nname = \"Mine\"\ntype = \"STS\"\nmain_score = \"cosine_spearman\"\ndescription = \"Pairs.\"\n\
                eval_splits = [\"test\"]\nlanguages = [\"eng-Latn\"]\n[dataset]\npath = \"pairs.csv\"\n";
    std::fs::write(folder.path().join("mine.toml"), card).unwrap();
    let program = format!(
        "{TASK}
mine = mteb_host.get_tasks(registry='mine.toml')
print(mteb_host.run('hashing', mine, quiet=True).tasks, mteb_host.run('hashing', [*mine, 'IndonesianGeneralSTS'], quiet=True).tasks)
for call in (
    lambda: mteb_host.run('hashing', 'Mine@validation', registry='mine.toml', quiet=True),
    lambda: mteb_host.run('hashing', task('IndonesianGeneralSTS', ['validation']), quiet=True),
    lambda: mteb_host.run('hashing', 'STSBenchmark', registry='indonesia', quiet=True),
    lambda: mteb_host.get_tasks('STSBenchmark', registry='indonesia'),
):
    try:
        print(call())
    except mteb_host.MtebHostError as error:
        print(error)
"
    );
    let run = python(folder.path(), &program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!(run.stdout, @r#"
    ['Mine'] ['Mine', 'IndonesianGeneralSTS']
    expected a split of Mine that its card lists (test), found: validation; write `eval_splits = ["validation"]` in mine.toml
    expected a split of IndonesianGeneralSTS that its card lists (test), found: validation
    expected a task of the registry indonesia, found: STSBenchmark; leave out `registry`
    expected a task of the registry indonesia, found: STSBenchmark; leave out `registry`
    "#);
}

#[test]
fn subsets_that_mteb_has_chosen_are_drawn_as_mteb_draws_them() {
    let Some(shared) = shared() else { return };
    let Some(interpreter) = interpreter() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = format!(
        "import mteb, mteb_host
hub = {:?}
def scored(tasks, **options):
    return mteb_host.run('random', tasks, hub_dir=hub, quiet=True, overwrite='always', **options)[0].main_score

tasks = mteb.get_tasks(tasks=['SIB200ClusteringS2S'], languages=['ind'])
print(scored(tasks) == scored('SIB200ClusteringS2S:ind_Latn', draws='selected'))
",
        shared.join("hub").display().to_string()
    );
    let run = Run::of(&mut command_of(&interpreter, folder.path(), &program)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout, "True\n");
}

//! Splits that the caller of the package chooses, be they on a task's card or not.

use super::python_package::{command_of, python};
use mteb_host_tests::{Run, python as interpreter, shared};

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

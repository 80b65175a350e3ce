//! The package `mteb_host` beside `run`: what the program knows as objects, results, its documented examples, and how it is installed.

use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, python, root, skip};

use super::live_library::list_lines;

/// The modules of the package whose documentation has examples, as Python writes a tuple.
pub const WITH_EXAMPLES: &str = "('_catalog', '_chosen', '_exported', '_given', '_habits', '_html', '_options', '_plan', '_results', '_said', '_training', '_units', '_visible')";

#[test]
fn tasks_benchmarks_and_models_are_objects_with_all_metadata() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import mteb_host
from mteb_host import get_benchmarks, get_models, get_tasks

tasks = get_tasks(registry='indonesia', types='STS')
print(tasks.names, tasks[0].type, tasks['IndonesianGeneralSTS'].main_score, tasks[0] in tasks, len(tasks[:2]))
task = get_tasks('STSBenchmark', registry='mteb')[0]
print(task.domains, task.date, task.licence, task.languages, task.card()['dataset']['hub'])
print('STSBenchmark' in get_tasks(registry='mteb', types='STS', domains='news', languages='eng', since=2021))
print('STSBenchmark' in get_tasks(registry='mteb', types='STS', since='2022-01-01'), len(get_tasks(registry='mteb', domains=['Legal'], types='STS')))
print('STSBenchmark' in get_benchmarks()['MTEB(eng, v1)'].get_tasks())
card = get_models()['sentence-transformers/all-MiniLM-L6-v2']
print(card.dimension, card.parameters, card.is_cross_encoder, card.metadata['license'])
print([name for name in get_models().names if name.startswith('live:')])
for wrong in ({'domains': 'Klingon'}, {'languages': 'klingon'}, {'licences': 'none at all'}):
    try:
        print(get_tasks(registry='indonesia', **wrong))
    except mteb_host.MtebHostError as error:
        print(error.exit_code, 'lingon' in str(error) or 'none at all' in str(error))
";
    let found = list_lines("python3".as_ref(), folder.path(), program);
    let expected = [
        "['IndonesianGeneralSTS', 'IndonesianHeadlineSTS', 'IndonesianSocialSTS', 'IndonesianTechnicalSTS'] STS cosine_spearman True 2",
        "('Blog', 'News', 'Written') ('2021-01-01', '2021-12-31') not specified ('eng-Latn',) mteb/stsbenchmark-sts",
        "True",
        "False 0",
        "True",
        "384 22713216 False apache-2.0",
        "[]",
        "2 True",
        "2 True",
        "2 True",
    ];
    assert_eq!(found, expected);
}

#[test]
fn results_iterate_are_indexed_print_short_and_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import mteb_host

TASKS = ['IndonesianGeneralSTS', 'IndonesianHowToReranking']
print(mteb_host.run('hashing', TASKS, registry='indonesia', quiet=True, dry_run=True).report['tasks'][1]['units'])
results = mteb_host.run('hashing', mteb_host.get_tasks(TASKS, registry='indonesia'), registry='indonesia', quiet=True)
other = mteb_host.run('random', TASKS, registry='indonesia', quiet=True)
print([unit.task for unit in results] == TASKS, len(results), results[0].task, results[TASKS[1]][0].split)
print(results)
print(results._repr_html_().count('<tr>'), '<script>' in mteb_host.Results('<script>', '', '')._repr_html_())
again = mteb_host.load_results()
print(again)
print(again['mteb-host/hashing'].units == results.units)
print(mteb_host.compare(results, other, registry='indonesia')['tasks_won_tied_lost']['lost'])
print(sorted(mteb_host.stats('IndonesianGeneralSTS', registry='indonesia'))[:2] != [])
import os
os.rename('results', 'moved')
for call in (lambda: results['NoTask'], lambda: again['no model'], lambda: mteb_host.load_results('nowhere'), results.to_mteb):
    try:
        print(call())
    except (KeyError, mteb_host.MtebHostError) as error:
        print(type(error).__name__, error)
";
    let mut found = list_lines("python3".as_ref(), folder.path(), program);
    assert_eq!(found.remove(0), "1", "what a run would do is in the report");
    assert_eq!(found[0], "True 2 IndonesianGeneralSTS test");
    assert!(found[1].starts_with("<Results of mteb-host/hashing: IndonesianGeneralSTS 0."), "{found:?}");
    assert_eq!(found[2], "3 False");
    assert_eq!(found[3], "<results of 2 models: mteb-host/hashing, mteb/baseline-random-encoder>");
    assert_eq!(found[4], "True");
    assert_eq!(found[5..7], ["2", "True"]);
    assert_eq!(
        found[7..],
        [
            "KeyError 'expected the name of a task of these results, found: NoTask (known: IndonesianGeneralSTS, IndonesianHowToReranking)'",
            "KeyError 'expected the name of a model with results in this folder, found: no model (known: mteb-host/hashing, mteb/baseline-random-encoder)'",
            "MtebHostError expected a folder with results, found none: nowhere",
            &format!(
                "MtebHostError {}/results/mteb-host__hashing/1: expected the result files of 2 tasks, found none of \
                 IndonesianGeneralSTS, IndonesianHowToReranking; `mteb_host.load_results(FOLDER)` reads a folder that was moved",
                folder.path().canonicalize().unwrap().display()
            )
        ]
    );
}

/// The calls of the page "Coming from mteb", on both sides, where both can be made without a network.
#[test]
fn the_calls_of_mteb_have_those_that_the_page_says() {
    let Some(python) = python() else { return };
    let page = std::fs::read_to_string(root().join("docs/coming-from-mteb.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = r#"
import contextlib, io, sys, warnings
warnings.simplefilter("ignore")
with contextlib.redirect_stdout(io.StringIO()):
    import mteb, mteb_host
pairs = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| `mteb.get_")]
asked = [[side.strip("`") for side in pair] for pair in pairs]

def names(found):
    found = list(found)
    return {getattr(item, "name", None) or item.metadata.name for item in found}

for theirs, ours in asked:
    one, other = eval(theirs), eval(ours)
    if isinstance(one, (str, int)):
        print(one == other, theirs)
    else:
        # Of theirs all that run here; ours has tasks of other registries, and those that newer ones take the place of.
        one, other = names(one), names(other)
        known = set(mteb_host.get_tasks().names) | set(mteb_host.get_benchmarks().names)
        print(len(one & other) > 0 and one & known <= other, theirs)
model = mteb.get_model("mteb/baseline-random-encoder")
results = mteb_host.run(model, "IndonesianGeneralSTS", registry="indonesia", quiet=True)
from mteb_host._chosen import chosen
print(chosen(mteb.get_tasks(tasks=["STSBenchmark"])) == (["STSBenchmark"], None), "tasks")
print(chosen(mteb.get_tasks(tasks=["NusaX-senti"], languages=["ind"])) == (["NusaX-senti:ind"], None), "tasks of a language")
print(chosen(mteb.get_benchmark("MTEB(eng, v2)")) == (None, "MTEB(eng, v2)"), "a benchmark")
print(chosen(None, mteb.get_benchmark("MTEB(eng, v2)")) == (None, "MTEB(eng, v2)"), "a benchmark by its own name")
narrowed = mteb_host.get_tasks("NusaX-senti", registry="mteb", languages="jav")
print(chosen(narrowed)[0] == ["NusaX-senti@test:jav"], "our own")
import os
os.mkdir("elsewhere")
os.chdir("elsewhere")
print(results.to_mteb().task_results[0].get_score() == results["IndonesianGeneralSTS"].main_score, "to_mteb")
"#;
    let program = format!("PAGE = {page:?}\n{program}");
    let found = list_lines(&python, folder.path(), &program);
    assert!(found.len() >= 7 && found.iter().all(|line| line.starts_with("True ")), "{found:?}");
}

#[test]
fn the_examples_of_the_package_do_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let program = format!(
        "
import doctest, importlib
for name in {WITH_EXAMPLES}:
    found = doctest.testmod(importlib.import_module('mteb_host.' + name))
    print(found.failed, found.attempted > 0)
"
    );
    let found = list_lines("python3".as_ref(), folder.path(), &program);
    assert_eq!(found, ["0 True"; 13]);
}

#[test]
fn the_types_of_the_package_are_strict() {
    let Some(python) = python() else { return };
    let Ok(run) =
        Run::of(Command::new("pyright").arg("-p").arg(root().join("python")).arg("--pythonpath").arg(python))
    else {
        return skip(
            "no program pyright on the path (`pip install 'pyright[nodejs]'`), which checks the types of the package",
        );
    };
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_package_is_installed_from_its_folder_beside_a_built_host() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    // What pip writes while it builds stays beside the copy.
    let source = folder.path().join("python");
    let copied = Run::of(Command::new("cp").arg("-r").arg(root().join("python")).arg(&source)).unwrap();
    assert_eq!(copied.code, Some(0), "{}", copied.stderr);
    let installed = folder.path().join("installed");
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--target",
    ]);
    let run = Run::of(pip.arg(&installed).arg(&source)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let program = format!(
        "import sys\nsys.path.insert(0, {installed:?})\nimport mteb_host\nprint(mteb_host.__file__.startswith({installed:?}))\n\
         print(mteb_host.run(lambda texts: [[1.0, float(len(text))] for text in texts], 'IndonesianGeneralSTS', registry='indonesia', quiet=True))\n"
    );
    let found = list_lines(&python, folder.path(), &program);
    assert_eq!(found[0], "True");
    assert!(found[1].starts_with("<Results of live/function: "), "{found:?}");
    assert!(Path::new(&installed).join("mteb_host/py.typed").is_file());
}

#[test]
fn boards_comparisons_limits_and_plans_are_shown_as_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import mteb_host

TASKS = ['IndonesianGeneralSTS', 'IndonesianHeadlineSTS']
def run(model, **options):
    return mteb_host.run(model, TASKS, quiet=True, output_folder='made', **options)

print(run('hashing', dry_run=True))
first, second = run('hashing'), run('random')
print(run('hashing', limit=5), run('hashing', limit=5).limit, 'limit' in run('hashing', limit=5).rows()[0])
print(run('hashing', dimensions=[256, 64]))
comparison = mteb_host.compare(first, second)
print(comparison)
print('p = 0.5' in comparison._repr_html_(), len(comparison['tasks']))
board = mteb_host.leaderboard('made', registry='indonesia')
print(board)
print(board[0]['model'], '2 of 34' in board._repr_html_())
for call in (lambda: mteb_host.compare('hashing', object()), lambda: mteb_host.compare('a', 'b', results='made')):
    try:
        print(call())
    except (TypeError, mteb_host.MtebHostError) as error:
        print(type(error).__name__, str(error).split(' (known')[0])
";
    let found = list_lines("python3".as_ref(), folder.path(), program);
    assert!(found[0].starts_with("<Plan: 2 of 2 units of 2 tasks would be scored, at most 3,"), "{found:#?}");
    assert!(
        found[1].starts_with("<Results of mteb-host/hashing, limited to 5 items of each task: "),
        "{found:#?}"
    );
    assert!(found[1].ends_with("> 5 True"), "{found:#?}");
    assert!(found[2].contains(" (256), ") && found[2].ends_with(" (64)>"), "{found:#?}");
    assert!(found[3].starts_with("Task ") && found[6].starts_with("Mean(Task) "), "{found:#?}");
    assert!(
        found[7].starts_with("95 % interval of the difference -1.") && found[7].ends_with(", p = 0.5"),
        "{found:#?}"
    );
    assert_eq!(found[8], "mteb/baseline-random-encoder won 0, tied 0 and lost 2 of 2 tasks");
    assert_eq!(found[9], "True 2");
    assert!(
        found[10].contains("  Mean (in common)  Tasks  ") && found[11].contains("  2 of 34  "),
        "{found:#?}"
    );
    assert_eq!(
        found[15..],
        [
            "Only models with all 34 tasks have ranks and means; the mean in common is over 2 of them.",
            "`task=` chooses tasks that have results.",
            "mteb-host/hashing True",
            "TypeError expected the name of a model, or `Results` of `run` or `load_results`, found: object",
            "MtebHostError made: expected a model with results, found: a",
        ]
    );
}

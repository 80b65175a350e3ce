//! Objects that only search, by mteb's protocol: `mteb_host.run` gives them the data of ranking
//! tasks, and scores what they find.

use std::fs;

use mteb_host_tests::{Run, host, python};

use super::live_library::list_lines;
use super::live_models::lines;
use super::python_package::command_of;

/// A model that searches by the vectors of an encoder, and that encoder. Counts of letters are
/// whole numbers, of which all sums are exact.
const BEGIN: &str = "
class Encodes:
    similarity = 'dot'
    def encode(self, texts):
        return [[float(text.count(letter)) for letter in 'abcdefghijklmnopqrstuvwxyz'] for text in texts]

class Searches:
    mteb_model_meta = None

    def index(self, corpus, *, task_metadata, hf_split, hf_subset, encode_kwargs, num_proc=None):
        texts = [(row['title'] + ' ' + row['text']).strip() for row in corpus]
        self.rows = dict(zip(corpus['id'], Encodes().encode(texts)))
        self.told = (task_metadata.name, task_metadata.type, hf_split, hf_subset)

    def search(self, queries, *, task_metadata, hf_split, hf_subset, top_k, encode_kwargs, top_ranked=None, num_proc=None):
        found = {}
        for query, row in zip(queries['id'], Encodes().encode(queries['text'])):
            wanted = self.rows if top_ranked is None else top_ranked[query]
            scores = {document: sum(a * b for a, b in zip(row, self.rows[document])) for document in wanted}
            best = sorted(scores, key=lambda document: (scores[document], document), reverse=True)
            found[query] = {document: scores[document] for document in best[:top_k]}
        return found

TASKS = ['IndonesianLawRetrieval', 'IndonesianHowToReranking']
";

#[test]
fn a_model_that_searches_gets_the_scores_of_the_encoder_that_it_searches_with() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
expected = run(Encodes(), TASKS)
model = Searches()
found = run(model, TASKS, output_folder='searched', name='lab/searches', revision='1')
print([round(unit.main_score, 6) for unit in found] == [round(unit.main_score, 6) for unit in expected], model.told)
print([(unit.task, unit.metric) for unit in found] == [(unit.task, unit.metric) for unit in expected])
again = mteb_host.load_results('searched')['lab/searches']
print(again.revision, again.tasks == sorted(TASKS), found.folder == os.path.abspath(again.folder))
board = mteb_host.leaderboard('searched', task=TASKS)
print(board[0]['model'], board[0]['mean_task'] is not None)

class Late(Searches):
    def _encode(self, texts):
        return texts
    async def search(self, queries, **given):
        await asyncio.sleep(0)
        return super().search(queries, **given)

made = run(Late, TASKS[1], output_folder='made')
print(made[0].main_score == found[1].main_score, made.model, made.revision.startswith('unnamed-'))
";
    let (found, said) = lines(folder.path(), &format!("{BEGIN}{program}"));
    let expected = [
        "True ('IndonesianHowToReranking', 'Reranking', 'test', 'default')",
        "True",
        "1 True True",
        "lab/searches True",
        "True live/Late True",
    ];
    assert_eq!(found, expected, "{said}");
}

#[test]
fn what_a_model_that_searches_cannot_do_is_said_before_it_searches() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Fails(Searches):
    def search(self, queries, **given):
        if given['task_metadata'].name == TASKS[0]:
            raise ZeroDivisionError('of its own')
        return super().search(queries, **given)

class Lists(Searches):
    def search(self, queries, **given):
        return [1]

class Makes(Searches):
    def search(self, queries, **given):
        return {query: {'no such document': 1.0} for query in queries['id']}

def told(model, *given, **options):
    try:
        run(model, *given, **options)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1].name
        print(type(error).__name__, last, str(error)[:130])
        return error

told(Searches(), 'IndonesianGeneralSTS')
told(Searches(), TASKS, dimensions='64')
error = told(Fails(), TASKS)
print([unit.main_score is not None for unit in error.mteb_host.results])
told(Lists(), TASKS[1])
told(Makes(), TASKS[1])
print('---', file=sys.stderr)
run(Searches(), ['IndonesianGeneralSTS', TASKS[1]], quiet=False)
";
    let (found, said) = lines(folder.path(), &format!("{BEGIN}{program}"));
    let begins = [
        "MtebHostError run expected retrieval or reranking tasks, because this model only ranks documents, found none among 1 task;",
        "MtebHostError run expected no `dimensions` with a model that searches by itself",
        "ZeroDivisionError search of its own",
        "[False, True]",
        "TypeError",
        "UnitsFailed run IndonesianHowToReranking, split test, subset default: ",
    ];
    assert_eq!(found.len(), begins.len(), "{found:?}");
    for (line, begin) in found.iter().zip(begins) {
        assert!(line.starts_with(begin), "{line}");
    }
    assert!(found[4].contains("expected `search` to return a dictionary"), "{found:?}");
    let (_, shown) = said.split_once("---").unwrap();
    assert!(shown.contains("warning: skipped 1 task that this model cannot be scored on"), "{said}");
    assert!(shown.contains("IndonesianHowToReranking, split test, subset default: searching "), "{said}");
}

#[test]
fn a_model_that_only_searches_is_refused_by_name_with_the_command_that_runs_it() {
    let folder = tempfile::tempdir().unwrap();
    let made = "\ndef make():\n    return Searches()\n";
    fs::write(folder.path().join("searching.py"), format!("{BEGIN}{made}")).unwrap();
    for (model, given) in [
        ("mteb:searching.py:Searches", "searching.Searches"),
        ("python:searching.py:make", "searching.make()"),
    ] {
        let mut command = host(folder.path());
        command.args(["run", "--registry", "indonesia", "--task", "IndonesianHowToReranking"]);
        let refused = Run::of(command.args(["--model", model])).unwrap();
        assert_ne!(refused.code, Some(0), "{}", refused.stdout);
        let program = format!("import mteb_host, searching; mteb_host.run({given}, 'TASK')");
        let said = format!("on tasks that rank documents: `python -c \"{program}\"`; ");
        assert!(refused.stderr.contains(&said), "{}", refused.stderr);
        let program = program.replace("TASK", "IndonesianHowToReranking");
        let scored = Run::of(&mut command_of("python3".as_ref(), folder.path(), &program)).unwrap();
        assert_eq!(scored.code, Some(0), "{}", scored.stderr);
    }
}

#[test]
fn the_wrapper_with_which_the_reference_searches_gets_its_scores() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = "
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()):
    import mteb, mteb_host
    from mteb.models import SearchEncoderWrapper

def run(model, folder):
    tasks = ['IndonesianLawRetrieval', 'IndonesianHowToReranking']
    return mteb_host.run(model, tasks, registry='indonesia', quiet=True, output_folder=folder)

encoder = mteb.get_model('mteb/baseline-random-encoder')
found, expected = run(SearchEncoderWrapper(encoder), 'searched'), run(encoder, 'encoded')
print([abs(one.main_score - other.main_score) < 1e-6 for one, other in zip(found, expected)], found.model == expected.model)
";
    assert_eq!(list_lines(&python, folder.path(), program), ["[True, True] True"]);
}

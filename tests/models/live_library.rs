//! Objects of sentence-transformers in the caller's own process get the scores that their folders get; the
//! folder that a live model shares with the program is private, and gone after the call.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host_binary, root};
use serde_json::Value;

use super::live_models::lines;
use super::tiny::{reference_scores, tiny_models};

/// Runs a program of the environment in `folder`, and gives the lines that it prints.
pub(super) fn list_lines(python: &Path, folder: &Path, program: &str) -> Vec<String> {
    fs::write(folder.join("program.py"), program).unwrap();
    let run = Run::of(in_environment(Command::new(python).arg("program.py"), folder)).unwrap();
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    run.stdout.lines().map(str::to_owned).collect()
}

/// Lets a command run in `folder` with the package, the built host, and caches of its own.
pub(super) fn in_environment<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    command.current_dir(folder).env("PYTHONPATH", root().join("python"));
    command
        .env("MTEB_HOST_BINARY", host_binary())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("HF_HUB_OFFLINE", "1");
    command.env("MTEB_HOST_CACHE", folder.join("cache")).env("MTEB_HOST_DATA", folder.join("data"));
    // The library keeps what it has read by the folder's name alone, whatever is there now.
    command.env("HF_DATASETS_CACHE", folder.join("datasets")).env("CUDA_VISIBLE_DEVICES", "")
}

/// The folders get these scores through `st:`, as `row_models` sees.
#[test]
fn objects_of_the_library_get_the_scores_that_the_reference_gives_their_folders() {
    let Some((python, folder, expected)) = reference_scores() else { return };
    let program = "
import json, mteb_host
from sentence_transformers import CrossEncoder, MultiVectorEncoder, SentenceTransformer, SparseEncoder

SEARCH, RERANKING, STS = 'TinyRetrieval', 'TinyReranking', 'TinySTS'
for name, kind, tasks in [
    ('prompted', SentenceTransformer, [SEARCH, RERANKING, STS]),
    ('sparse', SparseEncoder, [SEARCH, RERANKING, STS]),
    ('multi-vector-mean', MultiVectorEncoder, [SEARCH, RERANKING]),
    ('cross-encoder', CrossEncoder, [RERANKING]),
]:
    model = kind(name, device='cpu')
    before = getattr(model, 'default_prompt_name', None)
    found = mteb_host.run(model, tasks, registry=[f'cards/{task}.toml' for task in tasks], quiet=True, output_folder=f'of {name}')
    assert getattr(model, 'default_prompt_name', None) == before, name
    print(json.dumps([name, {unit.task: unit.main_score for unit in found}]))
";
    let found = list_lines(&python, folder.path(), program);
    assert_eq!(found.len(), 4, "{found:?}");
    for line in found {
        let (name, scores): (String, Value) = serde_json::from_str(&line).unwrap();
        let scores = scores.as_object().unwrap();
        assert_eq!(scores.len(), expected[&name].as_object().unwrap().len(), "{name}");
        for (task, found) in scores {
            let expected = expected[&name][task]["main_score"].as_f64().unwrap();
            let found = found.as_f64().unwrap();
            assert!((found - expected).abs() <= 1e-6, "{name}, {task}: {found} instead of {expected}");
        }
    }
}

#[test]
fn a_module_is_the_model_that_its_weights_and_settings_make() {
    let Some((python, folder)) = tiny_models() else { return };
    let program = "
import mteb_host, torch
from sentence_transformers import SentenceTransformer

def run(model):
    return mteb_host.run(model, 'IndonesianGeneralSTS', registry='indonesia', quiet=True)

def state(results):
    return results.report['tasks'][0]['units'][0]['state']

model, again = (SentenceTransformer('prompted', device='cpu') for _ in range(2))
first = run(model)
print(state(first), state(run(model)), state(run(again)))
with torch.no_grad():
    next(again.parameters()).add_(1e-3)
trained = run(again)
print(state(trained), trained.revision != first.revision, trained.model == first.model)
model.max_seq_length = 8
print(state(run(model)), run(model).revision != first.revision)

class Bag(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.weight = torch.nn.Embedding(256, 8)
    def encode(self, texts):
        return torch.stack([self.weight(torch.tensor(list(text.encode()) or [0])).mean(0) for text in texts])

class Other(Bag):
    def encode(self, texts):
        return super().encode([text.lower() for text in texts])

Other.__name__ = Other.__qualname__ = 'Bag'
print(state(run(Bag())), state(run(Bag())), state(run(Other())))
";
    let found = list_lines(&python, folder.path(), program);
    assert_eq!(found, ["scored found found", "scored True True", "scored True", "scored found scored"]);
}

const TRAINING: &str = "
import mteb_host, torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.base.evaluation.evaluator import SentenceEvaluator
from sentence_transformers.sentence_transformer.losses import CosineSimilarityLoss
from mteb_host.sentence_transformers import Evaluator
from mteb_host.transformers import Callback

model = SentenceTransformer('prompted', device='cpu')
texts = [f'ba do {number}' for number in range(40)]
data = Dataset.from_dict({'sentence1': texts, 'sentence2': texts[::-1], 'score': [0.1 * (number % 10) for number in range(40)]})
evaluator = Evaluator('IndonesianGeneralSTS', registry='indonesia')
print(isinstance(evaluator, SentenceEvaluator), evaluator.primary_metric)
callback = Callback('IndonesianTechnicalSTS', registry='indonesia')
args = SentenceTransformerTrainingArguments(
    'out', max_steps=20, per_device_train_batch_size=4, eval_strategy='steps', eval_steps=10, save_strategy='steps', save_steps=10, learning_rate=1e-2,
    load_best_model_at_end=True, metric_for_best_model='eval_mean_main_score', report_to='none', use_cpu=True, disable_tqdm=True,
)
before = evaluator(model)
trainer = SentenceTransformerTrainer(
    model=model, args=args, train_dataset=data, loss=CosineSimilarityLoss(model), evaluator=evaluator, callbacks=[callback],
)
trainer.train()
scores = [entry['eval_mean_main_score'] for entry in trainer.state.log_history if 'eval_IndonesianGeneralSTS_main_score' in entry]
print(sorted(before), len(scores), len({before['mean_main_score'], *scores}))
print(sorted(callback.results), callback.results[20].tasks)
print(trainer.state.best_metric == max(scores))
print(abs(evaluator(model)['mean_main_score'] - max(scores)) < 1e-6)
";

#[test]
fn a_trainer_takes_the_evaluator_and_the_callback() {
    let Some((python, folder)) = tiny_models() else { return };
    let found = list_lines(&python, folder.path(), TRAINING);
    let found: Vec<&str> = found.iter().map(String::as_str).filter(|line| !line.starts_with('{')).collect();
    let expected = [
        "True mean_main_score",
        "['IndonesianGeneralSTS_main_score', 'mean_main_score'] 2 3",
        "[10, 20] ['IndonesianTechnicalSTS']",
        "True",
        "True",
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_folder_of_a_model_is_private_and_goes_with_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
from mteb_host._live.server import Server

with Server(lambda ask: None, 'x') as server:
    print(oct(os.stat(server.folder).st_mode & 0o777), sorted(os.listdir(server.folder)))
print(os.path.exists(server.folder))
";
    let (found, _) = lines(folder.path(), program);
    assert_eq!(found, ["0o700 ['lock', 'memory', 'socket']", "False"]);
}

#[test]
fn folders_of_processes_that_were_killed_are_removed_and_those_in_use_stay() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import fcntl, os, shutil, tempfile
from mteb_host._live import server

place = tempfile.mkdtemp()
def left(name, seconds, lock='lock'):
    path = os.path.join(place, name)
    os.mkdir(path)
    held = open(os.path.join(path, lock), 'w')
    os.utime(path, (os.stat(path).st_mtime - seconds,) * 2)
    return held

left('mteb-host-live-killed', 100).close()
used = left('mteb-host-live-used', 100)
fcntl.flock(used, fcntl.LOCK_EX)
left('mteb-host-live-young', 0).close()
left('mteb-host-live-starts', 0, 'lock.new').close()
left('mteb-host-live-other', 100, 'notes').close()
left('mine', 100).close()
server._sweep(place)
print(*sorted(os.listdir(place)))
shutil.rmtree(place)

class Model:
    def encode(self, texts):
        return rows(texts)

model = Model()
made, make = [], tempfile.mkdtemp
tempfile.mkdtemp = lambda *given, **named: made.append(make(*given, **named)) or made[-1]
run(model, name='tests/swept', revision='1')
print(len(made) > 0, sum(os.path.exists(path) for path in made))
";
    let (lines, said) = lines(folder.path(), program);
    let stay = "mine mteb-host-live-other mteb-host-live-starts mteb-host-live-used";
    assert_eq!(lines, [stay, "True 0"], "{said}");
}

#[test]
fn what_a_signal_ends_leaves_nothing_behind_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
from mteb_host._live.server import Server

DIES = '''
import os, sys
from mteb_host._live.server import Server

server = Server(lambda ask: None, 'x')
print(server.folder, flush=True)
os.kill(os.getpid(), int(sys.argv[1]))
'''

for number in (signal.SIGTERM, signal.SIGKILL):
    ended = subprocess.run([sys.executable, '-c', DIES, str(int(number))], stdout=subprocess.PIPE, text=True)
    left = ended.stdout.strip()
    print(ended.returncode == -number, os.path.isdir(left))
    with Server(lambda ask: None, 'x') as server:
        print(os.path.exists(left), os.path.isdir(server.folder))
";
    let (found, _) = lines(folder.path(), program);
    assert_eq!(found, ["True True", "False True", "True True", "False True"]);
}

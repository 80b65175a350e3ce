//! A notebook with a kernel of its own, as `jupyter nbconvert --execute` runs it: what a first day has in its cells, and what is seen below
//! them. Needs `MTEB_PYTHON`.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, root};
use serde_json::{Value, json};

use super::live_library::in_environment;
use super::tiny::tiny_models;

/// Cells, and the tags of each.
fn cells(readme: &str) -> Vec<(&str, &str)> {
    vec![
        (readme, ""),
        (readme, ""),
        ("results", ""),
        (OTHERS, ""),
        ("await asyncio.to_thread(run, Asked())", ""),
        (RAISES, "raises-exception"),
        ("results = run(Fails(), raise_on_failure=False)\nresults.failures[0].failure", ""),
        (WAITS, "interrupt raises-exception"),
        ("run(Letters())", ""),
        (LIBRARY, ""),
    ]
}

/// What a cell may call a model.
const OTHERS: &str = "
import asyncio, threading

def run(model, **options):
    return mteb_host.run(model, 'IndonesianGeneralSTS', registry='indonesia', **options)

def rows(texts):
    return Letters().encode(texts)

def closure(column):
    return lambda texts: [row + [column] for row in rows(texts)]

class Asked:
    async def encode(self, texts):
        await asyncio.sleep(0)
        return rows(texts)

class Again(Letters):
    pass

expected = results[0].main_score
found = [run(model, quiet=True)[0].main_score for model in (Letters(), Again, rows, closure(0.0), lambda texts: rows(texts), Asked())]
threads = [threading.Thread(target=lambda: found.append(run(Letters(), quiet=True)[0].main_score)) for _ in range(2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
[score == expected for score in found]
";

const RAISES: &str = "
class Fails:
    asked = 0
    def encode(self, texts):
        self.asked += 1
        if self.asked > 1:
            raise ZeroDivisionError('of the cell')
        return rows(texts)

run(Fails(), quiet=True)
";

const WAITS: &str = "
import time

class Waits:
    def encode(self, texts):
        open('asked', 'w').close()
        time.sleep(100)

run(Waits(), quiet=True)
";

/// A step of training makes another model, and one that is scored again is found.
const LIBRARY: &str = "
import torch
from sentence_transformers import SentenceTransformer

def state(results):
    return results.report['tasks'][0]['units'][0]['state']

model = SentenceTransformer('prompted', device='cpu')
states = [state(run(model, quiet=True)), state(run(model, quiet=True))]
with torch.no_grad():
    next(model.parameters()).add_(1e-3)
[*states, state(run(model, quiet=True))]
";

#[test]
fn a_first_day_in_a_notebook() {
    let Some((python, folder)) = tiny_models() else { return };
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let readme = readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let cells = cells(readme);
    let outputs = execute(&python, folder.path(), &cells);
    let shown =
        |cell: usize, form: &str| outputs[cell].iter().map(|output| text(output, form)).collect::<String>();

    // The same cell again is no fault, and shows the same table.
    assert!(shown(0, "text").contains("IndonesianGeneralSTS") && shown(0, "text").contains("main_score"));
    assert_eq!(shown(1, "text"), shown(0, "text"));
    assert!(shown(0, "said").contains("give it `name=` and `revision=`"), "{}", shown(0, "said"));
    // A bar of widgets is text here, too.
    let bar = shown(0, "said") + &shown(0, "widget");
    assert!(bar.contains("mteb-host: "), "no bar: {bar}");
    assert_eq!(shown(1, "said").matches("revision").count(), 2, "said once: {}", shown(1, "said"));
    assert!(shown(2, "text/html").contains("<td>IndonesianGeneralSTS</td>"), "{:?}", outputs[2]);
    assert_eq!(shown(3, "text/plain"), format!("[{}]", ["True"; 8].join(", ")));
    assert!(shown(4, "text/plain").starts_with("<Results of live/Asked: "), "{:?}", outputs[4]);

    let raised = shown(5, "traceback");
    assert!(raised.contains("raise ZeroDivisionError('of the cell')"), "{raised}");
    assert!(raised.contains("run(Fails(), quiet=True)") && !raised.contains("frames.py"), "{raised}");
    assert!(
        shown(6, "text/plain").contains("ZeroDivisionError: of the cell (cell, line "),
        "{:?}",
        outputs[6]
    );
    assert_eq!(
        outputs[7].iter().map(|output| text(output, "ename")).collect::<String>(),
        "KeyboardInterrupt"
    );
    assert!(shown(7, "traceback").contains("time.sleep(100)"), "{}", shown(7, "traceback"));
    assert!(shown(8, "text/plain").starts_with("<Results of live/Letters: "), "{:?}", outputs[8]);
    assert_eq!(shown(9, "text/plain"), "['scored', 'found', 'scored']");
}

/// What each cell shows, run by a kernel of `python` in `folder`.
fn execute(python: &Path, folder: &Path, cells: &[(&str, &str)]) -> Vec<Vec<Value>> {
    let cells: Vec<Value> = cells
        .iter()
        .enumerate()
        .map(|(number, (source, tags))| {
            let tags: Vec<&str> = tags.split_whitespace().collect();
            json!({"cell_type": "code", "id": format!("cell{number}"), "execution_count": null, "outputs": [], "source": source.trim(), "metadata": {"tags": tags}})
        })
        .collect();
    let notebook = json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
    let file = folder.join("first-day.ipynb");
    fs::write(&file, notebook.to_string()).unwrap();
    let mut command = Command::new(python);
    command.arg(root().join("tests/models/notebook.py")).arg(&file);
    // What a kernel writes for its own use stays in the folder.
    for name in ["JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"] {
        command.env(name, folder.join(name));
    }
    let run = Run::of(in_environment(&mut command, folder)).unwrap();
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let notebook: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let outputs = |cell: &Value| cell["outputs"].as_array().unwrap().clone();
    notebook["cells"].as_array().unwrap().iter().map(outputs).collect()
}

/// The text of an output in a form: `text` and `said` of the two streams, a `widget`, a part of an error, or a type of what a cell returns.
fn text(output: &Value, form: &str) -> String {
    let stream = match form {
        "text" => "stdout",
        "said" => "stderr",
        _ => "",
    };
    let found = match output["output_type"].as_str() {
        Some("stream") if output["name"] == stream => &output["text"],
        Some("error") => &output[form],
        Some("display_data") if form == "widget" => &output["data"]["text/plain"],
        Some("execute_result") => &output["data"][form],
        _ => &Value::Null,
    };
    let lines = found.as_array().map(|lines| lines.iter().filter_map(Value::as_str).collect::<String>());
    without_colours(&lines.unwrap_or_else(|| found.as_str().unwrap_or_default().to_owned()))
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, shown)| shown))
}

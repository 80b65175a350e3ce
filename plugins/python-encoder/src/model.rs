//! The model: what the host asks is passed on to the interpreter.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use mteb_plugin_api::v1::{
    ENCODE_ROWS, EncodeRows, EncodedRows, LOADING, Model, ModelConfig, PluginError, Role,
};
use mteb_plugin_api::{ModelInfo, RowForm};
use mteb_system::machine::computes;
use mteb_system::memory_file;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::frame::pack;
use crate::interpreter::{Interpreter, interpreter_of};

/// Version of the protocol between the plugin and the interpreter.
const PROTOCOL: u32 = 2;

/// Method by which the host asks what results should say of texts.
pub const NOTES: &str = "notes";

/// Feature, option and method of evaluators of types of tasks, each a class of a Python file.
pub const EVALUATOR: &str = "evaluator";

/// Kind of models that live in the user's own process.
const LIVE: &str = "live";

/// A model of a Python interpreter.
pub struct PythonModel {
    interpreter: Interpreter,
    info: ModelInfo,
    start: Start,
    /// The memory of the host's questions that the interpreter has inherited, and the path by which the host names it.
    lent: Option<(String, File)>,
}

/// What starts the interpreter and makes the model in it.
struct Start {
    python: PathBuf,
    /// The folder in which the user's own process serves the model, in place of an interpreter.
    live: Option<PathBuf>,
    hub_cache: Option<String>,
    question: Value,
}

impl Start {
    /// A new interpreter with the model, which tells of it.
    fn interpreter(&self) -> Result<(Interpreter, ModelInfo), PluginError> {
        let mut interpreter = match &self.live {
            Some(folder) => Interpreter::serving(folder)?,
            None => Interpreter::start(&self.python, self.hub_cache.as_deref())?,
        };
        let answer = interpreter.ask(&self.question, &[])?;
        let info = answer.get("info").cloned().unwrap_or(Value::Null);
        let info = serde_json::from_value(info).map_err(|error| {
            PluginError::invalid_input(format!("the description of the Python model: {error}"))
        })?;
        Ok((interpreter, info))
    }
}

/// The option `python` of a model's configuration.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    /// The interpreter.
    python: Option<String>,
    /// The hub's cache.
    hub_cache: Option<String>,
    /// True if code of a model's repository may run.
    trust_remote_code: bool,
    /// What code in the reference's form is told of tasks that the reference does not know.
    tasks: Map<String, Value>,
}

impl PythonModel {
    /// The model that `config` names: `st:…`, `mteb:…`, `python:FILE.py:name`, or `live:FOLDER`.
    ///
    /// # Errors
    /// If the interpreter cannot be started or cannot make the model.
    pub fn new(config: &ModelConfig) -> Result<Self, PluginError> {
        let options = match config.options.get("python") {
            Some(option) => Options::deserialize(option).map_err(|error| {
                PluginError::invalid_input(format!("the option `python` of the model: {error}"))
            })?,
            None => Options::default(),
        };
        let (kind, model) = config.name.split_once(':').ok_or_else(|| {
            PluginError::not_found(format!(
                "expected `st:NAME`, `mteb:NAME` or `python:FILE.py:name`, found: {}",
                config.name
            ))
        })?;
        let python = interpreter_of(options.python.as_deref());
        let computed = ["f32", "bf16", "f16"].into_iter().filter(|name| computes(name));
        let computed: Vec<&str> = computed.collect();
        let question = json!({
            "ask": "new",
            "protocol": PROTOCOL,
            "kind": kind,
            "model": model,
            "folder": config.folder,
            "revision": config.revision,
            "device": config.device,
            "dtype": config.dtype,
            "computes": computed,
            "max_tokens": config.max_tokens,
            "trust_remote_code": options.trust_remote_code,
            "tasks": options.tasks,
            "loading": config.options.get(LOADING),
            "evaluator": config.options.get(EVALUATOR),
        });
        let live = (kind == LIVE).then(|| model.into());
        let start = Start { python, live, hub_cache: options.hub_cache, question };
        let (interpreter, info) = start.interpreter()?;
        Ok(Self { interpreter, info, start, lent: None })
    }
}

impl Model for PythonModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn encode(
        &mut self,
        texts: &[&str],
        role: Role,
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        // An array of no rows has no width that could be checked.
        if texts.is_empty() {
            return Ok(());
        }
        let question =
            json!({"ask": "encode", "texts": texts.len(), "role": role, "instruction": instruction});
        let answer = self.interpreter.ask(&question, &pack(texts.iter().copied()))?;
        let found = |key: &str| answer.get(key).and_then(Value::as_u64).unwrap_or_default();
        let (rows, dimension) = (found("rows"), found("dimension"));
        let expected = (texts.len() as u64, u64::from(self.info.dimension));
        if (rows, dimension) != expected {
            return Err(PluginError::failed(format!(
                "expected {} rows of {} numbers from the Python model, found {rows} of {dimension}",
                expected.0, expected.1
            )));
        }
        self.interpreter.numbers(&answer, out)
    }

    fn predict(
        &mut self,
        queries: &[&str],
        documents: &[&str],
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        if queries.is_empty() {
            return Ok(());
        }
        let question = json!({"ask": "predict", "pairs": queries.len(), "instruction": instruction});
        let payload = [pack(queries.iter().copied()), pack(documents.iter().copied())].concat();
        let answer = self.interpreter.ask(&question, &payload)?;
        let scores = answer.get("scores").and_then(Value::as_u64).unwrap_or_default();
        if scores != queries.len() as u64 {
            let expected = queries.len();
            return Err(PluginError::failed(format!(
                "expected {expected} scores from the Python model, found {scores}"
            )));
        }
        self.interpreter.numbers(&answer, out)
    }

    fn call(&mut self, method: &str, json: &str) -> Result<String, PluginError> {
        match method {
            ENCODE_ROWS => self.encode_rows(json),
            NOTES => self.notes(),
            EVALUATOR => self.evaluate(json),
            _ => Err(PluginError::unsupported(method)),
        }
    }
}

impl PythonModel {
    /// What results should say of the texts since the last call, as a list of lines.
    fn notes(&mut self) -> Result<String, PluginError> {
        let answer = self.interpreter.ask(&json!({ "ask": NOTES }), &[])?;
        Ok(answer.get("notes").cloned().unwrap_or_else(|| json!([])).to_string())
    }

    /// The scores of a unit, whose rows and numbers the interpreter maps from the memory of this process.
    fn evaluate(&mut self, json: &str) -> Result<String, PluginError> {
        let mut question: Value = serde_json::from_str(json)
            .map_err(|error| PluginError::invalid_input(format!("the request to an evaluator: {error}")))?;
        let path = question["unit"]["memory"].as_str().unwrap_or_default().to_owned();
        question["unit"]["memory"] = self.lend(path)?.into();
        let answer = self.interpreter.ask(&json!({ "ask": "score", "question": question }), &[])?;
        Ok(answer["answer"].to_string())
    }

    /// The descriptor by which the interpreter has the memory at `path`. Nobody may open what another process has, so it inherits the
    /// file when it starts, and starts anew for another one.
    fn lend(&mut self, path: String) -> Result<i32, PluginError> {
        let cannot =
            |error: io::Error| PluginError::failed(format!("cannot share the memory of the unit: {error}"));
        if self.lent.as_ref().is_none_or(|(lent, _)| *lent != path) {
            let file = File::open(&path).map_err(cannot)?;
            memory_file::inherit(&file, true).map_err(cannot)?;
            self.lent = Some((path, file));
            (self.interpreter, _) = self.start.interpreter()?;
        }
        Ok(self.lent.as_ref().map_or(-1, |(_, file)| file.as_raw_fd()))
    }

    /// Embeddings without a fixed width, which pass from the interpreter's memory to the host's as they are.
    fn encode_rows(&mut self, json: &str) -> Result<String, PluginError> {
        let asked = EncodeRows::from_json(json)?;
        if asked.texts.is_empty() {
            return EncodedRows { lengths: Vec::new() }.to_json();
        }
        let question = json!({
            "ask": ENCODE_ROWS,
            "texts": asked.texts.len(),
            "role": asked.role,
            "instruction": asked.instruction,
        });
        let answer = self.interpreter.ask(&question, &pack(asked.texts.iter().map(String::as_str)))?;
        // Beside them stands the checksum of the numbers.
        let lengths = Vec::<u32>::deserialize(&answer["lengths"]).map_err(|error| {
            PluginError::failed(format!("the answer of the Python model: `lengths`: {error}"))
        })?;
        let bytes = match self.info.rows {
            RowForm::Sparse => size_of::<f32>() + size_of::<u32>(),
            RowForm::Dense | RowForm::MultiVector => size_of::<f32>() * self.info.dimension as usize,
        };
        let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        let mut out = asked.open()?;
        self.interpreter
            .copy(&answer, total.saturating_mul(bytes as u64), &mut out)
            .map_err(|error| asked.cannot_write(&error))?;
        EncodedRows { lengths }.to_json()
    }
}

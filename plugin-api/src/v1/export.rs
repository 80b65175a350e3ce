//! The plugin's side of the boundary: turns an author's trait objects into the functions of the layout.
//!
//! Every function catches a panic and gives it back as an error with its message and place.

#![allow(unsafe_code)] // The exported header is a static with a fixed symbol name, see `export_header!`.

pub use super::abi::PluginRef;
#[doc(hidden)]
pub use abi_stable;

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Once, PoisonError};

use abi_stable::prefix_type::PrefixTypeTrait;
use abi_stable::std_types::{RSlice, RSliceMut, RStr};

use super::abi::{Made, Plugin, Reply, Status};
use super::{Model, ModelConfig, PluginError, Role, Task, code};

/// What one plugin brings, filled in by the export macros.
pub trait Exports: 'static {
    /// The manifest as JSON.
    fn manifest() -> String;

    /// Hash of the sources that shape what the plugin does, where the crate's build script says one.
    fn sources() -> Option<&'static str> {
        None
    }

    /// Makes a model.
    ///
    /// # Errors
    /// If there is no such model or it cannot be made.
    fn new_model(config: ModelConfig) -> Result<Box<dyn Model>, PluginError> {
        Err(PluginError::not_found(format!("this plugin has no model `{}`", config.name)))
    }

    /// Makes a task.
    ///
    /// # Errors
    /// If there is no such task.
    fn new_task(name: &str) -> Result<Box<dyn Task>, PluginError> {
        Err(PluginError::not_found(format!("this plugin has no task `{name}`")))
    }
}

/// The functions of the plugin `E`, as the layout wants them.
pub fn plugin<E: Exports>() -> PluginRef {
    Plugin {
        manifest: manifest::<E>,
        new_model: new_model::<E>,
        model_info,
        model_count_tokens,
        model_encode,
        model_predict,
        model_call,
        drop_model,
        new_task: new_task::<E>,
        task_card,
        task_rows,
        task_score,
        task_call,
        drop_task,
    }
    .leak_into_prefix()
}

static MODELS: Handles<Mutex<Box<dyn Model>>> = Handles::new();
static TASKS: Handles<Mutex<Box<dyn Task>>> = Handles::new();

extern "C" fn manifest<E: Exports>() -> Reply {
    reply(|| Ok(E::manifest()))
}

extern "C" fn new_model<E: Exports>(config: RStr<'_>) -> Made {
    make_object(|| {
        let config = serde_json::from_str(config.as_str())
            .map_err(|error| PluginError::invalid_input(format!("the model's configuration: {error}")))?;
        Ok(MODELS.add(Mutex::new(E::new_model(config)?)))
    })
}

extern "C" fn model_info(model: u64) -> Reply {
    reply(|| {
        let info = with(&MODELS, model, |model| Ok(model.info()))?;
        serde_json::to_string(&info).map_err(|error| PluginError::failed(error.to_string()))
    })
}

extern "C" fn model_count_tokens(
    model: u64,
    texts: RSlice<'_, RStr<'_>>,
    mut out: RSliceMut<'_, u32>,
) -> Status {
    status(|| {
        same_length("counts", texts.len(), out.len())?;
        with(&MODELS, model, |model| model.count_tokens(&strings(&texts), out.as_mut_slice()))
    })
}

extern "C" fn model_encode(
    model: u64,
    texts: RSlice<'_, RStr<'_>>,
    role: u32,
    instruction: RStr<'_>,
    mut out: RSliceMut<'_, f32>,
) -> Status {
    status(|| {
        with(&MODELS, model, |model| {
            model.encode(&strings(&texts), Role::from_code(role), instruction.as_str(), out.as_mut_slice())
        })
    })
}

extern "C" fn model_predict(
    model: u64,
    queries: RSlice<'_, RStr<'_>>,
    documents: RSlice<'_, RStr<'_>>,
    instruction: RStr<'_>,
    mut out: RSliceMut<'_, f32>,
) -> Status {
    status(|| {
        same_length("documents", queries.len(), documents.len())?;
        same_length("scores", queries.len(), out.len())?;
        let (queries, documents) = (strings(&queries), strings(&documents));
        with(&MODELS, model, |model| {
            model.predict(&queries, &documents, instruction.as_str(), out.as_mut_slice())
        })
    })
}

extern "C" fn model_call(model: u64, method: RStr<'_>, json: RStr<'_>) -> Reply {
    reply(|| with(&MODELS, model, |model| model.call(method.as_str(), json.as_str())))
}

extern "C" fn drop_model(model: u64) -> Status {
    status(|| {
        MODELS.remove(model);
        Ok(())
    })
}

extern "C" fn new_task<E: Exports>(name: RStr<'_>) -> Made {
    make_object(|| Ok(TASKS.add(Mutex::new(E::new_task(name.as_str())?))))
}

extern "C" fn task_card(task: u64) -> Reply {
    reply(|| with(&TASKS, task, |task| task.card()))
}

extern "C" fn task_rows(task: u64, subset: RStr<'_>, part: RStr<'_>, split: RStr<'_>) -> Reply {
    reply(|| with(&TASKS, task, |task| task.rows(subset.as_str(), part.as_str(), split.as_str())))
}

extern "C" fn task_score(task: u64, json: RStr<'_>) -> Reply {
    reply(|| with(&TASKS, task, |task| task.score(json.as_str())))
}

extern "C" fn task_call(task: u64, method: RStr<'_>, json: RStr<'_>) -> Reply {
    reply(|| with(&TASKS, task, |task| task.call(method.as_str(), json.as_str())))
}

extern "C" fn drop_task(task: u64) -> Status {
    status(|| {
        TASKS.remove(task);
        Ok(())
    })
}

/// Runs `work` on object `number`.
fn with<T: ?Sized, R>(
    objects: &Handles<Mutex<Box<T>>>,
    number: u64,
    work: impl FnOnce(&mut T) -> Result<R, PluginError>,
) -> Result<R, PluginError> {
    let object = objects.get(number)?;
    let mut guard = object.lock().unwrap_or_else(PoisonError::into_inner);
    work(&mut guard)
}

fn strings<'a>(texts: &'a [RStr<'a>]) -> Vec<&'a str> {
    texts.iter().map(|text| text.as_str()).collect()
}

fn same_length(what: &str, expected: usize, found: usize) -> Result<(), PluginError> {
    if expected == found {
        return Ok(());
    }
    Err(PluginError::invalid_input(format!("expected room for {expected} {what}, found {found}")))
}

fn status(work: impl FnOnce() -> Result<(), PluginError>) -> Status {
    match guard(work) {
        Ok(()) => Status { code: code::OK, message: "".into() },
        Err(error) => Status { code: error.code, message: error.message.into() },
    }
}

fn reply(work: impl FnOnce() -> Result<String, PluginError>) -> Reply {
    match guard(work) {
        Ok(body) => Reply { code: code::OK, message: "".into(), body: body.into() },
        Err(error) => Reply { code: error.code, message: error.message.into(), body: "".into() },
    }
}

fn make_object(work: impl FnOnce() -> Result<u64, PluginError>) -> Made {
    match guard(work) {
        Ok(object) => Made { code: code::OK, message: "".into(), object },
        Err(error) => Made { code: error.code, message: error.message.into(), object: 0 },
    }
}

thread_local! {
    static PANIC_PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic becomes an error with its message and place.
fn guard<R>(work: impl FnOnce() -> Result<R, PluginError>) -> Result<R, PluginError> {
    note_panic_places();
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(payload) => {
            let place = PANIC_PLACE.with(|place| place.borrow_mut().take());
            let at = place.map(|place| format!(" at {place}")).unwrap_or_default();
            let message = panic_message(payload.as_ref());
            Err(PluginError::new(code::PANIC, format!("the plugin panicked{at}: {message}")))
        }
    }
}

/// A plugin has its own copy of the standard library, so this hook is the plugin's alone.
fn note_panic_places() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string);
            PANIC_PLACE.with(|noted| *noted.borrow_mut() = place);
        }));
    });
}

fn panic_message(payload: &(dyn Any + Send)) -> &str {
    if let Some(text) = payload.downcast_ref::<&str>() {
        text
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else {
        "no message"
    }
}

/// The manifest as JSON; an empty object if it cannot be written, which the host refuses with its place.
pub fn to_json(manifest: &crate::Manifest) -> String {
    serde_json::to_string(manifest).unwrap_or_else(|_| "{}".to_owned())
}

/// Objects of one kind; numbers start at 1 and are never used again.
struct Handles<T> {
    state: Mutex<State<T>>,
}

struct State<T> {
    last: u64,
    /// Made on the first use, as a map cannot be made in a constant.
    objects: Option<HashMap<u64, Arc<T>>>,
}

impl<T> Handles<T> {
    /// No objects.
    pub const fn new() -> Self {
        Self { state: Mutex::new(State { last: 0, objects: None }) }
    }

    /// Takes in `object` and gives its number.
    pub fn add(&self, object: T) -> u64 {
        let mut guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        guard.last += 1;
        let number = guard.last;
        guard.objects.get_or_insert_default().insert(number, Arc::new(object));
        number
    }

    /// The object with `number`.
    pub fn get(&self, number: u64) -> Result<Arc<T>, PluginError> {
        let guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let object = guard.objects.as_ref().and_then(|objects| objects.get(&number));
        object.cloned().ok_or_else(|| PluginError::not_found(format!("there is no object number {number}")))
    }

    /// Drops the object with `number`; an unknown number is no error.
    pub fn remove(&self, number: u64) {
        let removed = {
            let mut guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            guard.objects.as_mut().and_then(|objects| objects.remove(&number))
        };
        drop(removed);
    }
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Self::new()
    }
}

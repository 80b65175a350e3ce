//! What a command that was asked for JSON writes: a long list by all threads, since a list of all
//! tasks has millions of characters; where it has no answer, why there is none.

use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use mteb_report::visible;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use crate::exit::Exit;

/// Errors that are kept; what is said of more than these is on standard error.
const KEPT: usize = 100;

static HAS_ANSWERED: AtomicBool = AtomicBool::new(false);
static ERRORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Something was written to standard output.
pub fn note_answer() {
    HAS_ANSWERED.store(true, Ordering::Relaxed);
}

/// Something was said to have gone wrong.
pub fn note_error(message: &str) {
    let mut errors = ERRORS.lock().unwrap_or_else(PoisonError::into_inner);
    if errors.len() < KEPT && errors.iter().all(|error| error != message) {
        errors.push(message.to_owned());
    }
}

/// True if the command line asks for JSON, also one that is not understood otherwise.
fn is_json_asked() -> bool {
    has_json_option(env::args_os().skip(1))
}

fn has_json_option(arguments: impl Iterator<Item = OsString>) -> bool {
    let mut is_format = false;
    for argument in arguments.take_while(|argument| argument != "--") {
        if argument == "--json" || argument == "--format=json" || (is_format && argument == "json") {
            return true;
        }
        is_format = argument == "--format";
    }
    false
}

/// What stands for the answer of a command that was asked for JSON and ended with `exit` without one.
pub fn instead_of_answer(exit: Exit) -> Option<Value> {
    if exit == Exit::Done || HAS_ANSWERED.load(Ordering::Relaxed) || !is_json_asked() {
        return None;
    }
    let errors = std::mem::take(&mut *ERRORS.lock().unwrap_or_else(PoisonError::into_inner));
    Some(json!({ "errors": errors, "exit_code": exit.code() }))
}

/// Values that one thread writes at a time.
const TOGETHER: usize = 32;

/// The pieces that make up the indented list of `values`, without what would steer a terminal.
pub fn list_parts<T: Serialize + Sync>(values: &[T]) -> Vec<String> {
    if values.is_empty() {
        return vec!["[]".to_owned()];
    }
    let mut parts: Vec<String> = values.par_chunks(TOGETHER).map(write_open_list).collect();
    // Each begins as a list of its own does.
    parts.iter_mut().skip(1).for_each(|part| part.replace_range(..1, ","));
    parts.push("\n]".to_owned());
    parts
}

/// The list of `values` without its end.
fn write_open_list<T: Serialize>(values: &[T]) -> String {
    // Writing JSON into memory fails for no value.
    let mut list = serde_json::to_string_pretty(values).unwrap_or_else(|_| "[\n]".to_owned());
    list.truncate(list.len() - "\n]".len());
    let shown = match visible(&list) {
        Cow::Borrowed(_) => None,
        Cow::Owned(shown) => Some(shown),
    };
    shown.unwrap_or(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_asked_for_by_either_option() {
        let asks = |line: &str| has_json_option(line.split(' ').map(OsString::from));
        assert!(asks("run --json") && asks("list tasks --format json") && asks("list --format=json"));
        assert!(!asks("run --format csv json") && !asks("show task -- --json"));
    }

    #[test]
    fn the_pieces_are_the_list_as_it_is_written_at_once() {
        for count in [0, 1, TOGETHER, TOGETHER + 1, 5 * TOGETHER] {
            let values: Vec<Value> = (0..count)
                .map(|number| json!({ "name": format!("task {number}"), "subsets": ["a", "\u{9b}b"], "none": [] }))
                .collect();
            let whole = serde_json::to_string_pretty(&values).unwrap();
            assert_eq!(list_parts(&values).concat(), visible(&whole), "{count} values");
        }
    }
}

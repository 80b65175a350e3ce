//! What a command that was asked for JSON writes where it has no answer: why there is none.

use std::env;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

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
fn asked_for_json() -> bool {
    asks_for_json(env::args_os().skip(1))
}

fn asks_for_json(arguments: impl Iterator<Item = OsString>) -> bool {
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
    if exit == Exit::Done || HAS_ANSWERED.load(Ordering::Relaxed) || !asked_for_json() {
        return None;
    }
    let errors = std::mem::take(&mut *ERRORS.lock().unwrap_or_else(PoisonError::into_inner));
    Some(json!({ "errors": errors, "exit_code": exit.code() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_asked_for_by_either_option() {
        let asks = |line: &str| asks_for_json(line.split(' ').map(OsString::from));
        assert!(asks("run --json") && asks("list tasks --format json") && asks("list --format=json"));
        assert!(!asks("run --format csv json") && !asks("show task -- --json"));
    }
}

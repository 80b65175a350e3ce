//! Standard error.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The one place that writes to standard error: whoever closed it, or filled its disk, does not want to know.
pub fn write_error(text: &str) {
    let mut stream = io::stderr().lock();
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

/// Writes a line unless it was written before: whoever has read it knows.
pub fn write_error_once(line: &str) {
    if is_new(line) {
        write_error(line);
    }
}

/// Lines are known by a hash whose key is this process's own, so that no data can make two of them alike.
fn is_new(line: &str) -> bool {
    static SAID: OnceLock<(RandomState, Mutex<HashSet<u64>>)> = OnceLock::new();
    let (keys, said) = SAID.get_or_init(Default::default);
    said.lock().unwrap_or_else(PoisonError::into_inner).insert(keys.hash_one(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_new_once() {
        assert!(is_new("error: a\n") && is_new("error: b\n") && !is_new("error: a\n"));
    }
}

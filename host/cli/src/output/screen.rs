//! Standard error: what is written there, and its terminal as the place of progress bars. One that
//! goes away takes nothing with it.

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use indicatif::TermLike;

use super::error_width;

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

/// A terminal on standard error. Its bars vanish with it, while the library would panic if it were told of a failure.
#[derive(Debug, Default)]
pub struct Screen {
    /// What is written at the next flush, so that a bar does not flicker.
    pending: Mutex<String>,
}

impl Screen {
    fn push(&self, text: &str) -> io::Result<()> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
        Ok(())
    }

    /// Moves the cursor `count` places into a direction; terminals take 0 as 1.
    fn move_cursor(&self, count: usize, direction: char) -> io::Result<()> {
        if count == 0 { Ok(()) } else { self.push(&format!("\u{1b}[{count}{direction}")) }
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        error_width()
    }

    fn move_cursor_up(&self, count: usize) -> io::Result<()> {
        self.move_cursor(count, 'A')
    }

    fn move_cursor_down(&self, count: usize) -> io::Result<()> {
        self.move_cursor(count, 'B')
    }

    fn move_cursor_right(&self, count: usize) -> io::Result<()> {
        self.move_cursor(count, 'C')
    }

    fn move_cursor_left(&self, count: usize) -> io::Result<()> {
        self.move_cursor(count, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.push(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.push(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.push("\r\u{1b}[2K")
    }

    fn flush(&self) -> io::Result<()> {
        write_error(&std::mem::take(&mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_new_once() {
        assert!(is_new("error: a\n") && is_new("error: b\n") && !is_new("error: a\n"));
    }
}

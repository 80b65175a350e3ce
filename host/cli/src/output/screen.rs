//! Standard error as the place of progress bars; a terminal that goes away takes nothing with it.

use std::io;
use std::sync::{Mutex, PoisonError};

use indicatif::TermLike;

use super::error_stream::write_error;
use super::error_width;

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

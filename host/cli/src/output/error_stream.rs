//! Standard error.

use std::io::{self, Write};

/// The one place that writes to standard error: whoever closed it, or filled its disk, does not want to know.
pub fn write_error(text: &str) {
    let mut stream = io::stderr().lock();
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

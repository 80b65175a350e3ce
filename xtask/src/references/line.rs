//! Places in a text as people count them.

/// The line of `text` in which the byte at `place` lies, from 1 on.
pub fn line_of(text: &str, place: usize) -> usize {
    1 + text.as_bytes()[..place].iter().filter(|byte| **byte == b'\n').count()
}

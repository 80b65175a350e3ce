//! Bounds on the lines of a file of rankings, watched while it is read: a small packed file must not fill the memory.

/// Most bytes of a line.
const LONGEST: usize = 1 << 16;

/// Lines without a word that any file may have; a longer one may have as many as it has others.
const BLANK: u64 = 1000;

/// Watches the lines of a text that comes in pieces.
#[derive(Debug)]
pub struct LineBounds {
    /// The line that is being read, from 1.
    line: u64,
    /// Its bytes so far.
    length: usize,
    /// True if it has no word so far.
    is_blank: bool,
    /// Whole lines without a word.
    blank: u64,
    /// True if the first word is the begin of JSON, which may be one line; `None` before it.
    is_json: Option<bool>,
}

/// A line that is out of bounds.
#[derive(Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// The line, from 1.
    pub line: u64,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl LineBounds {
    /// Before the first line.
    pub fn new() -> Self {
        Self { line: 1, length: 0, is_blank: true, blank: 0, is_json: None }
    }

    /// Checks the next piece of the text.
    ///
    /// # Errors
    /// If a line is too long, or too many have no word.
    pub fn take(&mut self, piece: &[u8]) -> Result<(), OutOfBounds> {
        piece.split_inclusive(|byte| *byte == b'\n').try_for_each(|part| self.take_part(part))
    }

    /// Takes in the next part of a line, or all of it.
    fn take_part(&mut self, part: &[u8]) -> Result<(), OutOfBounds> {
        if let Some(first) = part.iter().find(|byte| !byte.is_ascii_whitespace()) {
            self.is_blank = false;
            self.is_json.get_or_insert(*first == b'{');
        }
        self.length = self.length.saturating_add(part.len());
        if self.length > LONGEST && self.is_json != Some(true) {
            return Err(self.out_of_bounds(format!("a line of at most {LONGEST} bytes"), "a longer one"));
        }
        if part.ends_with(b"\n") {
            self.end_line()?;
        }
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutOfBounds> {
        self.blank += u64::from(self.is_blank);
        let full = self.line - self.blank;
        if self.blank > BLANK.max(full) {
            let expected = "a ranking, with no more empty lines than others";
            return Err(self.out_of_bounds(expected.to_owned(), &format!("{} empty lines", self.blank)));
        }
        self.line += 1;
        (self.length, self.is_blank) = (0, true);
        Ok(())
    }

    fn out_of_bounds(&self, expected: String, found: &str) -> OutOfBounds {
        OutOfBounds { line: self.line, expected, found: found.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a text that comes in pieces of 1000 bytes.
    fn fault(text: &str) -> Option<(u64, String)> {
        let mut bounds = LineBounds::new();
        let found = text.as_bytes().chunks(1000).try_for_each(|piece| bounds.take(piece)).err()?;
        Some((found.line, found.found))
    }

    #[test]
    fn empty_lines_are_bounded_by_the_others() {
        let full = "q Q0 d 1 0.5 x\n";
        assert_eq!(fault(&"\n".repeat(1000)), None);
        assert_eq!(fault(&"\n".repeat(1001)), Some((1001, "1001 empty lines".to_owned())));
        assert_eq!(fault(&[full, " \r\n"].concat().repeat(3000)), None);
        let empty = [full, &" \n".repeat(2000)].concat();
        assert_eq!(fault(&empty), Some((1002, "1001 empty lines".to_owned())));
    }

    #[test]
    fn a_line_is_bounded_unless_it_is_json() {
        let long = "d".repeat(LONGEST);
        assert_eq!(fault(&long), None);
        assert_eq!(fault(&format!("q Q0 d 1 0.5 x\n{long}\n")), Some((2, "a longer one".to_owned())));
        assert_eq!(fault(&" ".repeat(LONGEST + 1)), Some((1, "a longer one".to_owned())));
        assert_eq!(fault(&format!("\n{{{long}{long}")), None);
    }
}

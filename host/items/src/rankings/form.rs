//! Which form a file of rankings has, and bounds on its lines, watched while it is read: a small
//! packed file must not fill the memory.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use mteb_data::{Bounded, Members};

use super::{Predictions, Rankings, RankingsError, trec};

/// Most bytes of a file, unpacked.
const LARGEST: u64 = 4 << 30;

/// Bytes that are read at once.
const PIECE: usize = 1 << 18;

/// The rankings in `file`, packed by gzip or not: a TREC run file, or a prediction file of the reference, of which those of
/// `split` and `subset` are taken.
///
/// # Errors
/// If the file cannot be read, or something in it is not what it must be.
pub fn read_rankings(file: &Path, split: &str, subset: &str) -> Result<Rankings, RankingsError> {
    let text = read_text(file)?;
    let name = file.display().to_string();
    if text.trim_start().is_empty() {
        let expected = "rankings: lines of a TREC run file, or a prediction file of the reference".to_owned();
        return Err(RankingsError::Fault { place: name, expected, found: "an empty file".to_owned() });
    }
    if text.trim_start().starts_with('{') {
        return Predictions::parse(&name, &text)?.rankings(&name, split, subset);
    }
    trec::read(&name, &text)
}

/// The text of `file`, unpacked.
///
/// # Errors
/// If the file cannot be read or unpacked, is too large, has a line that is out of bounds, or is no UTF-8.
pub fn read_text(file: &Path) -> Result<String, RankingsError> {
    let name = file.display().to_string();
    let unreadable = |error| RankingsError::Unreadable { file: name.clone(), error };
    let opened = mteb_files::open(file).map_err(unreadable)?;
    let length = opened.metadata().map_err(unreadable)?.len();
    let mut opened = BufReader::with_capacity(PIECE, opened);
    let is_packed = opened.fill_buf().map_err(unreadable)?.starts_with(&[0x1f, 0x8b]);
    let bytes = if is_packed {
        read_bytes(&name, Bounded::of_unpacked(Members::new(opened), length))?
    } else {
        read_bytes(&name, opened)?
    };
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        RankingsError::Fault {
            place: format!("{name}, line {}", line + 1),
            expected: "UTF-8".to_owned(),
            found: "other bytes".to_owned(),
        }
    })
}

/// All that `source` gives, which is checked while it comes; `name` is the file, for messages.
fn read_bytes(name: &str, source: impl Read) -> Result<Vec<u8>, RankingsError> {
    let unreadable = |error| RankingsError::Unreadable { file: name.to_owned(), error };
    let mut source = BufReader::with_capacity(PIECE, source);
    let (mut bytes, mut bounds) = (Vec::new(), LineBounds::new());
    loop {
        let piece = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece.map_err(unreadable)?,
        };
        if piece.is_empty() {
            return Ok(bytes);
        }
        bounds.take(piece).map_err(|OutOfBounds { line, expected, found }| RankingsError::Fault {
            place: format!("{name}, line {line}"),
            expected,
            found,
        })?;
        if (bytes.len() + piece.len()) as u64 > LARGEST {
            let message = format!("expected at most {LARGEST} bytes, unpacked, found more");
            return Err(unreadable(io::Error::new(io::ErrorKind::FileTooLarge, message)));
        }
        bytes.extend_from_slice(piece);
        let length = piece.len();
        source.consume(length);
    }
}

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
    use std::fs;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn refusal(bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.trec.gz");
        fs::write(&file, bytes).unwrap();
        let error = read_rankings(&file, "test", "default").unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    }

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_file_of_empty_lines_is_refused_with_its_line_packed_or_not() {
        let text = format!("q Q0 d 1 0.5 x\n{}", "\n".repeat(200_000));
        let expected = "x.trec.gz, line 1002: expected a ranking, with no more empty lines than others, found: 1001 empty lines";
        assert_eq!(refusal(text.as_bytes()), expected);
        assert_eq!(refusal(&packed(&text)), expected);
    }

    #[test]
    fn a_line_without_end_is_refused_and_not_repeated() {
        let text = format!("q Q0 d 1 0.5 x\n{}", "x".repeat(1_000_000));
        let expected = "x.trec.gz, line 2: expected a line of at most 65536 bytes, found: a longer one";
        assert_eq!(refusal(&packed(&text)), expected);
    }

    #[test]
    fn predictions_may_be_one_long_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("predictions.json");
        let found: Vec<String> = (0..20_000).map(|number| format!("\"d{number}\":{number}")).collect();
        let text = format!("{{\"default\":{{\"test\":{{\"q\":{{{}}}}}}}}}", found.join(","));
        fs::write(&file, packed(&text)).unwrap();
        assert_eq!(read_rankings(&file, "test", "default").unwrap().found[0].len(), 20_000);
    }

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

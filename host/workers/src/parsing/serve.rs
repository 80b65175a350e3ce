//! The worker's side: opens one file after another and gives their rows until the host has ended.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use mteb_data::{ReadRows, Wanted, open_rows};
use mteb_system::confine::bound_memory_for_now;
use mteb_system::memory_file;

use super::message::{ParserAnswer, ParserQuestion, SentFault, wanted};
use super::piece;
use crate::plugins::frame::{self, Frame};

/// Answers questions on standard input until it ends.
///
/// # Errors
/// If the streams to the host break.
pub fn serve() -> io::Result<()> {
    let (mut input, mut output) = (BufReader::new(io::stdin()), BufWriter::new(io::stdout()));
    let mut file = None;
    while let Some(Frame { number, header, payload }) = frame::read::<ParserQuestion>(&mut input)? {
        let answer = match header {
            ParserQuestion::Open { columns, ids, form, memory } => {
                // What was open takes memory, too.
                file = None;
                bound_memory_for_now(memory);
                OpenFile::open(Path::new(OsStr::from_bytes(&payload)), &wanted(columns, ids, form)).map(
                    |opened| {
                        file = Some(opened);
                        ParserAnswer::Opened
                    },
                )
            }
            ParserQuestion::Read { limit } => match &mut file {
                Some(file) => file.read(usize::try_from(limit).unwrap_or(usize::MAX)),
                None => Err(io::Error::other("no file is open").into()),
            },
        };
        frame::write(&mut output, number, &answer.unwrap_or_else(ParserAnswer::Fault), &[])?;
    }
    Ok(())
}

struct OpenFile {
    place: String,
    rows: Box<dyn ReadRows>,
    /// The piece that the host is looking at.
    given: Option<File>,
}

impl OpenFile {
    fn open(path: &Path, wanted: &Wanted) -> Result<Self, SentFault> {
        let place = path.display().to_string();
        let rows = open_rows(path, wanted).map_err(|error| SentFault::of(error, &place))?;
        Ok(Self { place, rows, given: None })
    }

    fn read(&mut self, limit: usize) -> Result<ParserAnswer, SentFault> {
        self.given = None;
        let table = self.rows.read_rows(limit).map_err(|error| SentFault::of(error, &self.place))?;
        let given = self.given.insert(piece::write(&self.place, limit, &table)?);
        Ok(ParserAnswer::Rows(memory_file::hand_on(given)?))
    }
}

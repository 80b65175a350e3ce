//! The worker's side: opens one file after another and gives their rows until the host is gone.

use std::ffi::OsStr;
use std::io::{self, BufReader, BufWriter};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use landlock::{ABI, Access, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus};
use mteb_data::{ReadRows, Wanted, open_rows};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::message::{Answer, Question, SentFault, wanted};
use super::piece;
use crate::plugins::frame;

/// Answers questions on standard input until it ends.
///
/// # Errors
/// If the streams to the host break.
pub fn serve() -> io::Result<()> {
    // A kernel that does not offer this leaves the network open to a process that never asks for it.
    let _ = without_network();
    let (mut input, mut output) = (BufReader::new(io::stdin()), BufWriter::new(io::stdout()));
    let mut file = None;
    while let Some((question, payload)) = frame::read::<Question>(&mut input)? {
        let answer = match question {
            Question::Open { columns, ids, memory } => {
                // What was open takes memory, too.
                file = None;
                limit_memory(memory);
                OpenFile::open(Path::new(OsStr::from_bytes(&payload)), &wanted(columns, ids)).map(|opened| {
                    file = Some(opened);
                    Answer::Opened
                })
            }
            Question::Read { limit } => match &mut file {
                Some(file) => file.read(usize::try_from(limit).unwrap_or(usize::MAX)),
                None => Err(io::Error::other("no file is open").into()),
            },
        };
        frame::write(&mut output, &answer.unwrap_or_else(Answer::Fault), &[])?;
    }
    Ok(())
}

struct OpenFile {
    place: String,
    rows: Box<dyn ReadRows>,
    /// The piece that the host is looking at.
    given: Option<OwnedFd>,
}

impl OpenFile {
    fn open(path: &Path, wanted: &Wanted) -> Result<Self, SentFault> {
        let place = path.display().to_string();
        let rows = open_rows(path, wanted).map_err(|error| SentFault::of(error, &place))?;
        Ok(Self { place, rows, given: None })
    }

    fn read(&mut self, limit: usize) -> Result<Answer, SentFault> {
        self.given = None;
        let table = self.rows.read_rows(limit).map_err(|error| SentFault::of(error, &self.place))?;
        let given = self.given.insert(piece::write(&self.place, limit, &table)?);
        Ok(Answer::Rows(given.as_raw_fd()))
    }
}

/// More memory of its own than `bytes` is refused to this process.
fn limit_memory(bytes: u64) {
    let maximum = getrlimit(Resource::Data).maximum;
    let current = Some(maximum.map_or(bytes, |maximum| maximum.min(bytes)));
    let _ = setrlimit(Resource::Data, Rlimit { current, maximum });
}

fn without_network() -> Result<RulesetStatus, RulesetError> {
    let restricted =
        Ruleset::default().handle_access(AccessNet::from_all(ABI::V5))?.create()?.restrict_self()?;
    Ok(restricted.ruleset)
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::thread;

    use super::*;

    #[test]
    fn a_process_that_parses_reaches_no_network() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        // What is given up holds for the thread.
        let restricted = thread::spawn(move || (without_network(), TcpStream::connect(address).is_err()));
        let (status, is_refused) = restricted.join().unwrap();
        if !matches!(status, Ok(RulesetStatus::FullyEnforced)) {
            eprintln!("nothing checked: the kernel keeps no process from the network");
            return;
        }
        assert!(is_refused);
        assert!(TcpStream::connect(address).is_ok(), "other threads reach it");
    }
}

//! Which form a file of rankings has.

use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::{Predictions, Rankings, RankingsError, trec};

/// Most bytes of a file, packed and unpacked.
const LARGEST: u64 = 4 << 30;

/// The rankings in `file`, packed by gzip or not: a TREC run file, or a prediction file of the reference, of which those of
/// `split` and `subset` are taken.
///
/// # Errors
/// If the file cannot be read, or something in it is not what it must be.
pub fn read_rankings(file: &Path, split: &str, subset: &str) -> Result<Rankings, RankingsError> {
    let text = read_text(file)?;
    let name = file.display().to_string();
    if text.trim_start().starts_with('{') {
        return Predictions::parse(&name, &text)?.rankings(&name, split, subset);
    }
    trec::read(&name, &text)
}

/// The text of `file`, unpacked.
///
/// # Errors
/// If the file cannot be read or unpacked, or is no UTF-8.
pub fn read_text(file: &Path) -> Result<String, RankingsError> {
    let name = file.display().to_string();
    let unreadable = |error| RankingsError::Unreadable { file: name.clone(), error };
    let bytes = mteb_files::read(file, LARGEST).map_err(unreadable)?;
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::with_capacity(bytes.len().saturating_mul(4));
        let mut decoder = MultiGzDecoder::new(bytes.as_slice()).take(LARGEST + 1);
        decoder.read_to_end(&mut unpacked).map_err(unreadable)?;
        if unpacked.len() as u64 > LARGEST {
            let message = format!("expected at most {LARGEST} bytes when it is unpacked, found more");
            return Err(unreadable(io::Error::new(io::ErrorKind::FileTooLarge, message)));
        }
        unpacked
    } else {
        bytes
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

//! What the host asks a worker that parses, and what it answers.

use std::io;
use std::path::Path;
use std::sync::Arc;

use mteb_data::{DataError, TextForm, Wanted};
use serde::{Deserialize, Serialize};

/// A question.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum ParserQuestion {
    /// Open the file whose path is the payload.
    Open {
        /// The columns to read; absent: all.
        columns: Option<Vec<String>>,
        /// The columns that hold ids, beside the usual ones.
        ids: Vec<String>,
        /// How text files are written, where not as usual.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<TextForm>,
        /// Most bytes of memory that the worker may have from now on.
        memory: u64,
    },
    /// Give the next rows.
    Read {
        /// At most so many.
        limit: u64,
    },
}

/// An answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParserAnswer {
    /// The file is open.
    Opened,
    /// The rows are in the memory file with this number in the worker, until the next question.
    Rows(i32),
    /// The file is at fault.
    Fault(SentFault),
}

/// A fault of a file on its way to the host.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SentFault {
    /// The system did not let it be read.
    Io {
        /// The system's number of the error.
        code: Option<i32>,
        /// The error in words.
        message: String,
    },
    /// It holds something else than it should.
    Malformed {
        /// File, with line or row.
        place: String,
        /// What was expected and what was found.
        message: String,
    },
}

impl ParserQuestion {
    /// Asks to open a file to read the `wanted` columns.
    pub fn open(wanted: &Wanted, memory: u64) -> Self {
        let (columns, ids) = wanted.names();
        let form = wanted.form().cloned();
        Self::Open { columns: columns.map(<[String]>::to_vec), ids: ids.to_vec(), form, memory }
    }
}

/// What a question wants.
pub fn wanted(columns: Option<Vec<String>>, ids: Vec<String>, form: Option<TextForm>) -> Wanted {
    let wanted = Wanted::Part { columns: columns.map(Arc::from), ids: Arc::from(ids) };
    wanted.written(form.map(Arc::new))
}

impl SentFault {
    /// What is sent of `error` about the file called `place`.
    pub fn of(error: DataError, place: &str) -> Self {
        match error {
            DataError::Io { source, .. } => source.into(),
            DataError::Malformed { place, message } => Self::Malformed { place, message },
            other => Self::Malformed { place: place.to_owned(), message: other.to_string() },
        }
    }

    /// The fault of the file at `path`.
    pub fn into_error(self, path: &Path) -> DataError {
        match self {
            Self::Malformed { place, message } => DataError::Malformed { place, message },
            Self::Io { code, message } => {
                let source = code.map_or_else(|| io::Error::other(message), io::Error::from_raw_os_error);
                DataError::Io { path: path.to_owned(), source }
            }
        }
    }
}

impl From<io::Error> for SentFault {
    fn from(error: io::Error) -> Self {
        Self::Io { code: error.raw_os_error(), message: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_the_same_on_both_sides() {
        let path = Path::new("a.csv");
        let io = |source| DataError::Io { path: path.to_owned(), source };
        for error in [
            DataError::Malformed {
                place: "a.csv, line 2".to_owned(),
                message: "expected 3 cells".to_owned(),
            },
            io(io::Error::from_raw_os_error(13)),
            io(io::Error::other("expected a regular file, found a pipe")),
        ] {
            let said = error.to_string();
            let sent = serde_json::to_string(&SentFault::of(error, "a.csv")).unwrap();
            let received: SentFault = serde_json::from_str(&sent).unwrap();
            assert_eq!(received.into_error(path).to_string(), said);
        }
    }
}

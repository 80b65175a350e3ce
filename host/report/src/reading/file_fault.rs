//! Why a file of a folder of results counts for nothing.

use std::io;

use mteb_results::ResultFault;
use serde::{Deserialize, Serialize};

use super::form_fault::FormFault;

/// Why a file counts for nothing; without its path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is of another form.
    #[error(transparent)]
    Form(#[from] FormFault),
    /// This host wrote it, and would not have written it so.
    #[error(transparent)]
    Checked(#[from] ResultFault),
}

/// A [`FileFault`] as the index of results keeps it: what it said when the file was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct IndexedFault(String);

impl From<FileFault> for IndexedFault {
    fn from(fault: FileFault) -> Self {
        Self(fault.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::super::meta::read_meta;
    use super::*;

    #[test]
    fn a_fault_keeps_its_source_and_the_index_what_it_says() {
        let fault = read_meta("{").unwrap_err();
        assert!(fault.source().is_some_and(|source| source.is::<serde_json::Error>()));
        let said = fault.to_string();
        assert!(said.starts_with("expected JSON: EOF while parsing"), "{said}");
        assert_eq!(IndexedFault::from(FileFault::from(fault)).to_string(), said);
    }
}

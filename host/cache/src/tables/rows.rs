//! The rows of one data file: from what is kept, else parsed and kept. How a file of kept rows is
//! written atomically, and which go when there are too many.

use std::fs::File;
use std::io::{BufWriter, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use mteb_base::calendar;
use mteb_data::mapped::{RecordFault, Recorded, Recorder};
use mteb_data::{DataError, ReadRows, Table, Wanted};
use tempfile::NamedTempFile;

use super::shared::{Shared, key};
use super::stamp::{STAMPS, Stamp};
use crate::files::{StoredFile, is_hash, make_room};
use crate::{files, folder};

/// Rows that are the same whether they were kept or not.
pub struct CachedFileRows {
    shared: Arc<Shared>,
    path: PathBuf,
    wanted: Wanted,
    /// What the system said of the file when its content was hashed.
    stamp: Stamp,
    content: String,
    /// Rows that were asked for so far, call by call.
    asked: Vec<usize>,
    state: State,
}

enum State {
    Unread,
    Kept { rows: Recorded, entry: PathBuf },
    Parsed { rows: Box<dyn ReadRows>, recording: Option<Recording> },
}

struct Recording {
    recorder: Recorder<BufWriter<NamedTempFile>>,
    key: String,
}

impl CachedFileRows {
    /// The rows of the file at `path`, whose content and stamp are these.
    pub fn new(shared: Arc<Shared>, path: &Path, wanted: &Wanted, stamp: Stamp, content: String) -> Self {
        let (path, wanted) = (path.to_owned(), wanted.clone());
        Self { shared, path, wanted, stamp, content, asked: Vec::new(), state: State::Unread }
    }

    /// Opens what is kept, else the file.
    fn begin(&mut self, limit: usize) -> Result<(), DataError> {
        let key = key(&self.content, &self.path, &self.wanted, limit);
        let entry = path_of(&self.shared.root, &key);
        let opened = mteb_files::open(&entry).map_err(RecordFault::from).and_then(|file| {
            note_use(&file);
            Recorded::open(file, &key)
        });
        match opened {
            Ok(rows) => self.state = State::Kept { rows, entry },
            Err(error) => {
                self.give_up(&entry, &error);
                self.parse(Some(key))?;
            }
        }
        Ok(())
    }

    /// Goes over to parsing: reads again what was given out before, and from there on.
    fn parse(&mut self, key: Option<String>) -> Result<(), DataError> {
        let recording = key.and_then(|key| self.record(key));
        let rows = self.shared.opener.open(&self.path, &self.wanted)?;
        self.state = State::Parsed { rows, recording };
        for limit in self.asked.clone() {
            self.parse_more(limit)?;
        }
        Ok(())
    }

    fn record(&self, key: String) -> Option<Recording> {
        if !self.shared.writes() {
            return None;
        }
        match begin_file(&self.shared.root) {
            Ok(file) => {
                let recorder = Recorder::new(BufWriter::with_capacity(1 << 18, file), &key);
                Some(Recording { recorder, key })
            }
            Err(error) => {
                self.shared.give_up_writing(&error);
                None
            }
        }
    }

    /// The next rows from the parser, which are recorded too.
    fn parse_more(&mut self, limit: usize) -> Result<Table, DataError> {
        let State::Parsed { rows, recording } = &mut self.state else { return Ok(Table::default()) };
        let table = match rows.read_rows(limit) {
            Ok(table) => table,
            Err(error) => {
                // Rows beside a fault are not kept.
                *recording = None;
                return Err(error);
            }
        };
        let Some(mut current) = recording.take() else { return Ok(table) };
        match current.recorder.add(&self.path.display().to_string(), limit, &table) {
            Err(error) => self.shared.give_up_writing(&error),
            Ok(()) if table.rows() == 0 => self.keep(current),
            // More than may be kept is not written any further.
            Ok(()) if current.recorder.length() > self.shared.limit => {}
            Ok(()) => *recording = Some(current),
        }
        Ok(table)
    }

    /// Keeps what was recorded, if the file is still the one whose content was hashed.
    fn keep(&self, recording: Recording) {
        let Ok(found) = fs::metadata(&self.path) else { return };
        if Stamp::of(&found) != self.stamp {
            return;
        }
        // Nobody may read the rows who may not read the data.
        let mode = 0o600 | found.mode() & folder::SHARED;
        let Shared { root, limit, .. } = &*self.shared;
        let kept = recording.recorder.finish().and_then(|out| {
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            keep_file(file, root, &recording.key, *limit, mode)
        });
        kept.unwrap_or_else(|error| self.shared.give_up_writing(&error));
    }

    /// What another process has removed is gone; what cannot be read is left where it is; what is damaged is removed,
    /// so that nobody meets it again.
    fn give_up(&self, entry: &Path, error: &RecordFault) {
        match error {
            RecordFault::Io(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return;
            }
            RecordFault::Io(error) if error.kind() != ErrorKind::UnexpectedEof => {}
            _ => drop(fs::remove_file(entry)),
        }
        self.shared.warn(format!("{}: {error}; {} is parsed again", entry.display(), self.path.display()));
    }
}

impl ReadRows for CachedFileRows {
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError> {
        if matches!(self.state, State::Unread) {
            self.begin(limit)?;
        }
        if let State::Kept { rows, entry } = &mut self.state {
            match rows.read(&self.path.display().to_string(), limit) {
                Ok(Some(table)) => {
                    self.asked.push(limit);
                    return Ok(table);
                }
                Ok(None) => self.parse(None)?,
                Err(error) => {
                    let entry = entry.clone();
                    self.give_up(&entry, &error);
                    let first = self.asked.first().copied().unwrap_or(limit);
                    self.parse(Some(key(&self.content, &self.path, &self.wanted, first)))?;
                }
            }
        }
        self.parse_more(limit)
    }
}

/// Ending of the files.
pub const ENDING: &str = "table";

/// The file of `key` below `root`.
pub fn path_of(root: &Path, key: &str) -> PathBuf {
    root.join(key).with_extension(ENDING)
}

/// The files below `root`; those that another process removes in this moment are skipped.
pub fn entries(root: &Path) -> Vec<StoredFile> {
    let paths = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    paths
        .filter(|path| is_hash(path, 64, ENDING) && folder::is_file(path))
        .filter_map(StoredFile::at)
        .collect()
}

/// Notes that `file` was used. A cache that cannot be written forgets in another order, that is all.
pub fn note_use(file: &File) {
    let _ = file.set_modified(calendar::now());
}

/// A file below `root` that is renamed when it is whole.
///
/// # Errors
/// If the folder cannot be made or written.
pub fn begin_file(root: &Path) -> io::Result<NamedTempFile> {
    fs::create_dir_all(root.join(STAMPS))?;
    folder::locked_file(root)
}

/// Makes room for `file` among the `limit` bytes below `root`, and gives it the name of `key` and the permissions `mode`.
///
/// # Errors
/// If it cannot be renamed.
pub fn keep_file(file: NamedTempFile, root: &Path, key: &str, limit: u64, mode: u32) -> io::Result<()> {
    let needed = file.as_file().metadata()?.len();
    make_room(entries(root), limit, needed, files::is_table);
    mteb_files::persist(file, &path_of(root, key), mode)
}

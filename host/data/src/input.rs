//! The formats of data files, by the suffixes of their names, and a file as a stream of bytes,
//! decompressed if its name says so, up to a bound: a small file must not fill the memory.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;

use crate::DataError;
use crate::members::Members;
use crate::text_form::{Decoded, NOT_IN_ENCODING};

/// Bytes asked of the system or of the decompressor at a time.
pub const BUFFER: usize = 1 << 17;

/// A compression that a file's name can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstd,
}

/// The bytes of a file.
pub struct Input<'a> {
    /// The file's name in messages.
    pub place: String,
    compression: Option<Compression>,
    bytes: Box<dyn BufRead + Send + 'a>,
}

impl<'a> Input<'a> {
    /// Opens the file `path`, whose text is UTF-8 unless another `encoding` is named.
    ///
    /// # Errors
    /// If the file cannot be opened, or holds nothing.
    pub fn open(
        path: &Path,
        compression: Option<Compression>,
        encoding: Option<&'static Encoding>,
    ) -> Result<Self, DataError> {
        let fault = |source| DataError::Io { path: path.to_owned(), source };
        let file = mteb_files::open(path).map_err(fault)?;
        let place = path.display().to_string();
        let length = file.metadata().map_err(fault)?.len();
        if length == 0 {
            let message = "expected rows, found an empty file; fetch or write it again".to_owned();
            return Err(DataError::Malformed { place, message });
        }
        let mut file = BufReader::with_capacity(BUFFER, file);
        if let (None, Some((found, advice))) = (compression, other_form(file.fill_buf().map_err(fault)?)) {
            let message = format!("expected text, as its name says, found {found}; {advice}");
            return Err(DataError::Malformed { place, message });
        }
        let bytes: Box<dyn BufRead + Send> = match compression {
            None => Box::new(file),
            Some(Compression::Gzip) => {
                let members = Members::new(file);
                Box::new(BufReader::with_capacity(BUFFER, Bounded::of_unpacked(members, length)))
            }
            Some(Compression::Zstd) => {
                let decoder = zstd::stream::read::Decoder::with_buffer(file).map_err(fault)?;
                Box::new(BufReader::with_capacity(BUFFER, Bounded::of_unpacked(decoder, length)))
            }
        };
        let bytes: Box<dyn BufRead + Send> = match encoding {
            Some(encoding) => Box::new(BufReader::with_capacity(BUFFER, Decoded::new(bytes, encoding))),
            None => bytes,
        };
        Ok(Self { place, compression, bytes })
    }

    /// The bytes in memory of something called `place`.
    pub fn of_bytes(place: &str, bytes: &'a [u8]) -> Self {
        Self { place: place.to_owned(), compression: None, bytes: Box::new(bytes) }
    }

    /// Appends the next line with its end to `line`; false at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read or decompressed.
    pub fn read_line(&mut self, line: &mut Vec<u8>) -> Result<bool, DataError> {
        let count = self.bytes.read_until(b'\n', line).map_err(|error| self.fault(error))?;
        Ok(count > 0)
    }

    /// All bytes that are left.
    ///
    /// # Errors
    /// If the input cannot be read or decompressed.
    pub fn read_all(&mut self) -> Result<Vec<u8>, DataError> {
        let mut all = Vec::new();
        self.bytes.read_to_end(&mut all).map_err(|error| self.fault(error))?;
        Ok(all)
    }

    /// The first byte that is neither white space nor part of a byte-order mark, of those already buffered.
    ///
    /// # Errors
    /// If the input cannot be read or decompressed.
    pub fn first_mark(&mut self) -> Result<Option<u8>, DataError> {
        let place = (self.place.clone(), self.compression);
        let buffered = self.bytes.fill_buf().map_err(|error| fault(&place.0, place.1, error))?;
        let text = buffered.strip_prefix(b"\xef\xbb\xbf").unwrap_or(buffered);
        Ok(text.iter().copied().find(|byte| !byte.is_ascii_whitespace()))
    }

    /// The first line, as far as it is already buffered, without its end.
    ///
    /// # Errors
    /// If the input cannot be read or decompressed.
    pub fn first_line(&mut self) -> Result<&[u8], DataError> {
        let place = (self.place.clone(), self.compression);
        let buffered = self.bytes.fill_buf().map_err(|error| fault(&place.0, place.1, error))?;
        let text = buffered.strip_prefix(b"\xef\xbb\xbf").unwrap_or(buffered);
        Ok(text.split(|byte| *byte == b'\n').next().unwrap_or_default())
    }

    /// What an error of reading says of this input.
    pub fn fault(&self, error: io::Error) -> DataError {
        fault(&self.place, self.compression, error)
    }
}

impl io::Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

/// What a file is that begins with `bytes` and is no text, and what to do with it.
fn other_form(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const FORMS: [(&[u8], &str, &str); 5] = [
        (
            b"PK\x03\x04",
            "a ZIP archive, which `.xlsx` workbooks are",
            "export the table as CSV, or unpack it",
        ),
        (b"\xd0\xcf\x11\xe0", "an `.xls` workbook", "export the table as CSV"),
        (b"PAR1", "a Parquet file", "rename it to end in `.parquet`"),
        (b"\x1f\x8b", "gzip data", "rename it to end in `.gz`"),
        (b"\x28\xb5\x2f\xfd", "zstd data", "rename it to end in `.zst`"),
    ];
    let form = FORMS.iter().find(|(mark, ..)| bytes.starts_with(mark))?;
    Some((form.1, form.2))
}

fn fault(place: &str, compression: Option<Compression>, error: io::Error) -> DataError {
    if error.kind() == io::ErrorKind::InvalidData && error.to_string().starts_with(NOT_IN_ENCODING) {
        return DataError::Malformed { place: place.to_owned(), message: error.to_string() };
    }
    let name = match compression {
        None => return DataError::Io { path: PathBuf::from(place), source: error },
        Some(Compression::Gzip) => "gzip",
        Some(Compression::Zstd) => "zstd",
    };
    if error.kind() == io::ErrorKind::FileTooLarge {
        let message =
            format!("{error}; if this is intended, unpack the file and write it again uncompressed");
        return DataError::Malformed { place: place.to_owned(), message };
    }
    if error.kind() == io::ErrorKind::OutOfMemory || error.to_string().contains("too much memory") {
        let message = format!(
            "expected {name} data that unpacks within the memory a file may take, found data that needs more; \
             if this is intended, write the rows into several files, or as Parquet"
        );
        return DataError::Malformed { place: place.to_owned(), message };
    }
    DataError::Malformed {
        place: place.to_owned(),
        message: format!(
            "expected complete {name} data, found it damaged or truncated: {error}; fetch it again"
        ),
    }
}

/// What any file may unpack to.
const LEAST: u64 = 1 << 30;

/// How many times its size a larger file may unpack to; text seldom reaches 20.
const RATIO: u64 = 200;

/// Bytes that end with [`ErrorKind::FileTooLarge`] if they are too many.
pub struct Bounded<R> {
    bytes: R,
    limit: u64,
    read: u64,
}

impl<R: Read> Bounded<R> {
    /// What a file of `length` bytes unpacks to.
    pub fn of_unpacked(bytes: R, length: u64) -> Self {
        Self { bytes, limit: length.saturating_mul(RATIO).max(LEAST), read: 0 }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.read += read as u64;
        if self.read > self.limit {
            let message = format!("expected at most {} bytes of unpacked data, found more", self.limit);
            return Err(io::Error::new(ErrorKind::FileTooLarge, message));
        }
        Ok(read)
    }
}

/// Suffixes of the formats that are read; the text formats also with `.gz` or `.zst` behind.
pub const FORMATS: &str = ".parquet, .jsonl, .ndjson, .json, .csv, .tsv";

/// True if the name has the suffix of a format that is read.
pub fn is_readable(name: &str) -> bool {
    let name = name.to_lowercase();
    let (format, compression) = split_suffixes(&name);
    let is_known = FORMATS.split(", ").any(|suffix| suffix.trim_start_matches('.') == format);
    is_known && (compression.is_none() || format != "parquet")
}

/// Bytes of the largest file of which it is known that it takes little memory, whatever it holds.
const SMALL: u64 = 256 << 10;

/// True if the file `path` of `length` bytes is a small text that is not compressed, which takes little memory whatever it
/// holds: cells of mixed types some 130 times their bytes by reckoning, and those that are not written have a budget.
pub fn is_bounded(path: &Path, length: u64) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    length <= SMALL && matches!(split_suffixes(&name), (format, None) if format != "parquet")
}

/// The suffix of the format of the file called `name`.
pub fn format_of(name: &str) -> &str {
    split_suffixes(name).0
}

/// True if the cells of the file called `name` are written without their types.
pub fn is_untyped(name: &str) -> bool {
    matches!(format_of(&name.to_lowercase()), "csv" | "tsv")
}

/// True if the file called `name` is in a format that is read and that has lists and objects.
pub fn may_hold_lists(name: &str) -> bool {
    is_readable(name) && !is_untyped(name)
}

/// The suffix of the format, and that of a compression behind it.
pub fn split_suffixes(name: &str) -> (&str, Option<Compression>) {
    let (name, compression) = if let Some(name) = name.strip_suffix(".gz") {
        (name, Some(Compression::Gzip))
    } else if let Some(name) = name.strip_suffix(".zst") {
        (name, Some(Compression::Zstd))
    } else {
        (name, None)
    };
    (name.rsplit_once('.').map_or("", |(_, suffix)| suffix), compression)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unpacks_to_more_than_the_bound_ends_there() {
        let mut bounded = Bounded { bytes: io::repeat(b' '), limit: 1000, read: 0 };
        let error = bounded.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "expected at most 1000 bytes of unpacked data, found more");
        assert_eq!(Bounded::of_unpacked(io::empty(), 1).limit, LEAST);
        assert_eq!(Bounded::of_unpacked(io::empty(), LEAST).limit, 200 * LEAST);
    }
}

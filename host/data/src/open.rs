//! Reads one file in the format that its name says.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::delimited::read_delimited;
use crate::json::{read_json_lines, read_json_list};
use crate::parquet_file::read_parquet;
use crate::{DataError, Table};

/// Suffixes of the formats that are read, plain or with `.gz` or `.zst` behind.
const FORMATS: &str = ".parquet, .jsonl, .ndjson, .json, .csv, .tsv";

/// Reads a file: Parquet, JSON lines, a JSON list, CSV or TSV; the text formats also with `.gz` or `.zst`.
///
/// # Errors
/// If the file cannot be read, or does not hold what its name says.
pub fn read_file(path: &Path) -> Result<Table, DataError> {
    let place = path.display().to_string();
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = name.trim_end_matches(".gz").trim_end_matches(".zst");
    let format = plain.rsplit('.').next().unwrap_or("");
    match format {
        "parquet" => {
            let file = File::open(path).map_err(|source| io_error(path, source))?;
            read_parquet(&place, file)
        }
        "jsonl" | "ndjson" => read_json_lines(&place, &bytes(path, &name)?),
        "json" => read_json(&place, &bytes(path, &name)?),
        "csv" => read_delimited(&place, &bytes(path, &name)?, b','),
        "tsv" => read_delimited(&place, &bytes(path, &name)?, b'\t'),
        _ => Err(DataError::Malformed {
            place,
            message: format!("expected a file of a format that is read ({FORMATS}), found another suffix"),
        }),
    }
}

/// True if the name has the suffix of a format that is read.
pub fn is_readable(name: &str) -> bool {
    let name = name.to_lowercase();
    let plain = name.trim_end_matches(".gz").trim_end_matches(".zst");
    FORMATS.split(", ").any(|suffix| plain.ends_with(suffix))
}

/// Files named `.json` hold a list, or JSON lines under the wrong name.
fn read_json(place: &str, bytes: &[u8]) -> Result<Table, DataError> {
    let first = bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(b'{') { read_json_lines(place, bytes) } else { read_json_list(place, bytes) }
}

/// The file's bytes, decompressed if its name says so.
fn bytes(path: &Path, name: &str) -> Result<Vec<u8>, DataError> {
    let compressed = fs::read(path).map_err(|source| io_error(path, source))?;
    let mut bytes = Vec::new();
    let result = if name.ends_with(".gz") {
        flate2::read::MultiGzDecoder::new(compressed.as_slice()).read_to_end(&mut bytes)
    } else if name.ends_with(".zst") {
        zstd::stream::read::Decoder::new(compressed.as_slice())
            .and_then(|mut decoder| decoder.read_to_end(&mut bytes))
    } else {
        return Ok(compressed);
    };
    result.map_err(|error| DataError::Malformed {
        place: path.display().to_string(),
        message: format!("the compressed file is damaged or cut: {error}; fetch it again"),
    })?;
    Ok(bytes)
}

fn io_error(path: &Path, source: std::io::Error) -> DataError {
    DataError::Io { path: path.to_owned(), source }
}

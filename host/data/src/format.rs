//! The formats of data files, by the suffixes of their names.

use std::path::Path;

use crate::input::Compression;

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

//! What rows may cost beside the bytes that they are written in.
//!
//! A reader keeps about as many bytes as it reads, but for cells of mixed types: the shortest of them take some 130 times
//! the bytes that they are written in, and a cell of a key that a row does not have is written in none. So there are
//! limits to how many columns a file may have, and how many cells that are not written.

/// Most columns of a file.
pub const COLUMNS: usize = 10_000;

/// Cells that rows without a key may lack, beside one for each byte that was read.
pub const ABSENT: usize = 100_000;

/// What is said of more than [`COLUMNS`] columns.
pub fn too_many_columns() -> String {
    format!(
        "expected at most {COLUMNS} columns, found more; write rows of a column each, or lists in one column"
    )
}

/// What is said of `absent` cells that are not there in rows of `bytes` bytes.
pub fn too_many_absent(absent: usize, bytes: usize) -> String {
    format!(
        "expected rows with about the same keys, found {absent} missing ones in {bytes} bytes; leave out keys \
         that few rows have, or move them into an object of their own"
    )
}

//! One piece of rows in a memory file, which nobody can change any more once the other side looks into it.

use std::fs::File;
use std::io::{self, BufWriter};

use mteb_data::Table;
use mteb_data::mapped::{RecordFault, Recorded, Recorder};
use mteb_system::memory_file;

/// Key of a piece: it is read where it was asked for.
const KEY: &str = "piece";

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 18;

/// Writes the `table` that a reader of the file called `place` gave for `limit` rows.
///
/// # Errors
/// If there is no memory for it.
pub fn write(place: &str, limit: usize, table: &Table) -> io::Result<File> {
    let file = memory_file::create("mteb-host-rows")?;
    let mut recorder = Recorder::new(BufWriter::with_capacity(BUFFER, file), KEY);
    recorder.add(place, limit, table)?;
    let file = recorder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    memory_file::seal(&file)?;
    Ok(file)
}

/// The rows in a sealed memory file, of the file called `place`, of which `limit` rows were asked for.
///
/// # Errors
/// If it holds something else.
pub fn read(file: File, place: &str, limit: usize) -> Result<Table, RecordFault> {
    let table = Recorded::open(file, KEY)?.read(place, limit)?;
    table.ok_or_else(|| RecordFault::Damaged("expected the requested rows, found others".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use super::*;

    fn table() -> Table {
        mteb_data::read_json_lines("a.jsonl", b"{\"a\": \"satu\", \"n\": 1}\n{\"a\": \"dua\", \"n\": null}\n")
            .unwrap()
    }

    #[test]
    fn rows_come_back_and_nobody_can_change_them() {
        let written = write("a.jsonl", 5, &table()).unwrap();
        let file =
            memory_file::of_process(std::process::id(), memory_file::hand_on(&written).unwrap()).unwrap();
        let back = read(file, "a.jsonl", 5).unwrap();
        assert_eq!(back, table());
        assert!(written.write_at(b"x", 0).is_err() && written.set_len(0).is_err());
        assert_eq!(back, table());
    }
}

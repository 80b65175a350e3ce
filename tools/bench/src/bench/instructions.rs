//! How many instructions the hot paths of the host take, counted by callgrind and compared with a committed table.

mod changes;
mod count;
mod table;

use std::process::ExitCode;

use changes::{Change, changes};
use count::{compiler, count_all};
use table::Table;

/// How to write the table again.
const RECORD: &str = "cargo xtask bench instructions --record";

/// Counts all paths. One that takes more instructions than the table allows fails the command.
pub fn instructions() -> Result<ExitCode, String> {
    let recorded = Table::read()?;
    let counted = Table { compiler: compiler()?, counts: count_all()? };
    let changes = changes(&recorded.counts, &counted.counts);
    changes.iter().for_each(|change| println!("{change}"));
    if recorded.compiler != counted.compiler {
        println!("{}", other_compiler(&recorded.compiler, &counted.compiler));
    }
    let failed: Vec<&Change> = changes.iter().filter(|change| change.fails()).collect();
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("{}", failure(&failed));
    Ok(ExitCode::FAILURE)
}

/// Counts all paths and writes the table.
pub fn record_instructions() -> Result<ExitCode, String> {
    let counted = Table { compiler: compiler()?, counts: count_all()? };
    let before = Table::read().map(|table| table.counts).unwrap_or_default();
    changes(&before, &counted.counts).iter().for_each(|change| println!("{change}"));
    counted.write()?;
    Ok(ExitCode::SUCCESS)
}

fn other_compiler(recorded: &str, found: &str) -> String {
    format!(
        "The counts were recorded with {recorded}, and this is {found}: a change may be the compiler's. \
         `RUSTUP_TOOLCHAIN` chooses another one."
    )
}

fn failure(failed: &[&Change]) -> String {
    let reasons: Vec<String> = failed.iter().map(|change| change.to_string()).collect();
    format!(
        "{}: expected as many instructions as recorded, or at most {} % more, found: {}; if that is meant, record \
         the counts with `{RECORD}`",
        table::FILE,
        changes::PERCENT,
        reasons.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_failure_names_the_path_the_growth_and_the_command_that_records() {
        let counts = |count| BTreeMap::from([("bm25".to_owned(), count)]);
        let changes = changes(&counts(1000), &counts(1040));
        let text = failure(&changes.iter().collect::<Vec<_>>());
        assert!(text.contains("bm25: 1040 instructions, +4.00 % of 1000"), "{text}");
        assert!(text.ends_with("record the counts with `cargo xtask bench instructions --record`"), "{text}");
    }
}

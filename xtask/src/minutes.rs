//! How long the parts of the checks take, beside what each may take.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::command::{root, target_folder};

/// The document whose table says what each part may take.
const BUDGETS: &str = "xtask/README.md";

/// The parts that are done, in order, with the time of each.
#[derive(Default)]
pub struct Minutes(Vec<(&'static str, Duration)>);

impl Minutes {
    /// Does a part.
    ///
    /// # Errors
    /// That of the part.
    pub fn of<T>(
        &mut self,
        part: &'static str,
        work: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let start = Instant::now();
        let done = work();
        self.0.push((part, start.elapsed()));
        done
    }

    /// Keeps the minutes of each part and their sum for [`write`].
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn keep(&self) -> Result<(), String> {
        let sum = ("sum", self.0.iter().map(|(_, time)| *time).sum::<Duration>());
        let line = |(part, time): &(&str, Duration)| format!("{part}\t{:.1}\n", time.as_secs_f64() / 60.0);
        let lines: String = self.0.iter().chain([&sum]).map(line).collect();
        fs::write(minutes_file(), lines).map_err(|error| format!("{}: {error}", minutes_file().display()))
    }

    /// Prints a line for each part that was begun, and their sum.
    pub fn print(&self) {
        eprintln!("\n{}", table(&self.0, budget));
    }
}

/// Puts the minutes of the last checks into the last column of the document.
///
/// # Errors
/// If no minutes are kept, or a file cannot be read or written.
pub fn write() -> Result<ExitCode, String> {
    let kept = minutes_file();
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let seen = read(&kept).map_err(|fault| format!("{fault}; `cargo xtask test` keeps them"))?;
    let document = root().join(BUDGETS);
    let text = with_seen(&read(&document)?, &seen);
    fs::write(&document, text).map_err(|error| format!("{}: {error}", document.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The document with what was `seen`, lines of a part and its minutes, in the last column of the rows of these parts.
fn with_seen(document: &str, seen: &str) -> String {
    let seen: Vec<(&str, &str)> = seen.lines().filter_map(|line| line.split_once('\t')).collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').collect();
        let [part, budget, what, _] = cells.as_slice() else { return None };
        let (_, minutes) = seen.iter().find(|(name, _)| *name == part.trim())?;
        Some(format!("|{part}|{budget}|{what}| {minutes} |\n"))
    };
    document
        .split_inclusive('\n')
        .map(|line| row(line.trim_end()).unwrap_or_else(|| line.to_owned()))
        .collect()
}

fn minutes_file() -> PathBuf {
    target_folder().join("minutes.tsv")
}

/// A line for each part, and their sum: the minutes it took, those it may take, and a mark where it took more.
fn table(parts: &[(&str, Duration)], budget: impl Fn(&str) -> Option<f64>) -> String {
    let sum = ("sum", parts.iter().map(|(_, time)| *time).sum());
    let mut lines = vec![format!("{:<12} {:>8} {:>8}", "part", "minutes", "budget")];
    for (part, time) in parts.iter().chain([&sum]) {
        let minutes = time.as_secs_f64() / 60.0;
        let budget = budget(part);
        let allowed = budget.map_or_else(|| "-".to_owned(), |budget| format!("{budget:.1}"));
        let mark = if budget.is_some_and(|budget| minutes > budget) { "  over" } else { "" };
        lines.push(format!("{part:<12} {minutes:>8.1} {allowed:>8}{mark}"));
    }
    lines.join("\n")
}

/// The minutes that `part` may take: in the table the second column of the row whose first one names it.
pub fn budget(part: &str) -> Option<f64> {
    let document = std::fs::read_to_string(root().join(BUDGETS)).ok()?;
    let row = |line: &str| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        (cells.next()? == part).then(|| cells.next()?.parse().ok())?
    };
    document.lines().find_map(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_goes_into_the_last_column() {
        let document = "text\n| part | minutes | what | seen |\n|---|---:|---|---:|\n| lints | 2 | clippy | |\n| arm | 1 | ARM64 | 4 |\n";
        let expected = document.replace("| clippy | |", "| clippy | 1.1 |");
        assert_eq!(with_seen(document, "lints\t1.1\nsum\t1.9\n"), expected);
    }

    #[test]
    fn each_part_stands_beside_its_budget() {
        let budget = |part: &str| {
            [("lints", 2.0), ("tests", 0.5), ("sum", 3.0)].iter().find(|row| row.0 == part).map(|row| row.1)
        };
        let parts = [
            ("lints", Duration::from_secs(66)),
            ("tests", Duration::from_secs(45)),
            ("more", Duration::ZERO),
        ];
        let expected = "part          minutes   budget\n\
                        lints             1.1      2.0\n\
                        tests             0.8      0.5  over\n\
                        more              0.0        -\n\
                        sum               1.9      3.0";
        assert_eq!(table(&parts, budget), expected);
    }
}

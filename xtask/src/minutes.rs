//! How long the parts of the checks take, beside what each may take.

use std::time::{Duration, Instant};

use crate::command::root;

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

    /// Prints a line for each part that was begun, and their sum.
    pub fn print(&self) {
        eprintln!("\n{}", table(&self.0, budget));
    }
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

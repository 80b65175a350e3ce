//! What a benchmark takes from its environment: variables, datasets, and the number of rounds, in which both
//! sides run in turns; and the ratios of what they took: the middle one, with the least and the most.

use std::path::PathBuf;

use xtask_start::command::root;

use crate::measure::middle;

/// A variable of the environment that is not empty.
pub fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The datasets of the reference's tasks, laid out like the hub.
pub fn hub_folder() -> PathBuf {
    variable("MTEB_HUB_DIR").unwrap_or_else(|| root().join("../shared/hub"))
}

/// The largest size that is tried, if `MTEB_LARGEST` bounds it.
///
/// # Errors
/// If it is no number.
pub fn largest() -> Result<Option<usize>, String> {
    let Some(given) = variable("MTEB_LARGEST") else { return Ok(None) };
    let given = given.to_string_lossy();
    given.parse().map(Some).map_err(|_| format!("MTEB_LARGEST: expected a number, found {given}"))
}

/// How to read ratios, behind the name of the machine.
pub const RATIOS: &str = "Ratios are the other side's figure over ours, round by round: the middle one, and in brackets the least and the most; above 1 is better.";

/// Rounds of a benchmark: `MTEB_ROUNDS`, else `otherwise`.
///
/// # Errors
/// If it is no number, or 0.
pub fn rounds(otherwise: usize) -> Result<usize, String> {
    let Some(given) = variable("MTEB_ROUNDS") else { return Ok(otherwise) };
    let given = given.to_string_lossy();
    let rounds = given.parse().ok().filter(|&rounds| rounds > 0);
    rounds.ok_or_else(|| format!("MTEB_ROUNDS: expected a number from 1 on, found {given}"))
}

/// The other side's figures over ours, round by round. Empty if one of the sides did not run.
pub fn ratio(
    theirs: impl IntoIterator<Item = f64>,
    ours: impl IntoIterator<Item = f64>,
    digits: usize,
) -> String {
    spread(theirs.into_iter().zip(ours).map(|(theirs, ours)| theirs / ours), digits)
}

/// Figures of several rounds.
pub fn spread(figures: impl IntoIterator<Item = f64>, digits: usize) -> String {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    match figures.as_slice() {
        [] => String::new(),
        [only] => format!("{only:.digits$}"),
        [least, .., most] => {
            format!("{:.digits$} ({least:.digits$} to {most:.digits$})", middle(figures.iter().copied()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_rounds() {
        assert_eq!(ratio([4.0, 9.0, 8.0], [2.0, 3.0, 2.0], 1), "3.0 (2.0 to 4.0)");
        assert_eq!(ratio([5.0], [2.0], 2), "2.50");
        assert_eq!(ratio([], [2.0], 1), "");
    }
}

//! The tables of ceilings and of parts.

use super::figures::{Ceiling, Figures, Part, Reached};
use crate::bench::rounds::spread;
use crate::measure::middle;
use xtask::document::machine;

/// How parts that need libtorch are called.
const ENCODING: [&str; 2] = ["encode", "tokenise"];

/// Both tables, with the machine they were made on.
///
/// # Errors
/// If a part has no ceiling.
pub fn markdown(figures: &Figures) -> Result<String, String> {
    let mut text = format!(
        "Machine: {}. Shares are those of rounds in which both were measured: the middle one, and in brackets the least and the most.\n\n\
         | part | work | seconds | its ceiling | share of it, % |\n|---|---|---:|---|---:|\n",
        machine()
    );
    for name in ENCODING {
        if !figures.parts.iter().any(|part| part.name.starts_with(name)) {
            text += &format!("| {name} | | | | not measured |\n");
        }
    }
    for part in &figures.parts {
        text += &row(part, &figures.reached(part)?);
    }
    text += "\n| ceiling | a second |\n|---|---:|\n";
    for ceiling in &figures.ceilings {
        text += &format!("| {} | {} |\n", ceiling.name, rate(ceiling));
    }
    Ok(text)
}

fn row(part: &Part, reached: &Reached) -> String {
    let seconds = middle(part.seconds.iter().copied());
    let shares = spread(reached.shares.iter().map(|share| 100.0 * share), 0);
    format!("| {} | {} | {seconds:.4} | {} | {shares} |\n", part.name, part.what, reached.ceiling.name)
}

/// Rates in thousands of millions, the lowest and the highest too.
fn rate(ceiling: &Ceiling) -> String {
    let unit = if ceiling.unit == "bytes" { "GB" } else { "Gflop" };
    format!("{} {unit}", spread(ceiling.rates.iter().map(|rate| rate / 1e9), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_part_has_its_share_and_encoding_is_not_measured_where_nothing_encoded() {
        let mut figures = Figures::default();
        figures
            .add(&json!({
                "ceilings": [{"name": "memory", "unit": "bytes", "rates": [8e9, 1e10, 4e9]}],
                "parts": [{"name": "search", "what": "9 × 9", "needs": {"memory": 4e9}, "seconds": [1.0, 1.0, 2.0]}],
            }))
            .unwrap();
        let text = markdown(&figures).unwrap();
        assert!(text.contains("| search | 9 × 9 | 1.0000 | memory | 50 (40 to 50) |\n"), "{text}");
        assert!(text.contains("| memory | 8.0 (4.0 to 10.0) GB |\n"), "{text}");
        assert!(
            text.contains("| encode | | | | not measured |\n| tokenise | | | | not measured |\n"),
            "{text}"
        );
    }
}

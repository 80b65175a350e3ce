//! What was measured, ceilings by name and parts with what they need of them, and the tables of both.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use xtask::document::machine;

use crate::bench::environment::spread;
use crate::measure::middle;

/// What the examples print.
#[derive(Debug, Deserialize)]
struct Printed {
    ceilings: Vec<Ceiling>,
    parts: Vec<Part>,
}

/// The fastest that the machine does something.
#[derive(Clone, Debug, Deserialize)]
pub struct Ceiling {
    /// Its name.
    pub name: String,
    /// What is counted.
    pub unit: String,
    /// How many of it a second, round by round.
    pub rates: Vec<f64>,
}

/// A part of the host.
#[derive(Debug, Deserialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// How much it does.
    pub what: String,
    /// How much of which ceilings that takes at the least.
    pub needs: BTreeMap<String, f64>,
    /// Seconds, round by round.
    pub seconds: Vec<f64>,
}

/// All that was measured.
#[derive(Debug, Default)]
pub struct Figures {
    /// In the order in which they were measured; of one name the highest.
    pub ceilings: Vec<Ceiling>,
    /// In the order in which they were measured.
    pub parts: Vec<Part>,
}

/// How much of its ceiling a part reaches.
pub struct Reached<'a> {
    /// The ceiling that takes longest, and so bounds the part.
    pub ceiling: &'a Ceiling,
    /// Share of it, round by round.
    pub shares: Vec<f64>,
}

impl Ceiling {
    /// The middle of its rates.
    pub fn rate(&self) -> f64 {
        middle(self.rates.iter().copied())
    }
}

impl Figures {
    /// Adds what an example has printed.
    ///
    /// # Errors
    /// If it has another form, or nothing was measured.
    pub fn add(&mut self, printed: &Value) -> Result<(), String> {
        let Printed { ceilings, parts } = Printed::deserialize(printed)
            .map_err(|error| format!("expected ceilings and parts, found {printed}: {error}"))?;
        let empty = ceilings.iter().find(|ceiling| ceiling.rates.is_empty()).map(|ceiling| &ceiling.name);
        if let Some(name) =
            empty.or_else(|| parts.iter().find(|part| part.seconds.is_empty()).map(|part| &part.name))
        {
            return Err(format!("{name}: expected figures, found none"));
        }
        for ceiling in ceilings {
            match self.ceilings.iter_mut().find(|known| known.name == ceiling.name) {
                Some(known) if known.rate() < ceiling.rate() => *known = ceiling,
                Some(_) => {}
                None => self.ceilings.push(ceiling),
            }
        }
        self.parts.extend(parts);
        Ok(())
    }

    /// How much of its ceiling a part reaches.
    ///
    /// # Errors
    /// If none of the ceilings that it needs was measured.
    pub fn reach(&self, part: &Part) -> Result<Reached<'_>, String> {
        let least = |ceiling: &&Ceiling| part.needs[&ceiling.name] / ceiling.rate();
        let needed = self.ceilings.iter().filter(|ceiling| part.needs.contains_key(&ceiling.name));
        let ceiling = needed
            .max_by(|left, right| least(left).total_cmp(&least(right)))
            .ok_or_else(|| format!("{}: expected one of its ceilings, found none", part.name))?;
        let amount = part.needs[&ceiling.name];
        let rounds = ceiling.rates.iter().zip(&part.seconds);
        Ok(Reached { ceiling, shares: rounds.map(|(rate, seconds)| amount / rate / seconds).collect() })
    }
}

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
        text += &row(part, &figures.reach(part)?);
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
    use serde_json::json;

    use super::*;

    fn figures() -> Figures {
        let mut figures = Figures::default();
        figures
            .add(&json!({
                "ceilings": [
                    {"name": "products", "unit": "operations", "rates": [100.0, 200.0]},
                    {"name": "memory", "unit": "bytes", "rates": [10.0, 10.0]},
                ],
                "parts": [{
                    "name": "search", "what": "2 × 3", "needs": {"products": 100.0, "memory": 50.0}, "seconds": [10.0, 20.0],
                }],
            }))
            .unwrap();
        figures
    }

    #[test]
    fn the_ceiling_that_takes_longest_bounds_a_part() {
        let figures = figures();
        let reached = figures.reach(&figures.parts[0]).unwrap();
        assert_eq!(reached.ceiling.name, "memory", "50 bytes at 10 a second take 5 s, 100 operations 1 s");
        assert_eq!(reached.shares, [0.5, 0.25]);
    }

    #[test]
    fn of_two_ceilings_of_one_name_the_higher_counts() {
        let mut figures = figures();
        for (rate, expected) in [(50.0, 200.0), (400.0, 400.0)] {
            let other = json!({"name": "products", "unit": "operations", "rates": [rate]});
            figures.add(&json!({"ceilings": [other], "parts": []})).unwrap();
            assert_eq!(figures.ceilings[0].rate(), expected);
        }
        assert_eq!(figures.ceilings.len(), 2);
    }

    #[test]
    fn a_part_without_its_ceiling_and_a_ceiling_without_figures_are_refused() {
        let figures = Figures { ceilings: Vec::new(), ..figures() };
        let fault = figures.reach(&figures.parts[0]).err().unwrap();
        assert_eq!(fault, "search: expected one of its ceilings, found none");
        let empty = json!({"ceilings": [{"name": "disk", "unit": "bytes", "rates": []}], "parts": []});
        assert_eq!(Figures::default().add(&empty).unwrap_err(), "disk: expected figures, found none");
    }

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

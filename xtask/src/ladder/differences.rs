//! The table of differences: by how much the best model is above those below it, and what difference a set can show at all.

use serde_json::Value;

use super::rungs::{BELOW, BEST, Outcome};

/// Half of a 95 % interval in standard errors.
const HALF: f64 = 1.96;

/// The smallest true difference, in standard errors, that a test at the 5 % level finds with a power of 80 %.
const SHOWN: f64 = 2.8;

/// A paired difference over the items of a set, in points.
struct Difference {
    points: f64,
    interval: [f64; 2],
}

impl Difference {
    /// That of a task in what `compare` tells, with what its items are.
    fn of<'a>(told: &'a Outcome, task: &str) -> Option<(Self, &'a Value)> {
        let tasks = told.as_ref().ok()?["tasks"].as_array()?;
        let units = tasks.iter().find(|found| found["task"] == task)?["units"].as_array()?;
        // A set of several parts has no items of its own.
        let [unit] = &units[..] else { return None };
        let items = &unit["items"];
        let end = |place: usize| Some(100.0 * items["interval"][place].as_f64()?);
        Some((Self { points: 100.0 * items["difference"].as_f64()?, interval: [end(0)?, end(1)?] }, items))
    }

    fn standard_error(&self) -> f64 {
        (self.interval[1] - self.interval[0]) / (2.0 * HALF)
    }
}

/// A Markdown table of the best model less each of those below it (`told`), and how often it is above all of them.
pub fn table(tasks: &Value, told: &[Outcome; 3]) -> String {
    let heads: Vec<String> = BELOW.iter().map(|below| format!("{BEST} − {below}")).collect();
    let mut lines = vec![
        format!("| Task | Items | Measure | {} | Smallest difference |", heads.join(" | ")),
        format!("|---|---:|---|{}", "---:|".repeat(heads.len() + 1)),
    ];
    let (mut above, mut others) = (0, Vec::new());
    for name in tasks.as_array().into_iter().flatten().filter_map(|task| task["name"].as_str()) {
        let found: Vec<_> = told.iter().filter_map(|told| Difference::of(told, name)).collect();
        let [.., (last, items)] = &found[..] else { continue };
        if found.len() < told.len() {
            continue;
        }
        match found.iter().all(|(difference, _)| difference.interval[0] > 0.0) {
            true => above += 1,
            false => others.push(name),
        }
        let cell = |(difference, _): &(Difference, &Value)| {
            let [low, high] = difference.interval;
            format!("{:+.1} ({low:+.1} to {high:+.1})", difference.points)
        };
        let cells: Vec<String> = found.iter().map(cell).collect();
        let [kind, measure] = ["kind", "measure"].map(|key| items[key].as_str().unwrap_or_default());
        let smallest = SHOWN * last.standard_error();
        let cells = cells.join(" | ");
        lines.push(format!("| {name} | {} {kind} | {measure} | {cells} | {smallest:.1} |", items["items"]));
    }
    lines.join("\n") + &summary(above, &others)
}

/// What the table says in a paragraph.
fn summary(above: usize, others: &[&str]) -> String {
    let [first, second, last] = BELOW;
    let rest = match others {
        [] => String::new(),
        _ => format!(" The others are {}.", others.join(", ")),
    };
    format!(
        "\n\nIn **{above} of {} sets** {BEST} is above {first}, {second} and {last}, each by more than the 95 % interval of \
         `mteb-host compare` over the items of the set.{rest}\nThe smallest difference is what a set can show of two models: {SHOWN} \
         standard errors of {BEST} − {last}, 80 % power at the 5 % level.\n",
        above + others.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(difference: f64, half: f64) -> Outcome {
        let items = json!({
            "kind": "pairs", "items": 800, "measure": "cosine_spearman", "difference": difference,
            "interval": [difference - half, difference + half],
        });
        Ok(json!({"tasks": [{"task": "A", "units": [{"items": items}]}]}))
    }

    #[test]
    fn the_smallest_difference_follows_from_the_interval_beside_the_last_model() {
        let tasks = json!([{"name": "A"}, {"name": "Unmeasured"}]);
        let table = table(&tasks, &[told(0.5, 0.1), told(0.2, 0.1), told(0.1, 0.07)]);
        let line = "| A | 800 pairs | cosine_spearman | +50.0 (+40.0 to +60.0) | +20.0 (+10.0 to +30.0) | +10.0 (+3.0 to +17.0) | 10.0 |";
        assert!(table.contains(line) && !table.contains("Unmeasured"), "{table}");
        assert!(
            table.contains("In **1 of 1 sets** e5 (4 bit) is above random, hashing and MiniLM"),
            "{table}"
        );
    }

    #[test]
    fn a_set_that_does_not_put_the_best_model_first_is_named() {
        let table = table(&json!([{"name": "A"}]), &[told(0.5, 0.1), told(0.0, 0.1), told(0.1, 0.07)]);
        assert!(table.contains("In **0 of 1 sets**") && table.contains("The others are A."), "{table}");
    }
}

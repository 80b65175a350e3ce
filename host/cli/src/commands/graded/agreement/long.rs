//! What `graded agreement` found as one table, a row a figure, for the forms that hold one table alone.

use mteb_report::grid::{Grid, Value};

use super::show::Report;

/// All figures.
pub(super) fn grid(report: &Report) -> Grid {
    let mut rows = Rows(Grid::new(["Part", "Unit", "Judge", "Of", "Measure", "Value"]));
    for (unit, judge, found) in &report.distributions {
        let mut add = |measure: &str, value| rows.add(["distribution", unit, judge, "", measure], value);
        add("scores", found.count as f64);
        add("mean", found.mean);
        for (name, value) in ["first quartile", "median", "third quartile"].into_iter().zip(found.quartiles) {
            add(name, value);
        }
        for (score, count) in found.bins.iter().enumerate() {
            add(&format!("scores from {score}"), *count as f64);
        }
    }
    for pair in &report.agreement.pairs {
        let (left, right) = (&report.judges[pair.judges.0], &report.judges[pair.judges.1]);
        let mut add = |measure: &str, value| rows.add(["judges", "", left, right, measure], value);
        add("pairs of both", pair.common as f64);
        add("pearson", pair.pearson);
        add("spearman", pair.spearman);
    }
    if report.judges.len() > 1 {
        rows.add(["judges", "", "", "", "alpha"], report.agreement.alpha);
    }
    for found in &report.stability {
        rows.add(["systems", "", "", &found.variant, "tau"], found.tau);
        if let Some(low) = found.low {
            rows.add(["systems", "", "", &found.variant, "tau of 97.5 % of samples"], low);
        }
    }
    for (unit, judge, found) in &report.grades {
        let mut add =
            |of: &str, measure: &str, value| rows.add(["own grades", unit, judge, of, measure], value);
        add("", "pairs with a grade", found.common as f64);
        add("", "pearson", found.pearson);
        add("", "spearman", found.spearman);
        for of in &found.grades {
            let grade = format!("grade {}", of.grade);
            add(&grade, "pairs", of.count as f64);
            add(&grade, "mean", of.mean);
        }
    }
    rows.0
}

struct Rows(Grid);

impl Rows {
    fn add(&mut self, names: [&str; 5], value: f64) {
        let mut cells: Vec<Value> = names.map(Value::from).into();
        cells.push(Value::number(Some(value).filter(|value| value.is_finite())));
        self.0.rows.push(cells);
    }
}

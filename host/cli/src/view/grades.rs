//! The grades of judgements in one line.

use std::collections::BTreeMap;

use mteb_inspect::stats::Grade;

/// Most different grades that are listed one by one.
const LISTED: usize = 12;

/// Each grade as `written` writes it with its count; of more than a few, where they begin and end.
pub fn grades(grades: &BTreeMap<Grade, usize>, written: impl Fn(&Grade, usize) -> String) -> String {
    match (grades.first_key_value(), grades.last_key_value()) {
        (Some((lowest, _)), Some((highest, _))) if grades.len() > LISTED => {
            format!("{} different grades from {lowest} to {highest}", grades.len())
        }
        _ => grades.iter().map(|(grade, &count)| written(grade, count)).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_grades_are_listed_and_many_are_summed_up() {
        let shown = |all: &[f64]| {
            let counted = all.iter().map(|&grade| (Grade(grade), 2)).collect();
            grades(&counted, |grade, count| format!("{count} × {grade}"))
        };
        assert_eq!(shown(&[1.0, -0.0, 6.5]), "2 × 0, 2 × 1, 2 × 6.5");
        let many: Vec<f64> = (0..40).map(|step| f64::from(step) * 0.25).collect();
        assert_eq!(shown(&many), "40 different grades from 0 to 9.75");
    }
}

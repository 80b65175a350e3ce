//! Agreement of a judge with the grades of a task itself, which have another scale.

use mteb_measures::correlation::{pearson, spearman};

/// A judge beside the grades of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct GradeAgreement {
    /// Pairs that have both a score and a grade.
    pub common: usize,
    /// Pearson's correlation; NaN if one of them is always the same.
    pub pearson: f64,
    /// Spearman's correlation; NaN likewise.
    pub spearman: f64,
    /// What the judge says of each grade, the lowest first.
    pub grades: Vec<OfGrade>,
}

/// The scores of the pairs of one grade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfGrade {
    /// The grade.
    pub grade: f64,
    /// Its pairs.
    pub count: usize,
    /// The mean of their scores.
    pub mean: f64,
}

/// Agreement of `scores` with `grades`, of the same pairs in the same order; NaN where there is none.
pub fn with_grades(scores: &[f64], grades: &[f64]) -> GradeAgreement {
    let both = scores.iter().zip(grades).filter(|(score, grade)| !score.is_nan() && !grade.is_nan());
    let (scores, grades): (Vec<f64>, Vec<f64>) = both.unzip();
    let mut levels = grades.clone();
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    let of_grade = |grade: f64| {
        let of = scores.iter().zip(&grades).filter(|(_, other)| **other == grade).map(|(score, _)| *score);
        let of: Vec<f64> = of.collect();
        OfGrade { grade, count: of.len(), mean: mteb_measures::numeric::mean(&of) }
    };
    GradeAgreement {
        common: scores.len(),
        pearson: pearson(&scores, &grades),
        spearman: spearman(&scores, &grades),
        grades: levels.into_iter().map(of_grade).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_that_scores_by_grade_agrees_and_what_is_not_graded_does_not_count() {
        let found = with_grades(&[1.0, 3.0, 6.0, 9.0, 5.0, f64::NAN], &[0.0, 0.0, 1.0, 2.0, f64::NAN, 2.0]);
        assert_eq!(found.common, 4);
        let of = |grade, count, mean| OfGrade { grade, count, mean };
        assert_eq!(found.grades, [of(0.0, 2, 2.0), of(1.0, 1, 6.0), of(2.0, 1, 9.0)]);
        // Known answer: scipy.stats.pearsonr and spearmanr of these four.
        assert!((found.pearson - PEARSON).abs() < 1e-12, "{}", found.pearson);
        assert!((found.spearman - SPEARMAN).abs() < 1e-12, "{}", found.spearman);
    }

    const PEARSON: f64 = 0.969_861_226_038_887_9;
    const SPEARMAN: f64 = 0.948_683_298_050_513_8;
}

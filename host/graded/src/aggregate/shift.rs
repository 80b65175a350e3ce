//! What graded judgements change: ranks beside those of binary judgements, and the gap of two models of a family.

use std::collections::HashMap;

/// The ranks of a system by two kinds of judgements, 1 for the best; equal scores share the better rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The system.
    pub system: String,
    /// Its rank by binary judgements.
    pub binary: usize,
    /// Its rank by graded judgements.
    pub graded: usize,
}

impl Shift {
    /// Places that graded judgements move it up; negative for down.
    pub fn places(&self) -> i64 {
        self.binary as i64 - self.graded as i64
    }
}

/// The ranks of the systems that have a score of both kinds, among these, best by graded judgements first.
pub fn shifts(graded: &[(String, f64)], binary: &[(String, f64)]) -> Vec<Shift> {
    let binary: HashMap<&str, f64> = binary.iter().map(|(system, score)| (system.as_str(), *score)).collect();
    let both: Vec<(&str, f64, f64)> = graded
        .iter()
        .filter_map(|(system, score)| Some((system.as_str(), *score, *binary.get(system.as_str())?)))
        .collect();
    let rank =
        |better: &dyn Fn(&(&str, f64, f64)) -> bool| 1 + both.iter().filter(|other| better(other)).count();
    let shift = |&(system, graded, binary): &(&str, f64, f64)| Shift {
        system: system.to_owned(),
        binary: rank(&|other| other.2 > binary),
        graded: rank(&|other| other.1 > graded),
    };
    let mut shifts: Vec<Shift> = both.iter().map(shift).collect();
    shifts.sort_by(|a, b| (a.graded, &a.system).cmp(&(b.graded, &b.system)));
    shifts
}

/// A small and a large model of one family. A benchmark that cannot tell them apart has little power.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The small one.
    pub small: String,
    /// The large one.
    pub large: String,
    /// Score of the large one less that of the small one.
    pub gap: f64,
}

/// The gap of two systems; `None` if one of them has no score.
pub fn gap(scores: &[(String, f64)], small: &str, large: &str) -> Option<Gap> {
    let score = |system: &str| scores.iter().find(|(other, _)| other == system).map(|(_, score)| *score);
    let gap = score(large)? - score(small)?;
    Some(Gap { small: small.to_owned(), large: large.to_owned(), gap })
}

//! A subsample with the shares of label combinations, many labels per row (protocol 6.8).
//!
//! Sechidis, Tsoumakas and Vlahavas 2011, "On the stratification of multi-label data"; Szymański and Kajdanowicz
//! 2017, "A network perspective on stratification of multi-label data" (second order: pairs of labels).

use std::collections::HashMap;

use crate::random::RandomState;

/// Fold 0 is the subsample, fold 1 the rest.
const FOLDS: usize = 2;

/// Rows of a subsample of about `count` rows, ascending.
///
/// `labels` holds the labels of every row as ascending codes without repetition. All rows if there are no more than
/// `count`. Source: mteb 2.26.24, `IterativeStratification` with order 2, as `_multilabel_subsampling` calls it.
pub fn iterative_subsample(labels: &[Vec<u32>], count: usize, seed: u32) -> Vec<usize> {
    if labels.len() <= count {
        return (0..labels.len()).collect();
    }
    let mut split = Split::new(labels, count as f64 / labels.len() as f64, seed);
    while let Some(combination) = split.next_combination() {
        split.distribute(combination);
    }
    split.distribute_unlabelled();
    (0..labels.len()).filter(|&row| split.fold_of[row] == Some(0)).collect()
}

/// A pair of labels, or one label twice.
struct Combination {
    distinct_labels: usize,
    /// Its rows, ascending; rows that were given to a fold are skipped when they come up.
    rows: Vec<usize>,
    /// Rows that were not given to a fold.
    left: usize,
    /// How many more of its rows each fold should get.
    desired: [f64; FOLDS],
}

struct Split {
    /// In the order in which they first occur.
    combinations: Vec<Combination>,
    /// Indices of the combinations of every row.
    of_row: Vec<Vec<usize>>,
    fold_of: Vec<Option<usize>>,
    /// How many more rows each fold should get.
    desired: [f64; FOLDS],
    random: RandomState,
}

impl Split {
    fn new(labels: &[Vec<u32>], share: f64, seed: u32) -> Self {
        let shares = [share, 1.0 - share];
        let mut indices: HashMap<(u32, u32), usize> = HashMap::new();
        let mut combinations: Vec<Combination> = Vec::new();
        let mut of_row = vec![Vec::new(); labels.len()];
        for (row, labels) in labels.iter().enumerate() {
            for (first, &left) in labels.iter().enumerate() {
                for &right in &labels[first..] {
                    let index = *indices.entry((left, right)).or_insert(combinations.len());
                    if index == combinations.len() {
                        let distinct_labels = if left == right { 1 } else { 2 };
                        let desired = [0.0; FOLDS];
                        combinations.push(Combination {
                            distinct_labels,
                            rows: Vec::new(),
                            left: 0,
                            desired,
                        });
                    }
                    combinations[index].rows.push(row);
                    of_row[row].push(index);
                }
            }
        }
        for combination in &mut combinations {
            combination.left = combination.rows.len();
            combination.desired = shares.map(|share| combination.left as f64 * share);
        }
        Self {
            combinations,
            of_row,
            fold_of: vec![None; labels.len()],
            desired: shares.map(|share| share * labels.len() as f64),
            random: RandomState::new(seed),
        }
    }

    /// The first combination that has rows left, unless a later one has both more labels and fewer rows.
    fn next_combination(&self) -> Option<usize> {
        let mut chosen: Option<usize> = None;
        for (index, combination) in self.combinations.iter().enumerate().filter(|(_, found)| found.left > 0) {
            let better = chosen.is_none_or(|chosen| {
                let chosen = &self.combinations[chosen];
                chosen.distinct_labels < combination.distinct_labels && chosen.left > combination.left
            });
            if better {
                chosen = Some(index);
            }
        }
        chosen
    }

    /// Gives every row of the combination, from the last, to the fold that desires the combination most.
    fn distribute(&mut self, combination: usize) {
        while let Some(row) = self.combinations[combination].rows.pop() {
            if self.fold_of[row].is_some() {
                continue;
            }
            let desired = self.combinations[combination].desired;
            let most = desired.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let fold = self.draw(|fold| desired[fold] == most);
            self.give(row, fold);
            for &index in &self.of_row[row] {
                self.combinations[index].left -= 1;
                self.combinations[index].desired[fold] -= 1.0;
            }
        }
    }

    /// Gives the rows without labels, from the last, to any fold that desires more rows.
    fn distribute_unlabelled(&mut self) {
        for row in (0..self.fold_of.len()).rev() {
            if self.fold_of[row].is_none() {
                let desired = self.desired;
                let fold = self.draw(|fold| desired[fold] > 0.0);
                self.give(row, fold);
            }
        }
    }

    fn give(&mut self, row: usize, fold: usize) {
        self.fold_of[row] = Some(fold);
        self.desired[fold] -= 1.0;
    }

    /// One of the folds that qualify; nothing is drawn if there is only one.
    fn draw(&mut self, qualifies: impl Fn(usize) -> bool) -> usize {
        let folds: Vec<usize> = (0..FOLDS).filter(|&fold| qualifies(fold)).collect();
        match folds[..] {
            [] => 0,
            [only] => only,
            _ => folds[self.random.draw_masked(folds.len() as u32 - 1) as usize],
        }
    }
}

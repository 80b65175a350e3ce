//! Which rows make a mini-batch.

use super::seeding::uniform;
use crate::random::RandomState;

/// The generation of scikit-learn whose draws are made (protocol 6.5, step 4). The same data gives other clusters in
/// the other generation, so a score must name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Generation {
    /// From 1.9 on: a weighted choice with equal weights, one `double` a row.
    #[default]
    Since1_9,
    /// 1.4 to 1.8: whole numbers, masked and redrawn until they fit.
    Since1_4,
}

/// Draws the mini-batches of one fit.
pub(super) struct Batches {
    rows: usize,
    size: usize,
    /// Cumulative chances of the rows; empty if whole numbers are drawn.
    chances: Vec<f64>,
}

impl Batches {
    /// Batches of `size` of `rows` rows.
    pub fn new(generation: Generation, rows: usize, size: usize) -> Self {
        let chances = match generation {
            Generation::Since1_9 => uniform(rows),
            Generation::Since1_4 => Vec::new(),
        };
        Self { rows, size, chances }
    }

    /// Number of rows in a batch.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The next batch, as places in `drawn`; writes the rows at those places to `batch`.
    pub fn next(&self, random: &mut RandomState, drawn: &[u32], batch: &mut Vec<u32>) {
        batch.clear();
        if self.chances.is_empty() {
            batch.extend(random.randint(self.rows, self.size).into_iter().map(|place| drawn[place]));
        } else {
            batch.extend((0..self.size).map(|_| drawn[self.place(random.random_sample())]));
        }
    }

    /// Number of chances that are at most `draw`. As the chances are equal, the search begins where it should end.
    fn place(&self, draw: f64) -> usize {
        let mut place = ((draw * self.rows as f64) as usize).min(self.rows - 1);
        while self.chances[place] <= draw {
            place += 1;
        }
        while place > 0 && self.chances[place - 1] > draw {
            place -= 1;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weighted_batch_is_drawn_as_numpy_chooses() {
        let drawn: Vec<u32> = (0..777).collect();
        let (mut random, mut batch) = (RandomState::new(42), Vec::new());
        Batches::new(Generation::Since1_9, 777, 12).next(&mut random, &drawn, &mut batch);
        assert_eq!(batch, [291, 738, 568, 465, 121, 121, 45, 673, 467, 550, 15, 753]);
    }

    #[test]
    fn a_batch_of_the_older_generation_is_drawn_as_numpy_draws_integers() {
        let drawn: Vec<u32> = (0..1000).collect();
        let (mut random, mut batch) = (RandomState::new(42), Vec::new());
        Batches::new(Generation::Since1_4, 1000, 10).next(&mut random, &drawn, &mut batch);
        assert_eq!(batch, [102, 435, 860, 270, 106, 71, 700, 20, 614, 121]);
    }

    #[test]
    fn the_search_for_a_place_equals_bisection() {
        for rows in [1, 2, 3, 1000, 16_384, 50_021] {
            let batches = Batches::new(Generation::Since1_9, rows, 1);
            let mut random = RandomState::new(7);
            let draws = (0..2000).map(|_| random.random_sample());
            let edges = batches.chances[..rows - 1].iter().copied().step_by(1 + rows / 100);
            for draw in draws.chain(edges).chain([0.0, 1.0 - f64::EPSILON / 2.0]) {
                let expected = batches.chances.partition_point(|&chance| chance <= draw);
                assert_eq!(batches.place(draw), expected, "{draw} of {rows}");
            }
        }
    }
}

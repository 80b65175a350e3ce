//! The tables of the benchmark of searches: ratios first, then the figures.

use super::agreement::Agreement;
use crate::bench::rounds::{RATIOS, ratio};
use crate::measure::Cost;
use xtask::document::machine;

/// Sides in the order of the table; the last one uses all that the processor has, whatever the others do.
pub const SIDES: [&str; 3] = ["mteb-host", "faiss", "mteb"];

/// One size and set of instructions: what the sides needed, and how the others' documents agree with ours.
pub struct Row {
    pub size: [usize; 3],
    pub only_avx2: bool,
    /// How many of the sides run.
    pub sides: usize,
    /// What ran on our side.
    pub kernels: String,
    /// The runs of each side.
    pub costs: [Vec<Cost>; 3],
    pub agreements: Vec<Agreement>,
}

impl Row {
    /// Nothing measured yet.
    pub fn new(size: [usize; 3], only_avx2: bool) -> Self {
        let sides = if only_avx2 { 2 } else { SIDES.len() };
        Self {
            size,
            only_avx2,
            sides,
            kernels: String::new(),
            costs: Default::default(),
            agreements: Vec::new(),
        }
    }

    fn name(&self) -> String {
        let [documents, dimension, depth] = self.size;
        format!("{documents} × {dimension}, {depth}{}", if self.only_avx2 { ", AVX2 only" } else { "" })
    }

    /// A side's figure over ours, run by run: the middle, and in brackets the least and the most. Empty if the side did not run.
    fn ratio(&self, side: usize, figure: fn(&Cost) -> f64) -> String {
        ratio(self.costs[side].iter().map(figure), self.costs[0].iter().map(figure), 1)
    }
}

/// Both tables, with the machine they were made on.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Machine: {}. {RATIOS}\n\n\
         | documents × dimension, k | time: faiss | mteb | processor time: faiss | mteb | memory: faiss | mteb | kernels that ran |\n\
         |---|---:|---:|---:|---:|---:|---:|---|\n",
        machine()
    );
    for row in rows {
        let ratios = FIGURES.map(|figure| format!("{} | {}", row.ratio(1, figure), row.ratio(2, figure)));
        text += &format!("| {} | {} | {} |\n", row.name(), ratios.join(" | "), row.kernels);
    }
    text += "\n| documents × dimension, k | side | seconds | processor, s | memory, MB | other order of ties, ranks | other documents |\n\
             |---|---|---:|---:|---:|---:|---:|\n";
    for row in rows {
        for (index, (side, costs)) in SIDES.iter().zip(&row.costs).take(row.sides).enumerate() {
            let Cost { seconds, processor, peak } = Cost::middle(costs);
            let agreement = match index.checked_sub(1).and_then(|other| row.agreements.get(other)) {
                Some(found) => format!("{} of {} | {}", found.swapped, found.ranks, found.wrong),
                None => " | ".to_owned(),
            };
            let megabytes = peak / 1e6;
            text += &format!(
                "| {} | {side} | {seconds:.2} | {processor:.2} | {megabytes:.0} | {agreement} |\n",
                row.name()
            );
        }
    }
    text
}

const FIGURES: [fn(&Cost) -> f64; 3] = [|cost| cost.seconds, |cost| cost.processor, |cost| cost.peak];

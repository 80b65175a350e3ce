//! The tables of the benchmark of searches: ratios first, then the figures.

use super::agreement::Agreement;
use crate::bench::machine::machine;
use crate::measure::Cost;

/// Sides in the order of the table.
pub const SIDES: [&str; 3] = ["mteb-host", "faiss", "mteb"];

/// One size: what the sides needed, and how the others' documents agree with ours.
pub struct Row {
    pub size: [usize; 3],
    /// The middle of the runs of each side.
    pub costs: [Cost; 3],
    pub agreements: [Agreement; 2],
}

/// Both tables, with the machine they were made on.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Machine: {}. Ratios are the other side's figure over ours: above 1 is better.\n\n\
         | documents × dimension, k | time: faiss | mteb | processor time: faiss | mteb | memory: faiss | mteb |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
        machine()
    );
    for row in rows {
        let ratios = FIGURES.map(|figure| {
            let [ours, faiss, mteb] = row.costs.each_ref().map(figure);
            format!("{:.1} | {:.1}", faiss / ours, mteb / ours)
        });
        text += &format!("| {} | {} |\n", name(row), ratios.join(" | "));
    }
    text += "\n| documents × dimension, k | side | seconds | processor, s | memory, MB | other order of ties, ranks | other documents |\n\
             |---|---|---:|---:|---:|---:|---:|\n";
    for row in rows {
        for (index, (side, cost)) in super::SIDES.iter().zip(&row.costs).enumerate() {
            let Cost { seconds, processor, peak } = cost;
            let agreement = match index.checked_sub(1).map(|other| row.agreements[other]) {
                Some(found) => format!("{} of {} | {}", found.swapped, found.ranks, found.wrong),
                None => " | ".to_owned(),
            };
            let megabytes = peak / 1e6;
            text += &format!(
                "| {} | {side} | {seconds:.2} | {processor:.2} | {megabytes:.0} | {agreement} |\n",
                name(row)
            );
        }
    }
    text
}

const FIGURES: [fn(&Cost) -> f64; 3] = [|cost| cost.seconds, |cost| cost.processor, |cost| cost.peak];

fn name(row: &Row) -> String {
    let [documents, dimension, depth] = row.size;
    format!("{documents} × {dimension}, {depth}")
}

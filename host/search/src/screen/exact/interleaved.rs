//! Eight inner products in f32 at a time of rows whose runs lie interleaved, each summed in the order of [`super::score`].
//!
//! Every run of a row is summed by itself, so that four runs fill a vector without a number having to change its place. The
//! eight pairs of rows are any pairs: nothing is wasted where a query and its neighbours have few documents in common.

use super::RUN;
use crate::processor::wide;

/// Runs that lie interleaved.
const LANES: usize = 4;

/// Pairs that are scored together: as many as it takes to hide how long an addition takes.
pub(crate) const PAIRS: usize = 8;

/// Number i of four runs lies together.
type Lines = [[f32; LANES]; RUN];

/// Four runs of a row. Places beyond its end hold zeros, which change no sum.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Group {
    lines: Lines,
    /// Without this line of the cache, equal places of all rows would compete for the same eight places of it.
    _apart: [f32; 16],
}

/// Rows of one dimension.
#[derive(Debug)]
pub(crate) struct InterleavedRows {
    groups: Vec<Group>,
    /// Groups a row.
    length: usize,
    /// Runs a row.
    runs: usize,
}

impl InterleavedRows {
    /// Whether rows of so many numbers fill most of a vector.
    pub(crate) fn pay(dimension: usize) -> bool {
        dimension > 2 * RUN
    }

    /// Room for `count` rows of `dimension` numbers.
    pub(crate) fn new(count: usize, dimension: usize) -> Self {
        let runs = dimension.div_ceil(RUN);
        let length = runs.div_ceil(LANES);
        let empty = Group { lines: [[0.0; LANES]; RUN], _apart: [0.0; 16] };
        Self { groups: vec![empty; count * length], length, runs }
    }

    /// Puts a row in the place `index`; every row that is put has the same dimension.
    pub(crate) fn put(&mut self, index: usize, row: &[f32]) {
        let groups = &mut self.groups[index * self.length..(index + 1) * self.length];
        wide(
            #[inline(always)]
            || {
                for (group, four) in groups.iter_mut().zip(row.chunks(LANES * RUN)) {
                    interleave(four, &mut group.lines);
                }
            },
        );
    }

    fn row(&self, index: usize) -> &[Group] {
        &self.groups[index * self.length..(index + 1) * self.length]
    }

    /// The inner products of the rows of `queries` and `documents` that `pairs` names.
    pub(crate) fn scores(queries: &Self, documents: &Self, pairs: &[(u32, u32); PAIRS]) -> [f32; PAIRS] {
        let rows =
            pairs.map(|(query, document)| (queries.row(query as usize), documents.row(document as usize)));
        let mut totals = [0.0; PAIRS];
        for group in 0..queries.length {
            let lines = rows.map(|(query, document)| (&query[group].lines, &document[group].lines));
            let sums = wide(
                #[inline(always)]
                || sums(&lines),
            );
            let first = group * LANES;
            for (total, sums) in totals.iter_mut().zip(sums) {
                for (run, sum) in (first..queries.runs).zip(sums) {
                    *total = if run == 0 { sum } else { *total + sum };
                }
            }
        }
        totals
    }
}

#[inline(always)]
fn interleave(four: &[f32], lines: &mut Lines) {
    if let Ok(four) = <&[f32; LANES * RUN]>::try_from(four) {
        for (place, line) in lines.iter_mut().enumerate() {
            *line = std::array::from_fn(|lane| four[lane * RUN + place]);
        }
        return;
    }
    for (lane, run) in four.chunks(RUN).enumerate() {
        for (line, &number) in lines.iter_mut().zip(run) {
            line[lane] = number;
        }
    }
}

/// The sums of four runs of each pair.
#[inline(always)]
fn sums(rows: &[(&Lines, &Lines); PAIRS]) -> [[f32; LANES]; PAIRS] {
    let mut sums = [[0.0f32; LANES]; PAIRS];
    for place in 0..RUN {
        for (sum, (query, document)) in sums.iter_mut().zip(rows) {
            for lane in 0..LANES {
                sum[lane] = query[place][lane].mul_add(document[place][lane], sum[lane]);
            }
        }
    }
    sums
}

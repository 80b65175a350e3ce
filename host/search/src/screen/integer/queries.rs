//! Queries in whole numbers, laid out as the kernels read them.

use super::number::Width;
use super::quantise::Scratch;
use crate::screen::extent::Extent;

/// Queries in a line.
pub(super) const LINE: usize = 16;

/// One word of each of sixteen queries, in one line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(super) struct Line(pub [u32; LINE]);

/// Queries in whole numbers: panels of some lines of queries, of which word i of all queries lies together.
#[derive(Clone, Debug)]
pub(crate) struct IntegerQueries {
    width: Width,
    words: Vec<Line>,
    /// Lines a panel.
    lines: usize,
    /// Words a query.
    length: usize,
    scales: Vec<f32>,
}

impl IntegerQueries {
    /// Rounds queries into panels of `lines` lines; gives the extent of each query, too.
    pub(super) fn new(width: Width, lines: usize, rows: &[f32], dimension: usize) -> (Self, Vec<Extent>) {
        let panel = lines * LINE;
        let panels = (rows.len() / dimension).div_ceil(panel);
        let length = width.words(dimension);
        let mut words = vec![Line::default(); panels * lines * length];
        let mut scales = vec![1.0; panels * panel];
        let mut scratch = Scratch::new(width, dimension);
        let mut extents = Vec::with_capacity(rows.len() / dimension);
        for (index, row) in rows.chunks_exact(dimension).enumerate() {
            let words = &mut words[index / panel * lines * length..][..lines * length];
            let (line, lane) = (index % panel / LINE, index % LINE);
            let put = |place: usize, word| words[place * lines + line].0[lane] = word ^ width.sign();
            let quantised = scratch.quantise(row, put);
            scales[index] = quantised.scale;
            extents.push(quantised.extent);
        }
        (Self { width, words, lines, length, scales }, extents)
    }

    pub(super) fn width(&self) -> Width {
        self.width
    }

    pub(super) fn places(&self) -> usize {
        self.scales.len()
    }

    pub(super) fn scale(&self, query: usize) -> f32 {
        self.scales[query]
    }

    /// The words of each panel of `LINES` lines.
    pub(super) fn panels<const LINES: usize>(&self) -> impl Iterator<Item = &[[Line; LINES]]> {
        assert_eq!(LINES, self.lines, "panels have as many lines as the kernel takes");
        self.words.as_chunks().0.chunks_exact(self.length)
    }

    /// The words of one query.
    pub(super) fn query(&self, index: usize) -> impl Iterator<Item = u32> {
        let panel = self.lines * LINE;
        let words = &self.words[index / panel * self.lines * self.length..][..self.lines * self.length];
        words.iter().skip(index % panel / LINE).step_by(self.lines).map(move |line| line.0[index % LINE])
    }
}

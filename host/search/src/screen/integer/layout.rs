//! Documents and queries in whole numbers, laid out as the kernels read them.

use rayon::prelude::*;

use super::quantise::{Scratch, Width};
use crate::screen::STRIDE;
use crate::screen::form::Extent;

/// Documents that lie together, word by word.
pub(crate) const GROUP: usize = 12;

/// Documents in whole numbers: groups of [`GROUP`], of which word i of all documents lies together.
pub(crate) struct IntegerDocuments {
    words: Vec<u32>,
    /// Words a document.
    length: usize,
    scales: Vec<f32>,
    /// What a sum of products with a query starts from.
    starts: Vec<i32>,
}

/// The documents of one stride.
pub(super) struct Stride<'a> {
    words: &'a [[u32; GROUP]],
    length: usize,
    scales: &'a [[f32; GROUP]],
    starts: &'a [[i32; GROUP]],
}

/// Documents that lie together.
pub(super) struct Group<'a> {
    /// Words of each document, one after the other.
    pub words: &'a [[u32; GROUP]],
    pub scales: &'a [f32; GROUP],
    pub starts: &'a [i32; GROUP],
}

impl IntegerDocuments {
    /// Rounds documents; `words` is memory to use again. Gives the extent of each stride, too.
    pub(super) fn new(
        width: Width,
        rows: &[f32],
        dimension: usize,
        mut words: Vec<u32>,
    ) -> (Self, Vec<Extent>) {
        let strides = (rows.len() / dimension).div_ceil(STRIDE);
        let length = width.words(dimension);
        words.resize(strides * STRIDE * length, 0);
        let (mut scales, mut starts) = (vec![0.0; strides * STRIDE], vec![0; strides * STRIDE]);
        let slots = words.par_chunks_exact_mut(STRIDE * length);
        let slots = slots.zip(scales.par_chunks_exact_mut(STRIDE)).zip(starts.par_chunks_exact_mut(STRIDE));
        let extents = slots
            .zip(rows.par_chunks(STRIDE * dimension))
            .map_init(
                || Scratch::new(width, dimension),
                |scratch, (((words, scales), starts), rows)| {
                    let mut widest = Extent::default();
                    for (index, row) in rows.chunks_exact(dimension).enumerate() {
                        let group = &mut words[index / GROUP * GROUP * length..][..GROUP * length];
                        let put = |place: usize, word| group[place * GROUP + index % GROUP] = word;
                        let quantised = scratch.quantise(row, put);
                        scales[index] = quantised.scale;
                        starts[index] = width.start(quantised.sum);
                        widest = widest.max(quantised.extent);
                    }
                    clear(words, length, rows.len() / dimension);
                    widest
                },
            )
            .collect();
        (Self { words, length, scales, starts }, extents)
    }

    pub(super) fn stride(&self, index: usize) -> Stride<'_> {
        let groups = STRIDE / GROUP;
        Stride {
            words: &self.words.as_chunks().0[index * groups * self.length..][..groups * self.length],
            length: self.length,
            scales: &self.scales.as_chunks().0[index * groups..][..groups],
            starts: &self.starts.as_chunks().0[index * groups..][..groups],
        }
    }

    /// The memory, to be used again.
    pub(super) fn into_words(self) -> Vec<u32> {
        self.words
    }
}

impl<'a> Stride<'a> {
    pub(super) fn groups(&self) -> impl Iterator<Item = Group<'a>> + use<'a> {
        let words = self.words.chunks_exact(self.length);
        let groups = words.zip(self.scales).zip(self.starts);
        groups.map(|((words, scales), starts)| Group { words, scales, starts })
    }
}

/// Makes the places of a stride zero that have no document: those from `count`.
fn clear(words: &mut [u32], length: usize, count: usize) {
    for index in count..STRIDE {
        let group = &mut words[index / GROUP * GROUP * length..][..GROUP * length];
        group.iter_mut().skip(index % GROUP).step_by(GROUP).for_each(|word| *word = 0);
    }
}

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
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only kernels of x86-64 ask for it"))]
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

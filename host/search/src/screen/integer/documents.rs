//! Documents in whole numbers, laid out as the kernels read them.

use rayon::prelude::*;

use super::number::{GROUP, Width};
use super::quantise::Scratch;
use crate::screen::STRIDE;
use crate::screen::extent::Extent;

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
                    let groups = words.as_chunks_mut().0.chunks_exact_mut(length).enumerate();
                    for (group, words) in groups {
                        let rows = rows.chunks_exact(dimension).skip(group * GROUP).take(GROUP);
                        scratch.quantise_group(rows, words, |index, quantised| {
                            let index = group * GROUP + index;
                            scales[index] = quantised.scale;
                            starts[index] = width.start(quantised.sum);
                            widest = widest.max(quantised.extent);
                        });
                    }
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

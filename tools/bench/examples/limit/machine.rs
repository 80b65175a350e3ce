//! What the machine does at the most, on all threads: matrix products, and memory that is read and copied.

use ndarray::Array2;
use rayon::prelude::*;

use crate::{Ceiling, Ground, Work};

/// The name of the ceiling of matrix products in float32. libtorch gives one of the same name, if it exists; the higher counts.
pub const PRODUCTS: &str = "matrix products, f32";

/// The name of the ceiling of memory that is read.
pub const MEMORY: &str = "memory, read";

/// Numbers in the memory that is read: more than caches hold.
const NUMBERS: usize = 1 << 26;

/// Numbers that one thread takes at a time.
const PIECE: usize = 1 << 16;

/// Rows, columns and the numbers of which each product of a row and a column is the sum.
const SHAPE: [usize; 3] = [896, 1536, 384];

/// The ceilings of the machine itself.
pub fn ceilings(ground: &Ground) -> Vec<Ceiling> {
    let numbers = ground.size(NUMBERS);
    let bytes = (numbers * size_of::<f32>()) as f64;
    let [rows, columns, depth] = SHAPE;
    let threads = rayon::current_num_threads();
    let products = 2.0 * (threads * rows * columns * depth) as f64;
    vec![
        Ceiling { name: PRODUCTS, unit: "operations", amount: products, work: multiply(threads) },
        Ceiling { name: MEMORY, unit: "bytes", amount: bytes, work: read_memory(numbers) },
        Ceiling {
            name: "memory, copied (read and written)",
            unit: "bytes",
            amount: 2.0 * bytes,
            work: copy_memory(numbers),
        },
    ]
}

/// A product a thread, by the library that the host's own code uses.
fn multiply(threads: usize) -> Work {
    let [rows, columns, depth] = SHAPE;
    let made = |rows: usize, columns: usize| {
        Array2::from_shape_fn((rows, columns), |(row, column)| ((row * 31 + column * 17) % 64) as f32 / 64.0)
    };
    let (left, right) = (made(rows, depth), made(depth, columns));
    Box::new(move || Ok((0..threads).into_par_iter().map(|_| left.dot(&right).len()).sum()))
}

fn read_memory(numbers: usize) -> Work {
    let memory = vec![1u32; numbers];
    Box::new(move || {
        let sum = |piece: &[u32]| piece.iter().fold(0u32, |sum, number| sum.wrapping_add(*number));
        Ok(memory.par_chunks(PIECE).map(sum).map(|sum| sum as usize).sum())
    })
}

fn copy_memory(numbers: usize) -> Work {
    let (from, mut to) = (vec![1u32; numbers], vec![0u32; numbers]);
    Box::new(move || {
        to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE)).for_each(|(to, from)| to.copy_from_slice(from));
        Ok(to[numbers - 1] as usize)
    })
}

//! The product on the tile unit of x86-64 (AMX, `tdpbf16ps`), four tiles of sixteen rows by sixteen columns at a time.
#![allow(unsafe_code, reason = "the tile unit has no safe interface")]

use std::arch::asm;
use std::arch::x86_64::*;
use std::array::from_fn;
use std::mem::{MaybeUninit, transmute};
use std::ops::Range;

use mteb_tile_unit::ConfiguredTiles;

use super::factors::Factors;
use super::tiles::{BLOCK, GROUP, PARTS, TILE, Tiles};

/// Numbers in the rows and columns of two pairs of groups.
const SQUARE: usize = 2 * GROUP;

/// A square of sums that reaches beyond the edge of the result.
#[repr(C, align(64))]
struct Edge([MaybeUninit<f32>; SQUARE * SQUARE]);

/// Whether the processor has the unit and the vectors that split numbers, and the system lets this process use it.
pub(super) fn available() -> bool {
    has_vectors() && mteb_tile_unit::available()
}

fn has_vectors() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512bf16")
}

/// [`Tiles::fill_with_rows`] with vector instructions.
pub(super) fn split(tiles: &mut Tiles, rows: &[f32], length: usize, blocks: Range<usize>) {
    #[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
    fn with_features(tiles: &mut Tiles, rows: &[f32], length: usize, blocks: Range<usize>) {
        tiles.fill_with_rows(rows, length, blocks, |numbers| parts(numbers));
    }
    assert!(available(), "the tile unit is there");
    // SAFETY: a processor is only found to have the unit where it has these features.
    unsafe { with_features(tiles, rows, length, blocks) }
}

/// The parts of 32 numbers.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn parts(numbers: &[f32; BLOCK]) -> [[u16; BLOCK]; PARTS] {
    // SAFETY: 32 numbers are two vectors of sixteen.
    let mut rest =
        unsafe { [_mm512_loadu_ps(numbers.as_ptr()), _mm512_loadu_ps(numbers.as_ptr().add(GROUP))] };
    from_fn(|_| {
        let rounded = _mm512_cvtne2ps_pbh(rest[1], rest[0]);
        // SAFETY: both types are 64 bytes, and every pattern of bits is valid in both.
        let bits = unsafe { transmute::<__m512bh, [u16; BLOCK]>(rounded) };
        // SAFETY: as above.
        let rounded = unsafe { transmute::<__m512bh, __m512i>(rounded) };
        let halves = [_mm512_castsi512_si256(rounded), _mm512_extracti64x4_epi64::<1>(rounded)];
        rest = from_fn(|half| {
            let wide = _mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(halves[half]));
            _mm512_sub_ps(rest[half], _mm512_castsi512_ps(wide))
        });
        bits
    })
}

/// Adds the products to the bias, or without one to what is in `out`, `outs` numbers a row.
pub(super) fn multiply(
    factors: &Factors<'_>,
    bias: Option<&[f32]>,
    out: &mut [MaybeUninit<f32>],
    outs: usize,
) {
    // Whoever else uses tiles in this process configures them anew: no other code runs on this thread until they are given back.
    let tiles = ConfiguredTiles::new().filter(|_| available());
    assert!(tiles.is_some(), "the tile unit is there");
    let count = out.len().checked_div(outs).unwrap_or(0);
    for row in (0..factors.rows.groups()).step_by(2) {
        let left = [factors.row_group(row), factors.row_group(row + 1)];
        let top = row * GROUP;
        for column in factors.width.clone().step_by(2) {
            let right = [factors.column_group(column), factors.column_group(column + 1)];
            let side = column * GROUP;
            let bias = bias.map(|bias| &bias[side..side + SQUARE]);
            if top + SQUARE <= count && side + SQUARE <= outs {
                let square = &mut out[top * outs + side..(top + SQUARE - 1) * outs + side + SQUARE];
                // SAFETY: the tiles are configured, until `tiles` is dropped.
                unsafe { add_square(left, right, factors.depth.len(), bias, square, outs) };
                continue;
            }
            let (lines, width) = (SQUARE.min(count - top), SQUARE.min(outs - side));
            let mut edge = Edge([MaybeUninit::new(0.0); SQUARE * SQUARE]);
            for (line, sums) in edge.0.chunks_exact_mut(SQUARE).take(lines).enumerate() {
                sums[..width].copy_from_slice(&out[(top + line) * outs + side..][..width]);
            }
            // SAFETY: the tiles are configured, until `tiles` is dropped.
            unsafe { add_square(left, right, factors.depth.len(), bias, &mut edge.0, SQUARE) };
            for (line, sums) in edge.0.chunks_exact(SQUARE).take(lines).enumerate() {
                out[(top + line) * outs + side..][..width].copy_from_slice(&sums[..width]);
            }
        }
    }
}

/// Adds the products of two groups of rows with two groups of columns to the bias, or without one to what is in `out`,
/// `width` numbers a row.
///
/// # Safety
/// The tiles are configured as eight tiles of sixteen rows of 64 bytes.
unsafe fn add_square(
    left: [&[u16]; 2],
    right: [&[u16]; 2],
    blocks: usize,
    bias: Option<&[f32]>,
    out: &mut [MaybeUninit<f32>],
    width: usize,
) {
    for group in left.iter().chain(&right) {
        assert_eq!(group.len(), blocks * PARTS * TILE, "a group has three tiles for every 32 numbers");
    }
    assert!(blocks > 0 && bias.is_none_or(|bias| bias.len() == SQUARE), "there is something to multiply");
    assert!(width >= SQUARE && out.len() >= (SQUARE - 1) * width + SQUARE, "the square lies in the result");
    let line = width * size_of::<f32>();
    let top: *mut f32 = out.as_mut_ptr().cast();
    // SAFETY: the row lies in `out`, as asserted.
    let below = unsafe { top.add(GROUP * width) };
    // A stride of 0 makes every row of the bias the same one.
    let (sums, sums_below, sums_line) = match bias {
        Some(bias) => (bias.as_ptr(), bias.as_ptr(), 0),
        None => (top.cast_const(), below.cast_const(), line),
    };
    // SAFETY: each of the four pointers is the start of `blocks` times three tiles of 1024 bytes, as asserted, and moves by
    // three tiles a round, so that the last round reads the last three. The loads of the sums read 128 bytes of the bias, or
    // what the stores write: 32 rows of 128 bytes, `line` apart, which lie in `out` as asserted. The tiles and the
    // registers that change are named.
    unsafe {
        asm!(
            "tileloadd tmm0, [{sums} + {sums_line}]",
            "tileloadd tmm1, [{sums} + {sums_line} + 64]",
            "tileloadd tmm2, [{sums_below} + {sums_line}]",
            "tileloadd tmm3, [{sums_below} + {sums_line} + 64]",
            "2:",
            // The third, the second and the first part of the rows with the first part of the columns,
            "tileloadd tmm6, [{r0} + {row}]",
            "tileloadd tmm4, [{l0} + {row} + 2048]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tileloadd tmm7, [{r1} + {row}]",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{l1} + {row} + 2048]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "tileloadd tmm4, [{l0} + {row} + 1024]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{l1} + {row} + 1024]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "tileloadd tmm4, [{l0} + {row}]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{l1} + {row}]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            // the first and the second with the second,
            "tileloadd tmm6, [{r0} + {row} + 1024]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tileloadd tmm7, [{r1} + {row} + 1024]",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "tileloadd tmm4, [{l0} + {row} + 1024]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{l1} + {row} + 1024]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            // and the first with the third.
            "tileloadd tmm6, [{r0} + {row} + 2048]",
            "tileloadd tmm4, [{l0} + {row}]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tileloadd tmm7, [{r1} + {row} + 2048]",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{l1} + {row}]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "add {l0}, 3072",
            "add {l1}, 3072",
            "add {r0}, 3072",
            "add {r1}, 3072",
            "dec {blocks}",
            "jnz 2b",
            "tilestored [{top} + {line}], tmm0",
            "tilestored [{top} + {line} + 64], tmm1",
            "tilestored [{below} + {line}], tmm2",
            "tilestored [{below} + {line} + 64], tmm3",
            l0 = inout(reg) left[0].as_ptr() => _,
            l1 = inout(reg) left[1].as_ptr() => _,
            r0 = inout(reg) right[0].as_ptr() => _,
            r1 = inout(reg) right[1].as_ptr() => _,
            blocks = inout(reg) blocks => _,
            row = in(reg) 64usize,
            sums = in(reg) sums,
            sums_below = in(reg) sums_below,
            sums_line = in(reg) sums_line,
            line = in(reg) line,
            top = in(reg) top,
            below = in(reg) below,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
}

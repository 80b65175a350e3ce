//! The product beside the exact one and beside libtorch's.

use std::mem::MaybeUninit;

use tch::{Kind, Tensor};

use super::{Product, Unit};

/// Numbers in ±1 with a few large and small ones among them, from a fixed sequence.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count)
        .map(|index| {
            next()
                * match index % 97 {
                    3 => 40.0,
                    7 => 1e-6,
                    _ => 1.0,
                }
        })
        .collect()
}

fn applied(product: &Product, rows: &[f32], threads: usize) -> Vec<f32> {
    let [inputs, outs] = product.shape();
    let mut out = vec![MaybeUninit::new(f32::NAN); rows.len() / inputs * outs];
    product.apply(rows, &mut out, threads);
    let tensor: Vec<f32> = out
        .into_iter()
        .map(|number| {
            // Every number was there before, so that one that is left out shows as NaN.
            #[allow(unsafe_code, reason = "the numbers were initialised above")]
            // SAFETY: all numbers were initialised.
            unsafe {
                number.assume_init()
            }
        })
        .collect();
    tensor
}

/// The exact sums, rounded once, and the sum of the absolute products of each.
fn exact(rows: &[f32], weight: &[f32], bias: &[f32], inputs: usize) -> Vec<(f64, f64)> {
    let sums = |row: &[f32], column: &[f32], bias: f32| {
        let products = row.iter().zip(column).map(|(left, right)| f64::from(*left) * f64::from(*right));
        let sum: f64 = products.clone().sum();
        (sum + f64::from(bias), products.map(f64::abs).sum::<f64>() + f64::from(bias.abs()))
    };
    let row = |row| weight.chunks(inputs).zip(bias).map(move |(column, bias)| sums(row, column, *bias));
    rows.chunks(inputs).flat_map(row).collect()
}

/// Largest error as a part of the sum of the absolute products.
fn error(found: &[f32], exact: &[(f64, f64)]) -> f64 {
    let parts = found.iter().zip(exact).map(|(found, (sum, size))| (f64::from(*found) - sum).abs() / size);
    parts.fold(0.0, |largest, part| if part.is_nan() { f64::NAN } else { f64::max(largest, part) })
}

#[test]
fn the_error_is_that_of_a_product_in_float32() {
    for (count, inputs, outs) in
        [(1, 1, 1), (5, 31, 7), (33, 96, 40), (64, 384, 32), (70, 384, 96), (50, 1536, 24)]
    {
        let (rows, weight) = (numbers(count * inputs, 1), numbers(outs * inputs, 2));
        let bias = numbers(outs, 3);
        let exact = exact(&rows, &weight, &bias, inputs);
        let tensor = |numbers: &[f32], width: usize| {
            Tensor::from_slice(numbers).view([(numbers.len() / width) as i64, width as i64])
        };
        let plain = tensor(&rows, inputs).linear(&tensor(&weight, inputs), Some(&Tensor::from_slice(&bias)));
        let plain = Vec::<f32>::try_from(plain.to_kind(Kind::Float).flatten(0, -1)).unwrap();
        let torch = error(&plain, &exact).max(f64::from(f32::EPSILON));
        for unit in [Some(Unit::Plain), Unit::detect()].into_iter().flatten() {
            let product = Product::new(unit, &weight, Some(&bias), [outs, inputs]);
            for threads in [1, 3] {
                let found = error(&applied(&product, &rows, threads), &exact);
                // Plain loops add in sequence, the others in several sums at a time.
                let most = if unit == Unit::Plain { 5.0 } else { 1.5 };
                assert!(
                    found <= most * torch,
                    "{unit:?} {count}×{inputs}×{outs}: {found:e}, libtorch {torch:e}"
                );
            }
        }
    }
}

#[test]
fn a_row_does_not_depend_on_those_beside_it() {
    let Some(unit) = Unit::detect() else { return };
    let (rows, weight) = (numbers(90 * 64, 4), numbers(48 * 64, 5));
    let product = Product::new(unit, &weight, None, [48, 64]);
    let together = applied(&product, &rows, 1);
    for (row, found) in rows.chunks(64).zip(together.chunks(48)) {
        assert_eq!(applied(&product, row, 1), found);
    }
    assert_eq!(applied(&product, &rows, 2), together);
}

#[test]
fn what_is_no_number_is_seen() {
    let Some(unit) = Unit::detect() else { return };
    let product = Product::new(unit, &numbers(16 * 32, 6), None, [16, 32]);
    let mut rows = numbers(3 * 32, 7);
    rows[40] = f32::NAN;
    rows[70] = f32::INFINITY;
    let found = applied(&product, &rows, 1);
    assert!(found[..16].iter().all(|number| number.is_finite()));
    assert!(found[16..].iter().all(|number| number.is_nan()));
}

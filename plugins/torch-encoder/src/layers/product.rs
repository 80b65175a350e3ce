//! Products of rows and weights, by that of libtorch's libraries which takes less time on this processor.
//!
//! In float32 libtorch multiplies with Intel's MKL, which uses AVX-512 on Intel's processors alone. On others that have it, oneDNN,
//! which is in libtorch too, takes half the time. Both add the same products in other orders.

use std::sync::LazyLock;

use mteb_system::machine::has_avx512_that_mkl_leaves;
use tch::{Device, Kind, Tensor, utils};

use crate::error::TorchError;

/// Whether MKL, by which libtorch multiplies, leaves half of this processor's registers unused.
pub fn prefers_other_than_mkl() -> bool {
    static PREFERS: LazyLock<bool> = LazyLock::new(|| has_avx512_that_mkl_leaves() && utils::has_mkl());
    *PREFERS
}

/// Fewer rows are multiplied in the time that it takes to hand them over.
const FEWEST_ROWS: i64 = 16;

/// Rows are filled up to a multiple of so many. For each number of rows oneDNN writes a program, which takes as long as a third of a
/// product; so there are few such numbers.
const STEP: i64 = 16;

/// rows · weightᵀ + bias, for rows of `[count, input]` and a weight of `[output, input]`.
///
/// # Errors
/// If libtorch fails.
pub fn multiply(rows: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor, TorchError> {
    if prefers_other_than_mkl() && utils::has_mkldnn() && is_for_onednn(rows) {
        multiply_with_onednn(rows, weight, bias)
    } else {
        Ok(rows.f_linear(weight, bias)?)
    }
}

fn is_for_onednn(rows: &Tensor) -> bool {
    let [count, width] = rows.size()[..] else { return false };
    rows.kind() == Kind::Float && rows.device() == Device::Cpu && count >= FEWEST_ROWS && width > 0
}

fn multiply_with_onednn(rows: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor, TorchError> {
    let count = rows.size()[0];
    let missing = (STEP - count % STEP) % STEP;
    let filled = (missing > 0).then(|| rows.f_constant_pad_nd([0, 0, 0, missing])).transpose()?;
    let rows = filled.as_ref().unwrap_or(rows).f_to_mkldnn(None)?;
    let product = rows.f_mkldnn_linear(weight, bias)?.f_to_dense(None, false)?;
    Ok(if missing > 0 { product.f_narrow(0, 0, count)? } else { product })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_libraries_give_the_same_products_for_any_number_of_rows() {
        let random = |shape: &[i64]| Tensor::randn(shape, (Kind::Float, Device::Cpu));
        let (weight, bias) = (random(&[24, 40]), random(&[24]));
        for count in [16, 17, 31, 32, 100] {
            // Columns of a wider tensor lie apart.
            let rows = random(&[count, 50]).narrow(1, 5, 40);
            for bias in [None, Some(&bias)] {
                let expected = rows.linear(&weight, bias);
                let found = multiply_with_onednn(&rows, &weight, bias).unwrap();
                assert_eq!(found.size(), [count, 24]);
                let apart = (found - expected).abs().max().double_value(&[]);
                assert!(apart < 1e-4, "{count} rows: {apart}");
            }
        }
    }

    #[test]
    fn only_many_rows_of_float32_on_the_processor_are_handed_over() {
        let rows = |shape: &[i64], kind| Tensor::zeros(shape, (kind, Device::Cpu));
        assert!(is_for_onednn(&rows(&[16, 4], Kind::Float)));
        for other in [
            rows(&[15, 4], Kind::Float),
            rows(&[16, 0], Kind::Float),
            rows(&[16, 4], Kind::BFloat16),
            rows(&[2, 16, 4], Kind::Float),
        ] {
            assert!(!is_for_onednn(&other), "{other:?}");
        }
    }
}

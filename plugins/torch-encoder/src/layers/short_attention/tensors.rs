//! Tensors as the kernel takes them.
#![allow(unsafe_code, reason = "tensors as slices")]

use half::bf16;
use tch::{Device, Kind, Tensor};

use super::avx512::{Head, LANES, Number, QUERIES};
use crate::error::TorchError;
use crate::layers::product::prefers_other_than_mkl;

/// Keys of the longest text: with more of them, keys and values leave the cache.
const LONGEST: i64 = 1024;
/// Numbers of the widest head.
const WIDEST: i64 = 128;

/// Mixes the values of each text: queries of `[texts, heads, queries, size]`, keys and values of `[texts, heads, keys, size]`. With
/// `causal` a query sees the keys up to its own alone. `None` for what is not computed here.
///
/// # Errors
/// If libtorch fails.
pub fn mix(rows: [&Tensor; 3], causal: bool, scale: f64) -> Result<Option<Tensor>, TorchError> {
    if prefers_other_than_mkl() && fits(rows, causal) { mix_here(rows, causal, scale) } else { Ok(None) }
}

fn mix_here(rows: [&Tensor; 3], causal: bool, scale: f64) -> Result<Option<Tensor>, TorchError> {
    match rows[0].kind() {
        Kind::Float => mix_as::<f32>(rows, causal, scale as f32).map(Some),
        Kind::BFloat16 => mix_as::<bf16>(rows, causal, scale as f32).map(Some),
        _ => Ok(None),
    }
}

fn fits(rows: [&Tensor; 3], causal: bool) -> bool {
    let [query, key, value] = rows.map(Tensor::size);
    let ([texts, heads, queries, size], [_, _, keys, _]) = (&query[..], &key[..]) else { return false };
    let is_shaped = key == value && key == [*texts, *heads, *keys, *size] && (!causal || queries == keys);
    let is_short = (1..=LONGEST).contains(keys) && *queries > 0;
    let is_narrow = (1..=WIDEST).contains(size) && size % LANES as i64 == 0;
    let is_dense = |rows: &Tensor| rows.device() == Device::Cpu && rows.stride().last() == Some(&1);
    let kinds = rows.map(Tensor::kind);
    is_shaped && is_short && is_narrow && kinds == [kinds[0]; 3] && rows.into_iter().all(is_dense)
}

fn mix_as<T: Number>(rows: [&Tensor; 3], causal: bool, scale: f32) -> Result<Tensor, TorchError> {
    let [query, key, value] = rows.map(Rows::<T>::of);
    let [texts, heads, queries, size] = query.sizes;
    // Heads lie side by side, as the layer behind takes them.
    let mixed = Tensor::f_zeros(
        [texts, queries, heads, size].map(|size| size as i64),
        (rows[0].kind(), Device::Cpu),
    )?;
    // SAFETY: the new tensor has so many numbers of this kind one behind the other, and nobody else knows it yet.
    let out = unsafe {
        std::slice::from_raw_parts_mut(mixed.data_ptr().cast::<T>(), texts * queries * heads * size)
    };
    let mut head = Head::new(key.sizes[2], size);
    for (text, out) in out.chunks_exact_mut((queries * heads * size).max(1)).enumerate() {
        for number in 0..heads {
            head.take(|token| key.row([text, number, token]), |token| value.row([text, number, token]));
            for first in (0..queries).step_by(QUERIES) {
                let count = QUERIES.min(queries - first);
                let asked = |place: usize| query.row([text, number, first + place.min(count - 1)]);
                let sees = |place: usize| if causal { first + place + 1 } else { key.sizes[2] };
                let seen = std::array::from_fn(|place| sees(place.min(count - 1)));
                let found = head.attend(std::array::from_fn(asked), seen, scale);
                for (place, numbers) in found.chunks_exact(size).take(count).enumerate() {
                    let start = ((first + place) * heads + number) * size;
                    T::narrow_all(numbers, &mut out[start..start + size]);
                }
            }
        }
    }
    Ok(mixed.f_transpose(1, 2)?)
}

/// A tensor of four dimensions whose last one is dense, as slices.
struct Rows<'a, T> {
    start: *const T,
    sizes: [usize; 4],
    strides: [usize; 3],
    tensor: std::marker::PhantomData<&'a Tensor>,
}

impl<'a, T> Rows<'a, T> {
    /// The tensor has numbers of the kind `T`, as whoever calls has looked at.
    fn of(tensor: &'a Tensor) -> Self {
        let whole = |numbers: &[i64], place: usize| {
            numbers.get(place).map_or(0, |&number| usize::try_from(number).unwrap_or(0))
        };
        let (sizes, strides) = (tensor.size(), tensor.stride());
        Self {
            start: tensor.data_ptr().cast::<T>().cast_const(),
            sizes: std::array::from_fn(|place| whole(&sizes, place)),
            strides: std::array::from_fn(|place| whole(&strides, place)),
            tensor: std::marker::PhantomData,
        }
    }

    /// The numbers of a token in a head of a text.
    fn row(&self, at: [usize; 3]) -> &'a [T] {
        assert!(at.iter().zip(&self.sizes).all(|(place, size)| place < size), "{at:?} of {:?}", self.sizes);
        let start: usize = at.iter().zip(&self.strides).map(|(place, stride)| place * stride).sum();
        // SAFETY: the place lies within the sizes of the tensor, whose strides say where its row begins; the row is dense, and
        // the tensor, which is borrowed, keeps the memory and is not written to.
        unsafe { std::slice::from_raw_parts(self.start.add(start), self.sizes[3]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of queries, keys and values as a layer has them: parts of one matrix.
    fn parts(texts: i64, heads: i64, length: i64, size: i64, kind: Kind) -> [Tensor; 3] {
        let joined =
            Tensor::randn([texts * length, 3 * heads * size], (Kind::Float, Device::Cpu)).to_kind(kind);
        std::array::from_fn(|part| {
            let rows = joined.narrow(1, part as i64 * heads * size, heads * size);
            rows.view([texts, length, heads, size]).transpose(1, 2)
        })
    }

    fn expected([query, key, value]: [&Tensor; 3], causal: bool, scale: f64) -> Tensor {
        let [query, key, value] = [query, key, value].map(|rows| rows.to_kind(Kind::Double));
        Tensor::scaled_dot_product_attention(&query, &key, &value, None::<Tensor>, 0.0, causal, scale, false)
    }

    fn difference(found: &Tensor, expected: &Tensor) -> f64 {
        (found.to_kind(Kind::Double) - expected).abs().max().double_value(&[])
    }

    #[test]
    fn every_length_and_width_gives_what_libtorch_gives() {
        if !super::super::avx512::available() {
            return;
        }
        tch::manual_seed(5);
        for length in [1, 2, 7, 8, 9, 15, 16, 17, 47, 48, 49, 130, 512, 1024] {
            for size in [16, 32, 48, 64, 128] {
                for causal in [false, true] {
                    let parts = parts(2, 3, length, size, Kind::Float);
                    let rows = [&parts[0], &parts[1], &parts[2]];
                    assert!(fits(rows, causal));
                    let found = mix_here(rows, causal, 0.3).unwrap().unwrap();
                    assert_eq!(found.size(), parts[0].size());
                    let apart = difference(&found, &expected(rows, causal, 0.3));
                    assert!(apart < 1e-5, "{length} tokens, {size} numbers, causal: {causal}: {apart:e}");
                }
            }
        }
    }

    #[test]
    fn numbers_of_sixteen_bits_are_rounded_at_the_end_alone() {
        if !super::super::avx512::available() {
            return;
        }
        tch::manual_seed(6);
        let parts = parts(3, 2, 100, 32, Kind::BFloat16);
        let rows = [&parts[0], &parts[1], &parts[2]];
        let found = mix_here(rows, false, 0.2).unwrap().unwrap();
        let rounded = expected(rows, false, 0.2).to_kind(Kind::BFloat16).to_kind(Kind::Double);
        assert_eq!(found.kind(), Kind::BFloat16);
        assert!(difference(&found, &rounded) <= 1.0 / 256.0);
    }

    #[test]
    fn scores_far_apart_and_numbers_that_are_none_end_as_in_libtorch() {
        if !super::super::avx512::available() {
            return;
        }
        let parts = parts(1, 1, 20, 16, Kind::Float);
        let [query, key, value] = [&parts[0] * 1e4, parts[1].shallow_clone(), parts[2].shallow_clone()];
        let rows = [&query, &key, &value];
        let found = mix_here(rows, false, 1.0).unwrap().unwrap();
        assert!(difference(&found, &expected(rows, false, 1.0)) < 1e-4);
        let _ = query.narrow(2, 3, 1).fill_(f64::NAN);
        let found = mix_here([&query, &key, &value], false, 1.0).unwrap().unwrap();
        let missing = found.isnan().any_dim(3, false).flatten(0, 2);
        let missing: Vec<bool> = missing.try_into().unwrap();
        let places: Vec<usize> = (0..missing.len()).filter(|&place| missing[place]).collect();
        assert_eq!(places, [3]);
    }

    #[test]
    fn what_the_kernel_does_not_know_is_left_to_libtorch() {
        let rows = |length, size, kind| Tensor::zeros([1, 1, length, size], (kind, Device::Cpu));
        let known = rows(4, 16, Kind::Float);
        assert!(fits([&known, &known, &known], true));
        for other in [
            rows(4, 24, Kind::Float),
            rows(4, 256, Kind::Float),
            rows(LONGEST + 1, 16, Kind::Float),
            rows(0, 16, Kind::Float),
            known.transpose(2, 3),
        ] {
            assert!(!fits([&other, &other, &other], false), "{other:?}");
        }
        assert!(!fits([&known, &known, &rows(4, 16, Kind::BFloat16)], false), "two kinds");
        assert!(!fits([&known.narrow(2, 0, 2), &known, &known], true), "the first queries are not there");
        let halves = rows(4, 16, Kind::Half);
        assert!(mix_here([&halves, &halves, &halves], false, 1.0).unwrap().is_none());
    }
}

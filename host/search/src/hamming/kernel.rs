//! Distances of one query and eight documents.
#![allow(unsafe_code, reason = "vector instructions that the compiler does not choose by itself")]

use super::bits::GROUP;

/// Writes the distances of `query` and the eight documents of `group`; false if all of them are above `limit`, and then what is
/// written has no meaning.
#[inline]
pub(super) fn within(
    query: &[u64],
    group: &[[u64; GROUP]],
    limit: u32,
    distances: &mut [u32; GROUP],
) -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: the processor has the features.
            return unsafe { avx512(query, group, limit, distances) };
        }
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the feature.
            return unsafe { popcnt(query, group, limit, distances) };
        }
    }
    plain(query, group, limit, distances)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn avx512(query: &[u64], group: &[[u64; GROUP]], limit: u32, distances: &mut [u32; GROUP]) -> bool {
    use std::arch::x86_64::*;

    // Two sums, so that one addition need not wait for the one before.
    let mut sums = [_mm512_setzero_si512(); 2];
    let load = |word: u64, documents: &[u64; GROUP]| {
        // SAFETY: eight words are 64 bytes.
        let documents = unsafe { _mm512_loadu_si512(documents.as_ptr().cast()) };
        _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_set1_epi64(word.cast_signed()), documents))
    };
    let (words, pairs) = (query.as_chunks::<2>(), group.as_chunks::<2>());
    for (words, pair) in words.0.iter().zip(pairs.0) {
        sums[0] = _mm512_add_epi64(sums[0], load(words[0], &pair[0]));
        sums[1] = _mm512_add_epi64(sums[1], load(words[1], &pair[1]));
    }
    if let (Some(&word), Some(documents)) = (words.1.first(), pairs.1.first()) {
        sums[0] = _mm512_add_epi64(sums[0], load(word, documents));
    }
    let sum = _mm512_add_epi64(sums[0], sums[1]);
    if _mm512_cmple_epu64_mask(sum, _mm512_set1_epi64(i64::from(limit))) == 0 {
        return false;
    }
    // SAFETY: eight numbers of 32 bits are 32 bytes.
    unsafe { _mm256_storeu_si256(distances.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(sum)) };
    true
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn popcnt(query: &[u64], group: &[[u64; GROUP]], limit: u32, distances: &mut [u32; GROUP]) -> bool {
    plain(query, group, limit, distances)
}

#[inline(always)]
fn plain(query: &[u64], group: &[[u64; GROUP]], limit: u32, distances: &mut [u32; GROUP]) -> bool {
    *distances = [0; GROUP];
    for (word, documents) in query.iter().zip(group) {
        for (distance, document) in distances.iter_mut().zip(documents) {
            *distance += (word ^ document).count_ones();
        }
    }
    distances.iter().any(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_counts_the_same_places() {
        let word = |seed: u64| seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left((seed % 63) as u32);
        for width in [1, 2, 6, 16, 17] {
            let query: Vec<u64> = (0..width).map(|place| word(1000 + place)).collect();
            let group: Vec<[u64; GROUP]> =
                (0..width).map(|place| std::array::from_fn(|lane| word(31 * place + lane as u64))).collect();
            let (mut expected, mut found) = ([0; GROUP], [0; GROUP]);
            assert!(plain(&query, &group, u32::MAX, &mut expected));
            assert!(within(&query, &group, u32::MAX, &mut found));
            assert_eq!(found, expected);
            let least = *expected.iter().min().unwrap();
            assert!(
                within(&query, &group, least, &mut found) && !within(&query, &group, least - 1, &mut found)
            );
        }
    }
}

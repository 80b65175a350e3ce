//! Texts that are nearly the same: most of their character 5-grams are common.
//!
//! Candidates come from banded MinHash (Broder 1997, "On the resemblance and containment of documents"; Leskovec,
//! Rajaraman and Ullman, "Mining of Massive Datasets", chapter 3); each is then compared exactly.

use std::collections::HashMap;

use mteb_data::Texts;
use rayon::prelude::*;

/// Share of common 5-grams (Jaccard similarity) from which on two texts are nearly the same.
pub const THRESHOLD: f64 = 0.8;

/// Characters of a shingle.
const SHINGLE: usize = 5;

/// 12 bands of 4 values: of pairs with similarity 0.8 one in 560 is overlooked, of those with 0.9 hardly any.
const BANDS: usize = 12;
const BAND: usize = 4;

/// For each of `texts` whether one of `others` is nearly the same; texts of less than 20 letters and digits never are.
pub fn has_near(texts: &Texts, others: &Texts) -> Vec<bool> {
    let signatures: Vec<Option<Signature>> = signatures(others);
    let mut bands: Vec<HashMap<u64, Vec<u32>>> = vec![HashMap::new(); BANDS];
    for (other, signature) in (0u32..).zip(&signatures) {
        for (band, key) in signature.iter().flatten().enumerate() {
            bands[band].entry(*key).or_default().push(other);
        }
    }
    let is_near = |index: usize| {
        let own = shingles(&texts[index]);
        let Some(signature) = signature(&own) else { return false };
        let mut candidates: Vec<u32> = (signature.iter().zip(&bands))
            .filter_map(|(key, band)| band.get(key))
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.iter().any(|&other| similarity(&own, &shingles(&others[other as usize])) >= THRESHOLD)
    };
    (0..texts.len()).into_par_iter().map(is_near).collect()
}

/// One key a band.
type Signature = [u64; BANDS];

fn signatures(texts: &Texts) -> Vec<Option<Signature>> {
    (0..texts.len()).into_par_iter().map(|index| signature(&shingles(&texts[index]))).collect()
}

/// The band keys of a set of shingles; `None` if it is too small to tell anything.
fn signature(shingles: &[u64]) -> Option<Signature> {
    if shingles.len() < 20 - SHINGLE + 1 {
        return None;
    }
    let mut keys = [0; BANDS];
    for (band, key) in keys.iter_mut().enumerate() {
        for place in 0..BAND {
            let seed = mix((band * BAND + place + 1) as u64);
            let least = shingles.iter().map(|shingle| mix(shingle ^ seed)).min().unwrap_or_default();
            *key = mix(*key ^ least);
        }
    }
    Some(keys)
}

/// The different 5-grams of the letters and digits of `text` in lower case, as sorted numbers.
fn shingles(text: &str) -> Vec<u64> {
    let letters: Vec<char> =
        text.chars().flat_map(char::to_lowercase).filter(|letter| letter.is_alphanumeric()).collect();
    let number = |window: &[char]| window.iter().fold(0, |number, &letter| mix(number ^ u64::from(letter)));
    let mut shingles: Vec<u64> = letters.windows(SHINGLE).map(number).collect();
    shingles.sort_unstable();
    shingles.dedup();
    shingles
}

/// The share of the numbers in either list that are in both; the lists are sorted.
pub fn similarity(left: &[u64], right: &[u64]) -> f64 {
    let common = left.iter().filter(|shingle| right.binary_search(shingle).is_ok()).count();
    common as f64 / (left.len() + right.len() - common).max(1) as f64
}

/// SplitMix64 (Steele, Lea and Flood 2014): every bit of the result hangs on every bit of the number.
pub fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Texts {
        texts.iter().collect()
    }

    #[test]
    fn small_changes_make_near_texts_and_other_texts_are_far() {
        let others = texts(&[
            "Harga beras di pasar tradisional Jakarta naik lagi pada pekan ini karena hujan.",
            "Tim nasional sepak bola Indonesia menang tiga gol tanpa balas di Surabaya.",
        ]);
        let asked = texts(&[
            "HARGA beras di pasar tradisional Jakarta naik lagi pada pekan ini, karena hujan!",
            "Harga beras di pasar tradisional Jakarta naik lagi pada pekan ini karena hujan deras.",
            "Harga minyak dunia turun setelah rapat para menteri negara pengekspor.",
            "Harga beras",
        ]);
        assert_eq!(has_near(&asked, &others), [true, true, false, false]);
    }

    #[test]
    fn similarity_is_the_share_of_common_shingles() {
        // abcde, bcdef, cdefg against bcdef, cdefg, defgh: two of four.
        assert_eq!(similarity(&shingles("abcdefg"), &shingles("BCDE-fgh")), 0.5);
        assert_eq!(similarity(&[], &[]), 0.0);
    }
}

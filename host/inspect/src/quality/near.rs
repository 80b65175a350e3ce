//! Finds every pair of texts whose character 4-grams are alike, without comparing all pairs.
//!
//! A pair that reaches a Jaccard similarity of t has one of the rarest shingles in common: a text of n shingles has to show
//! only its n - ⌈t·n⌉ + 1 rarest ones (Chaudhuri, Ganti and Kaushik 2006, "A primitive operator for similarity joins in data
//! cleaning"; Bayardo, Ma and Srikant 2007, "Scaling up all pairs similarity search"). Unlike with MinHash no pair is overlooked.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::stats::{mix, similarity};

/// Characters of a shingle.
const SHINGLE: usize = 4;

/// Shingles below which similarity says nothing: about 15 characters.
const LEAST: usize = 12;

/// Two texts, by their places in the list, and their similarity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The one further up.
    pub first: usize,
    /// The one further down.
    pub second: usize,
    /// Jaccard similarity of the sets of 4-grams.
    pub similarity: f64,
}

/// Every pair of texts with a similarity of at least `threshold`, in order; `may_be_alike` tells pairs that are left out.
///
/// The texts are normalised: lower case, words parted by one space.
pub fn similar_pairs(
    texts: &[String],
    threshold: f64,
    may_be_alike: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<Pair> {
    let sets: Vec<Vec<u64>> = texts.par_iter().map(|text| shingles(text)).collect();
    let mut frequency: HashMap<u64, u32> = HashMap::new();
    for shingle in sets.iter().flatten() {
        *frequency.entry(*shingle).or_default() += 1;
    }
    let shown: Vec<Vec<u64>> = sets.par_iter().map(|set| rarest(set, &frequency, threshold)).collect();
    let mut index: HashMap<u64, Vec<usize>> = HashMap::new();
    for (text, shown) in shown.iter().enumerate() {
        for shingle in shown {
            index.entry(*shingle).or_default().push(text);
        }
    }
    let pairs_of = |first: usize| {
        let mut others: Vec<usize> =
            shown[first].iter().filter_map(|shingle| index.get(shingle)).flatten().copied().collect();
        others.sort_unstable();
        others.dedup();
        let sets = &sets;
        let may_be_alike = &may_be_alike;
        let near = others.into_iter().filter(move |&second| second > first && !may_be_alike(first, second));
        near.filter_map(move |second| pair(sets, first, second, threshold)).collect::<Vec<_>>()
    };
    (0..texts.len()).into_par_iter().flat_map_iter(pairs_of).collect()
}

fn pair(sets: &[Vec<u64>], first: usize, second: usize, threshold: f64) -> Option<Pair> {
    let (left, right) = (&sets[first], &sets[second]);
    let (less, more) = (left.len().min(right.len()), left.len().max(right.len()));
    // Even if the smaller set lies in the larger one.
    if (less as f64) < threshold * more as f64 {
        return None;
    }
    let similarity = similarity(left, right);
    (similarity >= threshold).then_some(Pair { first, second, similarity })
}

/// The shingles of a set that a text at least as similar as `threshold` cannot all lack; those of no other text are left out.
fn rarest(set: &[u64], frequency: &HashMap<u64, u32>, threshold: f64) -> Vec<u64> {
    if set.len() < LEAST {
        return Vec::new();
    }
    let count = |shingle: &u64| frequency.get(shingle).copied().unwrap_or_default();
    let mut sorted: Vec<u64> = set.to_vec();
    sorted.sort_unstable_by_key(|shingle| (count(shingle), *shingle));
    // Rounding must not ask for a shingle too many.
    let common = (threshold * set.len() as f64 - 1e-9).ceil() as usize;
    sorted.truncate(set.len() + 1 - common.clamp(1, set.len()));
    sorted.retain(|shingle| count(shingle) > 1);
    sorted
}

/// The different 4-grams of a text, as sorted numbers.
fn shingles(text: &str) -> Vec<u64> {
    let letters: Vec<char> = text.chars().collect();
    let number = |window: &[char]| window.iter().fold(0, |number, &letter| mix(number ^ u64::from(letter)));
    let mut shingles: Vec<u64> = letters.windows(SHINGLE).map(number).collect();
    shingles.sort_unstable();
    shingles.dedup();
    shingles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(texts: &[&str], threshold: f64) -> Vec<(usize, usize)> {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let found = similar_pairs(&texts, threshold, |_, _| false);
        found.iter().map(|pair| (pair.first, pair.second)).collect()
    }

    #[test]
    fn a_change_of_one_word_is_found() {
        let texts = [
            "harga beras di pasar tradisional naik lagi pada pekan ini karena hujan",
            "tim nasional sepak bola menang tiga gol tanpa balas di surabaya",
            "harga telur di pasar tradisional naik lagi pada pekan ini karena hujan",
        ];
        assert_eq!(pairs(&texts, 0.6), [(0, 2)]);
        assert_eq!(pairs(&texts, 0.9), []);
    }

    #[test]
    fn no_pair_is_overlooked() {
        let mut state = 1;
        let mut draw = |below: u64| {
            state = mix(state);
            state % below
        };
        for round in 1..10 {
            let texts: Vec<String> = (0..25)
                .map(|_| (0..12 + draw(30)).map(|_| ['a', 'b', ' '][draw(3) as usize]).collect())
                .collect();
            let threshold = f64::from(round) / 10.0;
            let sets: Vec<Vec<u64>> = texts.iter().map(|text| shingles(text)).collect();
            let both_long = |first: usize, second: usize| sets[first].len().min(sets[second].len()) >= LEAST;
            let all: Vec<Pair> = (0..25)
                .flat_map(|first| (first + 1..25).map(move |second| (first, second)))
                .filter(|&(first, second)| both_long(first, second))
                .filter_map(|(first, second)| pair(&sets, first, second, threshold))
                .collect();
            assert_eq!(similar_pairs(&texts, threshold, |_, _| false), all);
        }
    }
}

//! Texts that are nearly the same: their sets of character 4-grams are alike. No two sets are compared that cannot be.
//!
//! Two sets that reach a Jaccard similarity of t have one of the rarest shingles in common: a text of n shingles has to show only its
//! n - ⌈t·n⌉ + 1 rarest ones (Chaudhuri, Ganti and Kaushik 2006, "A primitive operator for similarity joins in data cleaning"; Bayardo,
//! Ma and Srikant 2007, "Scaling up all pairs similarity search"). Unlike with MinHash no pair is overlooked.

use rayon::prelude::*;

use crate::letter_runs::{RunMap, number_run};

/// Characters of a shingle.
const SHINGLE: usize = 4;

/// Shingles below which similarity says nothing: about 15 characters.
const LEAST: usize = 12;

/// The same for scripts whose characters are syllables or words: four of them are half a sentence.
const DENSE_SHINGLE: usize = 2;
const DENSE_LEAST: usize = 6;

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

/// Every pair of normalised texts with a similarity of at least `threshold`, in order; `may_be_alike` tells pairs that are left out.
pub fn similar_pairs(
    texts: &[impl AsRef<str> + Sync],
    threshold: f64,
    may_be_alike: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<Pair> {
    let sets = Sets::new(texts, threshold);
    let index = sets.index(0..texts.len());
    let (sets, index, may_be_alike) = (&sets, &index, &may_be_alike);
    let pairs_of = |first: usize| {
        let others = sets.candidates(first, index).into_iter();
        let near = others.filter(move |&second| second > first && !may_be_alike(first, second));
        near.filter_map(move |second| sets.pair(first, second)).collect::<Vec<_>>()
    };
    (0..texts.len()).into_par_iter().flat_map_iter(pairs_of).collect()
}

/// For each of `texts` whether one of `others` has a similarity of at least `threshold`; all are normalised.
pub fn has_similar(texts: Vec<String>, others: Vec<String>, threshold: f64) -> Vec<bool> {
    let count = texts.len();
    let all: Vec<String> = texts.into_iter().chain(others).collect();
    let sets = Sets::new(&all, threshold);
    let index = sets.index(count..all.len());
    let has_one = |text: usize| {
        let others = sets.candidates(text, &index);
        others.into_iter().any(|other| sets.pair(text, other).is_some())
    };
    (0..count).into_par_iter().map(has_one).collect()
}

/// The shingles of texts, and those of each text by which one that is alike is found.
struct Sets {
    threshold: f64,
    all: Vec<Vec<u64>>,
    shown: Vec<Vec<u64>>,
}

/// The texts that show a shingle.
type Index = RunMap<Vec<usize>>;

impl Sets {
    fn new(texts: &[impl AsRef<str> + Sync], threshold: f64) -> Self {
        let all: Vec<Vec<u64>> = texts.par_iter().map(|text| compared_shingles(text.as_ref())).collect();
        let mut frequency: RunMap<u32> = RunMap::default();
        for shingle in all.iter().flatten() {
            *frequency.entry(*shingle).or_default() += 1;
        }
        let shown = all.par_iter().map(|set| rarest(set, &frequency, threshold)).collect();
        Self { threshold, all, shown }
    }

    fn index(&self, texts: std::ops::Range<usize>) -> Index {
        let mut index = Index::default();
        for text in texts {
            for shingle in &self.shown[text] {
                index.entry(*shingle).or_default().push(text);
            }
        }
        index
    }

    /// The texts of the index that may be alike, each once, in order.
    fn candidates(&self, text: usize, index: &Index) -> Vec<usize> {
        let shown = self.shown[text].iter();
        let mut others: Vec<usize> =
            shown.filter_map(|shingle| index.get(shingle)).flatten().copied().collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    fn pair(&self, first: usize, second: usize) -> Option<Pair> {
        let (left, right) = (&self.all[first], &self.all[second]);
        let (less, more) = (left.len().min(right.len()), left.len().max(right.len()));
        // Even if the smaller set lies in the larger one.
        if (less as f64) < self.threshold * more as f64 {
            return None;
        }
        let similarity = similarity(left, right, self.threshold)?;
        (similarity >= self.threshold).then_some(Pair { first, second, similarity })
    }
}

/// The shingles of a set that a text at least as similar as `threshold` cannot all lack; those of no other text are left out.
fn rarest(set: &[u64], frequency: &RunMap<u32>, threshold: f64) -> Vec<u64> {
    if set.is_empty() {
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

/// Numbers that are compared before it is asked whether enough are left.
const STRIDE: usize = 32;

/// The share of the numbers in either list that are in both; the lists are sorted. `None` if it is found on the way that it is less
/// than `threshold`.
fn similarity(left: &[u64], right: &[u64], threshold: f64) -> Option<f64> {
    let all = left.len() + right.len();
    let share = |common: usize| common as f64 / (all - common).max(1) as f64;
    let (mut first, mut second, mut common) = (0, 0, 0);
    while first < left.len() && second < right.len() {
        for _ in 0..STRIDE.min(left.len() - first).min(right.len() - second) {
            let (one, other) = (left[first], right[second]);
            common += usize::from(one == other);
            // Without branches: which list is ahead cannot be foreseen.
            first += usize::from(one <= other);
            second += usize::from(other <= one);
        }
        if share(common + (left.len() - first).min(right.len() - second)) < threshold {
            return None;
        }
    }
    Some(share(common))
}

/// The shingles of a text; none of one that is too short to compare.
fn compared_shingles(text: &str) -> Vec<u64> {
    let letters: Vec<char> = text.chars().collect();
    let (length, least) = if is_dense(&letters) { (DENSE_SHINGLE, DENSE_LEAST) } else { (SHINGLE, LEAST) };
    let shingles = shingles(&letters, length);
    if shingles.len() < least { Vec::new() } else { shingles }
}

/// The different substrings of `length` characters of a text, as sorted numbers.
fn shingles(letters: &[char], length: usize) -> Vec<u64> {
    let mut shingles: Vec<u64> = letters.windows(length).map(number_run).collect();
    shingles.sort_unstable();
    shingles.dedup();
    shingles
}

/// True if most characters of a text are of a script of syllables or words: Chinese, Japanese, Korean.
pub fn is_dense(letters: &[char]) -> bool {
    let is_dense = |letter: &&char| {
        matches!(**letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
    };
    2 * letters.iter().filter(is_dense).count() > letters.len()
}

#[cfg(test)]
mod tests {
    use mteb_tasks::normalised;

    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| normalised(text)).collect()
    }

    fn pairs(list: &[&str], threshold: f64) -> Vec<(usize, usize)> {
        let found = similar_pairs(&texts(list), threshold, |_, _| false);
        found.iter().map(|pair| (pair.first, pair.second)).collect()
    }

    #[test]
    fn a_change_of_one_word_is_found() {
        let texts = [
            "Harga beras di pasar tradisional naik lagi pada pekan ini, karena hujan.",
            "tim nasional sepak bola menang tiga gol tanpa balas di surabaya",
            "harga telur di pasar tradisional naik lagi pada pekan ini karena hujan",
        ];
        assert_eq!(pairs(&texts, 0.6), [(0, 2)]);
        assert_eq!(pairs(&texts, 0.9), []);
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
        assert_eq!(has_similar(asked, others, 0.8), [true, true, false, false]);
    }

    #[test]
    fn similarity_is_the_share_of_common_shingles() {
        // abcd, bcde, cdef against bcde, cdef, defg: two of four.
        let shingles = |text: &str| shingles(&text.chars().collect::<Vec<_>>(), SHINGLE);
        assert_eq!(similarity(&shingles("abcdef"), &shingles("bcdefg"), 0.0), Some(0.5));
        assert_eq!(similarity(&[], &[], 0.0), Some(0.0));
    }

    #[test]
    fn lists_that_cannot_be_alike_are_not_compared_to_their_end() {
        let (even, all): (Vec<u64>, Vec<u64>) = ((0..200).step_by(2).collect(), (0..200).collect());
        assert_eq!(similarity(&even, &all, 0.5), Some(0.5));
        assert_eq!(similarity(&even, &all, 0.6), None);
    }

    #[test]
    fn short_sentences_of_scripts_without_spaces_are_compared() {
        let chinese = ["今天北京的天气很好", "今天上海的天气很好", "我们明天去公园散步"];
        assert_eq!(pairs(&chinese, 0.4), [(0, 1)]);
        // 8 bigrams each, three of which are others: 天北 北京 京的 against 天上 上海 海的.
        let found = similar_pairs(&texts(&chinese[..2]), 0.4, |_, _| false);
        assert!((found[0].similarity - 5.0 / 11.0).abs() < 1e-12, "{found:?}");
        let thai = ["วันนี้อากาศดีมากที่กรุงเทพ", "วันนี้อากาศดีมากที่เชียงใหม่", "เราจะไปเดินเล่นในสวนพรุ่งนี้"];
        assert_eq!(pairs(&thai, 0.45), [(0, 1)]);
    }

    #[test]
    fn no_pair_is_overlooked() {
        let mut random = mteb_measures::random::SplitMix64::new(1);
        for round in 1..10 {
            let texts: Vec<String> = (0..25)
                .map(|_| (0..12 + random.below(30)).map(|_| *random.pick(&['a', 'b', ' '])).collect())
                .collect();
            let sets = Sets::new(&texts, f64::from(round) / 10.0);
            let both_long =
                |first: usize, second: usize| sets.all[first].len().min(sets.all[second].len()) >= LEAST;
            let all: Vec<Pair> = (0..25)
                .flat_map(|first| (first + 1..25).map(move |second| (first, second)))
                .filter(|&(first, second)| both_long(first, second))
                .filter_map(|(first, second)| sets.pair(first, second))
                .collect();
            assert_eq!(similar_pairs(&texts, sets.threshold, |_, _| false), all);
            let (asked, others) = (texts[..10].to_vec(), texts[10..].to_vec());
            let expected: Vec<bool> =
                (0..10).map(|own| all.iter().any(|pair| pair.first == own && pair.second >= 10)).collect();
            assert_eq!(has_similar(asked, others, sets.threshold), expected);
        }
    }
}

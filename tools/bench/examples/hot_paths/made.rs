//! Made texts and embeddings, the same in every run.

use mteb_measures::random::SplitMix64;

const SYLLABLES: [&str; 16] =
    ["ka", "ri", "ta", "mu", "se", "la", "no", "ber", "di", "pan", "gu", "wi", "sa", "ti", "ro", "me"];

/// The made language has two to the power of this many words.
const BITS: usize = 14;

/// Numbers of an embedding are multiples of one in so many.
const STEPS: usize = 1 << 20;

/// So many words, of which few are frequent, as in a language.
pub fn text(random: &mut SplitMix64, words: usize) -> String {
    let words: Vec<String> = (0..words).map(|_| word(rank(random))).collect();
    words.join(" ")
}

/// Rows of `dimension` numbers between -1 and 1, each near one of `groups` centres.
pub fn embeddings(random: &mut SplitMix64, rows: usize, dimension: usize, groups: usize) -> Vec<f32> {
    let centres: Vec<f32> = (0..groups * dimension).map(|_| number(random)).collect();
    let mut found = Vec::with_capacity(rows * dimension);
    for row in 0..rows {
        let centre = &centres[row % groups * dimension..][..dimension];
        found.extend(centre.iter().map(|value| 0.5 * value + 0.5 * number(random)));
    }
    found
}

fn number(random: &mut SplitMix64) -> f32 {
    2.0 * (random.below(STEPS) as f32 / STEPS as f32) - 1.0
}

/// The place of a word in the vocabulary: up to each power of two there are as many occurrences as up to the next.
fn rank(random: &mut SplitMix64) -> usize {
    let bits = random.below(BITS);
    (1 << bits) + random.below(1 << bits)
}

fn word(mut rank: usize) -> String {
    let mut word = String::new();
    while rank > 0 {
        word.push_str(SYLLABLES[rank % SYLLABLES.len()]);
        rank /= SYLLABLES.len();
    }
    word
}

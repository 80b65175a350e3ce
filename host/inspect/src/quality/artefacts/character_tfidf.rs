//! TF-IDF of characters: how alike texts are in their letters.

use rayon::prelude::*;

use crate::letter_runs::{RunMap, number_run};

/// Lengths of the runs of letters that are counted, within words with a space on either side; as `TfidfVectorizer` of
/// scikit-learn with `analyzer="char_wb"`.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=5;

/// A text as the weights of its runs of letters, of length 1; by ascending number of the run.
pub type Vector = Vec<(u32, f32)>;

/// How rare runs of letters are.
pub struct CharacterTfidf {
    numbers: RunMap<u32>,
    rarity: Vec<f32>,
}

/// Texts that can be searched.
pub struct Index {
    /// For each run its texts and weights.
    postings: Vec<Vec<(u32, f32)>>,
    texts: usize,
}

impl CharacterTfidf {
    /// Counts in how many of `texts` each run is.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let (mut numbers, mut counts, mut all): (RunMap<u32>, Vec<u32>, u32) =
            (RunMap::default(), Vec::new(), 0);
        for text in texts {
            all += 1;
            for (run, _) in runs(text) {
                let number = *numbers.entry(run).or_insert(counts.len() as u32);
                if number as usize == counts.len() {
                    counts.push(0);
                }
                counts[number as usize] += 1;
            }
        }
        let rarity = |count: &u32| ((1.0 + f64::from(all)) / (1.0 + f64::from(*count))).ln() as f32 + 1.0;
        Self { rarity: counts.iter().map(rarity).collect(), numbers }
    }

    /// The weights of each of `texts`.
    pub fn vectors(&self, texts: &[&str]) -> Vec<Vector> {
        texts.par_iter().map(|text| self.vector(text)).collect()
    }

    /// The weights of `text`; runs that no text has are left out.
    pub fn vector(&self, text: &str) -> Vector {
        let known = |(run, count): (u64, u32)| {
            let number = *self.numbers.get(&run)?;
            Some((number, count as f32 * self.rarity[number as usize]))
        };
        let mut vector: Vector = runs(text).into_iter().filter_map(known).collect();
        vector.sort_unstable_by_key(|(number, _)| *number);
        let length = vector.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|(_, weight)| *weight /= length);
        vector
    }

    /// The `vectors` by their runs.
    pub fn index(&self, vectors: &[Vector]) -> Index {
        let mut postings = vec![Vec::new(); self.rarity.len()];
        for (text, vector) in vectors.iter().enumerate() {
            vector
                .iter()
                .for_each(|(number, weight)| postings[*number as usize].push((text as u32, *weight)));
        }
        Index { postings, texts: vectors.len() }
    }
}

impl Index {
    /// The cosine of `vector` and each text, in their order.
    pub fn similarities(&self, vector: &Vector) -> Vec<f64> {
        let mut sums = vec![0.0; self.texts];
        for (number, weight) in vector {
            for (text, other) in &self.postings[*number as usize] {
                sums[*text as usize] += f64::from(weight * other);
            }
        }
        sums
    }
}

/// The cosine of two texts.
pub fn similarity(left: &Vector, right: &Vector) -> f64 {
    let (mut sum, mut place) = (0.0, 0);
    for (number, weight) in left {
        while right.get(place).is_some_and(|(other, _)| other < number) {
            place += 1;
        }
        if let Some((_, other)) = right.get(place).filter(|(other, _)| other == number) {
            sum += f64::from(weight * other);
        }
    }
    sum
}

/// The runs of letters of a text, by number, and how often each is there.
fn runs(text: &str) -> Vec<(u64, u32)> {
    let mut all: Vec<u64> = Vec::new();
    let mut letters: Vec<char> = Vec::new();
    for word in text.to_lowercase().split_whitespace() {
        letters.clear();
        letters.push(' ');
        letters.extend(word.chars());
        letters.push(' ');
        for length in LENGTHS {
            all.extend(letters.windows(length.min(letters.len())).map(number_run));
            if length >= letters.len() {
                break;
            }
        }
    }
    all.sort_unstable();
    all.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scikit-learn 1.9: `TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5))`, the product of the rows.
    #[test]
    fn similarities_are_those_of_scikit_learn() {
        let texts = ["kucing tidur di kursi", "kucingnya tertidur", "harga beras di pasar naik"];
        let tfidf = CharacterTfidf::of(texts);
        let vectors: Vec<Vector> = texts.iter().map(|text| tfidf.vector(text)).collect();
        let found = [similarity(&vectors[0], &vectors[1]), similarity(&vectors[0], &vectors[2])];
        let expected = [0.370_593_264_887_110_8, 0.044_443_321_354_321_76];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        let index = tfidf.index(&vectors);
        assert!((index.similarities(&vectors[0])[1] - found[0]).abs() < 1e-9);
    }
}

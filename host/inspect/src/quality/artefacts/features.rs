//! Features of texts for a classifier that reads nothing: what a text looks like, and which words it has.

use std::collections::HashMap;

use super::super::words::words;

/// Texts from which on a first word or a word is a feature: of rarer ones nothing can be learned.
const LEAST: usize = 3;
/// Words that are features, the most frequent first.
const WORDS: usize = 1000;

/// Rows of numbers.
pub struct Features {
    /// Row after row.
    pub rows: Vec<f32>,
    /// Numbers of a row.
    pub dimension: usize,
}

impl Features {
    /// What texts look like: lengths, digits, punctuation, capitals, and their first word.
    pub fn surface(texts: &[&str]) -> Self {
        let looks: Vec<Vec<f32>> = texts.iter().map(|text| look(text)).collect();
        let first: Vec<Vec<String>> =
            texts.iter().map(|text| first_word(text).into_iter().collect()).collect();
        Self::of(standardised(looks)).beside(&one_hot(&first, usize::MAX))
    }

    /// What both texts of pairs look like, and how far they differ.
    pub fn surface_of_pairs(left: &[&str], right: &[&str]) -> Self {
        let differences = left.iter().zip(right).map(|(left, right)| {
            let mut row: Vec<f32> =
                look(left).iter().zip(look(right)).map(|(left, right)| (left - right).abs()).collect();
            row.push(f32::from(u8::from(first_word(left) == first_word(right))));
            row
        });
        let differences = Self::of(standardised(differences.collect()));
        Self::surface(left).beside(&Self::surface(right)).beside(&differences)
    }

    /// Which words texts have, and what they look like.
    pub fn words(texts: &[&str]) -> Self {
        let lower = |text: &&str| words(text).iter().map(|word| word.to_lowercase()).collect();
        let found: Vec<Vec<String>> = texts.iter().map(lower).collect();
        Self::surface(texts).beside(&one_hot(&found, WORDS))
    }

    /// The features of the rows at `places`.
    pub fn select(&self, places: &[usize]) -> Vec<f32> {
        let row = |&place: &usize| &self.rows[place * self.dimension..(place + 1) * self.dimension];
        places.iter().flat_map(row).copied().collect()
    }

    fn of(rows: Vec<Vec<f32>>) -> Self {
        let dimension = rows.first().map_or(0, Vec::len);
        Self { rows: rows.concat(), dimension }
    }

    fn beside(&self, other: &Self) -> Self {
        let count = self.rows.len().checked_div(self.dimension).unwrap_or_default();
        let mut rows = Vec::with_capacity(self.rows.len() + other.rows.len());
        for place in 0..count {
            rows.extend(&self.rows[place * self.dimension..(place + 1) * self.dimension]);
            rows.extend(&other.rows[place * other.dimension..(place + 1) * other.dimension]);
        }
        Self { rows, dimension: self.dimension + other.dimension }
    }
}

/// What a text looks like.
fn look(text: &str) -> Vec<f32> {
    let found = words(text);
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count().max(1) as f32;
    let count = |is: &dyn Fn(char) -> bool| text.chars().filter(|&letter| is(letter)).count() as f32;
    let capitals = count(&char::is_uppercase);
    let digits = count(&|letter| letter.is_ascii_digit());
    let length = text.chars().count() as f32;
    let mut look = vec![
        (1.0 + length).ln(),
        (1.0 + found.len() as f32).ln(),
        letters / found.len().max(1) as f32,
        (1.0 + digits).ln(),
        f32::from(u8::from(digits > 0.0)),
        capitals / letters,
        f32::from(u8::from(text.chars().next().is_some_and(char::is_uppercase))),
        f32::from(u8::from(capitals == 0.0)),
        (1.0 + count(&|letter| !letter.is_alphanumeric() && !letter.is_whitespace() && !letter.is_ascii()))
            .ln(),
    ];
    for mark in ['.', ',', '?', '!', ':', ';', '"', '-', '(', '/'] {
        look.push((1.0 + count(&|letter| letter == mark)).ln());
    }
    for end in ['.', '?', '!'] {
        look.push(f32::from(u8::from(text.trim_end().ends_with(end))));
    }
    look
}

fn first_word(text: &str) -> Option<String> {
    words(text).first().map(|word| word.to_lowercase())
}

/// Each column with mean 0 and variance 1.
fn standardised(mut rows: Vec<Vec<f32>>) -> Vec<Vec<f32>> {
    let (count, dimension) = (rows.len().max(1) as f32, rows.first().map_or(0, Vec::len));
    for column in 0..dimension {
        let mean = rows.iter().map(|row| row[column]).sum::<f32>() / count;
        let variance = rows.iter().map(|row| (row[column] - mean).powi(2)).sum::<f32>() / count;
        let scale = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        rows.iter_mut().for_each(|row| row[column] = (row[column] - mean) / scale);
    }
    rows
}

/// A column for each of the `most` most frequent words: 1 where a text has it.
fn one_hot(texts: &[Vec<String>], most: usize) -> Features {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        let mut own: Vec<&str> = text.iter().map(String::as_str).collect();
        own.sort_unstable();
        own.dedup();
        own.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let mut frequent: Vec<(&str, usize)> = counts.into_iter().filter(|(_, count)| *count >= LEAST).collect();
    frequent.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
    frequent.truncate(most);
    let places: HashMap<&str, usize> =
        frequent.iter().enumerate().map(|(place, (word, _))| (*word, place)).collect();
    let dimension = places.len();
    let mut rows = vec![0.0; texts.len() * dimension];
    for (row, text) in texts.iter().enumerate() {
        for place in text.iter().filter_map(|word| places.get(word.as_str())) {
            rows[row * dimension + place] = 1.0;
        }
    }
    Features { rows, dimension }
}

//! Texts cut into words, and how many different words there are.

use std::collections::HashMap;

use super::data::{ColumnTexts, SubsetData};
use super::fault::DataFault;

/// Words of a window.
const WINDOW: usize = 500;

/// Measures the type-token ratio, and finds a column whose words repeat too often. The ratio is the mean over all windows of
/// 500 words, which does not hang on the size of the set (Covington and McFall 2010, "Cutting the Gordian knot: the
/// moving-average type-token ratio"); texts that are repeated count once. Of fewer words there is none.
pub fn check(data: &SubsetData, column: &ColumnTexts) -> (Option<f64>, Option<DataFault>) {
    let texts = column.distinct();
    let tokens: Vec<String> = texts.iter().flat_map(|text| words(text)).map(str::to_lowercase).collect();
    let ratio = moving_ratio(&tokens, WINDOW);
    let fault = data.limits.as_ref().zip(ratio).and_then(|(limits, ratio)| {
        let least = limits.min_type_token_ratio;
        let message = format!(
            "expected a type-token ratio of at least {least} in `{}` of {}, found {ratio:.2}",
            column.name,
            data.part_name(column.unit, column.part)
        );
        let advice = "use more different words";
        (ratio < least).then(|| data.fault(column.unit, "type-token ratio", Vec::new(), message, advice))
    });
    (ratio, fault)
}

/// Mean share of different words over all windows.
fn moving_ratio(tokens: &[String], window: usize) -> Option<f64> {
    if tokens.len() < window {
        return None;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut sum = 0;
    for (index, token) in tokens.iter().enumerate() {
        *counts.entry(token).or_default() += 1;
        if index + 1 < window {
            continue;
        }
        sum += counts.len();
        let first = tokens[index + 1 - window].as_str();
        if let Some(count) = counts.get_mut(first) {
            *count -= 1;
            if *count == 0 {
                counts.remove(first);
            }
        }
    }
    let windows = tokens.len() - window + 1;
    Some(sum as f64 / (windows * window) as f64)
}

/// A word as it is written.
pub type Word<'a> = &'a str;

/// The words of a text: runs of letters, digits and marks inside them, as in `orang-orang`, `19.000` and `don't`.
pub fn words(text: &str) -> Vec<Word<'_>> {
    text.split(|letter: char| !(letter.is_alphanumeric() || is_joint(letter)))
        .map(|word| word.trim_matches(is_joint))
        .filter(|word| !word.is_empty())
        .collect()
}

fn is_joint(letter: char) -> bool {
    matches!(letter, '-' | '\'' | '’' | '.' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_the_mean_over_windows() {
        let tokens: Vec<String> = "a b a c".split(' ').map(str::to_owned).collect();
        // a b a: 2 of 3; b a c: 3 of 3.
        assert_eq!(moving_ratio(&tokens, 3), Some(5.0 / 6.0));
        assert_eq!(moving_ratio(&tokens, 5), None);
    }

    #[test]
    fn marks_inside_words_belong_to_them() {
        let text = "Orang-orang bilang, harganya Rp19.000 (naik!) ... don't";
        assert_eq!(words(text), ["Orang-orang", "bilang", "harganya", "Rp19.000", "naik", "don't"]);
    }
}

//! Which texts share a request.

use std::ops::Range;

/// Bytes that are taken for one token.
const BYTES: usize = 3;

/// Most texts and tokens in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Texts.
    pub texts: usize,
    /// Tokens, as [`tokens_of`] estimates them.
    pub tokens: usize,
}

/// Tokens of a text, estimated.
pub fn tokens_of(text: &str) -> usize {
    text.len() / BYTES + 1
}

/// Ranges of neighbouring texts that go into one request, each with at least one text.
pub fn requests(texts: &[String], limits: Limits) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let (mut begin, mut tokens) = (0, 0);
    for (number, text) in texts.iter().enumerate() {
        let more = tokens_of(text);
        let is_full = number - begin >= limits.texts.max(1) || tokens + more > limits.tokens;
        if number > begin && is_full {
            ranges.push(begin..number);
            (begin, tokens) = (number, 0);
        }
        tokens += more;
    }
    if begin < texts.len() {
        ranges.push(begin..texts.len());
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(texts: &[&str], limits: Limits) -> Vec<Range<usize>> {
        requests(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), limits)
    }

    #[test]
    fn a_request_ends_where_a_limit_is_reached() {
        let limits = Limits { texts: 2, tokens: 100 };
        assert_eq!(ranges(&["a", "b", "c"], limits), [0..2, 2..3]);
        let long = "x".repeat(200);
        assert_eq!(ranges(&["a", &long, &long, "b"], limits), [0..2, 2..4]);
        let longer = "x".repeat(600);
        assert_eq!(ranges(&["a", &longer, "b"], limits), [0..1, 1..2, 2..3]);
        assert_eq!(ranges(&[], limits), []);
    }
}

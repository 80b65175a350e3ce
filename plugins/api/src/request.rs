//! Which texts share a request, and which pairs: those of one query; and texts that an endpoint does not take as
//! they are: how one that is too long is truncated, and the notes of that in the results. Empty ones the host
//! counts itself.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use mteb_remote::Bounds;

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

/// Values of a reply that stand beside the numbers of a row or beside a score: its number, its kind, a document that is sent back.
const BESIDE: usize = 64;

/// Values that a reply may have beside rows or scores.
const AROUND: usize = 4096;

/// Bytes that a value may take, with the spaces and line ends of a reply for people.
const VALUE: usize = 32;

/// Numbers of a row where nobody knows how many there are.
const UNKNOWN: usize = 1 << 20;

/// Numbers that a row may have whatever is expected of it: that it has others is said of the row.
const LONG: usize = 8192;

/// The most that a reply with so many rows can be, each of `dimension` numbers; `sent` is what was sent.
pub fn bounds_of_rows(rows: usize, dimension: Option<usize>, sent: &[u8]) -> Bounds {
    bounds(rows, dimension.map_or(UNKNOWN, |dimension| dimension.max(LONG)), sent)
}

/// The most that a reply with so many scores can be.
pub fn bounds_of_scores(scores: usize, sent: &[u8]) -> Bounds {
    bounds(scores, 1, sent)
}

fn bounds(rows: usize, numbers: usize, sent: &[u8]) -> Bounds {
    let values = rows.saturating_mul(numbers.saturating_add(BESIDE)).saturating_add(AROUND);
    // What was sent may come back, each character as `\u0000`.
    let bytes = values.saturating_mul(VALUE).saturating_add(sent.len().saturating_mul(6));
    Bounds { bytes, values }
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

/// Documents for one query.
#[derive(Debug, PartialEq, Eq)]
pub struct Group<'a> {
    /// The query.
    pub query: &'a str,
    /// Numbers of the pairs.
    pub pairs: Vec<usize>,
}

/// The pairs in groups of one query each, within the limits; a query counts once for each of its documents, as models read it.
pub fn groups<'a>(queries: &[&'a str], documents: &[&str], limits: Limits) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut open: HashMap<&str, (usize, usize)> = HashMap::new();
    for (pair, (&query, document)) in queries.iter().zip(documents).enumerate() {
        let more = tokens_of(query) + tokens_of(document);
        match open.get_mut(query) {
            Some((group, tokens))
                if groups[*group].pairs.len() < limits.texts.max(1) && *tokens + more <= limits.tokens =>
            {
                groups[*group].pairs.push(pair);
                *tokens += more;
            }
            _ => {
                open.insert(query, (groups.len(), more));
                groups.push(Group { query, pairs: vec![pair] });
            }
        }
    }
    groups
}

/// Characters of a text that a note shows.
const SHOWN: usize = 40;

/// Counts of texts by what was done to them, each with the begin of the first.
#[derive(Debug, Default)]
pub struct Notes(BTreeMap<&'static str, (usize, String)>);

/// A text whose end was cut.
pub const CUT: &str = "texts truncated, because the endpoint refused them as too long";

impl Notes {
    /// Notes what was done to `text`.
    pub fn add(&mut self, what: &'static str, text: &str) {
        let (count, _) = self.0.entry(what).or_insert_with(|| (0, begin_of(text)));
        *count += 1;
    }

    /// A line for each thing that was done since the last call.
    pub fn take(&mut self) -> Vec<String> {
        let line = |(what, (count, first)): (&str, (usize, String))| {
            format!("{what}: {count}; the first: {first:?}")
        };
        std::mem::take(&mut self.0).into_iter().map(line).collect()
    }
}

/// The begin of a text, for messages.
pub fn begin_of(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// Bytes below which no text is too long for any model.
const SHORT: usize = 200;

/// Words by which endpoints say that a text is too long.
const SAID: [&str; 6] = ["token", "length", "too long", "context", "too large", "maximum"];

/// True if a refusal with this message may be about the length of `text`.
pub fn is_too_long(text: &str, status: u16, message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    text.len() > SHORT && (status == 413 || SAID.iter().any(|word| message.contains(word)))
}

/// The first three quarters of a text.
pub fn shorten(text: &str) -> &str {
    &text[..text.floor_char_boundary(text.len() / 4 * 3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(texts: &[&str], limits: Limits) -> Vec<Range<usize>> {
        requests(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), limits)
    }

    #[test]
    fn a_reply_may_be_as_large_as_what_was_asked_for() {
        let Bounds { values, bytes } = bounds_of_rows(64, Some(16_384), b"texts");
        assert!((64 * 16_384..64 * 16_600).contains(&values), "{values}");
        assert!((64 * 16_384 * 30..40 << 20).contains(&bytes), "{bytes}");
        assert!(bounds_of_rows(1, None, b"").values > 1 << 20, "one row to begin with may be as long as any");
        assert!(bounds_of_scores(1000, b"").bytes < 3 << 20);
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

    #[test]
    fn pairs_of_one_query_share_a_request_wherever_they_stand() {
        let limits = Limits { texts: 2, tokens: 1000 };
        let found = groups(&["a", "b", "a", "a"], &["1", "2", "3", "4"], limits);
        let found: Vec<(&str, &[usize])> = found.iter().map(|group| (group.query, &*group.pairs)).collect();
        assert_eq!(found, [("a", &[0, 2][..]), ("b", &[1]), ("a", &[3])]);
    }

    #[test]
    fn a_cut_text_ends_with_a_whole_character() {
        assert_eq!(shorten("abcd"), "abc");
        assert_eq!(shorten("éééé"), "ééé");
        assert_eq!(shorten("日本"), "日");
    }

    #[test]
    fn only_a_long_text_is_too_long() {
        let long = "x".repeat(1000);
        assert!(is_too_long(&long, 400, "This model's maximum context length is 8192 tokens"));
        assert!(is_too_long(&long, 413, ""));
        assert!(!is_too_long("", 400, "input must have a minimum length of 1"));
        assert!(!is_too_long(&long, 400, "refused by the filter"));
    }
}

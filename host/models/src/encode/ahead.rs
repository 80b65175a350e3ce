//! Encodes the texts of several units before any of them is scored: one plan of batches, sorted by length, for all.

use std::collections::HashMap;
use std::time::Instant;

use mteb_cache::Key;
use mteb_data::Texts;
use mteb_results::footprint::Counters;
use mteb_tasks::{Matrix, Role};

use super::EncodeError;
use super::batch_flow::{EncodeJob, role_code};
use super::encoder::Encoder;
use super::error::check_room;

/// Hears about the progress, and may end the work.
pub struct Watch<'a> {
    /// Hears the number of texts whose rows are there.
    pub texts: &'a dyn Fn(u64),
    /// Asked after every batch; true ends the work.
    pub stop: &'a dyn Fn() -> bool,
}

/// Texts that a unit will request.
#[derive(Clone, Debug)]
pub struct RequestedTexts<'a> {
    /// Number of the unit.
    pub unit: usize,
    /// What the texts are for.
    pub role: Option<Role>,
    /// The prompt before each.
    pub prompt: String,
    /// The texts, without the prompt.
    pub texts: &'a Texts,
}

/// Embeddings that were computed before they are requested, and the cost of each unit.
#[derive(Debug, Default)]
pub struct RowsAhead {
    identity: [u8; 32],
    dimension: usize,
    values: Vec<f32>,
    rows: HashMap<Key, u32>,
    /// Of each unit: texts encoded, found in the cache or with a unit before it, and its part of the time.
    counters: Vec<Counters>,
    /// Changes that the model made to texts, whichever unit requests them.
    pub notes: Vec<String>,
}

impl RowsAhead {
    /// The embeddings of `texts`, if all of them were encoded ahead.
    pub fn find(&self, texts: &[&str], role: Option<Role>, prompt: &str) -> Option<Matrix> {
        if self.rows.is_empty() {
            return None;
        }
        let keys = Key::of_texts(&self.identity, role_code(role), prompt, texts);
        let rows: Vec<usize> =
            keys.iter().map(|key| self.rows.get(key).map(|&row| row as usize)).collect::<Option<_>>()?;
        let mut values = Vec::with_capacity(rows.len() * self.dimension);
        for row in rows {
            values.extend_from_slice(&self.values[row * self.dimension..(row + 1) * self.dimension]);
        }
        Some(Matrix { values, dimension: self.dimension })
    }

    /// The cost of `unit`. No text counts as requested yet.
    pub fn counters(&self, unit: usize) -> Counters {
        self.counters.get(unit).copied().unwrap_or_default()
    }
}

/// Encodes those texts in `asked`, from `units` units, that the cache lacks. Without a cache
/// nothing is gained, so nothing is encoded.
///
/// A failure is not attributed to a unit here: everything encoded until then is returned, and the
/// worker is not restarted. The unit that needs the text meets the failure when it requests that
/// text. After a worker has died, nothing more is encoded ahead.
pub fn encode_ahead(
    encoder: &mut Encoder,
    asked: &[RequestedTexts],
    units: usize,
    watch: &Watch,
) -> RowsAhead {
    let dimension = encoder.info().dimension as usize;
    let Some(cache) = encoder.cache_for_ahead() else { return RowsAhead::default() };
    let begin = Instant::now();
    let identity = *cache.identity();
    let mut distinct = Distinct::new(&identity, asked);
    // Each unit reports this itself, for its own texts.
    if check_room(distinct.texts.len(), dimension).is_err() {
        return RowsAhead::default();
    }
    let mut values = vec![0.0; distinct.texts.len() * dimension];
    let missing = cache.read(&distinct.keys, &mut values);
    let before = (encoder.tokens(), encoder.worker_processor());
    let total: usize = asked.iter().map(|asked| asked.texts.len()).sum();
    (watch.texts)((total - missing.len()) as u64);
    let mut encoded = Vec::with_capacity(missing.len());
    let result = encoder.without_restart(|encoder| {
        distinct.encode(encoder, asked, &missing, &mut values, &mut |done| {
            encoded.extend_from_slice(done);
            (watch.texts)(done.len() as u64);
            !(watch.stop)()
        })
    });
    if result.is_err_and(|error| error.is_death()) {
        encoder.never_encode_ahead();
    }
    let notes = encoder.take_notes();
    let cost = Counters {
        busy: begin.elapsed(),
        tokens: encoder.tokens() - before.0,
        processor: encoder.worker_processor().saturating_sub(before.1),
        ..Counters::default()
    };
    let counters = distinct.counters(&missing, &encoded, cost, units);
    distinct.forget_all_of(&missing, &encoded);
    RowsAhead { identity, dimension, values, rows: distinct.rows, counters, notes }
}

/// The distinct texts of several units. Equal texts with different roles or prompts are different.
struct Distinct<'a> {
    texts: Vec<&'a str>,
    keys: Vec<Key>,
    /// For each text, the first unit that requests it and the number of its role and prompt.
    units: Vec<usize>,
    kinds: Vec<usize>,
    rows: HashMap<Key, u32>,
    /// For each text that an earlier unit requested already, the later unit.
    repeated: Vec<usize>,
}

impl<'a> Distinct<'a> {
    fn new(identity: &[u8; 32], asked: &[RequestedTexts<'a>]) -> Self {
        let (texts, keys, units, kinds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut distinct = Self { texts, keys, units, kinds, rows: HashMap::new(), repeated: Vec::new() };
        // The last unit that requested a text, so that repetitions within a unit do not count.
        let mut last = Vec::new();
        for RequestedTexts { unit, role, prompt, texts } in asked {
            let kind = kind_of(asked, *role, prompt);
            let texts: Vec<&str> = texts.iter().collect();
            for (key, text) in
                Key::of_texts(identity, role_code(*role), prompt, &texts).into_iter().zip(texts)
            {
                let row = *distinct.rows.entry(key).or_insert(distinct.texts.len() as u32) as usize;
                if row == distinct.texts.len() {
                    distinct.texts.push(text);
                    distinct.keys.push(key);
                    distinct.units.push(*unit);
                    distinct.kinds.push(kind);
                    last.push(*unit);
                } else if last[row] != *unit {
                    distinct.repeated.push(*unit);
                    last[row] = *unit;
                }
            }
        }
        distinct
    }

    /// Encodes the texts numbered `missing`, those of one role and prompt together.
    fn encode(
        &self,
        encoder: &mut Encoder,
        asked: &[RequestedTexts],
        missing: &[usize],
        values: &mut [f32],
        done: &mut dyn FnMut(&[usize]) -> bool,
    ) -> Result<(), EncodeError> {
        let of_kind = |kind| missing.iter().copied().filter(|&row| self.kinds[row] == kind).collect();
        let jobs = asked.iter().enumerate().map(|(kind, RequestedTexts { role, prompt, .. })| EncodeJob {
            missing: of_kind(kind),
            role: *role,
            prompt,
        });
        let jobs: Vec<EncodeJob> = jobs.filter(|job| !job.missing.is_empty()).collect();
        encoder.encode_missing(&self.texts, Some(&self.keys), &jobs, values, done)
    }

    /// The cost of each of `units`: rows that existed or that an earlier unit requested, rows that
    /// were encoded, and a share of `cost` in proportion to their bytes.
    fn counters(&self, missing: &[usize], encoded: &[usize], cost: Counters, units: usize) -> Vec<Counters> {
        let mut counters = vec![Counters::default(); units];
        self.units.iter().chain(&self.repeated).for_each(|&unit| counters[unit].from_cache += 1);
        missing.iter().for_each(|&row| counters[self.units[row]].from_cache -= 1);
        let total: usize = encoded.iter().map(|&row| self.texts[row].len()).sum();
        let mut seen = 0;
        for &row in encoded {
            let counters = &mut counters[self.units[row]];
            counters.encoded += 1;
            // To bytes so far, so that the parts of tokens add up.
            let part = |bytes: usize| cost.tokens * bytes as u64 / total.max(1) as u64;
            counters.tokens += part(seen + self.texts[row].len()) - part(seen);
            seen += self.texts[row].len();
            let share = self.texts[row].len() as f64 / total.max(1) as f64;
            counters.busy += cost.busy.mul_f64(share);
            counters.processor += cost.processor.mul_f64(share);
        }
        counters
    }

    /// Drops the rows that were missing and could not be encoded.
    fn forget_all_of(&mut self, missing: &[usize], but: &[usize]) {
        if missing.len() > but.len() {
            let mut is_there = vec![true; self.texts.len()];
            missing.iter().for_each(|&row| is_there[row] = false);
            but.iter().for_each(|&row| is_there[row] = true);
            self.rows.retain(|_, row| is_there[*row as usize]);
        }
    }
}

/// The number of the first of `asked` with this role and prompt.
fn kind_of(asked: &[RequestedTexts], role: Option<Role>, prompt: &str) -> usize {
    asked.iter().position(|other| other.role == role && other.prompt == prompt).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn asked<'a>(unit: usize, role: Option<Role>, texts: &'a Texts) -> RequestedTexts<'a> {
        RequestedTexts { unit, role, prompt: String::new(), texts }
    }

    fn texts(texts: &[&str]) -> Texts {
        texts.iter().collect()
    }

    #[test]
    fn a_text_is_encoded_once_for_all_units_but_once_for_each_role() {
        let (first, second) = (texts(&["a", "b", "a"]), texts(&["b", "c", "b"]));
        let asked = [asked(0, None, &first), asked(1, None, &second), asked(1, Some(Role::Query), &first)];
        let distinct = Distinct::new(&[0; 32], &asked);
        assert_eq!(distinct.texts, ["a", "b", "c", "a", "b"]);
        assert_eq!(distinct.units, [0, 0, 1, 1, 1]);
        assert_eq!(distinct.kinds, [0, 0, 0, 2, 2]);
        assert_eq!(distinct.repeated, [1]);
    }

    #[test]
    fn a_unit_pays_for_the_texts_that_it_asks_for_first() {
        let (first, second) = (texts(&["aaa", "in the cache"]), texts(&["aaa", "c"]));
        let asked = [asked(0, None, &first), asked(1, None, &second)];
        let distinct = Distinct::new(&[0; 32], &asked);
        let spent = |tokens, seconds| Counters {
            busy: Duration::from_secs(seconds),
            tokens,
            processor: Duration::from_secs(2 * seconds),
            ..Counters::default()
        };
        let cost =
            |encoded, from_cache, tokens, seconds| Counters { encoded, from_cache, ..spent(tokens, seconds) };
        let found = distinct.counters(&[0, 2], &[0, 2], spent(10, 4), 2);
        assert_eq!(found, [cost(1, 1, 7, 3), cost(1, 1, 3, 1)]);
    }

    #[test]
    fn rows_that_were_not_encoded_are_not_found() {
        let units = texts(&["known", "encoded", "failed"]);
        let asked = [asked(0, None, &units)];
        let mut distinct = Distinct::new(&[0; 32], &asked);
        distinct.forget_all_of(&[1, 2], &[1]);
        let ahead = RowsAhead {
            dimension: 1,
            values: vec![1.0, 2.0, 3.0],
            rows: distinct.rows,
            ..RowsAhead::default()
        };
        let find = |texts: &[&str]| ahead.find(texts, None, "").map(|rows| rows.values);
        assert_eq!(find(&["encoded", "known", "encoded"]), Some(vec![2.0, 1.0, 2.0]));
        assert_eq!(find(&["known", "failed"]), None);
        assert_eq!(ahead.find(&["known"], Some(Role::Query), ""), None);
    }
}

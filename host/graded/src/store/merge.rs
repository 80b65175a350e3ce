//! Brings the judgements of several stores into one, whose bytes depend neither on the order in which they come nor on which came before.

use std::collections::{BTreeSet, HashMap};

use super::{Judgement, StoreWriter, read_judgements};
use crate::{GradedError, PairId};

/// What a merge has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergedStore {
    /// Pairs that have a judgement now and had none, or a score now and had only a failure.
    pub added: usize,
    /// Pairs with several different scores, of which one counts.
    pub rivals: usize,
}

impl StoreWriter {
    /// Writes the store anew, with the judgements of `others`: one line per pair, in the given `order`; pairs that it does not name come last.
    /// A score counts before a failure; of several scores, which only the same pair judged twice can have, always the same one does.
    /// Lines that cannot be read stay, behind all others.
    ///
    /// # Errors
    /// If the store cannot be read or written, or another process has taken it over.
    pub fn merge(self, others: Vec<Judgement>, order: &[PairId]) -> Result<MergedStore, GradedError> {
        let (known, _) = read_judgements(self.path(), self.head())?;
        let had: HashMap<PairId, bool> = has_scores(&known);
        let mut merged = MergedStore::default();
        let mut chosen: HashMap<PairId, Candidate> = HashMap::new();
        for judgement in known.into_iter().chain(others) {
            let candidate = Candidate::new(&judgement).map_err(|error| self.failed(error))?;
            match chosen.get_mut(&judgement.pair) {
                None => drop(chosen.insert(judgement.pair, candidate)),
                Some(other) => other.rival(candidate),
            }
        }
        for (pair, candidate) in &chosen {
            let is_new = had.get(pair).is_none_or(|had_score| !had_score && candidate.is_scored());
            merged.added += usize::from(is_new);
            merged.rivals += usize::from(candidate.has_rivals);
        }
        let named: BTreeSet<&PairId> = order.iter().collect();
        let unnamed: BTreeSet<&PairId> = chosen.keys().filter(|pair| !named.contains(pair)).collect();
        let mut bytes = self.head().line().map_err(|error| self.failed(error))?;
        for pair in order.iter().chain(unnamed) {
            bytes.extend(chosen.get(pair).map_or(&[][..], |candidate| &candidate.line));
        }
        self.replace(bytes)?;
        Ok(merged)
    }

    /// Puts `bytes` in the place of what the store holds, with the lines that cannot be read behind them.
    fn replace(self, mut bytes: Vec<u8>) -> Result<(), GradedError> {
        let found = mteb_files::read(self.path(), u64::MAX).map_err(|error| self.failed(error))?;
        let lines = found.split(|byte| *byte == b'\n').skip(1);
        let is_unreadable = |line: &&[u8]| {
            !line.trim_ascii().is_empty() && serde_json::from_slice::<Judgement>(line).is_err()
        };
        for line in lines.filter(is_unreadable) {
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        if bytes == found {
            return Ok(());
        }
        self.check().and_then(|()| mteb_files::write(self.path(), &bytes)).map_err(|error| self.failed(error))
    }
}

/// A judgement of a pair, by its line.
struct Candidate {
    /// Scores come before failures.
    has_failed: bool,
    score: Option<f64>,
    line: Vec<u8>,
    has_rivals: bool,
}

impl Candidate {
    fn new(judgement: &Judgement) -> std::io::Result<Self> {
        let score = judgement.score();
        Ok(Self { has_failed: score.is_none(), score, line: judgement.line()?, has_rivals: false })
    }

    fn is_scored(&self) -> bool {
        !self.has_failed
    }

    /// Takes the place of this one if `other` comes before it, by what they say alone.
    fn rival(&mut self, other: Self) {
        let both = self.score.zip(other.score);
        let has_rivals =
            self.has_rivals || both.is_some_and(|(here, there)| here.to_bits() != there.to_bits());
        if (other.has_failed, &other.line) < (self.has_failed, &self.line) {
            *self = other;
        }
        self.has_rivals = has_rivals;
    }
}

/// Of each pair whether it has a score.
fn has_scores(judgements: &[Judgement]) -> HashMap<PairId, bool> {
    let mut found = HashMap::new();
    for judgement in judgements {
        *found.entry(judgement.pair).or_default() |= judgement.score().is_some();
    }
    found
}

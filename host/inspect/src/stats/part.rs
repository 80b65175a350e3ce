//! One part of a unit described, chunk by chunk.

use std::collections::{BTreeMap, HashSet};

use mteb_card::{TaskCard, TaskType};
use mteb_data::{Column, DataError, Table};
use mteb_tasks::{Part, facts, text_columns};
use serde::Serialize;

use super::labels::{LabelStats, NumberStats, labels, numbers};
use super::language::{LanguageCounter, LanguageMix};
use super::texts::{TextCounter, TextStats, for_each, hash, text_hash};

/// What there is to know of one part.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PartStats {
    /// Rows.
    pub rows: usize,
    /// Rows whose texts are all those of a row further up, in one form of their letters (NFC).
    pub repeated_rows: usize,
    /// Each column of texts.
    pub texts: BTreeMap<&'static str, TextStats>,
    /// Languages of the texts of all columns.
    pub languages: LanguageMix,
    /// The labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<LabelStats>,
    /// The scores that people gave, or the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<NumberStats>,
}

/// Describes a part chunk by chunk.
pub struct PartCounter {
    task_type: TaskType,
    part: Part,
    columns: Vec<(&'static str, TextCounter)>,
    languages: LanguageCounter,
    seen: HashSet<u64>,
    stats: PartStats,
}

impl PartCounter {
    /// Nothing yet of `part` of the task.
    pub fn new(card: &TaskCard, part: Part) -> Self {
        Self {
            task_type: card.task_type,
            part,
            columns: text_columns(card.task_type, part)
                .iter()
                .map(|name| (*name, TextCounter::default()))
                .collect(),
            languages: LanguageCounter::default(),
            seen: HashSet::new(),
            stats: PartStats::default(),
        }
    }

    /// Takes in the next rows. Labels and scores are those of the last chunk: only a corpus, which has none, comes in
    /// several.
    ///
    /// # Errors
    /// If a column that the task type needs is absent.
    pub fn add(&mut self, table: &Table) -> Result<(), DataError> {
        self.stats.rows += table.rows();
        for (name, counter) in &mut self.columns {
            if is_optional(self.task_type, self.part, name) && table.get(name).is_none() {
                continue;
            }
            for_each(table, name, |text| match text {
                Some(text) => {
                    counter.add(text);
                    self.languages.add(text);
                }
                None => counter.add_missing(),
            })?;
        }
        self.count_rows(table);
        if !self.part.is_of_rankings() {
            (self.stats.labels, self.stats.scores) = self.targets(table)?;
        }
        Ok(())
    }

    /// What was counted.
    pub fn finish(mut self) -> PartStats {
        self.stats.repeated_rows = self.stats.rows - self.seen.len();
        self.stats.languages = self.languages.finish();
        let columns = self.columns.into_iter().map(|(name, counter)| (name, counter.finish()));
        let is_there = |(name, texts): &(&str, TextStats)| {
            !is_optional(self.task_type, self.part, name) || texts.count > 0
        };
        self.stats.texts = columns.filter(is_there).collect();
        self.stats
    }

    fn count_rows(&mut self, table: &Table) {
        let columns: Vec<_> = self.columns.iter().filter_map(|(name, _)| table.get(name)).collect();
        for row in 0..table.rows() {
            let numbers: Vec<u64> = columns.iter().map(|column| cell_hash(column, row)).collect();
            self.seen.insert(hash(numbers));
        }
    }

    fn targets(&self, table: &Table) -> Result<(Option<LabelStats>, Option<NumberStats>), DataError> {
        let labels = facts(self.task_type).label_column().map(|name| labels(table, name)).transpose()?;
        let scores = facts(self.task_type).number_column().map(|name| numbers(table, name)).transpose()?;
        Ok((labels, scores.flatten()))
    }
}

fn cell_hash(column: &Column, row: usize) -> u64 {
    match column {
        Column::Text(texts) => text_hash(&texts[row]),
        other => text_hash(&other.value(row).to_string()),
    }
}

/// True if a part may lack a column of texts.
fn is_optional(task_type: TaskType, part: Part, column: &str) -> bool {
    match part {
        Part::Corpus => column == "title",
        Part::Rows | Part::Train => facts(task_type).optional_columns.contains(&column),
        Part::Queries
        | Part::Qrels
        | Part::TopRanked
        | Part::Excluded
        | Part::Instruction
        | Part::QrelDiff => false,
    }
}

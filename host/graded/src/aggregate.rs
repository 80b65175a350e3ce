//! Tables of many units: first the mean over datasets for each judge, then the mean over judges, which is called "Average".

use std::collections::{BTreeMap, HashMap};

use mteb_measures::aggregate::mean_of_group;

use crate::evaluate::{Curves, Evaluated, SystemName, Unjudged};

/// Retrieval (13 datasets), Reranking (8), Instruction (3).
pub const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Retrieval",
        &[
            "ArguAna",
            "BelebeleRetrieval",
            "CovidRetrieval",
            "HagridRetrieval",
            "LEMBPasskeyRetrieval",
            "MIRACLRetrievalHardNegatives",
            "MLQARetrieval",
            "SCIDOCS",
            "StackOverflowQA",
            "StatcanDialogueDatasetRetrieval",
            "TRECCOVID",
            "TwitterHjerneRetrieval",
            "WikipediaRetrievalMultilingual",
        ],
    ),
    (
        "Reranking",
        &[
            "AILAStatutes",
            "AlloprofReranking",
            "LegalBenchCorporateLobbying",
            "RuBQReranking",
            "T2Reranking",
            "VoyageMMarcoReranking",
            "WikipediaRerankingMultilingual",
            "WinoGrande",
        ],
    ),
    (
        "Instruction",
        &["Core17InstructionRetrieval", "News21InstructionRetrieval", "Robust04InstructionRetrieval"],
    ),
];

/// The group of a dataset; `None` if the study has it not.
pub fn group_of(task: &str) -> Option<&'static str> {
    GROUPS.iter().find(|(_, tasks)| tasks.contains(&task)).map(|(group, _)| *group)
}

/// The ranks of a system by two kinds of judgements, 1 for the best; equal scores share the better rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The system.
    pub system: String,
    /// Its rank by binary judgements.
    pub binary: usize,
    /// Its rank by graded judgements.
    pub graded: usize,
}

impl Shift {
    /// Places that graded judgements move it up; negative for down.
    pub fn places(&self) -> i64 {
        self.binary as i64 - self.graded as i64
    }
}

/// The ranks of the systems that have a score of both kinds, among these, best by graded judgements first.
pub fn shifts(graded: &[(String, f64)], binary: &[(String, f64)]) -> Vec<Shift> {
    let binary: HashMap<&str, f64> = binary.iter().map(|(system, score)| (system.as_str(), *score)).collect();
    let both: Vec<(&str, f64, f64)> = graded
        .iter()
        .filter_map(|(system, score)| Some((system.as_str(), *score, *binary.get(system.as_str())?)))
        .collect();
    let rank =
        |better: &dyn Fn(&(&str, f64, f64)) -> bool| 1 + both.iter().filter(|other| better(other)).count();
    let shift = |&(system, graded, binary): &(&str, f64, f64)| Shift {
        system: system.to_owned(),
        binary: rank(&|other| other.2 > binary),
        graded: rank(&|other| other.1 > graded),
    };
    let mut shifts: Vec<Shift> = both.iter().map(shift).collect();
    shifts.sort_by(|a, b| (a.graded, &a.system).cmp(&(b.graded, &b.system)));
    shifts
}

/// A small and a large model of one family. A benchmark that cannot tell them apart has little power.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The small one.
    pub small: String,
    /// The large one.
    pub large: String,
    /// Score of the large one less that of the small one.
    pub gap: f64,
}

/// The gap of two systems; `None` if one of them has no score.
pub fn gap(scores: &[(String, f64)], small: &str, large: &str) -> Option<Gap> {
    let score = |system: &str| scores.iter().find(|(other, _)| other == system).map(|(_, score)| *score);
    let gap = score(large)? - score(small)?;
    Some(Gap { small: small.to_owned(), large: large.to_owned(), gap })
}

/// The name of the mean over all judges.
pub const AVERAGE: &str = "Average";

/// What a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// nDCG.
    Ndcg,
    /// Recall.
    Recall,
}

/// What becomes of scores that rest on different pools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pools {
    /// They are refused.
    #[default]
    Same,
    /// They stand in one table, marked.
    Marked,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standings {
    /// The judges, by name.
    pub judges: Vec<String>,
    /// The datasets, by name, each with the versions of its pools.
    pub datasets: BTreeMap<String, Vec<String>>,
    /// The systems, the best by the average first, those without one last.
    pub systems: Vec<Standing>,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The system.
    pub system: SystemName,
    /// The mean over the datasets in which it is defined, for each judge; `None` where a score is missing, or none is defined.
    pub judges: Vec<Option<f64>>,
    /// The mean over judges.
    pub average: Option<f64>,
    /// Scores of units that no mean has, as they are undefined: recall where a judge holds nothing for relevant.
    pub undefined: usize,
    /// The share of what was found down to the rank that is judged: mean over datasets, then judges.
    pub judged: Option<f64>,
    /// Units whose pool is another than that of the first file of the unit.
    pub other_pools: Vec<String>,
}

/// Why evaluations make no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AggregateError {
    /// Scores of different pools.
    #[error(
        "{unit}: expected scores of one pool, found pools {first} and {other}: different documents are judged, \
         so the order of systems may differ; evaluate all on the newer pool, or use `--mixed-pools` to mark them"
    )]
    Pools {
        /// The unit.
        unit: String,
        /// The version that came first.
        first: String,
        /// The other.
        other: String,
    },
    /// Scores by different rules.
    #[error(
        "{unit}: expected scores by one rule, {first}, found others: {found}; evaluate all tasks by the same \
         rule, or select those that are with `--task`"
    )]
    Rules {
        /// The unit.
        unit: String,
        /// The rule that came first.
        first: String,
        /// The other.
        found: String,
    },
    /// A system twice.
    #[error("{unit}: expected each system once, found twice: {system}")]
    Twice {
        /// The unit.
        unit: String,
        /// The system.
        system: SystemName,
    },
    /// A rank beyond the curves.
    #[error("{unit}: expected a rank from 1 to {most}, found: {k}")]
    Rank {
        /// The unit.
        unit: String,
        /// The last rank of its curves.
        most: usize,
        /// The rank.
        k: usize,
    },
}

/// A score and the judged share, as far as they are defined.
type Score = (Option<f64>, Option<f64>);

/// Units of a dataset to scores; datasets to these; then judges, systems.
type Units = BTreeMap<String, Vec<Score>>;

/// The table of `evaluated` at rank `k`.
///
/// # Errors
/// If scores of one unit rest on different pools and that is not allowed, scores were measured by different rules, a system has two
/// scores of a unit, or the curves are shorter.
pub fn standings(
    evaluated: &[Evaluated],
    measure: Measure,
    k: usize,
    pools: Pools,
) -> Result<Standings, AggregateError> {
    let mut table = Standings::default();
    let mut first: BTreeMap<String, &str> = BTreeMap::new();
    let mut scores: BTreeMap<SystemName, (BTreeMap<String, Units>, Vec<String>)> = BTreeMap::new();
    let mut seen: BTreeMap<(String, SystemName), ()> = BTreeMap::new();
    for file in evaluated {
        let unit = format!("{}, split {}, subset {}", file.task, file.split, file.subset);
        let (first_rule, found) = (rule(&evaluated[0], measure), rule(file, measure));
        if first_rule != found {
            return Err(AggregateError::Rules { unit, first: first_rule, found });
        }
        let version = *first.entry(unit.clone()).or_insert(&file.pool);
        let is_other = version != file.pool;
        if is_other && pools == Pools::Same {
            let short = |version: &str| version.chars().take(12).collect();
            return Err(AggregateError::Pools { unit, first: short(version), other: short(&file.pool) });
        }
        let versions = table.datasets.entry(file.task.clone()).or_default();
        if !versions.contains(&file.pool) {
            versions.push(file.pool.clone());
        }
        for system in &file.systems {
            let name = system.system.clone();
            if seen.insert((unit.clone(), name.clone()), ()).is_some() {
                return Err(AggregateError::Twice { unit, system: name });
            }
            let (judges, other_pools) = scores.entry(name).or_default();
            if is_other {
                other_pools.push(unit.clone());
            }
            for (judge, curves) in file.judges.iter().zip(&system.curves) {
                let score = at(curves, measure, k).ok_or_else(|| AggregateError::Rank {
                    unit: unit.clone(),
                    most: curves.ndcg.len(),
                    k,
                })?;
                let units = judges.entry(judge.name.clone()).or_default();
                units.entry(file.task.clone()).or_default().push(score);
                if !table.judges.contains(&judge.name) {
                    table.judges.push(judge.name.clone());
                }
            }
        }
    }
    table.judges.sort_unstable();
    let units = |(system, (scores, other_pools))| {
        row(system, &scores, other_pools, &table.judges, &counts(evaluated))
    };
    table.systems = scores.into_iter().map(units).collect();
    table.systems.sort_by(|a, b| b.average.unwrap_or(-1.0).total_cmp(&a.average.unwrap_or(-1.0)));
    Ok(table)
}

/// How the scores of a file were measured, as far as `measure` depends on it.
fn rule(file: &Evaluated, measure: Measure) -> String {
    let unjudged = match file.unjudged {
        Unjudged::Zero => "`--unjudged zero`",
        Unjudged::Skip => "`--unjudged skip`",
    };
    match measure {
        Measure::Ndcg => unjudged.to_owned(),
        Measure::Recall => format!("{unjudged} `--threshold {}`", file.threshold),
    }
}

/// Score and judged share at a rank from 1.
fn at(curves: &Curves, measure: Measure, k: usize) -> Option<Score> {
    let place = k.checked_sub(1)?;
    let judged = Some(*curves.judged.get(place)?).filter(|_| curves.queries > 0);
    Some(match measure {
        Measure::Ndcg => (curves.ndcg_at(k), judged),
        Measure::Recall => (curves.recall_at(k), judged),
    })
}

/// Units of each dataset.
fn counts(evaluated: &[Evaluated]) -> BTreeMap<&str, usize> {
    let mut units: Vec<(&str, &str, &str)> = evaluated
        .iter()
        .map(|file| (file.task.as_str(), file.split.as_str(), file.subset.as_str()))
        .collect();
    units.sort_unstable();
    units.dedup();
    let mut counts = BTreeMap::new();
    units.into_iter().for_each(|(task, _, _)| *counts.entry(task).or_default() += 1);
    counts
}

fn row(
    system: SystemName,
    scores: &BTreeMap<String, Units>,
    other_pools: Vec<String>,
    judges: &[String],
    counts: &BTreeMap<&str, usize>,
) -> Standing {
    let of_judge = |judge: &String, value: fn(&Score) -> Option<f64>| -> Mean {
        let Some(datasets) = scores.get(judge) else { return Mean::Missing };
        let of_dataset = |(task, units): (&&str, &usize)| match datasets.get(*task) {
            Some(found) if found.len() == *units => Mean::of(found.iter().map(|score| value(score).into())),
            _ => Mean::Missing,
        };
        Mean::of(counts.iter().map(of_dataset))
    };
    let by_judge = |value| -> Vec<Mean> { judges.iter().map(|judge| of_judge(judge, value)).collect() };
    let (means, judged) = (by_judge(|score| score.0), by_judge(|score| score.1));
    let all = scores.values().flat_map(Units::values).flatten();
    Standing {
        system,
        average: Mean::of(means.iter().copied()).known(),
        undefined: all.filter(|score| score.0.is_none()).count(),
        judged: Mean::of(judged).known(),
        judges: means.into_iter().map(Mean::known).collect(),
        other_pools,
    }
}

/// A mean, or why there is none.
#[derive(Clone, Copy)]
enum Mean {
    Known(f64),
    /// Nobody could have one: it is skipped.
    Undefined,
    /// Something was not measured: there is no mean of what it belongs to.
    Missing,
}

impl From<Option<f64>> for Mean {
    fn from(score: Option<f64>) -> Self {
        score.map_or(Self::Undefined, Self::Known)
    }
}

impl Mean {
    fn of(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut known = Vec::new();
        for part in parts {
            match part {
                Self::Known(score) => known.push(Some(score)),
                Self::Undefined => {}
                Self::Missing => return Self::Missing,
            }
        }
        match mean_of_group(&known) {
            Some(mean) => Self::Known(mean),
            None if known.is_empty() => Self::Undefined,
            None => Self::Missing,
        }
    }

    fn known(self) -> Option<f64> {
        match self {
            Self::Known(mean) => Some(mean),
            Self::Undefined | Self::Missing => None,
        }
    }
}

impl Standings {
    /// The average of each system that has one.
    pub fn averages(&self) -> Vec<(String, f64)> {
        self.systems.iter().filter_map(|row| Some((row.system.to_string(), row.average?))).collect()
    }

    /// What each system has beyond the system called `baseline`; `None` where one of them has no average.
    pub fn deltas(&self, baseline: &str) -> Vec<Option<f64>> {
        let base = self.systems.iter().find(|row| row.system.to_string() == baseline);
        let base = base.and_then(|row| row.average);
        self.systems.iter().map(|row| Some(row.average? - base?)).collect()
    }
}

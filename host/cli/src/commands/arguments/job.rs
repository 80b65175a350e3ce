//! The options that decide what a score is and what is written beside it: tasks, model, size of
//! embeddings, measures, files. `run` and `plan` take the same.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use mteb_engine::run::Draws;
use mteb_models::encode::{Compression, Quantize};
use mteb_registry::{Registries, Selected};
use mteb_results::KeepFiles;
use mteb_results::identity::Measures;
use mteb_workers::plugins::Catalog;

use super::filter::FilterArgs;
use super::model::ModelArgs;
use super::value::parse_whole;
use crate::commands::discover::{consider_refusals, say_unused};
use crate::commands::selected::{check_chosen, leave_out_unsupported};
use crate::exit::Exit;
use crate::output;

/// Which tasks are scored, by which model and how.
#[derive(Args, Clone, Debug)]
pub struct JobArgs {
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Run all known tasks; required if no registry, benchmark, task, type or language is given.
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub sizes: SizeArgs,
    #[command(flatten)]
    pub measures: MeasureArgs,
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Maximum number of tokens per batch, padding included; 0 lets the model choose.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Model")]
    pub batch_tokens: usize,
    /// How to draw random samples in clustering and multilabel classification, whose random
    /// generator continues from subset to subset.
    #[arg(long, default_value = "whole", help_heading = "Tasks")]
    draws: DrawsName,
}

/// Whose random draws are made.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DrawsName {
    /// As in a run of the whole task: a selected subset gets the same score; earlier subsets are
    /// read for this.
    Whole,
    /// As in a run of only the selected subsets, which is what mteb does.
    Selected,
}

impl JobArgs {
    /// The registries and the tasks that are chosen; `verb` says what becomes of them, as `run`.
    ///
    /// # Errors
    /// The exit code, after it was said what is wrong.
    pub fn choose(&self, catalog: &Catalog, verb: &str) -> Result<(Registries, Vec<Selected>), Exit> {
        let not_found = |exit| consider_refusals(exit, catalog);
        let registries = self.filter.registries(catalog).map_err(not_found)?;
        let mut tasks = self.filter.select(&registries).map_err(not_found)?;
        say_unused();
        check_chosen(&self.filter, self.all, &tasks, verb)?;
        self.filter.say_successor(&registries);
        if self.filter.task.is_empty() {
            leave_out_unsupported(&mut tasks);
        }
        if tasks.is_empty() {
            return Err(output::usage(
                "expected a task that can be run, found none; `mteb-host list tasks` shows all",
            ));
        }
        Ok((registries, tasks))
    }

    /// Whose draws are made.
    pub fn draws(&self) -> Draws {
        match self.draws {
            DrawsName::Whole => Draws::Whole,
            DrawsName::Selected => Draws::Selected,
        }
    }
}

/// Arguments about measures.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Additional measures and files")]
pub struct MeasureArgs {
    /// Compute measures that mteb does not have; see section 7.6 of the protocol.
    #[arg(long)]
    extra_measures: bool,
    /// Cut-offs k of ranking measures in addition to those of the card, e.g. `1,5,50`.
    #[arg(long, value_name = "K,K", value_delimiter = ',', value_parser = parse_whole::<u32>(1, Some(10_000)))]
    k_values: Vec<u32>,
}

impl MeasureArgs {
    /// The measures that are asked for.
    pub fn measures(&self) -> Measures {
        let mut k_values: Vec<usize> = self.k_values.iter().map(|&cut| cut as usize).collect();
        k_values.sort_unstable();
        k_values.dedup();
        Measures { extra: self.extra_measures, k_values }
    }
}

/// Arguments about files beside the scores.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Additional measures and files")]
pub struct KeepArgs {
    /// Write the result of each query, pair or text as Parquet files to `outcomes/` in the results
    /// folder. This takes little time and about 300 bytes per query, 50 per pair or predicted text,
    /// and, for clustering, 4 for each of the up to 163,840 draws per level.
    #[arg(long)]
    outcomes: bool,
    /// Write the top documents of each query of ranking tasks as TREC run files to `rankings/` in
    /// the results folder; about 10 kB per query.
    #[arg(long)]
    rankings: bool,
    /// Write the same documents as mteb prediction files to `predictions/` in the results folder.
    #[arg(long)]
    predictions: bool,
    /// Number of documents per query.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = parse_whole::<u32>(1, Some(100_000)))]
    depth: u32,
}

impl KeepArgs {
    /// The files that are asked for.
    pub fn files(&self) -> KeepFiles {
        KeepFiles {
            outcomes: self.outcomes,
            rankings: self.rankings,
            predictions: self.predictions,
            depth: self.depth as usize,
        }
    }
}

/// Arguments about the size of embeddings.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Smaller embeddings")]
pub struct SizeArgs {
    /// Truncate embeddings to their first N dimensions; with several, e.g. `256,128,64`, each is
    /// scored as a separate model.
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = parse_whole::<u32>(1, None))]
    dimensions: Vec<u32>,
    /// Normalize embeddings again after truncation, which mteb does not do.
    #[arg(long, requires = "dimensions")]
    renormalize: bool,
    /// Quantize embeddings: `int8`, `uint8` and `binary` as mteb's CompressionWrapper does,
    /// `ubinary` to bits compared by Hamming distance.
    #[arg(long)]
    quantize: Option<QuantizeName>,
    /// Retrieve N times as many documents by bits, then rescore them with the unquantized query,
    /// like `rescore_multiplier` of sentence-transformers. Needs `--quantize ubinary`.
    #[arg(long, value_name = "N", requires = "quantize", value_parser = parse_whole::<u16>(1, Some(1000)))]
    rescore_multiplier: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum QuantizeName {
    Int8,
    Uint8,
    Binary,
    Ubinary,
}

impl SizeArgs {
    /// What is made of embeddings, once for each number of dimensions.
    pub fn compressions(&self) -> Vec<Compression> {
        let quantize = self.quantize.map(QuantizeName::form);
        let renormalize = self.renormalize;
        let rescore_multiplier = self.rescore_multiplier.and_then(|times| NonZeroUsize::new(times.into()));
        let made = |dimensions| Compression { dimensions, renormalize, quantize, rescore_multiplier };
        match self.dimensions.as_slice() {
            [] => vec![made(None)],
            // What is named twice is scored once.
            several => {
                let mut seen = BTreeSet::new();
                let distinct = several.iter().filter(|kept| seen.insert(**kept));
                distinct.map(|&kept| made(Some(kept as usize))).collect()
            }
        }
    }
}

impl QuantizeName {
    fn form(self) -> Quantize {
        match self {
            Self::Int8 => Quantize::Int8,
            Self::Uint8 => Quantize::Uint8,
            Self::Binary => Quantize::Binary,
            Self::Ubinary => Quantize::Ubinary,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_that_is_named_twice_is_taken_once() {
        let sizes = SizeArgs {
            dimensions: vec![8, 4, 8, 8],
            renormalize: false,
            quantize: None,
            rescore_multiplier: None,
        };
        let kept: Vec<Option<usize>> = sizes.compressions().iter().map(|made| made.dimensions).collect();
        assert_eq!(kept, [Some(8), Some(4)]);
    }
}

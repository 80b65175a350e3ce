//! The arguments that ask for measures and files beside those of every run.

use clap::Args;
use mteb_results::KeepFiles;
use mteb_results::identity::Measures;

use super::whole::whole;

/// Arguments about measures.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Additional measures and files")]
pub struct MeasureArgs {
    /// Compute measures that mteb does not have; see section 7.6 of the protocol.
    #[arg(long)]
    extra_measures: bool,
    /// Cut-offs k of ranking measures in addition to those of the card, e.g. `1,5,50`.
    #[arg(long, value_name = "K,K", value_delimiter = ',', value_parser = whole::<u32>(1, Some(10_000)))]
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
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u32>(1, Some(100_000)))]
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

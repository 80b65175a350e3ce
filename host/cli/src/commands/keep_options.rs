//! The arguments that ask for files beside the scores.

use clap::Args;
use mteb_results::KeepFiles;

use super::whole::whole;

/// Arguments about files beside the scores.
#[derive(Args, Clone, Debug)]
pub struct KeepArgs {
    /// Write the result of each query, pair or text as Parquet files to `outcomes/` in the results
    /// folder. This takes little time and about 300 bytes per query, 50 per pair or predicted text,
    /// and, for clustering, 4 for each of the up to 163,840 draws of a level.
    #[arg(long)]
    outcomes: bool,
    /// Write the top documents of each query of ranking tasks as TREC run files to `rankings/` in
    /// the results folder; about 10 kB per query.
    #[arg(long)]
    rankings: bool,
    /// Write them as mteb prediction files to `predictions/` in the results folder.
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

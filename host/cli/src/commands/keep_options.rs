//! The arguments that ask for files beside the scores.

use clap::Args;
use mteb_results::KeepFiles;

use super::whole::whole;

/// Arguments about files beside the scores.
#[derive(Args, Clone, Debug)]
pub struct KeepArgs {
    /// Leave what each query, pair or text came to beside the scores, as Parquet files: `outcomes/` in the folder of the results.
    /// Costs little time; about 300 bytes a query, 50 a pair or text to predict, and of clustering 4 bytes for each of the
    /// up to 163,840 draws of a level.
    #[arg(long)]
    outcomes: bool,
    /// Leave the best documents of each query beside the scores of ranking tasks, as TREC run files: `rankings/` in the folder
    /// of the results, about 10 kB a query.
    #[arg(long)]
    rankings: bool,
    /// Leave them as prediction files of the reference: `predictions/` in the folder of the results.
    #[arg(long)]
    predictions: bool,
    /// How many documents of each query.
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

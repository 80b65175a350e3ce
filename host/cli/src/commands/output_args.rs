//! Where a run writes its results.

use std::path::PathBuf;

use clap::Args;

/// Where results go.
#[derive(Args, Clone, Debug)]
pub struct OutputArgs {
    /// Folder for the result files; of a shard of a plan `<plan>-shards/<I>`, unless another one is named.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub output_folder: PathBuf,
}

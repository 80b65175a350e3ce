//! Where a run writes its results.

use std::path::PathBuf;

use clap::Args;

/// Where results go.
#[derive(Args, Clone, Debug)]
pub struct OutputArgs {
    /// Folder for the result files; with `--plan`, `<plan>-shards/<I>` unless given. For shards also
    /// an address as `s3://bucket/folder`, below which each has a folder of its number.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub output_folder: PathBuf,
}

//! The options of `figure`, those of its single figures among them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mteb_inspect::few_texts::Pick;
use mteb_report::Reduction;

use crate::commands::arguments::BoardArgs;
use crate::commands::arguments::FormatArgs;
use crate::commands::arguments::parse_whole;
use crate::commands::arguments::{DtypeName, device};

/// Arguments of `figure`.
#[derive(Args, Debug)]
pub struct FigureArgs {
    /// Figure or table to produce.
    #[arg(value_enum)]
    pub what: What,
    /// Model to include; may be repeated [default: the best]. For `similarity` and `map`, the model
    /// that encodes the texts.
    #[arg(long, value_name = "NAME")]
    pub model: Vec<String>,
    /// Number of models to include if none is named.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub models: usize,
    #[command(flatten)]
    pub texts: TextArgs,
    #[command(flatten)]
    pub speed: SpeedArgs,
    #[command(flatten)]
    pub sizes: SizeArgs,
    /// Folder for the figure and its data; existing files with the same names are overwritten.
    #[arg(long, value_name = "DIR", default_value = "figures")]
    pub output: PathBuf,
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Figures and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Figure 1: the tasks of each type, with multilingual ones shaded.
    Overview,
    /// Figure 2: similarity of datasets, from the mean embeddings of some of their texts; needs
    /// their data and a model.
    Similarity,
    /// The texts of one task in two dimensions, coloured by label; needs its data and a model.
    Map,
    /// Figure 3: score against parameters, by task type.
    Size,
    /// Figure 4: score against texts per second; needs the output of `efficiency --json`
    /// (`--measured`).
    Speed,
    /// Figure 5: scores by language.
    Languages,
    /// Figure 6: correlation between models, over tasks.
    Models,
    /// Figure 6: correlation between task types, over models.
    Types,
    /// Table 1: means by task type, with models grouped by how they were trained and by family.
    Table1,
    /// Table 2: number and lengths of the texts of each task; needs their data.
    Table2,
    /// Table 11: every task, with averages.
    Table11,
    /// Table 12: bitext mining by language, with the average.
    Table12,
    /// Table 13: multilingual classification by language, with the average.
    Table13,
    /// Table 14: multilingual STS by language, with the average.
    Table14,
}

/// Arguments of the figures that encode texts.
#[derive(Args, Debug)]
pub struct TextArgs {
    /// For `similarity` and `map`: number of texts to encode from each dataset [default: 100, and
    /// 1000 for `map`].
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, None))]
    pub texts: Option<u32>,
    /// For `similarity`: which texts to encode, from the first split and subset of each task.
    #[arg(long, value_enum, default_value_t = PickName::Shortest)]
    pub pick: PickName,
    /// For `map`: dimensionality reduction.
    #[arg(long, value_enum, default_value_t = MethodName::Pca)]
    pub method: MethodName,
    /// For `similarity` and `map`: device of the model: `auto`, `cpu`, `cuda` or `cuda:N`.
    #[arg(long, default_value = "auto", value_parser = device)]
    pub device: String,
    /// For `similarity` and `map`: number format in which the model computes.
    #[arg(long, default_value = "auto")]
    pub dtype: DtypeName,
}

/// Methods of `figure map`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// The two directions of largest variance.
    Pca,
    /// Preserves neighbourhoods; distances between groups are not meaningful.
    Tsne,
}

impl MethodName {
    /// The method that the name stands for.
    pub fn method(self) -> Reduction {
        match self {
            Self::Pca => Reduction::Pca,
            Self::Tsne => Reduction::TSne,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PickName {
    /// The shortest.
    Shortest,
    /// The longest.
    Longest,
    /// The first in the data.
    First,
}

impl PickName {
    /// The texts that the name stands for.
    pub fn pick(self) -> Pick {
        match self {
            Self::Shortest => Pick::Shortest,
            Self::Longest => Pick::Longest,
            Self::First => Pick::First,
        }
    }
}

/// Arguments of `figure table2`.
#[derive(Args, Debug)]
pub struct SizeArgs {
    /// For `table2`: also count the splits `train`, `validation`, `dev` and `test` of a dataset
    /// that the card neither scores nor trains on; may download more.
    #[arg(long)]
    pub all_splits: bool,
    /// For `table2`: one row per subset instead of one per task.
    #[arg(long)]
    pub by_subset: bool,
}

/// Arguments of `figure speed`.
#[derive(Args, Debug)]
pub struct SpeedArgs {
    /// For `speed`: a file with the output of `efficiency --json`; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub measured: Vec<PathBuf>,
}

//! The options of `figure`, those of its single figures among them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mteb_inspect::few_texts::Pick;

use crate::commands::board_args::BoardArgs;
use crate::commands::format_args::FormatArgs;
use crate::commands::model::{DtypeName, device};
use crate::commands::whole::whole;

/// Arguments of `figure`.
#[derive(Args, Debug)]
pub struct FigureArgs {
    /// Which figure or table.
    #[arg(value_enum)]
    pub what: What,
    #[command(flatten)]
    pub board: BoardArgs,
    /// Model of a figure or table, may be given several times [default: the best]; of `similarity` the one that encodes.
    #[arg(long, value_name = "NAME")]
    pub model: Vec<String>,
    /// Models that are taken where none is named.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub models: usize,
    #[command(flatten)]
    pub similarity: SimilarityArgs,
    #[command(flatten)]
    pub speed: SpeedArgs,
    /// Folder for the figure and its numbers; files of their names there are replaced.
    #[arg(long, value_name = "DIR", default_value = "figures")]
    pub output: PathBuf,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Figures and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Figure 2: how alike datasets are, by mean embeddings of some texts of each; needs their data and a model.
    Similarity,
    /// Figure 3: score against parameters, by task type.
    Size,
    /// Figure 4: score against texts a second; needs what `efficiency --json` gave (`--measured`).
    Speed,
    /// Figure 5: scores by language.
    Languages,
    /// Figure 6: correlation of models over tasks.
    Models,
    /// Figure 6: correlation of task types over models.
    Types,
    /// Table 1: means by task type, models by family.
    Table1,
    /// Table 2: texts of each task and their lengths; needs their data.
    Table2,
    /// Table 11: every task, with averages.
    Table11,
    /// Table 12: bitext mining by language, with their average.
    Table12,
    /// Table 13: multilingual classification by language, with their average.
    Table13,
    /// Table 14: multilingual STS by language, with their average.
    Table14,
}

/// Arguments of `figure similarity`.
#[derive(Args, Debug)]
pub struct SimilarityArgs {
    /// Of `similarity`: texts of each dataset that are encoded.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(1, None))]
    pub texts: u32,
    /// Of `similarity`: which texts, of the first split and subset of each task.
    #[arg(long, value_enum, default_value_t = PickName::Shortest)]
    pub pick: PickName,
    /// Of `similarity`: device on which the model computes: `auto`, `cpu`, `cuda` or `cuda:N`.
    #[arg(long, default_value = "auto", value_parser = device)]
    pub device: String,
    /// Of `similarity`: number format of the model's computation.
    #[arg(long, default_value = "auto")]
    pub dtype: DtypeName,
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

/// Arguments of `figure speed`.
#[derive(Args, Debug)]
pub struct SpeedArgs {
    /// Of `speed`: a file with what `efficiency --json` printed; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub measured: Vec<PathBuf>,
}

//! `mteb-host graded`: from rankings to a pool, to judgements, to curves and tables; one step a file.

mod aggregate;
mod agreement;
mod batches;
mod evaluate;
mod folder_args;
mod judge;
mod pool;
mod rank;
mod said;
mod target;
mod tasks;

use clap::{Args, Subcommand};

use crate::exit::Exit;

/// Arguments of `graded`.
#[derive(Args, Debug)]
pub struct GradedArgs {
    #[command(subcommand)]
    step: Step,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Rank the documents of every query with each embedder; what is there already stays.
    Rank(rank::RankArgs),
    /// Pool the best documents of all rankings: the pairs that are to be judged.
    Pool(pool::PoolArgs),
    /// Ask a language model for a score of each pair; a pair that has one is never asked for again.
    Judge(judge::JudgeArgs),
    /// Measure every embedder, alone and with each reranker behind it, by every judge: nDCG and recall at each rank.
    Evaluate(evaluate::EvaluateArgs),
    /// Print the table of all systems: means over tasks for each judge, and over judges.
    Aggregate(aggregate::AggregateArgs),
    /// Say how far judges agree, and how much of the ranking of systems hangs on choices.
    Agreement(agreement::AgreementArgs),
}

impl GradedArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.step {
            Step::Rank(args) => args.run(),
            Step::Pool(args) => args.run(),
            Step::Judge(args) => args.run(),
            Step::Evaluate(args) => args.run(),
            Step::Aggregate(args) => args.run(),
            Step::Agreement(args) => args.run(),
        }
    }
}

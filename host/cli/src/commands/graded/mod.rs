//! `mteb-host graded`: from rankings to a pool, to judgements, to curves and tables; one step a file.

mod aggregate;
mod agreement;
mod batches;
mod evaluate;
mod inputs;
mod judge;
mod merge;
mod pool;
mod rank;

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
    /// Rank the documents of every query with each embedder; existing rankings are kept.
    Rank(rank::RankArgs),
    /// Pool the top documents of all rankings into the pairs to judge.
    Pool(pool::PoolArgs),
    /// Ask a language model to score each pair; scored pairs are never sent again.
    Judge(judge::JudgeArgs),
    /// Add the judgements of all shards (`graded judge --shards`) to those of the judge.
    Merge(merge::MergeArgs),
    /// Evaluate every embedder, alone and followed by each reranker, with every judge: nDCG and
    /// recall at each rank.
    Evaluate(evaluate::EvaluateArgs),
    /// Print the table of all systems: means over tasks for each judge, and means over judges.
    Aggregate(aggregate::AggregateArgs),
    /// Measure how well judges agree, and how much the ranking of systems depends on the choices
    /// made.
    Agreement(agreement::AgreementArgs),
}

impl GradedArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.step {
            Step::Rank(args) => args.run(),
            Step::Pool(args) => args.run(),
            Step::Judge(args) => args.run(),
            Step::Merge(args) => args.run(),
            Step::Evaluate(args) => args.run(),
            Step::Aggregate(args) => args.run(),
            Step::Agreement(args) => args.run(),
        }
    }
}

//! Judging in shards: which pairs one of several machines judges, by ranges of queries that do not depend on how many there are.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use mteb_graded::PairId;
use mteb_graded::pool::{Pool, query_ranges};
use mteb_graded_run::GradedFolder;
use mteb_shards::{Bundle, Piece, pack};

use crate::commands::arguments::{ShardNumberError, shard_number, whole};

/// Which part of the pairs is judged here.
#[derive(Args, Clone, Copy, Debug)]
pub struct ShareArgs {
    /// Judge one of N parts of the pairs, which share no query; `graded merge` merges them.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, Some(100_000)), conflicts_with_all = ["export", "import"])]
    shards: Option<u32>,
    /// Number of the part, from 0 [default: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, PBS_ARRAY_INDEX or RANK].
    #[arg(long, value_name = "I", requires = "shards")]
    shard: Option<usize>,
}

/// One part of the pairs.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Its number, from 0.
    pub number: usize,
    /// Number of parts.
    pub of: usize,
}

impl ShareArgs {
    /// The part that is judged here; `None` if that is all.
    ///
    /// # Errors
    /// If no number says which.
    pub fn share(&self) -> Result<Option<Share>, ShardNumberError> {
        let Some(of) = self.shards else { return Ok(None) };
        let of = of as usize;
        Ok(Some(Share { number: shard_number(self.shard, of)?, of }))
    }
}

impl Share {
    /// The pools with the pairs of this part alone.
    pub fn own(&self, mut pools: Vec<Pool>) -> Vec<Pool> {
        let own: HashSet<PairId> =
            shares(&pools, self.of).into_iter().nth(self.number).unwrap_or_default().into_iter().collect();
        pools.iter_mut().for_each(|pool| pool.pairs.retain(|pair| own.contains(&pair.pair)));
        pools
    }

    /// The store of this part.
    pub fn store(&self, folder: &GradedFolder, judge: &str) -> PathBuf {
        folder.judgements_of_shard(judge, (self.number, self.of))
    }
}

/// The pairs of each of so many parts: whole ranges of queries, about as many pairs in each part.
pub fn shares(pools: &[Pool], of: usize) -> Vec<Vec<PairId>> {
    let ranges = query_ranges(pools);
    let piece =
        |(number, range): (usize, &Vec<_>)| Piece { units: vec![number], seconds: range.len() as f64 };
    // Each range may go to another part than those beside it.
    let bundle = |piece| Bundle { tasks: vec![vec![piece]] };
    let bundles: Vec<Bundle> = ranges.iter().enumerate().map(piece).map(bundle).collect();
    let mut shares = vec![Vec::new(); of];
    for (range, share) in ranges.iter().zip(pack(&bundles, ranges.len(), of)) {
        shares[share].extend(range.iter().map(|pair| pair.pair));
    }
    shares
}

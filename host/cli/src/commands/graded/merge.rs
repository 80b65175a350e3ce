//! Judging in shards: which pairs one of several machines judges, by ranges of queries that do not
//! depend on how many there are, and `mteb-host graded merge`, which adds the judgements of all
//! shards to those of the judge.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use mteb_graded::PairId;
use mteb_graded::pool::{Pool, query_ranges};
use mteb_graded::store::{Contents, StoreHead, StoreWriter, read_judgements};
use mteb_graded_run::{GradedFolder, find_judge, keep_card, load_pools};
use mteb_shards::{Bundle, Piece, pack};

use super::inputs::{FolderArgs, PoolChoiceArgs};
use crate::commands::arguments::{ShardNumberError, parse_whole, shard_number};
use crate::commands::submit::shell_word;
use crate::exit::Exit;
use crate::output::{self, failed, usage};

/// Arguments of `graded merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Judge: a built-in name, or a judge card.
    #[arg(long, value_name = "NAME|FILE")]
    judge: String,
    #[command(flatten)]
    pools: PoolChoiceArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

impl MergeArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let judge = find_judge(&self.judge).map_err(usage)?;
        let Some(prompt) = judge.card.prompt() else {
            return Err(usage(format!("{}: expected a known prompt version", judge.file)));
        };
        let folder = self.folder.folder();
        let pools = self.pools.load(&folder).map_err(usage)?;
        let name = &judge.card.name;
        let head = StoreHead::new(name, &judge.card.endpoint.model, prompt.name);
        let files = folder.judged_in_shards(name);
        let files = files.map_err(|error| failed(format!("{}: {error}", folder.path().display())))?;
        if files.is_empty() {
            return Err(usage(format!(
                "{}: expected judgements of shards of {name}, found none; run `mteb-host graded judge --shards N` first",
                folder.path().display()
            )));
        }
        let mut judged = Vec::new();
        for file in &files {
            let (judgements, faults) = read_judgements(file, &head).map_err(failed)?;
            faults.iter().for_each(output::warn);
            judged.extend(judgements);
        }
        folder.check_judge_card(name).map_err(failed)?;
        let store = folder.judgements(name);
        let (writer, mut all) = StoreWriter::open(&store, &head).map_err(failed)?;
        all.faults.iter().for_each(output::warn);
        keep_card(&folder, &judge).map_err(failed)?.iter().for_each(output::warn);
        judged.iter().for_each(|judgement| all.add(judgement.clone()));
        let merged = writer.merge(judged, &self.order(&pools)).map_err(failed)?;
        if merged.rivals > 0 {
            output::warn(format!(
                "{} have several different scores; one of each counts, the same in whatever order parts are merged",
                output::count(merged.rivals, "pair")
            ));
        }
        let printed = output::print(&format!(
            "{} of {} added to {}",
            output::count(merged.added, "judgement"),
            output::count(files.len(), "shard"),
            store.display()
        ));
        let missing = self.say_missing(&pools, &all, &files);
        Ok(if missing { Exit::Failed } else { printed })
    }

    /// The order of merged judgements: that of all pools in the folder, whichever were chosen, and then of those beside them.
    fn order(&self, chosen: &[Pool]) -> Vec<PairId> {
        let all = load_pools(&self.folder.folder(), &[], &[]).unwrap_or_default();
        let mut seen = HashSet::new();
        let pairs = [all.as_slice(), chosen].into_iter().flat_map(query_ranges).flatten();
        pairs.map(|pair| pair.pair).filter(|pair| seen.insert(*pair)).collect()
    }

    /// Says which shards have left pairs without a score, and the command that judges them; true if some have.
    fn say_missing(&self, pools: &[Pool], all: &Contents, files: &[PathBuf]) -> bool {
        // Who has judged in several numbers of shards is told of the largest.
        let of = files.iter().filter_map(|file| parts_of(file)).max().unwrap_or(1);
        let is_open = |pair: &&PairId| all.judgements.get(*pair).is_none_or(|found| found.score().is_none());
        let mut is_missing = false;
        for (number, pairs) in shares(pools, of).iter().enumerate() {
            let open = pairs.iter().filter(is_open).count();
            if open == 0 {
                continue;
            }
            is_missing = true;
            output::error(format!(
                "shard {number}: {} without a score; run: mteb-host graded judge --judge {} --shards {of} --shard {number}",
                output::count(open, "pair"),
                shell_word(&self.judge)
            ));
        }
        is_missing
    }
}

/// The number of shards that the name of a store says, as `3-of-8.jsonl`.
fn parts_of(file: &Path) -> Option<usize> {
    file.file_stem()?.to_str()?.rsplit_once("-of-")?.1.parse().ok()
}

/// Which part of the pairs is judged here.
#[derive(Args, Clone, Copy, Debug)]
pub struct ShareArgs {
    /// Judge one of N parts of the pairs, which share no query; `graded merge` merges them.
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, Some(100_000)), conflicts_with_all = ["export", "import"])]
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
    pub fn keep_own(&self, mut pools: Vec<Pool>) -> Vec<Pool> {
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

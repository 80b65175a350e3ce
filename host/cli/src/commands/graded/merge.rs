//! `mteb-host graded merge`: adds the judgements of all shards to those of the judge.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;
use mteb_graded::PairId;
use mteb_graded::pool::{Pool, query_ranges};
use mteb_graded::store::{Contents, Judgement, StoreHead, StoreWriter, read_judgements};
use mteb_graded_run::{find_judge, keep_card};

use super::folder_args::{FolderArgs, PoolChoiceArgs};
use super::shares::shares;
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

/// What all shards have judged.
#[derive(Default)]
struct Judged {
    /// The pairs in the order in which they were read.
    order: Vec<PairId>,
    /// The first score of each, else its last failure.
    judgements: HashMap<PairId, Judgement>,
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
        let mut judged = Judged::default();
        for file in &files {
            judged.read(file, &head).map_err(failed)?;
        }
        folder.check_judge_card(name).map_err(failed)?;
        let store = folder.judgements(name);
        let (mut writer, known) = StoreWriter::open(&store, &head).map_err(failed)?;
        known.faults.iter().for_each(output::warn);
        keep_card(&folder, &judge).map_err(failed)?.iter().for_each(output::warn);
        let added = judged.add_to((&mut writer, &known), &pools).map_err(failed)?;
        let printed = output::print(&format!(
            "{} of {} added to {}",
            output::count(added, "judgement"),
            output::count(files.len(), "shard"),
            store.display()
        ));
        let mut all = known;
        all.add(judged.judgements);
        let missing = self.say_missing(&pools, &all, &files);
        Ok(if missing { Exit::Failed } else { printed })
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

impl Judged {
    fn read(&mut self, file: &Path, head: &StoreHead) -> Result<(), Box<dyn Error>> {
        let (judgements, faults) = read_judgements(file, head)?;
        faults.iter().for_each(output::warn);
        for judgement in judgements {
            let before = self.judgements.get(&judgement.pair);
            if before.is_none() {
                self.order.push(judgement.pair);
            }
            if before.is_none_or(|before| before.score().is_none()) {
                self.judgements.insert(judgement.pair, judgement);
            }
        }
        Ok(())
    }

    /// Adds what is not known: in the order of the pools, whatever the shards and their order; pairs that no pool has come last.
    fn add_to(
        &self,
        (writer, known): (&mut StoreWriter, &Contents),
        pools: &[Pool],
    ) -> Result<usize, Box<dyn Error>> {
        let ranges = query_ranges(pools);
        let of_pools: Vec<PairId> = ranges.iter().flatten().map(|pair| pair.pair).collect();
        let pooled: HashSet<&PairId> = of_pools.iter().collect();
        let others: BTreeSet<&PairId> = self.order.iter().filter(|pair| !pooled.contains(pair)).collect();
        let mut added = 0;
        for pair in of_pools.iter().chain(others) {
            let Some(judgement) = self.judgements.get(pair) else { continue };
            let is_known = known
                .judgements
                .get(pair)
                .is_some_and(|here| here.score().is_some() || judgement.score().is_none());
            if !is_known {
                writer.append(judgement)?;
                added += 1;
            }
        }
        writer.flush()?;
        Ok(added)
    }
}

//! `mteb-host graded judge`: asks a language model for a score of each pair; one that has a score is never asked for again.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use mteb_graded::PairId;
use mteb_graded::judge::{Estimate, Prompt, Work, estimate, work};
use mteb_graded::pool::{Pool, PoolPair};
use mteb_graded::store::{Contents, StoreHead, StoreWriter, read_store_of};
use mteb_graded_run::{
    AskLimits, AskOutcome, Ended, Endpoint, FoundJudge, GradedFolder, OpenPair, TokenCounter, ask, endpoint,
    find_judge, keep_card,
};

use super::batches::{check_target, export, import};
use super::inputs::{FolderArgs, PoolChoiceArgs};
use super::merge::{Share, ShareArgs};
use crate::commands::arguments::{PlaceArgs, parse_whole};
use crate::commands::discover::discover;
use crate::exit::Exit;
use crate::output::{self, failed, usage};
use crate::system;
use crate::view::{JudgedCounts, JudgingBar, describe_outcome, estimate_text};

/// Arguments of `graded judge`.
#[derive(Args, Debug)]
pub struct JudgeArgs {
    /// Judge: a built-in name, or a judge card.
    #[arg(long, value_name = "NAME|FILE")]
    judge: String,
    #[command(flatten)]
    pools: PoolChoiceArgs,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    share: ShareArgs,
    /// Send nothing; show how many pairs are left to judge and what they will cost.
    #[arg(long)]
    dry_run: bool,
    /// Maximum number of requests in this run, retries included.
    #[arg(long, value_name = "N")]
    max_calls: Option<u64>,
    /// Maximum cost of this run, in the currency of the judge's card; the cost of pending requests
    /// is estimated.
    #[arg(long, value_name = "AMOUNT", value_parser = crate::commands::arguments::amount)]
    max_cost: Option<f64>,
    /// Maximum number of concurrent requests [default: from the card].
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, Some(1024)))]
    concurrency: Option<u32>,
    /// Retry pairs that failed before.
    #[arg(long)]
    retry_failed: bool,
    /// Send nothing; write the requests to a file for the provider's batch API, or for a judge
    /// whose card has the style `import`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "import"])]
    export: Option<PathBuf>,
    /// Let `--export` overwrite any existing file except cards, pools and stores; without this
    /// option it overwrites only earlier exports.
    #[arg(long, requires = "export")]
    replace: bool,
    /// Send nothing; import the replies of the provider's batch API, or judgements made elsewhere.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    import: Option<PathBuf>,
    /// Hide the progress bar.
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

impl JudgeArgs {
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
        if self.max_cost.is_some() && judge.card.prices.is_none() {
            return Err(usage(format!(
                "{}: expected `prices` in the card for `--max-cost`, found none",
                judge.file
            )));
        }
        let folder = self.folder.folder();
        let share = self.share.share().map_err(usage)?;
        let mut pools = self.pools.load(&folder).map_err(usage)?;
        if let Some(share) = &share {
            pools = share.keep_own(pools);
        }
        let of_all = folder.judgements(&judge.card.name);
        let store =
            share.as_ref().map_or_else(|| of_all.clone(), |share| share.store(&folder, &judge.card.name));
        let head = StoreHead::new(&judge.card.name, &judge.card.endpoint.model, prompt.name);
        if self.dry_run || self.export.is_some() {
            let mut found = read_known(&store, &head)?;
            if share.is_some() {
                read_known(&of_all, &head)?
                    .judgements
                    .into_values()
                    .for_each(|judgement| found.add(judgement));
            }
            let known = found;
            let open = Open::new(&pools, &known, self.retry_failed);
            return match &self.export {
                Some(file) => {
                    check_target(file, (&folder, &judge), self.pools.files(), self.replace)
                        .map_err(failed)?;
                    export(file, &judge, &prompt, &open.pairs)
                }
                None => self.estimate(&judge, &prompt, &store, &open),
            };
        }
        if let Some(file) = &self.import {
            let (mut writer, open) = self.open_store((&folder, share.as_ref()), &judge, &head, &pools)?;
            return import(file, &judge, &open.pairs, &mut writer);
        }
        // A judge that cannot be asked leaves no store behind.
        let catalog = discover(&self.place.settings());
        let endpoint = endpoint(&judge, catalog.permissions()).map_err(usage)?;
        let (mut writer, open) = self.open_store((&folder, share.as_ref()), &judge, &head, &pools)?;
        self.ask((&judge, endpoint), &prompt, &open, &mut writer, &store)
    }

    /// Says what judging will take.
    fn estimate(
        &self,
        judge: &FoundJudge,
        prompt: &Prompt,
        store: &Path,
        open: &Open<'_>,
    ) -> Result<Exit, Exit> {
        let counter = TokenCounter::of(judge, &self.place.settings()).map_err(usage)?;
        let counted = match &counter {
            TokenCounter::Exact(_, file) => format!("counted by {}", file.display()),
            TokenCounter::Estimated(_, said) => {
                said.iter().for_each(output::warn);
                format!("estimated from {} bytes each", judge.card.limits.bytes_per_token)
            }
        };
        let estimate = open.estimate(judge, prompt, &|text| counter.count(text));
        Ok(output::print(&estimate_text(&judge.card, store, &open.counts, &estimate, &counted)))
    }

    /// The store of the judge, its card beside it, and what is left of `pools`.
    fn open_store<'a>(
        &self,
        (folder, share): (&GradedFolder, Option<&Share>),
        judge: &FoundJudge,
        head: &StoreHead,
        pools: &'a [Pool],
    ) -> Result<(StoreWriter, Open<'a>), Exit> {
        folder.check_judge_card(&judge.card.name).map_err(failed)?;
        let of_all = folder.judgements(&judge.card.name);
        let store = share.map_or_else(|| of_all.clone(), |share| share.store(folder, &judge.card.name));
        let (writer, mut judged) = StoreWriter::open(&store, head).map_err(failed)?;
        say_faults(&judged);
        if share.is_some() {
            read_known(&of_all, head)?.judgements.into_values().for_each(|judgement| judged.add(judgement));
        }
        let known = judged;
        keep_card(folder, judge).map_err(failed)?.iter().for_each(output::warn);
        Ok((writer, Open::new(pools, &known, self.retry_failed)))
    }

    /// Asks for all that is left.
    fn ask(
        &self,
        (judge, endpoint): (&FoundJudge, Endpoint),
        prompt: &Prompt,
        open: &Open<'_>,
        writer: &mut StoreWriter,
        store: &Path,
    ) -> Result<Exit, Exit> {
        let card = &judge.card;
        let asked = if open.pairs.is_empty() {
            AskOutcome::default()
        } else {
            if let Err(error) = system::watch_signals() {
                output::warn(format!("Ctrl-C will end the run at once: {error}"));
            }
            let limits = AskLimits {
                max_calls: self.max_calls,
                max_cost: self.max_cost,
                concurrency: self.concurrency.map(|most| most as usize),
            };
            let bar = JudgingBar::new(self.quiet, card, open.pairs.len());
            let asked = ask((card, prompt), endpoint, &open.pairs, writer, limits, &mut |now| bar.show(now));
            bar.finish();
            asked.map_err(failed)?
        };
        if let Some(limit) = asked.limit {
            let key = limit.key();
            output::say(format!(
                "{}: this endpoint takes `{key}` alone; `output_tokens_as = \"{key}\"` under `[endpoint]` of the card \
                 saves the calls that it refuses",
                judge.file
            ));
        }
        let printed = output::print(&describe_outcome(card, store, &open.counts, &asked));
        let has_failed = asked.progress.failed + open.counts.failed > 0;
        if has_failed {
            output::say("Failed pairs have no score; `--retry-failed` retries them");
        }
        Ok(match &asked.ended {
            Some(Ended::Interrupted) => Exit::Interrupted,
            Some(Ended::Endpoint(message)) => output::failed(message),
            Some(Ended::Budget(message)) => {
                output::say(message);
                if has_failed { Exit::Failed } else { printed }
            }
            None if has_failed => Exit::Failed,
            None => printed,
        })
    }
}

/// What is left of all pools.
struct Open<'a> {
    pairs: Vec<OpenPair<'a>>,
    counts: JudgedCounts,
}

impl<'a> Open<'a> {
    fn new(pools: &'a [Pool], known: &Contents, again: bool) -> Self {
        let mut open = Self { pairs: Vec::new(), counts: JudgedCounts::default() };
        let mut seen: HashSet<PairId> = HashSet::new();
        for pool in pools {
            let Work { open: pairs, answered, failed } = work(pool, known, again);
            open.counts.answered += answered;
            open.counts.failed += failed;
            let new = pairs.into_iter().filter(|pair| seen.insert(pair.pair));
            open.pairs.extend(new.map(|pair| OpenPair { pool, pair }));
        }
        open.counts.open = open.pairs.len();
        open
    }

    fn estimate(&self, judge: &FoundJudge, prompt: &Prompt, count: &dyn Fn(&str) -> u64) -> Estimate {
        let mut total = Estimate::default();
        for of_pool in self.pairs.chunk_by(|a, b| std::ptr::eq(a.pool, b.pool)) {
            let pairs: Vec<&PoolPair> = of_pool.iter().map(|open| open.pair).collect();
            total += estimate(of_pool[0].pool, &pairs, &judge.card, prompt, count);
        }
        total
    }
}

/// What the store holds; nothing if it is not there.
fn read_known(store: &Path, head: &StoreHead) -> Result<Contents, Exit> {
    if !store.exists() {
        return Ok(Contents::empty(head.clone()));
    }
    let known = read_store_of(store, head).map_err(failed)?;
    say_faults(&known);
    Ok(known)
}

fn say_faults(known: &Contents) {
    known.faults.iter().for_each(output::warn);
}

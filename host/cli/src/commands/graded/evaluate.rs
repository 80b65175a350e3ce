//! `mteb-host graded evaluate`: the curves of every system by every judge.

use clap::{Args, ValueEnum};
use mteb_graded::evaluate::{Board, DEPTH, Evaluated, ThresholdRule, Unjudged, write_evaluated};
use mteb_graded::pool::Pool;
use mteb_graded_run::{
    CurveSettings, Embedder, GivenRanking, GradedFolder, JudgeStore, Reranked, embedders, evaluate,
    judge_stores, score_pairs, systems, unit_of, unjudged,
};
use mteb_models::encode::Encoder;
use mteb_models::model::ModelChoice;
use mteb_registry::ModelCards;
use mteb_report::grid::{Grid, Value};
use mteb_workers::plugins::Catalog;

use super::inputs::{FolderArgs, PoolChoiceArgs, RankingArgs, given_ranking};
use crate::commands::arguments::{
    DtypeName, FilterArgs, Format, FormatArgs, PlaceArgs, device, exit, parse_whole, print_grid,
};
use crate::commands::discover::{discover, say_refusals};
use crate::exit::Exit;
use crate::output::{self, failed, usage};
use crate::view::Progress;

/// Rank at which the summary shows scores.
const SHOWN: usize = 10;

/// Arguments of `graded evaluate`.
#[derive(Args, Debug)]
pub struct EvaluateArgs {
    #[command(flatten)]
    pools: PoolChoiceArgs,
    #[command(flatten)]
    rankings: RankingArgs,
    /// Also evaluate an existing ranking of one unit: a TREC run file or an mteb prediction file;
    /// may be repeated.
    #[arg(long, value_name = "[NAME=]FILE", value_parser = given_ranking)]
    rankings_file: Vec<GivenRanking>,
    /// Reranker; each embedder is also evaluated followed by it. May be repeated.
    #[arg(long, value_name = "MODEL")]
    reranker: Vec<String>,
    /// Number of documents per query to rerank [default: 100, or the depth of the pool if that is
    /// less].
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, Some(DEPTH as u64)))]
    rerank_depth: Option<u32>,
    /// Only the scores of this judge; may be repeated [default: all judges with scores].
    #[arg(long, value_name = "NAME")]
    judge: Vec<String>,
    /// Score from which a document counts as relevant: `own` for each judge's own threshold, a
    /// score such as `7`, a percentile of each judge's scores such as `p90`, or, after the judges'
    /// scores are mapped to one distribution, a score such as `q7`.
    #[arg(long, value_name = "RULE", default_value = "own")]
    threshold: ThresholdRule,
    /// How to treat documents that were not judged.
    #[arg(long, default_value = "zero")]
    unjudged: UnjudgedName,
    #[command(flatten)]
    folder: FolderArgs,
    /// Device of the rerankers: `auto`, `cpu`, `cuda` or `cuda:N`.
    #[arg(long, default_value = "auto", value_parser = device)]
    device: String,
    /// Number format in which the rerankers compute.
    #[arg(long, default_value = "auto")]
    dtype: DtypeName,
    /// Hide progress bars.
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// What is not judged.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum UnjudgedName {
    /// Count them with score 0.
    Zero,
    /// Remove them; the documents below them move up.
    Skip,
}

/// A pool with what embedders and rerankers made of it.
struct Unit {
    pool: Pool,
    embedders: Vec<Embedder>,
    reranked: Vec<Reranked>,
    depth: usize,
}

impl EvaluateArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let folder = self.folder.folder();
        let pools = self.pools.load(&folder).map_err(usage)?;
        if pools.len() > 1 && !self.rankings_file.is_empty() {
            let found = pools.len();
            return Err(usage(format!(
                "expected one pool (`--pool FILE`), because a rankings file covers one unit, found {found}"
            )));
        }
        let (judges, faults) = judge_stores(&folder, &self.judge).map_err(usage)?;
        faults.iter().for_each(output::warn);
        let mut units = Vec::with_capacity(pools.len());
        for pool in pools {
            let RankingArgs { results, model } = &self.rankings;
            let embedders = embedders(&pool, results, model, &self.rankings_file).map_err(failed)?;
            let depth = self.rerank_depth.map_or(DEPTH.min(pool.provenance.depth), |depth| depth as usize);
            units.push(Unit { pool, embedders, reranked: Vec::new(), depth });
        }
        self.rerank(&folder, &mut units)?;
        let evaluations: Vec<Evaluated> =
            units.iter().map(|unit| self.evaluate(&folder, unit, &judges)).collect::<Result<_, _>>()?;
        Ok(print_grid(&summary(&evaluations), self.format.or(Format::Table)))
    }

    /// Scores the pairs of all units with each reranker.
    fn rerank(&self, folder: &GradedFolder, units: &mut [Unit]) -> Result<(), Exit> {
        if self.reranker.is_empty() {
            return Ok(());
        }
        let settings = self.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let progress = Progress::new(self.quiet, false);
        for name in &self.reranker {
            let choice = ModelChoice {
                device: self.device.clone(),
                dtype: self.dtype.dtype(),
                cards: ModelCards::beside(&[]),
                ..ModelChoice::new(name)
            };
            let model = choice.start(&catalog, &settings, &[], &progress).map_err(|error| {
                output::error(&error);
                exit(&error)
            })?;
            let mut encoder = Encoder::new(model, 0);
            for unit in &mut *units {
                let Unit { pool, embedders, depth, .. } = &*unit;
                let card = card(&catalog, pool)?;
                let told = |done, all| progress.pairs(&pool.provenance.task, done, all);
                let found = score_pairs(&mut encoder, &card, pool, (embedders, *depth), folder, &told);
                unit.reranked.push(found.map_err(failed)?);
            }
        }
        Ok(())
    }

    /// Measures all systems on a unit, and keeps it.
    fn evaluate(&self, folder: &GradedFolder, unit: &Unit, judges: &[JudgeStore]) -> Result<Evaluated, Exit> {
        let Unit { pool, embedders, reranked, depth } = unit;
        let board = Board::new(pool);
        let systems = systems(&board, embedders, reranked, *depth).map_err(failed)?;
        let measuring = CurveSettings { rule: self.threshold, unjudged: self.unjudged.unjudged() };
        let evaluated = evaluate(pool, &board, judges, systems, measuring);
        let rerank_depth = (!reranked.is_empty()).then_some(*depth);
        let evaluated = Evaluated { rerank_depth, ..evaluated };
        if evaluated.judges.is_empty() {
            return Err(failed(format!(
                "{}: expected judgements of its pairs, found none; run `mteb-host graded judge` first",
                unit_of(pool)
            )));
        }
        unjudged(pool, judges).iter().for_each(output::warn);
        folder.check_evaluation(unit_of(pool)).map_err(failed)?;
        write_evaluated(&folder.evaluation(unit_of(pool)), &evaluated).map_err(failed)?;
        Ok(evaluated)
    }
}

impl UnjudgedName {
    fn unjudged(self) -> Unjudged {
        match self {
            Self::Zero => Unjudged::Zero,
            Self::Skip => Unjudged::Skip,
        }
    }
}

/// The card of the task of a pool, which says what stands before texts.
fn card(catalog: &Catalog, pool: &Pool) -> Result<mteb_card::TaskCard, Exit> {
    let task = pool.provenance.task.clone();
    let filter = FilterArgs { task: vec![task.clone()], ..FilterArgs::default() };
    let registries = filter.registries(catalog)?;
    let selected = filter.select(&registries)?;
    match selected.first() {
        Some(selected) => Ok(mteb_card::TaskCard::clone(&selected.entry.card)),
        None => Err(usage(format!("expected a known task, found: {task}"))),
    }
}

/// Each system on each unit by each judge.
fn summary(evaluations: &[Evaluated]) -> Grid {
    let titles = [
        "Task",
        "Split",
        "Subset",
        "System",
        "Judge",
        "nDCG@10",
        "Recall@10",
        "Judged@10",
        "Queries",
        "Left out",
        "Left out of recall",
    ];
    let mut grid = Grid::new(titles);
    let number = |value: f64| Value::Number((value * 1e6).round() / 1e6);
    let optional = |value: Option<f64>| value.map_or(Value::None, number);
    for evaluated in evaluations {
        for system in &evaluated.systems {
            for (judge, curves) in evaluated.judges.iter().zip(&system.curves) {
                grid.rows.push(vec![
                    evaluated.task.as_str().into(),
                    evaluated.split.as_str().into(),
                    evaluated.subset.as_str().into(),
                    system.system.to_string().as_str().into(),
                    judge.name.as_str().into(),
                    optional(curves.ndcg_at(SHOWN)),
                    optional(curves.recall_at(SHOWN)),
                    optional(Some(curves.judged[SHOWN - 1]).filter(|_| curves.queries > 0)),
                    curves.queries.into(),
                    curves.without_gain.into(),
                    curves.without_relevant.into(),
                ]);
            }
        }
    }
    grid
}

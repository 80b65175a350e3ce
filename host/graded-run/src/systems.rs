//! The systems of a unit: embedders alone, and each of them with each reranker behind it.

use std::path::PathBuf;

use mteb_graded::evaluate::{Board, DEPTH, Ranks, RerankError, SystemName, rerank};
use mteb_graded::pool::Pool;
use mteb_items::rankings::{Rankings, read_rankings, unescape};
use mteb_results::UnitName;

use super::ranking_error::{RankingError, check_given};
use super::{GivenRanking, find_rankings};

/// What a reranker makes of the pairs of a unit.
#[derive(Clone, Debug)]
pub struct Reranked {
    /// The reranker.
    pub reranker: String,
    /// Its scores, of every pair that it re-sorts.
    pub scores: Rankings,
}

/// An embedder and what it found.
#[derive(Clone, Debug)]
pub struct Embedder {
    /// Its name.
    pub name: String,
    /// What it found.
    pub rankings: Rankings,
}

/// The name of the unit of a pool.
pub fn unit_of(pool: &Pool) -> UnitName<'_> {
    let from = &pool.provenance;
    UnitName { task: &from.task, split: &from.split, subset: &from.subset }
}

/// The embedders that have ranked the unit of `pool`, and those whose rankings are given.
///
/// # Errors
/// If there is none, or a ranking is too short, of other data, or cannot be read.
pub fn embedders(
    pool: &Pool,
    results: &[PathBuf],
    models: &[String],
    given: &[GivenRanking],
) -> Result<Vec<Embedder>, RankingError> {
    let unit = unit_of(pool);
    let mut embedders = Vec::new();
    for found in find_rankings(results, unit, models)? {
        found.check(DEPTH, &pool.provenance.data)?;
        embedders.push(Embedder { name: found.system, rankings: of_pool(found.rankings, pool) });
    }
    for GivenRanking { system, path } in given {
        let rankings = read_rankings(path, unit.split, unit.subset)?;
        embedders.push(Embedder { name: system.clone(), rankings: of_pool(rankings, pool) });
    }
    let depth = pool.provenance.depth;
    let shown: Vec<(&str, &Rankings, usize)> =
        embedders.iter().map(|embedder| (embedder.name.as_str(), &embedder.rankings, depth)).collect();
    check_given(&unit, &shown, embedders.len() - given.len())?;
    if embedders.is_empty() {
        return Err(RankingError::none(unit, results));
    }
    Ok(embedders)
}

/// What was found for the queries of the pool, by the ids that the pool has.
fn of_pool(rankings: Rankings, pool: &Pool) -> Rankings {
    let plain = |id: &str| unescape(id).filter(|_| rankings.may_be_escaped);
    let (mut queries, mut found) = (Vec::new(), Vec::new());
    for (id, ranked) in rankings.queries.iter().zip(&rankings.found) {
        let known = |id: &String| pool.queries.contains_key(id);
        if let Some(id) = Some(id.clone()).filter(known).or_else(|| plain(id).filter(known)) {
            queries.push(id);
            found.push(ranked.clone());
        }
    }
    let document = |id: &str| match pool.documents.contains_key(id) {
        true => id.to_owned(),
        false => plain(id).filter(|id| pool.documents.contains_key(id)).unwrap_or_else(|| id.to_owned()),
    };
    let documents = rankings.documents.iter().map(document).collect();
    Rankings { source: rankings.source.clone(), queries, found, documents, ..Rankings::default() }
}

/// What every system found, in the numbers of `board`: each embedder alone, then with each reranker, which sorts its best `depth`
/// documents again.
///
/// # Errors
/// If a reranker lacks a pair.
pub fn systems(
    board: &Board,
    embedders: &[Embedder],
    rerankers: &[Reranked],
    depth: usize,
) -> Result<Vec<(SystemName, Ranks)>, RerankError> {
    let mut systems = Vec::with_capacity(embedders.len() * (1 + rerankers.len()));
    for Embedder { name, rankings } in embedders {
        let system =
            |reranker: Option<&String>| SystemName { embedder: name.clone(), reranker: reranker.cloned() };
        systems.push((system(None), Ranks::of(board, rankings, DEPTH)));
        for Reranked { reranker, scores } in rerankers {
            let found = rerank(rankings, scores, depth)?;
            systems.push((system(Some(reranker)), Ranks::of(board, &found, DEPTH)));
        }
    }
    Ok(systems)
}

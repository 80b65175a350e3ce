//! Scores of pairs by a reranker: each pair is scored once, whichever embedders found it, and kept;
//! or why they cannot be had.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use mteb_card::TaskCard;
use mteb_graded::GradedError;
use mteb_graded::evaluate::best;
use mteb_graded::pool::Pool;
use mteb_items::rankings::{Ranked, Rankings, RankingsError, read_facts, read_rankings, write_trec};
use mteb_json::Json;
use mteb_models::encode::{EncodeError, Encoder, prompt_for};
use mteb_tasks::Role;

use crate::folder::{PlaceError, unreadable};
use crate::found::head_of;
use crate::places::check_reranked;
use crate::{Embedder, GradedFolder, Reranked, unit_of};

/// Pairs after which their scores are kept.
const TOGETHER: usize = 4096;

/// Scores of pairs by query and document.
type Scores = BTreeMap<String, BTreeMap<String, f64>>;

/// The scores that the reranker gives to the best `depth` documents of each query of every embedder. What was scored before is read
/// from `folder`; `progress` hears of every pair.
///
/// # Errors
/// If the model scores no pairs or fails, a document is not in the pool, or scores cannot be kept.
pub fn score_pairs(
    encoder: &mut Encoder,
    card: &TaskCard,
    pool: &Pool,
    (embedders, depth): (&[Embedder], usize),
    folder: &GradedFolder,
    progress: &dyn Fn(u64, u64),
) -> Result<Reranked, RerankingError> {
    let info = encoder.info().clone();
    let name = info.identity.name.clone();
    if !info.cross_encoder {
        return Err(RerankingError::NoReranker(name));
    }
    let prompt = prompt_for(&info.prompts, card, Some(Role::Query));
    let facts = Json::object([
        ("model", encoder.facts()),
        ("prompt", Json::from(prompt.as_str())),
        ("data", Json::from(pool.provenance.data.as_str())),
    ]);
    let facts = facts.to_python(0);
    let path = folder.reranked(&name, &info.identity.revision, unit_of(pool));
    folder.check_way(&path)?;
    check_reranked(&path)?;
    let mut scores = read_scores(&path, &facts)?;
    let open = open_pairs(pool, embedders, depth, &scores);
    let (mut done, all) = (0, open.len() as u64);
    for pairs in open.chunks(TOGETHER) {
        let texts = texts(pool, pairs)?;
        let (queries, documents): (Vec<&str>, Vec<&str>) = texts.into_iter().unzip();
        encoder.begin_unit();
        let found = encoder.predict(&queries, &documents, &prompt, &|_| {})?;
        for ((query, document), score) in pairs.iter().zip(found) {
            scores.entry(query.clone()).or_default().insert(document.clone(), f64::from(score));
        }
        done += pairs.len() as u64;
        progress(done, all);
        keep(&path, &facts, &scores)?;
    }
    Ok(Reranked { reranker: name, scores: rankings(&path, &scores) })
}

/// The scores of a run file that was made from the same; none if it was not.
fn read_scores(path: &Path, facts: &str) -> Result<Scores, RerankingError> {
    let head = match head_of(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Scores::new()),
        head => head.map_err(unreadable(path))?,
    };
    if read_facts(&head).as_deref() != Some(facts) {
        return Ok(Scores::new());
    }
    let rankings = read_rankings(path, "", "")?;
    let of_query = |(query, found): (&String, &Vec<Ranked>)| {
        let documents = found.iter();
        let id = |ranked: &Ranked| rankings.documents[ranked.document as usize].to_owned();
        (query.clone(), documents.map(|ranked| (id(ranked), ranked.score)).collect())
    };
    Ok(rankings.queries.iter().zip(&rankings.found).map(of_query).collect())
}

/// The pairs that are to be scored and have no score, sorted.
fn open_pairs(pool: &Pool, embedders: &[Embedder], depth: usize, scores: &Scores) -> Vec<(String, String)> {
    let mut open = BTreeSet::new();
    for Embedder { rankings, .. } in embedders {
        for (query, found) in rankings.queries.iter().zip(&rankings.found) {
            if !pool.queries.contains_key(query) {
                continue;
            }
            for place in best(rankings, found, depth) {
                let document = &rankings.documents[place as usize];
                if !scores.get(query).is_some_and(|scores| scores.contains_key(document)) {
                    open.insert((query.clone(), document.to_owned()));
                }
            }
        }
    }
    open.into_iter().collect()
}

/// The texts of pairs, which the pool has if it was made of these rankings, deep enough.
fn texts<'a>(pool: &'a Pool, pairs: &[(String, String)]) -> Result<Vec<(&'a str, &'a str)>, RerankingError> {
    let text = |(query, document): &(String, String)| {
        let found = pool.queries.get(query).zip(pool.documents.get(document));
        let (query, document) = found.ok_or_else(|| RerankingError::NoText {
            task: pool.provenance.task.clone(),
            document: document.clone(),
        })?;
        Ok((query.as_str(), document.as_str()))
    };
    pairs.iter().map(text).collect()
}

fn rankings(path: &Path, scores: &Scores) -> Rankings {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut made = Rankings { source: path.display().to_string(), ..Rankings::default() };
    for (query, documents) in scores {
        let found = documents.iter().map(|(id, &score)| {
            let document = *numbers.entry(id).or_insert_with(|| {
                made.documents.push(id);
                made.documents.len() as u32 - 1
            });
            Ranked { document, score, line: 0 }
        });
        let found = found.collect();
        made.queries.push(query.clone());
        made.found.push(found);
    }
    made
}

fn keep(path: &Path, facts: &str, scores: &Scores) -> Result<(), RerankingError> {
    let mut packed = Vec::new();
    let written = write_trec(&rankings(path, scores), facts, &mut packed);
    let written = written.and_then(|()| mteb_files::write(path, &packed));
    written.map_err(|source| RerankingError::Unwritable { path: path.to_owned(), source })
}

/// The scores of every reranker that has scored pairs of the pool's unit, by name; and a line for each file that has none, or cannot be
/// right.
///
/// # Errors
/// If a folder or a file cannot be read.
pub fn kept_rerankers(
    folder: &GradedFolder,
    pool: &Pool,
) -> Result<(Vec<Reranked>, Vec<String>), RerankingError> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for path in folder.reranked_of(unit_of(pool)).map_err(unreadable(folder.path()))? {
        let head = head_of(&path).map_err(unreadable(&path))?;
        let facts = read_facts(&head).and_then(|facts| Json::parse(&facts).ok());
        let text = |json: Option<&Json>| json.and_then(Json::as_text).map(str::to_owned);
        let data = text(facts.as_ref().and_then(|facts| facts.get("data")));
        let name = text(facts.as_ref().and_then(|facts| facts.get("model")?.get("name")));
        let (Some(reranker), Some(data)) = (name, data) else {
            faults.push(format!(
                "{}: expected scores of a reranker, found something else; left out",
                path.display()
            ));
            continue;
        };
        if data == pool.provenance.data {
            let scores = read_rankings(&path, "", "")?;
            found.push(Reranked { reranker, scores });
        } else {
            faults.push(format!(
                "{}: expected scores of {}, found those of {data}; left out, `mteb-host graded evaluate` scores \
                 again",
                path.display(),
                pool.provenance.data
            ));
        }
    }
    Ok((found, faults))
}

/// Scores that cannot be computed, read or kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RerankingError {
    /// The model scores no pairs.
    #[error("model {0}: expected a reranker, which scores pairs of texts, found one that does not")]
    NoReranker(String),
    /// Something else is where the scores are to be.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The pool does not have the text of a document.
    #[error(
        "{task}: expected the text of each reranked document in its pool, found none of {document}; make the pool with this \
         ranking, at least as deep as the reranking"
    )]
    NoText {
        /// The task.
        task: String,
        /// Id of the document.
        document: String,
    },
    /// The model fails.
    #[error(transparent)]
    Model(#[from] EncodeError),
    /// A file or folder cannot be read.
    #[error(transparent)]
    Read(#[from] GradedError),
    /// A file of scores cannot be right.
    #[error(transparent)]
    Scores(#[from] RankingsError),
    /// The scores cannot be kept.
    #[error("{}: cannot write it: {source}", .path.display())]
    Unwritable {
        /// Where they should be.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

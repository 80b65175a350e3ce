//! A model that is ready: a plugin's in a worker, or `bm25` of the host itself, which ranks
//! documents by their words, as the reference's `mteb/baseline-bm25s` does (protocol 7.7).

use mteb_json::Json;
use mteb_measures::ranking::DocumentIds;
use mteb_plugin_api::{Identity, ModelInfo, RowForm};
use mteb_results::identity::model_facts;
use mteb_search::Scored;
use mteb_search::lexical::{Bm25, Bm25Builder, Language};
use mteb_tasks::{DocumentIndex, IndexBuilder, Ranker};
use mteb_workers::plugins::ModelClient;
use serde_json::json;

/// A model that is ready.
pub enum LoadedModel {
    /// A plugin's, in a process of its own.
    Worker(Box<ModelClient>),
    /// BM25, which ranks documents and encodes nothing.
    Bm25(Box<Bm25Model>),
}

impl LoadedModel {
    /// What the model says of itself.
    pub fn info(&self) -> &ModelInfo {
        match self {
            Self::Worker(client) => client.info(),
            Self::Bm25(bm25) => bm25.info(),
        }
    }

    /// The plugin's model, if it is one.
    pub fn worker(&self) -> Option<&ModelClient> {
        match self {
            Self::Worker(client) => Some(client),
            Self::Bm25(_) => None,
        }
    }

    /// True if it ranks documents and gives no embedding that other tasks could use.
    pub fn only_ranks(&self) -> bool {
        matches!(self, Self::Bm25(_)) || self.info().rows == RowForm::MultiVector
    }

    /// Who the model is, as a result file holds it.
    pub fn facts(&self) -> Json {
        match self {
            Self::Worker(client) => model_facts(client.info(), client.plugin(), client.config()),
            Self::Bm25(bm25) => bm25.facts(),
        }
    }
}

impl From<ModelClient> for LoadedModel {
    fn from(client: ModelClient) -> Self {
        Self::Worker(Box::new(client))
    }
}

/// The name for short.
const SHORT: &str = "bm25";

/// The reference's name and revision of the same model.
const NAME: &str = "mteb/baseline-bm25s";
const REVISION: &str = "0_3_0";

/// The version of this computation: it is raised when a score changes, so that earlier scores are stale. The name is the one that
/// results have had from the start.
const CODE: &str = "mteb-lexical 1";

/// BM25 with stemming and stop words, by the language of a unit.
pub struct Bm25Model(ModelInfo);

impl Bm25Model {
    /// The model, if it is the one called `name`.
    pub fn named(name: &str) -> Option<Self> {
        (name == SHORT || name == NAME).then(|| {
            Self(ModelInfo {
                identity: Identity {
                    name: NAME.to_owned(),
                    revision: REVISION.to_owned(),
                    dtype: "f32".to_owned(),
                    ..Identity::default()
                },
                parameters: Some(0),
                reference: Some("https://github.com/xhluca/bm25s".to_owned()),
                meta: [("model_type".to_owned(), json!(["sparse"]))].into(),
                ..ModelInfo::default()
            })
        })
    }

    /// Names by which it is known.
    pub const NAMES: [&'static str; 2] = [SHORT, NAME];

    /// What it says of itself.
    pub fn info(&self) -> &ModelInfo {
        &self.0
    }

    /// Who it is, as a result file holds it.
    pub fn facts(&self) -> Json {
        let identity = &self.0.identity;
        Json::object([
            ("name", Json::from(identity.name.as_str())),
            ("revision", Json::from(identity.revision.as_str())),
            ("weights", Json::from("")),
            ("dtype", Json::from(identity.dtype.as_str())),
            ("dimension", Json::Int(0)),
            ("plugin", Json::from("host")),
            ("plugin_version", Json::from(env!("CARGO_PKG_VERSION"))),
            ("code", Json::from(CODE)),
        ])
    }

    /// The model for texts in these languages.
    pub fn ranker(&self, languages: &[String]) -> Bm25Ranker {
        Bm25Ranker(language_of(languages))
    }

    /// True if texts are cut into other terms in the languages of `now` than in those `before`.
    pub fn tells_apart(before: &[String], now: &[String]) -> bool {
        language_of(before) != language_of(now)
    }
}

fn language_of(languages: &[String]) -> Language {
    Language::of_all(languages.iter().map(String::as_str))
}

/// BM25 for one language.
pub struct Bm25Ranker(Language);

struct Building(Bm25Builder);

struct Index(Bm25);

impl Ranker for Bm25Ranker {
    fn builder(&self) -> Box<dyn IndexBuilder> {
        Box::new(Building(Bm25Builder::new(self.0)))
    }
}

impl IndexBuilder for Building {
    fn add(&mut self, document: &str) {
        self.0.add(document);
    }

    fn finish(self: Box<Self>) -> Box<dyn DocumentIndex> {
        Box::new(Index(self.0.finish()))
    }
}

impl DocumentIndex for Index {
    fn best(&self, query: &str, depth: usize, ids: &dyn DocumentIds) -> Vec<Scored> {
        self.0.best(query, depth, ids)
    }
}

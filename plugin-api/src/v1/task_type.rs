//! What the author of a type of task of its own implements, and how it answers the host.
//!
//! A task of the pack hands [`super::Task::call`] to [`answer_call`] and [`super::Task::score`] to
//! [`answer_score`]; the manifest lists [`TASK_TYPE`] among its features, and [`PLAN`] if the type plans.

pub use mteb_plugin_types::{PLAN, PairMeasure, TASK_TYPE, TextSet, TypeAnswer, TypePlan};

use mteb_plugin_types::{Place, RankedPlaces, ScoreQuestion, Service, TypeDeclaration, UnitQuestion};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::PluginError;
use super::mapped::Mapped;

/// A type of task: what it is, which texts it needs, and how it makes scores of their embeddings.
///
/// It keeps nothing from one question to the next: units come in any order, and after the death of a process another one goes on.
pub trait TaskType {
    /// What the type is.
    fn declaration(&self) -> TypeDeclaration;

    /// The texts that a unit needs; asked of types whose pack lists [`PLAN`]. Others get the embeddings of all columns of texts, under
    /// the names of the columns.
    ///
    /// # Errors
    /// If the rows cannot be scored.
    fn plan(&self, unit: &UnitRows) -> Result<TypePlan, PluginError> {
        let _ = unit;
        Err(PluginError::unsupported(PLAN))
    }

    /// The scores of a unit.
    ///
    /// # Errors
    /// If it cannot be scored.
    fn score(&self, unit: &EncodedUnit) -> Result<TypeAnswer, PluginError>;
}

/// Answers [`TASK_TYPE`] and [`PLAN`].
///
/// # Errors
/// If it is another method, or the type says so.
pub fn answer_call(kind: &impl TaskType, method: &str, json: &str) -> Result<String, PluginError> {
    match method {
        TASK_TYPE => to_json(&kind.declaration()),
        PLAN => {
            let PlanQuestion { unit } = from_json(json)?;
            to_json(&kind.plan(&UnitRows::open(unit)?)?)
        }
        _ => Err(PluginError::unsupported(method)),
    }
}

/// Answers with the scores of a unit.
///
/// # Errors
/// If the type says so.
pub fn answer_score(kind: &impl TaskType, json: &str) -> Result<String, PluginError> {
    let ScoreQuestion { unit, embeddings, services, ranked } = from_json(json)?;
    let unit = EncodedUnit { unit: UnitRows::open(unit)?, embeddings, services, ranked };
    to_json(&kind.score(&unit)?)
}

#[derive(Deserialize)]
struct PlanQuestion {
    unit: UnitQuestion,
}

/// The rows of a unit.
pub struct UnitRows {
    /// Task, split, subset, seed and options.
    pub about: UnitQuestion,
    memory: Mapped,
}

impl UnitRows {
    fn open(about: UnitQuestion) -> Result<Self, PluginError> {
        let memory = Mapped::open(&about.memory)?;
        Ok(Self { about, memory })
    }

    /// The rows: the columns that the type declares.
    ///
    /// # Errors
    /// If a row is no `T`.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<Vec<T>, PluginError> {
        self.memory.lines(self.about.rows)
    }

    /// The option called `name`.
    ///
    /// # Errors
    /// If the type has none of this name, or its value is no `T`.
    pub fn option<T: DeserializeOwned>(&self, name: &str) -> Result<T, PluginError> {
        let value = self.about.options.get(name).cloned().unwrap_or_default();
        serde_json::from_value(value)
            .map_err(|error| PluginError::invalid_input(format!("the option `{name}`: {error}")))
    }
}

/// A unit with the embeddings of its texts.
pub struct EncodedUnit {
    /// The rows.
    pub unit: UnitRows,
    embeddings: std::collections::BTreeMap<String, Place>,
    services: Vec<Place>,
    ranked: Option<RankedPlaces>,
}

/// Rows of embeddings.
#[derive(Clone, Copy, Debug)]
pub struct Embeddings<'a> {
    numbers: &'a [f32],
    dimension: usize,
}

/// What was found for each query: at most so many, the most similar first.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    places: &'a [u32],
    similarities: &'a [f32],
    k: usize,
}

impl EncodedUnit {
    /// The rows: the columns that the type declares.
    ///
    /// # Errors
    /// If a row is no `T`.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<Vec<T>, PluginError> {
        self.unit.rows()
    }

    /// The embeddings of the set called `name`; without a plan sets are called as their columns.
    ///
    /// # Errors
    /// If there is no such set.
    pub fn embeddings(&self, name: &str) -> Result<Embeddings<'_>, PluginError> {
        let place = self.embeddings.get(name).copied().ok_or_else(|| {
            PluginError::invalid_input(format!("expected a set of texts that was planned, found: {name}"))
        })?;
        Ok(Embeddings { numbers: self.unit.memory.floats(place)?, dimension: place.dimension as usize })
    }

    /// The similarities of pairs that the plan asked for as its service `number`, where no [`Service::Nearest`] stands before it.
    ///
    /// # Errors
    /// If there is no such service.
    pub fn similarities(&self, number: usize) -> Result<&[f32], PluginError> {
        self.unit.memory.floats(self.service(number)?)
    }

    /// What was found for each query, in the places `number` and `number + 1` of the answers of services: a [`Service::Nearest`] has
    /// two, pairs have one.
    ///
    /// # Errors
    /// If there is no such service.
    pub fn found(&self, number: usize) -> Result<Found<'_>, PluginError> {
        let (places, similarities) = (self.service(number)?, self.service(number + 1)?);
        let k = places.dimension as usize;
        let memory = &self.unit.memory;
        Ok(Found { places: memory.places(places)?, similarities: memory.floats(similarities)?, k })
    }

    /// What the host found for each query of a type over rankings, and what is judged; the rows are the queries, with `id` and `text`.
    ///
    /// # Errors
    /// If the type is none over rankings.
    pub fn rankings(&self) -> Result<Rankings<'_>, PluginError> {
        let ranked = self.ranked.as_ref().ok_or_else(|| {
            PluginError::invalid_input("expected a type that declares `ranking`, found one without")
        })?;
        Rankings::open(&self.unit.memory, ranked)
    }

    fn service(&self, number: usize) -> Result<Place, PluginError> {
        self.services.get(number).copied().ok_or_else(|| {
            PluginError::invalid_input(format!("expected a service that was planned, found number {number}"))
        })
    }
}

impl<'a> Embeddings<'a> {
    /// How many rows there are.
    pub fn len(self) -> usize {
        self.numbers.len() / self.dimension.max(1)
    }

    /// True if there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Numbers a row.
    pub fn dimension(self) -> usize {
        self.dimension
    }

    /// Row `index`.
    pub fn row(self, index: usize) -> &'a [f32] {
        &self.numbers[index * self.dimension..][..self.dimension]
    }
}

impl<'a> Found<'a> {
    /// What was found for query `index`: places of texts and similarities.
    pub fn of(self, index: usize) -> impl Iterator<Item = (usize, f32)> + use<'a> {
        let range = index * self.k..(index + 1) * self.k;
        let found = self.places[range.clone()].iter().zip(&self.similarities[range]);
        found
            .filter(|(place, _)| **place != u32::MAX)
            .map(|(place, similarity)| (*place as usize, *similarity))
    }
}

/// The service of pairs.
pub fn pairs(left: &str, right: &str, measure: PairMeasure) -> Service {
    Service::Pairs { left: left.to_owned(), right: right.to_owned(), measure }
}

/// The service of the `k` most similar texts.
pub fn nearest(queries: &str, documents: &str, k: usize) -> Service {
    Service::Nearest { queries: queries.to_owned(), documents: documents.to_owned(), k }
}

/// An answer of these scores, by name.
pub fn scores(scores: &[(&str, f64)]) -> TypeAnswer {
    let scores = scores.iter().map(|(name, score)| ((*name).to_owned(), score.is_finite().then_some(*score)));
    TypeAnswer { scores: mteb_plugin_types::NamedScores(scores.collect()), ..TypeAnswer::default() }
}

fn from_json<T: DeserializeOwned>(json: &str) -> Result<T, PluginError> {
    serde_json::from_str(json)
        .map_err(|error| PluginError::invalid_input(format!("the request of the host: {error}")))
}

fn to_json(answer: &impl serde::Serialize) -> Result<String, PluginError> {
    serde_json::to_string(answer).map_err(|error| PluginError::failed(error.to_string()))
}

/// Rankings and judgements of a unit.
#[derive(Debug)]
pub struct Rankings<'a> {
    ids: Vec<String>,
    found_begins: &'a [u32],
    found: &'a [u32],
    grades: &'a [f64],
    scores: &'a [f64],
    judged_begins: &'a [u32],
    judged: &'a [u32],
    judged_grades: &'a [f64],
}

/// One query: documents by number, see [`Rankings::id`].
#[derive(Clone, Copy, Debug, Default)]
pub struct RankedQuery<'a> {
    /// The documents that were found, best first; ties go to the larger id.
    pub found: &'a [u32],
    /// Their scores.
    pub scores: &'a [f64],
    /// Their grades; NaN of a document that nobody judged.
    pub grades: &'a [f64],
    /// The documents that are judged, highest grade first.
    pub judged: &'a [u32],
    /// Their grades.
    pub judged_grades: &'a [f64],
}

impl<'a> Rankings<'a> {
    fn open(memory: &'a Mapped, ranked: &RankedPlaces) -> Result<Self, PluginError> {
        let named = |place: Option<Place>| {
            place.ok_or_else(|| PluginError::invalid_input("expected the ids of documents, found none"))
        };
        let rankings = Self {
            ids: memory.lines(named(ranked.documents)?)?,
            found_begins: memory.places(ranked.found_begins)?,
            found: memory.places(named(ranked.found_documents)?)?,
            grades: memory.doubles(ranked.found_grades)?,
            scores: memory.doubles(ranked.found_scores)?,
            judged_begins: memory.places(ranked.judged_begins)?,
            judged: memory.places(named(ranked.judged_documents)?)?,
            judged_grades: memory.doubles(ranked.judged_grades)?,
        };
        Ok(rankings)
    }

    /// Number of queries, which is that of the rows.
    pub fn len(&self) -> usize {
        self.found_begins.len().saturating_sub(1)
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids of all documents that were found or are judged, by number.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// The id of a document.
    pub fn id(&self, document: u32) -> &str {
        &self.ids[document as usize]
    }

    /// The query in row `index`.
    pub fn query(&self, index: usize) -> RankedQuery<'a> {
        let range = |begins: &[u32]| begins[index] as usize..begins[index + 1] as usize;
        let (found, judged) = (range(self.found_begins), range(self.judged_begins));
        RankedQuery {
            found: &self.found[found.clone()],
            scores: &self.scores[found.clone()],
            grades: &self.grades[found],
            judged: &self.judged[judged.clone()],
            judged_grades: &self.judged_grades[judged],
        }
    }

    /// The queries, in the order of the rows.
    pub fn queries(&self) -> impl Iterator<Item = RankedQuery<'a>> {
        (0..self.len()).map(|index| self.query(index))
    }
}

//! Figures of texts, which are encoded for them: those of a task in two dimensions (`figure map`),
//! and how alike the means of a few texts of each dataset are (figure 2).

use mteb_inspect::few_texts::few_texts;
use mteb_inspect::labelled_texts::{LabelledText, labelled_texts};
use mteb_models::encode::prompt_for;
use mteb_models::model::ModelChoice;
use mteb_plugin_api::v1::Role;
use mteb_registry::Selected;
use mteb_report::figure::{MappedTexts, MeanEmbedding, figure_2, figure_map};
use mteb_source::{DataSources, SourceError};
use mteb_tasks::Corpus;
use mteb_workers::plugins::{Catalog, ModelClient, WorkerError};
use mteb_workers::settings::Settings;

use super::arguments::{FigureArgs, TextArgs};
use crate::commands::arguments::start_encoder;
use crate::commands::discover::{discover, say_refusals};
use crate::commands::selected::check_locks;
use crate::exit::Exit;
use crate::output;

impl FigureArgs {
    pub(super) fn map(&self) -> Exit {
        self.try_map().unwrap_or_else(|exit| exit)
    }

    fn try_map(&self) -> Result<Exit, Exit> {
        let settings = self.board.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let tasks = self.choose(&catalog)?;
        let [task] = &tasks[..] else {
            return Err(output::usage(format!(
                "expected one task to draw, found {}; name it with `--task NAME`, and a subset with \
                 `--task NAME:SUBSET`",
                tasks.len()
            )));
        };
        check_locks(&tasks, None)?;
        let mut client = self.start_encoder(&catalog, &settings)?;
        let mut sources = DataSources::new(settings, &catalog);
        let count = self.texts.texts.unwrap_or(TEXTS);
        let texts = encode_texts(task, &mut client, &mut sources, count).map_err(output::failed)?;
        let (name, model) = (&task.entry.card.name, &client.info().identity.name);
        let title = format!("{name}, {} texts, {model}", texts.texts.len());
        Ok(self.write("map", figure_map(&texts, self.texts.method.method(), &title)))
    }
}

/// Texts of a map where no number is given: as many as the eye tells apart.
pub const TEXTS: u32 = 1000;

/// Why the texts of a task are on no map.
#[derive(Debug, thiserror::Error)]
pub enum NoMap {
    /// They cannot be read.
    #[error("{task}: {source}")]
    Unread {
        /// The task.
        task: String,
        /// Why not.
        source: Box<SourceError>,
    },
    /// The model does not encode them.
    #[error("{task}: {source}")]
    NotEncoded {
        /// The task.
        task: String,
        /// Why not.
        source: WorkerError,
    },
}

/// At most `count` texts of the first split and subset of `task`, encoded by `client`.
///
/// # Errors
/// If they cannot be read or encoded.
pub fn encode_texts(
    task: &Selected,
    client: &mut ModelClient,
    sources: &mut DataSources,
    count: u32,
) -> Result<MappedTexts, NoMap> {
    let card = &task.entry.card;
    let name = || card.name.clone();
    let found = read_labelled(task, sources, count)
        .map_err(|source| NoMap::Unread { task: name(), source: Box::new(source) })?;
    let (labels, texts): (Vec<_>, Vec<_>) = found.into_iter().map(|one| (one.label, one.text)).unzip();
    let prompt = prompt_for(&client.info().prompts, card, None);
    let rows =
        encode(client, &texts, &prompt).map_err(|source| NoMap::NotEncoded { task: name(), source })?;
    Ok(MappedTexts { texts, labels, rows })
}

/// Texts of the task's first split and subset, or none where it has no split.
fn read_labelled(
    task: &Selected,
    sources: &mut DataSources,
    count: u32,
) -> Result<Vec<LabelledText>, SourceError> {
    let Some((split, subset)) = task.units().next() else { return Ok(Vec::new()) };
    let (unit, corpus) = sources.stream(&task.entry, split, subset)?;
    let corpus = corpus.as_ref().map(|corpus| corpus.open().map(|chunk| chunk.map_err(SourceError::from)));
    labelled_texts(&task.entry.card, &unit, corpus, count as usize)
}

/// Texts that the model encodes at a time.
const BATCH: usize = 32;

impl FigureArgs {
    /// Starts the one model that `--model` names.
    pub(super) fn start_encoder(
        &self,
        catalog: &Catalog,
        settings: &Settings,
    ) -> Result<Box<ModelClient>, Exit> {
        let [model] = &self.model[..] else {
            return Err(output::usage("expected one model to encode the texts; name it with `--model NAME`"));
        };
        let TextArgs { device, dtype, .. } = &self.texts;
        let choice = ModelChoice { device: device.clone(), dtype: dtype.dtype(), ..ModelChoice::new(model) };
        start_encoder(&choice, catalog, settings)
    }
}

/// The embeddings of `texts`, row after row.
pub fn encode(client: &mut ModelClient, texts: &[String], prompt: &str) -> Result<Vec<f64>, WorkerError> {
    let mut rows = Vec::with_capacity(texts.len() * client.info().dimension as usize);
    for batch in texts.chunks(BATCH) {
        let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
        rows.extend(client.encode(&batch, Role::None, prompt)?.iter().map(|number| f64::from(*number)));
    }
    Ok(rows)
}

impl FigureArgs {
    pub(super) fn similarity(&self) -> Exit {
        self.try_similarity().unwrap_or_else(|exit| exit)
    }

    fn try_similarity(&self) -> Result<Exit, Exit> {
        let settings = self.board.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let tasks = self.choose(&catalog)?;
        check_locks(&tasks, None)?;
        let mut client = self.start_encoder(&catalog, &settings)?;
        let mut sources = DataSources::new(settings, &catalog);
        let (mut datasets, mut exit) = (Vec::new(), Exit::Done);
        for task in &tasks {
            match self.mean(task, &mut sources, &mut client)? {
                Ok(mean) => datasets.push(mean),
                Err(error) => {
                    output::failure(format!("{}: {error}", task.entry.card.name));
                    exit = Exit::Failed;
                }
            }
        }
        if datasets.len() < 2 {
            return Err(output::failed(format!(
                "expected the data of two tasks or more, found that of {}",
                datasets.len()
            )));
        }
        let name = client.info().identity.name.clone();
        let written = self.write("similarity", figure_2(&datasets, self.count(), &name));
        Ok(if exit == Exit::Done { written } else { exit })
    }

    /// Texts to encode of each dataset.
    fn count(&self) -> usize {
        self.texts.texts.unwrap_or(100) as usize
    }

    /// The mean embedding of a few texts of a task's first split and subset, or why there is none.
    fn mean(
        &self,
        task: &Selected,
        sources: &mut DataSources,
        client: &mut ModelClient,
    ) -> Result<Result<MeanEmbedding, NoMean>, Exit> {
        let card = &task.entry.card;
        let Some((split, subset)) = task.units().next() else { return Ok(Err(NoMean::NoSplit)) };
        let unit = (split.to_owned(), subset.to_owned());
        let texts = match self.read_few(task, split, subset, sources) {
            Ok(texts) if texts.is_empty() => return Ok(Err(NoMean::NoTexts { unit })),
            Ok(texts) => texts,
            Err(error) => return Ok(Err(NoMean::Unread { unit, source: Box::new(error) })),
        };
        if texts.len() < self.count() {
            let found = output::count(texts.len(), "text");
            output::warn(format!("{}, split {split}, subset {subset}: it has {found}", card.name));
        }
        let prompt = prompt_for(&client.info().prompts, card, None);
        let mean = mean(client, &texts, &prompt)
            .map_err(|error| output::failed(format!("{}: {error}", card.name)))?;
        Ok(Ok(MeanEmbedding { name: card.name.clone(), mean }))
    }

    fn read_few(
        &self,
        task: &Selected,
        split: &str,
        subset: &str,
        sources: &mut DataSources,
    ) -> Result<Vec<String>, SourceError> {
        let (unit, corpus) = sources.stream(&task.entry, split, subset)?;
        let corpus =
            corpus.as_ref().map(|corpus| corpus.open().map(|chunk| chunk.map_err(SourceError::from)));
        few_texts(&task.entry.card, &unit, corpus, self.count(), self.texts.pick.pick())
    }
}

/// Why a task has no mean embedding.
#[derive(Debug, thiserror::Error)]
enum NoMean {
    /// It has nothing to score.
    #[error("it has no split")]
    NoSplit,
    /// Its first unit has no texts.
    #[error("split {}, subset {}: no texts", .unit.0, .unit.1)]
    NoTexts {
        /// Split and subset.
        unit: (String, String),
    },
    /// Its first unit cannot be read.
    #[error("split {}, subset {}: {source}", .unit.0, .unit.1)]
    Unread {
        /// Split and subset.
        unit: (String, String),
        /// Why not.
        source: Box<SourceError>,
    },
}

fn mean(client: &mut ModelClient, texts: &[String], prompt: &str) -> Result<Vec<f64>, WorkerError> {
    let dimension = client.info().dimension as usize;
    let mut mean = vec![0.0; dimension];
    for row in encode(client, texts, prompt)?.chunks_exact(dimension) {
        mean.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    mean.iter_mut().for_each(|sum| *sum /= texts.len() as f64);
    Ok(mean)
}

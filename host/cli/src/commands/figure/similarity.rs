//! Figure 2: encodes a few texts of each dataset and draws how alike their means are.

use mteb_inspect::few_texts::few_texts;
use mteb_models::encode::prompt_for;
use mteb_registry::Selected;
use mteb_report::figure::{MeanEmbedding, figure_2};
use mteb_source::{DataSources, SourceError};
use mteb_tasks::Corpus;
use mteb_workers::plugins::{ModelClient, WorkerError};

use super::arguments::FigureArgs;
use super::map::encode;
use crate::commands::discover::{discover, say_refusals};
use crate::commands::locks::check_locks;
use crate::exit::Exit;
use crate::output;

impl FigureArgs {
    pub(super) fn similarity(&self) -> Exit {
        self.try_similarity().unwrap_or_else(|exit| exit)
    }

    fn try_similarity(&self) -> Result<Exit, Exit> {
        let settings = self.board.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let tasks = self.chosen(&catalog)?;
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
        let texts = match self.few(task, split, subset, sources) {
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

    fn few(
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

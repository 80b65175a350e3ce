//! Figure 2: encodes a few texts of each dataset and draws how alike their means are.

use mteb_inspect::few_texts::few_texts;
use mteb_models::encode::prompt_for;
use mteb_models::model::ModelChoice;
use mteb_plugin_api::v1::Role;
use mteb_registry::Selected;
use mteb_report::figure::{MeanEmbedding, figure_2};
use mteb_source::{DataSources, SourceError};
use mteb_tasks::Corpus;
use mteb_workers::plugins::{ModelClient, WorkerError};

use super::arguments::{FigureArgs, SimilarityArgs};
use crate::commands::discover::{discover, say_refusals};
use crate::commands::encoder::start_encoder;
use crate::commands::locks::check_locks;
use crate::exit::Exit;
use crate::output;

/// Texts that the model encodes at a time.
const BATCH: usize = 32;

impl FigureArgs {
    pub(super) fn similarity(&self) -> Exit {
        self.try_similarity().unwrap_or_else(|exit| exit)
    }

    fn try_similarity(&self) -> Result<Exit, Exit> {
        let [model] = &self.model[..] else {
            output::error("expected one model to encode the texts; name it with `--model NAME`");
            return Err(Exit::Usage);
        };
        let settings = self.board.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let tasks = self.chosen(&catalog)?;
        check_locks(&tasks, None)?;
        let SimilarityArgs { device, dtype, .. } = &self.similarity;
        let choice = ModelChoice { device: device.clone(), dtype: dtype.dtype(), ..ModelChoice::new(model) };
        let mut client = start_encoder(&choice, &catalog, &settings)?;
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
            output::error(format!(
                "expected the data of two tasks or more, found that of {}",
                datasets.len()
            ));
            return Err(Exit::Failed);
        }
        let name = client.info().identity.name.clone();
        let written = self.write("similarity", figure_2(&datasets, self.similarity.texts as usize, &name));
        Ok(if exit == Exit::Done { written } else { exit })
    }

    /// The mean embedding of a few texts of a task's first split and subset, or why there is none.
    fn mean(
        &self,
        task: &Selected,
        sources: &mut DataSources,
        client: &mut ModelClient,
    ) -> Result<Result<MeanEmbedding, String>, Exit> {
        let card = &task.entry.card;
        let Some((split, subset)) = task.units().next() else { return Ok(Err("it has no split".to_owned())) };
        let texts = match self.few(task, split, subset, sources) {
            Ok(texts) if texts.is_empty() => {
                return Ok(Err(format!("split {split}, subset {subset}: no texts")));
            }
            Ok(texts) => texts,
            Err(error) => return Ok(Err(format!("split {split}, subset {subset}: {error}"))),
        };
        if texts.len() < self.similarity.texts as usize {
            let found = output::count(texts.len(), "text");
            output::warn(format!("{}, split {split}, subset {subset}: it has {found}", card.name));
        }
        let prompt = prompt_for(&client.info().prompts, card, None);
        let mean = mean(client, &texts, &prompt).map_err(|error| {
            output::error(format!("{}: {error}", card.name));
            Exit::Failed
        })?;
        Ok(Ok(MeanEmbedding { name: card.name.clone(), mean }))
    }

    fn few(
        &self,
        task: &Selected,
        split: &str,
        subset: &str,
        sources: &mut DataSources,
    ) -> Result<Vec<String>, SourceError> {
        let (unit, corpus) = sources.streamed(&task.entry, split, subset)?;
        let corpus =
            corpus.as_ref().map(|corpus| corpus.open().map(|chunk| chunk.map_err(SourceError::from)));
        let SimilarityArgs { texts, pick, .. } = &self.similarity;
        few_texts(&task.entry.card, &unit, corpus, *texts as usize, pick.pick())
    }
}

fn mean(client: &mut ModelClient, texts: &[String], prompt: &str) -> Result<Vec<f64>, WorkerError> {
    let dimension = client.info().dimension as usize;
    let mut mean = vec![0.0; dimension];
    for batch in texts.chunks(BATCH) {
        let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
        for row in client.encode(&batch, Role::None, prompt)?.chunks_exact(dimension) {
            mean.iter_mut().zip(row).for_each(|(sum, number)| *sum += f64::from(*number));
        }
    }
    mean.iter_mut().for_each(|sum| *sum /= texts.len() as f64);
    Ok(mean)
}

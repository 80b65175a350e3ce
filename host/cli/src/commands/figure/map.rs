//! `figure map`: encodes the texts of a task and draws them in two dimensions.

use mteb_inspect::labelled_texts::{LabelledText, labelled_texts};
use mteb_models::encode::prompt_for;
use mteb_registry::Selected;
use mteb_report::figure::{MappedTexts, figure_map};
use mteb_source::{DataSources, SourceError};
use mteb_tasks::Corpus;

use super::arguments::FigureArgs;
use super::encoded::encode;
use crate::commands::discover::{discover, say_refusals};
use crate::commands::locks::check_locks;
use crate::exit::Exit;
use crate::output;

/// Texts of a map where no number is given: as many as the eye tells apart.
const TEXTS: u32 = 1000;

impl FigureArgs {
    pub(super) fn map(&self) -> Exit {
        self.try_map().unwrap_or_else(|exit| exit)
    }

    fn try_map(&self) -> Result<Exit, Exit> {
        let settings = self.board.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let tasks = self.chosen(&catalog)?;
        let [task] = &tasks[..] else {
            output::error(format!(
                "expected one task to draw, found {}; name it with `--task NAME`, and a subset with \
                 `--task NAME:SUBSET`",
                tasks.len()
            ));
            return Err(Exit::Usage);
        };
        check_locks(&tasks, None)?;
        let mut client = self.start_encoder(&catalog, &settings)?;
        let mut sources = DataSources::new(settings, &catalog);
        let name = &task.entry.card.name;
        let failed = |error: String| {
            output::error(format!("{name}: {error}"));
            Exit::Failed
        };
        let found = self.labelled(task, &mut sources).map_err(|error| failed(error.to_string()))?;
        let (labels, texts): (Vec<_>, Vec<_>) = found.into_iter().map(|one| (one.label, one.text)).unzip();
        let prompt = prompt_for(&client.info().prompts, &task.entry.card, None);
        let rows = encode(&mut client, &texts, &prompt).map_err(|error| failed(error.to_string()))?;
        let title = format!("{name}, {} texts, {}", texts.len(), client.info().identity.name);
        let texts = MappedTexts { texts, labels, rows };
        Ok(self.write("map", figure_map(&texts, self.texts.method.method(), &title)))
    }

    /// Texts of the task's first split and subset, or none where it has no split.
    fn labelled(&self, task: &Selected, sources: &mut DataSources) -> Result<Vec<LabelledText>, SourceError> {
        let Some((split, subset)) = task.units().next() else { return Ok(Vec::new()) };
        let (unit, corpus) = sources.stream(&task.entry, split, subset)?;
        let corpus =
            corpus.as_ref().map(|corpus| corpus.open().map(|chunk| chunk.map_err(SourceError::from)));
        let count = self.texts.texts.unwrap_or(TEXTS) as usize;
        labelled_texts(&task.entry.card, &unit, corpus, count)
    }
}

//! The texts of a task with their labels and embeddings: what a map is drawn from, of `figure` and of a page.

use mteb_inspect::labelled_texts::{LabelledText, labelled_texts};
use mteb_models::encode::prompt_for;
use mteb_registry::Selected;
use mteb_report::figure::MappedTexts;
use mteb_source::{DataSources, SourceError};
use mteb_tasks::Corpus;
use mteb_workers::plugins::ModelClient;

use super::encoded::encode;

/// Texts of a map where no number is given: as many as the eye tells apart.
pub const TEXTS: u32 = 1000;

/// At most `count` texts of the first split and subset of `task`, encoded by `client`.
///
/// # Errors
/// Why they cannot be read or encoded, after the name of the task.
pub fn mapped(
    task: &Selected,
    client: &mut ModelClient,
    sources: &mut DataSources,
    count: u32,
) -> Result<MappedTexts, String> {
    let card = &task.entry.card;
    let failed = |error: String| format!("{}: {error}", card.name);
    let found = labelled(task, sources, count).map_err(|error| failed(error.to_string()))?;
    let (labels, texts): (Vec<_>, Vec<_>) = found.into_iter().map(|one| (one.label, one.text)).unzip();
    let prompt = prompt_for(&client.info().prompts, card, None);
    let rows = encode(client, &texts, &prompt).map_err(|error| failed(error.to_string()))?;
    Ok(MappedTexts { texts, labels, rows })
}

/// Texts of the task's first split and subset, or none where it has no split.
fn labelled(
    task: &Selected,
    sources: &mut DataSources,
    count: u32,
) -> Result<Vec<LabelledText>, SourceError> {
    let Some((split, subset)) = task.units().next() else { return Ok(Vec::new()) };
    let (unit, corpus) = sources.stream(&task.entry, split, subset)?;
    let corpus = corpus.as_ref().map(|corpus| corpus.open().map(|chunk| chunk.map_err(SourceError::from)));
    labelled_texts(&task.entry.card, &unit, corpus, count as usize)
}

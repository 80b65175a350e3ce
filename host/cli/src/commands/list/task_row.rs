//! What a list says of a task.

use mteb_card::Dataset;
use mteb_registry::{Origin, Selected};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// A task as a row of a list. It is written from the card as it is: over a thousand rows hold a hundred thousand names of languages,
/// subsets and splits.
pub struct TaskRow<'a>(pub &'a Selected);

impl Serialize for TaskRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(task) = self;
        let card = &task.entry.card;
        let mut row = serializer.serialize_struct("TaskRow", 22)?;
        row.serialize_field("name", &card.name)?;
        row.serialize_field("type", &card.task_type)?;
        row.serialize_field("languages", &task.languages())?;
        row.serialize_field("subsets", &task.subset_names())?;
        row.serialize_field("splits", &task.splits)?;
        row.serialize_field("main_score", card.main_score())?;
        row.serialize_field("ranks", &card.task_type.is_ranking())?;
        row.serialize_field("domains", &card.domains)?;
        row.serialize_field("license", &card.license)?;
        row.serialize_field("category", &card.category)?;
        row.serialize_field("date", &card.date)?;
        row.serialize_field("provenance", &card.badge())?;
        row.serialize_field("registry", &task.entry.registry)?;
        row.serialize_field("source", &source(&task.entry.origin, &card.dataset))?;
        row.serialize_field("dataset", &card.dataset.fetched().or(card.dataset.name.as_deref()))?;
        row.serialize_field("revision", card.revision())?;
        row.serialize_field("private", &card.private.then_some(true))?;
        row.serialize_field("unsupported", &card.unsupported)?;
        row.serialize_field("description", &card.description)?;
        row.serialize_field("reference", &card.reference)?;
        row.serialize_field("annotations", &card.annotations)?;
        row.serialize_field("sample_creation", &card.sample_creation)?;
        row.end()
    }
}

fn source(origin: &Origin, dataset: &Dataset) -> String {
    let fetched = dataset.places().find_map(|(field, place)| Some(format!("{field} {}", place.fetched()?)));
    match (fetched, origin) {
        (Some(fetched), _) => fetched,
        (None, Origin::Pack(pack)) => format!("pack {pack}"),
        (None, Origin::File(path)) => path.display().to_string(),
        (None, Origin::Embedded(name)) => name.clone(),
    }
}

//! Whether a model was trained on pairs that people or their work labelled: the two groups of table 1 of the MTEB paper.

use crate::table::Row;

/// How a model was trained, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Training {
    /// On texts alone.
    SelfSupervised,
    /// On labelled pairs or sentences.
    Supervised,
    /// Nobody says.
    NotStated,
}

/// The models that the paper calls self-supervised. Source: Muennighoff et al. 2023, table 1.
const SELF_SUPERVISED: [&str; 5] = [
    "sentence-transformers/average_word_embeddings_glove.6B.300d",
    "sentence-transformers/average_word_embeddings_komninos",
    "bert-base-uncased",
    "google-bert/bert-base-uncased",
    "princeton-nlp/unsup-simcse-bert-base-uncased",
];

/// Those that it calls supervised and whose cards name no data that they were trained on; the begin of names counts.
const SUPERVISED: [&str; 18] = [
    "Muennighoff/SGPT-",
    "bigscience/sgpt-bloom-7b1-msmarco",
    "bigscience-data/sgpt-bloom-1b7-nli",
    "nthakur/contriever-base-msmarco",
    "openai/text-similarity-ada-001",
    "princeton-nlp/sup-simcse-bert-base-uncased",
    "sentence-transformers/LaBSE",
    "sentence-transformers/all-MiniLM-L12-v2",
    "sentence-transformers/all-MiniLM-L6-v2",
    "sentence-transformers/all-mpnet-base-v2",
    "sentence-transformers/allenai-specter",
    "sentence-transformers/gtr-t5-",
    "sentence-transformers/msmarco-bert-co-condensor",
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    "sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
    "sentence-transformers/sentence-t5-",
    "LASER2",
    "facebook/LASER2",
];

impl Training {
    /// How the model of a row was trained: as the paper has it, else by the data that its card names. A card that names none of the
    /// tasks' data says nothing of other data.
    pub fn of(row: &Row) -> Self {
        let model = row.model.as_str();
        let names_data = || row.facts.training_datasets.as_ref().is_some_and(|names| !names.is_empty());
        if SELF_SUPERVISED.contains(&model) {
            Self::SelfSupervised
        } else if SUPERVISED.iter().any(|begin| model.starts_with(begin)) || names_data() {
            Self::Supervised
        } else {
            Self::NotStated
        }
    }

    /// Its name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::SelfSupervised => "self-supervised",
            Self::Supervised => "supervised",
            Self::NotStated => "not stated",
        }
    }
}

//! What a task puts side by side: sentences or paragraphs.

use std::collections::BTreeMap;

use mteb_tasks::Part;
use serde::Serialize;

use super::part::PartStats;

/// Characters on average from which on texts are paragraphs. The lists of the MTEB paper (Muennighoff et al. 2023, appendix A) part
/// between BIOSSES (159, sentences) and the summaries of SummEval (285, paragraphs), but for ToxicConversations, whose comments of 289
/// they call sentences.
const PARAGRAPH: f64 = 200.0;

/// The paper's category of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Pairing {
    /// Sentences with sentences.
    #[serde(rename = "S2S")]
    SentencesToSentences,
    /// Paragraphs with paragraphs.
    #[serde(rename = "P2P")]
    ParagraphsToParagraphs,
    /// Sentences with paragraphs.
    #[serde(rename = "S2P")]
    SentencesToParagraphs,
}

impl Pairing {
    /// The category of texts that are so long on average, on either side.
    pub fn of_lengths(left: f64, right: f64) -> Self {
        match (left < PARAGRAPH, right < PARAGRAPH) {
            (true, true) => Self::SentencesToSentences,
            (false, false) => Self::ParagraphsToParagraphs,
            _ => Self::SentencesToParagraphs,
        }
    }

    /// The category of a unit: of its queries and its corpus, of the two texts of a row, or of its texts with each other. `None`
    /// if a side has no text.
    pub(super) fn of(parts: &BTreeMap<&'static str, PartStats>) -> Option<Self> {
        let side = |part: Part| parts.get(part.as_str());
        if let (Some(queries), Some(corpus)) = (side(Part::Queries), side(Part::Corpus)) {
            return Some(Self::of_lengths(length(queries)?, length(corpus)?));
        }
        let rows = side(Part::Rows)?;
        let mean = |column: &str| rows.texts.get(column)?.characters.as_ref().map(|lengths| lengths.mean);
        match (mean("sentence1"), mean("sentence2")) {
            (Some(left), Some(right)) => Some(Self::of_lengths(left, right)),
            _ => length(rows).map(|all| Self::of_lengths(all, all)),
        }
    }

    /// As the paper writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::SentencesToSentences => "S2S",
            Self::ParagraphsToParagraphs => "P2P",
            Self::SentencesToParagraphs => "S2P",
        }
    }
}

/// Characters of a text on average: those of a document are its title's and its text's together.
fn length(part: &PartStats) -> Option<f64> {
    let (mut characters, mut texts) = (0, 0);
    for (name, column) in &part.texts {
        characters += column.characters.as_ref().map_or(0, |lengths| lengths.total);
        texts += if *name == "title" { 0 } else { column.count };
    }
    (texts > 0).then(|| characters as f64 / texts as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of a text on average on either side, by the reference's descriptive statistics, and the paper's category.
    const PAPER: [(&str, f64, f64, &str); 37] = [
        ("AmazonCounterfactualClassification", 93.4, 93.4, "S2S"),
        ("AmazonPolarityClassification", 431.4, 431.4, "P2P"),
        ("AmazonReviewsClassification", 160.4, 160.4, "S2S"),
        ("Banking77Classification", 54.2, 54.2, "S2S"),
        ("EmotionClassification", 96.6, 96.6, "S2S"),
        ("ImdbClassification", 1293.8, 1293.8, "P2P"),
        ("MTOPDomainClassification", 39.7, 39.7, "S2S"),
        ("MassiveIntentClassification", 34.5, 34.5, "S2S"),
        ("TweetSentimentExtractionClassification", 67.8, 67.8, "S2S"),
        ("ArxivClusteringP2P", 1009.9, 1009.9, "P2P"),
        ("ArxivClusteringS2S", 74.0, 74.0, "S2S"),
        ("BiorxivClusteringP2P", 1666.2, 1666.2, "P2P"),
        ("RedditClustering", 64.7, 64.7, "S2S"),
        ("RedditClusteringP2P", 727.7, 727.7, "P2P"),
        ("StackExchangeClustering", 57.0, 57.0, "S2S"),
        ("StackExchangeClusteringP2P", 1090.7, 1090.7, "P2P"),
        ("TwentyNewsgroupsClustering", 32.0, 32.0, "S2S"),
        ("SprintDuplicateQuestions", 67.9, 53.8, "S2S"),
        ("TwitterSemEval2015", 38.3, 46.6, "S2S"),
        ("AskUbuntuDupQuestions", 50.1, 52.5, "S2S"),
        ("MindSmallReranking", 68.7, 65.1, "S2S"),
        ("SciDocsRR", 69.9, 71.5, "S2S"),
        ("ArguAna", 1192.7, 1029.5, "P2P"),
        ("DBPedia", 34.1, 310.2, "S2P"),
        ("FiQA2018", 62.7, 767.2, "S2P"),
        ("HotpotQA", 92.2, 288.9, "S2P"),
        ("MSMARCO", 33.3, 335.8, "S2P"),
        ("NFCorpus", 21.8, 1590.8, "S2P"),
        ("NQ", 48.2, 493.2, "S2P"),
        ("QuoraRetrieval", 51.5, 62.2, "S2S"),
        ("SciFact", 90.3, 1499.4, "S2P"),
        ("TRECCOVID", 69.2, 1117.5, "S2P"),
        ("Touche2020", 43.4, 1720.3, "S2P"),
        ("BIOSSES", 154.7, 158.5, "S2S"),
        ("STSBenchmark", 53.7, 53.5, "S2S"),
        ("STS22", 2141.3, 1845.9, "P2P"),
        ("SummEval", 226.3, 342.8, "P2P"),
    ];

    #[test]
    fn lengths_give_the_categories_of_the_paper() {
        for (task, left, right, category) in PAPER {
            assert_eq!(Pairing::of_lengths(left, right).name(), category, "{task}");
        }
        assert_eq!(
            Pairing::of_lengths(289.0, 289.0).name(),
            "P2P",
            "ToxicConversations, which the paper calls S2S"
        );
    }
}

//! Whether a language model wrote the texts of a task and judged them, as its card says: the badge that tables show.

use serde::{Deserialize, Serialize};

use super::task_card::TaskCard;
use super::vocabulary::{AnnotationsCreator, SampleCreation};

vocabulary! {
    /// What a language model did for a task in place of people.
    Badge {
        WrittenAndJudged = "LM-written, LM-judged",
        Written = "LM-written",
        Judged = "LM-judged",
    }
}

impl TaskCard {
    /// What a language model did for the task; `None` where its card says nothing of the kind.
    pub fn badge(&self) -> Option<Badge> {
        let is_written = self.sample_creation == Some(SampleCreation::LMGeneratedAndVerified);
        let is_judged = matches!(
            self.annotations,
            Some(AnnotationsCreator::LMGenerated | AnnotationsCreator::LMGeneratedAndReviewed)
        );
        match (is_written, is_judged) {
            (true, true) => Some(Badge::WrittenAndJudged),
            (true, false) => Some(Badge::Written),
            (false, true) => Some(Badge::Judged),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn badge(facts: &str) -> Option<&'static str> {
        let card = format!(
            "schema = 1\nname = \"A\"\ntype = \"STS\"\ndescription = \"d\"\n{facts}[dataset]\npath = \"a\"\n"
        );
        TaskCard::from_toml(&card).unwrap().badge().map(Badge::as_str)
    }

    #[test]
    fn a_badge_says_what_a_language_model_did() {
        let (written, judged) = (
            "sample_creation = \"LM-generated and verified\"\n",
            "annotations = \"LM-generated and reviewed\"\n",
        );
        assert_eq!(badge(&format!("{written}{judged}")), Some("LM-written, LM-judged"));
        assert_eq!(badge(written), Some("LM-written"));
        assert_eq!(badge("annotations = \"LM-generated\"\n"), Some("LM-judged"));
    }

    #[test]
    fn people_and_silence_have_none() {
        assert_eq!(badge(""), None);
        assert_eq!(badge("sample_creation = \"found\"\nannotations = \"human-annotated\"\n"), None);
        assert_eq!(badge("sample_creation = \"machine-translated\"\nannotations = \"derived\"\n"), None);
    }
}

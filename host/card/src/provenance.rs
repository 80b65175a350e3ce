//! Whether a language model wrote the texts of a task and judged them, as its card says (the badge
//! that tables show), and who scored an entry of a result file: the one rule for the run that keeps
//! it and the table that shows it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// What marks an entry that somebody else scored in a file of this host: the revision of its data stands there.
pub const OTHERS: &str = "others";

/// JSON, in whatever form a reader holds it.
pub trait Said {
    /// What stands under `key`; `None` where nothing does.
    fn under(&self, key: &str) -> Option<&Self>;

    /// True of `null`.
    fn is_nothing(&self) -> bool;
}

impl Said for Value {
    fn under(&self, key: &str) -> Option<&Self> {
        self.get(key)
    }

    fn is_nothing(&self) -> bool {
        self.is_null()
    }
}

/// True if somebody else scored an entry with the version `version` of which a file of this host, of the version `of_file`, says
/// `facts`: it is marked as theirs. Files of before such marks hold them without a model and options.
pub fn is_scored_by_others(facts: &impl Said, version: Option<&str>, of_file: Option<&str>) -> bool {
    let is_unknown =
        || facts.under("model").is_some_and(Said::is_nothing) && facts.under("options").is_none();
    facts.under(OTHERS).is_some() || (is_unknown() && version != of_file)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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

    #[test]
    fn entries_of_others_are_marked_or_of_no_known_model_and_of_another_version() {
        let is_theirs = |facts: Value, version| is_scored_by_others(&facts, Some(version), Some("2.26.24"));
        assert!(is_theirs(json!({"others": {"dataset_revision": "a"}}), "2.26.24"));
        assert!(is_theirs(json!({"model": null}), "2.1.4"));
        assert!(!is_theirs(json!({"model": null}), "2.26.24"), "of this host, of an unknown model");
        assert!(!is_theirs(json!({"model": null, "options": {}}), "2.1.4"));
        assert!(!is_theirs(json!({}), "2.1.4"));
    }
}

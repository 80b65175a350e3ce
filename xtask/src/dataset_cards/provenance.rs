//! Who wrote and judged a dataset, and what follows from it: the first lines below the title of its card.

use serde_json::Value;

use super::words::Words;

/// The badge of a task whose texts and judgements are by a language model, as the host tells it.
const BY_MODEL: &str = "LM-written, LM-judged";

/// The paragraph, with an empty line behind it; nothing where people wrote or judged.
pub fn paragraph(task: &Value, card: &Value, words: &Words) -> String {
    let date = |place: usize| card["date"][place].as_str().unwrap_or_default();
    if task["provenance"] != BY_MODEL {
        return String::new();
    }
    words.provenance.replace("{first}", date(0)).replace("{last}", date(1)) + "\n\n"
}

//! The cards of judges: those that are part of the host, and files of the user's.

use std::path::Path;

use mteb_base::suggest;
use mteb_graded::judge::{JudgeCard, parse_card};
use mteb_graded::read_text;
use mteb_registry::bundled;

/// Folder of the cards that are part of the host.
const FOLDER: &str = "judges";

/// A judge's card and where it was found.
#[derive(Clone, Debug)]
pub struct FoundJudge {
    /// The card.
    pub card: JudgeCard,
    /// Its file, for messages.
    pub file: String,
    /// Its text.
    pub text: String,
    /// True if it is part of the host.
    pub is_embedded: bool,
}

/// The judge of a card file, or the bundled one that is called `name`.
///
/// # Errors
/// One line: there is none, its card is at fault, or it has the name of a bundled judge and asks another model.
pub fn find_judge(name: &str) -> Result<FoundJudge, String> {
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") || path.is_file() {
        let text = read_text(path, mteb_files::TEXT).map_err(|error| error.to_string())?;
        let card = parse_card(name, &text).map_err(|error| error.to_string())?;
        if let Some(borrowed) = borrowed_name(&card) {
            return Err(format!("{name}: {borrowed}; give this judge another `name`"));
        }
        return Ok(FoundJudge { card, file: name.to_owned(), text, is_embedded: false });
    }
    let path = format!("{FOLDER}/{name}.toml");
    let Some(file) = bundled::file(&path) else {
        let names = judge_names();
        let known = format!("known: {}", names.join(", "));
        let hint = suggest::hint(name, names.iter().copied(), &known);
        return Err(format!("expected the card of a judge, a file or a name, found: {name}{hint}"));
    };
    let card = parse_card(&path, file.text()).map_err(|error| error.to_string())?;
    Ok(FoundJudge { card, file: path, text: file.text().to_owned(), is_embedded: true })
}

/// Why a card may not have its name: a bundled judge has it, and that one asks another model, or the same one elsewhere.
#[must_use]
pub fn borrowed_name(card: &JudgeCard) -> Option<String> {
    let path = format!("{FOLDER}/{}.toml", card.name);
    let bundled = parse_card(&path, bundled::file(&path)?.text()).ok()?;
    let asked = |card: &JudgeCard| {
        (card.endpoint.style, card.endpoint.url.trim_end_matches('/').to_owned(), card.endpoint.model.clone())
    };
    (asked(&bundled) != asked(card)).then(|| {
        format!(
            "expected the model `{}` at {}, as the bundled judge {} asks it, found the model `{}` at {}",
            bundled.endpoint.model,
            bundled.endpoint.url,
            card.name,
            card.endpoint.model,
            if card.endpoint.url.is_empty() { "no address" } else { &card.endpoint.url }
        )
    })
}

/// The names of the judges that are part of the host, sorted.
pub fn judge_names() -> Vec<&'static str> {
    bundled::files_below(FOLDER).filter_map(|file| file.name().strip_suffix(".toml")).collect()
}

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

/// The judge of a card file, or the one of the host that is called `name`.
///
/// # Errors
/// One line: there is none, or its card is at fault.
pub fn find_judge(name: &str) -> Result<FoundJudge, String> {
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") || path.is_file() {
        let text = read_text(path, mteb_files::TEXT).map_err(|error| error.to_string())?;
        let card = parse_card(name, &text).map_err(|error| error.to_string())?;
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

/// The names of the judges that are part of the host, sorted.
pub fn judge_names() -> Vec<&'static str> {
    bundled::files_below(FOLDER).filter_map(|file| file.name().strip_suffix(".toml")).collect()
}

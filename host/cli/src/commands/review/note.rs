//! The sentence on the agreement of annotators in the notes of a card.

use std::io;
use std::path::PathBuf;

use mteb_card::TaskCard;
use mteb_registry::Origin;

/// How the sentence of agreement begins in the notes of a card.
pub const NOTE: &str = "Agreement of annotators:";

/// How it began in earlier versions.
const EARLIER_NOTE: &str = "Agreement of readers:";

/// Puts the sentence into the notes of the card, in the place of an earlier one.
///
/// # Errors
/// If the card is in no file, or cannot be changed there.
pub fn write_note(card: &TaskCard, origin: &Origin, note: &str) -> Result<(), NoteError> {
    let Origin::File(path) = origin else {
        return Err(NoteError::NoFile { origin: origin.label() });
    };
    let text = std::fs::read_to_string(path)
        .map_err(|source| NoteError::Unreadable { path: path.clone(), source })?;
    let before = card.notes.as_deref().unwrap_or_default();
    let without = |notes: &str, begin: &str| notes.split(begin).next().unwrap_or_default().to_owned();
    let kept = without(&without(before, NOTE), EARLIER_NOTE);
    let kept = kept.trim();
    let notes = format!("{kept} {note}").trim().to_owned();
    let written = replace_notes(&text, &notes)
        .ok_or_else(|| NoteError::ByHand { path: path.clone(), note: note.to_owned() })?;
    mteb_files::write(path, written.as_bytes())
        .map_err(|source| NoteError::Unwritable { path: path.clone(), source })
}

/// Why a card has no note on the agreement.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// The card is in no file.
    #[error("expected a card in a file for `--write`, found one of {origin}")]
    NoFile {
        /// Where it is.
        origin: String,
    },
    /// The card cannot be read.
    #[error("{}: cannot be read: {source}", .path.display())]
    Unreadable {
        /// Its file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The notes of the card are written in a way that only a person can change.
    #[error("{}: expected `notes` on one line, found something else; add by hand: {note}", .path.display())]
    ByHand {
        /// Its file.
        path: PathBuf,
        /// What is to be added.
        note: String,
    },
    /// The card cannot be written.
    #[error("{}: cannot be written: {source}", .path.display())]
    Unwritable {
        /// Its file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// The card with these notes, which stand on one line before the first table.
fn replace_notes(text: &str, notes: &str) -> Option<String> {
    let line = format!("notes = {}", toml::Value::from(notes));
    let lines: Vec<&str> = text.lines().collect();
    let first_table = lines.iter().position(|line| line.trim_start().starts_with('[')).unwrap_or(lines.len());
    let old = lines[..first_table]
        .iter()
        .position(|line| line.trim_start().starts_with("notes") && line.contains('='));
    let mut written: Vec<&str> = lines.clone();
    match old {
        Some(place) => written[place] = &line,
        None => {
            let end = lines[..first_table]
                .iter()
                .rposition(|line| !line.trim().is_empty())
                .map_or(0, |last| last + 1);
            written.insert(end, &line);
        }
    }
    let written = written.join("\n") + "\n";
    let read = |text: &str| toml::from_str::<toml::Table>(text).ok();
    let without = |mut table: toml::Table| {
        table.remove("notes");
        table
    };
    let (before, after) = (read(text)?, read(&written)?);
    let is_right = after.get("notes").and_then(toml::Value::as_str) == Some(notes);
    (is_right && without(before) == without(after)).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::replace_notes;

    #[test]
    fn notes_stand_before_the_first_table_and_replace_earlier_ones() {
        let card = "schema = 1\nname = \"A\"\n\n[dataset]\npath = \"a\"\n";
        let once = replace_notes(card, "One.").unwrap();
        assert_eq!(once, "schema = 1\nname = \"A\"\nnotes = \"One.\"\n\n[dataset]\npath = \"a\"\n");
        assert_eq!(replace_notes(&once, "Two.").unwrap(), once.replace("One.", "Two."));
        assert_eq!(replace_notes("notes = \"\"\"\na\n\"\"\"\n", "x"), None);
    }
}

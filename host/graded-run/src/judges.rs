//! The cards of judges, bundled or in files of the user's; where a judge is asked, and the key for
//! it, taken from the environment variable that the card names.

use std::path::Path;

use mteb_base::suggest;
use mteb_graded::judge::{JudgeCard, Style, parse_card};
use mteb_graded::read_text;
use mteb_registry::embedded;
use mteb_remote::{Address, Endpoint, Secret};
use mteb_workers::settings::{Permissions, is_name_of_variable};

use super::judge_error::{FOLDER, JudgeError, borrowed_name};

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
/// If there is none, its card is at fault, or it has the name of a bundled judge and asks another
/// model.
pub fn find_judge(name: &str) -> Result<FoundJudge, JudgeError> {
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") || path.is_file() {
        let text = read_text(path, mteb_files::TEXT)?;
        let card = parse_card(name, &text)?;
        if let Some(source) = borrowed_name(&card) {
            return Err(JudgeError::Borrowed { file: name.to_owned(), source: Box::new(source) });
        }
        return Ok(FoundJudge { card, file: name.to_owned(), text, is_embedded: false });
    }
    let path = format!("{FOLDER}/{name}.toml");
    let Some(file) = embedded::file(&path) else {
        let names = judge_names();
        let known = format!("known: {}", names.join(", "));
        let hint = suggest::hint(name, names.iter().copied(), &known);
        return Err(JudgeError::Unknown { name: name.to_owned(), hint });
    };
    let card = parse_card(&path, file.text())?;
    Ok(FoundJudge { card, file: path, text: file.text().to_owned(), is_embedded: true })
}

/// The names of the judges that are part of the host, sorted.
pub fn judge_names() -> Vec<&'static str> {
    embedded::files_below(FOLDER).filter_map(|file| file.name().strip_suffix(".toml")).collect()
}

/// What Anthropic's interface wants to be told beside the key.
const ANTHROPIC: &[(&str, &str)] = &[("anthropic-version", "2023-06-01")];

/// The endpoint of a judge. A card that is no part of the host could name any variable and any
/// host, so it gets only what the user allows for that host.
///
/// # Errors
/// If the address is none, the key is absent, or it may not be sent there.
pub fn endpoint(judge: &FoundJudge, permissions: Permissions<'_>) -> Result<Endpoint, JudgeError> {
    let card = &judge.card.endpoint;
    if card.style == Style::Import {
        return Err(JudgeError::NoEndpoint(judge.file.clone()));
    }
    let address =
        Address::new(&card.url).map_err(|source| JudgeError::Address { file: judge.file.clone(), source })?;
    let key = match &card.key_env {
        None => None,
        Some(variable) => Some(key(judge, variable, &address, permissions)?),
    };
    if let Some(host) = permissions.missing_host(&address).filter(|_| !judge.is_embedded) {
        let note = permissions.note_on_ports(&address, None);
        return Err(JudgeError::Host { file: judge.file.clone(), host, note });
    }
    let header = match card.style {
        Style::Anthropic => ("x-api-key", ""),
        Style::Openai | Style::Import => ("authorization", "Bearer "),
    };
    let endpoint = Endpoint::with_header(address, key, header)?;
    Ok(match card.style {
        Style::Anthropic => endpoint.saying(ANTHROPIC),
        Style::Openai | Style::Import => endpoint,
    })
}

fn key(
    judge: &FoundJudge,
    variable: &str,
    address: &Address,
    permissions: Permissions<'_>,
) -> Result<Secret, JudgeError> {
    if !is_name_of_variable(variable) && std::env::var_os(variable).is_none() {
        return Err(JudgeError::VariableName(judge.file.clone()));
    }
    let missing = permissions.missing_variable(variable, address).filter(|_| !judge.is_embedded);
    if let Some(missing) = missing {
        let note = permissions.note_on_ports(address, Some(variable));
        return Err(JudgeError::Variable { file: judge.file.clone(), missing, note });
    }
    match std::env::var(variable) {
        Ok(key) if !key.trim().is_empty() => Ok(Secret::new(&key)),
        _ => Err(JudgeError::NoKey { judge: judge.card.name.clone(), variable: variable.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_judge_has_the_prompt_whose_tags_no_document_can_close() {
        let names = judge_names();
        assert!(names.len() >= 6, "{names:?}");
        for name in names {
            let prompt = find_judge(name).unwrap().card.prompt;
            assert_eq!(prompt.version, 2, "{name}");
        }
    }
}

//! The cards of judges, bundled or in files of the user's; where a judge is asked, and the key for
//! it, taken from the environment variable that the card names.

use std::path::Path;

use mteb_base::suggest;
use mteb_graded::judge::{JudgeCard, Style, parse_card};
use mteb_graded::read_text;
use mteb_registry::embedded;
use mteb_remote::{Address, Endpoint, Secret};
use mteb_workers::settings::{Leave, NO_NAME_OF_VARIABLE, is_name_of_variable};

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
    let Some(file) = embedded::file(&path) else {
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
    let bundled = parse_card(&path, embedded::file(&path)?.text()).ok()?;
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
    embedded::files_below(FOLDER).filter_map(|file| file.name().strip_suffix(".toml")).collect()
}

/// What Anthropic's interface wants to be told beside the key.
const ANTHROPIC: &[(&str, &str)] = &[("anthropic-version", "2023-06-01")];

/// The endpoint of a judge. A card that is no part of the host could name any variable and any host, so it gets only what the user
/// allows for that host.
///
/// # Errors
/// One line: the address is none, the key is absent, or it may not be sent there.
pub fn endpoint(judge: &FoundJudge, leave: Leave<'_>) -> Result<Endpoint, String> {
    let card = &judge.card.endpoint;
    if card.style == Style::Import {
        return Err(format!(
            "{}: expected a judge with an endpoint, found one of the style `import`: `--export FILE` writes \
             what to judge, `--import FILE` reads the judgements",
            judge.file
        ));
    }
    let address =
        Address::new(&card.url).map_err(|error| format!("{}: `endpoint.url`: {error}", judge.file))?;
    let key = match &card.key_env {
        None => None,
        Some(variable) => Some(key(judge, variable, &address, leave)?),
    };
    if let Some(host) = leave.missing_host(&address).filter(|_| !judge.is_embedded) {
        return Err(format!(
            "{}: permission needed to send texts to {host}, because this card does not come with mteb-host; if \
             you trust it, add `--allow-host {host}`",
            judge.file
        ));
    }
    let header = match card.style {
        Style::Anthropic => ("x-api-key", ""),
        Style::Openai | Style::Import => ("authorization", "Bearer "),
    };
    let endpoint = Endpoint::with_header(address, key, header).map_err(|error| error.to_string())?;
    Ok(match card.style {
        Style::Anthropic => endpoint.saying(ANTHROPIC),
        Style::Openai | Style::Import => endpoint,
    })
}

fn key(judge: &FoundJudge, variable: &str, address: &Address, leave: Leave<'_>) -> Result<Secret, String> {
    if !is_name_of_variable(variable) && std::env::var_os(variable).is_none() {
        return Err(format!("{}: `endpoint.key_env`: {NO_NAME_OF_VARIABLE}", judge.file));
    }
    let missing = leave.missing_variable(variable, address).filter(|_| !judge.is_embedded);
    if let Some(missing) = missing {
        return Err(format!(
            "{}: permission needed to send the variable `{variable}` to {}, because this card does not come \
             with mteb-host; if you trust it, add `--allow-env {missing}`",
            judge.file, missing.host
        ));
    }
    match std::env::var(variable) {
        Ok(key) if !key.trim().is_empty() => Ok(Secret::new(&key)),
        _ => Err(format!(
            "judge {}: expected a key in the environment variable `{variable}`, found none",
            judge.card.name
        )),
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

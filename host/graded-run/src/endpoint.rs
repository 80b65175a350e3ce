//! Where a judge is asked, and the key that opens the door: from the environment, by the name in the card.

use mteb_graded::judge::Style;
use mteb_remote::{Address, Endpoint, Secret};
use mteb_workers::settings::{Leave, NO_NAME_OF_VARIABLE, is_name_of_variable};

use super::FoundJudge;

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

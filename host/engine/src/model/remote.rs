//! A model behind an HTTP endpoint: which one is meant, what the plugin `api` is told, and whether it gets a key.

use mteb_plugin_api::{ApiCard, ApiStyle, ModelCard};
use serde_json::{Value, json};

use super::ModelError;
use crate::registry::{Fault, FoundCard, ModelCards};
use crate::settings::{Allowance, NO_NAME_OF_VARIABLE, is_name_of_variable};

/// The plugin that asks endpoints.
pub const PLUGIN: &str = "api";

/// What a user chose of a model behind an endpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RemoteChoice {
    /// Address of the endpoint.
    pub url: Option<String>,
    /// Variable with the key.
    pub key_env: Option<String>,
    /// Numbers a row.
    pub dimensions: Option<u32>,
    /// True if a model without a card scores pairs.
    pub reranker: bool,
    /// Most requests at once.
    pub concurrency: Option<u32>,
    /// Most texts in a request.
    pub texts_per_request: Option<u32>,
    /// Longest time of a request in seconds.
    pub seconds_per_request: Option<u32>,
    /// Most calls.
    pub max_calls: Option<u64>,
    /// Most money.
    pub max_cost: Option<f64>,
}

/// An endpoint, settled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remote {
    /// What the plugin is told.
    pub option: Value,
    /// The variable that it may see.
    pub variable: Option<String>,
}

/// The style and the model of a name as `openai:NAME`.
pub fn styled(name: &str) -> Option<(ApiStyle, &str)> {
    let (style, model) = name.split_once(':')?;
    let style = ApiStyle::ALL.into_iter().find(|known| known.name() == style)?;
    (!model.is_empty()).then_some((style, model))
}

/// The card of a model: by its name, or by the style and the model that its table `[api]` has.
///
/// # Errors
/// If the card is at fault.
pub fn card_of(cards: &ModelCards, name: &str) -> Result<Option<FoundCard>, Fault> {
    let Some((style, model)) = styled(name) else { return cards.card(name) };
    let is_meant = |card: &ModelCard| {
        card.api
            .as_ref()
            .is_some_and(|api| api.style == style && api.model == model && api.dimensions.is_none())
    };
    Ok(cards.all().0.into_iter().find(|found| is_meant(&found.card)))
}

/// The endpoint of the model called `name`; `None` if it is behind none. `allowed` are the variables and hosts that the user
/// lets plugins have.
///
/// # Errors
/// If it is not clear whom to ask, or no key is there.
pub fn remote(
    name: &str,
    choice: &RemoteChoice,
    found: Option<&FoundCard>,
    is_allowed: impl Fn(&Allowance) -> bool,
) -> Result<Option<Remote>, ModelError> {
    let card = found.map(|found| &found.card);
    let Some(base) = card.and_then(|card| card.api.clone()).or_else(|| of_name(name)) else {
        if *choice == RemoteChoice::default() {
            return Ok(None);
        }
        let message = format!(
            "expected a model behind an endpoint, as `openai:{name}`, with options such as `--url` and `--endpoint-dimensions`, found: {name}"
        );
        return Err(ModelError::Remote(message));
    };
    let usual = host_of(base.url.as_deref().or(base.style.url()));
    let api = ApiCard {
        url: choice.url.clone().or(base.url.clone()),
        dimensions: choice.dimensions.or(base.dimensions),
        concurrency: choice.concurrency.or(base.concurrency),
        texts_per_request: choice.texts_per_request.or(base.texts_per_request),
        seconds_per_request: choice.seconds_per_request.or(base.seconds_per_request),
        ..base.clone()
    };
    let host = host_of(api.url.as_deref().or(api.style.url()));
    let is_elsewhere = host != usual;
    let variable = match &choice.key_env {
        Some(variable) => Some(key(name, variable)?),
        None if is_elsewhere => None,
        None => match base.key_env.as_deref().or(base.style.key_env()) {
            Some(variable) => Some(key_of_card(name, variable, host.as_deref(), found, is_allowed)?),
            None => None,
        },
    };
    let is_own = |dimension: Option<u32>| dimension.filter(|_| !is_elsewhere);
    let option = json!({
        "name": card.filter(|_| !is_elsewhere).map_or(name, |card| card.name.as_str()),
        "revision": card.filter(|_| !is_elsewhere).and_then(|card| card.revision.clone()).unwrap_or_default(),
        "card": api,
        "key_env": variable,
        "dimension": choice.dimensions.or(is_own(card.and_then(|card| card.dimension))),
        "max_tokens": card.and_then(|card| card.max_tokens),
        "reranks": choice.reranker || card.is_some_and(|card| card.cross_encoder),
        "max_calls": choice.max_calls,
        "max_cost": choice.max_cost,
    });
    Ok(Some(Remote { option, variable }))
}

fn of_name(name: &str) -> Option<ApiCard> {
    let (style, model) = styled(name)?;
    Some(ApiCard { style, model: model.to_owned(), ..ApiCard::default() })
}

/// The variable that a card or a style names. A card that is no part of the host could name any variable and any host, so
/// it gets only what the user allows for that host.
fn key_of_card(
    name: &str,
    variable: &str,
    host: Option<&str>,
    found: Option<&FoundCard>,
    is_allowed: impl Fn(&Allowance) -> bool,
) -> Result<String, ModelError> {
    if let Some(found) = found {
        check_variable(&found.file, variable)?;
    }
    let host = host.unwrap_or_default();
    let allowance = Allowance { variable: variable.to_owned(), host: host.to_owned() };
    match found.filter(|found| !found.is_embedded) {
        Some(found) if !is_allowed(&allowance) => Err(ModelError::Remote(format!(
            "{}: expected leave to send the variable `{variable}` to {host}, as this card is no part of the host; if you trust \
             it, add `--allow-env {allowance}`",
            found.file
        ))),
        _ => key(name, variable),
    }
}

/// Checks that no key stands in the place of a variable's name, which `place` gives.
fn check_variable(place: &str, variable: &str) -> Result<(), ModelError> {
    if is_name_of_variable(variable) || std::env::var_os(variable).is_some() {
        return Ok(());
    }
    Err(ModelError::Remote(format!("{place}: `key_env`: {NO_NAME_OF_VARIABLE}")))
}

fn key(name: &str, variable: &str) -> Result<String, ModelError> {
    check_variable(&format!("model {name}"), variable)?;
    if std::env::var_os(variable).is_some_and(|value| !value.is_empty()) {
        return Ok(variable.to_owned());
    }
    Err(ModelError::Remote(format!(
        "model {name}: expected a key in the environment variable `{variable}`, found none; `--url` names a server that needs \
         none, `--key-env` another variable"
    )))
}

/// The host of an address, as allowances have it.
fn host_of(url: Option<&str>) -> Option<String> {
    let rest = url?.split_once("://")?.1;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    Some(rest[..end].to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(is_embedded: bool) -> FoundCard {
        let card = ModelCard {
            name: "maker/model".to_owned(),
            dimension: Some(8),
            api: Some(ApiCard {
                model: "model".to_owned(),
                url: Some("https://api.example.org/v1".to_owned()),
                // Set in every environment of a test.
                key_env: Some("PATH".to_owned()),
                ..ApiCard::default()
            }),
            ..ModelCard::default()
        };
        FoundCard::of(card, "models/maker__model.toml", is_embedded)
    }

    #[test]
    fn the_key_of_a_card_goes_where_the_card_says_and_nowhere_else() {
        let own =
            remote("maker/model", &RemoteChoice::default(), Some(&found(true)), |_| false).unwrap().unwrap();
        assert_eq!(own.variable.as_deref(), Some("PATH"));
        let elsewhere =
            RemoteChoice { url: Some("http://localhost:1/v1".to_owned()), ..RemoteChoice::default() };
        let own = remote("maker/model", &elsewhere, Some(&found(true)), |_| false).unwrap().unwrap();
        assert_eq!(
            (own.variable, &own.option["name"], &own.option["dimension"]),
            (None, &json!("maker/model"), &Value::Null)
        );
    }

    #[test]
    fn a_card_of_others_gets_a_key_only_for_the_host_that_is_allowed() {
        let card = found(false);
        let refused = remote("maker/model", &RemoteChoice::default(), Some(&card), |_| false).unwrap_err();
        assert!(refused.to_string().ends_with("add `--allow-env PATH=api.example.org`"), "{refused}");
        let allowed = |allowance: &Allowance| allowance.to_string() == "PATH=api.example.org";
        assert!(remote("maker/model", &RemoteChoice::default(), Some(&card), allowed).is_ok());
    }

    #[test]
    fn a_key_in_the_place_of_its_variable_is_not_shown() {
        const KEY: &str = "sk-proj-0123456789abcdef";
        let mut card = found(false);
        if let Some(api) = &mut card.card.api {
            api.key_env = Some(KEY.to_owned());
        }
        let of_card = remote("maker/model", &RemoteChoice::default(), Some(&card), |_| false);
        let choice = RemoteChoice { key_env: Some(KEY.to_owned()), ..RemoteChoice::default() };
        for refused in [of_card, remote("openai:m", &choice, None, |_| false)] {
            let said = refused.unwrap_err().to_string();
            assert!(said.contains("`key_env`: expected the name of an environment variable"), "{said}");
            assert!(!said.contains(KEY), "{said}");
        }
    }

    #[test]
    fn a_name_with_a_style_needs_no_card_and_an_absent_key_is_named() {
        let choice =
            RemoteChoice { key_env: Some("MTEB_HOST_NO_SUCH_KEY".to_owned()), ..RemoteChoice::default() };
        let refused = remote("openai:m", &choice, None, |_| false).unwrap_err().to_string();
        assert!(refused.contains("`MTEB_HOST_NO_SUCH_KEY`, found none"), "{refused}");
        let local = remote("ollama:m", &RemoteChoice::default(), None, |_| false).unwrap().unwrap();
        assert_eq!((local.variable, &local.option["card"]["style"]), (None, &json!("ollama")));
        assert_eq!(remote("hashing", &RemoteChoice::default(), None, |_| false).unwrap(), None);
    }
}

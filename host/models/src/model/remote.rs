//! A model behind an HTTP endpoint: which one is meant, what the plugin `api` is told, and whether
//! it gets a key.

use mteb_card::{ApiCard, ApiStyle, LongText};
use mteb_registry::{Fault, FoundCard, ModelCards};
use mteb_remote::Address;
use mteb_workers::settings::{Allowance, NO_NAME_OF_VARIABLE, Permissions, is_name_of_variable};
use serde_json::{Value, json};

use super::ModelError;

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
    /// What becomes of a text that the endpoint refuses as too long.
    pub long_text: Option<LongText>,
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
    /// The host that is asked, if a card says so that is no part of the host.
    pub host: Option<String>,
}

/// The style and the model of a name as `openai:NAME`.
pub fn split_style(name: &str) -> Option<(ApiStyle, &str)> {
    let (style, model) = name.split_once(':')?;
    let style = ApiStyle::ALL.into_iter().find(|known| known.name() == style)?;
    (!model.is_empty()).then_some((style, model))
}

/// The card of a model: by its name, or by the style and the model that its table `[api]` has. A
/// provider's own model is not asked where a card of others says.
///
/// # Errors
/// If the card is at fault.
pub fn card_of(cards: &ModelCards, name: &str) -> Result<Option<FoundCard>, Fault> {
    let Some((style, model)) = split_style(name) else { return cards.card(name) };
    let is_meant = |found: &FoundCard| {
        let is_own = |api: &ApiCard| found.is_embedded || is_at_provider(api);
        let is_of_name =
            |api: &&ApiCard| api.style == style && api.model == model && api.dimensions.is_none();
        found.card.api.as_ref().filter(is_of_name).is_some_and(is_own)
    };
    let of_binary = || ModelCards::of_binary().all().0.into_iter().find(is_meant);
    Ok(cards.all().0.into_iter().find(is_meant).or_else(of_binary))
}

/// True if a card asks the provider of its style, or one of a style that has no provider.
fn is_at_provider(api: &ApiCard) -> bool {
    let host = |url: &str| Address::new(url).ok().map(|address| address.plain_host());
    api.style.url().is_none_or(|usual| api.url.as_deref().is_none_or(|url| host(url) == host(usual)))
}

/// The endpoint of the model called `name`; `None` if it is behind none. `permissions` are for
/// cards that do not come with mteb-host.
///
/// # Errors
/// If it is not clear whom to ask, the user has not let a card of others ask it, or no key is
/// there.
pub fn remote(
    name: &str,
    choice: &RemoteChoice,
    found: Option<&FoundCard>,
    permissions: Permissions<'_>,
) -> Result<Option<Remote>, ModelError> {
    let card = found.map(|found| &found.card);
    let Some(base) = card.and_then(|card| card.api.clone()).or_else(|| of_name(name)) else {
        if *choice == RemoteChoice::default() {
            return Ok(None);
        }
        let message = format!(
            "expected a model behind an endpoint, such as `openai:{name}`, with options such as `--url` and \
             `--endpoint-dimensions`, found: {name}"
        );
        return Err(ModelError::Remote(message));
    };
    let api = ApiCard {
        url: choice.url.clone().or(base.url.clone()),
        dimensions: choice.dimensions.or(base.dimensions),
        concurrency: choice.concurrency.or(base.concurrency),
        texts_per_request: choice.texts_per_request.or(base.texts_per_request),
        seconds_per_request: choice.seconds_per_request.or(base.seconds_per_request),
        long_text: choice.long_text.unwrap_or(base.long_text),
        ..base.clone()
    };
    let address = address(&api, choice, found)?;
    let usual = base.url.as_deref().or(base.style.url()).and_then(|url| Address::new(url).ok());
    let is_elsewhere = usual.map(|usual| usual.plain_host()) != Some(address.plain_host());
    // An address on the command line is the user's own word.
    let of_others =
        found.filter(|found| !found.is_embedded && found.card.api.is_some() && choice.url.is_none());
    let of_card = base.key_env.as_deref().or(base.style.key_env().filter(|_| is_at_provider(&base)));
    let variable = choice.key_env.as_deref().or(of_card.filter(|_| !is_elsewhere));
    if let Some(variable) = variable {
        let is_of_card = choice.key_env.is_none();
        let of_card = found.filter(|found| is_of_card && found.card.api.is_some());
        let not_embedded = of_card.filter(|found| !found.is_embedded).or(of_others);
        let place = of_card.map_or_else(|| format!("model {name}"), |found| found.file.clone());
        check_variable(&place, variable)?;
        if let Some((found, missing)) =
            not_embedded.and_then(|found| Some((found, permissions.missing_variable(variable, &address)?)))
        {
            let note = permissions.note_on_ports(&address, Some(variable));
            return Err(permission_error(found, &missing, &note));
        }
        check_key(name, variable)?;
    }
    // A variable that may go there lets texts go, too.
    if let Some((found, host)) =
        of_others.and_then(|found| Some((found, permissions.missing_host(&address)?)))
    {
        return Err(ModelError::Remote(format!(
            "{}: permission needed to send texts to {host}, because this card does not come with mteb-host{}; if \
             you trust it, add `--allow-host {host}`",
            found.file,
            permissions.note_on_ports(&address, None)
        )));
    }
    let variable = variable.map(str::to_owned);
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
    Ok(Some(Remote { option, variable, host: of_others.map(|_| address.plain_host()) }))
}

/// The address that is asked, which the user, the card or the style names.
fn address(api: &ApiCard, choice: &RemoteChoice, found: Option<&FoundCard>) -> Result<Address, ModelError> {
    let url = api.url.as_deref().or(api.style.url()).ok_or_else(|| {
        ModelError::Remote(format!(
            "expected the URL of your own server for `{}`; give `--url`",
            api.style.name()
        ))
    })?;
    let place = match found.filter(|_| choice.url.is_none()) {
        Some(found) => format!("{}: `api.url`", found.file),
        None => "`--url`".to_owned(),
    };
    Address::new(url).map_err(|error| ModelError::Remote(format!("{place}: {error}")))
}

fn of_name(name: &str) -> Option<ApiCard> {
    let (style, model) = split_style(name)?;
    Some(ApiCard { style, model: model.to_owned(), ..ApiCard::default() })
}

/// A card that is no part of the host could name any variable and any host, and take the place of a
/// model whose key the user means: it gets only what the user allows for that host.
fn permission_error(found: &FoundCard, missing: &Allowance, note: &str) -> ModelError {
    let Allowance { variable, host } = missing;
    ModelError::Remote(format!(
        "{}: permission needed to send the variable `{variable}` to {host}, because this card does not come \
         with mteb-host{note}; if you trust it, add `--allow-env {missing}`",
        found.file
    ))
}

/// Checks that no key stands in the place of a variable's name, which `place` gives.
fn check_variable(place: &str, variable: &str) -> Result<(), ModelError> {
    if is_name_of_variable(variable) || std::env::var_os(variable).is_some() {
        return Ok(());
    }
    Err(ModelError::Remote(format!("{place}: `key_env`: {NO_NAME_OF_VARIABLE}")))
}

/// Checks that there is a key in the variable.
fn check_key(name: &str, variable: &str) -> Result<(), ModelError> {
    if std::env::var_os(variable).is_some_and(|value| !value.is_empty()) {
        return Ok(());
    }
    Err(ModelError::Remote(format!(
        "model {name}: expected a key in the environment variable `{variable}`, found none; `--url` names a server that needs \
         none, `--key-env` another variable"
    )))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use mteb_card::ModelCard;
    use mteb_workers::settings::Allowances;

    use super::*;

    const HERE: &str = "http://127.0.0.1:8000/v1";
    const ELSEWHERE: &str = "https://api.example.org/v1";

    // A variable that is set in every environment of a test.
    fn found(is_embedded: bool, url: Option<&str>, key_env: Option<&str>) -> FoundCard {
        let card = ModelCard {
            name: "maker/model".to_owned(),
            dimension: Some(8),
            api: Some(ApiCard {
                model: "model".to_owned(),
                url: url.map(str::to_owned),
                key_env: key_env.map(str::to_owned),
                ..ApiCard::default()
            }),
            ..ModelCard::default()
        };
        FoundCard::of(card, "models/maker__model.toml", is_embedded)
    }

    /// The endpoint of `maker/model`, or why there is none, where these variables and hosts are
    /// allowed.
    fn of_card(
        card: &FoundCard,
        choice: &RemoteChoice,
        variables: &[(&str, &str)],
        hosts: &[&str],
    ) -> Result<Remote, String> {
        let mut allowed = Allowances::new();
        for (variable, host) in variables {
            allowed.entry((*variable).to_owned()).or_default().insert((*host).to_owned());
        }
        let hosts: BTreeSet<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        let permissions = Permissions { variables: &allowed, hosts: &hosts };
        remote("maker/model", choice, Some(card), permissions)
            .map(Option::unwrap)
            .map_err(|error| error.to_string())
    }

    fn without_card(name: &str, choice: &RemoteChoice) -> Result<Option<Remote>, String> {
        let (variables, hosts) = (Allowances::new(), BTreeSet::new());
        let permissions = Permissions { variables: &variables, hosts: &hosts };
        remote(name, choice, None, permissions).map_err(|error| error.to_string())
    }

    fn at(url: &str) -> RemoteChoice {
        RemoteChoice { url: Some(url.to_owned()), ..RemoteChoice::default() }
    }

    fn with_key(choice: RemoteChoice) -> RemoteChoice {
        RemoteChoice { key_env: Some("PATH".to_owned()), ..choice }
    }

    #[test]
    fn the_key_of_a_card_goes_where_the_card_says_and_nowhere_else() {
        let card = found(true, Some(ELSEWHERE), Some("PATH"));
        let own = of_card(&card, &RemoteChoice::default(), &[], &[]).unwrap();
        assert_eq!(own.variable.as_deref(), Some("PATH"));
        let own = of_card(&card, &at("http://localhost:1/v1"), &[], &[]).unwrap();
        assert_eq!(
            (own.variable, &own.option["name"], &own.option["dimension"]),
            (None, &json!("maker/model"), &Value::Null)
        );
    }

    #[test]
    fn a_card_of_others_leads_no_text_to_a_host_without_permission() {
        let card = found(false, Some(ELSEWHERE), None);
        let none = RemoteChoice::default();
        let refused = of_card(&card, &none, &[], &["example.org"]).unwrap_err();
        assert!(refused.ends_with("add `--allow-host api.example.org`"), "{refused}");
        let allowed = of_card(&card, &none, &[], &["api.example.org"]).unwrap();
        assert_eq!((allowed.variable, allowed.host.as_deref()), (None, Some("api.example.org")));
        assert!(of_card(&card, &at(ELSEWHERE), &[], &[]).is_ok(), "the user names the address");
        assert!(of_card(&found(true, Some(ELSEWHERE), None), &none, &[], &[]).is_ok(), "the host's own card");
    }

    #[test]
    fn a_card_of_others_gets_a_key_only_for_the_host_that_is_allowed() {
        let card = found(false, Some(ELSEWHERE), Some("PATH"));
        let none = RemoteChoice::default();
        let refused = of_card(&card, &none, &[("OTHER", "api.example.org")], &[]).unwrap_err();
        assert!(refused.ends_with("add `--allow-env PATH=api.example.org`"), "{refused}");
        let allowed = of_card(&card, &none, &[("PATH", "api.example.org")], &[]).unwrap();
        assert_eq!(allowed.variable.as_deref(), Some("PATH"));
    }

    #[test]
    fn a_key_that_the_user_names_goes_to_no_host_that_a_card_of_others_names() {
        for url in [ELSEWHERE, HERE] {
            let card = found(false, Some(url), None);
            let host = Address::new(url).unwrap().plain_host();
            let key = with_key(RemoteChoice::default());
            let refused = of_card(&card, &key, &[], &[&host]).unwrap_err();
            assert!(refused.ends_with(&format!("add `--allow-env PATH={host}`")), "{refused}");
            let own = of_card(&card, &with_key(at(url)), &[], &[]).unwrap();
            assert_eq!(own.variable.as_deref(), Some("PATH"), "the user names both");
        }
    }

    #[test]
    fn a_server_without_a_key_on_this_machine_needs_no_permission() {
        let own = of_card(&found(false, Some(HERE), None), &RemoteChoice::default(), &[], &[]).unwrap();
        assert_eq!((own.variable, &own.option["key_env"]), (None, &Value::Null));
    }

    #[test]
    fn a_key_in_the_place_of_its_variable_is_not_shown() {
        const KEY: &str = "sk-proj-0123456789abcdef";
        let card = found(false, Some(HERE), Some(KEY));
        let choice = RemoteChoice { key_env: Some(KEY.to_owned()), ..RemoteChoice::default() };
        let of_card = of_card(&card, &RemoteChoice::default(), &[], &[]).unwrap_err();
        for said in [of_card, without_card("openai:m", &choice).unwrap_err()] {
            assert!(said.contains("`key_env`: expected the name of an environment variable"), "{said}");
            assert!(!said.contains(KEY), "{said}");
        }
    }

    #[test]
    fn an_address_that_is_none_is_refused_before_anybody_is_asked() {
        let refused = without_card("openai:m", &at("http://localhost:70000")).unwrap_err();
        assert!(refused.starts_with("`--url`: ") && refused.ends_with("found the port 70000"), "{refused}");
        let refused = without_card("openai:m", &at("https://me:hunter2@host/v1")).unwrap_err();
        assert!(!refused.contains("hunter2"), "{refused}");
    }

    #[test]
    fn a_name_with_a_style_needs_no_card_and_an_absent_key_is_named() {
        let choice =
            RemoteChoice { key_env: Some("MTEB_HOST_NO_SUCH_KEY".to_owned()), ..RemoteChoice::default() };
        let refused = without_card("openai:m", &choice).unwrap_err();
        assert!(refused.contains("`MTEB_HOST_NO_SUCH_KEY`, found none"), "{refused}");
        let local = without_card("ollama:m", &RemoteChoice::default()).unwrap().unwrap();
        assert_eq!((local.variable, &local.option["card"]["style"]), (None, &json!("ollama")));
        assert_eq!(without_card("hashing", &RemoteChoice::default()).unwrap(), None);
    }
}

//! The identity of a model behind an endpoint: its weights cannot be seen, so this is all that is
//! known to change its embeddings.

use mteb_card::{ApiCard, EmptyText, LongText};
use mteb_remote::Address;
use serde_json::{Value, json};

/// What stands in place of a hash of the weights.
pub fn weights(card: &ApiCard, address: &Address) -> String {
    let mut parts = vec![card.style.name().to_owned(), address.host(), card.model.clone()];
    parts.extend(card.dimensions.map(|dimensions| format!("dimensions={dimensions}")));
    parts.extend(own_path(card, address).map(|path| format!("path={path}")));
    parts.extend(policies(card).map(|(name, policy)| format!("{name}={policy}")));
    parts.join(" ")
}

/// What a result says of the endpoint; `truncates` if it is asked to cut texts that are too long.
pub fn endpoint(card: &ApiCard, address: &Address, truncates: bool) -> Value {
    let mut endpoint = json!({
        "style": card.style,
        "host": address.host(),
        "model": card.model,
        "dimensions": card.dimensions,
    });
    if let Some(path) = own_path(card, address) {
        endpoint["path"] = path.into();
    }
    for (name, policy) in policies(card) {
        endpoint[name] = policy.into();
    }
    if truncates {
        endpoint["truncation"] = "provider".into();
    }
    endpoint
}

/// The path of the address, unless it is the style's usual one: a host may have several servers behind it.
fn own_path<'a>(card: &ApiCard, address: &'a Address) -> Option<&'a str> {
    let usual = card.style.url().and_then(|url| Address::new(url).ok());
    let usual = usual.as_ref().map_or("", Address::path);
    Some(address.path()).filter(|path| *path != usual)
}

/// What becomes of texts that the endpoint refuses, where the card has changed it.
fn policies(card: &ApiCard) -> impl Iterator<Item = (&'static str, &'static str)> {
    let empty = match card.empty_text {
        EmptyText::Send => None,
        EmptyText::Space => Some(("empty_text", "space")),
        EmptyText::Zeros => Some(("empty_text", "zeros")),
    };
    let cut = (card.long_text == LongText::Cut).then_some(("long_text", "cut"));
    empty.into_iter().chain(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights_of(url: &str, change: impl FnOnce(&mut ApiCard)) -> String {
        let mut card = ApiCard { model: "m".to_owned(), ..ApiCard::default() };
        change(&mut card);
        weights(&card, &Address::new(url).unwrap())
    }

    #[test]
    fn what_changes_rows_changes_the_identity_and_the_usual_is_not_named() {
        let usual = weights_of("http://h:1/v1", |_| {});
        assert_eq!(usual, "openai h:1 m");
        assert_eq!(weights_of("http://h:1/v1/", |_| {}), usual);
        assert_eq!(weights_of("http://h:1/b/v1", |_| {}), "openai h:1 m path=/b/v1");
        assert_eq!(weights_of("http://h:1", |_| {}), "openai h:1 m path=");
        let changed = weights_of("http://h:1/v1", |card| {
            (card.dimensions, card.empty_text, card.long_text) = (Some(8), EmptyText::Space, LongText::Cut);
        });
        assert_eq!(changed, "openai h:1 m dimensions=8 empty_text=space long_text=cut");
        let zeros = weights_of("http://h:1/v1", |card| card.empty_text = EmptyText::Zeros);
        assert_eq!(zeros, "openai h:1 m empty_text=zeros");
    }

    #[test]
    fn a_result_names_the_truncation_that_is_asked_for() {
        let (card, address) = (ApiCard::default(), Address::new("http://h/v1").unwrap());
        assert_eq!(endpoint(&card, &address, true)["truncation"], "provider");
        assert_eq!(endpoint(&card, &address, false).get("truncation"), None);
    }
}

//! What differs between what two results of a unit say that their scores were made from, those of a
//! mean included.

use std::collections::BTreeSet;

use mteb_base::suggest::list_names;
use mteb_card::TaskCard;
use mteb_json::Json;
use mteb_registry::{option_changes, options_of_unit};

use super::DataFacts;

/// What is said of a score whose draws continue other ones.
pub const OTHER_EARLIER: &str =
    "the data, options or selection of earlier subsets changed, whose draws it continues";

/// What of data and options changed from `before` to `now`, each a text of both as results say what a score of the unit (split, subset)
/// was made from; `None` if nothing did, or nobody can tell.
pub fn change_between(before_text: &str, now_text: &str, unit: (&str, &str)) -> Option<String> {
    let [(before, options), (now, new_options)] =
        [data_and_options(before_text)?, data_and_options(now_text)?];
    let data = match (facts(&before), facts(&now)) {
        (Some(before), Some(now)) => before.change(&now),
        _ => changed_members(&before, &now),
    };
    let options = option_changes(&options, &new_options, unit);
    let options = options.map(|options| format!("options changed: {options}"));
    let changes: Vec<String> = data.into_iter().chain(options).collect();
    if changes.is_empty() {
        return (earlier_of(before_text) != earlier_of(now_text)).then(|| OTHER_EARLIER.to_owned());
    }
    Some(changes.join("; "))
}

/// What a text with data and options says of the earlier units whose draws a unit continues, by its hash; `None` if it says nothing.
pub fn earlier_of(text: &str) -> Option<String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let earlier = values.nth(2)?.ok()?;
    earlier["earlier"].as_str().map(str::to_owned)
}

fn data_and_options(text: &str) -> Option<(Json, Json)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let mut next = || Some(Json::from(values.next()?.ok()?));
    Some((next()?, next()?))
}

/// Facts of data; whoever compares results leaves out what a pack is made of.
fn facts(data: &Json) -> Option<DataFacts> {
    let mut data = data.clone();
    if data.get("pack").is_some() && data.get("code").is_none() {
        data.set("code", Json::from(""));
    }
    DataFacts::from_json(&data)
}

/// The tasks of which one of two means is not one, or is one of other scores.
fn changed_members(before: &Json, now: &Json) -> Option<String> {
    let (before_map, now_map) = (before.as_map()?, now.as_map()?);
    let names: BTreeSet<&String> = before_map.iter().chain(now_map).map(|(name, _)| name).collect();
    let is_other = |name: &&String| before.get(name) != now.get(name);
    let names: Vec<String> = names.into_iter().filter(is_other).cloned().collect();
    (!names.is_empty()).then(|| format!("members changed: {}", list_names(&names)))
}

/// What of a mean is no longer so, as a reason to take it again: the tasks `members` of then, each with what it was made from, are
/// not those of the card, or the `options` are not. What changed of a member itself is said of the member.
pub fn change_of_mean(card: &TaskCard, unit: (&str, &str), members: &Json, options: &Json) -> Option<String> {
    let before: BTreeSet<&str> = members.as_map()?.iter().map(|(name, _)| name.as_str()).collect();
    let now: BTreeSet<&str> = card.members.iter().map(String::as_str).collect();
    let members = (before != now).then(|| "members".to_owned());
    let options = option_changes(options, &options_of_unit(card, unit.1), unit);
    let changed: Vec<String> = members.into_iter().chain(options).collect();
    (!changed.is_empty()).then(|| format!("options changed: {}", list_names(&changed)))
}

/// The same of a text that is members and options, as results say what a mean was made from.
pub fn change_of_mean_made_from(card: &TaskCard, unit: (&str, &str), made_from: &str) -> Option<String> {
    let mut values = serde_json::Deserializer::from_str(made_from).into_iter::<serde_json::Value>();
    let mut next = || Some(Json::from(values.next()?.ok()?));
    change_of_mean(card, unit, &next()?, &next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let change = |before: &str, now: &str| change_between(before, now, ("test", "default"));
        let local = |hash: &str, options: &str| format!("{{\"files\":{{\"a.csv\":\"{hash}\"}}}}{options}");
        let plain = "{\"type\":\"STS\"}";
        assert_eq!(change(&local("1", plain), &local("1", plain)), None);
        assert_eq!(change(&local("1", plain), &local("2", plain)).as_deref(), Some("data changed: a.csv"));
        let scaled = "{\"type\":\"STS\",\"protocol\":{\"max_score\":4.0}}";
        assert_eq!(
            change(&local("1", plain), &local("2", scaled)).as_deref(),
            Some("data changed: a.csv; options changed: max_score")
        );
        let pack = |rows: &str| format!("{{\"pack\":\"p\",\"rows\":\"{rows}\"}}{plain}");
        assert_eq!(change(&pack("1"), &pack("2")).as_deref(), Some("data changed: rows of p"));
        let mean = |members: &str| format!("{members}{plain}");
        assert_eq!(
            change(&mean("{\"A\":\"1\",\"B\":\"1\"}"), &mean("{\"A\":\"2\",\"B\":\"1\"}")).as_deref(),
            Some("members changed: A")
        );
        assert_eq!(change("no JSON", plain), None);
    }

    fn card(members: &str) -> TaskCard {
        let text =
            "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n";
        TaskCard::from_toml(&format!("{text}members = {members}\n")).unwrap()
    }

    #[test]
    fn other_members_are_another_mean_in_whatever_order() {
        let card = card("[\"A\", \"B\"]");
        let options = options_of_unit(&card, "default").to_python(0);
        let change = |members: &str| {
            change_of_mean_made_from(&card, ("test", "default"), &format!("{members}{options}"))
        };
        assert_eq!(change("{\"B\": \"1\", \"A\": \"2\"}"), None);
        assert_eq!(change("{\"A\": \"2\"}").as_deref(), Some("options changed: members"));
    }
}

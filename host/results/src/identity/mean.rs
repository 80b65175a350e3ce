//! A mean of other tasks: whose mean a score is, and by which options.

use std::collections::BTreeSet;

use mteb_base::listed::listed;
use mteb_card::TaskCard;
use mteb_json::Json;
use mteb_registry::{option_changes, options_of_unit};

/// What of a mean is no longer so, as a reason to take it again: the tasks `members` of then, each with what it was made from, are
/// not those of the card, or the `options` are not. What changed of a member itself is said of the member.
pub fn change_of_mean(card: &TaskCard, unit: (&str, &str), members: &Json, options: &Json) -> Option<String> {
    let before: BTreeSet<&str> = members.as_map()?.iter().map(|(name, _)| name.as_str()).collect();
    let now: BTreeSet<&str> = card.members.iter().map(String::as_str).collect();
    let members = (before != now).then(|| "members".to_owned());
    let options = option_changes(options, &options_of_unit(card, unit.1), unit);
    let changed: Vec<String> = members.into_iter().chain(options).collect();
    (!changed.is_empty()).then(|| format!("options changed: {}", listed(&changed)))
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

//! Which prompt a text gets (protocol 3.4).

use mteb_card::{Prompt, TaskCard};
use mteb_plugin_api::Prompts;
use mteb_tasks::{Role, facts};

/// The string that the model puts before each text of `role` in the task of `card`; often empty.
pub fn prompt_for(prompts: &Prompts, card: &TaskCard, role: Option<Role>) -> String {
    if prompts.task_names {
        return card.name.clone();
    }
    if let Some(whole) = keys(card, role).iter().find_map(|key| prompts.whole.get(key)) {
        return whole.clone();
    }
    match &prompts.instruction_template {
        Some(template) => instruction(prompts, template, card, role),
        None => find_prompt(prompts, card, role),
    }
}

fn find_prompt(prompts: &Prompts, card: &TaskCard, role: Option<Role>) -> String {
    let mut keys = keys(card, role);
    if role == Some(Role::Document) {
        // Other names that sentence-transformers' `encode_document` knows.
        keys.extend(["passage", "corpus"].map(str::to_owned));
    }
    let found = keys.iter().find_map(|key| prompts.named.get(key));
    let fallback = prompts.default.as_ref().and_then(|name| prompts.named.get(name));
    found.or(fallback).cloned().unwrap_or_default()
}

fn instruction(prompts: &Prompts, template: &str, card: &TaskCard, role: Option<Role>) -> String {
    if role == Some(Role::Document) && !prompts.instruct_documents {
        return String::new();
    }
    let named = keys(card, role).iter().find_map(|key| prompts.named.get(key)).cloned();
    let instruction = named
        .or_else(|| card.prompt.as_ref().map(|prompt| of_card(prompt, role)))
        .unwrap_or_else(|| facts(card.task_type).instruction.to_owned());
    match instruction.is_empty() {
        true => prompts.empty_instruction.clone().unwrap_or_default(),
        false => template.replace("{instruction}", &instruction),
    }
}

fn of_card(prompt: &Prompt, role: Option<Role>) -> String {
    match prompt {
        Prompt::All(text) => text.clone(),
        Prompt::ByRole { query, document } => {
            let text = match role {
                Some(Role::Query) => query,
                Some(Role::Document) => document,
                None => &None,
            };
            text.clone().unwrap_or_default()
        }
    }
}

fn keys(card: &TaskCard, role: Option<Role>) -> Vec<String> {
    let (task, task_type) = (card.name.as_str(), card.task_type.as_str());
    match role_name(role) {
        Some(role) => vec![
            format!("{task}-{role}"),
            task.to_owned(),
            format!("{task_type}-{role}"),
            task_type.to_owned(),
            role.to_owned(),
        ],
        None => vec![task.to_owned(), task_type.to_owned()],
    }
}

/// The name of a role in the keys of prompts.
pub fn role_name(role: Option<Role>) -> Option<&'static str> {
    match role {
        None => None,
        Some(Role::Query) => Some("query"),
        Some(Role::Document) => Some("document"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(prompt: &str) -> TaskCard {
        let text = format!(
            "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\n{prompt}\n[dataset]\npath = \"x\"\n"
        );
        TaskCard::from_toml(&text).unwrap()
    }

    fn prompts(named: &[(&str, &str)], template: Option<&str>) -> Prompts {
        Prompts {
            named: named.iter().map(|(key, text)| (key.to_string(), text.to_string())).collect(),
            instruction_template: template.map(str::to_owned),
            ..Prompts::default()
        }
    }

    #[test]
    fn the_most_specific_named_prompt_wins() {
        let prompts = prompts(&[("query", "q: "), ("STS", "sts: "), ("T-query", "tq: ")], None);
        assert_eq!(prompt_for(&prompts, &card(""), Some(Role::Query)), "tq: ");
        assert_eq!(prompt_for(&prompts, &card(""), Some(Role::Document)), "sts: ");
        assert_eq!(prompt_for(&prompts, &card(""), None), "sts: ");
    }

    #[test]
    fn documents_are_passages_too() {
        let prompts = prompts(&[("query", "q: "), ("passage", "p: ")], None);
        assert_eq!(prompt_for(&prompts, &card(""), Some(Role::Document)), "p: ");
        assert_eq!(prompt_for(&prompts, &card(""), None), "");
    }

    #[test]
    fn what_a_template_cannot_say_stands_whole() {
        let mut prompts = prompts(&[], Some("<|user|>\n{instruction}\n<|embed|>\n"));
        prompts.instruct_documents = true;
        prompts.empty_instruction = Some("<|embed|>\n".to_owned());
        let own = card("prompt = { query = \"Find it.\" }");
        assert_eq!(prompt_for(&prompts, &own, Some(Role::Document)), "<|embed|>\n");
        assert_eq!(prompt_for(&prompts, &own, Some(Role::Query)), "<|user|>\nFind it.\n<|embed|>\n");
        prompts.whole.insert("document".to_owned(), " ".to_owned());
        assert_eq!(prompt_for(&prompts, &own, Some(Role::Document)), " ");
        prompts.whole.insert("STS".to_owned(), "{'query': 'a'}".to_owned());
        assert_eq!(prompt_for(&prompts, &own, None), "{'query': 'a'}");
    }

    #[test]
    fn an_instruction_comes_from_the_card_then_from_the_family() {
        let prompts = prompts(&[], Some("Instruct: {instruction}\nQuery: "));
        let own = card("prompt = { query = \"Find it.\" }");
        assert_eq!(prompt_for(&prompts, &own, Some(Role::Query)), "Instruct: Find it.\nQuery: ");
        assert_eq!(prompt_for(&prompts, &own, Some(Role::Document)), "");
        let family = "Instruct: Retrieve semantically similar text.\nQuery: ";
        assert_eq!(prompt_for(&prompts, &card(""), None), family);
    }
}

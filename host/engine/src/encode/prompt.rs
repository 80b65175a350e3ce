//! Which prompt a text gets (protocol 3.4).

use mteb_plugin_api::Prompts;
use mteb_plugin_api::card::vocabulary::TaskType;
use mteb_plugin_api::card::{Prompt, TaskCard};
use mteb_tasks::Role;

/// The string that the model puts before each text of `role` in the task of `card`; often empty.
pub fn prompt_for(prompts: &Prompts, card: &TaskCard, role: Role) -> String {
    match &prompts.instruction_template {
        Some(template) => instruction(prompts, template, card, role),
        None => named(prompts, card, role),
    }
}

fn named(prompts: &Prompts, card: &TaskCard, role: Role) -> String {
    let mut keys = keys(card, role);
    if role == Role::Document {
        // Other names that sentence-transformers' `encode_document` knows.
        keys.extend(["passage", "corpus"].map(str::to_owned));
    }
    let found = keys.iter().find_map(|key| prompts.named.get(key));
    let fallback = prompts.default.as_ref().and_then(|name| prompts.named.get(name));
    found.or(fallback).cloned().unwrap_or_default()
}

fn instruction(prompts: &Prompts, template: &str, card: &TaskCard, role: Role) -> String {
    if role == Role::Document && !prompts.instruct_documents {
        return String::new();
    }
    let named = keys(card, role).iter().find_map(|key| prompts.named.get(key)).cloned();
    let instruction = named
        .or_else(|| card.prompt.as_ref().map(|prompt| of_card(prompt, role)))
        .unwrap_or_else(|| family_default(card.task_type).to_owned());
    if instruction.is_empty() { instruction } else { template.replace("{instruction}", &instruction) }
}

fn of_card(prompt: &Prompt, role: Role) -> String {
    match prompt {
        Prompt::All(text) => text.clone(),
        Prompt::ByRole { query, document } => {
            let text = match role {
                Role::Query => query,
                Role::Document => document,
                Role::None => &None,
            };
            text.clone().unwrap_or_default()
        }
    }
}

fn keys(card: &TaskCard, role: Role) -> Vec<String> {
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
pub fn role_name(role: Role) -> Option<&'static str> {
    match role {
        Role::None => None,
        Role::Query => Some("query"),
        Role::Document => Some("document"),
    }
}

fn family_default(task_type: TaskType) -> &'static str {
    match task_type {
        TaskType::BitextMining => "Retrieve parallel sentences.",
        TaskType::Classification | TaskType::MultilabelClassification => "Classify user passages.",
        TaskType::Clustering => "Identify categories in user passages.",
        TaskType::PairClassification => "Retrieve text that are semantically similar to the given text.",
        TaskType::Retrieval
        | TaskType::Reranking
        | TaskType::InstructionRetrieval
        | TaskType::InstructionReranking => "Retrieve text based on user query.",
        TaskType::Sts => "Retrieve semantically similar text.",
        TaskType::Summarization => "Given a news summary, retrieve other semantically similar summaries.",
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
        assert_eq!(prompt_for(&prompts, &card(""), Role::Query), "tq: ");
        assert_eq!(prompt_for(&prompts, &card(""), Role::Document), "sts: ");
        assert_eq!(prompt_for(&prompts, &card(""), Role::None), "sts: ");
    }

    #[test]
    fn documents_are_passages_too() {
        let prompts = prompts(&[("query", "q: "), ("passage", "p: ")], None);
        assert_eq!(prompt_for(&prompts, &card(""), Role::Document), "p: ");
        assert_eq!(prompt_for(&prompts, &card(""), Role::None), "");
    }

    #[test]
    fn an_instruction_comes_from_the_card_then_from_the_family() {
        let prompts = prompts(&[], Some("Instruct: {instruction}\nQuery: "));
        let own = card("prompt = { query = \"Find it.\" }");
        assert_eq!(prompt_for(&prompts, &own, Role::Query), "Instruct: Find it.\nQuery: ");
        assert_eq!(prompt_for(&prompts, &own, Role::Document), "");
        let family = "Instruct: Retrieve semantically similar text.\nQuery: ";
        assert_eq!(prompt_for(&prompts, &card(""), Role::None), family);
    }
}

//! Whether a score is of the model as its newest result has it, and a mean of the members that are there.

use serde_json::{Map, Value};

use crate::join::Model;
use crate::reading::{Checks, Entry, Summary};

/// Why a score does not belong into the row of `model`; `None` if it does, or if nothing says so.
pub fn other_state(model: &Model, file: &Summary, entry: &Entry, checks: Checks) -> Option<String> {
    let found = file.state_of(entry);
    if found == Some("null") {
        return Some("it does not record the state of the model".to_owned());
    }
    let change = || checks.state_change(found?, model.state.as_deref()?);
    let change = change().or_else(|| other_prompts(file, entry));
    change
        .map(|change| format!("from another state of the model than its newest result: {change}"))
        .or_else(|| changed_member(model, file, entry))
}

/// The roles whose texts had another prompt than in the newest scores of the file.
fn other_prompts(file: &Summary, entry: &Entry) -> Option<String> {
    let origin = entry.origin.as_ref().filter(|origin| origin.state.is_some())?;
    let map = |text: &str| serde_json::from_str::<Map<String, Value>>(text).ok();
    let now = map(file.prompts.as_deref()?)?;
    let before = map(origin.prompts.as_deref()?)?;
    let is_other = |(role, prompt): &(&String, &Value)| now.get(*role).is_some_and(|now| now != *prompt);
    let roles: Vec<&str> = before.iter().filter(is_other).map(|(role, _)| role.as_str()).collect();
    (!roles.is_empty()).then(|| format!("prompts of {}", roles.join(", ")))
}

/// Why a mean is not that of its members as they are beside it; `None` if it is, or if they are not there.
fn changed_member(model: &Model, file: &Summary, entry: &Entry) -> Option<String> {
    // A mean of now is one of the members of now; one of before may be of theirs of before.
    let is_of_now = model.files.get(&file.task).is_some_and(|now| std::ptr::eq(&**now, file));
    let members = if is_of_now { 1 } else { usize::MAX };
    let is_other = |(name, hash): &(&String, &String)| {
        let mut now = model
            .files_of(name)
            .take(members)
            .filter_map(|member| member.split_made_from(&entry.split))
            .peekable();
        now.peek().is_some() && now.all(|now| now != **hash)
    };
    let changed: Vec<&str> =
        entry.origin.as_ref()?.members.iter().filter(is_other).map(|(name, _)| name.as_str()).collect();
    let (first, more) = (*changed.first()?, changed.len() - 1);
    let more = if more > 0 { format!(" (and {more} more of them)") } else { String::new() };
    Some(format!("its member {first} was scored again since, on other data or with other options{more}"))
}

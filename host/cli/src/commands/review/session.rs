//! A session in the terminal: a text, the labels that there may be, an answer.

use std::io::{self, BufRead};

use super::items::{Choices, Items};
use super::store::Store;
use crate::exit::Exit;
use crate::output::{self, failed};

/// Shows each row that `annotator` has not labelled and takes an answer, from a terminal or a pipe.
pub fn label(items: &Items, store: &Store, annotator: &str, guideline: &str) -> Result<Exit, Exit> {
    let done = store.labels_of(annotator).map_err(failed)?;
    let open: Vec<_> = items.all.iter().filter(|item| !done.contains_key(&item.key)).collect();
    output::say(format!("{}: {}", items.name, items.description));
    guideline.lines().for_each(output::say);
    output::say(match &items.choices {
        Choices::Labels(labels) => {
            let numbered: Vec<String> =
                labels.iter().enumerate().map(|(place, label)| format!("{} {label}", place + 1)).collect();
            format!(
                "Answer with a number or a name: {}. An empty answer leaves the row for later; `q` quits.",
                numbered.join(", ")
            )
        }
        Choices::Scale([low, high]) => {
            format!(
                "Answer with a number from {low} to {high}. An empty answer leaves the row for later; `q` \
                     quits."
            )
        }
    });
    let mut lines = io::stdin().lock().lines();
    let mut labelled = 0;
    'rows: for (number, item) in open.iter().enumerate() {
        output::say(format!("{} of {}", done.len() + number + 1, items.all.len()));
        item.texts.iter().for_each(|(name, text)| output::say(format!("  {name}: {text}")));
        loop {
            output::ask("> ");
            let Some(Ok(line)) = lines.next() else { break 'rows };
            match line.trim() {
                "q" => break 'rows,
                "" => break,
                answer => match meant(items, answer) {
                    Some(label) => {
                        store.add(annotator, &item.key, &label).map_err(failed)?;
                        labelled += 1;
                        break;
                    }
                    None => output::say(format!("expected one of the answers above, found: {answer}")),
                },
            }
        }
    }
    let all = done.len() + labelled;
    let left = if all < items.all.len() { "; run the same command again to continue" } else { "" };
    Ok(output::print(&format!(
        "{} labelled now, {all} of {}{left}",
        output::count(labelled, "row"),
        items.all.len()
    )))
}

/// The label that is meant: its name goes before its number.
fn meant(items: &Items, answer: &str) -> Option<String> {
    if items.number(answer).is_some() {
        return Some(answer.replace(',', "."))
            .filter(|_| matches!(items.choices, Choices::Scale(_)))
            .or(Some(answer.to_owned()));
    }
    let Choices::Labels(labels) = &items.choices else { return None };
    let place: usize = answer.parse().ok()?;
    labels.get(place.checked_sub(1)?).cloned()
}

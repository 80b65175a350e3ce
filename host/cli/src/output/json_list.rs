//! A long list as indented JSON, written by all threads: a list of all tasks has millions of characters.

use std::borrow::Cow;

use mteb_report::visible;
use rayon::prelude::*;
use serde_json::Value;

/// Values that one thread writes at a time.
const TOGETHER: usize = 32;

/// The pieces that make up the indented list of `values`, without what would steer a terminal.
pub fn list_parts(values: &[Value]) -> Vec<String> {
    if values.is_empty() {
        return vec!["[]".to_owned()];
    }
    let mut parts: Vec<String> = values.par_chunks(TOGETHER).map(opened_list).collect();
    // Each begins as a list of its own does.
    parts.iter_mut().skip(1).for_each(|part| part.replace_range(..1, ","));
    parts.push("\n]".to_owned());
    parts
}

/// The list of `values` without its end.
fn opened_list(values: &[Value]) -> String {
    // Writing JSON into memory fails for no value.
    let mut list = serde_json::to_string_pretty(values).unwrap_or_else(|_| "[\n]".to_owned());
    list.truncate(list.len() - "\n]".len());
    let shown = match visible(&list) {
        Cow::Borrowed(_) => None,
        Cow::Owned(shown) => Some(shown),
    };
    shown.unwrap_or(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_pieces_are_the_list_as_it_is_written_at_once() {
        for count in [0, 1, TOGETHER, TOGETHER + 1, 5 * TOGETHER] {
            let values: Vec<Value> = (0..count)
                .map(|number| json!({ "name": format!("task {number}"), "subsets": ["a", "\u{9b}b"], "none": [] }))
                .collect();
            let whole = serde_json::to_string_pretty(&values).unwrap();
            assert_eq!(list_parts(&values).concat(), visible(&whole), "{count} values");
        }
    }
}

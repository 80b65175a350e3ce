//! What a message suggests or lists: names near one that nothing has, where a name was mistyped;
//! folders near one that is not there; and of many names the first ones and how many more there
//! are.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use strsim::osa_distance;

/// Longest name for which others are sought.
const LONGEST: usize = 200;
/// Most names of one message.
const MOST: usize = 5;

/// The names of `known` that `name` may stand for, best first: the same but for upper and lower case, one that holds it
/// or is held by it, or one that a few slips of the keyboard lead to. At most five.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if name.is_empty() || name.len() > LONGEST {
        return Vec::new();
    }
    let lower = name.to_lowercase();
    let distances =
        known.into_iter().filter_map(|other| Some((distance(&lower, &other.to_lowercase())?, other)));
    let mut found: Vec<(usize, &str)> = distances.collect();
    found.sort_by_key(|(distance, _)| *distance);
    let mut names = Vec::new();
    for (_, name) in found {
        if !names.contains(&name) && names.len() < MOST {
            names.push(name);
        }
    }
    names
}

/// What follows a name that nothing has: ` (near it: A, B)`, or ` (otherwise)` where nothing is near.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    match near(name, known).as_slice() {
        [] if otherwise.is_empty() => String::new(),
        [] => format!(" ({otherwise})"),
        names => format!(" (near it: {})", names.join(", ")),
    }
}

/// What follows a name that none of the `known` has: names near it, else all where they are few, else some of them and the
/// `command` that lists all.
pub fn hint_of_many<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, command: &str) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match near(name, known.iter().copied()).as_slice() {
        [] if known.len() <= MOST => format!(" (known: {})", known.join(", ")),
        [] => format!(" (such as {}; `{command}` shows all)", known[..MOST].join(", ")),
        names => format!(" (near it: {}; `{command}` shows all)", names.join(", ")),
    }
}

/// Names in a row, of many only the first: `a, b, c and 40 more`.
pub fn some<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    first_of(names, 20, ", ", " and ")
}

/// How far `other` is from `name`; `None` if too far.
fn distance(name: &str, other: &str) -> Option<usize> {
    if name == other {
        return Some(0);
    }
    let is_begun = name.len() >= 3 && other.contains(name);
    let is_more = other.len() >= 3 && 2 * other.len() >= name.len() && name.contains(other);
    if is_begun || is_more {
        return Some(1);
    }
    let most = (name.chars().count() / 3).clamp(1, 4);
    if name.len().abs_diff(other.len()) > 4 * most {
        return None;
    }
    Some(osa_distance(name, other)).filter(|distance| *distance <= most)
}

/// `a, b, c`, and of more than three `a, b, c and 40 more`.
pub fn list_names(names: &[String]) -> String {
    first_of(names, 3, ", ", " and ")
}

/// The first of `names`, at most `shown`, with `between` between them, and behind `last` how many more there are.
pub fn first_of<T: Display>(
    names: impl IntoIterator<Item = T>,
    shown: usize,
    between: &str,
    last: &str,
) -> String {
    let mut names = names.into_iter();
    let first: Vec<String> = names.by_ref().take(shown).map(|name| name.to_string()).collect();
    let first = first.join(between);
    match names.count() {
        0 => first,
        more => format!("{first}{last}{more} more"),
    }
}

/// What follows the name of a folder that is not there: folders in its place whose names are near it.
pub fn near_folders(folder: &str) -> String {
    let path = Path::new(folder);
    let parent = path.parent().unwrap_or(Path::new(""));
    let place = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let folders = fs::read_dir(place).into_iter().flatten().flatten().filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let near = near(name, names.iter().map(String::as_str)).into_iter();
    let near: Vec<String> = near.map(|name| parent.join(name).display().to_string()).collect();
    if near.is_empty() { String::new() } else { format!(" (near it: {})", near.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_forgiven_and_the_nearest_name_comes_first() {
        let known = ["SciFact", "SCIDOCS", "NFCorpus", "STS12", "STS13"];
        assert_eq!(near("SciFakt", known), ["SciFact"]);
        assert_eq!(near("scifact", known), ["SciFact"]);
        assert_eq!(near("STS13", known), ["STS13", "STS12"]);
        assert_eq!(near("STS12x", ["STS", "STS12"]), ["STS", "STS12"]);
        assert_eq!(near("STS12-and-more", ["STS"]), [""; 0]);
        assert_eq!(near("Quora", known), [""; 0]);
        assert_eq!(hint("NFCropus", known, "see `list`"), " (near it: NFCorpus)");
        assert_eq!(hint("Quora", known, "see `list`"), " (see `list`)");
    }

    #[test]
    fn of_many_names_a_handful_is_shown_and_what_lists_all() {
        let known = ["SciFact", "SCIDOCS", "NFCorpus", "STS12", "STS13", "STS14"];
        let said = |name, known: &[&'static str]| hint_of_many(name, known.iter().copied(), "list");
        assert_eq!(said("SciFakt", &known), " (near it: SciFact; `list` shows all)");
        assert_eq!(
            said("Quora", &known),
            " (such as SciFact, SCIDOCS, NFCorpus, STS12, STS13; `list` shows all)"
        );
        assert_eq!(said("Quora", &known[..2]), " (known: SciFact, SCIDOCS)");
    }

    #[test]
    fn a_name_of_megabytes_is_not_compared() {
        assert_eq!(near(&"a".repeat(1 << 20), ["aa"]), [""; 0]);
    }

    #[test]
    fn of_many_names_the_first_are_there_and_how_many_more() {
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned);
        assert_eq!(list_names(&names[..0]), "");
        assert_eq!(list_names(&names[..3]), "a, b, c");
        assert_eq!(list_names(&names), "a, b, c and 2 more");
        assert_eq!(first_of(&names, 4, "; ", "; and "), "a; b; c; d; and 1 more");
    }
}

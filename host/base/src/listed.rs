//! Names in a message: all of a few, of many the first ones and how many more there are.

use std::fmt::Display;

/// `a, b, c`, and of more than three `a, b, c and 40 more`.
pub fn listed(names: &[String]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_names_the_first_are_there_and_how_many_more() {
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned);
        assert_eq!(listed(&names[..0]), "");
        assert_eq!(listed(&names[..3]), "a, b, c");
        assert_eq!(listed(&names), "a, b, c and 2 more");
        assert_eq!(first_of(&names, 4, "; ", "; and "), "a; b; c; d; and 1 more");
    }
}

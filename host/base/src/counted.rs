//! Numbers of things in messages: the noun has the form that its number asks for.

/// A number of things: `1 file`, `2 files`, `3 queries`. `what` is the noun in the singular, with the words before it.
pub fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {}", plural(what)) }
}

/// A number of things within two bounds: `3 rows` where they are the same, else `3 to 5 rows`.
pub fn count_between(least: usize, most: usize, what: &str) -> String {
    if least == most { count(least, what) } else { format!("{least} to {}", count(most, what)) }
}

/// The plural of a noun by the rules of English; the irregular nouns that messages use are named.
fn plural(what: &str) -> String {
    const IRREGULAR: [(&str, &str); 2] = [("corpus", "corpora"), ("index", "indices")];
    let (before, noun) = what.rsplit_once(' ').map_or(("", what), |(before, noun)| (before, noun));
    let plural = match IRREGULAR.iter().find(|(one, _)| *one == noun) {
        Some((_, many)) => (*many).to_owned(),
        None => regular_plural(noun),
    };
    if before.is_empty() { plural } else { format!("{before} {plural}") }
}

fn regular_plural(noun: &str) -> String {
    let ends_with_consonant = |stem: &str| !stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    match noun.strip_suffix('y').filter(|stem| ends_with_consonant(stem)) {
        Some(stem) => format!("{stem}ies"),
        None if ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_its_noun_agree() {
        assert_eq!([0, 1, 2].map(|number| count(number, "row")), ["0 rows", "1 row", "2 rows"]);
        assert_eq!([1, 2].map(|number| count(number, "query")), ["1 query", "2 queries"]);
        assert_eq!(count(3, "different candidate"), "3 different candidates");
    }

    #[test]
    fn nouns_have_the_plural_that_english_gives_them() {
        let of = |what| count(2, what);
        assert_eq!([of("key"), of("class"), of("match")], ["2 keys", "2 classes", "2 matches"]);
        assert_eq!([of("corpus"), of("nearest index")], ["2 corpora", "2 nearest indices"]);
    }

    #[test]
    fn bounds_that_are_the_same_are_one_number() {
        assert_eq!(count_between(3, 3, "row"), "3 rows");
        assert_eq!(count_between(1, 1, "row"), "1 row");
        assert_eq!(count_between(1, 2, "query"), "1 to 2 queries");
        assert_eq!(count_between(0, 1, "character"), "0 to 1 character");
    }
}

//! Which column may be meant by the name of one that is absent.

/// The likeness from which on two names may be the same with a slip (Jaro and Winkler).
const ALIKE: f64 = 0.85;

/// The one of the `present` names that is most likely meant by `wanted`, if any is likely at all.
pub fn likely<'a>(wanted: &str, present: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = plain(wanted);
    let ranked = present.filter_map(|name| Some((rank(&plain, &self::plain(name))?, name)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, name)| name)
}

/// How far apart two plain names are; `None` if too far.
fn rank(wanted: &str, found: &str) -> Option<u32> {
    if wanted.is_empty() || found.is_empty() {
        return None;
    }
    if wanted == found {
        return Some(0);
    }
    let number = |name: &str| name.trim_start_matches(|letter: char| !letter.is_ascii_digit()).to_owned();
    let numbers = [number(wanted), number(found)];
    if numbers.iter().all(|number| !number.is_empty()) && numbers[0] != numbers[1] {
        // `sentence1` is the other one of two, never `sentence2`.
        return None;
    }
    let likeness = strsim::jaro_winkler(wanted, found);
    if likeness >= ALIKE {
        return Some(1 + ((1.0 - likeness) * 100.0) as u32);
    }
    // Every other word has `id` somewhere inside.
    let holds = |long: &str, short: &str| {
        long.starts_with(short) || long.ends_with(short) || (short.len() > 3 && long.contains(short))
    };
    if holds(found, wanted) || holds(wanted, found) {
        return Some(100);
    }
    // `kalimat1` for `sentence1`: the same of several columns of one kind.
    (!numbers[0].is_empty() && numbers[0] == numbers[1]).then_some(101)
}

/// The letters and digits of a name in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::likely;

    #[test]
    fn a_slip_a_longer_name_and_a_number_are_likely() {
        let of = |wanted, present: &[&'static str]| likely(wanted, present.iter().copied());
        assert_eq!(of("label", &["text", "lable"]), Some("lable"));
        assert_eq!(of("score", &["s1", "similarity_score"]), Some("similarity_score"));
        assert_eq!(of("sentence2", &["kalimat1", "kalimat2", "nilai"]), Some("kalimat2"));
        assert_eq!(of("sentence2", &["sentence1", "kalimat2"]), Some("kalimat2"));
        assert_eq!(of("sentence2", &["sentence1", "nilai"]), None);
        assert_eq!(of("_id", &["docid", "text"]), Some("docid"));
        assert_eq!(of("Text", &["text", "full_text"]), Some("text"));
        assert_eq!(of("_id", &["video", "text"]), None);
        assert_eq!(of("label", &["kalimat", "nilai"]), None);
    }
}

//! Files that are numbered, as `test-1.csv` and `test-2.csv`: which of them lack.

use std::collections::HashSet;
use std::ops::Range;

/// Numbers from here on are dates and ids, which have gaps.
const LARGEST: u64 = 99_999;

/// The names of `files` that are not there, if they differ in one number alone: those between the first and the last, those
/// before a first one above 1, and those that `test-00001-of-00003.parquet` promises.
pub fn missing_files(files: &[String]) -> Vec<String> {
    let Some(first) = files.first() else { return Vec::new() };
    let names: Vec<Vec<&str>> = files.iter().map(|file| parts(file)).collect();
    let Some(place) = numbered_place(&names) else { return Vec::new() };
    let numbers: Option<Vec<u64>> = names.iter().map(|parts| parts.get(place)?.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.iter().all(|number| *number <= LARGEST)) else {
        return Vec::new();
    };
    let expected = infer_numbers(&names[0], place, &numbers).unwrap_or_else(|| as_begun(&numbers));
    let (before, number) = (names[0][..place].concat(), names[0][place]);
    let after = &first[before.len() + number.len()..];
    let pad = if number.starts_with('0') { number.len() } else { 0 };
    let numbers: HashSet<u64> = numbers.into_iter().collect();
    let absent = expected.filter(|number| !numbers.contains(number));
    absent.map(|number| format!("{before}{number:0pad$}{after}")).collect()
}

/// The only place where the names differ; of one name the number before `-of-`.
fn numbered_place(names: &[Vec<&str>]) -> Option<usize> {
    let alike = |place: usize| names.iter().all(|other| other.get(place) == names[0].get(place));
    let mut differing = (0..names[0].len()).filter(|&place| !alike(place));
    match (differing.next(), differing.next()) {
        (None, _) => (0..names[0].len()).find(|&place| total(&names[0], place).is_some()),
        (place, None) => place,
        _ => None,
    }
}

/// The number of files that a name says there are, as 3 of `test-00001-of-00003`.
fn total(name: &[&str], place: usize) -> Option<u64> {
    name[place].parse::<u64>().ok()?;
    let total = name.get(place + 2).filter(|_| name[place + 1] == "-of-")?;
    total.parse().ok().filter(|total| *total <= LARGEST)
}

/// The numbers of all files that the names promise, from 0 on, or from 1 on where the last is among them.
fn infer_numbers(name: &[&str], place: usize, numbers: &[u64]) -> Option<Range<u64>> {
    let total = total(name, place)?;
    Some(if numbers.contains(&total) { 1..total + 1 } else { 0..total })
}

/// From the first to the last number, or from 1 on where fewer are missing before the first than are there: more of them are
/// months, or chapters of something.
fn as_begun(numbers: &[u64]) -> Range<u64> {
    let (least, most) = (numbers.iter().min().copied(), numbers.iter().max().copied());
    let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
    let is_near = least >= 1 && least - 1 < numbers.len() as u64;
    if is_near { 1..most } else { least..most }
}

/// A name cut where digits begin and end.
fn parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_other = |letter: char| letter.is_ascii_digit() != first.is_ascii_digit();
        let (part, more) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
        parts.push(part);
        rest = more;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::missing_files;

    #[test]
    fn a_number_that_is_left_out_is_named() {
        let of =
            |files: &[&str]| missing_files(&files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["test-1.csv", "test-3.csv"]), ["test-2.csv"]);
        assert_eq!(of(&["ind/test-01.csv", "ind/test-04.csv"]), ["ind/test-02.csv", "ind/test-03.csv"]);
        assert_eq!(of(&["test-9.csv", "test-11.csv"]), ["test-10.csv"]);
        assert_eq!(of(&["data/test-00000-of-00002.csv", "data/test-00001-of-00002.csv"]), [""; 0]);
        assert_eq!(of(&["test-a.csv", "test-c.csv"]), [""; 0]);
        assert_eq!(of(&["test.csv"]), [""; 0]);
        assert_eq!(of(&["test-20240101.csv", "test-20240301.csv"]), [""; 0]);
    }

    #[test]
    fn the_first_and_the_last_may_be_left_out_too() {
        let of =
            |files: &[&str]| missing_files(&files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["test-2.csv", "test-3.csv"]), ["test-1.csv"]);
        assert_eq!(of(&["test-0.csv", "test-1.csv"]), [""; 0]);
        assert_eq!(of(&["test-2023.csv", "test-2024.csv"]), [""; 0], "years begin nowhere");
        assert_eq!(
            of(&["test-00000-of-00003.parquet", "test-00001-of-00003.parquet"]),
            ["test-00002-of-00003.parquet"]
        );
        assert_eq!(of(&["test-00001-of-00002.parquet"]), ["test-00000-of-00002.parquet"]);
        assert_eq!(of(&["test-1-of-3.csv", "test-3-of-3.csv"]), ["test-2-of-3.csv"]);
        assert_eq!(of(&["test-00000-of-00001.parquet"]), [""; 0]);
    }
}

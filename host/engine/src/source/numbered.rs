//! Files that are numbered, as `test-1.csv` and `test-2.csv`: which of them lack.

/// Numbers from here on are dates and ids, which have gaps.
const LARGEST: u64 = 99_999;

/// The names between the first and the last of `files` that are not there, if the files differ in one number alone.
pub fn lacking(files: &[String]) -> Vec<String> {
    let Some(first) = files.first() else { return Vec::new() };
    let parts: Vec<Vec<&str>> = files.iter().map(|file| parts(file)).collect();
    let alike = |place: usize| parts.iter().all(|other| other.get(place) == parts[0].get(place));
    let mut differing = (0..parts[0].len()).filter(|&place| !alike(place));
    let (Some(place), None) = (differing.next(), differing.next()) else { return Vec::new() };
    let numbers: Option<Vec<u64>> = parts.iter().map(|parts| parts.get(place)?.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.iter().all(|number| *number <= LARGEST)) else {
        return Vec::new();
    };
    let (least, most) = (numbers.iter().min().copied(), numbers.iter().max().copied());
    let gaps = (least.unwrap_or(0)..most.unwrap_or(0)).filter(|number| !numbers.contains(number));
    let (before, width) = (parts[0][..place].concat(), parts[0][place].len());
    let after = &first[before.len() + width..];
    let pad = if parts[0][place].starts_with('0') { width } else { 0 };
    gaps.map(|number| format!("{before}{number:0pad$}{after}")).collect()
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
    use super::lacking;

    #[test]
    fn a_number_that_is_left_out_is_named() {
        let of = |files: &[&str]| lacking(&files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["test-1.csv", "test-3.csv"]), ["test-2.csv"]);
        assert_eq!(of(&["ind/test-01.csv", "ind/test-04.csv"]), ["ind/test-02.csv", "ind/test-03.csv"]);
        assert_eq!(of(&["test-9.csv", "test-11.csv"]), ["test-10.csv"]);
        assert_eq!(of(&["data/test-00000-of-00002.csv", "data/test-00001-of-00002.csv"]), [""; 0]);
        assert_eq!(of(&["test-a.csv", "test-c.csv"]), [""; 0]);
        assert_eq!(of(&["test.csv"]), [""; 0]);
        assert_eq!(of(&["test-20240101.csv", "test-20240301.csv"]), [""; 0]);
    }
}

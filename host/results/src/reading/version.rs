//! Versions of the reference as it orders them: PEP 440, as far as result files hold them; the form
//! of a file follows from its version.

use std::cmp::Ordering;

use serde_json::Value;

/// The stage of a release.
const RELEASE: (u8, u64, u64) = (2, 0, 0);

/// A version such as `1.12.48`, `1.1.1.dev0` or `2.0.0rc1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    release: Vec<u64>,
    /// Development, pre-release, release, post-release: what is earlier sorts first.
    stage: (u8, u64, u64),
}

impl Version {
    /// The release of these numbers, such as `1.11.0`.
    pub fn release<const PARTS: usize>(numbers: [u64; PARTS]) -> Self {
        Self { release: without_zeros(numbers.to_vec()), stage: RELEASE }
    }

    /// Reads a version; `None` for a range of versions and for what is none.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let text = text.strip_prefix('v').unwrap_or(&text);
        let digits = text.find(|character: char| !character.is_ascii_digit() && character != '.');
        let (release, rest) = text.split_at(digits.unwrap_or(text.len()));
        let rest = rest.split('+').next().unwrap_or_default();
        let release = release.strip_suffix('.').unwrap_or(release);
        let release = release.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        Some(Self { release: without_zeros(release), stage: stage(rest)? })
    }

    /// The first version of a range such as `2.12.16-2.15.4`, or the version itself.
    pub fn parse_first(text: &str) -> Option<Self> {
        Self::parse(text).or_else(|| Self::parse(text.split_once('-')?.0))
    }
}

/// `1.1.0` is `1.1`.
fn without_zeros(mut release: Vec<u64>) -> Vec<u64> {
    while release.len() > 1 && release.last() == Some(&0) {
        release.pop();
    }
    release
}

fn stage(rest: &str) -> Option<(u8, u64, u64)> {
    let rest = rest.trim_start_matches(['.', '-', '_']);
    let (word, number) =
        rest.split_at(rest.find(|character: char| character.is_ascii_digit()).unwrap_or(rest.len()));
    if word.is_empty() && number.is_empty() {
        return Some(RELEASE);
    }
    let number: u64 = if number.is_empty() { 0 } else { number.parse().ok()? };
    match word.trim_end_matches(['.', '-', '_']) {
        "dev" => Some((0, number, 0)),
        "a" | "alpha" => Some((1, 0, number)),
        "b" | "beta" => Some((1, 1, number)),
        "rc" | "c" | "pre" | "preview" => Some((1, 2, number)),
        "post" | "rev" | "r" | "" => Some((3, number, 0)),
        _ => None,
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.release.cmp(&other.release).then_with(|| self.stage.cmp(&other.stage))
    }
}

/// The oldest files of the reference whose scores have today's form.
pub const OLDEST: [u32; 2] = [1, 11];

/// True of a file of the old form: the reference takes those without a version, or of one before [`OLDEST`], to have it.
pub fn is_historic(file: &Value) -> bool {
    let Some(object) = file.as_object() else { return false };
    match object.get("mteb_version") {
        None => true,
        Some(version) => {
            let first = version.as_str().and_then(Version::parse_first);
            let [major, minor] = OLDEST;
            first.is_some_and(|version| version < Version::release([major.into(), minor.into()]))
        }
    }
}

/// True of a version of the reference whose scores have today's form, and of a range of them.
pub fn is_readable(version: &str) -> bool {
    version.split('-').all(|version| {
        let mut numbers = version.split('.').map(|number| {
            let digits = number.bytes().take_while(u8::is_ascii_digit).count();
            number[..digits].parse::<u32>().ok()
        });
        matches!((numbers.next(), numbers.next()), (Some(Some(major)), Some(Some(minor))) if [major, minor] >= OLDEST)
    })
}

/// Version of the reference whose protocol the scores follow; the reference's loader sorts results by it.
pub const PROTOCOL_VERSION: &str = "2.26.24";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn versions_stand_in_the_order_of_the_reference() {
        let sorted =
            ["0.0.2", "1.0.1.dev0", "1.0.1", "1.1", "1.1.1.dev0", "1.2rc1", "1.2", "1.12.48", "2.0.0"];
        let parsed: Vec<Version> = sorted.iter().map(|text| Version::parse(text).unwrap()).collect();
        assert!(parsed.is_sorted_by(|left, right| left < right), "{parsed:?}");
        assert_eq!(Version::parse("1.1.0"), Version::parse("1.1"));
    }

    #[test]
    fn a_range_is_no_version_but_has_a_first_one() {
        for text in ["2.16.2-2.18.0", "mteb version not available", "", "x"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
        assert_eq!(Version::parse_first("2.16.2-2.18.0"), Version::parse("2.16.2"));
    }

    #[test]
    fn versions_of_the_reference_are_told_from_other_texts_and_from_those_with_another_form() {
        for version in ["2.26.24", "1.11.0", "1.12.48-2.0.1", "1.36.0.dev1"] {
            assert!(is_readable(version), "{version}");
        }
        for version in ["1.10.9", "0.9", "2", "two", "", "1.12.48-", "3.x"] {
            assert!(!is_readable(version), "{version}");
        }
    }

    #[test]
    fn files_without_a_version_and_of_one_before_today_have_the_old_form() {
        for file in [json!({}), json!({"mteb_version": "1.10.21"}), json!({"mteb_version": "1.11.0.dev0"})] {
            assert!(is_historic(&file), "{file}");
        }
        for file in [json!([]), json!({"mteb_version": null}), json!({"mteb_version": "1.11.0"})] {
            assert!(!is_historic(&file), "{file}");
        }
    }
}

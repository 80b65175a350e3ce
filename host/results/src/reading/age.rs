//! Which form a result file has, by the version of the reference that it names.

use serde_json::Value;

use super::version::Version;

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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

//! Versions and the changelog, as texts.

/// Files that state the version of the project, and what stands before it there.
pub const STATED: [(&str, &[&str]); 3] = [
    ("Cargo.toml", &["version = \"", "\", version = \""]),
    ("python/pyproject.toml", &["version = \""]),
    ("CITATION.cff", &["version: "]),
];

/// The heading of what is not released yet.
const UNRELEASED: &str = "## [Unreleased]";

/// Checks that `version` is three numbers.
///
/// # Errors
/// If it is not.
pub fn check_version(version: &str) -> Result<(), String> {
    let numbers: Vec<&str> = version.split('.').collect();
    let is_number = |text: &&str| text.parse::<u32>().is_ok_and(|number| number.to_string() == **text);
    match numbers.len() == 3 && numbers.iter().all(is_number) {
        true => Ok(()),
        false => Err(format!("expected a version of three numbers, as 0.2.0, found: {version}")),
    }
}

/// The version that the workspace has.
pub fn present(manifest: &str) -> Option<&str> {
    let own = manifest.split("[workspace.package]").nth(1)?;
    own.split("version = \"").nth(1)?.split('"').next()
}

/// A file that states the version `from` behind one of `before`, with `to` in its place. Crates with versions of their own have others.
pub fn restated(text: &str, before: &[&str], from: &str, to: &str) -> String {
    let restate = |line: &str| {
        // Versions of crates of others may be the same by chance; those of ours have a path.
        let is_ours = line.starts_with("version") || line.contains("{ path = \"");
        let found = before.iter().find(|before| is_ours && ends(line, &format!("{before}{from}")));
        found.map_or_else(
            || line.to_owned(),
            |before| line.replacen(&format!("{before}{from}"), &format!("{before}{to}"), 1),
        )
    };
    text.lines().map(|line| restate(line) + "\n").collect()
}

/// True if `line` holds `text`, and no longer version behind it.
fn ends(line: &str, text: &str) -> bool {
    line.split_once(text).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with('"'))
}

/// The changelog in which what was not released is the section of `version`, and what that section says.
///
/// # Errors
/// If it says nothing.
pub fn released(changelog: &str, version: &str, date: &str) -> Result<(String, String), String> {
    let lacks = || format!("CHANGELOG.md: expected lines below `{UNRELEASED}`, found none");
    let (before, rest) = changelog.split_once(UNRELEASED).ok_or_else(lacks)?;
    let (_, rest) = rest.split_once('\n').ok_or_else(lacks)?;
    let section = rest.split("\n## ").next().unwrap_or(rest).trim();
    if section.is_empty() {
        return Err(lacks());
    }
    Ok((format!("{before}{UNRELEASED}\n\n## [{version}] – {date}\n{rest}"), section.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_stated_anew_where_it_is_that_of_the_project() {
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\nrust-version = \"1.91\"\n[workspace.dependencies]\n\
                        mteb-base = { path = \"host/base\", version = \"0.1.0\" }\nwait4 = \"0.1\"\nother = { version = \"0.1.0\" }\n\
                        mteb-plugin-api = { path = \"plugin-api\", version = \"1.0.0\" }\n";
        assert_eq!(present(manifest), Some("0.1.0"));
        let expected = manifest.replacen("0.1.0", "0.2.0", 2);
        assert_eq!(restated(manifest, STATED[0].1, "0.1.0", "0.2.0"), expected);
        assert_eq!(
            restated("cff-version: 1.2.0\nversion: 0.1.0\n", STATED[2].1, "0.1.0", "0.2.0"),
            "cff-version: 1.2.0\nversion: 0.2.0\n"
        );
        assert_eq!(restated("version: 0.1.01\n", STATED[2].1, "0.1.0", "0.2.0"), "version: 0.1.01\n");
    }

    #[test]
    fn what_was_not_released_becomes_the_section_of_the_version() {
        let changelog = "# Changelog\n\n## [Unreleased] – 0.1.0\n\n- One.\n\n## [0.0.1]\n\n- Old.\n";
        let (text, notes) = released(changelog, "0.1.0", "2026-11-29").unwrap();
        assert_eq!(notes, "- One.");
        assert_eq!(
            text,
            "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] – 2026-11-29\n\n- One.\n\n## [0.0.1]\n\n- Old.\n"
        );
        assert!(released(&text, "0.1.1", "2026-11-30").is_err(), "there is nothing to release");
    }

    #[test]
    fn a_version_is_three_numbers() {
        for version in ["0.1.0", "1.20.3"] {
            assert_eq!(check_version(version), Ok(()));
        }
        for version in ["0.1", "v0.1.0", "0.1.0-rc1", "0.01.0", "", "0.1.0.0"] {
            assert!(check_version(version).is_err(), "{version}");
        }
    }
}

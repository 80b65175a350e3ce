//! Names of models, tasks, splits and subsets as names of folders and files.

use std::fmt::Write;

/// A name as a file name that no other name has: what [`folder_name`] would change is written as its bytes, `%2F` for `/`, and so
/// is `%` itself.
pub fn own_name(name: &str) -> String {
    let is_plain = |character: char| !matches!(character, '/' | ' ' | '%') && !character.is_control();
    let mut own = String::with_capacity(name.len());
    for character in name.chars() {
        if is_plain(character) && !matches!(name, "." | "..") {
            own.push(character);
            continue;
        }
        for byte in character.encode_utf8(&mut [0; 4]).bytes() {
            // A string takes all that is written to it.
            let _ = write!(own, "%{byte:02X}");
        }
    }
    own
}

/// A name as the reference makes a folder of it.
pub fn folder_name(name: &str) -> String {
    let name: String = name.replace('/', "__").replace(' ', "_");
    // What a plugin says of itself must not lead out of the folder of results.
    let name = name.replace(char::is_control, "_");
    if matches!(name.as_str(), "." | "..") { name.replace('.', "_") } else { name }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_names_have_one_file() {
        let names = [
            "a/b", "a__b", "a_b", "a b", "a\u{1}b", "a\u{85}b", "a%2Fb", "a%2fb", "%", ".", "..", "_", "__",
            "日本",
        ];
        let own: HashSet<String> = names.iter().map(|name| own_name(name)).collect();
        assert_eq!(own.len(), names.len());
        assert!(
            own.iter()
                .all(|name| !name.contains(['/', ' ', '\u{1}', '\u{85}']) && name != "." && name != "..")
        );
        assert_eq!(
            ["default", "zho-Hans", "v1.5", "日本", "a/b", ".."].map(own_name),
            ["default", "zho-Hans", "v1.5", "日本", "a%2Fb", "%2E%2E"]
        );
    }
}

//! Links of Markdown documents to files of the project.

use std::path::Path;

use super::citations::line_of;

/// One line for each relative link in `text` to a file for which `exists`, asked from the document, says no.
pub fn faults(name: &Path, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let missing = links(text).filter(|(_, target)| !exists(target));
    missing
        .map(|(place, target)| {
            format!(
                "{}:{}: expected a link to a file of the project, found: {target}",
                name.display(),
                line_of(text, place)
            )
        })
        .collect()
}

/// The relative targets of links, without what names a place within the file.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("](").filter_map(|(place, mark)| {
        let (link, _) = text[place + mark.len()..].split_once(')')?;
        let file = link.split('#').next().unwrap_or_default();
        let is_relative = !file.is_empty() && !file.contains(':') && !file.contains(char::is_whitespace);
        is_relative.then_some((place, file))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_file_that_is_not_there_is_found_with_its_line() {
        let text =
            "See [this](there.md#part) and\n[that](gone.md), [the web](https://example.org), [here](#below).";
        assert_eq!(
            faults(Path::new("README.md"), text, |target| target == "there.md"),
            ["README.md:2: expected a link to a file of the project, found: gone.md"]
        );
    }
}

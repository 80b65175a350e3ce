//! Links of Markdown documents to files of the project, and citations of its protocol, as "protocol
//! 6.9" or "protocol 6.4 and 6.5", against the headings of its document.

use std::collections::BTreeSet;
use std::path::Path;

/// The word before a citation.
const WORD: &str = "protocol";

/// What may stand between two sections of one citation.
const BETWEEN: [&str; 2] = [", ", " and "];

/// One line for each citation in `text` of a section that `protocol` has no heading for.
pub fn faults(name: &Path, text: &str, protocol: &str) -> Vec<String> {
    let known = headings(protocol);
    let cited = find_cited(text).into_iter().filter(|(_, section)| !known.contains(section));
    cited
        .map(|(place, section)| {
            format!(
                "{}:{}: expected a section of docs/protocol.md, found: {WORD} {section}",
                name.display(),
                line_of(text, place)
            )
        })
        .collect()
}

/// The numbers of the headings of `document`.
fn headings(document: &str) -> BTreeSet<&str> {
    let titles = document.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
    titles.filter_map(|title| number(title).filter(|number| title[number.len()..].starts_with(' '))).collect()
}

/// The sections that `text` cites, each with its place.
fn find_cited(text: &str) -> Vec<(usize, &str)> {
    let lower = text.to_ascii_lowercase();
    let mut cited = Vec::new();
    for (place, _) in lower.match_indices(WORD) {
        let behind = &text[place + WORD.len()..];
        let mut rest = behind.strip_prefix(' ').map(|rest| rest.strip_prefix('(').unwrap_or(rest));
        while let Some(section) = rest.and_then(number) {
            cited.push((place, section));
            let behind = rest.map(|rest| &rest[section.len()..]).unwrap_or_default();
            rest = BETWEEN.iter().find_map(|between| behind.strip_prefix(between));
        }
    }
    cited
}

/// The number with which `text` begins, as `6` or `6.10`; versions, as `2.26.24`, are none.
fn number(text: &str) -> Option<&str> {
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    let parts: Vec<&str> = number.split('.').collect();
    (parts.len() <= 2 && parts.iter().all(|part| !part.is_empty())).then_some(number)
}

/// The line of `text` in which the byte at `place` lies, from 1 on.
pub fn line_of(text: &str, place: usize) -> usize {
    1 + text.as_bytes()[..place].iter().filter(|byte| **byte == b'\n').count()
}

/// One line for each relative link in `text` to a file for which `exists`, asked from the document, says no.
pub fn link_faults(name: &Path, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
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

    const PROTOCOL: &str =
        "# Title\n\n## 6 Task types\n\n### 6.1 Bitext\n\n### 6.10 Summaries\n\n7 is no heading\n";

    fn found(text: &str) -> Vec<String> {
        faults(Path::new("a.rs"), text, PROTOCOL)
    }

    #[test]
    fn a_citation_of_a_section_that_is_not_there_is_found_with_its_line() {
        let text = "//! Scores (protocol 6.1).\n\n/// Gold (Protocol 6.2.)\n";
        assert_eq!(found(text), ["a.rs:3: expected a section of docs/protocol.md, found: protocol 6.2"]);
    }

    #[test]
    fn each_section_of_a_citation_counts() {
        assert_eq!(found("protocol 6 and 7").len(), 1);
        assert_eq!(found("protocol 6.1, 6.3, 6.10, 6.4").len(), 2);
        assert_eq!(found("the protocol (6.1, 6.9) rests on").len(), 1);
        assert_eq!(found("protocol 6.1, step 3; protocol 6.10.").len(), 0);
    }

    #[test]
    fn versions_and_other_uses_of_the_word_are_no_citations() {
        assert!(found("protocol 2.26.24, the protocol, protocols 9, protocol_9").is_empty());
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_is_found_with_its_line() {
        let text =
            "See [this](there.md#part) and\n[that](gone.md), [the web](https://example.org), [here](#below).";
        assert_eq!(
            link_faults(Path::new("README.md"), text, |target| target == "there.md"),
            ["README.md:2: expected a link to a file of the project, found: gone.md"]
        );
    }
}

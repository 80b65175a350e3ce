//! The part of a dataset card between two marks, below its title.

const START: &str = "<!-- facts, written by `cargo xtask cards` -->";
const END: &str = "<!-- end of facts -->";

/// `text` with `facts` between the marks, which are put below the title if they are not there; `None` without a title.
pub fn replace(text: &str, facts: &str) -> Option<String> {
    let block = format!("{START}\n{}\n{END}\n", facts.trim_end());
    if let (Some(start), Some(end)) = (text.find(START), text.find(END)) {
        let rest = text[end + END.len()..].trim_start_matches('\n');
        return Some(format!("{}{block}\n{rest}", text.get(..start)?));
    }
    let (title, rest) = text.split_once('\n')?;
    title.starts_with("# ").then(|| format!("{title}\n\n{block}\n{}", rest.trim_start_matches('\n')))
}

//! Puts a table into docs/benchmarks.md.

use std::path::Path;

/// Replaces what stands between the lines `<!-- name -->` and `<!-- end of name -->` of the document at `path`.
pub fn write(path: &Path, name: &str, table: &str) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(fault)?;
    let marks = [format!("<!-- {name} -->"), format!("<!-- end of {name} -->")];
    let [begin, end] = marks.each_ref().map(|mark| text.find(mark.as_str()));
    let (Some(begin), Some(end)) = (begin, end) else {
        return Err(format!("{}: expected the lines `{}` and `{}`", path.display(), marks[0], marks[1]));
    };
    let begin = begin + marks[0].len();
    std::fs::write(path, format!("{}\n\n{table}\n{}", &text[..begin], &text[end..])).map_err(fault)
}

//! Tables in documents: what stands between two marks is written by a command.

use std::fs;
use std::path::Path;

/// Puts `table` between the lines `<!-- name -->` and `<!-- end of name -->` of the document at `path`.
pub fn put_table(path: &Path, name: &str, table: &str) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(fault)?;
    let marks = [format!("<!-- {name} -->"), format!("<!-- end of {name} -->")];
    let (Some(begin), Some(end)) = (text.find(&marks[0]), text.find(&marks[1])) else {
        return Err(format!("{}: expected the lines `{}` and `{}`", path.display(), marks[0], marks[1]));
    };
    let begin = begin + marks[0].len();
    fs::write(path, format!("{}\n\n{table}\n{}", &text[..begin], &text[end..])).map_err(fault)
}

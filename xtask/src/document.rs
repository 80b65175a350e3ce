//! Documents: what stands between two marks is written by a command, with when and where it was measured;
//! docs/ and the README become a site with search, which fails where a link or an anchor leads nowhere.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::command::{root, status, target_folder};
use crate::python;

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

/// Processor model and number of cores that programs may use.
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = field(&info, "model name").unwrap_or(std::env::consts::ARCH);
    let model = match (field(&info, "cpu family"), field(&info, "model")) {
        (Some(family), Some(model)) => format!(" (family {family}, model {model})"),
        _ => String::new(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}{model}, {cores} cores")
}

/// The day of now in UTC, such as `2026-11-29`.
///
/// # Errors
/// If the program `date` does not say it.
pub fn today() -> Result<String, String> {
    let output = Command::new("date").args(["--utc", "+%F"]).output();
    let output = output.map_err(|error| format!("cannot run date: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

/// Builds the site and says where it is.
pub fn build_site() -> Result<ExitCode, String> {
    check_site()?;
    println!("{}", target_folder().join("site/html/index.html").display());
    Ok(ExitCode::SUCCESS)
}

/// Builds the site.
pub fn check_site() -> Result<(), String> {
    let folder = root().join("tools/site");
    let python = python::fill_environment(
        &target_folder().join("site/python"),
        &folder.join("requirements.txt"),
        "20 MB",
    )?;
    let mut mkdocs = Command::new(python);
    mkdocs
        .args(["-m", "mkdocs", "build", "--quiet", "--strict", "--config-file"])
        .arg(folder.join("mkdocs.yml"));
    mkdocs.arg("--site-dir").arg(target_folder().join("site/html"));
    // Of the successor of its theme.
    mkdocs.env("NO_MKDOCS_2_WARNING", "1");
    if status(&mut mkdocs)?.success() { Ok(()) } else { Err("failed: the documentation site".to_owned()) }
}

//! The documentation site: docs/ and the README as pages with search. It fails where a link or an anchor leads nowhere.

use std::process::{Command, ExitCode};

use crate::command::{root, status, target_folder};
use crate::python;

/// Builds the site and says where it is.
pub fn build() -> Result<ExitCode, String> {
    check()?;
    println!("{}", target_folder().join("site/html/index.html").display());
    Ok(ExitCode::SUCCESS)
}

/// Builds the site.
pub fn check() -> Result<(), String> {
    let folder = root().join("tools/site");
    let python =
        python::filled(&target_folder().join("site/python"), &folder.join("requirements.txt"), "20 MB")?;
    let mut mkdocs = Command::new(python);
    mkdocs
        .args(["-m", "mkdocs", "build", "--quiet", "--strict", "--config-file"])
        .arg(folder.join("mkdocs.yml"));
    mkdocs.arg("--site-dir").arg(target_folder().join("site/html"));
    // Of the successor of its theme.
    mkdocs.env("NO_MKDOCS_2_WARNING", "1");
    if status(&mut mkdocs)?.success() { Ok(()) } else { Err("failed: the documentation site".to_owned()) }
}

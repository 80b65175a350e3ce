//! Languages of pages that registries bring: the files `page/CODE.toml` beside them.

use std::path::{Path, PathBuf};

use mteb_registry::{Fault, Locator, read_page_language};
use mteb_report::page::{LanguageFile, PageLanguages};

/// The languages of the host with those of `files`, and what is wrong with some of these, which are left out.
pub fn page_languages(files: &[PathBuf]) -> (PageLanguages, Vec<Fault>) {
    let mut languages = PageLanguages::default();
    let mut all = Vec::new();
    for file in files {
        match read(file) {
            Ok((code, language, found)) if found.iter().all(|(_, is_warning)| *is_warning) => {
                languages.add(&code, language);
            }
            Ok((_, _, found)) => {
                all.extend(found.into_iter().filter(|(_, odd)| !odd).map(|(fault, _)| fault))
            }
            Err(fault) => all.push(fault),
        }
    }
    (languages, all)
}

/// What is wrong with the files, and what is odd.
pub fn check_page_languages(files: &[PathBuf]) -> (Vec<Fault>, Vec<Fault>) {
    let (mut faults, mut oddities) = (Vec::new(), Vec::new());
    for file in files {
        match read(file) {
            Ok((_, _, found)) => {
                for (fault, is_warning) in found {
                    if is_warning { oddities.push(fault) } else { faults.push(fault) }
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    (faults, oddities)
}

/// The code of a language, its texts, and what is wrong (false) or odd (true) with them.
type Read = (String, LanguageFile, Vec<(Fault, bool)>);

fn read(file: &Path) -> Result<Read, Fault> {
    let text = read_page_language(file)?;
    let locator = Locator::new(&text.file, text.text());
    let language =
        LanguageFile::read(text.text()).map_err(|error| locator.fault_at(error.span(), error.message()))?;
    let code = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let found = language.faults(&code).into_iter().map(|fault| {
        let path: Vec<&str> = fault.path.iter().map(String::as_str).collect();
        let place = if path.is_empty() {
            Fault::of_file(&text.file, fault.message)
        } else {
            locator.fault(&path, fault.message)
        };
        (place, fault.is_warning)
    });
    let found = found.collect();
    Ok((code, language, found))
}

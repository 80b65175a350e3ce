//! Which file takes which names from which other file, through every module that only hands them on.

use std::collections::{BTreeMap, BTreeSet};

use syn::Item;
use syn::visit::{self, Visit};

use super::crate_files::{CrateFiles, Module, ModulePath};

/// From file to file, with the names that the first takes.
pub type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

/// Times that a name may be handed on, so that a ring of imports ends.
const MOST_STEPS: usize = 32;

/// The arrows between the files of a crate.
pub fn arrows(files: &CrateFiles) -> Arrows {
    let mut arrows = Arrows::new();
    for (path, module) in &files.modules {
        let mut named = Named::default();
        for item in &module.items {
            match item {
                Item::Use(_) => {}
                item => named.visit_item(item),
            }
        }
        let imported = module.imports.values().cloned();
        for used in imported.chain(named.0) {
            let Some((target, name)) = resolve(files, path, &used, MOST_STEPS) else { continue };
            if target.file != module.file {
                arrows.entry((module.file.clone(), target.file.clone())).or_default().insert(name);
            }
        }
    }
    arrows
}

/// Every path of two parts and more in the code.
#[derive(Default)]
struct Named(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Named {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if path.leading_colon.is_none() && names.len() > 1 {
            self.0.push(names);
        }
        visit::visit_path(self, path);
    }
}

/// The file in which what `used` names within the module `from` is written, and the name; `None` if that is not of this
/// crate.
fn resolve<'a>(
    files: &'a CrateFiles,
    from: &ModulePath,
    used: &[String],
    steps: usize,
) -> Option<(&'a Module, String)> {
    let mut module = from.clone();
    let mut rest = used;
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "crate" => module.clear(),
            "super" => drop(module.pop()?),
            "self" => {}
            _ => break,
        }
        rest = after;
    }
    while let [first, after @ ..] = rest {
        let child = [module.as_slice(), std::slice::from_ref(first)].concat();
        if !files.modules.contains_key(&child) {
            break;
        }
        (module, rest) = (child, after);
    }
    let found = files.modules.get(&module)?;
    let Some((name, after)) = rest.split_first() else {
        return Some((found, "itself".to_owned()));
    };
    if let Some(path) = found.imports.get(name).filter(|path| path.as_slice() != used) {
        let path = [path.as_slice(), after].concat();
        return if steps == 0 { None } else { resolve(files, &module, &path, steps - 1) };
    }
    // A first name that is neither a module nor an import is of another crate, or of this very file.
    let is_own = module != *from || rest.len() < used.len();
    is_own.then(|| (found, name.clone()))
}

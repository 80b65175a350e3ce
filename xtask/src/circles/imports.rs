//! Which file takes which names from which other file, through every module that only re-exports
//! them, and the rings in that graph.

use std::collections::{BTreeMap, BTreeSet};

use syn::Item;
use syn::visit::{self, Visit};

use super::crate_files::{CrateFiles, Module, ModulePath};

/// From file to file, with the names that the first takes.
type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

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

/// The sets of files that reach each other, each with two or more.
pub fn rings(arrows: &Arrows) -> Vec<BTreeSet<&str>> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in arrows.keys() {
        next.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        next.keys().map(|file| (*file, reached_from(file, &next))).collect();
    let mut rings: Vec<BTreeSet<&str>> = Vec::new();
    for (file, others) in &reached {
        if !others.contains(file) || rings.iter().any(|ring| ring.contains(file)) {
            continue;
        }
        let back = |other: &&&str| reached.get(**other).is_some_and(|reached| reached.contains(file));
        rings.push(others.iter().filter(back).copied().collect());
    }
    rings
}

/// A ring in one line: its arrows, with the names that they stand for.
pub fn describe(ring: &BTreeSet<&str>, arrows: &Arrows) -> String {
    let inside =
        arrows.iter().filter(|((from, to), _)| ring.contains(from.as_str()) && ring.contains(to.as_str()));
    let line = |((from, to), names): (&(String, String), &BTreeSet<String>)| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        format!("{from} → {to} ({})", names.join(", "))
    };
    inside.map(line).collect::<Vec<_>>().join(", ")
}

fn reached_from<'a>(file: &str, next: &BTreeMap<&str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = next.get(file).cloned().unwrap_or_default();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(next.get(file).into_iter().flatten());
        }
    }
    reached
}

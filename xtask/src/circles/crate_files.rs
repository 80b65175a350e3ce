//! The files of a crate as a tree of modules, read from `lib.rs` or `main.rs` on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, UseTree};

/// A module by the names that lead to it from the root of the crate.
pub type ModulePath = Vec<String>;

/// The modules of a crate that have files of their own; those that exist for tests alone are skipped.
#[derive(Default)]
pub struct CrateFiles {
    /// Every module with its file.
    pub modules: BTreeMap<ModulePath, Module>,
}

/// One file.
pub struct Module {
    /// Its path below the folder of the sources.
    pub file: String,
    /// What stands in it, without tests.
    pub items: Vec<Item>,
    /// Names that it imports, with the paths behind them.
    pub imports: BTreeMap<String, Vec<String>>,
}

impl CrateFiles {
    /// Reads the sources in `folder`, from the file called `root` on.
    ///
    /// # Errors
    /// If a file cannot be read, or is no Rust.
    pub fn read(folder: &Path, root: &str) -> Result<Self, String> {
        let mut files = Self::default();
        files.add(folder, Vec::new(), &folder.join(root), folder)?;
        Ok(files)
    }

    /// Adds the module at `path`, whose own modules lie in `children`, and all of these.
    fn add(&mut self, folder: &Path, module: ModulePath, path: &Path, children: &Path) -> Result<(), String> {
        let cannot = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| cannot(&error))?;
        let parsed = syn::parse_file(&text).map_err(|error| cannot(&error))?;
        let items: Vec<Item> = parsed.items.into_iter().filter(|item| !is_for_tests(item)).collect();
        let mut imports = BTreeMap::new();
        for item in &items {
            if let Item::Use(item) = item {
                flatten(&item.tree, &mut Vec::new(), &mut imports);
            }
        }
        for item in &items {
            let Item::Mod(declared) = item else { continue };
            if declared.content.is_some() {
                continue;
            }
            let name = declared.ident.to_string();
            let (path, below) = file_of(children, &name);
            let module = [module.as_slice(), &[name]].concat();
            self.add(folder, module, &path, &below)?;
        }
        let file = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        self.modules.insert(module, Module { file, items, imports });
        Ok(())
    }
}

/// The file of the module `name` declared beside `folder`, and where its own modules lie.
fn file_of(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let below = folder.join(name);
    let file = folder.join(format!("{name}.rs"));
    (if file.is_file() { file } else { below.join("mod.rs") }, below)
}

/// The names that a `use` brings, each with its whole path; of a glob nothing is known.
fn flatten(tree: &UseTree, before: &mut Vec<String>, imports: &mut BTreeMap<String, Vec<String>>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, imports);
            before.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            imports.insert(before.last().cloned().unwrap_or_default(), before.clone());
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            imports.insert(name.clone(), [before.as_slice(), &[name]].concat());
        }
        UseTree::Rename(renamed) => {
            let path = [before.as_slice(), &[renamed.ident.to_string()]].concat();
            imports.insert(renamed.rename.to_string(), path);
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, imports)),
        UseTree::Glob(_) => {}
    }
}

fn is_for_tests(item: &Item) -> bool {
    let attributes: &[Attribute] = match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => &[],
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

//! Finds rings of files in a crate: files that need each other, directly or through others, can only be
//! read together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

use crate::command::root;

/// Folders of crates, and those whose sub-folders are crates.
const CRATES: [&str; 5] = ["indonesia", "plugin-api", "tests", "xtask", "xtask/start"];
const FOLDERS_OF_CRATES: [&str; 2] = ["host", "plugins"];

/// Files from which the modules of a crate are found.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// Checks all crates.
///
/// # Errors
/// Every ring of files, with the names that tie it.
pub fn check() -> Result<(), String> {
    let mut found = Vec::new();
    for folder in folders()? {
        for place in sources(&root().join(&folder))? {
            found.extend(circles(&place)?.iter().map(|ring| format!("{}: {ring}", from_root(&place))));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(format!(
        "expected files that need only those below them, found rings; move what both need into a file of its own:\n{}",
        found.join("\n")
    ))
}

/// The folders of all crates that are checked, relative to the root.
fn folders() -> Result<Vec<String>, String> {
    let mut folders: Vec<String> = CRATES.map(str::to_owned).to_vec();
    for parent in FOLDERS_OF_CRATES {
        let crates = entries(&root().join(parent))?.into_iter();
        folders.extend(crates.filter(|path| path.join("Cargo.toml").is_file()).map(|path| from_root(&path)));
    }
    folders.sort();
    Ok(folders)
}

/// The folders in which a crate has the sources of its library, its programs, its tests or its build; its own may be one.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = entries(folder)?;
    found.push(folder.to_owned());
    let tests = folder.join("tests");
    if tests.is_dir() {
        found.extend(entries(&tests)?);
    }
    found.retain(|path| ROOTS.iter().any(|file| path.join(file).is_file()));
    found.sort();
    match found.as_slice() {
        [] => Err(format!("{}: expected a folder with `lib.rs` or `main.rs`, found none", folder.display())),
        _ => Ok(found),
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error: std::io::Error| format!("{}: cannot read the folder: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(cannot)?;
    entries.map(|entry| Ok(entry.map_err(cannot)?.path())).collect()
}

fn from_root(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The rings of each crate whose sources lie in `folder`, one line each.
fn circles(folder: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for file in ROOTS.iter().filter(|file| folder.join(file).is_file()) {
        let arrows = find_arrows(&CrateFiles::read(folder, file)?);
        found.extend(find_rings(&arrows).iter().map(|ring| describe_ring(ring, &arrows)));
    }
    Ok(found)
}

/// A module by the names that lead to it from the root of the crate.
type ModulePath = Vec<String>;

/// The modules of a crate that have files of their own; those that exist for tests alone are skipped.
#[derive(Default)]
struct CrateFiles {
    /// Every module with its file.
    pub modules: BTreeMap<ModulePath, Module>,
}

/// One file.
struct Module {
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

/// From file to file, with the names that the first takes.
type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

/// Times that a name may be handed on, so that a ring of imports ends.
const MOST_STEPS: usize = 32;

/// The arrows between the files of a crate.
fn find_arrows(files: &CrateFiles) -> Arrows {
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
fn find_rings(arrows: &Arrows) -> Vec<BTreeSet<&str>> {
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
fn describe_ring(ring: &BTreeSet<&str>, arrows: &Arrows) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The rings of a crate made of these files.
    fn rings_of(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        circles(folder.path()).unwrap()
    }

    #[test]
    fn two_files_that_need_each_other_are_found_with_the_names_that_tie_them() {
        let files = [
            ("lib.rs", "mod a;\nmod b;"),
            ("a.rs", "use crate::b::B;\npub struct A(B);"),
            ("b.rs", "pub struct B;\nfn make() -> super::a::A { todo!() }"),
        ];
        assert_eq!(rings_of(&files), ["a.rs → b.rs (B), b.rs → a.rs (A)"]);
    }

    #[test]
    fn a_child_that_takes_a_name_from_its_parent_closes_a_ring_unless_the_parent_only_hands_it_on() {
        let parent = "mod child;\nmod other;\npub use child::Child;\nuse other::Other;\n";
        let other = ("m/other.rs", "pub struct Other;");
        let child = |named: &str| format!("use super::{named};\npub struct Child({named});");
        let lib = ("lib.rs", "mod m;");
        let handed_on = [lib, ("m/mod.rs", parent), other, ("m/child.rs", &child("Other"))];
        assert_eq!(rings_of(&handed_on), [""; 0]);
        let own = format!("{parent}pub struct Own;");
        let defined = [lib, ("m/mod.rs", own.as_str()), other, ("m/child.rs", &child("Own"))];
        assert_eq!(rings_of(&defined), ["m/child.rs → m/mod.rs (Own), m/mod.rs → m/child.rs (Child)"]);
    }

    #[test]
    fn a_library_its_programs_its_tests_and_its_build_are_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "src/lib.rs",
            "src/main.rs",
            "build/main.rs",
            "tests/main.rs",
            "tests/deep/main.rs",
            "data/a.txt",
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "mod a;\nuse a::A;\npub struct B;").unwrap();
        }
        let found = |folder: &Path| -> Vec<PathBuf> {
            let found = sources(folder).unwrap();
            found.iter().map(|path| path.strip_prefix(folder).unwrap().to_owned()).collect()
        };
        assert_eq!(found(folder.path()), ["build", "src", "tests", "tests/deep"].map(Path::new));
        assert_eq!(found(&folder.path().join("tests")), ["", "deep"].map(Path::new));
        fs::write(folder.path().join("src/a.rs"), "use crate::B;\npub struct A(B);").unwrap();
        let of_both = ["lib.rs", "main.rs"].map(|root| format!("a.rs → {root} (B), {root} → a.rs (A)"));
        assert_eq!(circles(&folder.path().join("src")).unwrap(), of_both);
        assert!(sources(&folder.path().join("data")).unwrap_err().contains("found none"));
    }

    #[test]
    fn what_tests_use_does_not_count() {
        let files = [
            ("lib.rs", "mod a;\nmod b;"),
            ("a.rs", "use crate::b::B;\npub struct A(B);"),
            ("b.rs", "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}"),
        ];
        assert_eq!(rings_of(&files), [""; 0]);
    }
}

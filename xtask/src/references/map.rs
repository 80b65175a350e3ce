//! The map in docs/architecture.md against the folders and the dependencies that there are.

use std::collections::BTreeSet;
use std::path::Path;

/// The document.
pub const NAME: &str = "docs/architecture.md";

/// One line for each member of the workspace that the map lacks, each folder that is not there, and each crate of ours that
/// another one needs beyond what the document allows. `read` gives the text of a file of the project, `None` if it is not there. A row
/// of a folder of crates holds for all of them; of one that its last column names, also what is named behind it.
/// The map has three columns; the table of dependencies, which has the same folders, has two.
pub fn faults(
    map: &str,
    is_folder: impl Fn(&str) -> bool,
    read: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let rows: Vec<Row> = map.lines().filter_map(Row::read).collect();
    let mut faults = Vec::new();
    for row in rows.iter().filter(|row| !is_folder(row.folder)) {
        faults.push(format!("{NAME}: expected the folder {}, found none", row.folder));
    }
    let drawn: BTreeSet<&str> = map.lines().filter_map(parse_map_row).collect();
    for row in rows.iter().filter(|row| !drawn.contains(row.folder)) {
        faults.push(format!("{NAME}: expected the folder {} in the map, found none", row.folder));
    }
    for member in members(&read("Cargo.toml").unwrap_or_default()) {
        let rows = rows.iter().filter(|row| Path::new(&member).starts_with(row.folder));
        // Of `xtask` and `xtask/start` the nearer one.
        let Some(row) = rows.max_by_key(|row| row.folder.len()) else {
            faults.push(format!(
                "{NAME}: expected the crate {member} in the table of dependencies, found none"
            ));
            continue;
        };
        let Some(allowed) = row.list_allowed(&member) else { continue };
        let Some(manifest) = read(&format!("{member}/Cargo.toml")) else {
            faults.push(format!("{NAME}: expected {member}/Cargo.toml, found none"));
            continue;
        };
        for needed in needs(&manifest).filter(|needed| !allowed.contains(needed)) {
            faults.push(format!("{NAME}: {member} needs `{needed}`, which its row does not allow"));
        }
    }
    faults
}

/// The folder in a row of the map.
fn parse_map_row(line: &str) -> Option<&str> {
    let cells = cells(line)?;
    let [named, _, _] = cells.as_slice() else { return None };
    folder(named)
}

/// The cells of a row of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    Some(line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect())
}

/// The folder that a cell names, as `host/data` of "`host/data/`".
fn folder(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix("/`")
}

/// A row of the table of dependencies: a folder, and what the crate in it may depend on.
struct Row<'a> {
    folder: &'a str,
    /// What stands between backquotes in the last column; `None` where it is said in words.
    names: Option<Vec<&'a str>>,
}

impl<'a> Row<'a> {
    /// From a line of the table with two columns.
    fn read(line: &'a str) -> Option<Self> {
        let cells = cells(line)?;
        let [named, allowed] = cells.as_slice() else { return None };
        let folder = folder(named)?;
        let is_in_words = ["all", "everything", "–"].iter().any(|word| allowed.starts_with(word));
        let names = allowed.split('`').skip(1).step_by(2);
        Some(Self { folder, names: (!is_in_words).then(|| names.collect()) })
    }

    /// The crates of ours that `member` may need.
    fn list_allowed(&self, member: &str) -> Option<BTreeSet<String>> {
        let own = Path::new(member).strip_prefix(self.folder).ok().and_then(Path::to_str);
        let own = own.filter(|name| !name.is_empty());
        let mut is_meant = true;
        let mut allowed = BTreeSet::new();
        for name in self.names.as_ref()? {
            // In the row of a folder of crates, what is no crate of ours by its name is one of the folder.
            let is_of_folder = own.is_some() && !name.starts_with('-') && !is_ours(&full_name(name));
            if is_of_folder {
                is_meant = own == Some(*name);
            } else if is_meant {
                allowed.insert(full_name(name));
            }
        }
        Some(allowed)
    }
}

/// `mteb-data` for `-data`, which stands behind another name.
fn full_name(name: &str) -> String {
    match name {
        "plugin-api" => "mteb-plugin-api".to_owned(),
        _ if name.starts_with('-') => format!("mteb{name}"),
        _ => name.to_owned(),
    }
}

/// The folders of the crates of the workspace.
fn members(manifest: &str) -> BTreeSet<String> {
    let quoted = |line: &str| Some(line.trim().strip_prefix('"')?.strip_suffix("\",")?.to_owned());
    let list = manifest.lines().skip_while(|line| !line.starts_with("members")).skip(1);
    list.map_while(quoted).collect()
}

/// The crates of ours that a crate needs when it is built for others.
fn needs(manifest: &str) -> impl Iterator<Item = String> + '_ {
    let own = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let own = own.take_while(|line| !line.starts_with('['));
    let name = |line: &str| Some(line.split(['.', ' ', '=']).next()?.to_owned());
    own.filter_map(name).filter(|name| is_ours(name))
}

fn is_ours(name: &str) -> bool {
    name.starts_with("mteb-") || name.starts_with("xtask")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_map_lacks_and_what_it_does_not_allow_is_found() {
        let map = "| folder | crate | purpose |\n|---|---|---|\n\
                   | `host/data/` | `mteb-data` | reads tables |\n\
                   | `host/gone/` | `mteb-gone` | does nothing |\n\
                   | `plugins/` | | contains models |\n\
                   \n\
                   | folder | may depend on |\n|---|---|\n\
                   | `host/data/` | `mteb-files`, `-card` |\n\
                   | `host/gone/` | none |\n\
                   | `tests/` | everything |\n\
                   | `plugins/` | `plugin-api`; `a` also `mteb-system` and `-files`, `b` `mteb-remote` |\n";
        let read = |name: &str| {
            Some(match name {
                "Cargo.toml" => "[workspace]\nmembers = [\n    \"host/data\",\n    \"host/new\",\n    \"plugins/a\",\n    \"plugins/b\",\n    \"tests\",\n]\n".to_owned(),
                "host/data/Cargo.toml" => {
                    "[dependencies]\nmteb-card.workspace = true\nmteb-tasks = { path = \"x\" }\nzstd = \"1\"\n\n\
                     [dev-dependencies]\nmteb-hub.workspace = true\n"
                        .to_owned()
                }
                "plugins/a/Cargo.toml" | "plugins/b/Cargo.toml" => {
                    "[dependencies]\nmteb-plugin-api.workspace = true\nmteb-system.workspace = true\n\
                     mteb-files.workspace = true\n"
                        .to_owned()
                }
                _ => return None,
            })
        };
        let expected = [
            "docs/architecture.md: expected the folder host/gone, found none",
            "docs/architecture.md: expected the folder tests in the map, found none",
            "docs/architecture.md: host/data needs `mteb-tasks`, which its row does not allow",
            "docs/architecture.md: expected the crate host/new in the table of dependencies, found none",
            "docs/architecture.md: plugins/b needs `mteb-system`, which its row does not allow",
            "docs/architecture.md: plugins/b needs `mteb-files`, which its row does not allow",
        ];
        assert_eq!(faults(map, |folder| folder != "host/gone", read), expected);
    }
}

//! The packages of a lock file that a package is built from.

use std::collections::{BTreeMap, BTreeSet};

/// Names and versions of all packages that `package` needs, directly or through others, as `lock` has them.
pub fn packages_below(package: &str, lock: &str) -> BTreeSet<String> {
    let mut needs: BTreeMap<&str, (Vec<String>, Vec<&str>)> = BTreeMap::new();
    for block in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = ")).map(unquoted)
        };
        let Some(name) = value("name") else { continue };
        let list =
            block.split_once("dependencies = [").map_or("", |(_, list)| list.split(']').next().unwrap_or(""));
        let listed = list.lines().map(unquoted).filter(|line| !line.is_empty());
        // A name is followed by a version where the lock has several of it: all of them count then.
        let listed = listed.map(|line| line.split(' ').next().unwrap_or(line));
        let found = needs.entry(name).or_default();
        found.0.push(format!("{name} {}", value("version").unwrap_or_default()));
        found.1.extend(listed);
    }
    let (mut open, mut seen, mut all) = (vec![package], BTreeSet::new(), BTreeSet::new());
    while let Some(name) = open.pop() {
        if let Some((versions, listed)) = needs.get(name).filter(|_| seen.insert(name.to_owned())) {
            all.extend(versions.iter().cloned());
            open.extend(listed);
        }
    }
    all
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_end_matches(',').trim_matches('"')
}

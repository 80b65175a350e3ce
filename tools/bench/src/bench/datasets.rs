//! The folder that both sides read: the given hub, and datasets that are made for the benchmark.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::made::{MadeTask, make_tasks};

/// Organisation of the made datasets.
const ORGANISATION: &str = "mteb-host-bench";

/// Revision of the made datasets.
const REVISION: &str = "0000000000000000000000000000000000000001";

const REGISTRY: &str = "\
schema = 1
name = \"bench\"
title = \"Tasks made for the benchmark\"
cards = [\"tasks\"]
";

/// The hub folder below the benchmark's folder.
pub fn hub(folder: &Path) -> PathBuf {
    folder.join("hub")
}

/// The registry of the made tasks.
pub fn registry(folder: &Path) -> PathBuf {
    folder.join("registry").join("registry.toml")
}

/// Writes data and cards of the made tasks, and links the datasets of the hub folder `given`.
pub fn write(folder: &Path, given: &Path) -> io::Result<Vec<MadeTask>> {
    link_hub(folder, given)?;
    let (datasets, cards) = (hub(folder).join("datasets"), folder.join("registry").join("tasks"));
    empty(&cards)?;
    fs::write(registry(folder), REGISTRY)?;
    let tasks = make_tasks();
    for task in &tasks {
        write_dataset(&datasets.join(ORGANISATION).join(task.name).join(REVISION), task)?;
        fs::write(cards.join(format!("{}.toml", task.name)), card(task))?;
    }
    Ok(tasks)
}

/// Links the datasets of the hub folder `given` alone.
pub fn link_hub(folder: &Path, given: &Path) -> io::Result<()> {
    let datasets = hub(folder).join("datasets");
    empty(&datasets)?;
    for organisation in fs::read_dir(given.join("datasets"))? {
        let organisation = organisation?;
        link(&organisation.path().canonicalize()?, &datasets.join(organisation.file_name()))?;
    }
    Ok(())
}

/// Makes a folder with nothing in it.
pub fn empty(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}

#[cfg(unix)]
fn link(original: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "expected a system with symbolic links"))
}

/// A folder as on the hub: a file a split, and front matter that lists them.
fn write_dataset(folder: &Path, task: &MadeTask) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut front_matter = "---\nconfigs:\n".to_owned();
    let mut configs: Vec<&str> = task.files.iter().map(|file| file.config).collect();
    configs.dedup();
    for config in configs {
        let _ = write!(front_matter, "- config_name: {config}\n  data_files:\n");
        for file in task.files.iter().filter(|file| file.config == config) {
            let name = format!("{config}-{}.jsonl", file.split);
            let _ = write!(front_matter, "  - split: {}\n    path: {name}\n", file.split);
            fs::write(folder.join(name), lines(&file.rows))?;
        }
    }
    fs::write(folder.join("README.md"), front_matter + "---\n")
}

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

fn card(task: &MadeTask) -> String {
    let MadeTask { name, task_type, protocol, .. } = task;
    format!(
        "schema = 1\nname = \"{name}\"\ntype = \"{task_type}\"\ndescription = \"Made for the benchmark.\"\n\
         languages = [\"ind-Latn\"]\neval_splits = [\"test\"]\n\n[dataset]\nhub = \"{ORGANISATION}/{name}\"\n\
         revision = \"{REVISION}\"\n\n[protocol]\n{protocol}\n"
    )
}

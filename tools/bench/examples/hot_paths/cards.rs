//! A registry of made cards: read, checked, and loaded as a run does.

use std::collections::BTreeMap;
use std::path::Path;

use mteb_card::Packs;
use mteb_registry::Registries;

use crate::{Fault, Work};

#[path = "../../src/bench/growth/registry.rs"]
mod registry;

const CARDS: usize = 200;

/// No plugin.
struct NoPacks;

impl Packs for NoPacks {
    fn names(&self) -> Vec<&str> {
        Vec::new()
    }

    fn cards(&self, _: &str) -> Option<&BTreeMap<String, String>> {
        None
    }

    fn has_refused(&self) -> bool {
        false
    }
}

pub fn read(folder: &Path) -> Result<Work, Fault> {
    registry::write(folder, CARDS)?;
    let file = folder.join("registry.toml").display().to_string();
    Ok(Box::new(move || {
        let found = Registries::load(std::slice::from_ref(&file), &NoPacks);
        if let Some(fault) = found.faults.first() {
            return Err(format!("expected cards without a fault, found: {fault:?}").into());
        }
        Ok(found.loaded.iter().map(|registry| registry.tasks.len()).sum())
    }))
}

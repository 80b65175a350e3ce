//! Texts that are encoded together: their role and prompt, each distinct text once.

use std::collections::HashMap;

use mteb_plugin_api::v1;
use mteb_tasks::{Matrix, Role};

/// Texts of one role and prompt that are to be encoded.
#[derive(Clone, Debug)]
pub(super) struct EncodeJob<'a> {
    /// Their numbers.
    pub missing: Vec<usize>,
    pub role: Option<Role>,
    pub prompt: &'a str,
}

/// The number by which a role crosses the plugin interface.
pub(super) fn role_code(role: Option<Role>) -> u32 {
    interface_role(role).to_code()
}

pub(super) fn interface_role(role: Option<Role>) -> v1::Role {
    match role {
        None => v1::Role::None,
        Some(Role::Query) => v1::Role::Query,
        Some(Role::Document) => v1::Role::Document,
    }
}

/// Distinct texts in the order of their first appearance, and for each text the number of its distinct one.
pub(super) fn unique<'a>(texts: &[&'a str]) -> (Vec<&'a str>, Vec<usize>) {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(texts.len());
    let mut unique = Vec::with_capacity(texts.len());
    let rows = texts
        .iter()
        .map(|&text| {
            *seen.entry(text).or_insert_with(|| {
                unique.push(text);
                unique.len() - 1
            })
        })
        .collect();
    (unique, rows)
}

/// Gives every text the row of its distinct one.
pub(super) fn spread(encoded: Vec<f32>, rows: &[usize], unique: usize, dimension: usize) -> Matrix {
    let encoded = Matrix { values: encoded, dimension };
    if rows.len() == unique { encoded } else { encoded.select(rows) }
}

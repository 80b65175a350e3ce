//! The hashing encoder: texts to rows.

use std::path::Path;

use mteb_measures::random::SplitMix64;
use mteb_plugin_api::v1::{Model, Role};
use mteb_plugin_hashing::{DIMENSION, HashingEncoder};

use crate::{Fault, Work, made};

const TEXTS: usize = 1000;

pub fn encode(_: &Path) -> Result<Work, Fault> {
    let mut random = SplitMix64::new(8);
    let texts: Vec<String> = (0..TEXTS).map(|_| made::text(&mut random, 40)).collect();
    Ok(Box::new(move || {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut rows = vec![0.0; TEXTS * DIMENSION];
        HashingEncoder.encode(&texts, Role::None, "", &mut rows).map_err(|fault| format!("{fault:?}"))?;
        Ok(rows.iter().filter(|value| **value != 0.0).count())
    }))
}

//! The encoder: every feature adds its signed weight to one place of the vector; then roots, and length 1.

use mteb_plugin_api::v1::{Model, PluginError, Role};
use mteb_plugin_api::{Identity, ModelInfo, Similarity};
use rayon::prelude::*;

use crate::features::each_feature;

/// Numbers a row.
pub const DIMENSION: usize = 1024;

/// Version of the algorithm; another algorithm is another model.
const REVISION: &str = "1";

/// The hashing encoder (Weinberger et al. 2009, feature hashing with signs).
pub struct HashingEncoder;

impl Model for HashingEncoder {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            identity: Identity {
                name: "mteb-host/hashing".to_owned(),
                revision: REVISION.to_owned(),
                weights: String::new(),
                dtype: "f32".to_owned(),
            },
            dimension: DIMENSION as u32,
            similarity: Some(Similarity::Cosine),
            cheap: true,
            parameters: Some(0),
            licence: Some("apache-2.0".to_owned()),
            ..ModelInfo::default()
        }
    }

    fn encode(&mut self, texts: &[&str], _: Role, _: &str, out: &mut [f32]) -> Result<(), PluginError> {
        texts.par_iter().zip(out.par_chunks_mut(DIMENSION)).for_each(|(text, row)| embed(text, row));
        Ok(())
    }
}

fn embed(text: &str, row: &mut [f32]) {
    row.fill(0.0);
    each_feature(text, |hash, weight| {
        let place = (hash % DIMENSION as u64) as usize;
        row[place] += if hash >> 63 == 1 { weight } else { -weight };
    });
    let total = sum_of_magnitudes(row);
    if total > 0.0 {
        // The root damps what is repeated; the roots' squares sum to the total, which makes the length 1.
        row.iter_mut().for_each(|value| *value = (value.abs() / total).sqrt().copysign(*value));
    } else {
        // A text without a word has no direction; all such texts share one.
        row[0] = 1.0;
    }
}

/// Sum of the absolute values, added in lanes that the compiler can keep in vector registers.
fn sum_of_magnitudes(row: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    for chunk in row.chunks_exact(LANES) {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *sum += value.abs();
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(left: &str, right: &str) -> f32 {
        let mut rows = [0.0; 2 * DIMENSION];
        HashingEncoder.encode(&[left, right], Role::None, "", &mut rows).unwrap();
        rows[..DIMENSION].iter().zip(&rows[DIMENSION..]).map(|(left, right)| left * right).sum()
    }

    #[test]
    fn texts_that_share_words_are_near() {
        let near = cosine("Harga beras naik di Jakarta", "Di Jakarta harga beras sudah naik");
        let far = cosine("Harga beras naik di Jakarta", "Timnas menang tipis tadi malam");
        assert!(near > 0.6 && far < 0.2, "{near} {far}");
    }

    #[test]
    fn the_algorithm_is_pinned() {
        let mut row = [0.0; DIMENSION];
        HashingEncoder.encode(&["Harga beras naik di Jakarta"], Role::None, "", &mut row).unwrap();
        let largest = row.iter().enumerate().max_by(|left, right| left.1.abs().total_cmp(&right.1.abs()));
        let sum: f32 = row.iter().sum();
        assert_eq!(format!("{largest:?} {sum:.6}"), PINNED);
    }

    #[test]
    fn a_text_without_words_has_a_vector() {
        assert!((cosine("", "?!") - 1.0).abs() < 1e-6);
    }

    const PINNED: &str = "Some((964, -0.18514639)) -0.400402";
}

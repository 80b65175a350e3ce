//! `mteb/baseline-random-encoder`: a pure function of the text, so that whole result files can be compared with
//! the reference's without a neural model (protocol 16). SHA-256 of the text seeds numpy's generator, which
//! draws the vector.

use mteb_measures::random::Generator;
use mteb_plugin_api::v1::{Model, PluginError, Role};
use mteb_plugin_api::{Identity, Manifest, ModelInfo, PluginKind, Similarity, export_model};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "random-encoder".to_owned(),
        version: env!("MTEB_PLUGIN_VERSION").to_owned(),
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        models: vec!["random".to_owned(), "mteb/baseline-random-encoder".to_owned()],
        tasks: Vec::new(),
    },
    new: |_| Ok(Box::new(RandomEncoder)),
}

/// Numbers a row.
pub const DIMENSION: usize = 32;

/// The reference's random baseline encoder, revision 2.
pub struct RandomEncoder;

impl Model for RandomEncoder {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            identity: Identity {
                name: "mteb/baseline-random-encoder".to_owned(),
                revision: "2".to_owned(),
                weights: String::new(),
                dtype: "f32".to_owned(),
            },
            dimension: DIMENSION as u32,
            similarity: Some(Similarity::Cosine),
            cheap: true,
            parameters: Some(0),
            licence: Some("mit".to_owned()),
            ..ModelInfo::default()
        }
    }

    fn encode(&mut self, texts: &[&str], _: Role, _: &str, out: &mut [f32]) -> Result<(), PluginError> {
        texts.par_iter().zip(out.par_chunks_mut(DIMENSION)).for_each(|(text, row)| draw(text, row));
        Ok(())
    }
}

fn draw(text: &str, row: &mut [f32]) {
    let digest = Sha256::digest(text.as_bytes());
    let seed = digest[28..].iter().fold(0_u64, |seed, &byte| (seed << 8) | u64::from(byte));
    let mut generator = Generator::new(seed);
    for value in row {
        *value = generator.random_f32();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hello_has_the_reference_vector() {
        let mut row = [0.0; DIMENSION];
        RandomEncoder.encode(&["hello"], Role::None, "", &mut row).unwrap();
        assert_eq!(row[..4], [0.776_469_95, 0.571_106_55, 0.373_582_18, 0.559_978_2]);
    }
}

//! A model plugin: a text becomes the counts of its pairs of neighbouring letters.

use mteb_plugin_api::v1::{Model, PluginError, Role};
use mteb_plugin_api::{Identity, Manifest, ModelInfo, export_model};

/// Numbers a row; pairs of letters share them.
const DIMENSION: usize = 128;

struct Bigrams;

impl Model for Bigrams {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            identity: Identity {
                name: "example/bigrams".to_owned(),
                revision: "1".to_owned(),
                dtype: "f32".to_owned(),
                ..Identity::default()
            },
            dimension: DIMENSION as u32,
            ..ModelInfo::default()
        }
    }

    fn encode(
        &mut self,
        texts: &[&str],
        _role: Role,
        _prompt: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        for (text, row) in texts.iter().zip(out.chunks_mut(DIMENSION)) {
            row.fill(0.0);
            let letters: Vec<char> = text.to_lowercase().chars().collect();
            for pair in letters.windows(2) {
                row[(31 * pair[0] as usize + pair[1] as usize) % DIMENSION] += 1.0;
            }
        }
        Ok(())
    }
}

export_model! {
    manifest: Manifest {
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        ..Manifest::model("bigram-model", env!("CARGO_PKG_VERSION"), &["bigrams"])
    },
    new: |_config| Ok(Box::new(Bigrams)),
}

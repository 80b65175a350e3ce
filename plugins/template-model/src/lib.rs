//! A model plugin to start from: it counts letters. Replace `LetterCounts` with your model.

use mteb_plugin_api::v1::{Model, PluginError, Role};
use mteb_plugin_api::{Identity, Manifest, ModelInfo, export_model};

/// Length of a row: one number for each letter.
const DIMENSION: usize = 26;

struct LetterCounts;

impl Model for LetterCounts {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            identity: Identity {
                name: "template/letter-counts".to_owned(),
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
        _instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        for (text, row) in texts.iter().zip(out.chunks_mut(DIMENSION)) {
            row.fill(0.0);
            for letter in text.bytes().filter(u8::is_ascii_alphabetic) {
                row[usize::from(letter.to_ascii_lowercase() - b'a')] += 1.0;
            }
        }
        Ok(())
    }
}

export_model! {
    manifest: Manifest {
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        ..Manifest::model("template-model", env!("CARGO_PKG_VERSION"), &["letter-counts"])
    },
    new: |_config| Ok(Box::new(LetterCounts)),
}

//! A model whose identity is what the environment says: `MTEB_PLUGIN_WEIGHTS`, `MTEB_PLUGIN_DTYPE`, `MTEB_PLUGIN_MAX_TOKENS`,
//! `MTEB_PLUGIN_PROMPT`, `MTEB_PLUGIN_VERSION`, `MTEB_PLUGIN_DIMENSION`, `MTEB_PLUGIN_DEVICE`; it takes `MTEB_PLUGIN_LOAD` milliseconds to load, and
//! brings a model called `MTEB_PLUGIN_ALSO` too. Its embeddings are the same whatever the identity: only the
//! cache tells them apart.

use std::time::Duration;

use mteb_plugin_api::v1::{Model, PluginError, Role};
use mteb_plugin_api::{Identity, Manifest, ModelInfo, PluginKind, Prompts, export_model};

/// The system calls this while it loads the library.
#[allow(unsafe_code, reason = "a name for the system's loader, which no other code has")]
#[used]
#[unsafe(link_section = ".init_array")]
static WHILE_LOADING: extern "C" fn() = take_time;

extern "C" fn take_time() {
    std::thread::sleep(Duration::from_millis(read_part("LOAD", "0").parse().unwrap_or(0)));
}

/// Counts the letters of a text.
struct Changing {
    dimension: usize,
}

impl Model for Changing {
    fn info(&self) -> ModelInfo {
        let prompt = Some(read_part("PROMPT", "")).filter(|prompt| !prompt.is_empty());
        ModelInfo {
            identity: Identity {
                name: "tests/changing".to_owned(),
                revision: "1".to_owned(),
                weights: read_part("WEIGHTS", "a"),
                dtype: read_part("DTYPE", "f32"),
            },
            dimension: self.dimension as u32,
            device: Some(read_part("DEVICE", "cpu")),
            max_tokens: read_part("MAX_TOKENS", "512").parse().ok(),
            prompts: Prompts {
                named: prompt.map(|prompt| ("STS".to_owned(), prompt)).into_iter().collect(),
                ..Prompts::default()
            },
            ..ModelInfo::default()
        }
    }

    fn encode(&mut self, texts: &[&str], _: Role, _: &str, out: &mut [f32]) -> Result<(), PluginError> {
        for (row, text) in out.chunks_mut(self.dimension).zip(texts) {
            row.fill(0.1);
            for letter in text.bytes().filter(u8::is_ascii_lowercase) {
                row[usize::from(letter - b'a') % self.dimension] += 1.0;
            }
        }
        Ok(())
    }
}

fn read_part(part: &str, default: &str) -> String {
    std::env::var(format!("MTEB_PLUGIN_{part}")).unwrap_or_else(|_| default.to_owned())
}

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "changing".to_owned(),
        version: read_part("VERSION", "1.0.0"),
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: "Has the identity that the environment says.".to_owned(),
        models: [read_part("ALSO", "changing"), "changing".to_owned(), "changing-*".to_owned()].to_vec(),
        tasks: Vec::new(),
    },
    new: |_| Ok(Box::new(Changing { dimension: read_part("DIMENSION", "26").parse().unwrap_or(26) })),
}

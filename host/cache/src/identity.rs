//! The identity of a model: everything that may change a number of its embeddings.

use std::collections::BTreeMap;

use mteb_files::hex;
use mteb_plugin_api::v1::{LOADING, ModelConfig};
use mteb_plugin_api::{MODEL_OPTIONS, ModelInfo, chosen_options};
use mteb_results::identity::{SOURCES, model_content, name_that_tells};
use mteb_workers::plugins::{FoundPlugin, ModelClient, variables_of_plugins};
use serde_json::{Value, json};

/// What a model says whose embeddings may change with something that nobody sees.
pub const UNPINNED: &str = "unpinned";

/// Option of models that an interpreter of the user's computes.
const INTERPRETER: &str = "python";

/// What a model behind an endpoint says of it.
pub const ENDPOINT: &str = "endpoint";

/// The identity of a model as the cache sees it. Two models with one identity give the same embeddings.
///
/// Beside what a result file says of a model, it holds what cannot change a published model but may change one
/// that somebody works on: the plugin's checksum, the device, and the small files of the model's folder.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelIdentity {
    /// What it is made of, for people.
    pub description: Value,
    /// Hash of the description.
    pub hash: [u8; 32],
    /// Numbers a row.
    pub dimension: usize,
    /// False if the model may change without a change of the identity, so that its rows may not outlast a run.
    pub lasts: bool,
}

impl ModelIdentity {
    /// The identity of a running model; `None` if its embeddings are not to be kept: if the model says that it is
    /// cheaper than a file, if it scores pairs, or if its embeddings have no fixed width, which a run keeps in memory alone.
    pub fn of(client: &ModelClient) -> Option<Self> {
        let (info, config) = (client.info(), client.config());
        if info.cheap || info.cross_encoder || info.dimension == 0 || !info.rows.is_dense() {
            return None;
        }
        let files =
            config.folder.as_ref().map(|folder| model_content::hash_small_files(folder.as_ref())).transpose();
        let lasts = is_told(info, config) && files.is_ok();
        let files = files.ok().flatten();
        let identity = Self::new(info, client.plugin(), config, files.as_deref(), &variables_of_plugins());
        Some(Self { lasts, ..identity })
    }

    /// The identity made of its parts; `files` is the hash of the small files of the model's folder, `variables` those of
    /// the environment that are meant for plugins.
    ///
    /// Of a model behind an endpoint the plugin's checksum does not count: what it computes is computed elsewhere, and rows that
    /// were paid for outlast a rebuilt plugin.
    pub fn new(
        info: &ModelInfo,
        plugin: &FoundPlugin,
        config: &ModelConfig,
        files: Option<&str>,
        variables: &BTreeMap<String, String>,
    ) -> Self {
        let checksum = (!info.meta.contains_key(ENDPOINT)).then_some(&plugin.checksum);
        let mut description = json!({
            "name": info.identity.name,
            "revision": info.identity.revision,
            "weights": info.identity.weights,
            "dtype": info.identity.dtype,
            "max_tokens": info.max_tokens,
            "dimension": info.dimension,
            "prompts": info.prompts,
            "plugin": plugin.manifest.name,
            "plugin_version": plugin.manifest.version,
            "plugin_sha256": checksum,
            // `auto` would put rows of a processor beside those of a GPU.
            "device": info.device.as_ref().unwrap_or(&config.device),
            "files": files,
        });
        if let Some(asked) = name_that_tells(plugin, config) {
            description["asked"] = json!(asked);
        }
        if let Some(options) = chosen_options(&config.options) {
            description[MODEL_OPTIONS] = json!(options);
        }
        if let Some(loading) = config.options.get(LOADING) {
            description[LOADING] = loading.clone();
        }
        if let Some(sources) = info.meta.get(SOURCES) {
            description[SOURCES] = sources.clone();
        }
        if !variables.is_empty() {
            description["variables"] = json!(variables);
        }
        let hash = hash(&description);
        Self { description, hash, dimension: info.dimension as usize, lasts: true }
    }

    /// The same with another description.
    #[must_use]
    pub fn described(self, description: Value) -> Self {
        Self { hash: hash(&description), description, ..self }
    }

    /// Name of the folder for this identity.
    pub fn folder_name(&self) -> String {
        folder_name(&self.hash)
    }
}

/// True if what the model says of itself tells it from every other: it has said a hash of its weights, or it is a plugin's own,
/// whose code is known. What an interpreter loads from elsewhere is neither.
fn is_told(info: &ModelInfo, config: &ModelConfig) -> bool {
    let is_own = config.folder.is_none() && !config.options.contains_key(INTERPRETER);
    (is_own || !info.identity.weights.is_empty()) && !info.meta.contains_key(UNPINNED)
}

/// Name of the folder of the model whose identity has this hash.
pub(super) fn folder_name(hash: &[u8; 32]) -> String {
    hex(&hash[..16])
}

/// Hash of the identity that `description` describes.
pub(super) fn hash(description: &Value) -> [u8; 32] {
    *blake3::hash(description.to_string().as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use mteb_plugin_api::{Identity, Manifest, PluginKind, Prompts};

    use super::*;

    struct Parts {
        info: ModelInfo,
        plugin: FoundPlugin,
        config: ModelConfig,
        files: &'static str,
        variables: BTreeMap<String, String>,
    }

    fn parts() -> Parts {
        let text = |text: &str| text.to_owned();
        let identity =
            Identity { name: text("m"), revision: text("1"), weights: text("w"), dtype: text("f32") };
        let manifest = Manifest {
            schema: 1,
            kind: PluginKind::Model,
            name: text("plugin"),
            version: text("1.0.0"),
            features: Vec::new(),
            licence: text("MIT"),
            description: text("d"),
            models: Vec::new(),
            tasks: Vec::new(),
        };
        let (path, checksum) = (PathBuf::from("/p.so"), text("c"));
        Parts {
            info: ModelInfo { identity, dimension: 4, max_tokens: Some(512), ..ModelInfo::default() },
            plugin: FoundPlugin {
                path,
                checksum,
                library_folders: Vec::new(),
                manifest,
                cards: BTreeMap::new(),
                types: BTreeMap::new(),
                measures: BTreeMap::new(),
                installed: false,
            },
            config: ModelConfig { device: text("cpu"), ..ModelConfig::default() },
            files: "f",
            variables: BTreeMap::new(),
        }
    }

    fn hash_after(change: impl FnOnce(&mut Parts)) -> [u8; 32] {
        let mut parts = parts();
        change(&mut parts);
        let Parts { info, plugin, config, files, variables } = &parts;
        ModelIdentity::new(info, plugin, config, Some(files), variables).hash
    }

    #[test]
    fn every_part_of_the_identity_counts() {
        let prompts = |name: &str| Prompts {
            named: BTreeMap::from([(name.to_owned(), "query: ".to_owned())]),
            ..Prompts::default()
        };
        let hashes = [
            hash_after(|_| {}),
            hash_after(|parts| parts.info.identity.name = "n".to_owned()),
            hash_after(|parts| parts.info.identity.revision = "2".to_owned()),
            hash_after(|parts| parts.info.identity.weights = "v".to_owned()),
            hash_after(|parts| parts.info.identity.dtype = "bf16".to_owned()),
            hash_after(|parts| parts.info.max_tokens = Some(256)),
            hash_after(|parts| parts.info.max_tokens = None),
            hash_after(|parts| parts.info.dimension = 8),
            hash_after(|parts| {
                parts.info.meta.insert(SOURCES.to_owned(), json!({"pk.py": "1"}));
            }),
            hash_after(|parts| {
                parts.info.meta.insert(SOURCES.to_owned(), json!({"pk.py": "2"}));
            }),
            hash_after(|parts| parts.info.prompts = prompts("query")),
            hash_after(|parts| parts.info.prompts = prompts("document")),
            hash_after(|parts| parts.plugin.manifest.name = "other".to_owned()),
            hash_after(|parts| parts.plugin.manifest.version = "1.0.1".to_owned()),
            hash_after(|parts| parts.plugin.checksum = "d".to_owned()),
            hash_after(|parts| parts.config.device = "cuda".to_owned()),
            hash_after(|parts| parts.info.device = Some("cuda:0".to_owned())),
            hash_after(|parts| parts.files = "g"),
            hash_after(|parts| parts.config.name = "another name".to_owned()),
            hash_after(|parts| parts.config.folder = Some("/m".to_owned())),
            hash_after(|parts| {
                parts.variables = BTreeMap::from([("MTEB_PLUGIN_A".to_owned(), "1".to_owned())])
            }),
            hash_after(|parts| {
                parts.variables = BTreeMap::from([("MTEB_PLUGIN_A".to_owned(), "2".to_owned())])
            }),
        ];
        for (first, hash) in hashes.iter().enumerate() {
            for (second, other) in hashes.iter().enumerate() {
                assert_eq!(hash == other, first == second, "{first} and {second}");
            }
        }
    }

    #[test]
    fn what_an_interpreter_loads_without_a_hash_is_not_told_whether_its_files_were_found_or_not() {
        let told = |change: fn(&mut Parts)| {
            let mut parts = parts();
            parts.info.identity.weights.clear();
            change(&mut parts);
            is_told(&parts.info, &parts.config)
        };
        let in_python = |parts: &mut Parts| {
            parts.config.options.insert(INTERPRETER.to_owned(), Value::Null);
        };
        assert!(told(|_| {}), "a plugin's own model");
        assert!(!told(|parts| parts.config.folder = Some("/m".to_owned())));
        assert!(!told(in_python));
        assert!(told(|parts| {
            parts.config.options.insert(INTERPRETER.to_owned(), Value::Null);
            parts.info.identity.weights = "w".to_owned();
        }));
        assert!(!told(|parts| {
            parts.info.identity.weights = "w".to_owned();
            parts.info.meta.insert(UNPINNED.to_owned(), true.into());
        }));
    }

    #[test]
    fn the_device_that_computes_counts_and_not_the_one_that_was_asked_for() {
        let on = |asked: &str, used: &str| {
            hash_after(|parts| {
                parts.config.device = asked.to_owned();
                parts.info.device = Some(used.to_owned());
            })
        };
        assert_eq!(on("auto", "cpu"), on("cpu", "cpu"));
        assert_ne!(on("auto", "cpu"), on("auto", "cuda:0"));
    }

    #[test]
    fn what_does_not_change_an_embedding_does_not_count() {
        let of_a_folder = |name: &str| {
            hash_after(|parts| {
                parts.config.folder = Some("/m".to_owned());
                parts.config.name = name.to_owned();
            })
        };
        assert_eq!(of_a_folder("a folder"), of_a_folder("the same folder"), "its files tell who it is");
        let same = hash_after(|parts| {
            parts.plugin.path = PathBuf::from("/elsewhere/p.so");
            parts.info.languages = vec!["ind-Latn".to_owned()];
        });
        assert_eq!(same, hash_after(|_| {}));
    }
}

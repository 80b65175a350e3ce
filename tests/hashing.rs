//! The rows of the model `hashing`, from its library: two plugins cannot be linked into one program.

use std::sync::OnceLock;

use mteb_host_tests::plugin_folder;
use mteb_plugin_api::v1::{Library, ModelConfig, ModelHandle, Role};

/// One row a text.
pub fn rows(texts: &[&str]) -> Vec<Vec<f32>> {
    static MODEL: OnceLock<(ModelHandle, usize)> = OnceLock::new();
    let (model, dimension) = MODEL.get_or_init(|| {
        let library = Library::open(&plugin_folder().join("libmteb_plugin_hashing.so")).unwrap();
        let model =
            library.new_model(&ModelConfig { name: "hashing".to_owned(), ..ModelConfig::default() }).unwrap();
        let dimension = model.info().unwrap().dimension as usize;
        (model, dimension)
    });
    let mut rows = vec![0.0; texts.len() * dimension];
    model.encode(texts, Role::None, "", &mut rows).unwrap();
    rows.chunks_exact(*dimension).map(<[f32]>::to_vec).collect()
}

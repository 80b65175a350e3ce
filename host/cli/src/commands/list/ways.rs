//! Which way a model can be run, by what its card says.

use mteb_card::{Loader, ModelCard, ModelKind};
use mteb_workers::plugins::FoundPlugin;

/// Architectures that the plugin `torch-encoder` computes itself, by the `model_type` of a configuration: those that it declares, which is
/// tested where its sources are. The host cannot ask the plugin: it tells which models run before anybody has built that.
const NATIVE: [&str; 22] = [
    "albert",
    "bert",
    "bloom",
    "camembert",
    "distilbert",
    "gemma3_text",
    "gpt_neo",
    "gptj",
    "gte",
    "llama",
    "mistral",
    "modernbert",
    "mpnet",
    "mt5",
    "new",
    "nomic_bert",
    "qwen2",
    "qwen3",
    "roberta",
    "t5",
    "umt5",
    "xlm-roberta",
];

/// What it computes of models without such a configuration.
const WITHOUT_TYPE: [&str; 2] = ["static", "word-embeddings"];

/// The way in which the model `name` runs, or why the host does not run it: one line.
pub fn describe_way(name: &str, card: &ModelCard, plugin: Option<&FoundPlugin>) -> String {
    if let Some(plugin) = plugin.filter(|plugin| plugin.manifest.knows_model(name)) {
        return format!("plugin {}", plugin.manifest.name);
    }
    if card.loader == Some(Loader::Api) {
        return "its provider's API".to_owned();
    }
    if let Some(kind) = card.kind {
        return format!("its own library: it produces {}", describe_kind(kind));
    }
    if let Some(beyond) = card.loading.as_ref().and_then(|loading| loading.beyond.as_ref()) {
        return format!("`mteb:{name}`: {beyond}");
    }
    match card.architecture.as_deref() {
        Some(architecture) if NATIVE.contains(&architecture) || WITHOUT_TYPE.contains(&architecture) => {
            "torch-encoder".to_owned()
        }
        Some(architecture) => format!("its own library: torch-encoder does not know {architecture}"),
        None if card.loader == Some(Loader::OwnCode) => "its own library: mteb has code for it".to_owned(),
        None => "torch-encoder, if it knows the architecture in the model's files".to_owned(),
    }
}

fn describe_kind(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::LateInteraction => "one vector per token",
        ModelKind::Sparse => "term weights",
        ModelKind::Hybrid => "a combination of several scores",
        ModelKind::Router => "a choice between other models",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_architectures_are_those_that_the_plugin_declares() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugins/torch-encoder/src/architectures");
        let texts =
            std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()));
        let texts: Vec<String> = texts.collect::<Result<_, _>>().unwrap();
        let declared = texts.iter().flat_map(|text| text.split("model_type: \"").skip(1));
        let mut declared: Vec<&str> = declared.filter_map(|rest| rest.split('"').next()).collect();
        declared.sort_unstable();
        declared.dedup();
        assert_eq!(declared, NATIVE);
    }

    #[test]
    fn a_model_runs_natively_where_its_architecture_is_known() {
        let of = |architecture: &str, loader| {
            let card =
                ModelCard { architecture: Some(architecture.to_owned()), loader, ..ModelCard::default() };
            describe_way("lab/model", &card, None)
        };
        for known in ["bert", "xlm-roberta", "umt5", "static"] {
            assert_eq!(of(known, Some(Loader::SentenceTransformers)), "torch-encoder");
        }
        assert_eq!(of("bert", Some(Loader::Api)), "its provider's API");
        assert_eq!(
            of("bilstm", Some(Loader::OwnCode)),
            "its own library: torch-encoder does not know bilstm"
        );
    }
}

//! Prompts that change nothing, for the model puts none before its texts.

use std::path::Path;

use mteb_plugin_api::v1::Role;
use mteb_workers::plugins::ModelClient;

use super::listener::Listener;

/// What is encoded with and without a prompt.
const TEXT: &str = "The same text.";

/// Says so where a text has the same embedding with and without a prompt of the file at `path`. A model that cannot encode it
/// says so when it is asked for texts of a task.
pub fn warn_of_ignored_prompts(path: &Path, client: &mut ModelClient, listener: &dyn Listener) {
    let info = client.info();
    let prompts = &info.prompts;
    let prompt =
        prompts.named.values().chain(&prompts.instruction_template).find(|prompt| !prompt.is_empty());
    let Some(prompt) = prompt.filter(|_| info.rows.is_dense() && !info.cross_encoder).cloned() else {
        return;
    };
    let name = info.identity.name.clone();
    let mut embedding = |prompt: &str| client.encode(&[TEXT], Role::Query, prompt).ok();
    let Some(without) = embedding("") else { return };
    if embedding(&prompt) == Some(without) {
        listener.warn(&format!(
            "{}: expected a model that uses prompts, found {name}, whose embeddings are the same without them; \
             its results are kept apart all the same: leave out `--prompts`",
            path.display()
        ));
    }
}

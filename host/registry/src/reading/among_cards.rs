//! Registries that lie among the cards which another registry names.

use mteb_base::suggest::some;

use super::text::Text;

/// The cards among the `texts` that the entry `entry` of `cards` leads to, and what is said of registries among them: they are
/// left out, for what they name is taken in by `include`.
///
/// # Errors
/// The fault that the entry names a registry itself.
pub fn without_registries(entry: &str, texts: Vec<Text>) -> Result<(Vec<Text>, Option<String>), String> {
    let (registries, cards): (Vec<Text>, Vec<Text>) =
        texts.into_iter().partition(|text| text.path.is_some() && text.is_registry());
    if registries.is_empty() {
        return Ok((cards, None));
    }
    if entry.ends_with(".toml") && cards.is_empty() {
        return Err(format!(
            "expected a card or a folder of cards, found a registry: {entry}; include its tasks with \
             `include = [\"{entry}\"]`"
        ));
    }
    let files = some(registries.iter().map(|text| text.file.as_str()));
    let (are, their) =
        if registries.len() == 1 { ("it is a registry", "its") } else { ("they are registries", "their") };
    Ok((
        cards,
        Some(format!("left out of the cards because {are}: {files}; use `include` for {their} tasks")),
    ))
}

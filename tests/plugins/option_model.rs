//! A model with options: `options-letters` counts letters; `options-plain` has none.

use mteb_plugin_api::v1::{Model, PluginError, Role};
use mteb_plugin_api::{Identity, Manifest, ModelInfo, ModelOption, OptionType, chosen_options, export_model};

/// Counts the letters of a text, each as often as `weight` says.
struct Letters {
    name: String,
    weight: f32,
    case: bool,
}

impl Model for Letters {
    fn info(&self) -> ModelInfo {
        let identity = Identity {
            name: format!("tests/{}", self.name),
            revision: "1".to_owned(),
            ..Identity::default()
        };
        ModelInfo { identity, dimension: 27, ..ModelInfo::default() }
    }

    fn encode(&mut self, texts: &[&str], _: Role, _: &str, out: &mut [f32]) -> Result<(), PluginError> {
        println!("WARN {} texts", texts.len());
        println!("DEBUG weight {}", self.weight);
        println!("counted letters");
        out.fill(0.0);
        for (text, row) in texts.iter().zip(out.chunks_exact_mut(27)) {
            row[26] = self.weight;
            for byte in text.bytes() {
                let letter = if self.case { byte } else { byte.to_ascii_lowercase() };
                if letter.is_ascii_lowercase() {
                    row[usize::from(letter - b'a')] += 1.0;
                }
            }
        }
        Ok(())
    }
}

export_model! {
    manifest: Manifest {
        licence: "Apache-2.0".to_owned(),
        description: "Counts letters.".to_owned(),
        features: vec![
            ModelOption::new("weight", OptionType::Number, "The weight of a letter that every text has.")
                .at_least(0.0)
                .or(1.0)
                .of_models(&["options-letters"])
                .feature(),
            ModelOption::new("case", OptionType::Boolean, "True if capitals do not count.")
                .or(false)
                .of_models(&["options-letters"])
                .feature(),
        ],
        ..Manifest::model("options", "1.0.0", &["options-letters", "options-plain"])
    },
    new: |config| {
        let chosen = chosen_options(&config.options);
        let weight = chosen.and_then(|chosen| chosen.get("weight")?.as_f64()).unwrap_or(1.0);
        let case = chosen.and_then(|chosen| chosen.get("case")?.as_bool()).unwrap_or(false);
        Ok(Box::new(Letters { name: config.name, weight: weight as f32, case }))
    },
}

//! Models whose embeddings have no fixed width: `rows-sparse`, `rows-vectors`, and some that do it wrong.

use mteb_plugin_api::v1::{ENCODE_ROWS, EncodeRows, Model, PluginError};
use mteb_plugin_api::{Identity, Manifest, ModelInfo, PluginKind, RowForm, Similarity, export_model};

/// Counts the letters of a text: 26 numbers as a sparse row, or for each letter that it has a vector of two.
struct Letters(String);

impl Model for Letters {
    fn info(&self) -> ModelInfo {
        let is_sparse = !self.0.starts_with("rows-vectors");
        ModelInfo {
            identity: Identity {
                name: format!("tests/{}", self.0),
                revision: "1".to_owned(),
                ..Identity::default()
            },
            dimension: if is_sparse { 26 } else { 2 },
            rows: if is_sparse { RowForm::Sparse } else { RowForm::MultiVector },
            similarity: is_sparse.then_some(Similarity::Dot),
            ..ModelInfo::default()
        }
    }

    fn call(&mut self, method: &str, json: &str) -> Result<String, PluginError> {
        if method != ENCODE_ROWS {
            return Err(PluginError::unsupported(method));
        }
        let asked = EncodeRows::from_json(json)?;
        let (mut lengths, mut values, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for text in &asked.texts {
            let counts = (0..26).map(|letter| text.bytes().filter(|byte| *byte == b'a' + letter).count());
            let found: Vec<(u32, f32)> = (0..)
                .zip(counts)
                .filter(|(_, count)| *count > 0)
                .map(|(place, count)| (place, count as f32))
                .collect();
            lengths.push(found.len() as u32);
            for (place, count) in found {
                if self.0.starts_with("rows-vectors") {
                    values.extend([place as f32, count]);
                } else {
                    values.push(count);
                    places.push(place);
                }
            }
        }
        match self.0.as_str() {
            "rows-beyond" => places.iter_mut().for_each(|place| *place += 26),
            "rows-nan" => values.iter_mut().for_each(|value| *value = f32::NAN),
            "rows-short" => lengths.iter_mut().for_each(|length| *length = u32::MAX),
            "rows-vectors-short" => lengths.iter_mut().for_each(|length| *length = 1 << 16),
            "rows-unwritten" | "rows-vectors-unwritten" => return asked.answer(lengths, &[]),
            "rows-vectors-many" => {
                // Of a memory file it costs nothing to be long.
                let each: u32 = 100_000;
                let length = u64::from(each) * 8 * asked.texts.len() as u64;
                let file = std::fs::OpenOptions::new().write(true).open(&asked.memory);
                let made = file.and_then(|file| file.set_len(length));
                made.map_err(|error| asked.cannot_write(&error))?;
                return asked.answer(vec![each; asked.texts.len()], &[]);
            }
            "rows-vectors-hole" => {
                // As many as a text may have, of which none is written.
                let each: u32 = 60_000;
                let length = u64::from(each) * 8 * asked.texts.len() as u64;
                let file = std::fs::OpenOptions::new().write(true).open(&asked.memory);
                let made = file.and_then(|file| file.set_len(length));
                made.map_err(|error| asked.cannot_write(&error))?;
                return asked.answer(vec![each; asked.texts.len()], &[]);
            }
            "rows-fewer" => drop(lengths.pop()),
            _ => {}
        }
        let values: Vec<u8> = values.iter().flat_map(|value: &f32| value.to_le_bytes()).collect();
        let places: Vec<u8> = places.iter().flat_map(|place: &u32| place.to_le_bytes()).collect();
        asked.answer(lengths, &[&values, &places])
    }
}

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "rows".to_owned(),
        version: "1.0.0".to_owned(),
        features: std::env::var("MTEB_PLUGIN_SILENT").is_err().then(|| ENCODE_ROWS.to_owned()).into_iter().collect(),
        licence: "Apache-2.0".to_owned(),
        description: "Embeddings without a fixed width.".to_owned(),
        models: ["rows-sparse", "rows-vectors", "rows-*"].map(str::to_owned).to_vec(),
        tasks: Vec::new(),
    },
    new: |config| Ok(Box::new(Letters(config.name))),
}

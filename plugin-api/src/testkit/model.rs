//! What every model must do.

use std::fs;

use crate::v1::{ENCODE_ROWS, EncodeRows, EncodedRows, Library, ModelConfig, ModelHandle, Role};
use crate::{ModelInfo, RowForm};

const TEXTS: &[&str] = &[
    "Sate madura dibakar di atas arang tempurung kelapa.",
    "",
    " ",
    "😀 123 — \u{0627}\u{0644}\u{0644}\u{063a}\u{0629} 日本語",
    "a",
];

/// Faults of the model that `config` asks for.
pub fn faults(library: &Library, config: &ModelConfig) -> Vec<String> {
    let name = &config.name;
    // Where a pattern takes a name, the user's files say what the model is called, and may say no revision.
    let is_own = library.manifest().models.contains(name);
    let made = library.new_model(config).map_err(|error| error.message);
    let faults = made.and_then(|model| check(&model, is_own));
    match faults {
        Ok(faults) => faults.into_iter().map(|fault| format!("model {name}: {fault}")).collect(),
        Err(message) => vec![format!("model {name}: {message}")],
    }
}

fn check(model: &ModelHandle, is_own: bool) -> Result<Vec<String>, String> {
    let info = model.info().map_err(|error| error.message)?;
    let mut faults = Vec::new();
    if is_own && !info.identity.name.contains('/') {
        faults.push(format!("identity, name: expected `organisation/model`, found: {}", info.identity.name));
    } else if info.identity.name.trim().is_empty() {
        faults.push("identity, name: expected a name, found an empty text".to_owned());
    }
    if is_own && info.identity.revision.is_empty() {
        faults.push("identity, revision: expected a revision, found an empty text".to_owned());
    }
    count_faults(model, &mut faults);
    if info.cross_encoder {
        pair_faults(model, &mut faults);
    } else if info.dimension == 0 {
        faults.push("dimension: expected at least 1 for an encoder, found 0".to_owned());
    } else if !info.rows.is_dense() {
        ragged_faults(model, &info, &mut faults);
    } else {
        row_faults(model, info.dimension as usize, &mut faults);
    }
    Ok(faults)
}

fn count_faults(model: &ModelHandle, faults: &mut Vec<String>) {
    let mut counts = vec![0; TEXTS.len()];
    if let Err(error) = model.count_tokens(TEXTS, &mut counts) {
        faults.push(format!("count_tokens: {error}"));
    }
}

fn pair_faults(model: &ModelHandle, faults: &mut Vec<String>) {
    let mut scores = vec![f32::NAN; TEXTS.len()];
    match model.predict(TEXTS, TEXTS, "", &mut scores) {
        Err(error) => faults.push(format!("predict: {error}")),
        Ok(()) if scores.iter().any(|score| !score.is_finite()) => {
            faults.push("predict: expected finite scores, found one that is not".to_owned());
        }
        Ok(()) => {}
    }
}

fn row_faults(model: &ModelHandle, dimension: usize, faults: &mut Vec<String>) {
    let together = match rows(model, TEXTS, dimension) {
        Ok(rows) => rows,
        Err(message) => return faults.push(format!("encode: {message}")),
    };
    if let Some(row) = together.iter().position(|row| row.iter().any(|value| !value.is_finite())) {
        faults.push(format!(
            "encode: expected finite numbers, found another value in the row of {:?}",
            TEXTS[row]
        ));
    }
    if rows(model, TEXTS, dimension).is_ok_and(|again| again != together) {
        faults.push(
            "encode: expected the same rows for the same texts, found different ones the second time"
                .to_owned(),
        );
    }
    for (text, expected) in TEXTS.iter().zip(&together) {
        match rows(model, &[text], dimension) {
            Ok(alone) if close(&alone[0], expected) => {}
            Ok(_) => {
                faults.push(format!("encode: the row of {text:?} depends on the other texts in the batch"))
            }
            Err(message) => faults.push(format!("encode {text:?} alone: {message}")),
        }
    }
    if let Err(error) = model.encode(&[], Role::None, "", &mut []) {
        faults.push(format!("encode of no texts: {error}"));
    }
}

/// Faults of rows without a fixed width.
fn ragged_faults(model: &ModelHandle, info: &ModelInfo, faults: &mut Vec<String>) {
    let (first, again) = match (encode_ragged(model, info, TEXTS), encode_ragged(model, info, TEXTS)) {
        (Ok(first), Ok(again)) => (first, again),
        (Err(message), _) | (_, Err(message)) => return faults.push(format!("{ENCODE_ROWS}: {message}")),
    };
    if first != again {
        faults.push(format!(
            "{ENCODE_ROWS}: expected the same rows for the same texts, found different ones the second time"
        ));
    }
    if let Err(message) = encode_ragged(model, info, &[]) {
        faults.push(format!("{ENCODE_ROWS} of no texts: {message}"));
    }
}

/// Lengths and bytes of the rows of `texts`.
fn encode_ragged(
    model: &ModelHandle,
    info: &ModelInfo,
    texts: &[&str],
) -> Result<(Vec<u32>, Vec<u8>), String> {
    let file = std::env::temp_dir().join(format!("mteb-rows-{}", std::process::id()));
    fs::write(&file, []).map_err(|error| format!("{}: {error}", file.display()))?;
    let question = EncodeRows {
        texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        role: Role::None,
        instruction: String::new(),
        memory: file.to_string_lossy().into_owned(),
    };
    let question = serde_json::to_string(&question).map_err(|error| error.to_string())?;
    let answer = model.call(ENCODE_ROWS, &question).map_err(|error| error.message)?;
    let EncodedRows { lengths } = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
    if lengths.len() != texts.len() {
        return Err(format!("expected {} lengths, found {}", texts.len(), lengths.len()));
    }
    let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let each = if info.rows == RowForm::Sparse { 8 } else { 4 * info.dimension as usize };
    let expected = each * lengths.iter().map(|&length| length as usize).sum::<usize>();
    let found = bytes.len();
    if found == expected {
        Ok((lengths, bytes))
    } else {
        Err(format!("expected {expected} bytes, found {found}"))
    }
}

fn rows(model: &ModelHandle, texts: &[&str], dimension: usize) -> Result<Vec<Vec<f32>>, String> {
    let mut out = vec![f32::NAN; texts.len() * dimension];
    model.encode(texts, Role::None, "", &mut out).map_err(|error| error.message)?;
    Ok(out.chunks(dimension).map(<[f32]>::to_vec).collect())
}

fn close(left: &[f32], right: &[f32]) -> bool {
    left.iter().zip(right).all(|(left, right)| (left - right).abs() <= 1e-3 * (1.0 + right.abs()))
}

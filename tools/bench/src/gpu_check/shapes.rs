//! The models and texts that are made on the spot: the shapes of models that people run, with random weights.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::findings::GpuFault;
use super::ground::{Ground, write};

/// A model that is made on the spot.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What it is called in tables.
    pub name: &'static str,
    kind: &'static str,
    /// Vocabulary, width, layers, heads, heads of keys, numbers of a head, width of the feed-forward part.
    numbers: [usize; 7],
    /// Number format of its file.
    dtype: &'static str,
    /// Short and long texts that are encoded.
    pub texts: [usize; 2],
    /// Number formats in which it is timed.
    pub formats: &'static [&'static str],
    /// Seconds that its part of the check takes at least.
    pub needs: u64,
}

/// Models that people run: all-MiniLM-L6-v2, BERT-large, Qwen3-Embedding-0.6B and 4B.
pub const REAL: [Shape; 4] = [
    Shape {
        name: "MiniLM",
        kind: "bert",
        numbers: [30522, 384, 6, 12, 12, 32, 1536],
        dtype: "f32",
        texts: [8_000, 2_500],
        formats: &["bf16", "f32"],
        needs: 45,
    },
    Shape {
        name: "BERT-large",
        kind: "bert",
        numbers: [30522, 1024, 24, 16, 16, 64, 4096],
        dtype: "f32",
        texts: [4_000, 700],
        formats: &["bf16", "f32"],
        needs: 50,
    },
    Shape {
        name: "Qwen3-0.6B",
        kind: "qwen3",
        numbers: [151_669, 1024, 28, 16, 8, 128, 3072],
        dtype: "bf16",
        texts: [4_000, 900],
        formats: &["bf16"],
        needs: 45,
    },
    Shape {
        name: "Qwen3-4B",
        kind: "qwen3",
        numbers: [151_665, 2560, 36, 32, 8, 128, 9728],
        dtype: "bf16",
        texts: [1_500, 250],
        formats: &["bf16"],
        needs: 75,
    },
];

/// The same kinds in small, for the rehearsal on a processor.
pub const SMALL: [Shape; 2] = [
    Shape {
        name: "small BERT",
        kind: "bert",
        numbers: [6100, 128, 2, 4, 4, 32, 512],
        dtype: "f32",
        texts: [200, 50],
        formats: &["f32"],
        needs: 10,
    },
    Shape {
        name: "small Qwen3",
        kind: "qwen3",
        numbers: [6100, 128, 2, 4, 2, 32, 384],
        dtype: "bf16",
        texts: [200, 50],
        formats: &["f32"],
        needs: 10,
    },
];

/// The shape whose batches are to run out of memory: wide, so that numbers between layers weigh more than the weights.
pub const WIDE: Shape = Shape {
    name: "wide BERT",
    kind: "bert",
    numbers: [6100, 1024, 1, 16, 16, 64, 8192],
    dtype: "f32",
    texts: [0, 16],
    formats: &["f32"],
    needs: 15,
};

/// Words in a short and in a long text: some 15 and 230 on average.
const LENGTHS: [[usize; 2]; 2] = [[5, 25], [120, 340]];

/// The names of the two.
pub const TEXTS: [&str; 2] = ["short", "long"];

impl Shape {
    /// Where the model is made.
    pub fn folder(&self, ground: &Ground) -> PathBuf {
        ground.work.join("models").join(self.name.replace(' ', "-"))
    }

    fn json(&self, ground: &Ground) -> Value {
        let [vocabulary, width, layers, heads, keys, head, inner] = self.numbers;
        let mut config = json!({
            "vocab_size": vocabulary, "hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads,
            "intermediate_size": inner, "max_position_embeddings": 512,
        });
        if self.kind == "qwen3" {
            let more = json!({
                "num_key_value_heads": keys, "head_dim": head, "max_position_embeddings": 32768, "rope_theta": 1_000_000,
                "tie_word_embeddings": true,
            });
            config.as_object_mut().into_iter().for_each(|config| {
                config.extend(more.as_object().cloned().unwrap_or_default());
            });
        }
        let device = if ground.options.on_gpu() { &ground.options.device } else { "cpu" };
        json!({
            "name": self.name, "kind": self.kind, "folder": self.folder(ground), "dtype": self.dtype, "device": device,
            "length": if self.kind == "qwen3" { 32768 } else { 512 }, "config": config,
        })
    }
}

/// Where texts are: short (0) or long (1).
pub fn texts(ground: &Ground, kind: usize) -> PathBuf {
    ground.work.join(format!("{}.json", TEXTS[kind]))
}

/// What was made of a shape.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Numbers of its weights.
    pub parameters: f64,
    /// Bytes of them on the disk.
    pub bytes: f64,
}

/// Makes one shape.
///
/// # Errors
/// If it cannot be made.
pub fn make_shape(ground: &Ground, shape: &Shape) -> Result<Made, GpuFault> {
    let list = ground.work.join("shapes.json");
    write(&list, &json!([shape.json(ground)]).to_string())?;
    let ended = ground.clock.run(ground.python().arg("make").arg(list), 600)?;
    let made = ended.output.lines().find_map(|line| serde_json::from_str::<Value>(line).ok());
    let number = |name: &str| made.as_ref().and_then(|made| made[name].as_f64());
    match (number("parameters"), number("bytes")) {
        (Some(parameters), Some(bytes)) => Ok(Made { parameters, bytes }),
        _ => Err(GpuFault::Failed(format!("the model could not be made: {}", ended.last_words()))),
    }
}

/// Makes a list of one short text, and one of a text of so many tokens.
///
/// # Errors
/// If they cannot be written.
pub fn make_long_texts(ground: &Ground, tokens: usize) -> Result<[PathBuf; 2], String> {
    // One token closes the text.
    let of = |words: usize| {
        (0..words).map(|word| format!("w{}", word * 7919 % 5000)).collect::<Vec<_>>().join(" ")
    };
    let made = [("one-short", of(15)), ("one-long", of(tokens - 1))];
    let [short, long] = made.map(|(name, text)| {
        let path = ground.work.join(format!("{name}.json"));
        write(&path, &json!([text]).to_string()).map(|()| path)
    });
    Ok([short?, long?])
}

/// Makes texts of both kinds, as many as the shapes need, and the shapes.
///
/// # Errors
/// If they cannot be made.
pub fn make(ground: &Ground, shapes: &[Shape], with_texts: bool) -> Result<(), GpuFault> {
    let mut wanted: Vec<Value> = shapes.iter().map(|shape| shape.json(ground)).collect();
    for kind in [0, 1].into_iter().filter(|_| with_texts) {
        let count = REAL.iter().map(|shape| shape.texts[kind]).max().unwrap_or(0);
        let count = if ground.options.on_gpu() { count } else { 400 };
        let file = texts(ground, kind);
        wanted.push(json!({"name": TEXTS[kind], "texts": count, "lengths": LENGTHS[kind], "seed": kind + 1, "file": file}));
    }
    let list: &Path = &ground.work.join("shapes.json");
    write(list, &json!(wanted).to_string())?;
    let ended = ground.clock.run(ground.python().arg("make").arg(list), 150)?;
    if ended.status.success() {
        return Ok(());
    }
    Err(GpuFault::Failed(format!("the models could not be made: {}", ended.last_words())))
}

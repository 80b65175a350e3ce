//! What encoding takes beside the matrix products in it, for `cargo xtask bench limit`.
//!
//! usage: encode_limit MODEL_FOLDER SHRINK ROUNDS DTYPE…
//!
//! The model is one of BERT's kind whose tokenizer knows the words below. Prints as JSON what products take by themselves, for texts
//! of several lengths and for the shapes of larger encoders, and the seconds of encoding and of tokenising. `SHRINK` divides
//! the number of texts; everything is measured once in each of `ROUNDS` rounds.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use mteb_plugin_api::v1::{Model, ModelConfig, Role};
use mteb_plugin_torch::TorchEncoder;
use rayon::prelude::*;
use serde_json::{Value, json};
use tch::{Device, Kind, Tensor};
use tokenizers::Tokenizer;

type Fault = Box<dyn Error>;

/// Tokens of a text, those that frame it included.
const LENGTHS: [usize; 4] = [16, 64, 128, 256];

/// Tokens that are encoded of each length.
const TOKENS: usize = 1 << 16;

/// Tokens that a thread of the plugin works on at a time.
const BATCH: usize = 896;

/// Width and inner width of larger encoders, with their usual names.
const LARGER: [(&str, i64, i64); 2] = [("base", 768, 3072), ("large", 1024, 4096)];

/// The name that the host's own ceiling has; the higher of the two counts.
const PRODUCTS: &str = "matrix products, f32";

/// Something is repeated until it took so many seconds.
const LEAST_SECONDS: f64 = 0.2;

/// Words of one token each.
const WORDS: [&str; 11] = [
    "river", "market", "seven", "quiet", "engine", "paper", "winter", "garden", "signal", "copper", "window",
];

/// The numbers of a network that its products depend on.
#[derive(Clone, Copy)]
struct Shape {
    width: i64,
    inner: i64,
    heads: i64,
    layers: i64,
}

fn main() -> Result<(), Fault> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, shrink, rounds, formats @ ..] = args.as_slice() else {
        return Err("usage: encode_limit MODEL_FOLDER SHRINK ROUNDS DTYPE…".into());
    };
    let (shrink, rounds) = (shrink.parse::<usize>()?.max(1), rounds.parse::<usize>()?.max(1));
    let _guard = tch::no_grad_guard();
    let shape = shape_of(Path::new(folder))?;
    let (mut ceilings, mut parts) = (Vec::new(), Vec::new());
    for format in formats {
        let kind = if format == "bf16" { Kind::BFloat16 } else { Kind::Float };
        for (name, width, inner) in LARGER {
            let shape = Shape { width, inner, heads: width / 64, layers: 1 };
            let rates = repeat(rounds, || layer_rate(&shape, kind, 128))?;
            ceilings
                .push(ceiling(&format!("products of a layer, {name} ({width}, {inner}), {format}"), &rates));
            if format == "f32" && width == 1024 {
                ceilings.push(ceiling(PRODUCTS, &rates));
            }
        }
        let mut model = open(folder, format)?;
        for length in LENGTHS {
            let texts = texts(length, (TOKENS / shrink / length).max(1));
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let mut rows = vec![0.0; texts.len() * model.info().dimension as usize];
            let (mut rates, mut seconds) = (Vec::new(), Vec::new());
            for _ in 0..rounds {
                rates.push(layer_rate(&shape, kind, length)?);
                seconds.push(measure_seconds(|| Ok(model.encode(&texts, Role::None, "", &mut rows)?))?);
            }
            let name = format!("products of a layer, texts of {length} tokens, {format}");
            let needed = texts.len() as f64 * shape.operations(length) * shape.layers as f64;
            ceilings.push(ceiling(&name, &rates));
            parts.push(json!({
                "name": format!("encode, {format}"), "what": format!("{} texts of {length} tokens", texts.len()),
                "needs": { name: needed }, "seconds": seconds,
            }));
        }
    }
    let (ceiling, part) = measure_tokenizer(folder, shrink, rounds)?;
    ceilings.push(ceiling);
    parts.push(part);
    println!("{}", json!({ "ceilings": ceilings, "parts": parts }));
    Ok(())
}

impl Shape {
    /// Operations of the products of one layer for a text.
    fn operations(&self, length: usize) -> f64 {
        let (length, width, inner) = (length as f64, self.width as f64, self.inner as f64);
        2.0 * length * (4.0 * width * width + 2.0 * width * inner) + 4.0 * length * length * width
    }
}

fn shape_of(folder: &Path) -> Result<Shape, Fault> {
    let config: Value = serde_json::from_str(&fs::read_to_string(folder.join("config.json"))?)?;
    let number = |key: &str| {
        config[key]
            .as_i64()
            .ok_or_else(|| format!("config.json: expected a number `{key}`, found: {}", config[key]))
    };
    Ok(Shape {
        width: number("hidden_size")?,
        inner: number("intermediate_size")?,
        heads: number("num_attention_heads")?,
        layers: number("num_hidden_layers")?,
    })
}

fn open(folder: &str, format: &str) -> Result<TorchEncoder, Fault> {
    let config = ModelConfig {
        name: folder.to_owned(),
        folder: Some(folder.to_owned()),
        device: "cpu".to_owned(),
        dtype: format.to_owned(),
        ..ModelConfig::default()
    };
    Ok(TorchEncoder::open(&config)?)
}

/// The parts of libtorch that multiply float32.
#[derive(Clone, Copy)]
enum Library {
    /// What libtorch takes by itself.
    Usual,
    /// oneDNN, which libtorch takes by itself for bf16 alone.
    OneDnn,
}

/// Operations a second of the products of one layer, each thread with a batch of its own as the plugin has it; nothing else
/// that a layer does. The faster library counts.
fn layer_rate(shape: &Shape, kind: Kind, length: usize) -> Result<f64, Fault> {
    let has_choice = kind == Kind::Float && tch::utils::has_mkldnn();
    let other = if has_choice { layer_rate_by(Library::OneDnn, shape, kind, length)? } else { 0.0 };
    Ok(layer_rate_by(Library::Usual, shape, kind, length)?.max(other))
}

fn layer_rate_by(library: Library, shape: &Shape, kind: Kind, length: usize) -> Result<f64, Fault> {
    let (texts, threads) = ((BATCH / length).max(1), rayon::current_num_threads());
    let seconds = measure_seconds(|| {
        let run = |_| Products::new(shape, kind, texts, length).and_then(|made| made.multiply(library));
        Ok((0..threads).into_par_iter().try_for_each(run)?)
    })?;
    Ok(threads as f64 * texts as f64 * shape.operations(length) * f64::from(TURNS) / seconds)
}

/// Products in a row, so that making the numbers is nothing beside them.
const TURNS: u32 = 32;

/// What is multiplied in a layer: tokens by weights, and within each text queries by keys and these by values. Weights stand as a
/// layer has them, `[output, input]`.
struct Products {
    tokens: Tensor,
    widened: Tensor,
    weights: [Tensor; 4],
    heads: [Tensor; 3],
}

impl Products {
    fn new(shape: &Shape, kind: Kind, texts: usize, length: usize) -> Result<Self, tch::TchError> {
        tch::set_num_threads(1);
        let made = |dimensions: &[i64]| Tensor::f_ones(dimensions, (kind, Device::Cpu));
        let (texts, length) = (texts as i64, length as i64);
        let Shape { width, inner, heads, .. } = *shape;
        Ok(Self {
            tokens: made(&[texts * length, width])?,
            widened: made(&[texts * length, inner])?,
            weights: [
                made(&[3 * width, width])?,
                made(&[width, width])?,
                made(&[inner, width])?,
                made(&[width, inner])?,
            ],
            heads: [
                made(&[texts * heads, length, width / heads])?,
                made(&[texts * heads, width / heads, length])?,
                made(&[texts * heads, length, length])?,
            ],
        })
    }

    /// Every product of a layer, `TURNS` times, those with weights by `library`.
    fn multiply(&self, library: Library) -> Result<(), tch::TchError> {
        // In threads of rayon, too, nothing is noted for gradients.
        let _guard = tch::no_grad_guard();
        let taken = |rows: &Tensor| match library {
            Library::Usual => Ok(rows.shallow_clone()),
            Library::OneDnn => rows.f_to_mkldnn(None),
        };
        let (tokens, widened) = (taken(&self.tokens)?, taken(&self.widened)?);
        let multiply = |rows: &Tensor, weights: &Tensor| match library {
            Library::Usual => rows.f_linear(weights, None::<Tensor>),
            Library::OneDnn => rows.f_mkldnn_linear(weights, None::<Tensor>),
        };
        let [joined, out, widen, narrow] = &self.weights;
        let [queries, keys, shares] = &self.heads;
        for _ in 0..TURNS {
            for weights in [joined, out, widen] {
                let _ = multiply(&tokens, weights)?;
            }
            let _ = multiply(&widened, narrow)?;
            let _ = queries.f_bmm(keys)?;
            let _ = shares.f_bmm(queries)?;
        }
        Ok(())
    }
}

/// So many texts of so many tokens, of which two frame it.
fn texts(length: usize, count: usize) -> Vec<String> {
    let words = |text: usize| {
        let words = (0..length - 2).map(|place| WORDS[(text * 7 + place * place) % WORDS.len()]);
        words.collect::<Vec<_>>().join(" ")
    };
    (0..count).map(words).collect()
}

/// Tokenising, beside a look at each word in a hash table, which is the least that any tokenizer does.
fn measure_tokenizer(folder: &str, shrink: usize, rounds: usize) -> Result<(Value, Value), Fault> {
    let tokenizer = Tokenizer::from_file(Path::new(folder).join("tokenizer.json"));
    let vocabulary = tokenizer.map_err(|fault| fault.to_string())?.get_vocab(true);
    let model = open(folder, "f32")?;
    let texts = texts(128, (TOKENS / shrink / 16).max(1));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let name = "words, found in a hash table";
    let (mut rates, mut seconds) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let found = |text: &&str| text.split(' ').filter(|word| vocabulary.contains_key(*word)).count();
        let look = measure_seconds(|| match texts.par_iter().map(found).sum::<usize>() {
            0 => Err("expected words of the vocabulary, found none".into()),
            _ => Ok(()),
        })?;
        rates.push(bytes as f64 / look);
        seconds.push(measure_seconds(|| model.count_exactly(&texts).map(drop).map_err(Fault::from))?);
    }
    let ceiling = json!({ "name": name, "unit": "bytes", "rates": rates });
    let part = json!({
        "name": "tokenise", "what": format!("{} texts, {:.1} MB", texts.len(), bytes as f64 / 1e6),
        "needs": { name: bytes as f64 }, "seconds": seconds,
    });
    Ok((ceiling, part))
}

fn ceiling(name: &str, rates: &[f64]) -> Value {
    json!({ "name": name, "unit": "operations", "rates": rates })
}

fn repeat(rounds: usize, mut run: impl FnMut() -> Result<f64, Fault>) -> Result<Vec<f64>, Fault> {
    (0..rounds).map(|_| run()).collect()
}

/// Seconds of one run of `work`, the mean of as many as take long enough to be told.
fn measure_seconds(mut work: impl FnMut() -> Result<(), Fault>) -> Result<f64, Fault> {
    let (begin, mut runs) = (Instant::now(), 0);
    loop {
        work()?;
        runs += 1;
        let seconds = begin.elapsed().as_secs_f64();
        if seconds >= LEAST_SECONDS {
            return Ok(seconds / f64::from(runs));
        }
    }
}

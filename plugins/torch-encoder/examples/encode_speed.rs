//! Encodes the texts of a JSON file with a model and prints the seconds as JSON: the side of `cargo xtask bench encode`
//! that is ours.
//!
//! usage: encode_speed MODEL_FOLDER TEXTS.json DTYPE THREADS TIMES [ROWS.safetensors]

use std::error::Error;
use std::fs;
use std::time::Instant;

use mteb_plugin_api::v1::{Model, ModelConfig, Role};
use mteb_plugin_torch::TorchEncoder;
use tch::{Kind, Tensor};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, texts, dtype, threads, times, rest @ ..] = args.as_slice() else {
        return Err("expected MODEL_FOLDER TEXTS.json DTYPE THREADS TIMES [ROWS.safetensors]".into());
    };
    let texts: Vec<String> = serde_json::from_str(&fs::read_to_string(texts)?)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let config = ModelConfig {
        name: folder.clone(),
        folder: Some(folder.clone()),
        device: std::env::var("MTEB_DEVICE").unwrap_or_else(|_| "cpu".to_owned()),
        dtype: dtype.clone(),
        threads: threads.parse()?,
        ..ModelConfig::default()
    };
    let mut model = TorchEncoder::open(&config)?;
    let mut rows = vec![0.0_f32; texts.len() * model.info().dimension as usize];
    // The first run fills caches and pools of memory.
    model.encode(
        &texts[..texts.len().min(64)],
        Role::None,
        "",
        &mut rows[..texts.len().min(64) * model.info().dimension as usize],
    )?;
    let (mut seconds, mut processor) = (Vec::new(), Vec::new());
    for _ in 0..times.parse()? {
        let (begin, spent) = (Instant::now(), processor_seconds()?);
        model.encode(&texts, Role::None, "", &mut rows)?;
        seconds.push(begin.elapsed().as_secs_f64());
        processor.push(processor_seconds()? - spent);
    }
    if let Some(path) = rest.first() {
        let shape = [texts.len() as i64, i64::from(model.info().dimension)];
        let rows = Tensor::f_from_slice(&rows)?.f_to_kind(Kind::Float)?.f_view(shape)?;
        Tensor::write_safetensors(&[("rows", rows)], path)?;
    }
    println!("{}", serde_json::json!({ "seconds": seconds, "processor": processor }));
    Ok(())
}

/// Time that all threads of this process spent on the processor, in steps of 10 ms.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let line = fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in brackets and may hold spaces; times are the 12th and 13th value behind it.
    let values = line.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = values.skip(11).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum::<f64>() / 100.0)
}

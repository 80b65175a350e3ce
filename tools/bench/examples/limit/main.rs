//! What the parts of the host take beside the machine's own ceilings, for `cargo xtask bench limit`.
//!
//! usage: limit FOLDER SHRINK ROUNDS
//!
//! Inputs are made from fixed seeds in `FOLDER`, `SHRINK` times smaller than usual. In each of `ROUNDS` rounds every ceiling and every
//! part is measured once, so that all meet the same state of the machine. The figures are printed as JSON: of a ceiling how much
//! of its unit a second, of a part its seconds, and how much of which ceilings its work takes at the least.

mod computing;
mod files;
mod hashing;
mod machine;
#[path = "../hot_paths/made.rs"]
#[allow(dead_code, reason = "it is shared with another example")]
mod made;
mod writing;

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

/// Why something could not be measured.
pub type Fault = Box<dyn Error>;

/// Work that is measured; what it gives is never 0.
pub type Work = Box<dyn FnMut() -> Result<usize, Fault>>;

/// Something is repeated until it took so many seconds.
const LEAST_SECONDS: f64 = 0.2;

/// Where inputs lie, and how much smaller than usual they are.
pub struct Ground {
    /// The folder.
    pub folder: PathBuf,
    /// The divisor of sizes.
    pub shrink: usize,
}

impl Ground {
    /// A size of this run.
    pub fn size(&self, usual: usize) -> usize {
        (usual / self.shrink).max(1)
    }

    /// A file or folder for inputs.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// A ceiling: the fastest that the machine does something.
pub struct Ceiling {
    /// Its name, by which parts refer to it.
    pub name: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// How much of it the work is.
    pub amount: f64,
    /// The work.
    pub work: Work,
}

/// A part of the host.
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// How much it does.
    pub what: String,
    /// How much of which ceilings that takes at the least.
    pub needs: Vec<(&'static str, f64)>,
    /// The work.
    pub work: Work,
}

fn main() -> Result<(), Fault> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, shrink, rounds] = args.as_slice() else {
        return Err("usage: limit FOLDER SHRINK ROUNDS".into());
    };
    let ground = Ground { folder: PathBuf::from(folder), shrink: shrink.parse::<usize>()?.max(1) };
    std::fs::create_dir_all(&ground.folder)?;
    let (mut ceilings, mut parts) = (machine::ceilings(&ground), Vec::new());
    for (own, others) in [
        files::prepare(&ground)?,
        hashing::prepare(&ground)?,
        computing::prepare_search(&ground)?,
        computing::prepare_learning(&ground)?,
        writing::prepare(&ground)?,
    ] {
        ceilings.extend(own);
        parts.extend(others);
    }
    let (mut rates, mut seconds) = (vec![Vec::new(); ceilings.len()], vec![Vec::new(); parts.len()]);
    for _ in 0..rounds.parse::<usize>()?.max(1) {
        for (ceiling, rates) in ceilings.iter_mut().zip(&mut rates) {
            rates.push(ceiling.amount / measure_seconds(&mut ceiling.work)?);
        }
        for (part, seconds) in parts.iter_mut().zip(&mut seconds) {
            seconds.push(measure_seconds(&mut part.work)?);
        }
    }
    println!("{}", figures(&ceilings, &rates, &parts, &seconds));
    Ok(())
}

/// Seconds of one run of `work`, the mean of as many as take long enough to be told.
fn measure_seconds(work: &mut Work) -> Result<f64, Fault> {
    let (begin, mut runs) = (Instant::now(), 0);
    loop {
        if black_box(work()?) == 0 {
            return Err("expected work to find something, found that it found nothing".into());
        }
        runs += 1;
        let seconds = begin.elapsed().as_secs_f64();
        if seconds >= LEAST_SECONDS {
            return Ok(seconds / f64::from(runs));
        }
    }
}

fn figures(ceilings: &[Ceiling], rates: &[Vec<f64>], parts: &[Part], seconds: &[Vec<f64>]) -> Value {
    let rate = |(ceiling, rates): (&Ceiling, &Vec<f64>)| json!({ "name": ceiling.name, "unit": ceiling.unit, "rates": rates });
    let part = |(part, seconds): (&Part, &Vec<f64>)| {
        let needs: serde_json::Map<String, Value> =
            part.needs.iter().map(|(name, amount)| ((*name).to_owned(), json!(amount))).collect();
        json!({ "name": part.name, "what": part.what, "needs": needs, "seconds": seconds })
    };
    json!({
        "ceilings": ceilings.iter().zip(rates).map(rate).collect::<Vec<_>>(),
        "parts": parts.iter().zip(seconds).map(part).collect::<Vec<_>>(),
    })
}

/// The bytes of a file.
pub fn bytes_of(path: &Path) -> Result<f64, Fault> {
    Ok(std::fs::metadata(path)?.len() as f64)
}

/// A number with its thousands apart.
pub fn group_digits(number: usize) -> String {
    let digits = number.to_string();
    let places = digits.char_indices().map(|(place, digit)| {
        let is_apart = place > 0 && (digits.len() - place).is_multiple_of(3);
        if is_apart { format!(",{digit}") } else { digit.to_string() }
    });
    places.collect()
}

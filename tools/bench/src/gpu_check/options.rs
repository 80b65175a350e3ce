//! What the check is asked for.

use std::path::PathBuf;
use std::time::Duration;

/// The options of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `cpu` or `cuda:N`.
    pub device: String,
    /// The folder of the built files.
    pub binaries: Option<PathBuf>,
    /// The plugin, if it is not among them.
    pub plugin: Option<PathBuf>,
    /// The tiny models of all architectures.
    pub golden: Option<PathBuf>,
    /// The interpreter with PyTorch and transformers.
    pub python: PathBuf,
    /// Where the answer goes.
    pub out: PathBuf,
    /// Time of the whole check.
    pub budget: Duration,
    /// Parts; all if there are none.
    pub parts: Vec<String>,
}

impl Options {
    /// Reads the arguments; `out` is where the answer goes unless they say otherwise.
    ///
    /// # Errors
    /// If one is unknown or has no value.
    pub fn parse(arguments: &[String], out: PathBuf) -> Result<Self, String> {
        let python = ["MTEB_PYTHON", "PYTHON"].into_iter().filter_map(std::env::var_os);
        let python = python.map(PathBuf::from).find(|path| !path.as_os_str().is_empty());
        let mut options = Self {
            device: "cuda:0".to_owned(),
            binaries: None,
            plugin: None,
            golden: None,
            python: python.unwrap_or_else(|| "python3".into()),
            out,
            budget: Duration::from_secs(480),
            parts: Vec::new(),
        };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let value =
                arguments.next().ok_or_else(|| format!("expected a value behind {name}, found none"))?;
            match name.as_str() {
                "--device" => options.device = device(value)?,
                "--binaries" => options.binaries = Some(value.into()),
                "--plugin" => options.plugin = Some(value.into()),
                "--golden" => options.golden = Some(value.into()),
                "--python" => options.python = value.into(),
                "--out" => options.out = value.into(),
                "--budget" => {
                    let seconds =
                        value.parse().map_err(|_| format!("--budget: expected seconds, found: {value}"))?;
                    options.budget = Duration::from_secs(seconds);
                }
                "--parts" => options.parts = value.split(',').map(str::to_owned).collect(),
                _ => return Err(format!("expected an option of `cargo xtask gpu-check`, found: {name}")),
            }
        }
        Ok(options)
    }

    /// True if this part is asked for.
    pub fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }

    /// True if a GPU computes; else the check is rehearsed on the processor, with small shapes.
    pub fn on_gpu(&self) -> bool {
        self.device != "cpu"
    }

    /// A rehearsal may share its machine with much else; the whole budget holds all the same.
    pub fn patience(&self) -> u32 {
        if self.on_gpu() { 1 } else { 20 }
    }

    /// Number of the GPU.
    pub fn number(&self) -> &str {
        self.device.strip_prefix("cuda:").unwrap_or("0")
    }
}

fn device(text: &str) -> Result<String, String> {
    let number = text.strip_prefix("cuda:").is_some_and(|number| number.parse::<usize>().is_ok());
    match text {
        "cuda" => Ok("cuda:0".to_owned()),
        "cpu" => Ok(text.to_owned()),
        _ if number => Ok(text.to_owned()),
        _ => Err(format!("--device: expected cpu, cuda or cuda:N, found: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), "out".into())
    }

    #[test]
    fn a_gpu_computes_unless_the_processor_is_named() {
        let options = parse("").unwrap();
        assert!(options.on_gpu() && options.wants("equality"));
        let options = parse("--device cpu --parts equality,start --budget 60").unwrap();
        assert!(!options.on_gpu() && options.wants("start") && !options.wants("throughput"));
        assert_eq!(parse("--device cuda:1").unwrap().number(), "1");
        for line in ["--device tpu", "--budget soon", "--parts", "--speed 1"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}

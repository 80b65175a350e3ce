//! The model as the host sees it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use mteb_plugin_api::v1::{Model, ModelConfig, PluginError, Role};
use mteb_plugin_api::{Identity, ModelInfo, Prompts, Similarity};
use serde_json::{Map, Value};
use tch::{Device, Kind, Tensor};

use crate::architectures::{Architecture, build};
use crate::error::TorchError;
use crate::folder::ModelFolder;
use crate::head::Head;
use crate::packed::{Packed, kind_of};
use crate::tokenizer::TextTokenizer;
use crate::weights::{Weights, weights_hash};

/// Tokens that one thread works on at a time on a CPU: more, and the working set leaves the cache.
const CPU_TOKENS: usize = 1536;
/// Tokens in a batch on a GPU.
const CUDA_TOKENS: usize = 65_536;

/// A sentence-transformers model on libtorch.
pub struct TorchEncoder {
    tokenizer: TextTokenizer,
    /// One a thread; they share their weights.
    replicas: Vec<Mutex<Replica>>,
    info: ModelInfo,
    device: Device,
}

struct Replica {
    architecture: Box<dyn Architecture>,
    head: Head,
}

impl TorchEncoder {
    /// Opens the model that `config` names.
    ///
    /// # Errors
    /// If the folder is not a model that this plugin knows, or the device cannot be had.
    pub fn open(config: &ModelConfig) -> Result<Self, TorchError> {
        let path = config.folder.as_ref().ok_or_else(|| TorchError::NoFolder(config.name.clone()))?;
        let folder = ModelFolder::read(Path::new(path))?;
        let tokenizer = TextTokenizer::read(&folder)?;
        let device = device_of(&config.device)?;
        let (kind, dtype) = kind_of(&config.dtype)?;
        let _guard = tch::no_grad_guard();
        let weights = Weights::read(&folder.transformer, device, kind)?;
        let architecture = build(&folder, &weights)?;
        let head = Head::read(&folder.modules, architecture.width(), device, kind)?;
        let info = describe(config, &folder, &head, dtype)?;
        let threads = threads_of(config.threads, device);
        let replicas = (0..threads)
            .map(|_| Mutex::new(Replica { architecture: architecture.share(), head: head.share() }))
            .collect();
        Ok(Self { tokenizer, replicas, info, device })
    }

    fn rows(&self, texts: &[&str], prompt: &str, out: &mut [f32]) -> Result<(), TorchError> {
        let width = self.info.dimension as usize;
        let ids = self.tokenizer.ids(texts, prompt)?;
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&text| std::cmp::Reverse(ids[text].len()));
        let budget = if self.device.is_cuda() { CUDA_TOKENS } else { CPU_TOKENS };
        let batches = Mutex::new(batches(&order, &ids, budget).into_iter());
        let finished = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let workers: Vec<_> = self
                .replicas
                .iter()
                .map(|replica| {
                    scope.spawn(|| -> Result<(), TorchError> {
                        let replica = lock(replica);
                        tch::set_num_threads(1);
                        let _guard = tch::no_grad_guard();
                        loop {
                            let Some(batch) = lock(&batches).next() else { return Ok(()) };
                            let rows = replica.encode(&batch, &ids, self.device, width)?;
                            lock(&finished).push((batch, rows));
                        }
                    })
                })
                .collect();
            workers.into_iter().try_for_each(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|_| Err(TorchError::Torch("a thread of the encoder panicked".to_owned())))
            })
        })?;
        for (batch, rows) in finished.into_inner().unwrap_or_default() {
            for (&text, row) in batch.iter().zip(rows.chunks_exact(width)) {
                out[text * width..(text + 1) * width].copy_from_slice(row);
            }
        }
        Ok(())
    }
}

impl Model for TorchEncoder {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn count_tokens(&self, texts: &[&str], out: &mut [u32]) -> Result<(), PluginError> {
        // The batches of the host only bound memory here, as this plugin sorts and packs by itself; counting
        // characters saves tokenising twice.
        for (text, count) in texts.iter().zip(out) {
            *count = u32::try_from(text.len() / 4 + 2).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    fn encode(
        &mut self,
        texts: &[&str],
        _: Role,
        instruction: &str,
        out: &mut [f32],
    ) -> Result<(), PluginError> {
        Ok(self.rows(texts, instruction, out)?)
    }
}

impl Replica {
    fn encode(
        &self,
        batch: &[usize],
        ids: &[Vec<u32>],
        device: Device,
        width: usize,
    ) -> Result<Vec<f32>, TorchError> {
        let texts: Vec<&[u32]> = batch.iter().map(|&text| ids[text].as_slice()).collect();
        let packed = Packed::new(&texts, device)?;
        let tokens = self.architecture.forward(&packed)?;
        let rows: Tensor = self.head.apply(&packed, tokens)?;
        let rows = rows.f_to_kind(Kind::Float)?.f_to_device(Device::Cpu)?.f_contiguous()?;
        let mut values = vec![0.0; texts.len() * width];
        let count = values.len();
        rows.f_copy_data(&mut values, count)?;
        Ok(values)
    }
}

/// A poisoned lock means that another thread panicked, which is reported where that thread is joined.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Runs of `order` of at most `budget` tokens, and of one text at least.
fn batches(order: &[usize], ids: &[Vec<u32>], budget: usize) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut tokens = usize::MAX;
    for &text in order {
        let length = ids[text].len();
        if tokens.saturating_add(length) > budget {
            batches.push(Vec::new());
            tokens = 0;
        }
        tokens += length;
        if let Some(batch) = batches.last_mut() {
            batch.push(text);
        }
    }
    batches
}

fn threads_of(asked: usize, device: Device) -> usize {
    if device.is_cuda() {
        return 1;
    }
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if asked == 0 { cores } else { asked }
}

fn device_of(name: &str) -> Result<Device, TorchError> {
    let cuda = tch::Cuda::is_available();
    let none =
        || TorchError::Device("expected a CUDA device, found none; run with `--device cpu`".to_owned());
    match name {
        "cpu" => Ok(Device::Cpu),
        "auto" | "" => Ok(if cuda { Device::Cuda(0) } else { Device::Cpu }),
        "cuda" if cuda => Ok(Device::Cuda(0)),
        other => {
            let number = other.strip_prefix("cuda:").and_then(|number| number.parse::<usize>().ok());
            let number = number.filter(|number| cuda && (*number as i64) < tch::Cuda::device_count());
            number.map(Device::Cuda).ok_or_else(none)
        }
    }
}

fn describe(
    config: &ModelConfig,
    folder: &ModelFolder,
    head: &Head,
    dtype: &str,
) -> Result<ModelInfo, TorchError> {
    let settings = &folder.sentence_transformers;
    let similarity = match settings.get("similarity_fn_name").and_then(Value::as_str) {
        Some("dot" | "dot_product") => Similarity::Dot,
        Some("euclidean") => Similarity::Euclidean,
        Some("manhattan") => Similarity::Manhattan,
        _ => Similarity::Cosine,
    };
    let weights = weights_hash(&folder.transformer)?;
    let revision = config.revision.clone().unwrap_or_else(|| format!("sha256-{}", &weights[..16]));
    Ok(ModelInfo {
        identity: Identity { name: name_of(config), revision, weights, dtype: dtype.to_owned() },
        dimension: u32::try_from(head.width()).unwrap_or_default(),
        max_tokens: folder.max_length.and_then(|length| u32::try_from(length).ok()),
        similarity: Some(similarity),
        prompts: prompts_of(settings),
        ..ModelInfo::default()
    })
}

/// A hub id as it is; a folder is called `local/<its name>`.
fn name_of(config: &ModelConfig) -> String {
    let is_folder = config.folder.as_deref() == Some(config.name.as_str());
    if !is_folder && config.name.contains('/') {
        return config.name.clone();
    }
    let path = PathBuf::from(&config.name);
    let path = path.canonicalize().unwrap_or(path);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("local/{name}")
}

fn prompts_of(settings: &Map<String, Value>) -> Prompts {
    let named = settings.get("prompts").and_then(Value::as_object).into_iter().flatten();
    let named: BTreeMap<String, String> =
        named.filter_map(|(name, prompt)| Some((name.clone(), prompt.as_str()?.to_owned()))).collect();
    let default = settings.get("default_prompt_name").and_then(Value::as_str).map(str::to_owned);
    Prompts { named, default, ..Prompts::default() }
}

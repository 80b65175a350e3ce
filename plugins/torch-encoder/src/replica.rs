//! A network with the steps behind it, once for every thread; all share their weights.

use std::path::Path;

use tch::{Device, Kind, Tensor};

use crate::architectures::{self, Architecture, Words};
use crate::error::TorchError;
use crate::folder::{Input, ModelFolder};
use crate::packed::Packed;
use crate::steps::{LoadedModule, State, Step, YesNo, classifier, pool_static, row_steps};
use crate::tokenizer::TextTokenizer;
use crate::weights::{MappedFile, Weights};

/// A network with the steps behind it.
pub struct Replica {
    architecture: Box<dyn Architecture>,
    steps: Vec<Box<dyn Step>>,
}

/// The weights of a model, from which replicas are made.
pub struct Loaded<'a> {
    folder: &'a ModelFolder,
    weights: Weights,
    modules: Vec<LoadedModule>,
    /// The tokens `yes` and `no`, for a language model that scores pairs.
    answers: Option<[u32; 2]>,
}

impl<'a> Loaded<'a> {
    /// Reads all weights of `folder`.
    ///
    /// # Errors
    /// If a file is absent or damaged, or the architecture is unknown.
    pub fn read(folder: &'a ModelFolder, device: Device, kind: Kind) -> Result<Self, TorchError> {
        let read = |path: &Path| Weights::read(path, device, kind);
        let weights = match &folder.input {
            Input::Transformer(transformer) => {
                architectures::read_rooted(&transformer.config, || read(&transformer.folder))?
            }
            Input::WordEmbeddings(path) | Input::StaticEmbedding(path) => read(path)?,
            Input::Laser { .. } => read(folder.path())?,
        };
        let modules = folder.modules.iter().map(|module| LoadedModule::read(module, device));
        Ok(Self { folder, weights, modules: modules.collect::<Result<_, _>>()?, answers: None })
    }

    /// Takes the tokens by which a language model answers.
    ///
    /// # Errors
    /// If the tokenizer has no such tokens.
    pub fn answering(mut self, tokenizer: &TextTokenizer) -> Result<Self, TorchError> {
        let id = |token: &str| {
            let missing =
                || TorchError::Tokenizer(format!("expected a token `{token}` in the vocabulary, found none"));
            tokenizer.id_of(token).ok_or_else(missing)
        };
        self.answers = Some([id("yes")?, id("no")?]);
        Ok(self)
    }

    /// Number of parameters of the network.
    pub fn parameters(&self) -> u64 {
        self.weights.parameters()
    }

    /// The files that must be kept as long as a replica is used.
    pub fn mapped(&self) -> Vec<MappedFile> {
        let modules = self.modules.iter().flat_map(LoadedModule::mapped);
        self.weights.mapped().iter().chain(modules).cloned().collect()
    }

    /// A new replica.
    ///
    /// # Errors
    /// If a weight is absent or of another shape, or a step does not fit.
    pub fn replica(&self) -> Result<Replica, TorchError> {
        let mut replica = self.first()?;
        for module in &self.modules {
            replica.steps.extend(module.step(replica.width(), self.weights.device())?);
        }
        if !self.folder.cross_encoder {
            replica.steps.extend(row_steps(&self.folder.loading, replica.width()));
        }
        Ok(replica)
    }

    /// Refuses weights that no layer of a replica has taken.
    ///
    /// # Errors
    /// If there are such weights; the first is named.
    pub fn refuse_left(&self) -> Result<(), TorchError> {
        self.modules.iter().try_for_each(LoadedModule::refuse_left)?;
        match &self.folder.input {
            Input::Transformer(transformer) => architectures::refuse_left(&transformer.config, &self.weights),
            // The file has the whole encoder, of which modules take their parts.
            Input::Laser { .. } => Ok(()),
            Input::WordEmbeddings(_) | Input::StaticEmbedding(_) => self.weights.refuse_left(),
        }
    }

    /// The first module, with the head of a cross-encoder or the mean that static embeddings need.
    fn first(&self) -> Result<Replica, TorchError> {
        match &self.folder.input {
            Input::Transformer(transformer) => {
                let architecture = architectures::build(&transformer.config, &self.weights)?;
                let shape = [architecture.vocabulary(), architecture.width()];
                let steps = match (self.folder.cross_encoder, self.answers) {
                    (_, Some(_)) if self.folder.loading.raw_scores => {
                        let message =
                            "expected scores of a classifier for `raw_scores`, found a language model"
                                .to_owned();
                        return Err(transformer.config.unsupported(message));
                    }
                    (_, Some(answers)) => {
                        vec![Box::new(YesNo::read(&self.weights, answers, shape)?) as Box<dyn Step>]
                    }
                    (true, None) => {
                        let raw = self.folder.loading.raw_scores;
                        vec![classifier(&transformer.config, &self.weights, shape[1], raw)?]
                    }
                    (false, None) => Vec::new(),
                };
                Ok(Replica { architecture, steps })
            }
            Input::WordEmbeddings(_) => {
                let words = Words::read(&self.weights, "emb_layer.weight")?;
                Ok(Replica { architecture: Box::new(words), steps: Vec::new() })
            }
            Input::Laser { .. } => {
                let words = Words::read(&self.weights, "embed_tokens.weight")?;
                Ok(Replica { architecture: Box::new(words), steps: Vec::new() })
            }
            Input::StaticEmbedding(_) => {
                let words = Words::of_static(&self.weights)?;
                let pooling = Box::new(pool_static(words.width())) as Box<dyn Step>;
                Ok(Replica { architecture: Box::new(words), steps: vec![pooling] })
            }
        }
    }
}

impl Replica {
    /// Rows of texts, `[texts, width]`.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn rows(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        let mut state = State { rows: self.architecture.forward(packed)?, weights: None };
        for step in &self.steps {
            state = step.apply(packed, state)?;
        }
        Ok(state.rows)
    }

    /// Numbers in a row of a text.
    pub fn width(&self) -> i64 {
        self.steps.last().map_or(self.architecture.width(), |step| step.width())
    }

    /// The network.
    pub fn architecture(&self) -> &dyn Architecture {
        self.architecture.as_ref()
    }
}

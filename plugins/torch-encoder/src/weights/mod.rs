//! The tensors of a model folder, by name.

mod mapped;
mod read;
mod torch_save;

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use tch::{Device, Kind, Tensor};

use crate::error::TorchError;
use crate::files::weight_files;
pub use mapped::MappedFile;
use mapped::Span;
use read::Stored;
pub use read::dictionary;

/// How the names of matrices end in quantised checkpoints, and what writes such names.
const PACKED: [(&str, &str); 6] = [
    ("qweight", "GPTQ or AWQ"),
    ("W_q", "HQQ"),
    ("weight._data", "quanto"),
    ("weight_qdata", "torchao"),
    ("weight_packed", "compressed-tensors"),
    ("weight_blocks", "MXFP4"),
];

/// Says by the name of a layer, without the prefix of all names, whether it has a bias.
pub type Biased = Box<dyn Fn(&str) -> bool>;

/// Tensors by name, in the number format and on the device of the computation.
///
/// Every tensor that is given out shares its memory with the one kept here, so that several replicas of a model cost
/// the memory of one.
pub struct Weights {
    folder: PathBuf,
    tensors: RefCell<HashMap<String, Stored>>,
    /// Tensors that were laid together, by their names.
    joined: RefCell<HashMap<String, Tensor>>,
    /// What stands before every name, such as `bert.`.
    root: String,
    /// Whole names of the tensors that layers have taken.
    taken: RefCell<BTreeSet<String>>,
    /// Which layers have a bias, as the configuration says; `None` where the file alone tells.
    biased: Option<Biased>,
    device: Device,
    kind: Kind,
    /// The files of which tensors are pages.
    mapped: Vec<MappedFile>,
}

impl Weights {
    /// Reads all weight files of a folder.
    ///
    /// # Errors
    /// If there is none, one of a set is absent, or one is damaged.
    pub fn read(folder: &Path, device: Device, kind: Kind) -> Result<Self, TorchError> {
        let (mut tensors, mut mapped) = (HashMap::new(), Vec::new());
        for file in weight_files(folder)? {
            let file = read::tensors(&file)?;
            tensors.extend(file.tensors);
            mapped.extend(file.mapped);
        }
        Ok(Self {
            folder: folder.to_owned(),
            tensors: RefCell::new(tensors),
            joined: RefCell::default(),
            root: String::new(),
            taken: RefCell::default(),
            biased: None,
            device,
            kind,
            mapped,
        })
    }

    /// Finds out what stands before the names of this model: checkpoints of a model with a head put the transformer
    /// below its own name. `probe` is the name of a tensor that the model must have, `known` are the names of its kind.
    #[must_use]
    pub fn with_root(mut self, probe: &str, known: &[&str]) -> Self {
        let is_root = |root: &&str| root.is_empty() || known.contains(root);
        let names = self.tensors.borrow();
        let roots = names.keys().filter_map(|name| name.strip_suffix(probe)).filter(is_root);
        let root = roots.min_by_key(|root| root.len()).map(str::to_owned);
        drop(names);
        self.root = root.unwrap_or_default();
        self
    }

    /// Lets `biased` decide which layers have a bias: the file must agree with it.
    #[must_use]
    pub fn expecting(self, biased: Biased) -> Self {
        Self { biased: Some(biased), ..self }
    }

    /// True if the layer called `name` has a bias.
    ///
    /// # Errors
    /// If the file has one where the model has none.
    pub fn is_biased(&self, name: &str) -> Result<bool, TorchError> {
        let bias = format!("{name}.bias");
        match self.biased.as_ref().map(|biased| biased(name)) {
            None => Ok(self.has(&bias)),
            Some(false) if self.has(&bias) => {
                Err(self.wrong(&bias, "no such tensor, because the model has no bias there", "one"))
            }
            Some(has) => Ok(has),
        }
    }

    /// Whole names of the tensors that no layer has taken, in their order.
    pub fn left(&self) -> Vec<String> {
        let (tensors, taken) = (self.tensors.borrow(), self.taken.borrow());
        let mut left: Vec<String> = tensors.keys().filter(|name| !taken.contains(*name)).cloned().collect();
        left.sort_unstable();
        left
    }

    /// Refuses any tensor that no layer has taken.
    ///
    /// # Errors
    /// If there is one; it is named.
    pub fn refuse_left(&self) -> Result<(), TorchError> {
        match self.left().first() {
            None => Ok(()),
            Some(name) => {
                Err(self.wrong(name, "no such tensor, because the module has no part for it", "one"))
            }
        }
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn wrong(&self, name: &str, expected: &str, found: &str) -> TorchError {
        TorchError::Weight {
            folder: self.folder.clone(),
            name: name.to_owned(),
            expected: expected.to_owned(),
            found: found.to_owned(),
        }
    }

    /// The whole numbers of the tensor called `name`.
    ///
    /// # Errors
    /// If it is absent or holds fractions.
    pub fn whole_numbers(&self, name: &str) -> Result<Tensor, TorchError> {
        let tensors = self.tensors.borrow();
        let full = format!("{}{name}", self.root);
        let stored = tensors.get(&full).ok_or_else(|| self.wrong(&full, "a tensor", "none"))?;
        if !matches!(stored.tensor.kind(), Kind::Int64 | Kind::Int | Kind::Int16 | Kind::Int8 | Kind::Uint8) {
            return Err(self.wrong(&full, "whole numbers", &format!("{:?}", stored.tensor.kind())));
        }
        self.taken.borrow_mut().insert(full);
        Ok(stored.tensor.f_to_device(self.device)?.f_to_kind(Kind::Int64)?)
    }

    /// The tensor called `name`, which must have the shape `shape`.
    ///
    /// # Errors
    /// If it is absent or of another shape.
    pub fn take(&self, name: &str, shape: &[i64]) -> Result<Tensor, TorchError> {
        self.get(&format!("{}{name}", self.root), shape, self.kind)
    }

    /// Like `take`, but a tensor that can stay in its file stays there in the file's number format.
    ///
    /// # Errors
    /// If it is absent or of another shape.
    pub fn take_as_it_is(&self, name: &str, shape: &[i64]) -> Result<Tensor, TorchError> {
        let full = format!("{}{name}", self.root);
        let tensors = self.tensors.borrow();
        let stays = |stored: &&Stored| stored.span.is_some() && self.device == stored.tensor.device();
        match tensors.get(&full).filter(stays) {
            Some(stored) => Ok(self.read_stored(Some(stored), &full, shape)?.tensor.shallow_clone()),
            None => {
                drop(tensors);
                self.get(&full, shape, self.kind)
            }
        }
    }

    /// Like `take` for the whole name, prefix included, in float32: the heads that give scores.
    ///
    /// # Errors
    /// If it is absent or of another shape.
    pub fn take_float(&self, full: &str, shape: &[i64]) -> Result<Tensor, TorchError> {
        self.get(full, shape, Kind::Float)
    }

    /// Some rows of the tensor with the whole name `full`, in float32; the others stay as the file has them.
    ///
    /// # Errors
    /// If it is absent, of another shape, or has no such rows.
    pub fn rows_float(&self, full: &str, shape: &[i64], places: &[i64]) -> Result<Tensor, TorchError> {
        let tensors = self.tensors.borrow();
        let table = &self.read_stored(tensors.get(full), full, shape)?.tensor;
        let places = Tensor::f_from_slice(places)?.f_to_device(table.device())?;
        Ok(table.f_index_select(0, &places)?.f_to_device(self.device)?.f_to_kind(Kind::Float)?)
    }

    fn get(&self, full: &str, shape: &[i64], kind: Kind) -> Result<Tensor, TorchError> {
        self.refuse_quantised(full)?;
        let mut tensors = self.tensors.borrow_mut();
        let stored = self.read_stored(tensors.get_mut(full), full, shape)?;
        if let Some(tensor) = self.convert(&stored.tensor, kind)? {
            stored.tensor = tensor;
            if let Some(span) = stored.span.take() {
                span.leave();
            }
        }
        Ok(stored.tensor.shallow_clone())
    }

    /// Refuses a layer whose matrix is missing where a quantised one stands. No other library is advised: the configuration, which is
    /// looked at before, does not say how to read it, so that they would make the layer up.
    fn refuse_quantised(&self, full: &str) -> Result<(), TorchError> {
        let tensors = self.tensors.borrow();
        let Some(layer) = full.strip_suffix("weight").filter(|_| !tensors.contains_key(full)) else {
            return Ok(());
        };
        let packed = |name: &&String| {
            name.strip_prefix(layer).is_some_and(|part| PACKED.iter().any(|(end, _)| part.ends_with(end)))
        };
        let Some(found) = tensors.keys().filter(packed).min() else { return Ok(()) };
        let maker = PACKED.iter().find(|(end, _)| found.ends_with(end)).map_or("", |(_, maker)| maker);
        let message = format!(
            "the layer `{}` has `{found}` in place of `{full}`: a quantised checkpoint ({maker}), which is not computed; name the one that \
             it was made of",
            layer.trim_end_matches('.')
        );
        Err(TorchError::Malformed { path: self.folder.clone(), message })
    }

    /// The tensor that was found under `full`.
    fn read_stored<T: Borrow<Stored>>(
        &self,
        found: Option<T>,
        full: &str,
        shape: &[i64],
    ) -> Result<T, TorchError> {
        let wrong = |found: String| TorchError::Weight {
            folder: self.folder.clone(),
            name: full.to_owned(),
            expected: format!("a tensor of shape {shape:?}"),
            found,
        };
        let stored = found.ok_or_else(|| wrong("none".to_owned()))?;
        let Stored { tensor, .. } = stored.borrow();
        let size = tensor.size();
        if !tensor.is_floating_point() {
            let message = format!(
                "the tensor `{full}` holds {:?} instead of floating-point numbers: a quantised checkpoint, which is not supported; name the one \
                 that it was made of",
                tensor.kind()
            );
            return Err(TorchError::Malformed { path: self.folder.clone(), message });
        }
        if size != shape {
            return Err(wrong(format!("shape {size:?}")));
        }
        self.taken.borrow_mut().insert(full.to_owned());
        Ok(stored)
    }

    /// A tensor on the device and in the number format of the computation; `None` if it is there already.
    fn convert(&self, tensor: &Tensor, kind: Kind) -> Result<Option<Tensor>, TorchError> {
        if tensor.device() == self.device && tensor.kind() == kind {
            return Ok(None);
        }
        Ok(Some(tensor.f_to_device(self.device)?.f_to_kind(kind)?))
    }

    /// The files that must be kept as long as any tensor is used.
    pub fn mapped(&self) -> &[MappedFile] {
        &self.mapped
    }

    /// What stands before every name.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Number of parameters in the files.
    pub fn parameters(&self) -> u64 {
        let tensors = self.tensors.borrow();
        let floats = tensors.values().filter(|stored| stored.tensor.is_floating_point());
        floats.map(|stored| stored.tensor.numel() as u64).sum()
    }

    /// The tensor called `name` if there is one.
    ///
    /// # Errors
    /// If it is of another shape.
    pub fn find(&self, name: &str, shape: &[i64]) -> Result<Option<Tensor>, TorchError> {
        if self.has(name) { self.take(name, shape).map(Some) } else { Ok(None) }
    }

    /// Tensors laid together along their first dimension.
    ///
    /// # Errors
    /// If one is absent or of another shape.
    pub fn join(&self, parts: &[(String, Vec<i64>)]) -> Result<Tensor, TorchError> {
        let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        let key = names.join(" ");
        if let Some(tensor) = self.joined.borrow().get(&key) {
            return Ok(tensor.shallow_clone());
        }
        let kept = self.tensors.borrow();
        let part = |(name, shape): &(String, Vec<i64>)| {
            let full = format!("{}{name}", self.root);
            self.refuse_quantised(&full)?;
            self.read_stored(kept.get(&full), &full, shape)
        };
        let stored = parts.iter().map(part).collect::<Result<Vec<&Stored>, TorchError>>()?;
        // Parts are not kept in the format of the computation: each is converted into its place in the whole.
        let rows = parts.iter().filter_map(|(_, shape)| shape.first());
        let mut shape = parts.first().map(|(_, shape)| shape.clone()).unwrap_or_default();
        if let Some(first) = shape.first_mut() {
            *first = rows.sum();
        }
        let whole = Tensor::f_empty(&shape, (self.kind, self.device))?;
        let mut start = 0;
        for Stored { tensor, span } in stored {
            let count = tensor.size()[0];
            whole.f_narrow(0, start, count)?.f_copy_(tensor)?;
            start += count;
            span.iter().for_each(Span::leave);
        }
        self.joined.borrow_mut().insert(key, whole.shallow_clone());
        Ok(whole)
    }

    /// A tensor that is made once from others and then shared.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn once(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<Tensor, TorchError>,
    ) -> Result<Tensor, TorchError> {
        if let Some(tensor) = self.joined.borrow().get(key) {
            return Ok(tensor.shallow_clone());
        }
        let tensor = make()?;
        self.joined.borrow_mut().insert(key.to_owned(), tensor.shallow_clone());
        Ok(tensor)
    }

    /// True if there is a tensor called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.borrow().contains_key(&format!("{}{name}", self.root))
    }

    /// Shape of the tensor called `name`; empty if there is none.
    pub fn shape(&self, name: &str) -> Vec<i64> {
        self.shape_absolute(&format!("{}{name}", self.root))
    }

    /// Shape of the tensor with the whole name `full`; empty if there is none.
    pub fn shape_absolute(&self, full: &str) -> Vec<i64> {
        self.tensors.borrow().get(full).map(|stored| stored.tensor.size()).unwrap_or_default()
    }

    /// Where tensors are put.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The number format of the tensors.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

//! A linear layer.
#![allow(unsafe_code, reason = "the product reads and writes the memory of tensors")]

use std::mem::MaybeUninit;
use std::slice;
use std::sync::Arc;

use tch::{Device, Kind, Tensor};

use crate::error::TorchError;
use crate::product::Product;
use crate::weights::Weights;

/// rows · weightᵀ + bias.
pub struct Linear(Form);

enum Form {
    /// libtorch multiplies.
    Tensors { weight: Tensor, bias: Option<Tensor> },
    /// In float32 on a processor whose bf16 unit is faster.
    Product(Arc<Product>),
}

impl Linear {
    /// Reads `name.weight` of shape `[out, input]` and `name.bias` if it is there.
    ///
    /// # Errors
    /// If the weight is absent, or one of them has another shape.
    pub fn read(weights: &Weights, name: &str, [out, input]: [i64; 2]) -> Result<Self, TorchError> {
        let weight = weights.take(&format!("{name}.weight"), &[out, input])?;
        let bias = weights.find(&format!("{name}.bias"), &[out])?;
        Self::shared(weights, weight, bias)
    }

    /// Several layers over the same input as one; `outs` are their output widths.
    ///
    /// # Errors
    /// If a weight is absent or of another shape.
    pub fn join(weights: &Weights, names: &[String], outs: &[i64], input: i64) -> Result<Self, TorchError> {
        let part = |kind: &str, shape: &dyn Fn(i64) -> Vec<i64>| {
            let parts = names.iter().zip(outs).map(|(name, &out)| (format!("{name}.{kind}"), shape(out)));
            parts.collect::<Vec<_>>()
        };
        let weight = weights.join(&part("weight", &|out| vec![out, input]))?;
        let biases = part("bias", &|out| vec![out]);
        let bias = if biases.iter().any(|(name, _)| weights.has(name)) {
            Some(weights.join(&biases)?)
        } else {
            None
        };
        Self::shared(weights, weight, bias)
    }

    /// A layer of given tensors.
    pub fn of(weight: Tensor, bias: Option<Tensor>) -> Self {
        Self(Form::Tensors { weight, bias })
    }

    /// A layer of tensors that `weights` keeps, so that all replicas have them together.
    fn shared(weights: &Weights, weight: Tensor, bias: Option<Tensor>) -> Result<Self, TorchError> {
        Ok(match weights.product(&weight, bias.as_ref())? {
            Some(product) => Self(Form::Product(product)),
            None => Self::of(weight, bias),
        })
    }

    /// Applies the layer to the last dimension.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        match &self.0 {
            Form::Tensors { weight, bias } => Ok(rows.f_linear(weight, bias.as_ref())?),
            Form::Product(product) => multiply(product, rows),
        }
    }

    /// Applies the layer and adds `other` to the result.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply_onto(&self, rows: &Tensor, other: &Tensor) -> Result<Tensor, TorchError> {
        Ok(self.apply(rows)?.f_add_(other)?)
    }
}

fn multiply(product: &Product, rows: &Tensor) -> Result<Tensor, TorchError> {
    let [inputs, outs] = product.shape();
    let mut shape = rows.size();
    let found = shape.last().copied().unwrap_or_default();
    if found != inputs as i64 || rows.kind() != Kind::Float || rows.device() != Device::Cpu {
        let found = format!("{shape:?} {:?} on {:?}", rows.kind(), rows.device());
        return Err(TorchError::Torch(format!(
            "expected rows of {inputs} numbers of float32, found {found}"
        )));
    }
    let rows = rows.f_contiguous()?;
    let numbers = rows.numel();
    if let Some(last) = shape.last_mut() {
        *last = outs as i64;
    }
    let out = Tensor::f_empty(&shape, (Kind::Float, Device::Cpu))?;
    let threads = usize::try_from(tch::get_num_threads()).unwrap_or(1);
    if numbers > 0 {
        // SAFETY: both tensors are contiguous, of f32, on the processor, and have so many numbers; nothing else holds the
        // new one, and the memory of both outlives the slices.
        let (rows, out) = unsafe {
            (
                slice::from_raw_parts(rows.data_ptr().cast::<f32>(), numbers),
                slice::from_raw_parts_mut(out.data_ptr().cast::<MaybeUninit<f32>>(), numbers / inputs * outs),
            )
        };
        product.apply(rows, out, threads);
    }
    Ok(out)
}

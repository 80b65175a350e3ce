//! Long short-term memory (Hochreiter & Schmidhuber 1997) over the rows of tokens, in both directions where asked:
//! with max pooling this is the encoder of LASER (Artetxe & Schwenk 2019).

use tch::{Kind, Tensor};

use super::{State, Step};
use crate::error::TorchError;
use crate::folder::Config;
use crate::packed::Packed;
use crate::weights::Weights;

/// sentence-transformers' `LSTM`.
pub struct Lstm {
    /// Layer by layer, direction by direction: input, state, and the bias of each.
    weights: Vec<Tensor>,
    layers: i64,
    directions: i64,
    hidden: i64,
}

impl Lstm {
    /// Reads the module for rows of `width` numbers.
    ///
    /// # Errors
    /// If a weight is absent or of another shape.
    pub fn read(config: &Config, weights: &Weights, width: i64) -> Result<Self, TorchError> {
        let hidden = config.whole(&["hidden_dim"])?;
        let layers = config.whole_or("num_layers", 1);
        let directions = if config.flag_or("bidirectional", true) { 2 } else { 1 };
        let mut tensors = Vec::new();
        for layer in 0..layers {
            let input = if layer == 0 { width } else { directions * hidden };
            for direction in ["", "_reverse"].iter().take(usize::try_from(directions).unwrap_or(1)) {
                let name = |part: &str| format!("encoder.{part}_l{layer}{direction}");
                tensors.push(weights.take(&name("weight_ih"), &[4 * hidden, input])?);
                tensors.push(weights.take(&name("weight_hh"), &[4 * hidden, hidden])?);
                tensors.push(weights.take(&name("bias_ih"), &[4 * hidden])?);
                tensors.push(weights.take(&name("bias_hh"), &[4 * hidden])?);
            }
        }
        Ok(Self { weights: tensors, layers, directions, hidden })
    }
}

impl Step for Lstm {
    fn apply(&self, packed: &Packed, state: State) -> Result<State, TorchError> {
        let rows = state.rows.f_to_kind(Kind::Float)?;
        let mut parts = Vec::with_capacity(packed.groups.len());
        for group in packed.groups.iter().filter(|group| group.length > 0) {
            let shape = [self.layers * self.directions, group.texts, self.hidden];
            let start = Tensor::f_zeros(shape, (Kind::Float, rows.device()))?;
            let starts = [start.shallow_clone(), start];
            let weights: Vec<Tensor> = self.weights.iter().map(Tensor::shallow_clone).collect();
            let (out, _, _) = group.of(&rows)?.f_lstm(
                &starts,
                &weights,
                true,
                self.layers,
                0.0,
                false,
                self.directions == 2,
                true,
            )?;
            parts.push(out.f_reshape([group.texts * group.length, self.width()])?);
        }
        let rows = if parts.is_empty() {
            Tensor::f_zeros([0, self.width()], (Kind::Float, rows.device()))?
        } else {
            Tensor::f_cat(&parts, 0)?
        };
        Ok(State { rows, ..state })
    }

    fn width(&self) -> i64 {
        self.directions * self.hidden
    }
}

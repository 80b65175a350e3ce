//! Long short-term memory (Hochreiter & Schmidhuber 1997) over the rows of tokens, in both directions where asked:
//! with max pooling this is the encoder of LASER (Artetxe & Schwenk 2019).

use tch::{Kind, Tensor};

use super::step::{State, Step};
use crate::error::TorchError;
use crate::folder::{Config, Rule};
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
        if config.get("prefix").is_none() {
            check(config, width)?;
        }
        let prefix = config.text_or("prefix", "encoder");
        let (hidden, layers, directions) = shape(config, weights, prefix)?;
        let mut tensors = Vec::new();
        for layer in 0..layers {
            let input = if layer == 0 { width } else { directions * hidden };
            for direction in ["", "_reverse"].iter().take(usize::try_from(directions).unwrap_or(1)) {
                let name = |part: &str| format!("{prefix}.{part}_l{layer}{direction}");
                tensors.push(weights.take(&name("weight_ih"), &[4 * hidden, input])?);
                tensors.push(weights.take(&name("weight_hh"), &[4 * hidden, hidden])?);
                tensors.push(weights.take(&name("bias_ih"), &[4 * hidden])?);
                tensors.push(weights.take(&name("bias_hh"), &[4 * hidden])?);
            }
        }
        Ok(Self { weights: tensors, layers, directions, hidden })
    }
}

/// Checks the settings of a module of sentence-transformers.
fn check(config: &Config, width: i64) -> Result<(), TorchError> {
    config.obey_strictly(&[
        ("embedding_dimension", Rule::Whole),
        ("word_embedding_dimension", Rule::Whole),
        ("hidden_dim", Rule::Whole),
        ("num_layers", Rule::Whole),
        ("dropout", Rule::Number),
        ("bidirectional", Rule::Flag),
    ])?;
    let input = config.whole(&["embedding_dimension", "word_embedding_dimension"])?;
    if input == width {
        return Ok(());
    }
    Err(config.wrong(format!(
        "embedding_dimension: expected {width}, the width of the module before it, found {input}"
    )))
}

/// Numbers of a state, layers and directions: as the settings say, or for LASER, which has none, as the weights show.
fn shape(config: &Config, weights: &Weights, prefix: &str) -> Result<(i64, i64, i64), TorchError> {
    if config.get("prefix").is_none() {
        let directions = if config.flag_or("bidirectional", true) { 2 } else { 1 };
        return Ok((config.whole(&["hidden_dim"])?, config.whole_or("num_layers", 1), directions));
    }
    let first = weights.shape(&format!("{prefix}.weight_hh_l0"));
    let layers = (0..).take_while(|layer| weights.has(&format!("{prefix}.weight_hh_l{layer}"))).count();
    let both = weights.has(&format!("{prefix}.weight_hh_l0_reverse"));
    Ok((first.last().copied().unwrap_or(0), (layers as i64).max(1), if both { 2 } else { 1 }))
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

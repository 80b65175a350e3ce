//! The head of Qwen3's rerankers (Zhang et al. 2025): how likely the next word is "yes" rather than "no".

use tch::{Kind, Tensor};

use super::step::{State, Step};
use crate::error::TorchError;
use crate::packed::Packed;
use crate::weights::Weights;

/// The two rows of the output layer.
pub struct YesNo {
    /// `[2, width]`: yes, no.
    rows: Tensor,
}

impl YesNo {
    /// Takes the rows of the tokens `yes` and `no` from the output layer, or from the table of tokens where the model
    /// has one for both.
    ///
    /// # Errors
    /// If the table is absent or of another shape.
    pub fn read(
        weights: &Weights,
        [yes, no]: [u32; 2],
        [vocabulary, width]: [i64; 2],
    ) -> Result<Self, TorchError> {
        let places = [i64::from(yes), i64::from(no)];
        let rows = if weights.shape_absolute("lm_head.weight").is_empty() {
            let table = weights.take("embed_tokens.weight", &[vocabulary, width])?;
            let places = Tensor::f_from_slice(&places)?.f_to_device(table.device())?;
            table.f_index_select(0, &places)?.f_to_kind(Kind::Float)?
        } else {
            // The layer has a row for every token of the vocabulary; the others are never read.
            weights.rows_float("lm_head.weight", &[vocabulary, width], &places)?
        };
        Ok(Self { rows })
    }
}

impl Step for YesNo {
    fn apply(&self, packed: &Packed, state: State) -> Result<State, TorchError> {
        let mut parts: Vec<Tensor> = Vec::with_capacity(packed.groups.len());
        for group in packed.groups.iter().filter(|group| group.length > 0) {
            parts.push(group.of(&state.rows)?.f_select(1, group.length - 1)?.f_to_kind(Kind::Float)?);
        }
        let scores = Tensor::f_cat(&parts, 0)?.f_linear(&self.rows, None::<Tensor>)?;
        let yes = scores.f_softmax(1, Kind::Float)?.f_narrow(1, 0, 1)?;
        Ok(State { rows: yes, weights: None })
    }

    fn width(&self) -> i64 {
        1
    }
}

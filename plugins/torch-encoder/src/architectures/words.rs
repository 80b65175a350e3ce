//! A table of vectors, one per token: averaged word vectors (GloVe, Komninos) and static embeddings.

use tch::Tensor;

use super::architecture::Architecture;
use crate::error::TorchError;
use crate::layers::look_up;
use crate::packed::Packed;
use crate::weights::Weights;

/// The table.
pub struct Words {
    table: Tensor,
}

impl Words {
    /// Takes the table called `name`, `[vocabulary, width]`.
    ///
    /// # Errors
    /// If it is absent or no table.
    pub fn read(weights: &Weights, name: &str) -> Result<Self, TorchError> {
        let shape = weights.shape(name);
        let shape = if shape.len() == 2 { shape } else { vec![-1, -1] };
        Ok(Self { table: weights.take(name, &shape)? })
    }

    /// The table of static embeddings. model2vec keeps the rows of distinct vectors, which row a token has, and a
    /// weight for each token; they are folded into one row a token.
    ///
    /// # Errors
    /// If a table is absent or of another shape.
    pub fn of_static(weights: &Weights) -> Result<Self, TorchError> {
        if weights.has("embedding.weight") {
            return Self::read(weights, "embedding.weight");
        }
        let mut table = Self::read(weights, "embeddings")?.table;
        if weights.has("mapping") {
            let places = weights.whole_numbers("mapping")?;
            table = table.f_index_select(0, &places)?;
        }
        if weights.has("weights") {
            let factors = weights.take("weights", &weights.shape("weights"))?;
            table = table.f_mul(&factors.f_view([-1, 1])?)?;
        }
        Ok(Self { table })
    }
}

impl Architecture for Words {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        look_up(&self.table, &packed.ids)
    }

    fn width(&self) -> i64 {
        self.table.size()[1]
    }

    fn vocabulary(&self) -> i64 {
        self.table.size()[0]
    }
}

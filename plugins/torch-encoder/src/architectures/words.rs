//! A table of vectors, one per token: averaged word vectors (GloVe, Komninos) and static embeddings.

use tch::Tensor;

use super::architecture::Architecture;
use crate::error::TorchError;
use crate::layers::Table;
use crate::packed::Packed;
use crate::weights::Weights;

/// The table.
pub struct Words {
    table: Table,
}

impl Words {
    /// Takes the table called `name`, `[vocabulary, width]`.
    ///
    /// # Errors
    /// If it is absent or no table.
    pub fn read(weights: &Weights, name: &str) -> Result<Self, TorchError> {
        Ok(Self { table: Table::read(weights, name, shape(weights, name))? })
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
        let mut table = weights.take("embeddings", &shape(weights, "embeddings"))?;
        if weights.has("mapping") {
            let places = weights.whole_numbers("mapping")?;
            table = table.f_index_select(0, &places)?;
        }
        if weights.has("weights") {
            let factors = weights.take("weights", &weights.shape("weights"))?;
            table = table.f_mul(&factors.f_view([-1, 1])?)?;
        }
        Ok(Self { table: Table::of(table) })
    }
}

/// The shape of the tensor called `name` if it is a table; else one that no tensor has.
fn shape(weights: &Weights, name: &str) -> [i64; 2] {
    weights.shape(name).try_into().unwrap_or([-1, -1])
}

impl Architecture for Words {
    fn forward(&self, packed: &Packed) -> Result<Tensor, TorchError> {
        self.table.look_up(&packed.ids)
    }

    fn width(&self) -> i64 {
        self.table.size()[1]
    }

    fn vocabulary(&self) -> i64 {
        self.table.size()[0]
    }
}

//! The arguments that make embeddings smaller.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use mteb_models::encode::{Compression, Quantize};

use super::whole::whole;

/// Arguments about the size of embeddings.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Smaller embeddings")]
pub struct SizeArgs {
    /// Truncate embeddings to their first N dimensions; with several, e.g. `256,128,64`, each is
    /// scored as a separate model.
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = whole::<u32>(1, None))]
    dimensions: Vec<u32>,
    /// Normalize embeddings again after truncation, which mteb does not do.
    #[arg(long, requires = "dimensions")]
    renormalize: bool,
    /// Quantize embeddings: `int8`, `uint8` and `binary` as mteb's CompressionWrapper does,
    /// `ubinary` to bits compared by Hamming distance.
    #[arg(long)]
    quantize: Option<QuantizeName>,
    /// Retrieve N times as many documents by bits, then rescore them with the unquantized query,
    /// like `rescore_multiplier` of sentence-transformers. Needs `--quantize ubinary`.
    #[arg(long, value_name = "N", requires = "quantize", value_parser = whole::<u16>(1, Some(1000)))]
    rescore_multiplier: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum QuantizeName {
    Int8,
    Uint8,
    Binary,
    Ubinary,
}

impl SizeArgs {
    /// What is made of embeddings, once for each number of dimensions.
    pub fn compressions(&self) -> Vec<Compression> {
        let quantize = self.quantize.map(QuantizeName::form);
        let renormalize = self.renormalize;
        let rescore_multiplier = self.rescore_multiplier.and_then(|times| NonZeroUsize::new(times.into()));
        let made = |dimensions| Compression { dimensions, renormalize, quantize, rescore_multiplier };
        match self.dimensions.as_slice() {
            [] => vec![made(None)],
            // What is named twice is scored once.
            several => {
                let mut seen = BTreeSet::new();
                let distinct = several.iter().filter(|kept| seen.insert(**kept));
                distinct.map(|&kept| made(Some(kept as usize))).collect()
            }
        }
    }
}

impl QuantizeName {
    fn form(self) -> Quantize {
        match self {
            Self::Int8 => Quantize::Int8,
            Self::Uint8 => Quantize::Uint8,
            Self::Binary => Quantize::Binary,
            Self::Ubinary => Quantize::Ubinary,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_that_is_named_twice_is_taken_once() {
        let sizes = SizeArgs {
            dimensions: vec![8, 4, 8, 8],
            renormalize: false,
            quantize: None,
            rescore_multiplier: None,
        };
        let kept: Vec<Option<usize>> = sizes.compressions().iter().map(|made| made.dimensions).collect();
        assert_eq!(kept, [Some(8), Some(4)]);
    }
}

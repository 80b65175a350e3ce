//! The arguments that make embeddings smaller.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use mteb_models::encode::{Compression, Quantize};

use super::whole::whole;

/// Arguments about the size of embeddings.
#[derive(Args, Clone, Debug)]
pub struct SizeArgs {
    /// Keep the first N numbers of an embedding; of several, as `256,128,64`, each is scored as a model of its own.
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = whole::<u32>(1, None))]
    dimensions: Vec<u32>,
    /// Bring embeddings to length 1 after the cut, which the reference does not.
    #[arg(long, requires = "dimensions")]
    renormalize: bool,
    /// Form of the numbers of an embedding: `int8`, `uint8` and `binary` as the reference's CompressionWrapper makes them,
    /// `ubinary` as bits that are compared by Hamming distance.
    #[arg(long)]
    quantize: Option<QuantizeName>,
    /// Find N times as many documents as are wanted by bits, and order them anew by the query's numbers: the `rescore_multiplier`
    /// of sentence-transformers. With `--quantize ubinary`.
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

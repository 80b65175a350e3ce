//! The kernels of all forms, and which of them a processor screens with.

use super::bf16::TileKernel;
use super::integer::IntegerKernel;

/// A unit that screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    Tiles(TileKernel),
    Integers(IntegerKernel),
}

/// From the best kernels to those that most processors have; within a list from the fastest to the one that tells most apart.
const LADDERS: [&[Kernel]; 4] = [
    &[Kernel::Tiles(TileKernel::Amx)],
    &[Kernel::Integers(IntegerKernel::Vnni8), Kernel::Integers(IntegerKernel::Vnni16)],
    &[Kernel::Integers(IntegerKernel::Avx2)],
    &[Kernel::Integers(IntegerKernel::Neon8)],
];

impl Kernel {
    /// The kernels that this processor screens with, the fastest first: what one cannot tell apart is left to the next, and
    /// what none can to the product in f32. Empty if that product is the fastest.
    pub(crate) fn detect() -> &'static [Self] {
        let has_all = |ladder: &&[Self]| ladder.iter().all(|kernel| kernel.available());
        LADDERS.into_iter().find(has_all).unwrap_or_default()
    }

    /// Whether this processor can run it, and multiplies f32 as the rescoring does.
    pub(crate) fn available(self) -> bool {
        crate::processor::multiplies_and_adds()
            && match self {
                Self::Tiles(kernel) => kernel.available(),
                Self::Integers(kernel) => kernel.available(),
            }
    }

    /// What a benchmark calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tiles(TileKernel::Amx) => "bf16 AMX",
            Self::Tiles(TileKernel::Portable) => "bf16 portable",
            Self::Integers(IntegerKernel::Vnni8) => "int8 AVX-512 VNNI",
            Self::Integers(IntegerKernel::Vnni16) => "int16 AVX-512 VNNI",
            Self::Integers(IntegerKernel::Avx2) => "int16 AVX2",
            Self::Integers(IntegerKernel::Neon8) => "int8 NEON",
            Self::Integers(IntegerKernel::Portable8) => "int8 portable",
            Self::Integers(IntegerKernel::Portable16) => "int16 portable",
        }
    }
}

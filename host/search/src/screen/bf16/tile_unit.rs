//! The tile unit of x86-64 (AMX): whether a program may use it, and eight tiles of sixteen rows of 64 bytes.
#![allow(unsafe_code, reason = "the tile unit has no safe interface")]

use std::arch::asm;
use std::arch::x86_64::__cpuid_count;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// The tiles `tmm0` to `tmm7` of this thread, each of sixteen rows of 64 bytes, until this is dropped.
#[derive(Debug)]
pub struct ConfiguredTiles {
    /// The tiles are those of the thread that configured them.
    of_thread: PhantomData<*const ()>,
}

impl ConfiguredTiles {
    /// Configures the tiles; `None` where they cannot be used. What was in them is lost: nobody else on this thread may be
    /// using them meanwhile.
    pub fn new() -> Option<Self> {
        if !available() {
            return None;
        }
        let shapes = Shapes {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
            rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
        };
        // SAFETY: the unit is there and permitted. `Shapes` has the layout that palette 1 defines.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &shapes, options(nostack, readonly)) };
        Some(Self { of_thread: PhantomData })
    }
}

impl Drop for ConfiguredTiles {
    fn drop(&mut self) {
        // SAFETY: the tiles were configured by `new` on this thread; this gives them back.
        unsafe { asm!("tilerelease", options(nostack, nomem)) };
    }
}

/// Whether the processor has a tile unit that multiplies in bf16, and the system lets this process use it.
pub fn available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        const BF16: u32 = 1 << 22;
        const TILE: u32 = 1 << 24;
        // SAFETY: every processor of x86-64 has `cpuid`; a leaf that it does not know reads as zeros or as another leaf,
        // and AVX-512, which is asked for first, came later than leaf 7.
        #[allow(unused_unsafe, reason = "safe from Rust 1.93 on")]
        let features = is_x86_feature_detected!("avx512f").then(|| unsafe { __cpuid_count(7, 0) }.edx);
        features.is_some_and(|bits| bits & BF16 != 0 && bits & TILE != 0)
            && mteb_system::tile_data::permitted()
    })
}

/// What `ldtilecfg` reads: the shape of each tile.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_configured_where_the_unit_is_there_and_nowhere_else() {
        assert_eq!(ConfiguredTiles::new().is_some(), available());
        assert_eq!(ConfiguredTiles::new().is_some(), available(), "they were given back");
    }
}

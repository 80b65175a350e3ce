//! Number formats of a model's computation.

/// The number format in which a model computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dtype {
    /// What the plugin takes by itself.
    #[default]
    Auto,
    /// 32 bits, IEEE 754.
    F32,
    /// 16 bits, with the exponent of 32.
    Bf16,
    /// 16 bits, IEEE 754.
    F16,
}

impl Dtype {
    /// The name that plugins know.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
        }
    }
}

//! Rotary positions (Su et al. 2021), with the scalings that checkpoints use.

use tch::{Device, Kind, Tensor};

use crate::error::TorchError;
use crate::folder::{Config, Rule, Rules};
use crate::packed::Packed;

/// Angles by which pairs of numbers of a head are turned, place by place.
pub struct Rotary {
    /// Radians a place, one a pair.
    frequencies: Tensor,
    /// True where neighbours are a pair (GPT-J); else number i is paired with i + half of the head.
    neighbours: bool,
    kind: Kind,
}

/// What the parameters may say.
const KEYS: &Rules = &[
    ("rope_theta", Rule::Number),
    ("rope_type", Rule::Text),
    ("type", Rule::Text),
    ("factor", Rule::Number),
    ("low_freq_factor", Rule::Number),
    ("high_freq_factor", Rule::Number),
    ("original_max_position_embeddings", Rule::Whole),
    ("partial_rotary_factor", Rule::Is(1.0)),
    ("attention_factor", Rule::Is(1.0)),
];

/// The angles of one batch.
pub struct Turn {
    cos: Tensor,
    sin: Tensor,
    neighbours: bool,
}

impl Rotary {
    /// The angles for heads of which the first `size` numbers are turned. `parameters` holds `rope_theta` and the
    /// scaling, under the keys of transformers 4 or 5.
    ///
    /// # Errors
    /// If the scaling is not known.
    pub fn new(
        parameters: &Config,
        size: i64,
        theta: f64,
        (device, kind): (Device, Kind),
    ) -> Result<Self, TorchError> {
        parameters.obey(KEYS)?;
        let theta = parameters.float_or("rope_theta", theta);
        let pairs = 0..size / 2;
        let plain = pairs.map(|pair| 1.0 / (theta as f32).powf((2 * pair) as f32 / size as f32));
        let name = parameters.text_or("rope_type", parameters.text_or("type", "default"));
        let frequencies: Vec<f32> = match name {
            "default" => plain.collect(),
            "linear" => {
                let factor = parameters.float_or("factor", 1.0) as f32;
                plain.map(|frequency| frequency / factor).collect()
            }
            "ntk" => {
                // Fixed NTK scaling (https://kexue.fm/archives/9706): a larger base, and slower turns.
                let factor = parameters.float_or("factor", 1.0) as f32;
                let slower = factor.powf(2.0 / size as f32);
                let base = theta as f32 * factor;
                let pairs = 0..size / 2;
                pairs.map(|pair| 1.0 / base.powf((2 * pair) as f32 / size as f32) / slower).collect()
            }
            "llama3" => plain.map(|frequency| llama3(parameters, frequency)).collect(),
            other => {
                let known = "default, linear, ntk, llama3";
                return Err(
                    parameters.unsupported(format!("rope_type: expected one of {known}, found: {other}"))
                );
            }
        };
        let frequencies = Tensor::f_from_slice(&frequencies)?.f_to_device(device)?;
        Ok(Self { frequencies, neighbours: false, kind })
    }

    /// Pairs neighbours instead of halves.
    #[must_use]
    pub fn of_neighbours(self) -> Self {
        Self { neighbours: true, ..self }
    }

    /// The angles of every token of a batch.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn turn(&self, packed: &Packed) -> Result<Turn, TorchError> {
        let places = packed.positions.f_to_kind(Kind::Float)?.f_unsqueeze(1)?;
        let angles = places.f_mul(&self.frequencies)?;
        let angles = if self.neighbours {
            angles.f_repeat_interleave_self_int(2, 1, None)?
        } else {
            Tensor::f_cat(&[&angles, &angles], 1)?
        };
        let table = |values: Tensor| values.f_to_kind(self.kind)?.f_unsqueeze(1);
        Ok(Turn { cos: table(angles.f_cos()?)?, sin: table(angles.f_sin()?)?, neighbours: self.neighbours })
    }
}

impl Turn {
    /// Turns rows `[tokens, heads × size]`; numbers of a head beyond those that are turned stay.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn apply(&self, rows: &Tensor, size: i64) -> Result<Tensor, TorchError> {
        let (tokens, width) = (rows.size()[0], rows.size()[1]);
        let rows = rows.f_reshape([tokens, width / size, size])?;
        let turned = self.cos.size()[2];
        let first = rows.f_narrow(2, 0, turned)?;
        let mut found = first.f_mul(&self.cos)?.f_add(&self.quarter(&first)?.f_mul(&self.sin)?)?;
        if turned < size {
            found = Tensor::f_cat(&[found, rows.f_narrow(2, turned, size - turned)?], 2)?;
        }
        Ok(found.f_view([tokens, width])?)
    }

    /// Each pair turned by a right angle.
    fn quarter(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        let size = rows.size();
        if self.neighbours {
            let pairs = rows.f_reshape([size[0], size[1], size[2] / 2, 2])?;
            let (even, odd) = (pairs.f_select(3, 0)?, pairs.f_select(3, 1)?);
            return Ok(Tensor::f_stack(&[odd.f_neg()?, even], 3)?.f_view(size.as_slice())?);
        }
        let half = size[2] / 2;
        let (first, second) = (rows.f_narrow(2, 0, half)?, rows.f_narrow(2, half, half)?);
        Ok(Tensor::f_cat(&[second.f_neg()?, first], 2)?)
    }
}

/// Llama 3.1: slow turns become slower, fast ones stay, those between are blended.
fn llama3(parameters: &Config, frequency: f32) -> f32 {
    let number = |key: &str, otherwise: f64| parameters.float_or(key, otherwise) as f32;
    let factor = number("factor", 8.0);
    let (low, high) = (number("low_freq_factor", 1.0), number("high_freq_factor", 4.0));
    let context = number("original_max_position_embeddings", 8192.0);
    let wavelength = 2.0 * std::f32::consts::PI / frequency;
    if wavelength > context / low {
        frequency / factor
    } else if wavelength < context / high {
        frequency
    } else {
        let blend = (context / wavelength - low) / (high - low);
        (1.0 - blend) * frequency / factor + blend * frequency
    }
}

//! Texts laid end to end without padding.

use tch::{Device, Kind, Tensor};

use crate::error::TorchError;

/// Token ids of several texts, longest first, end to end.
pub struct Packed {
    /// Ids of all tokens, `[tokens]`.
    pub ids: Tensor,
    /// Place of each token in its text, from 0, `[tokens]`.
    pub positions: Tensor,
    /// Runs of texts of one length.
    pub groups: Vec<Group>,
}

/// Neighbouring texts of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// First token.
    pub start: i64,
    /// Number of texts.
    pub texts: i64,
    /// Tokens in each.
    pub length: i64,
}

impl Group {
    /// The rows of the group as `[texts, length, width]`.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn of(&self, rows: &Tensor) -> Result<Tensor, TorchError> {
        let width = rows.size().last().copied().unwrap_or(0);
        let rows = rows.f_narrow(0, self.start, self.texts * self.length)?;
        Ok(rows.f_view([self.texts, self.length, width])?)
    }
}

impl Packed {
    /// Packs texts that are sorted by length, longest first.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn new(texts: &[&[u32]], device: Device) -> Result<Self, TorchError> {
        let total = texts.iter().map(|text| text.len()).sum();
        let (mut ids, mut positions) = (Vec::<i64>::with_capacity(total), Vec::<i64>::with_capacity(total));
        let mut groups: Vec<Group> = Vec::new();
        for text in texts {
            let (start, length) = (ids.len() as i64, text.len() as i64);
            match groups.last_mut().filter(|group| group.length == length) {
                Some(group) => group.texts += 1,
                None => groups.push(Group { start, texts: 1, length }),
            }
            ids.extend(text.iter().map(|&id| i64::from(id)));
            positions.extend(0..length);
        }
        let tensor = |values: &[i64]| Tensor::f_from_slice(values)?.f_to_device(device);
        Ok(Self { ids: tensor(&ids)?, positions: tensor(&positions)?, groups })
    }
}

/// Attention within each text; `query`, `key` and `value` are `[tokens, width]`, and so is the result.
///
/// # Errors
/// If libtorch fails.
pub fn attention(
    packed: &Packed,
    [query, key, value]: [&Tensor; 3],
    heads: i64,
) -> Result<Tensor, TorchError> {
    let mut parts = Vec::with_capacity(packed.groups.len());
    for group in &packed.groups {
        let split = |rows: &Tensor| -> Result<Tensor, TorchError> {
            let rows = group.of(rows)?;
            let width = rows.size()[2];
            let rows = rows.f_view([group.texts, group.length, heads, width / heads])?;
            Ok(rows.f_transpose(1, 2)?)
        };
        let mixed = Tensor::f_scaled_dot_product_attention(
            &split(query)?,
            &split(key)?,
            &split(value)?,
            None::<Tensor>,
            0.0,
            false,
            None,
            false,
        )?;
        let width = query.size()[1];
        parts.push(mixed.f_transpose(1, 2)?.f_reshape([group.texts * group.length, width])?);
    }
    Ok(Tensor::f_cat(&parts, 0)?)
}

/// Number formats that rows may have.
pub fn kind_of(dtype: &str) -> Result<(Kind, &'static str), TorchError> {
    match dtype {
        "auto" | "" | "f32" => Ok((Kind::Float, "f32")),
        "bf16" => Ok((Kind::BFloat16, "bf16")),
        "f16" => Ok((Kind::Half, "f16")),
        other => {
            Err(TorchError::Device(format!("expected a dtype among auto, f32, bf16, f16, found: {other}")))
        }
    }
}

//! Safetensors files (https://github.com/huggingface/safetensors), mapped: tensors are the file's own pages, which the system reads when
//! they are used, shares between processes, and may forget again.
#![allow(unsafe_code, reason = "tensors over mapped memory")]

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use serde_json::{Map, Value};
use tch::{Device, Kind, Tensor};

/// Bytes of the largest head, as the reference has it.
const LARGEST_HEAD: usize = 100_000_000;

/// How an error begins that is about numbers of a quantised checkpoint.
pub const QUANTISED: &str = "numbers of the format";

/// Number formats of safetensors in which only quantised checkpoints keep weights.
const NARROW: [&str; 10] =
    ["F4", "F6_E2M3", "F6_E3M2", "F8_E4M3", "F8_E5M2", "F8_E8M0", "U16", "U32", "U64", "C64"];

/// A multiple of the bytes of a page on every system.
const PAGE: usize = 64 << 10;

/// A mapped file. Its tensors must not outlive it.
#[derive(Clone, Debug)]
pub struct MappedFile(Arc<Mmap>);

/// Where a tensor lies in its file.
#[derive(Clone, Debug)]
pub struct Span {
    file: MappedFile,
    bytes: Range<usize>,
}

/// A tensor of a mapped file: its name, its numbers, and where they lie.
pub type Named = (String, Tensor, Span);

impl MappedFile {
    /// Maps the file at `path`; gives it with its tensors by name.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged or cut.
    pub fn read(path: &Path) -> Result<(Self, Vec<Named>), String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        // SAFETY: the file is only read. Who changes or cuts it while a model is open changes its numbers or ends the worker, which
        // costs a unit; files of models are written once, and the host hashes them when it opens a model.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| error.to_string())?;
        let mapped = Self(Arc::new(map));
        let (head, begin) = mapped.head()?;
        let tensors = head.iter().filter(|(name, _)| *name != "__metadata__");
        let tensors = tensors.map(|(name, entry)| {
            let (tensor, bytes) = mapped.tensor(entry, begin).map_err(|error| format!("{name}: {error}"))?;
            Ok((name.clone(), tensor, Span { file: mapped.clone(), bytes }))
        });
        let tensors = tensors.collect::<Result<Vec<_>, String>>()?;
        mapped.check_places(begin, &tensors)?;
        Ok((mapped, tensors))
    }

    /// Tensors lie one behind the other from `begin` to the end of the file, as the form demands: none over another, no byte
    /// outside.
    fn check_places(&self, begin: usize, tensors: &[Named]) -> Result<(), String> {
        let mut places: Vec<(&Range<usize>, &str)> =
            tensors.iter().map(|(name, _, span)| (&span.bytes, name.as_str())).collect();
        places.sort_unstable_by_key(|(bytes, _)| (bytes.start, bytes.end));
        let mut end = begin;
        for (bytes, name) in places {
            if bytes.start != end {
                let what = if bytes.start < end {
                    "overlaps another tensor"
                } else {
                    "has bytes before it that belong to no tensor"
                };
                return Err(format!("{name} {what}"));
            }
            end = bytes.end;
        }
        if end == self.0.len() { Ok(()) } else { Err("bytes at the end that belong to no tensor".to_owned()) }
    }

    /// What the head says, and where the numbers begin.
    fn head(&self) -> Result<(Map<String, Value>, usize), String> {
        let length = self.0.first_chunk::<8>().map(|length| u64::from_le_bytes(*length));
        let length = length.and_then(|length| usize::try_from(length).ok());
        let length = length.filter(|&length| length <= LARGEST_HEAD).ok_or("no header")?;
        let head = self.0.get(8..8 + length).ok_or("a header beyond the end of the file")?;
        Ok((serde_json::from_slice(head).map_err(|error| format!("the header: {error}"))?, 8 + length))
    }

    fn tensor(&self, entry: &Value, begin: usize) -> Result<(Tensor, Range<usize>), String> {
        let kind = kind_of(entry["dtype"].as_str().unwrap_or_default())?;
        let whole = |value: &Value| value.as_u64().and_then(|value| usize::try_from(value).ok());
        let shape =
            entry["shape"].as_array().and_then(|shape| shape.iter().map(whole).collect::<Option<Vec<_>>>());
        let shape = shape.ok_or("no shape")?;
        let place =
            |index: usize| whole(&entry["data_offsets"][index]).and_then(|offset| offset.checked_add(begin));
        let bytes = place(0).zip(place(1)).map(|(first, last)| first..last).ok_or("no offsets")?;
        let numbers =
            shape.iter().try_fold(kind.elt_size_in_bytes(), |product, size| product.checked_mul(*size));
        let data = self.0.get(bytes.clone()).ok_or("an offset beyond the end of the file")?;
        if numbers != Some(data.len()) {
            return Err(format!("{} bytes for the shape {shape:?}", data.len()));
        }
        let shape: Vec<i64> = shape.iter().map(|&size| size as i64).collect();
        let is_aligned = data.as_ptr().addr().is_multiple_of(kind.elt_size_in_bytes());
        let tensor = if is_aligned {
            let strides = strides(&shape);
            // SAFETY: the memory has as many aligned numbers as the shape says, and every number of these kinds is one. It stays mapped
            // as long as this file, which whoever takes its tensors keeps. Nothing writes to weights.
            unsafe { Tensor::f_from_blob(data.as_ptr(), &shape, &strides, kind, Device::Cpu) }
        } else {
            Tensor::f_from_data_size(data, &shape, kind)
        };
        Ok((tensor.map_err(|error| error.to_string())?, bytes))
    }
}

impl Span {
    /// Lets the system take the memory of these pages: what was copied elsewhere is not used again. They can be read again.
    pub fn leave(&self) {
        #[cfg(unix)]
        {
            // Pages that belong to neighbours, too, stay.
            let (begin, end) = (self.bytes.start.next_multiple_of(PAGE), self.bytes.end / PAGE * PAGE);
            if begin < end {
                // SAFETY: the mapping is read-only and backed by the file, so pages that are let go are read from it again.
                let _ = unsafe {
                    self.file.0.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, begin, end - begin)
                };
            }
        }
    }
}

/// Steps from number to number of a dimension, in numbers; the last dimension is dense.
fn strides(shape: &[i64]) -> Vec<i64> {
    let mut strides: Vec<i64> = shape
        .iter()
        .rev()
        .scan(1_i64, |step, size| {
            let stride = *step;
            *step = step.saturating_mul((*size).max(1));
            Some(stride)
        })
        .collect();
    strides.reverse();
    strides
}

/// The number format that safetensors calls `name`.
fn kind_of(name: &str) -> Result<Kind, String> {
    Ok(match name {
        "F64" => Kind::Double,
        "F32" => Kind::Float,
        "F16" => Kind::Half,
        "BF16" => Kind::BFloat16,
        "I64" => Kind::Int64,
        "I32" => Kind::Int,
        "I16" => Kind::Int16,
        "I8" => Kind::Int8,
        "U8" => Kind::Uint8,
        "BOOL" => Kind::Bool,
        other if NARROW.contains(&other) => return Err(format!("{QUANTISED} {other}")),
        other => return Err(format!("the unknown number format {other}")),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A file with this head and these bytes behind it.
    fn read(head: &str, numbers: &[u8]) -> Result<Vec<(String, Tensor)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.safetensors");
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.extend(head.as_bytes());
        bytes.extend(numbers);
        fs::write(&path, bytes).unwrap();
        let (_file, tensors) = MappedFile::read(&path)?;
        Ok(tensors.into_iter().map(|(name, tensor, _)| (name, tensor.copy())).collect())
    }

    #[test]
    fn tensors_are_read_wherever_the_head_ends() {
        let numbers: Vec<u8> =
            [1.5_f32, -2.0, 3.25, 4.0].iter().flat_map(|number| number.to_le_bytes()).collect();
        for blanks in 0..4 {
            let head =
                r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}"#;
            let tensors = read(&format!("{head}{}", " ".repeat(blanks)), &numbers).unwrap();
            let [(name, tensor)] = tensors.as_slice() else { panic!("one tensor") };
            assert_eq!((name.as_str(), tensor.size()), ("a", vec![2, 2]));
            assert_eq!(Vec::<f32>::try_from(tensor.flatten(0, 1)).unwrap(), [1.5, -2.0, 3.25, 4.0]);
        }
    }

    #[test]
    fn files_that_are_cut_or_say_what_is_not_so_are_refused() {
        let entry = |more: &str| format!(r#"{{"a":{{"dtype":"F32","shape":[2],{more}}}}}"#);
        for (head, expected) in [
            (entry(r#""data_offsets":[0,9]"#), "9 bytes for the shape [2]"),
            (entry(r#""data_offsets":[0,80]"#), "an offset beyond the end of the file"),
            (entry(r#""data_offsets":[8,0]"#), "an offset beyond the end of the file"),
            (entry(r#""data_offsets":[18446744073709551615,0]"#), "no offsets"),
            (r#"{"a":{"dtype":"F5","shape":[2],"data_offsets":[0,8]}}"#.to_owned(), "the unknown number format F5"),
            (r#"{"a":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}}"#.to_owned(), "numbers of the format F8_E4M3"),
            (entry(r#""data_offsets":[0,8]"#), "bytes at the end that belong to no tensor"),
            (
                r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}"#
                    .to_owned(),
                "b overlaps another tensor",
            ),
            (
                r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[5,9]}}"#
                    .to_owned(),
                "b has bytes before it that belong to no tensor",
            ),
            (r#"{"a":{"dtype":"F32","data_offsets":[0,8]}}"#.to_owned(), "no shape"),
            ("{".to_owned(), "the header: "),
        ] {
            let error = read(&head, &[0; 9]).err().unwrap();
            assert!(error.contains(expected), "{head}: {error}");
        }
        let folder = tempfile::tempdir().unwrap();
        for (bytes, expected) in
            [(&b""[..], "no header"), (&[9, 0, 0, 0, 0, 0, 0, 0, b'{'], "beyond the end")]
        {
            let path = folder.path().join("b.safetensors");
            fs::write(&path, bytes).unwrap();
            let error = MappedFile::read(&path).err().unwrap();
            assert!(error.contains(expected), "{error}");
        }
    }
}

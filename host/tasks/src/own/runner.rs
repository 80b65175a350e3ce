//! Who runs the code of a declared type: the engine, in a worker.

use std::sync::{Arc, Mutex, PoisonError};

use mteb_card::{DeclaredMeasure, DeclaredType, MeasureDeclaration, TypeDeclaration, TypeEvaluator};
use serde_json::Value;

use crate::EvaluateError;

/// What is laid into the memory that the evaluator maps.
#[derive(Clone, Copy, Debug)]
pub enum Block<'a> {
    /// Text.
    Bytes(&'a [u8]),
    /// Numbers.
    Floats(&'a [f32]),
    /// Numbers of 64 bits.
    Doubles(&'a [f64]),
    /// Places.
    Places(&'a [u32]),
}

impl Block<'_> {
    /// Length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Floats(numbers) => size_of_val(*numbers),
            Self::Doubles(numbers) => size_of_val(*numbers),
            Self::Places(places) => size_of_val(*places),
        }
    }

    /// True if nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies it to the begin of `memory`, which is long enough.
    pub fn copy_to(&self, memory: &mut [u8]) {
        match self {
            Self::Bytes(bytes) => memory[..bytes.len()].copy_from_slice(bytes),
            Self::Floats(numbers) => {
                for (cell, number) in memory.chunks_exact_mut(4).zip(*numbers) {
                    cell.copy_from_slice(&number.to_ne_bytes());
                }
            }
            Self::Doubles(numbers) => {
                for (cell, number) in memory.chunks_exact_mut(8).zip(*numbers) {
                    cell.copy_from_slice(&number.to_ne_bytes());
                }
            }
            Self::Places(places) => {
                for (cell, place) in memory.chunks_exact_mut(4).zip(*places) {
                    cell.copy_from_slice(&place.to_ne_bytes());
                }
            }
        }
    }
}

/// Asks the code of one type.
pub trait TypeRunner: Send + Sync {
    /// Whether the code may run, before a model computes for it.
    ///
    /// # Errors
    /// If the user does not trust it.
    fn check(&self) -> Result<(), EvaluateError>;

    /// The answer to `question` for `method`, `plan`, `score` or `measure`; the `blocks` lie in the memory where [`offsets`] says. The unit of the
    /// question is told the memory.
    ///
    /// # Errors
    /// If the code fails, is not trusted, or its process dies.
    fn ask(&self, method: &str, question: Value, blocks: &[Block<'_>]) -> Result<String, EvaluateError>;

    /// Bytes of memory that the code's process holds now; `None` where there is none, or nobody knows.
    fn memory(&self) -> Option<u64> {
        None
    }
}

/// Bytes of a line of the processor's cache, at whose multiples blocks begin.
const LINE: usize = 64;

/// Where each of the blocks begins, and where the last one ends.
pub fn offsets(blocks: &[Block<'_>]) -> (Vec<usize>, usize) {
    let mut end = 0;
    let begins = blocks.iter().map(|block| {
        let begin = end;
        end = (begin + block.len()).next_multiple_of(LINE);
        begin
    });
    (begins.collect(), end)
}

/// The code of a type or of a measure.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The name of the type or of the measure, for messages.
    pub name: &'static str,
    /// Where the code is.
    pub evaluator: &'static TypeEvaluator,
    /// What is declared of it.
    pub declaration: Declaration,
}

/// What is declared of code.
#[derive(Clone, Copy, Debug)]
pub enum Declaration {
    /// Of a type.
    Type(&'static TypeDeclaration),
    /// Of a measure.
    Measure(&'static MeasureDeclaration),
}

impl From<&'static DeclaredType> for Code {
    fn from(declared: &'static DeclaredType) -> Self {
        let DeclaredType { name, declaration, evaluator } = declared;
        Self { name, evaluator, declaration: Declaration::Type(declaration) }
    }
}

impl From<&'static DeclaredMeasure> for Code {
    fn from(declared: &'static DeclaredMeasure) -> Self {
        let DeclaredMeasure { name, declaration, evaluator } = declared;
        Self { name, evaluator, declaration: Declaration::Measure(declaration) }
    }
}

type Maker = dyn Fn(Code) -> Result<Arc<dyn TypeRunner>, EvaluateError> + Send + Sync;

static MAKER: Mutex<Option<Arc<Maker>>> = Mutex::new(None);

/// From now on `make` gives what runs code.
pub fn provide_runners(
    make: impl Fn(Code) -> Result<Arc<dyn TypeRunner>, EvaluateError> + Send + Sync + 'static,
) {
    *MAKER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(make));
}

/// What runs the code of a type or of a measure.
///
/// # Errors
/// If nothing does.
pub fn runner(code: impl Into<Code>) -> Result<Arc<dyn TypeRunner>, EvaluateError> {
    let code = code.into();
    let maker = MAKER.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let make = maker.ok_or_else(|| EvaluateError::Unscorable(format!("no evaluator for {}", code.name)))?;
    make(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_behind_each_other_on_lines_of_their_own() {
        let blocks = [Block::Bytes(b"a\n"), Block::Floats(&[1.0; 17]), Block::Places(&[7])];
        assert_eq!(offsets(&blocks), (vec![0, 64, 192], 256));
        let mut memory = [0; 8];
        Block::Floats(&[1.5, -2.0]).copy_to(&mut memory);
        assert_eq!(memory, [1.5_f32.to_ne_bytes(), (-2.0_f32).to_ne_bytes()].concat()[..]);
    }
}

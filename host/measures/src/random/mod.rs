//! The random generators of numpy and CPython, and the samplers built on them.

mod generator;
mod python;

pub use generator::Generator;
pub use python::PythonRandom;

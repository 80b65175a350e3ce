//! Values of options: whole numbers, values that may be keys, and why a value is refused, which the
//! command line says behind the name of the option and the value that was found.

use std::ffi::OsStr;
use std::fmt::Display;
use std::marker::PhantomData;
use std::num::IntErrorKind;
use std::str::FromStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command};
use mteb_base::byte_size::{ByteSize, ByteSizeError};
use mteb_base::day::DayError;

/// A value that an option cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// No whole number, or one out of its bounds.
    #[error("expected a whole number from {least} to {most}")]
    Whole {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// No whole number, or one below a bound that has none above it.
    #[error("expected a whole number of at least {least}")]
    TooSmall {
        /// The smallest.
        least: u64,
    },
    /// A number that the program cannot hold.
    #[error("expected a smaller number")]
    TooLarge,
    /// No amount of money.
    #[error("expected an amount of money such as `2.50`")]
    Amount,
    /// No size in bytes.
    #[error(transparent)]
    Size(#[from] ByteSizeError),
    /// Less memory than a worker starts with.
    #[error("expected at least {least}, which a worker needs to load a plugin")]
    LittleMemory {
        /// The least that it needs.
        least: ByteSize,
    },
    /// Neither a day nor a month or a year.
    #[error("expected a year or a day such as `2024-01-31`")]
    Day,
    /// The calendar has no such day or month.
    #[error(transparent)]
    AbsentDay(DayError),
    /// No hash of a plugin.
    #[error("expected a SHA-256: 64 hex digits")]
    Checksum,
    /// No time.
    #[error("expected a time above 0, as `90s`, `30m`, `2h` or `1d`")]
    Time,
    /// No device of a model.
    #[error("expected `auto`, `cpu`, `cuda` or `cuda:N`")]
    Device,
    /// One of several devices is no GPU.
    #[error("expected GPUs such as `cuda:0,cuda:1`, or `all`, found: {found}{}", instead(.found))]
    NoGpu {
        /// What it is instead.
        found: String,
    },
    /// A GPU is named twice.
    #[error("expected GPUs such as `cuda:0,cuda:1`, or `all`, each once, found twice: {name}")]
    GpuTwice {
        /// Its name.
        name: String,
    },
    /// No list of GPUs.
    #[error("expected numbers of GPUs divided by commas, as `0,1`, or `none`")]
    GpuList,
    /// Letters that an engine of a cluster could misread.
    #[error("expected {0}")]
    Misread(&'static str),
    /// No name of a thing in Kubernetes.
    #[error("expected a name of at most {longest} small letters, digits and `-`")]
    KubernetesName {
        /// Letters of the longest name.
        longest: usize,
    },
    /// No quantity of Kubernetes.
    #[error("expected a quantity as Kubernetes has it, such as `500m`, `4` or `16Gi`")]
    Quantity,
    /// No share of processors or GPUs.
    #[error("expected a number of at least 0")]
    Share,
    /// No option of a model.
    #[error("expected `NAME=VALUE`")]
    ModelOption,
    /// No licence; `near` says which may be meant.
    #[error("expected a licence such as `cc-by-4.0`{near}")]
    Licence {
        /// Licences that are called alike, with what stands before them.
        near: String,
    },
    /// Several characters, or none.
    #[error("expected one character, such as `;`")]
    Character,
    /// No name of a column with what a file calls it.
    #[error("expected the protocol's column and the file's name for it, such as `sentence1=kalimat`")]
    Column,
    /// No file with rankings.
    #[error("expected a file, or `NAME=FILE`")]
    Ranking,
    /// No system with the number of its documents.
    #[error("expected `SYSTEM=K`, a system with a ranking and a number from 1 to 1000")]
    DepthOf,
    /// No pair of systems.
    #[error("expected `SMALL=LARGE`, two systems of the table")]
    Siblings,
    /// Results cannot be called so.
    #[error("expected a name, as `me/my-search`")]
    Name,
}

/// What shares a device that is no GPU.
fn instead(device: &str) -> &'static str {
    match device {
        "cpu" | "auto" => "; `--workers N` shares the processor",
        _ => "",
    }
}

/// Reads a whole number of at least `least` and, where there is such, at most `most`.
pub fn parse_whole<T: TryFrom<u64>>(
    least: u64,
    most: Option<u64>,
) -> impl Fn(&str) -> Result<T, ValueError> + Clone {
    move |text| {
        let refused = || match most {
            Some(most) => ValueError::Whole { least, most },
            None => ValueError::TooSmall { least },
        };
        let too_large = || if most.is_some() { refused() } else { ValueError::TooLarge };
        match text.parse::<u64>() {
            Ok(number) if number >= least && most.is_none_or(|most| number <= most) => {
                T::try_from(number).map_err(|_| too_large())
            }
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => Err(too_large()),
            _ => Err(refused()),
        }
    }
}

/// Reads a value that may be a key: where it is refused, it is not repeated, as clap would.
pub fn parse_key<T>() -> KeyParser<T> {
    KeyParser(PhantomData)
}

/// The parser of values that may be keys.
pub struct KeyParser<T>(PhantomData<fn() -> T>);

impl<T> Clone for KeyParser<T> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<T> TypedValueParser for KeyParser<T>
where
    T: FromStr<Err: Display> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        value.to_string_lossy().parse().map_err(|why: T::Err| {
            let option = arg.and_then(Arg::get_long).unwrap_or_default();
            clap::Error::raw(ErrorKind::ValueValidation, format!("--{option}: {why}\n")).with_cmd(command)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_bounds_is_answered_with_them() {
        let (open, closed) = (parse_whole::<u32>(1, None), parse_whole::<u16>(1, Some(1000)));
        assert_eq!((open("1"), closed("1000")), (Ok(1), Ok(1000)));
        for text in ["0", "-1", "x", "1.5", ""] {
            assert_eq!(
                open(text).unwrap_err().to_string(),
                "expected a whole number of at least 1",
                "{text}"
            );
        }
        for text in ["4294967296", "99999999999999999999"] {
            assert_eq!(open(text).unwrap_err().to_string(), "expected a smaller number", "{text}");
            assert_eq!(
                closed(text).unwrap_err().to_string(),
                "expected a whole number from 1 to 1000",
                "{text}"
            );
        }
    }

    #[test]
    fn a_value_that_may_be_a_key_is_not_repeated() {
        let command = Command::new("x").arg(Arg::new("key").long("key").value_parser(parse_key::<u32>()));
        let said = command.try_get_matches_from(["x", "--key", "hunter2"]).unwrap_err().to_string();
        assert!(said.contains("--key: invalid digit") && !said.contains("hunter2"), "{said}");
    }
}

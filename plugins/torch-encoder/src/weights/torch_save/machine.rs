//! The stack machine of Python's pickles (PEP 307, PEP 3154), as far as `torch.save` uses it. Classes are never
//! looked up and functions never called: only those that rebuild tensors and dictionaries are known by their names.

use std::collections::HashMap;
use std::io::Read;

use tch::Kind;

use super::value::{PickleError, Storage, TensorValue, Value};

/// Reads one pickle from `input`, up to its end mark.
///
/// # Errors
/// If the pickle is cut or uses an instruction that is not known.
pub fn unpickle(input: &mut impl Read) -> Result<Value, PickleError> {
    let mut machine = Machine { input, stack: Vec::new(), memo: HashMap::new() };
    while machine.step()? {}
    machine.pop()
}

struct Machine<'a, R> {
    input: &'a mut R,
    stack: Vec<Value>,
    memo: HashMap<u64, Value>,
}

impl<R: Read> Machine<'_, R> {
    /// Runs one instruction; false behind the last one.
    fn step(&mut self) -> Result<bool, PickleError> {
        match self.byte()? {
            b'.' => return Ok(false),
            0x80 => drop(self.byte()?),
            0x95 => drop(self.bytes(8)?),
            b'(' => self.stack.push(Value::Mark),
            b'N' | 0x88 | 0x89 => self.stack.push(Value::Other),
            b'K' => self.push_whole(1)?,
            b'M' => self.push_whole(2)?,
            b'J' => {
                let bytes = self.array()?;
                self.stack.push(Value::Whole(i64::from(i32::from_le_bytes(bytes))));
            }
            0x8a => self.long()?,
            b'G' => {
                self.bytes(8)?;
                self.stack.push(Value::Other);
            }
            b'X' => self.text(4)?,
            0x8c | b'U' | b'C' => self.text(1)?,
            b'T' | b'B' => self.text(4)?,
            0x8d => self.text(8)?,
            b']' | b')' => self.stack.push(Value::List(Vec::new())),
            b'}' => self.stack.push(Value::Dict(Vec::new())),
            b't' | b'l' => {
                let items = self.items()?;
                self.stack.push(Value::List(items));
            }
            code @ 0x85..=0x87 => {
                let count = usize::from(code - 0x84);
                let at = self.stack.len().checked_sub(count).ok_or_else(damaged_error)?;
                let items = self.stack.split_off(at);
                self.stack.push(Value::List(items));
            }
            b'a' => {
                let item = self.pop()?;
                self.extend(vec![item])?;
            }
            b'e' => {
                let items = self.items()?;
                self.extend(items)?;
            }
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.insert(vec![key, value])?;
            }
            b'u' => {
                let items = self.items()?;
                self.insert(items)?;
            }
            b'c' => {
                let (module, name) = (self.line()?, self.line()?);
                self.stack.push(global(&module, &name)?);
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let (Value::Text(module), Value::Text(name)) = (module, name) else {
                    return Err(damaged_error());
                };
                self.stack.push(global(&module, &name)?);
            }
            b'Q' => {
                let id = self.pop()?;
                self.stack.push(storage(&id)?);
            }
            b'R' | 0x81 => {
                let (arguments, function) = (self.pop()?, self.pop()?);
                self.stack.push(call(&function, &arguments));
            }
            b'b' => drop(self.pop()?),
            b'0' => drop(self.pop()?),
            b'q' => {
                let key = self.number(1)?;
                self.remember(key)?;
            }
            b'r' => {
                let key = self.number(4)?;
                self.remember(key)?;
            }
            0x94 => self.remember(self.memo.len() as u64)?,
            b'h' => {
                let key = self.number(1)?;
                self.recall(key)?;
            }
            b'j' => {
                let key = self.number(4)?;
                self.recall(key)?;
            }
            other => {
                return Err(PickleError::Content(format!(
                    "the pickle has an unknown instruction {other:#04x}"
                )));
            }
        }
        Ok(true)
    }

    fn byte(&mut self) -> Result<u8, PickleError> {
        Ok(self.array::<1>()?[0])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], PickleError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, PickleError> {
        let mut bytes = Vec::new();
        let found = (&mut *self.input).take(count).read_to_end(&mut bytes)?;
        if (found as u64) < count {
            Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into())
        } else {
            Ok(bytes)
        }
    }

    fn number(&mut self, width: u64) -> Result<u64, PickleError> {
        let bytes = self.bytes(width)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn push_whole(&mut self, width: u64) -> Result<(), PickleError> {
        let number = self.number(width)?;
        self.stack.push(Value::Whole(i64::try_from(number).unwrap_or(i64::MAX)));
        Ok(())
    }

    /// A whole number of any length; of no interest beyond 64 bits.
    fn long(&mut self) -> Result<(), PickleError> {
        let length = u64::from(self.byte()?);
        let bytes = self.bytes(length)?;
        let sign = if bytes.last().is_some_and(|byte| *byte >= 0x80) { 0xff } else { 0 };
        let mut whole = [sign; 8];
        self.stack.push(if bytes.len() <= 8 {
            whole[..bytes.len()].copy_from_slice(&bytes);
            Value::Whole(i64::from_le_bytes(whole))
        } else {
            Value::Other
        });
        Ok(())
    }

    fn text(&mut self, width: u64) -> Result<(), PickleError> {
        let length = self.number(width)?;
        let bytes = self.bytes(length)?;
        self.stack.push(Value::Text(String::from_utf8_lossy(&bytes).into_owned()));
        Ok(())
    }

    fn line(&mut self) -> Result<String, PickleError> {
        let mut line = Vec::new();
        loop {
            match self.byte()? {
                b'\n' => return Ok(String::from_utf8_lossy(&line).into_owned()),
                byte => line.push(byte),
            }
        }
    }

    fn pop(&mut self) -> Result<Value, PickleError> {
        self.stack.pop().ok_or_else(damaged_error)
    }

    /// What was pushed since the last mark.
    fn items(&mut self) -> Result<Vec<Value>, PickleError> {
        let mark = self.stack.iter().rposition(|value| *value == Value::Mark).ok_or_else(damaged_error)?;
        let items = self.stack.split_off(mark + 1);
        self.stack.pop();
        Ok(items)
    }

    fn extend(&mut self, items: Vec<Value>) -> Result<(), PickleError> {
        match self.stack.last_mut() {
            Some(Value::List(list)) => list.extend(items),
            Some(_) => {}
            None => return Err(damaged_error()),
        }
        Ok(())
    }

    fn insert(&mut self, items: Vec<Value>) -> Result<(), PickleError> {
        let Some(last) = self.stack.last_mut() else { return Err(damaged_error()) };
        if let Value::Dict(entries) = last {
            let mut items = items.into_iter();
            while let (Some(key), Some(value)) = (items.next(), items.next()) {
                entries.push((key, value));
            }
        }
        Ok(())
    }

    fn remember(&mut self, key: u64) -> Result<(), PickleError> {
        let value = self.stack.last().cloned().ok_or_else(damaged_error)?;
        self.memo.insert(key, value);
        Ok(())
    }

    fn recall(&mut self, key: u64) -> Result<(), PickleError> {
        self.stack.push(self.memo.get(&key).cloned().ok_or_else(damaged_error)?);
        Ok(())
    }
}

/// Packages whose tensors are quantised.
const QUANTISING: [&str; 5] = ["torchao", "bitsandbytes", "hqq", "quanto", "optimum"];

/// The class or function `name`.
fn global(module: &str, name: &str) -> Result<Value, PickleError> {
    let package = module.split('.').next().unwrap_or_default();
    if QUANTISING.contains(&package) || name == "_rebuild_qtensor" {
        return Err(quantised_error(&format!("tensors of {module}.{name}")));
    }
    Ok(Value::Global(format!("{module}.{name}")))
}

fn quantised_error(what: &str) -> PickleError {
    PickleError::Form(format!(
        "{what}: a quantised checkpoint, which is not computed; name the one that it was made of"
    ))
}

/// `("storage", class, key, place, count)`.
fn storage(id: &Value) -> Result<Value, PickleError> {
    let [_, Value::Global(class), Value::Text(key), ..] = id.list() else { return Err(damaged_error()) };
    let kind = match class.rsplit('.').next().unwrap_or_default() {
        "FloatStorage" => Kind::Float,
        "HalfStorage" => Kind::Half,
        "BFloat16Storage" => Kind::BFloat16,
        "DoubleStorage" => Kind::Double,
        "LongStorage" => Kind::Int64,
        "IntStorage" => Kind::Int,
        "ShortStorage" => Kind::Int16,
        "CharStorage" => Kind::Int8,
        "ByteStorage" => Kind::Uint8,
        "BoolStorage" => Kind::Bool,
        other if other.starts_with('Q') => {
            return Err(quantised_error(&format!(
                "numbers of the format {}",
                other.trim_end_matches("Storage")
            )));
        }
        other => return Err(PickleError::Content(format!("the number format {other} is not known"))),
    };
    Ok(Value::Storage(Storage { key: key.clone(), kind }))
}

/// What the few known functions would return.
fn call(function: &Value, arguments: &Value) -> Value {
    let Value::Global(name) = function else { return Value::Other };
    match (name.as_str(), arguments.list()) {
        ("collections.OrderedDict", _) => Value::Dict(Vec::new()),
        ("torch._utils._rebuild_parameter", [tensor @ Value::Tensor(_), ..]) => tensor.clone(),
        (
            "torch._utils._rebuild_tensor_v2",
            [Value::Storage(storage), Value::Whole(offset), size, stride, ..],
        ) => Value::Tensor(TensorValue {
            storage: storage.clone(),
            offset: *offset,
            size: size.wholes(),
            stride: stride.wholes(),
        }),
        _ => Value::Other,
    }
}

fn damaged_error() -> PickleError {
    PickleError::Content("the pickle is damaged".to_owned())
}

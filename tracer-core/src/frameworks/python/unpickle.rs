//! Pickled objects of files: containers, numbers, texts and arrays. Objects of other classes are not known; nothing that a file names is run.
//!
//! The machine is the one that the documentation of `pickletools` describes, protocols 0 to 5.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use num_bigint::BigInt;

use super::Members;
use crate::array::npy;
use crate::frameworks::numpy::array::NdArray;
use crate::frameworks::numpy::scalar::NpScalar;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Dict, Guess, Key, Unknown, Value};
use crate::trace::Array;

/// The names of this family.
pub(super) fn members(members: &mut Members) {
    // unpickled(data): the object that the bytes start with, and how many of them it takes.
    members.function("unpickled", |it, args| {
        let [data] = args.exactly("unpickled")?;
        let Value::Bytes(data) = &data else { return Err(Halt::unknown(WHY)) };
        it.spend_text(data.len())?;
        let mut machine = Machine { it, data, at: 0, stack: Vec::new(), marks: Vec::new(), memo: HashMap::new() };
        let found = machine.run()?;
        Ok(Value::tuple([found, Value::Int(machine.at as i64)]))
    });
    // bytes_of(object): the bytes that it is written as. They are not known, but what they were made of is.
    members.function("bytes_of", |_, args| {
        let [object] = args.exactly("bytes_of")?;
        let bytes = Unknown::new(Why("the bytes of an object".into()), Guess::Any);
        Ok(Value::Unknown(Rc::new(Unknown { held: Some(object), ..bytes })))
    });
    // held_by(bytes): a tuple of what bytes that are not known were made of, or None.
    members.function("held_by", |_, args| {
        let [bytes] = args.exactly("held_by")?;
        let held = if let Value::Unknown(bytes) = &bytes { bytes.held.clone() } else { None };
        Ok(held.map_or(Value::None, |held| Value::tuple([held])))
    });
}

/// Why nothing is known of a pickled object.
const WHY: &str = "a pickled object";

/// What stands on the stack of the machine.
#[derive(Clone)]
enum Item {
    Value(Value),
    /// A name of a module.
    Global(Rc<str>, Rc<str>),
    /// A type of elements, as NumPy names it: a letter and a size, behind the order of its bytes.
    DType(Rc<RefCell<(char, String)>>),
    /// An array whose numbers come with its state.
    Array(Rc<RefCell<Option<Value>>>),
}

struct Machine<'a> {
    it: &'a Rc<Interp>,
    data: &'a [u8],
    at: usize,
    stack: Vec<Item>,
    marks: Vec<usize>,
    memo: HashMap<u64, Item>,
}

fn odd() -> Halt {
    Halt::unknown(WHY)
}

impl Machine<'_> {
    fn take(&mut self, count: u64) -> Step<&[u8]> {
        let start = self.at;
        let end = usize::try_from(count).ok().and_then(|count| start.checked_add(count)).ok_or_else(odd)?;
        let taken = self.data.get(start..end).ok_or_else(odd)?;
        self.at = end;
        Ok(taken)
    }
    /// A number of this many bytes, the last ones first.
    fn count(&mut self, width: u64) -> Step<u64> {
        Ok(self.take(width)?.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte)))
    }
    fn line(&mut self) -> Step<String> {
        let rest = self.data.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(odd)?;
        let line = String::from_utf8(rest[..end].to_vec()).map_err(|_| odd())?;
        self.at += end + 1;
        Ok(line)
    }
    fn push(&mut self, value: Value) {
        self.stack.push(Item::Value(value));
    }
    fn pop(&mut self) -> Step<Item> {
        let floor = self.marks.last().copied().unwrap_or(0);
        if self.stack.len() <= floor { Err(odd()) } else { self.stack.pop().ok_or_else(odd) }
    }
    fn pop_value(&mut self) -> Step<Value> {
        self.pop()?.value(self.it)
    }
    fn popped_mark(&mut self) -> Step<Vec<Value>> {
        let mark = self.marks.pop().ok_or_else(odd)?;
        self.stack.split_off(mark.min(self.stack.len())).into_iter().map(|item| item.value(self.it)).collect()
    }
    fn text(&mut self, width: u64) -> Step<()> {
        let count = self.count(width)?;
        let text = String::from_utf8(self.take(count)?.to_vec()).map_err(|_| odd())?;
        self.push(Value::str(text));
        Ok(())
    }
    fn bytes(&mut self, width: u64) -> Step<()> {
        let count = self.count(width)?;
        let bytes = self.take(count)?.into();
        self.push(Value::Bytes(bytes));
        Ok(())
    }
    fn long(&mut self, width: u64) -> Step<()> {
        let count = self.count(width)?;
        let number = BigInt::from_signed_bytes_le(self.take(count)?);
        self.push(Value::big(number));
        Ok(())
    }
    fn remember(&mut self, at: u64) -> Step<()> {
        let top = self.stack.last().cloned().ok_or_else(odd)?;
        self.memo.insert(at, top);
        Ok(())
    }
    fn recall(&mut self, at: u64) -> Step<()> {
        let item = self.memo.get(&at).cloned().ok_or_else(odd)?;
        self.stack.push(item);
        Ok(())
    }

    /// Runs the machine until its object is whole.
    fn run(&mut self) -> Step<Value> {
        loop {
            self.it.spend()?;
            let code = self.take(1)?[0];
            match code {
                0x80 => drop(self.take(1)?),
                0x95 => drop(self.take(8)?),
                b'.' => return self.pop_value(),
                b'(' => self.marks.push(self.stack.len()),
                b'0' => drop(self.pop()?),
                b'1' => drop(self.popped_mark()?),
                b'2' => {
                    let top = self.stack.last().cloned().ok_or_else(odd)?;
                    self.stack.push(top);
                }
                b'N' => self.push(Value::None),
                0x88 | 0x89 => self.push(Value::Bool(code == 0x88)),
                b'J' => {
                    let number = self.count(4)? as u32 as i32;
                    self.push(Value::Int(number.into()));
                }
                b'K' | b'M' => {
                    let number = self.count(if code == b'K' { 1 } else { 2 })?;
                    self.push(Value::Int(number as i64));
                }
                b'I' | b'L' => {
                    let line = self.line()?;
                    self.push(match line.as_str() {
                        "00" | "01" if code == b'I' => Value::Bool(line == "01"),
                        number => Value::big(number.trim_end_matches('L').parse::<BigInt>().map_err(|_| odd())?),
                    });
                }
                0x8a => self.long(1)?,
                0x8b => self.long(4)?,
                b'F' => {
                    let number = self.line()?.parse().map_err(|_| odd())?;
                    self.push(Value::Float(number));
                }
                b'G' => {
                    let bits = self.count(8)?.swap_bytes();
                    self.push(Value::Float(f64::from_bits(bits)));
                }
                0x8c => self.text(1)?,
                b'X' => self.text(4)?,
                0x8d => self.text(8)?,
                b'C' => self.bytes(1)?,
                b'B' => self.bytes(4)?,
                0x8e | 0x96 => self.bytes(8)?,
                b']' => self.push(Value::list(Vec::new())),
                b'}' => self.push(Value::Dict(Dict::new(Default::default()))),
                b')' => self.push(Value::tuple([])),
                b'l' | b't' => {
                    let items = self.popped_mark()?;
                    self.push(if code == b'l' { Value::list(items) } else { Value::tuple(items) });
                }
                0x85..=0x87 => {
                    let mut items: Vec<Value> =
                        (0..code - 0x84).map(|_| self.pop_value()).collect::<Step<Vec<Value>>>()?;
                    items.reverse();
                    self.push(Value::tuple(items));
                }
                b'd' => {
                    let items = self.popped_mark()?;
                    let dict = Value::Dict(Dict::new(Default::default()));
                    self.set_items(&dict, items)?;
                    self.push(dict);
                }
                b'a' => {
                    let item = self.pop_value()?;
                    self.append(vec![item])?;
                }
                b'e' => {
                    let items = self.popped_mark()?;
                    self.append(items)?;
                }
                b's' => {
                    let (value, key) = (self.pop_value()?, self.pop_value()?);
                    let dict = self.top()?;
                    self.set_items(&dict, vec![key, value])?;
                }
                b'u' => {
                    let items = self.popped_mark()?;
                    let dict = self.top()?;
                    self.set_items(&dict, items)?;
                }
                0x8f => self.made("builtins", "set", Vec::new())?,
                0x90 => {
                    let items = self.popped_mark()?;
                    let set = self.top()?;
                    if !set.is_unknown() {
                        self.it.call_method(&set, "update", [Value::list(items)])?;
                    }
                }
                0x91 => {
                    let items = self.popped_mark()?;
                    self.made("builtins", "frozenset", vec![Value::list(items)])?;
                }
                b'c' => {
                    let (module, name) = (self.line()?, self.line()?);
                    self.stack.push(Item::Global(module.into(), name.into()));
                }
                0x93 => {
                    let (name, module) = (self.pop_value()?, self.pop_value()?);
                    let text = |value: &Value| value.as_str().map(Rc::from).ok_or_else(odd);
                    self.stack.push(Item::Global(text(&module)?, text(&name)?));
                }
                b'R' | 0x81 => {
                    let (args, function) = (self.pop()?, self.pop()?);
                    let made = self.called(&function, &args, code == b'R')?;
                    self.stack.push(made);
                }
                b'b' => {
                    let state = self.pop()?;
                    self.build(&state)?;
                }
                b'q' => {
                    let at = self.count(1)?;
                    self.remember(at)?;
                }
                b'r' => {
                    let at = self.count(4)?;
                    self.remember(at)?;
                }
                b'p' | b'g' => {
                    let at = self.line()?.parse().map_err(|_| odd())?;
                    if code == b'p' { self.remember(at)? } else { self.recall(at)? }
                }
                0x94 => self.remember(self.memo.len() as u64)?,
                b'h' => {
                    let at = self.count(1)?;
                    self.recall(at)?;
                }
                b'j' => {
                    let at = self.count(4)?;
                    self.recall(at)?;
                }
                // Texts of Python 2, whose letters depend on how they are read, objects in other files, extensions.
                _ => return Err(odd()),
            }
        }
    }

    fn top(&self) -> Step<Value> {
        self.stack.last().cloned().ok_or_else(odd)?.value(self.it)
    }
    fn append(&mut self, items: Vec<Value>) -> Step<()> {
        match self.top()? {
            Value::List(list) => list.write().extend(items),
            Value::Unknown(_) => {}
            _ => return Err(odd()),
        }
        Ok(())
    }
    fn set_items(&mut self, dict: &Value, items: Vec<Value>) -> Step<()> {
        for pair in items.chunks(2) {
            match (dict, pair) {
                (Value::Unknown(_), _) => {}
                (Value::Dict(dict), [key, value]) => {
                    let key = self.it.key(key)?;
                    dict.write().insert(key, value.clone());
                }
                _ => return Err(odd()),
            }
        }
        Ok(())
    }
    /// Pushes what a class of Python's own makes.
    fn made(&mut self, module: &str, name: &str, args: Vec<Value>) -> Step<()> {
        let module = self.it.import(module.into())?;
        let class = self.it.getattr(&module, name.into())?;
        let value = self.it.call_with(&class, args)?;
        self.push(value);
        Ok(())
    }

    /// What a name of the file gives when it is called: of the few that are known.
    fn called(&mut self, function: &Item, args: &Item, is_call: bool) -> Step<Item> {
        let unknown = |name: &str| Item::Value(not_known(name));
        let (Item::Global(module, name), Item::Value(Value::Tuple(args))) = (function, args) else {
            return Ok(unknown("a function"));
        };
        let module =
            module.strip_prefix("numpy.core.").map_or(module.to_string(), |rest| format!("numpy._core.{rest}"));
        let args: &[Value] = args;
        Ok(match (module.as_str(), &**name, args) {
            ("numpy._core.multiarray", "_reconstruct", [class, ..]) if is_named(class, "numpy.ndarray") => {
                Item::Array(Rc::default())
            }
            ("numpy", "dtype", [code, ..]) => {
                let code = code.as_str().ok_or_else(odd)?;
                Item::DType(Rc::new(RefCell::new(('|', code.to_owned()))))
            }
            ("numpy._core.multiarray", "scalar", [dtype, Value::Bytes(bytes)]) => {
                Item::Value(NpScalar::value(array(self.it, dtype, &[], false, bytes)?))
            }
            ("numpy._core.numeric", "_frombuffer", [Value::Bytes(bytes), dtype, shape, order]) => {
                let array = array(self.it, dtype, &sizes(shape)?, order.as_str() == Some("F"), bytes)?;
                Item::Value(NdArray::value(array))
            }
            ("_codecs", "encode", [text, ..]) => {
                let text = text.as_str().ok_or_else(odd)?;
                let bytes = text.chars().map(|c| u8::try_from(u32::from(c)));
                Item::Value(Value::Bytes(bytes.collect::<Result<Vec<u8>, _>>().map_err(|_| odd())?.into()))
            }
            ("collections", "OrderedDict", []) | ("builtins" | "__builtin__", "set" | "frozenset" | "complex", _)
                if is_call =>
            {
                let module = if module == "__builtin__" { "builtins" } else { module.as_str() };
                self.made(module, name, args.to_vec())?;
                self.pop()?
            }
            ("jax._src.array", "_reconstruct_array", [_, _, state, about]) => {
                let weak = match about {
                    Value::Dict(about) => about.read().get(&Key::str("weak_type")).cloned(),
                    _ => None,
                };
                let Value::Tuple(state) = state else { return Err(odd()) };
                match (weak, stored(self.it, state)?) {
                    (Some(Value::Bool(false)), value) => {
                        let module = self.it.import("jax.numpy".into())?;
                        let convert = self.it.getattr(&module, "asarray".into())?;
                        Item::Value(self.it.call_with(&convert, [value])?)
                    }
                    _ => unknown("an array"),
                }
            }
            _ => unknown(&format!("{module}.{name}")),
        })
    }

    /// Gives the object on top its state.
    fn build(&mut self, state: &Item) -> Step<()> {
        let Item::Value(Value::Tuple(state)) = state else {
            // Of an object that is not known.
            return match self.top() {
                Ok(Value::Unknown(_)) => Ok(()),
                _ => Err(odd()),
            };
        };
        match self.stack.last() {
            Some(Item::DType(dtype)) => {
                if let Some(order) = state.get(1).and_then(Value::as_str) {
                    dtype.borrow_mut().0 = order.chars().next().unwrap_or('|');
                }
                Ok(())
            }
            Some(Item::Array(array)) => {
                *array.borrow_mut() = Some(stored(self.it, state)?);
                Ok(())
            }
            Some(Item::Value(Value::Unknown(_))) => Ok(()),
            _ => Err(odd()),
        }
    }
}

impl Item {
    /// As an object; what a name stands for is not known.
    fn value(self, it: &Rc<Interp>) -> Step<Value> {
        Ok(match self {
            Item::Value(value) => value,
            Item::Global(module, name) => not_known(&format!("{module}.{name}")),
            Item::DType(dtype) => {
                let numpy = it.import("numpy".into())?;
                let class = it.getattr(&numpy, "dtype".into())?;
                let (order, code) = &*dtype.borrow();
                if *order == '>' {
                    return Err(Halt::unknown("bytes in the other order"));
                }
                it.call_with(&class, [Value::str(format!("{order}{code}"))])?
            }
            Item::Array(array) => array.borrow().clone().ok_or_else(odd)?,
        })
    }
}

fn sizes(shape: &Value) -> Step<Vec<usize>> {
    let Value::Tuple(shape) = shape else { return Err(odd()) };
    let size = |value: &Value| value.as_int().and_then(|n| usize::try_from(n).ok());
    shape.iter().map(size).collect::<Option<_>>().ok_or_else(odd)
}

/// The array of NumPy's of this state: version, sizes, type, order, bytes or items.
fn stored(it: &Rc<Interp>, state: &[Value]) -> Step<Value> {
    let [_, shape, dtype, order, data] = state else { return Err(odd()) };
    match data {
        Value::Bytes(bytes) => {
            Ok(NdArray::value(array(it, dtype, &sizes(shape)?, matches!(order, Value::Bool(true)), bytes)?))
        }
        Value::List(_) if code(it, dtype).is_ok_and(|code| code.ends_with('O')) => {
            let module = it.import("numpy._objects".into())?;
            let class = it.getattr(&module, "ObjectArray".into())?;
            match order {
                Value::Bool(true) => Err(odd()),
                _ => it.call_with(&class, [data.clone(), shape.clone()]),
            }
        }
        _ => Err(odd()),
    }
}

/// How a file names a type of elements.
fn code(it: &Rc<Interp>, dtype: &Value) -> Step<String> {
    let kind = it.getattr(dtype, "kind".into())?;
    let size = it.getattr(dtype, "itemsize".into())?.as_int().ok_or_else(odd)?;
    match kind.as_str().ok_or_else(odd)? {
        "O" => Ok("|O".to_owned()),
        kind @ ("b" | "i" | "u" | "f" | "c") => Ok(format!("{}{kind}{size}", if size == 1 { '|' } else { '<' })),
        _ => Err(odd()),
    }
}

/// What a file names.
fn not_known(name: &str) -> Value {
    Value::unknown(format!("`{name}` of a pickled object"))
}

fn is_named(value: &Value, name: &str) -> bool {
    matches!((value, not_known(name)), (Value::Unknown(a), Value::Unknown(b)) if a.why.0 == b.why.0)
}

/// An array of these bytes: as a file of NumPy's would hold it.
fn array(it: &Rc<Interp>, dtype: &Value, shape: &[usize], by_columns: bool, bytes: &[u8]) -> Step<crate::trace::Val> {
    let shape: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let order = if by_columns { "True" } else { "False" };
    let header = format!("{{'descr': '{}', 'fortran_order': {order}, 'shape': ({shape}), }}\n", code(it, dtype)?);
    let length = u16::try_from(header.len()).map_err(|_| odd())?;
    let file = [b"\x93NUMPY\x01\x00", &length.to_le_bytes()[..], header.as_bytes(), bytes].concat();
    let stored = npy::read(&file[..], usize::MAX).map_err(|why| Halt::unknown(format!("{WHY}: {why}")))?;
    stored.tensor.map(|tensor| Array::known(tensor, false)).ok_or_else(odd)
}

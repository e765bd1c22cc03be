//! Arrays as numbers: written out, or what stands for them where they are too large for that.

use super::Writer;
use super::access::MOST_INLINE;
use super::expression::Ex;
use crate::array::tensor::Data as TensorData;
use crate::array::{DType, Kind, Number, Tensor};
use crate::module::Symbol;
use crate::python::Value;
use crate::repro::Data;
use crate::repro::data::Datum;
use crate::repro::eager;
use crate::repro::literal;
use crate::repro::names::free_name;
use crate::repro::tree::{Access, Arg, Source};
use crate::trace::Val;

impl Writer<'_> {
    /// An array by its numbers, if it has no more of them than this, or by what stands for it.
    pub fn number(&mut self, value: &Value, array: &Val, most: usize, numpy: bool) -> Ex {
        let known = self.known.get(&value.identity()).cloned();
        let array = match &known {
            Some(Value::Array(known)) => known,
            // What a compiled function is given of NumPy is an array of JAX for what it has inside.
            Some(given @ Value::Object(_)) if self.scopes.len() > 1 => {
                let tensor = eager::tensor_of(self.it, given).and_then(|tensor| eager::as_type(&tensor, &array.aval));
                match tensor {
                    Some(tensor) => &self.it.engine.constant(tensor),
                    None => return self.plain(given),
                }
            }
            Some(number) => return self.plain(number),
            None => array,
        };
        match self.large(value, array, most, numpy) {
            Some(text) => Ex::atom(text),
            None => {
                let (text, is_own) = literal::array(self.it, array, most, numpy);
                self.made_up |= !is_own;
                if !is_own && self.mode == Data::Exact {
                    self.stands_in(value, array);
                }
                Ex::atom(text)
            }
        }
    }

    /// The name of an array that stands at the top.
    pub fn topped(&mut self, value: &Value) -> Option<String> {
        let name = self.tops.get(&value.identity()).cloned()?;
        self.needs_top();
        Some(name)
    }

    /// An array that a function closes over, or that is asked for more than once: one that takes more than a line stands once at the top,
    /// under the name that the program has for it.
    pub fn at_top(&mut self, value: &Value, array: &Val, ex: Ex) -> Ex {
        if ex.text.len() <= MOST_INLINE {
            return ex;
        }
        *self.literals.entry(ex.text.clone()).or_default() += 1;
        let is_one = self.seen_literals.get(&ex.text).is_none_or(|count| *count < 2);
        if self.scopes.len() == 1 && is_one {
            return ex;
        }
        // Arrays are told apart by their numbers: those of NumPy the program may write to.
        let is_numpy = !matches!(value, Value::Array(_));
        if let Some(name) = self.constants.get(&ex.text).cloned() {
            self.needs_top();
            if !is_numpy {
                self.tops.insert(value.identity(), name.clone());
            }
            return Ex::atom(name);
        }
        let hint = self.name_of(value, array).or_else(|| self.parameter_of(value));
        let hint = hint.map_or_else(|| "array".to_owned(), |name| name.to_string());
        let name = free_name(&hint, |name| {
            self.functions.contains(name)
                || self.given.contains(name)
                || self.scopes.iter().any(|scope| scope.taken.contains(name))
        });
        self.scopes[0].taken.insert(name.clone());
        let site =
            self.state.assigned.iter().find(|(_, of, ..)| of.identity() == value.identity()).map(|(site, ..)| *site);
        let current = self.scopes.last().and_then(|scope| self.state.statements.get(scope.current));
        self.put(0, 0, format!("{name} = {}", ex.text), site.or(current.and_then(|current| current.site)));
        if !is_numpy {
            self.tops.insert(value.identity(), name.clone());
        }
        self.constants.insert(ex.text, name.clone());
        self.needs_top();
        Ex::atom(name)
    }

    /// Notes that the bodies that are being written need something that stands at the top.
    pub fn needs_top(&mut self) {
        for inner in self.scopes.iter_mut().skip(1) {
            inner.outer.insert(0);
        }
    }

    /// The parameter that a value was given as.
    fn parameter_of(&self, value: &Value) -> Option<Symbol> {
        let id = value.identity();
        self.state.holders(id).find_map(|(def, access)| match access {
            Access { from: Source::Param(i), path } if path.is_empty() => Some(self.state.defs[def].params[*i].name),
            _ => None,
        })
    }

    /// Notes that something else stands for the numbers of an array.
    fn stands_in(&mut self, value: &Value, array: &Val) {
        self.approximate = true;
        let id = value.identity();
        if self.stand_ins.iter().all(|(other, _)| *other != id) {
            let text = match self.name_of(value, array) {
                Some(name) => format!("{name}: {}", array.aval),
                None => array.aval.to_string(),
            };
            self.stand_ins.push((id, text));
        }
    }

    /// What the program calls an array: as it is given, or as it was handed over.
    fn name_of(&self, value: &Value, array: &Val) -> Option<Symbol> {
        let own = Value::from(array.clone()).identity();
        [value.identity(), own].iter().find_map(|id| self.state.names.get(id)).copied()
    }

    /// What stands for an array that is too large to be written out.
    fn large(&mut self, value: &Value, array: &Val, most: usize, numpy: bool) -> Option<String> {
        let sizes = literal::known_sizes(&array.aval);
        if self.mode == Data::Ones || sizes.iter().product::<usize>() <= most || array.is_tracer() {
            return None;
        }
        let tensor = self.it.engine.force(&array.concrete()?).ok()?;
        let first = tensor.number(0);
        if first.is_some() && !tensor.dtype.is_key() && tensor.numbers().all(|number| Some(number) == first) {
            // It is shorter than what would stand for it.
            return None;
        }
        match self.mode {
            Data::Random => {
                self.made_up = true;
                self.random(&tensor, &sizes, numpy)
            }
            _ => self.exact(value, array, tensor, numpy),
        }
    }

    /// Numbers in a file.
    fn exact(&mut self, value: &Value, array: &Val, tensor: Tensor, numpy: bool) -> Option<String> {
        let dtype = tensor.dtype;
        let (stored, view) = stored(tensor)?;
        let id = value.identity();
        let name = match self.data.iter().find(|datum| datum.of == id) {
            Some(datum) => datum.name.clone(),
            None => {
                let hint = self.name_of(value, array).map_or("array".to_owned(), |name| name.to_string());
                let name = free_name(&hint, |name| self.data.iter().any(|datum| datum.name == name));
                self.data.push(Datum { name: name.clone(), tensor: stored, of: id });
                name
            }
        };
        let mut text = format!("{}[\"{name}\"]", self.data_name);
        if view {
            text.push_str(&format!(".view(jnp.{})", dtype.name()));
        }
        Some(match () {
            () if dtype.is_key() => format!("jax.random.wrap_key_data(jnp.asarray({text}))"),
            () if numpy => text,
            () => format!("jnp.asarray({text})"),
        })
    }

    /// A list of more numbers than are written out, which may be in lists of the same length: as one of an array of them.
    pub fn long_list(&mut self, items: &[Arg]) -> Option<Ex> {
        let (mut sizes, mut floats) = (Vec::new(), Vec::new());
        let is_whole = numbers_of(items, 0, &mut sizes, &mut floats)?;
        if floats.len() <= self.most_literal || floats.len() != sizes.iter().product::<usize>() {
            return None;
        }
        if self.mode != Data::Exact {
            self.made_up = true;
            let dtype = if is_whole { ", dtype=int" } else { "" };
            return Some(Ex::atom(format!("np.ones({}{dtype}).tolist()", literal::sizes(&sizes))));
        }
        let tensor = match is_whole {
            true => Tensor::new(sizes, floats.iter().map(|number| *number as i64).collect()),
            false => Tensor::new(sizes, floats),
        };
        let is_it = |datum: &&Datum| datum.of == NO_ARRAY && datum.tensor.numbers().eq(tensor.numbers());
        let found = self.data.iter().find(is_it).map(|datum| datum.name.clone());
        let name = found.unwrap_or_else(|| {
            let name = free_name("numbers", |name| self.data.iter().any(|datum| datum.name == name));
            self.data.push(Datum { name: name.clone(), tensor, of: NO_ARRAY });
            name
        });
        Some(Ex::atom(format!("{}[\"{name}\"].tolist()", self.data_name)))
    }

    /// Random numbers of the same range, others for each array.
    fn random(&mut self, tensor: &Tensor, sizes: &[usize], numpy: bool) -> Option<String> {
        let seed = self.randoms;
        let dtype = tensor.dtype;
        let sizes = literal::sizes(sizes);
        let generator = format!("np.random.default_rng({seed})");
        let name = dtype.name();
        let text = match dtype.kind() {
            Kind::Float => {
                let (low, high) = range(tensor)?;
                let drawn = format!("{generator}.uniform({}, {}, {sizes})", literal::float(low), literal::float(high));
                match numpy {
                    true => format!("{drawn}.astype({})", literal::numpy_dtype(dtype)),
                    false => format!("jnp.asarray({drawn}, dtype=jnp.{name})"),
                }
            }
            Kind::Signed | Kind::Unsigned if !dtype.is_key() => {
                let whole = tensor.numbers().filter_map(|number| match number {
                    Number::Int(value) => Some(value),
                    _ => None,
                });
                let whole: Vec<_> = whole.collect();
                let (low, high) = (whole.iter().min()?, whole.iter().max()?);
                let named = literal::numpy_dtype(dtype);
                let drawn = match named.starts_with("np.") {
                    true => format!("{generator}.integers({low}, {high}, {sizes}, dtype={named}, endpoint=True)"),
                    false => format!("{generator}.integers({low}, {high}, {sizes}, endpoint=True).astype({named})"),
                };
                if numpy { drawn } else { format!("jnp.asarray({drawn})") }
            }
            Kind::Bool => {
                let drawn = format!("{generator}.random({sizes}) < 0.5");
                if numpy { format!("({drawn})") } else { format!("jnp.asarray({drawn})") }
            }
            _ => return None,
        };
        self.randoms += 1;
        Some(text)
    }

    /// The variable that a file is read into: one that the program has not.
    pub fn name_of_data(&self) -> String {
        free_name("data", |name| {
            self.functions.contains(name) || self.state.names.values().any(|other| other.as_str() == name)
        })
    }
}

/// Numbers in a file that are of a list.
const NO_ARRAY: usize = 0;

/// The numbers of Python's in a list, or in lists of it that are of the same length, which are all alike; whether they are whole.
fn numbers_of(items: &[Arg], depth: usize, sizes: &mut Vec<usize>, found: &mut Vec<f64>) -> Option<bool> {
    match sizes.get(depth) {
        None => sizes.push(items.len()),
        Some(size) if *size == items.len() => {}
        Some(_) => return None,
    }
    let mut is_whole = None;
    for item in items {
        let is_int = match item {
            Arg::List(inner) => numbers_of(inner, depth + 1, sizes, found)?,
            Arg::Plain(number) => {
                let (number, is_int) = match number {
                    Value::Float(number) => (*number, false),
                    Value::Int(number) if number.unsigned_abs() < EXACT => (*number as f64, true),
                    _ => return None,
                };
                found.push(number);
                is_int
            }
            _ => return None,
        };
        if *is_whole.get_or_insert(is_int) != is_int {
            return None;
        }
    }
    is_whole
}

/// Whole numbers below this one are floats as well.
const EXACT: u64 = 1 << 53;

/// The numbers in a type that files of NumPy have, and whether they have to be viewed as their own again.
fn stored(tensor: Tensor) -> Option<(Tensor, bool)> {
    match &tensor.data {
        _ if tensor.dtype.is_key() => Some((tensor.physical(), false)),
        TensorData::BF16(values) => {
            let bits = values.iter().map(|value| value.to_bits()).collect();
            Some((Tensor::wrapped::<u16>(DType::U16, tensor.shape.clone(), bits), true))
        }
        _ => is_of_numpy(tensor.dtype).then_some((tensor, false)),
    }
}

/// Whether NumPy alone has a type.
fn is_of_numpy(dtype: DType) -> bool {
    use DType::*;
    matches!(dtype, Bool | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | F16 | F32 | F64 | C64 | C128)
}

/// The least and the greatest finite number.
fn range(tensor: &Tensor) -> Option<(f64, f64)> {
    let floats = tensor.numbers().filter_map(|number| match number {
        Number::Float(value) if value.is_finite() => Some(value),
        _ => None,
    });
    let (low, high) = floats.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    (low <= high).then_some((low, high))
}

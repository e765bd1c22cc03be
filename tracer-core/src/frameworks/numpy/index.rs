//! Subscripts of NumPy's arrays: NumPy's errors, single numbers at once, assignment.

use std::rc::Rc;
use std::sync::Arc;

use super::array::{NdArray, numbers_of};
use super::call;
use super::view;
use crate::array::tensor::{Data, Sizes};
use crate::array::{DType, Dim, Shape, Tensor};
use crate::frameworks::jax::core::conversion;
use crate::interp::Interp;
use crate::primitives::{Axes, DynamicUpdateSlice, build};
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::{Array, Val};

fn index_error(text: impl Into<String>) -> Halt {
    Halt::raise("IndexError", text.into())
}

const NO_INDEX: &str = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices";

/// Positions of an index array that are looked at.
const MOST_CHECKED: usize = 100_000;

/// Checks an index as NumPy does: JAX lets some of these pass, or says it in other words.
///
/// # Errors
/// `IndexError`.
pub fn check_index(it: &Rc<Interp>, shape: &Shape, index: &Value) -> Step<()> {
    let one = [index.clone()];
    let items: &[Value] = match index {
        Value::Tuple(items) => items,
        _ => &one,
    };
    let mut taken = Vec::with_capacity(items.len());
    for item in items {
        taken.push(match item {
            Value::None | Value::Ellipsis | Value::Bool(_) => 0,
            Value::Str(_) | Value::Float(_) | Value::Complex(_) | Value::Dict(_) => return Err(index_error(NO_INDEX)),
            Value::Object(_) => match numbers_of(item) {
                Some(array) if array.aval.dtype == DType::Bool => array.aval.rank(),
                Some(array) if !array.aval.dtype.is_integer() => {
                    return Err(index_error(match super::methods::array_of(item) {
                        Some(_) => "arrays used as indices must be of integer (or boolean) type",
                        None => NO_INDEX,
                    }));
                }
                _ => 1,
            },
            Value::Array(array) if array.aval.dtype == DType::Bool => array.aval.rank(),
            Value::Array(array) if !array.aval.dtype.is_integer() => return Err(index_error(NO_INDEX)),
            Value::Unknown(_) => return Ok(()),
            _ => 1,
        });
    }
    let total: usize = taken.iter().sum();
    if total > shape.len() {
        return Err(index_error(format!(
            "too many indices for array: array is {}-dimensional, but {total} were indexed",
            shape.len()
        )));
    }
    let mut axis = 0;
    let mut open = true;
    for (item, n) in items.iter().zip(taken) {
        match item {
            Value::Ellipsis if open => {
                axis += shape.len() - total;
                open = false;
                continue;
            }
            Value::Ellipsis => return Err(index_error("an index can only have a single ellipsis ('...')")),
            Value::Int(at) => check_bounds(*at, shape, axis)?,
            Value::Object(_) => {
                if let Some(array) = numbers_of(item) {
                    check_array(&array, shape, axis)?;
                }
            }
            Value::Array(array) if !array.is_tracer() => {
                // Its numbers are asked for in any case.
                let few = array.aval.size().is_some_and(|n| n <= MOST_CHECKED);
                if few && array.aval.dtype != DType::Bool && array.tensor().is_none() {
                    match it.engine.force(array) {
                        Ok(tensor) => check_array(&Array::known(tensor, false), shape, axis)?,
                        Err(Halt::Unknown(_)) => {}
                        Err(halt) => return Err(halt),
                    }
                } else {
                    check_array(array, shape, axis)?;
                }
            }
            Value::List(list) if list.why_vague().is_none() => {
                for number in list.read().iter() {
                    match number {
                        Value::Int(at) => check_bounds(*at, shape, axis)?,
                        Value::Float(_) => {
                            return Err(index_error("arrays used as indices must be of integer (or boolean) type"));
                        }
                        _ => break,
                    }
                }
            }
            _ => {}
        }
        axis += n;
    }
    Ok(())
}

fn check_bounds(at: i64, shape: &Shape, axis: usize) -> Step<()> {
    match shape.get(axis).and_then(|d| d.known()) {
        Some(size) if at >= size as i64 || at < -(size as i64) => {
            Err(index_error(format!("index {at} is out of bounds for axis {axis} with size {size}")))
        }
        _ => Ok(()),
    }
}

fn check_array(array: &Val, shape: &Shape, axis: usize) -> Step<()> {
    if array.aval.dtype == DType::Bool {
        for (i, dim) in array.aval.shape.iter().enumerate() {
            let own = shape.get(axis + i).and_then(|d| d.known());
            if let (Some(mask), Some(own)) = (dim.known(), own)
                && mask != own
            {
                return Err(index_error(format!(
                    "boolean index did not match indexed array along axis {}; size of axis is {own} but size of \
                     corresponding boolean axis is {mask}",
                    axis + i
                )));
            }
        }
        return Ok(());
    }
    if let Some(tensor) = array.tensor()
        && tensor.len() <= MOST_CHECKED
    {
        for number in tensor.numbers() {
            if let Some(at) = number.as_int() {
                check_bounds(at, shape, axis)?;
            }
        }
    }
    Ok(())
}

/// The row-major place of one element, if the index names one by integers alone.
fn place(it: &Rc<Interp>, shape: &Shape, index: &Value) -> Option<usize> {
    let one = [index.clone()];
    let items: &[Value] = match index {
        Value::Tuple(items) => items,
        _ => &one,
    };
    if items.len() != shape.len() {
        return None;
    }
    let mut at = 0usize;
    for (item, dim) in items.iter().zip(shape) {
        let size = dim.known()?;
        let i = integer(it, item)?;
        let i = usize::try_from(if i < 0 { i + size as i64 } else { i }).ok()?;
        if i >= size {
            return None;
        }
        at = at * size + i;
    }
    Some(at)
}

/// The element at an index of integers, where its number is known already.
pub fn one_number(it: &Rc<Interp>, array: &Val, index: &Value) -> Option<Val> {
    let tensor = array.tensor()?;
    if array.aval.dtype.is_key() {
        return None;
    }
    let number = tensor.number(place(it, &array.aval.shape, index)?)?;
    Some(Array::known(Tensor::scalar_of(tensor.dtype, number), false))
}

/// Puts the number of a scalar of the same type at a place.
fn put_number(tensor: &mut Tensor, at: usize, value: &Tensor) {
    macro_rules! put {
        ($($variant:ident)*) => {
            match (&mut tensor.data, &value.data) {
                $((Data::$variant(to), Data::$variant(from)) => Arc::make_mut(to)[at] = from[0],)*
                _ => {}
            }
        };
    }
    put!(Bool I8 I16 I32 I64 U8 U16 U32 U64 BF16 F16 F32 F64 C64 C128)
}

/// What an index of integers and slices that go forward takes of an array.
struct Block {
    starts: Sizes,
    steps: Axes,
    /// How much of each axis.
    sizes: Sizes,
    /// The shape of `array[index]`.
    shape: Sizes,
}

impl Block {
    /// `None` for any other index, and where nothing is taken.
    fn of(it: &Rc<Interp>, shape: &Shape, index: &Value) -> Step<Option<Block>> {
        let items = match index {
            Value::Tuple(items) => &items[..],
            one => std::slice::from_ref(one),
        };
        let ellipses = items.iter().filter(|item| matches!(item, Value::Ellipsis)).count();
        let Some(rest) = (shape.len() + ellipses).checked_sub(items.len()) else { return Ok(None) };
        let Some(axes) = shape.iter().map(|d| d.known()).collect::<Option<Sizes>>() else { return Ok(None) };
        let mut block = Block { starts: Sizes::new(), steps: Axes::new(), sizes: Sizes::new(), shape: Sizes::new() };
        for item in items {
            let axis = block.starts.len();
            match item {
                Value::Ellipsis if ellipses == 1 => axes[axis..axis + rest].iter().for_each(|size| block.whole(*size)),
                Value::Slice(parts) if is_plain(it, parts) => {
                    let slicing = it.slicing(parts, axes[axis])?;
                    if slicing.step < 0 {
                        return Ok(None);
                    }
                    block.axis(slicing.start as usize, slicing.step as usize, slicing.count);
                    block.shape.push(slicing.count);
                }
                item => {
                    let Some(at) = integer(it, item) else { return Ok(None) };
                    let at = if at < 0 { at + axes[axis] as i64 } else { at };
                    let Some(at) = usize::try_from(at).ok().filter(|at| *at < axes[axis]) else { return Ok(None) };
                    block.axis(at, 1, 1);
                }
            }
        }
        for size in &axes[block.starts.len()..] {
            block.whole(*size);
        }
        Ok(Some(block).filter(|block| !block.sizes.contains(&0)))
    }
    fn axis(&mut self, start: usize, step: usize, count: usize) {
        self.starts.push(start);
        self.steps.push(step);
        self.sizes.push(count);
    }
    fn whole(&mut self, size: usize) {
        self.axis(0, 1, size);
        self.shape.push(size);
    }
    /// The shape of a value that is spread over the block, without axes of size 1 that lead; `None` where it does not fit.
    fn fitting(&self, value: &Shape) -> Option<Sizes> {
        let own = value.iter().map(|d| d.known()).collect::<Option<Sizes>>()?;
        let lead = own.len().saturating_sub(self.shape.len());
        let fits = own[..lead].iter().all(|n| *n == 1)
            && own[lead..].iter().rev().zip(self.shape.iter().rev()).all(|(own, size)| *own == 1 || own == size);
        fits.then(|| own[lead..].into())
    }
}

/// Whether a slice has integers for parts, or none.
fn is_plain(it: &Rc<Interp>, parts: &[Value; 3]) -> bool {
    parts.iter().all(|part| part.is_none() || integer(it, part).is_some()) && integer(it, &parts[2]) != Some(0)
}

/// An integer, Python's or NumPy's, whose number can be had.
fn integer(it: &Rc<Interp>, item: &Value) -> Option<i64> {
    match item {
        Value::Int(i) => Some(*i),
        Value::Object(object) => {
            let scalar = object.downcast::<super::scalar::NpScalar>()?;
            if !scalar.0.aval.dtype.is_integer() {
                return None;
            }
            it.engine.force(&scalar.0).ok()?.number(0)?.as_int()
        }
        _ => None,
    }
}

/// `before` with a value of the same type over what an index of integers and slices takes; `None` where the prelude has to do it.
///
/// # Errors
/// What the primitives raise.
pub fn put_block(it: &Rc<Interp>, before: &Val, index: &Value, value: &Val) -> Step<Option<Val>> {
    match Block::of(it, &before.aval.shape, index)? {
        Some(block) => put_over(it, before, &block, value),
        None => Ok(None),
    }
}

fn put_over(it: &Rc<Interp>, before: &Val, block: &Block, value: &Val) -> Step<Option<Val>> {
    let Some(own) = block.fitting(&value.aval.shape) else { return Ok(None) };
    if let (Some(tensor), Some(update)) = (before.tensor(), value.tensor()) {
        let update = update.reshaped(own).broadcast_to(&block.shape).reshaped(block.sizes.clone());
        return Ok(Some(Array::known(tensor.clone().write_window(&update, &block.starts, &block.steps), false)));
    }
    if block.steps.iter().any(|step| *step != 1) {
        return Ok(None);
    }
    let shape = |sizes: &Sizes| sizes.iter().map(|n| Dim::from(*n)).collect::<Shape>();
    let update = call::spread(it, value, &shape(&block.shape))?;
    let update = build::reshape(&it.engine, &update, &shape(&block.sizes))?;
    let starts = block.starts.iter().map(|start| Array::known(Tensor::scalar(*start as i32), false));
    let inputs: Vec<Val> = [before.clone(), update].into_iter().chain(starts).collect();
    it.array_work.set(it.array_work.get() + 1);
    it.engine.bind1(DynamicUpdateSlice, &inputs).map(Some)
}

/// The number of a value as a scalar of a type, where it has one that NumPy takes for it.
fn scalar(value: &Value, dtype: DType) -> Option<Tensor> {
    let tensor = match value {
        Value::Bool(x) => Tensor::scalar(*x),
        Value::Int(x) => {
            let fits = match dtype.is_integer() {
                true => {
                    let (bits, x) = (dtype.bits(), i128::from(*x));
                    match dtype.kind() {
                        crate::array::Kind::Unsigned => (0..1i128 << bits).contains(&x),
                        _ => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&x),
                    }
                }
                false => true,
            };
            if !fits {
                return None;
            }
            Tensor::scalar(*x)
        }
        Value::Float(x) if dtype.is_inexact() || x.is_finite() && x.abs() < 2f64.powi(31) => Tensor::scalar(*x),
        Value::Object(_) | Value::Array(_) => {
            let array = match value {
                Value::Array(array) => array.clone(),
                _ => numbers_of(value)?,
            };
            if array.aval.rank() != 0 || array.is_tracer() || array.aval.dtype.is_complex() && !dtype.is_complex() {
                return None;
            }
            array.tensor()?.clone()
        }
        _ => return None,
    };
    (!dtype.is_key()).then(|| tensor.convert(dtype))
}

/// What an array holds after `a[index] = value`; `None` where it was written in place.
///
/// # Errors
/// What the assignment raises; unknown where the result is not known.
pub fn put_value(it: &Rc<Interp>, a: &NdArray, before: Val, index: &Value, value: &Value) -> Step<Option<Val>> {
    let dtype = before.aval.dtype;
    if let Value::Array(array) = value
        && array.concrete().is_none()
    {
        // One element is asked of it as a number, a part as an array.
        let wants_number = match index {
            Value::Tuple(items) => {
                items.len() == before.aval.rank() && items.iter().all(|item| integer(it, item).is_some())
            }
            item => before.aval.rank() == 1 && integer(it, item).is_some(),
        };
        return Err(match wants_number {
            true => Halt::value_error("setting an array element with a sequence."),
            false => call::not_numpy(array),
        });
    }
    if let (Value::Int(x), true) = (value, dtype.is_integer())
        && scalar(value, dtype).is_none()
    {
        return Err(Halt::raise("OverflowError", format!("Python integer {x} out of bounds for {}", dtype.name())));
    }
    if let Value::Str(text) = value
        && text.trim().parse::<f64>().is_err()
        && text.is_ascii()
    {
        let text = crate::interp::format::str_repr(text);
        if dtype.is_integer() {
            return Err(Halt::value_error(format!("invalid literal for int() with base 10: {text}")));
        }
        if dtype.is_inexact() && !dtype.is_complex() {
            return Err(Halt::value_error(format!("could not convert string to float: {text}")));
        }
    }
    let number = scalar(value, dtype);
    let is_known = number.is_some() || numbers_of(value).is_some_and(|array| array.tensor().is_some());
    let before = if is_known { a.made(it, before) } else { before };
    if let (Some(number), Some(_)) = (&number, before.tensor()) {
        if let Some(at) = place(it, &before.aval.shape, index) {
            return Ok(a.rewrite(before, |mut tensor| {
                put_number(&mut tensor, at, number);
                tensor
            }));
        }
        if let Some(block) = Block::of(it, &before.aval.shape, index)? {
            let update = number.broadcast_to(&block.sizes);
            return Ok(a.rewrite(before, |tensor| tensor.write_window(&update, &block.starts, &block.steps)));
        }
    }
    let given = value.clone();
    call::in_numpy(it, || {
        let value = match numbers_of(value) {
            Some(array) => Value::Array(array),
            None => match value {
                Value::List(_) | Value::Tuple(_) => {
                    let tensor = super::from_python::tensor_of(it, value, None)?;
                    Value::Array(Array::known(tensor, false))
                }
                other => other.clone(),
            },
        };
        let value = match conversion::to_array(it, &value)? {
            Some(array) => {
                let array = array.concrete().unwrap_or(array);
                if place(it, &before.aval.shape, index).is_some() && array.aval.rank() > 0 {
                    return Err(no_element(it, dtype, &given, array.aval.rank()));
                }
                if !covers_all(index)
                    && let Some(block) = Block::of(it, &before.aval.shape, index)?
                    && block.fitting(&array.aval.shape).is_some()
                {
                    let array = conversion::convert(it, &array, dtype, false)?;
                    if let Some(done) = put_over(it, &before, &block, &array)? {
                        return Ok(Some(done));
                    }
                }
                let lead = check_fits(it, &before, index, &array)?;
                let array = match lead {
                    0 => array,
                    lead => build::reshape(&it.engine, &array, &array.aval.shape[lead..])?,
                };
                if covers_all(index) {
                    let array = conversion::convert(it, &array, dtype, false)?;
                    return call::spread(it, &array, &before.aval.shape).map(Some);
                }
                Value::Array(conversion::convert(it, &array, dtype, false)?)
            }
            None => return Err(Halt::unknown("assignment of such a value to items of a NumPy array")),
        };
        view::put_at(it, &before, index, &value).map(Some)
    })
}

/// The error of one element that is given something with axes. Floats are asked for as a sequence would be, other numbers of what is no array of
/// NumPy's as Python's own types ask.
#[cold]
fn no_element(it: &Rc<Interp>, dtype: DType, given: &Value, rank: usize) -> Halt {
    let of_numpy = matches!(given, Value::Object(_));
    let name = it.type_name(given);
    match given {
        _ if dtype.is_complex() && of_numpy => {
            Halt::type_error("only 0-dimensional arrays can be converted to Python scalars")
        }
        Value::List(_) | Value::Tuple(_) if dtype.is_complex() => {
            Halt::type_error(format!("must be real number, not {name}"))
        }
        Value::List(_) | Value::Tuple(_) if dtype.is_integer() => Halt::type_error(format!(
            "int() argument must be a string, a bytes-like object or a real number, not '{name}'"
        )),
        Value::Array(_) if dtype.is_integer() => {
            Halt::type_error(format!("Only scalar arrays can be converted to Python scalars; got arr.ndim={rank}"))
        }
        _ if dtype.is_integer() || dtype.is_inexact() && !dtype.is_complex() => {
            Halt::value_error("setting an array element with a sequence.")
        }
        _ => Halt::unknown("an element that is set to what has axes"),
    }
}

/// Whether an index takes all elements in their places: what was there does not matter.
fn covers_all(index: &Value) -> bool {
    let whole = |item: &Value| match item {
        Value::Ellipsis => true,
        Value::Slice(parts) => {
            parts[0].is_none() && parts[1].is_none() && matches!(parts[2], Value::None | Value::Int(1))
        }
        _ => false,
    };
    match index {
        Value::Tuple(items) => items.iter().all(whole),
        index => whole(index),
    }
}

fn check_fits(it: &Rc<Interp>, before: &Val, index: &Value, value: &Val) -> Step<usize> {
    let own = &value.aval.shape;
    if own.is_empty() {
        return Ok(0);
    }
    let place = match view::index_of(it, before, index) {
        Ok(place) => place,
        Err(Halt::Unknown(_)) => return Ok(0),
        Err(halt) => return Err(halt),
    };
    let target = &place.aval.shape;
    let lead = own.iter().take_while(|d| **d == 1usize).count().min(own.len().saturating_sub(target.len()));
    let rest = &own[lead..];
    let fits = rest.len() <= target.len()
        && rest.iter().rev().zip(target.iter().rev()).all(|(a, b)| *a == 1usize || a.known().is_none() || a == b);
    if fits {
        return Ok(lead);
    }
    let mask = match index {
        Value::Object(_) => numbers_of(index).is_some_and(|i| i.aval.dtype == DType::Bool),
        _ => false,
    };
    if mask && own.len() == 1 {
        return Err(Halt::value_error(format!(
            "NumPy boolean array indexing assignment cannot assign {} input values to the {} output values where the mask is \
             true",
            own[0],
            target.first().map_or("1".into(), |d| d.to_string())
        )));
    }
    let basic = match index {
        Value::Tuple(items) => items.iter().all(view::is_basic),
        index => view::is_basic(index),
    };
    Err(Halt::value_error(match basic {
        true => format!(
            "could not broadcast input array from shape {} into shape {}",
            call::tight(own),
            call::tight(target)
        ),
        false => format!(
            "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
            call::tight(own),
            call::tight(target)
        ),
    }))
}

//! Operators and methods of NumPy's arrays and scalars: those of the framework's arrays, outside of traces, in 64 bits.

use std::any::Any;
use std::rc::Rc;

use super::array::{NdArray, numbers_of};
use super::call;
use super::from_python;
use super::index::{check_index, one_number, put_value};
use super::scalar::NpScalar;
use super::view::{self, Layout, Via};
use crate::array::{Aval, DType, Kind};
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Guess, NativeFn, Value};
use crate::trace::Val;

fn operator(it: &Rc<Interp>, name: &str, args: impl IntoIterator<Item = Value>) -> Step<Option<Value>> {
    let Value::Dict(table) = prelude_member(it, "jax._array", "OPERATORS")? else { return Ok(None) };
    let function = table.read().get(&crate::python::Key::str(name)).cloned();
    match function {
        Some(function) => match call::call(it, &function, Args::of(args))? {
            Value::NotImplemented => Ok(None),
            value => Ok(Some(value)),
        },
        None => Ok(None),
    }
}

/// The array behind a value, as an object of its own.
pub fn array_of(value: &Value) -> Option<Rc<NdArray>> {
    match value {
        Value::Object(object) if object.downcast::<NdArray>().is_some() => {
            let any: Rc<dyn Any> = object.clone();
            any.downcast::<NdArray>().ok()
        }
        _ => None,
    }
}

/// Whether NumPy combines with a value under operators.
fn is_operand(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Bool(_) | Value::Complex(_))
        || numbers_of(value).is_some()
        || matches!(value, Value::Unknown(unknown) if !matches!(unknown.guess, Guess::Any | Guess::Str))
}

/// The other side of an operator: what an object of the program's makes of itself, where NumPy does not leave the operator to it.
/// An array asks an object that is none, and does not ask to be first, once for each of its elements.
fn other_side(it: &Rc<Interp>, array: &Value, value: &Value, mirrored: Symbol) -> Step<Option<Value>> {
    if is_operand(value) {
        return Ok(Some(value.clone()));
    }
    if from_python::is_sequence(value) {
        return array_of_items(it, value).map(Some);
    }
    let Value::Instance(instance) = value else { return Ok(None) };
    let class = instance.class();
    if !from_python::makes_array(value) {
        let asks =
            ["__array_ufunc__", "__array_priority__"].iter().any(|name| class.lookup(Symbol::from(*name)).is_some());
        // Classes of ours stand for some that ask.
        let own = matches!(class.lookup(mirrored), Some(Value::Function(f)) if !f.module.unit.ours);
        let each = own && !asks && numbers_of(array).is_some_and(|a| a.aval.rank() > 0);
        return if each { Err(Halt::unknown("an array of objects")) } else { Ok(None) };
    }
    match class.lookup(Symbol::from("__array_ufunc__")) {
        Some(Value::None) => return Ok(None),
        Some(_) => return Err(Halt::unknown("`__array_ufunc__` of a class of the program")),
        None if class.lookup(Symbol::from("__array_priority__")).is_some() && class.lookup(mirrored).is_some() => {
            return Ok(None);
        }
        None => {}
    }
    from_python::own_array(it, value.clone(), None).map(Some)
}

/// The array that NumPy makes of a list, a tuple or a range that is the other side of an operator.
fn array_of_items(it: &Rc<Interp>, value: &Value) -> Step<Value> {
    if from_python::holds_objects(it, value)? {
        return Err(Halt::unknown("an array of objects"));
    }
    from_python::array_of(it, value, None).map(NdArray::value)
}

/// What NumPy calls an operator.
fn ufunc_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "subtract",
        BinaryOp::Mul => "multiply",
        BinaryOp::MatMul => "matmul",
        BinaryOp::Div => "divide",
        BinaryOp::FloorDiv => "floor_divide",
        BinaryOp::Mod => "remainder",
        BinaryOp::Pow => "power",
        BinaryOp::LShift => "left_shift",
        BinaryOp::RShift => "right_shift",
        BinaryOp::BitAnd => "bitwise_and",
        BinaryOp::BitOr => "bitwise_or",
        BinaryOp::BitXor => "bitwise_xor",
    }
}

/// `a op b`
///
/// # Errors
/// What the operation raises.
pub fn binary(it: &Rc<Interp>, a: Value, op: BinaryOp, b: &Value, reflected: bool) -> Step<Option<Value>> {
    let (_, plain, mirrored, _) = crate::interp::operator::spelling(op);
    if op == BinaryOp::Mul
        && let Some(repeated) = repeated(it, &a, b)?
    {
        return Ok(Some(repeated));
    }
    let Some(b) = &other_side(it, &a, b, mirrored)? else { return Ok(None) };
    let args = if reflected { [b, &a] } else { [&a, b] };
    call::check_operands(it, ufunc_name(op), &args)?;
    let args = call::prepared(it, ufunc_name(op), vec![a, b.clone()])?;
    operator(it, if reflected { mirrored } else { plain }.as_str(), args)
}

/// What a scalar of NumPy does to a list or a tuple that it is multiplied with: a whole number repeats it.
fn repeated(it: &Rc<Interp>, a: &Value, b: &Value) -> Step<Option<Value>> {
    let Some(number) = numbers_of(a) else { return Ok(None) };
    if !matches!(b.base(), Value::List(_) | Value::Tuple(_)) || array_of(a).is_some() {
        return Ok(None);
    }
    match number.aval.dtype.is_integer() {
        true => it.binary(BinaryOp::Mul, b, &Value::Int(it.index(a)?)).map(Some),
        false => {
            Err(Halt::type_error(format!("can't multiply sequence by non-int of type '{}'", it.operand_type_name(a))))
        }
    }
}

/// `op a`
///
/// # Errors
/// What the operation raises.
pub fn unary(it: &Rc<Interp>, a: Value, op: UnaryOp) -> Step<Value> {
    let (name, ufunc) = match op {
        UnaryOp::Neg => ("__neg__", "negative"),
        UnaryOp::Pos => ("__pos__", "positive"),
        _ => ("__invert__", "invert"),
    };
    call::check_operands(it, ufunc, &[&a])?;
    operator(it, name, [a])?.ok_or_else(|| Halt::unknown(format!("`{name}` of NumPy arrays")))
}

/// `a op b`
///
/// # Errors
/// What the comparison raises.
pub fn compare(it: &Rc<Interp>, a: Value, op: CompareOp, b: &Value, reflected: bool) -> Step<Option<Value>> {
    let items;
    let b = match from_python::is_sequence(b) {
        true => {
            items = array_of_items(it, b)?;
            &items
        }
        false => b,
    };
    if !is_operand(b) {
        return Ok(match op {
            CompareOp::Eq if b.is_none() => none_comparison(it, &a, false)?,
            CompareOp::NotEq if b.is_none() => none_comparison(it, &a, true)?,
            _ => None,
        });
    }
    let name = match (op, reflected) {
        (CompareOp::Eq, _) => "__eq__",
        (CompareOp::NotEq, _) => "__ne__",
        (CompareOp::Lt, false) | (CompareOp::Gt, true) => "__lt__",
        (CompareOp::LtE, false) | (CompareOp::GtE, true) => "__le__",
        (CompareOp::Gt, _) | (CompareOp::Lt, true) => "__gt__",
        _ => "__ge__",
    };
    call::check_operands(it, name, &[&a, b])?;
    if let Some(truth) = beyond(&a, b, name) {
        return filled(it, &a, truth).map(Some);
    }
    operator(it, name, [a, b.clone()])
}

/// What a comparison gives everywhere with a whole number of Python's that an array's type does not hold.
fn beyond(a: &Value, b: &Value, name: &str) -> Option<bool> {
    let dtype = numbers_of(a)?.aval.dtype;
    if !dtype.is_integer() || dtype.is_key() {
        return None;
    }
    let bits = dtype.bits();
    let (low, high) = match dtype.kind() {
        Kind::Unsigned => (0, (1i128 << bits) - 1),
        _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    };
    let (is_low, is_high) = match b {
        Value::Int(n) => (i128::from(*n) < low, i128::from(*n) > high),
        Value::BigInt(n) => (**n < low.into(), **n > high.into()),
        _ => return None,
    };
    (is_low || is_high).then_some(match name {
        "__eq__" => false,
        "__ne__" => true,
        "__lt__" | "__le__" => is_high,
        _ => is_low,
    })
}

/// `a == None`, element by element.
fn none_comparison(it: &Rc<Interp>, a: &Value, truth: bool) -> Step<Option<Value>> {
    let Some(array) = array_of(a) else { return Ok(Some(Value::Bool(truth))) };
    filled(it, &Value::Object(array), truth).map(Some)
}

/// Booleans of the shape of an array, all alike.
fn filled(it: &Rc<Interp>, a: &Value, truth: bool) -> Step<Value> {
    let shape = numbers_of(a).map(|array| array.aval.shape.clone()).unwrap_or_default();
    let value = call::in_numpy(it, || {
        crate::primitives::build::full(&it.engine, DType::Bool, &shape, crate::array::number::Number::Bool(truth))
    })?;
    Ok(if array_of(a).is_some_and(|array| array.array().aval.rank() > 0) {
        NdArray::value(value)
    } else {
        NpScalar::value(value)
    })
}

/// `a[index]`
///
/// # Errors
/// What the subscript raises.
pub fn getitem(it: &Rc<Interp>, a: Value, index: &Value) -> Step<Value> {
    let Some(array) = numbers_of(&a) else { return Err(Halt::unknown("indexing of NumPy arrays")) };
    check_index(it, &array.aval.shape, index)?;
    if let Some(number) = one_number(it, &array, index) {
        return Ok(NpScalar::value(number));
    }
    let inner = call::inward_index(it, index)?;
    let rows = array_of(&a).is_none_or(|a| a.layout == Layout::Rows || array.aval.rank() < 2);
    let result = match call::result(it, rows, || crate::frameworks::jax::indexing::take(it, &array, &inner))? {
        Some(result) => result,
        None => {
            operator(it, "__getitem__", [a.clone(), inner])?.ok_or_else(|| Halt::unknown("indexing of NumPy arrays"))?
        }
    };
    let Some(base) = array_of(&a) else { return Ok(result) };
    let Some(layout) = view::indexed(&array.aval.shape, &base.layout, index) else { return Ok(result) };
    let Some(own) = numbers_of(&result) else { return Ok(result) };
    let open = match index {
        Value::Tuple(items) => items.iter().any(|i| matches!(i, Value::Ellipsis)),
        index => matches!(index, Value::Ellipsis),
    };
    if own.aval.rank() == 0 && !open {
        return Ok(result);
    }
    let layout = match layout {
        Layout::Strided(strides) if strides.len() == own.aval.rank() => Layout::of(strides, &own.aval.shape),
        _ => Layout::Unknown,
    };
    Ok(Value::Object(NdArray::view(it, base, Via::Index(index.clone()), own, layout)))
}

/// `a[index] = value`
///
/// # Errors
/// What the assignment raises.
pub fn setitem(it: &Rc<Interp>, a: &Rc<NdArray>, index: &Value, value: &Value) -> Step<()> {
    if a.read_only.get() {
        return Err(Halt::value_error("assignment destination is read-only"));
    }
    let before = a.array();
    check_index(it, &before.aval.shape, index)?;
    match put_value(it, a, before, index, value) {
        Ok(Some(new)) => a.set(it, new),
        Ok(None) => {}
        Err(Halt::Unknown(_)) => a.forget("written in a way that is not known"),
        Err(halt) => return Err(halt),
    }
    Ok(())
}

/// `a op= b`
fn in_place(it: &Rc<Interp>, a: &Rc<NdArray>, op: BinaryOp, other: &Value) -> Step<Value> {
    if let Value::Array(_) = other {
        return Ok(Value::NotImplemented);
    }
    if a.read_only.get() {
        return Err(Halt::value_error("output array is read-only"));
    }
    let own = Value::Object(a.clone());
    let result = match binary(it, own.clone(), op, other, false) {
        Ok(Some(result)) => result,
        Ok(None) => return Ok(Value::NotImplemented),
        Err(Halt::Unknown(why)) => {
            a.forget(&why.0);
            return Ok(own);
        }
        Err(halt) => return Err(halt),
    };
    let Some(array) = numbers_of(&result) else {
        a.forget("written in a way that is not known");
        return Ok(own);
    };
    store(it, ufunc_name(op), a, &array)?;
    Ok(own)
}

/// A result in an array that is there, by the rules of a ufunc's output.
///
/// # Errors
/// `UFuncTypeError` where the type does not fit, `ValueError` where the shape does not.
pub fn store(it: &Rc<Interp>, name: &str, out: &Rc<NdArray>, result: &Val) -> Step<()> {
    let to = out.array().aval.clone();
    let rank = |d: DType| match d.kind() {
        Kind::Bool => 0,
        Kind::Unsigned => 1,
        Kind::Signed => 2,
        Kind::Float => 3,
        _ => 4,
    };
    if rank(result.aval.dtype) > rank(to.dtype) {
        return Err(Halt::raise(
            "numpy._core._exceptions._UFuncOutputCastingError",
            format!(
                "Cannot cast ufunc '{name}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
                result.aval.dtype.name(),
                to.dtype.name()
            ),
        ));
    }
    let new = call::in_numpy(it, || {
        let array = crate::frameworks::jax::core::conversion::convert(it, result, to.dtype, false)?;
        if array.aval.shape == to.shape {
            return Ok(array);
        }
        let shape = call::broadcast_shape(&[to.shape.clone(), array.aval.shape.clone()]);
        if shape.as_ref().is_none_or(|shape| *shape != to.shape) {
            return Err(Halt::value_error(format!(
                "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}",
                call::tight(&to.shape),
                call::tight(&shape.unwrap_or_else(|| array.aval.shape.clone()))
            )));
        }
        call::spread(it, &array, &to.shape)
    })?;
    out.set(it, new);
    Ok(())
}

fn spelled_in_place(name: &str) -> Option<BinaryOp> {
    BinaryOp::ALL.into_iter().find(|op| crate::interp::operator::spelling(*op).3.as_str() == name)
}

/// A view of another shape where NumPy gives one, a copy where it copies.
fn as_reshaped(it: &Rc<Interp>, base: &Rc<NdArray>, own: Val) -> Value {
    let before = base.array();
    Value::Object(match view::reshaped(&before.aval.shape, &base.layout, &own.aval.shape) {
        view::Reshaped::View(layout) => NdArray::view(it, base.clone(), Via::Reshape, own, layout),
        view::Reshaped::Copy => NdArray::new(own),
        view::Reshaped::Unknown => NdArray::view(it, base.clone(), Via::Maybe, own, Layout::Unknown),
    })
}

/// What may be a view of the array.
pub fn maybe_view(it: &Rc<Interp>, base: &Rc<NdArray>, own: Val) -> Value {
    Value::Object(NdArray::view(it, base.clone(), Via::Maybe, own, Layout::Unknown))
}

fn permuted(it: &Rc<Interp>, base: &Rc<NdArray>, axes: &[usize]) -> Step<Value> {
    let before = base.array();
    let own = call::in_numpy(it, || crate::primitives::build::transpose(&it.engine, &before, axes))?;
    let layout = match base.layout.strides(&before.aval.shape) {
        Some(strides) => Layout::of(axes.iter().map(|a| strides[*a]).collect(), &own.aval.shape),
        None => Layout::Unknown,
    };
    Ok(Value::Object(NdArray::view(it, base.clone(), Via::Permute(axes.into()), own, layout)))
}

fn axis_error(axis: i64, rank: usize, prefix: &str) -> Halt {
    Halt::raise(
        "numpy.exceptions.AxisError",
        format!("{prefix}axis {axis} is out of bounds for array of dimension {rank}"),
    )
}

fn axis_of(it: &Rc<Interp>, value: &Value, rank: usize, prefix: &str) -> Step<usize> {
    let axis = it.index(value)?;
    let place = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(place).ok().filter(|a| *a < rank).ok_or_else(|| axis_error(axis, rank, prefix))
}

/// Sizes or axes that are given as one array are taken for the tuple of its items.
fn spread(it: &Rc<Interp>, args: &mut Args) -> Step<()> {
    if let [one] = args.positional.as_mut_slice() {
        match &*one {
            Value::Unknown(unknown) if unknown.guess == Guess::Any => return Err(Halt::Unknown(unknown.why.clone())),
            Value::Array(array) if array.aval.rank() == 1 => *one = Value::tuple(it.to_vec(one)?),
            Value::Object(_) if array_of(one).is_some_and(|array| array.array().aval.rank() == 1) => {
                *one = Value::tuple(it.to_vec(one)?);
            }
            _ => {}
        }
    }
    Ok(())
}

/// `a.reshape(…)`'s check of the sizes, as NumPy words it.
fn check_reshape(it: &Rc<Interp>, aval: &Aval, args: &Args) -> Step<()> {
    let values: Vec<Value> = match args.positional.as_slice() {
        [Value::Tuple(items)] => items.to_vec(),
        [Value::List(_)] => it.to_vec(&args.positional[0])?,
        all => all.to_vec(),
    };
    let mut sizes = Vec::new();
    for value in &values {
        match value {
            Value::Int(n) => sizes.push(*n),
            value if numbers_of(value).is_some() => sizes.push(it.index(value)?),
            Value::Float(_) => {
                return Err(Halt::type_error("'float' object cannot be interpreted as an integer"));
            }
            _ => return Ok(()),
        }
    }
    let Some(size) = aval.size() else { return Ok(()) };
    let open = sizes.iter().filter(|n| **n < 0).count();
    if open > 1 {
        return Err(Halt::value_error("can only specify one unknown dimension"));
    }
    let product = sizes.iter().filter(|n| **n >= 0).fold(1i64, |n, m| n.saturating_mul(*m));
    let fits = match open {
        0 => product == size as i64,
        _ => product > 0 && size as i64 % product == 0,
    };
    if fits {
        return Ok(());
    }
    // NumPy leaves out what is open at the beginning.
    let shown = sizes.iter().skip_while(|n| **n < 0);
    let text: Vec<String> = shown.map(|n| if *n < 0 { "newaxis".to_owned() } else { n.to_string() }).collect();
    let comma = if sizes.len() == 1 { "," } else { "" };
    Err(Halt::value_error(format!("cannot reshape array of size {size} into shape ({}{comma})", text.join(","))))
}

/// The function behind a method of the framework's arrays.
fn table_entry(it: &Rc<Interp>, table: &str, name: &str) -> Step<Option<Value>> {
    let Value::Dict(table) = prelude_member(it, "jax._array", table)? else { return Ok(None) };
    Ok(table.read().get(&crate::python::Key::str(name)).cloned())
}

/// The layout that a method is asked for: by its name, or by its place where it has one.
fn order_of(it: &Rc<Interp>, name: &str, args: &mut Args) -> Step<String> {
    let place = match name {
        "ravel" | "flatten" | "copy" => Some(0),
        "astype" => Some(1),
        _ => None,
    };
    let by_place = place.and_then(|place| args.positional.get(place).cloned());
    let Some(order) = args.take_keyword("order").or(by_place) else { return Ok("C".into()) };
    match &order {
        Value::None => Ok("C".into()),
        Value::Str(text) if matches!(text.as_bytes(), [b'C' | b'F' | b'A' | b'K' | b'c' | b'f' | b'a' | b'k']) => {
            Ok(text.to_uppercase())
        }
        Value::Str(_) => {
            let shown = it.repr(&order)?;
            let shown = shown.as_str().unwrap_or("…").to_owned();
            Err(Halt::value_error(format!("order must be one of 'C', 'F', 'A', or 'K' (got {shown})")))
        }
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        other => Err(Halt::type_error(format!("order must be str, not {}", it.operand_type_name(other)))),
    }
}

/// The type that an array is asked to have, which comes before all options, and whether it may be cast.
fn check_astype(it: &Rc<Interp>, array: &Value, args: &Args) -> Step<()> {
    let named = |name: &str| args.keyword.iter().find(|(key, _)| key.as_str() == name).map(|(_, value)| value);
    let Some(dtype) = named("dtype").or(args.positional.first()) else { return Ok(()) };
    let dtype = crate::frameworks::dtypes::value(crate::frameworks::dtypes::asked(it, dtype)?);
    if let Some(casting) = named("casting") {
        let check = prelude_member(it, "numpy._methods", "check_cast")?;
        call::call(it, &check, Args::of([array.clone(), dtype, casting.clone()]))?;
    }
    Ok(())
}

/// Methods that show an array in another way.
fn showing(it: &Rc<Interp>, base: &Rc<NdArray>, name: &str, mut args: Args) -> Step<Value> {
    let own = Value::Object(base.clone());
    let aval = base.array().aval.clone();
    let rank = aval.rank();
    if name == "astype" {
        check_astype(it, &own, &args)?;
    }
    let is_asked = args.positional.len() > 1 || args.keyword.iter().any(|(key, _)| key.as_str() == "order");
    let order = order_of(it, name, &mut args)?;
    let by_function = |args: Args| -> Step<Val> {
        let function = table_entry(it, "METHODS", name)?.ok_or_else(|| Halt::unknown(format!("`ndarray.{name}`")))?;
        let result = call::call(it, &function, args.with_receiver(own.clone()))?;
        numbers_of(&result).ok_or_else(|| Halt::unknown(format!("`ndarray.{name}`")))
    };
    match name {
        "reshape" => {
            args.take_keyword("copy");
            if let Some(shape) = args.take_keyword("shape") {
                args.positional.push(shape);
            }
            spread(it, &mut args)?;
            check_reshape(it, &aval, &args)?;
            if order == "F" {
                args.keyword.push((sym!("order"), Value::str("F")));
                let array = by_function(args)?;
                return Ok(maybe_view(it, base, array));
            }
            let array = by_function(args)?;
            if order == "C" { Ok(as_reshaped(it, base, array)) } else { Ok(maybe_view(it, base, array)) }
        }
        "ravel" => {
            if order == "F" {
                let array = by_function(Args {
                    keyword: [(sym!("order"), Value::str("F"))].into_iter().collect(),
                    ..Args::none()
                })?;
                return Ok(maybe_view(it, base, array));
            }
            let array = by_function(Args::none())?;
            match &base.layout {
                Layout::Rows => Ok(as_reshaped(it, base, array)),
                // Unlike `reshape`, it copies what is not whole.
                Layout::Strided(_) if order == "C" => Ok(NdArray::value(array)),
                _ => Ok(maybe_view(it, base, array)),
            }
        }
        "squeeze" => {
            if let Some(axis) = args.positional.first().cloned().or_else(|| args.take_keyword("axis")) {
                let axes = match &axis {
                    Value::None => Vec::new(),
                    Value::Tuple(axes) => axes.to_vec(),
                    axis => vec![axis.clone()],
                };
                for axis in axes {
                    if let Value::Bool(_) = axis {
                        return Err(Halt::type_error("an integer is required for the axis"));
                    }
                    let axis = axis_of(it, &axis, rank, "")?;
                    if aval.shape[axis].known().is_some_and(|n| n != 1) {
                        return Err(Halt::value_error(
                            "cannot select an axis to squeeze out which has size not equal to one",
                        ));
                    }
                }
                args = Args::of([axis]);
            }
            let array = by_function(args)?;
            Ok(as_reshaped(it, base, array))
        }
        "transpose" => {
            spread(it, &mut args)?;
            let axes: Vec<Value> = match args.positional.as_slice() {
                [] | [Value::None] => (0..rank).rev().map(Value::size).collect(),
                [one @ (Value::Tuple(_) | Value::List(_))] => it.to_vec(one)?,
                all => all.to_vec(),
            };
            for axis in &axes {
                match axis {
                    Value::Bool(_) => return Err(Halt::type_error("an integer is required")),
                    Value::Float(_) | Value::Str(_) | Value::Tuple(_) | Value::List(_) => {
                        it.index(axis)?;
                    }
                    Value::Array(array) if array.aval.rank() > 0 || array.aval.dtype.is_inexact() => {
                        return Err(Halt::type_error("only integer scalar arrays can be converted to a scalar index"));
                    }
                    axis => {
                        if let Some(array) = numbers_of(axis)
                            && (array.aval.rank() > 0 || array.aval.dtype.is_inexact())
                        {
                            return Err(Halt::type_error(
                                "only integer scalar arrays can be converted to a scalar index",
                            ));
                        }
                    }
                }
            }
            if axes.len() != rank {
                return Err(Halt::value_error("axes don't match array"));
            }
            let axes = axes.iter().map(|a| axis_of(it, a, rank, "")).collect::<Step<Vec<_>>>()?;
            let mut seen = vec![false; rank];
            for axis in &axes {
                if std::mem::replace(&mut seen[*axis], true) {
                    return Err(Halt::value_error("repeated axis in transpose"));
                }
            }
            permuted(it, base, &axes)
        }
        "swapaxes" => {
            let [a, b] = args.bind("swapaxes", ["axis1", "axis2"], 2)?;
            let (a, b) = (axis_of(it, &a, rank, "axis1: ")?, axis_of(it, &b, rank, "axis2: ")?);
            let mut axes: Vec<usize> = (0..rank).collect();
            axes.swap(a, b);
            permuted(it, base, &axes)
        }
        "astype" => {
            for name in ["casting", "subok"] {
                args.take_keyword(name);
            }
            let copy = args.take_keyword("copy").map_or(Ok(true), |copy| it.truth(&copy))?;
            if let Some(dtype) = args.take_keyword("dtype") {
                args.positional.insert(0, dtype);
            }
            if let Some(casting @ (Value::Bool(_) | Value::Int(_))) = args.positional.get(2) {
                let given = it.operand_type_name(casting);
                return Err(Halt::type_error(format!("casting must be str, not {given}")));
            }
            args.positional.truncate(1);
            if let Some(dtype) = args.positional.first_mut() {
                *dtype = crate::frameworks::dtypes::value(crate::frameworks::dtypes::asked(it, dtype)?);
            }
            let array = by_function(args)?;
            if !copy && array.aval.dtype == aval.dtype {
                return Ok(own);
            }
            let order = if is_asked { &*order } else { "K" };
            Ok(Value::Object(NdArray::laid_out(array, copied_layout(base, order))))
        }
        "copy" => Ok(Value::Object(NdArray::laid_out(base.array(), copied_layout(base, &order)))),
        "flatten" => {
            let mut given = Args::none();
            if order == "F" {
                given.keyword.push((sym!("order"), Value::str("F")));
            }
            Ok(NdArray::value(by_function(given)?))
        }
        _ => {
            if let ("view", [dtype @ (Value::Array(_) | Value::Object(_))]) = (name, args.positional.as_mut_slice()) {
                *dtype = crate::frameworks::dtypes::value(crate::frameworks::dtypes::asked(it, dtype)?);
            }
            let array = by_function(args)?;
            Ok(maybe_view(it, base, array))
        }
    }
}

/// The layout of a copy in an order.
fn copied_layout(base: &Rc<NdArray>, order: &str) -> Layout {
    let columns = Layout::columns(&base.array().aval.shape);
    match order {
        "C" => Layout::Rows,
        "F" => columns,
        _ if base.layout == Layout::Rows || base.layout == columns => base.layout.clone(),
        _ => Layout::Unknown,
    }
}

/// Members of the framework's arrays that NumPy's do not have.
const NOT_NUMPY: &[&str] = &["block_until_ready", "at", "weak_type", "aval", "sharding", "copy_to_host_async", "ptp"];

/// A method or property.
///
/// # Errors
/// What a property raises.
pub fn method(it: &Rc<Interp>, a: Value, name: Symbol) -> Step<Option<Value>> {
    let text = name.as_str();
    if NOT_NUMPY.contains(&text) {
        return Ok(None);
    }
    if let Some(base) = array_of(&a) {
        match text {
            "reshape" | "ravel" | "squeeze" | "transpose" | "swapaxes" | "astype" | "copy" | "flatten" | "view"
            | "diagonal" => {
                return Ok(Some(NativeFn::value(text, move |it, args| showing(it, &base, text, args))));
            }
            "T" | "mT" => {
                let rank = base.array().aval.rank();
                let mut axes: Vec<usize> = (0..rank).rev().collect();
                if text == "mT" {
                    if rank < 2 {
                        return Err(Halt::value_error("matrix transpose with ndim < 2 is undefined"));
                    }
                    axes = (0..rank).collect();
                    axes.swap(rank - 1, rank - 2);
                }
                return permuted(it, &base, &axes).map(Some);
            }
            "real" if !base.array().aval.dtype.is_complex() => return Ok(Some(a)),
            "device" => return Ok(Some(Value::str("cpu"))),
            "__hash__" => return Ok(Some(Value::None)),
            "flat" => {
                let class = prelude_member(it, "numpy._iterators", "flatiter")?;
                return it.call(&class, Args::of([a])).map(Some);
            }
            _ => {}
        }
        if let Some(op) = spelled_in_place(text) {
            return Ok(Some(NativeFn::value(text, move |it, args| {
                let [other] = args.exactly("in place")?;
                in_place(it, &base, op, &other)
            })));
        }
    }
    let own = prelude_member(it, "numpy._methods", "METHODS")?;
    if let Value::Dict(table) = own
        && let Some(function) = table.read().get(&crate::python::Key::str(&name)).cloned()
    {
        return Ok(Some(Value::Method(Rc::new(crate::python::Method { receiver: a, function }))));
    }
    for table in ["METHODS", "OPERATORS"] {
        if let Some(function) = table_entry(it, table, text)? {
            return Ok(Some(NativeFn::value(&name, move |it, mut args| {
                args.positional.insert(0, a.clone());
                call::call(it, &function, args)
            })));
        }
    }
    if let Some(function) = table_entry(it, "PROPERTIES", text)? {
        return call::call(it, &function, Args::of([a])).map(Some);
    }
    // What NumPy has and is not modelled is not known; anything else is no attribute.
    let known = prelude_member(it, "numpy._names", "NAMES")?;
    let class = if array_of(&a).is_some() { "ndarray" } else { "generic" };
    if let (Value::Object(object), "generic") = (&a, class)
        && let Some(number) = object.downcast::<NpScalar>()
        && super::class::lacks(number.0.aval.dtype.name(), text)
    {
        return Ok(None);
    }
    let names = it.getitem(&known, &Value::str(class))?;
    let named = names.as_str().is_some_and(|names| names.split_whitespace().any(|name| name == text));
    Ok(named.then(|| Value::unknown(format!("`ndarray.{text}` is not modelled"))))
}

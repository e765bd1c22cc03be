//! NumPy's arrays, scalars and dtypes, as the prelude needs them.

use std::rc::Rc;

use super::Members;
use super::types::known;
use crate::array::narrow::Special;
use crate::array::{DType, Tensor, number as numbers};
use crate::frameworks::dtypes;
use crate::frameworks::numpy::array::{NdArray, numbers_of};
use crate::frameworks::numpy::{from_python, methods, scalar::NpScalar};
use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::Array;

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    members.function("named_dtype", |_, args| {
        let [name] = args.exactly("named_dtype")?;
        let name = name.as_str().unwrap_or_default();
        match dtypes::by_name(name).or_else(|| key_by_name(name)) {
            Some(dtype) => Ok(dtypes::value(dtype)),
            None => Err(Halt::unknown(format!("the dtype `{name}` is not modelled"))),
        }
    });
    // `names_dtype(text)`: Whether NumPy reads a text as an element type, be it modelled or not.
    members.function("names_dtype", |_, args| {
        let [name] = args.exactly("names_dtype")?;
        let name = name.as_str().unwrap_or_default();
        Ok(Value::Bool(dtypes::by_name(name).is_some() || dtypes::why_not(name).is_none()))
    });
    members.function("is_dtype", |_, args| {
        let [x] = args.exactly("is_dtype")?;
        Ok(Value::Bool(matches!(&x, Value::Object(o) if o.downcast::<dtypes::DTypeObject>().is_some())))
    });
    members.function("numpy_dtype_from", |it, args| {
        let [x] = args.exactly("numpy_dtype_from")?;
        if let Value::Array(array) = &x {
            return Ok(dtypes::value(array.aval.dtype));
        }
        match dtypes::of(it, &x)? {
            Some(dtype) => Ok(dtypes::value(dtype)),
            None if matches!(x, Value::Instance(_)) && dtypes::is_of_others(&x) => {
                Err(Halt::unknown("a dtype of what is no number"))
            }
            None => Err(Halt::type_error(format!("Cannot interpret '{}' as a data type", it.type_name(&x)))),
        }
    });
    // `narrow_format(d)`: Bits of the exponent and of the mantissa, the least exponent, the largest number and whether there are negative
    // ones, of a float of fewer than 16 bits; None for others.
    members.function("narrow_format", |it, args| {
        let [d] = args.exactly("narrow_format")?;
        let Some(narrow) = dtypes::of(it, &d)?.and_then(|dtype| dtype.narrow()) else { return Ok(Value::None) };
        let format = narrow.format();
        let int = |x: i32| Value::Int(x.into());
        let signed = Value::Bool(format.special != Special::Powers);
        let (largest, range) = (Value::Float(format.max.into()), int(narrow.range()));
        Ok(Value::tuple([
            int(format.exponent),
            int(format.mantissa),
            int(narrow.least_exponent()),
            range,
            largest,
            signed,
        ]))
    });
    // `narrow_one_bits(d)`: The bits of 1 in a float of fewer than 16 bits.
    members.function("narrow_one_bits", |it, args| {
        let [d] = args.exactly("narrow_one_bits")?;
        let narrow = dtypes::of(it, &d)?.and_then(|dtype| dtype.narrow());
        Ok(narrow.map_or(Value::None, |narrow| Value::Int(narrow.to_bits(1.0).into())))
    });
    members.function("dtype_bits", |it, args| {
        let [d] = args.exactly("dtype_bits")?;
        let dtype = dtypes::of(it, &d)?.ok_or_else(|| Halt::unknown("not a dtype"))?;
        Ok(Value::Int(dtype.bits().into()))
    });
    members.function("numpy_scalar_class", |it, args| {
        let [d] = args.exactly("numpy_scalar_class")?;
        let dtype = dtypes::of(it, &d)?.ok_or_else(|| Halt::unknown("not a dtype"))?;
        dtypes::scalar_class(it, dtype).map(Value::Class).ok_or_else(|| Halt::unknown("no scalar type"))
    });
    members.function("numpy_scalar_is", |it, args| {
        let [x, d] = args.exactly("numpy_scalar_is")?;
        let dtype = dtypes::of(it, &d)?;
        Ok(Value::Bool(match &x {
            Value::Object(o) => o.downcast::<NpScalar>().is_some_and(|s| Some(s.0.aval.dtype) == dtype),
            _ => false,
        }))
    });
    members.function("numpy_natural_dtype", |it, args| {
        let [x] = args.exactly("numpy_natural_dtype")?;
        Ok(dtypes::value(match &x {
            Value::Bool(_) => DType::Bool,
            Value::Float(_) => DType::F64,
            Value::Complex(_) => DType::C128,
            Value::Int(_) | Value::BigInt(_) => DType::I64,
            other => match numbers_of(other) {
                Some(array) => array.aval.dtype,
                None => dtypes::of(it, other)?.ok_or_else(|| Halt::unknown("no dtype"))?,
            },
        }))
    });
    // `makes_array(x)`: Whether `x` is an object of the program's that has `__array__`, and not array-like for JAX.
    members.function("makes_array", |it, args| {
        let [x] = args.exactly("makes_array")?;
        Ok(Value::Bool(from_python::makes_array(&x) && !super::conversion::is_arraylike(it, &x)?))
    });
    // `stands_for(model, public)`: instances of a class say to be of another one, which it models a part of.
    members.function("stands_for", |_, args| {
        let [model, public] = args.exactly("stands_for")?;
        if let (Value::Class(model), Value::Class(public)) = (&model, &public) {
            *model.stands_for.borrow_mut() = Some(public.clone());
        }
        Ok(model)
    });
    // `holds_no_numbers(x)`: Whether `x` is an array of objects or texts; of a tuple of arguments, whether one of them is such
    // an array or a text, or a list that has one.
    members.function("holds_no_numbers", |it, args| {
        let [x] = args.exactly("holds_no_numbers")?;
        Ok(Value::Bool(match &x {
            Value::Tuple(args) => {
                let mut found = from_python::has_text(it, &x, 3)?;
                for arg in args.iter().filter(|arg| from_python::is_sequence(arg)) {
                    found = found || from_python::holds_objects(it, arg)?;
                }
                found
            }
            x => from_python::holds_no_numbers(x),
        }))
    });
    // `numpy_array_of_any(x, dtype=None)`: `numpy.asarray(x, dtype)`, which may hold what is no number.
    members.function("numpy_array_of_any", |it, args| {
        let [x, dtype] = args.bind("numpy_array_of_any", ["x", "dtype"], 1)?;
        let is_open = matches!(dtype, Value::Unbound | Value::None);
        if is_open || from_python::holds_no_numbers(&x) {
            known(&x)?;
            if is_open && from_python::holds_objects(it, &x)? || from_python::holds_no_numbers(&x) {
                return array_of_objects(it, x, dtype);
            }
        }
        match array_of(it, x.clone(), dtype.clone()) {
            Err(Halt::Unknown(_)) if is_open && from_python::has_text(it, &x, 8)? => array_of_objects(it, x, dtype),
            made => made,
        }
    });
    // `numpy_array(x, dtype=None)`: `numpy.asarray(x, dtype)`, which has to hold numbers.
    members.function("numpy_array", |it, args| {
        let [x, dtype] = args.bind("numpy_array", ["x", "dtype"], 1)?;
        array_of(it, x, dtype)
    });
    // `numpy_scalar(x, dtype)`: `dtype.type(x)`: a NumPy scalar.
    members.function("numpy_scalar", |it, args| {
        let [x, dtype] = args.exactly("numpy_scalar")?;
        let dtype = dtypes::of(it, &dtype)?;
        let array = match numbers_of(&x) {
            Some(array) => {
                let dtype = dtype.unwrap_or(array.aval.dtype);
                it.engine.within(&it.engine.eval_trace(), || super::conversion::convert(it, &array, dtype, false))?
            }
            None => from_python::array_of(it, &x, dtype)?,
        };
        Ok(NpScalar::value(array))
    });
    members.function("numpy_call", |it, args| {
        let [function, name, args, kwargs] = args.exactly("numpy_call")?;
        let mut args = crate::frameworks::numpy::call::args_of(it, &args, &kwargs)?;
        let out = args.take_keyword("out").and_then(|out| methods::array_of(&out));
        let result = crate::frameworks::numpy::call::call(it, &function, args)?;
        match (out, numbers_of(&result)) {
            (Some(out), Some(array)) => {
                methods::store(it, name.as_str().unwrap_or_default(), &out, &array)?;
                Ok(Value::Object(out))
            }
            _ => Ok(result),
        }
    });
    // `concatenate` of arrays of one type that fit; `None` where there is more to it.
    members.function("numpy_joined", |it, args| {
        let [arrays, axis] = args.exactly("numpy_joined")?;
        Ok(crate::frameworks::numpy::join::joined(it, &arrays, &axis)?.unwrap_or(Value::None))
    });
    // `nonzero` of an array whose numbers can be had; `None` for others.
    members.function("numpy_nonzero", |it, args| {
        let [array] = args.exactly("numpy_nonzero")?;
        let Some(array) = methods::array_of(&array) else { return Ok(Value::None) };
        Ok(match it.engine.force(&array.array()) {
            Ok(tensor) => crate::frameworks::numpy::join::nonzero(&tensor).unwrap_or(Value::None),
            Err(Halt::Unknown(_)) => Value::None,
            Err(halt) => return Err(halt),
        })
    });
    members.function("numpy_ufunc", |it, args| {
        let [function, name, args] = args.exactly("numpy_ufunc")?;
        let items = it.to_vec(&args)?;
        let operands: Vec<&Value> = items.iter().collect();
        crate::frameworks::numpy::call::check_operands(it, name.as_str().unwrap_or_default(), &operands)?;
        let items = crate::frameworks::numpy::call::prepared(it, name.as_str().unwrap_or_default(), items)?;
        crate::frameworks::numpy::call::call(it, &function, crate::python::Args::of(items))
    });
    // `is_numpy_array(x)`: Whether `x` is a `numpy.ndarray`.
    members.function("is_numpy_array", |_, args| {
        let [x] = args.exactly("is_numpy_array")?;
        if let Value::Unknown(unknown) = &x {
            return Err(Halt::Unknown(unknown.why.clone()));
        }
        Ok(Value::Bool(methods::array_of(&x).is_some()))
    });
    // What may share its numbers with an array.
    members.function("numpy_maybe_view", |it, args| {
        let [made, base] = args.exactly("numpy_maybe_view")?;
        match (methods::array_of(&base), numbers_of(&made)) {
            (Some(base), Some(own)) => Ok(methods::maybe_view(it, &base, own)),
            _ => Ok(made),
        }
    });
    // Whether two arrays share numbers.
    members.function("numpy_shares", |_, args| {
        let [a, b] = args.exactly("numpy_shares")?;
        let (Some(a), Some(b)) = (methods::array_of(&a), methods::array_of(&b)) else { return Ok(Value::Bool(false)) };
        Ok(match (Rc::ptr_eq(a.owner(), b.owner()), Rc::ptr_eq(&a, &b)) {
            (_, true) => Value::Bool(true),
            (false, _) => Value::Bool(false),
            (true, _) if a.is_doubtful() || b.is_doubtful() => {
                Value::unknown_of(crate::python::Guess::Bool, "whether NumPy copies here")
            }
            (true, _) if Rc::ptr_eq(a.owner(), &a) || Rc::ptr_eq(b.owner(), &b) => Value::Bool(true),
            (true, _) => Value::unknown_of(crate::python::Guess::Bool, "whether two views overlap"),
        })
    });
    // The array in rows: itself where it lies so.
    members.function("numpy_in_rows", |_, args| {
        let [x] = args.exactly("numpy_in_rows")?;
        use crate::frameworks::numpy::view::Layout;
        match methods::array_of(&x) {
            Some(array) if array.layout != Layout::Rows => Ok(NdArray::value(array.array())),
            _ => Ok(x),
        }
    });
    members.function("numpy_in_columns", |_, args| {
        let [x] = args.exactly("numpy_in_columns")?;
        use crate::frameworks::numpy::view::Layout;
        let Some(array) = methods::array_of(&x) else { return Ok(x) };
        let columns = Layout::columns(&array.array().aval.shape);
        let same = array.layout == columns;
        Ok(if same { x } else { Value::Object(NdArray::laid_out(array.array(), columns)) })
    });
    // Whether an array lies in columns, and not in rows as well.
    members.function("numpy_is_in_columns", |_, args| {
        let [x] = args.exactly("numpy_is_in_columns")?;
        use crate::frameworks::numpy::view::Layout;
        let Some(array) = methods::array_of(&x) else { return Ok(Value::Bool(false)) };
        let columns = Layout::columns(&array.array().aval.shape);
        Ok(match &array.layout {
            Layout::Unknown => Value::unknown_of(crate::python::Guess::Bool, "how an array lies in memory"),
            layout => Value::Bool(*layout != Layout::Rows && *layout == columns),
        })
    });
    // Whether a function runs as NumPy does it.
    members.function("is_numpy", |it, _| Ok(Value::Bool(it.engine.config().numpy_promotion)));
    members.function("numpy_result_type", |it, args| {
        use crate::array::promotion::{NumpyOperand, numpy_result_type};
        let mut operands = Vec::new();
        for x in &args.positional {
            known(x)?;
            operands.push(match x {
                Value::Bool(_) => NumpyOperand::Python(crate::array::Kind::Bool),
                Value::Int(_) | Value::BigInt(_) => NumpyOperand::Python(crate::array::Kind::Signed),
                Value::Float(_) => NumpyOperand::Python(crate::array::Kind::Float),
                Value::Complex(_) => NumpyOperand::Python(crate::array::Kind::Complex),
                Value::Array(array) => NumpyOperand::Typed(array.aval.dtype),
                x => match numbers_of(x) {
                    Some(array) => NumpyOperand::Typed(array.aval.dtype),
                    None => NumpyOperand::Typed(dtypes::of(it, x)?.ok_or_else(|| Halt::unknown("not a dtype"))?),
                },
            });
        }
        Ok(dtypes::value(numpy_result_type(&operands)?))
    });
    members.function("numpy_class", |it, args| {
        let [name] = args.exactly("numpy_class")?;
        let name = format!("numpy.{}", name.as_str().unwrap_or_default());
        it.named_class(name.as_str().into()).map(Value::Class)
    });
    members.function("numpy_copy", |_, args| {
        let [x] = args.exactly("numpy_copy")?;
        match numbers_of(&x) {
            Some(array) => Ok(NdArray::value(array)),
            None => Ok(x),
        }
    });
    members.function("is_numpy_scalar", |_, args| {
        let [x] = args.exactly("is_numpy_scalar")?;
        Ok(Value::Bool(matches!(&x, Value::Object(o) if o.downcast::<NpScalar>().is_some())))
    });
    members.function("numpy_opaque", |it, args| {
        let [shape, dtype] = args.exactly("numpy_opaque")?;
        let shape = super::shapes::numpy_shape(it, &shape)?;
        let dtype = dtypes::asked(it, &dtype)?;
        let aval = crate::array::Aval { dtype, shape, weak: false };
        let array = Array::opaque(aval, "random or uninitialized numbers of NumPy");
        Ok(if array.aval.rank() == 0 { NpScalar::value(array) } else { NdArray::value(array) })
    });
    members.function("numpy_full", |it, args| {
        let [shape, value, dtype] = args.exactly("numpy_full")?;
        let shape = super::shapes::numpy_shape(it, &shape)?;
        let dtype = dtypes::asked(it, &dtype)?;
        crate::frameworks::numpy::call::in_numpy(it, || {
            let value = super::conversion::to_array(it, &value)?.ok_or_else(|| Halt::unknown("not a number"))?;
            let value = super::conversion::convert(it, &value, dtype, false)?;
            Ok(NdArray::value(super::conversion::broadcast_scalar(it, &value, &shape)?))
        })
    });
    members.function("numpy_forget", |_, args| {
        let [x] = args.exactly("numpy_forget")?;
        match &x {
            Value::Object(o) => {
                if let Some(array) = o.downcast::<NdArray>() {
                    array.forget("shuffled");
                }
            }
            Value::List(list) => list.forget(crate::python::Why("shuffled".into())),
            _ => {}
        }
        Ok(Value::None)
    });
    members.function("to_python", |it, args| {
        let [x] = args.exactly("to_python")?;
        let tensor = super::concretize::tensor_of(it, &x)?;
        let items: Step<Vec<Value>> = (0..tensor.len()).map(|i| python_number(&tensor, i)).collect();
        Ok(Value::list(items?))
    });
    members.function("full_of", |it, args| {
        let [dtype, shape] = args.exactly("full_of")?;
        let dtype = dtypes::of(it, &dtype)?.ok_or_else(|| Halt::unknown("not a dtype"))?;
        let shape = super::types::shape_of_value(it, &shape)?;
        let aval = crate::array::Aval { dtype, shape, weak: false };
        Ok(Value::Array(crate::transforms::zeros(&it.engine, &aval)?))
    });
}

/// `numpy.asarray(x, dtype)`, of numbers.
fn array_of(it: &Rc<Interp>, x: Value, dtype: Value) -> Step<Value> {
    known(&x)?;
    let dtype = match &dtype {
        Value::Unbound | Value::None => None,
        dtype => Some(dtypes::asked(it, dtype)?),
    };
    let x = from_python::own_array(it, x, dtype)?;
    let held = match &x {
        Value::Array(array) if array.is_tracer() => {
            return Err(crate::frameworks::numpy::call::not_numpy(array));
        }
        Value::Array(array) => {
            crate::frameworks::jax::jit::check_alive(it, std::slice::from_ref(array))?;
            it.note_waited();
            if array.aval.dtype.is_key() {
                return Err(Halt::type_error(
                    "JAX array with PRNGKey dtype cannot be converted to a NumPy array. Use jax.random.key_data(arr) if \
                     you wish to extract the underlying integer array.",
                ));
            }
            Some(array.clone())
        }
        other => numbers_of(other),
    };
    if let Some(array) = held {
        if methods::array_of(&x).is_some() && dtype.is_none_or(|d| d == array.aval.dtype) {
            return Ok(x);
        }
        let array = match dtype {
            Some(dtype) if dtype != array.aval.dtype => {
                crate::frameworks::numpy::call::in_numpy(it, || super::conversion::convert(it, &array, dtype, false))?
            }
            _ => {
                let strong = crate::frameworks::numpy::call::in_numpy(it, || {
                    super::conversion::convert(it, &array, array.aval.dtype, false)
                })?;
                // NumPy shows the numbers of JAX's arrays and does not write them.
                return Ok(if let Value::Array(_) = x { NdArray::read_only(strong) } else { NdArray::value(strong) });
            }
        };
        return Ok(NdArray::value(array));
    }
    if dtype.is_none() && from_python::holds_objects(it, &x)? {
        return Err(Halt::unknown("an array of what is no number"));
    }
    Ok(NdArray::value(from_python::array_of(it, &x, dtype)?))
}

/// `numpy.asarray(x, dtype)`, of what is no number.
fn array_of_objects(it: &Rc<Interp>, x: Value, dtype: Value) -> Step<Value> {
    let make = crate::frameworks::jax::prelude_member(it, "numpy._objects", "array")?;
    let dtype = if dtype.is_unbound() { Value::None } else { dtype };
    it.call_with(&make, [x, dtype])
}

fn key_by_name(name: &str) -> Option<DType> {
    use crate::array::KeyImpl;
    Some(DType::Key(match name {
        "key<fry>" => KeyImpl::Threefry,
        "key<rbg>" => KeyImpl::Rbg,
        "key<urbg>" => KeyImpl::UnsafeRbg,
        _ => return None,
    }))
}

/// The element at a position as a Python number.
///
/// # Errors
/// Unknown for keys.
pub fn python_number(tensor: &Tensor, at: usize) -> Step<Value> {
    Ok(match numbers::read(tensor, at) {
        Some(numbers::Number::Bool(b)) => Value::Bool(b),
        Some(numbers::Number::Int(n)) => Value::big(n.into()),
        Some(numbers::Number::Float(x)) => Value::Float(x),
        Some(numbers::Number::Complex(z)) => Value::Complex(Rc::new(z)),
        None => return Err(Halt::unknown("the number of a key")),
    })
}

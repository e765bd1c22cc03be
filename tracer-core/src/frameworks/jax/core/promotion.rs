//! Promotion of dtypes and ranks, as `jnp`'s functions do it to their arguments.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Members;
use super::conversion::{class_text, convert, dtype_of, has_type, is_arraylike, overflowing_argument, to_array};
use super::types::known;
use crate::array::promotion::{self, Promotion, Typed};
use crate::array::{Aval, DType, Kind, Shape};
use crate::frameworks::dtypes;
use crate::interp::{Event, Interp};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Key, Value};
use crate::trace::{RankPromotion, Val};

/// What the promoted type is bent to.
#[derive(Copy, Clone)]
pub enum To {
    /// Nothing: the lattice's own.
    Any,
    /// A float or complex type.
    Inexact,
    /// A type that is not bool.
    Numeric,
    /// A complex type.
    Complex,
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    let kinds = [("", To::Any), ("_inexact", To::Inexact), ("_numeric", To::Numeric), ("_complex", To::Complex)];
    for (suffix, to) in kinds {
        let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
        members.function(leak(format!("promote{suffix}")), move |it, args| {
            let (name, xs) = args.positional.split_first().ok_or_else(|| Halt::unknown("promotion of nothing"))?;
            let arrays = promote_args(it, name.as_str().unwrap_or_default(), xs, to)?;
            Ok(Value::list(arrays.into_iter().map(Value::Array).collect()))
        });
        members.function(leak(format!("promote_dtypes{suffix}")), move |it, args| {
            args.positional.iter().try_for_each(has_type)?;
            let arrays = arrays_of(it, &args.positional)?;
            let arrays = promote_dtypes(it, arrays, to)?;
            Ok(Value::list(arrays.into_iter().map(Value::Array).collect()))
        });
    }
    // `promote_shapes(name, *xs)`: The rank part of `promote` alone.
    members.function("promote_shapes", |it, args| {
        let (name, xs) = args.positional.split_first().ok_or_else(|| Halt::unknown("promotion of nothing"))?;
        let arrays = arrays_of(it, xs)?;
        let arrays = promote_shapes(it, name.as_str().unwrap_or_default(), arrays)?;
        Ok(Value::list(arrays.into_iter().map(Value::Array).collect()))
    });
    // `result_type(*xs, return_weak=False)`: The dtype JAX promotes array-likes, dtypes and scalar types to; with
    // `return_weak` a pair (dtype, weak).
    members.function("result_type", |it, mut args| {
        let return_weak = match args.take_keyword("return_weak") {
            Some(flag) => it.truth(&flag)?,
            None => false,
        };
        let types: Vec<Typed> = args.positional.iter().map(|x| dtype_of(it, x)).collect::<Step<_>>()?;
        let (dtype, weak) = promotion::result_type(&types, rules(it))?;
        let dtype = dtypes::value(dtype.canonical(it.engine.x64()));
        Ok(if return_weak { Value::tuple([dtype, Value::Bool(weak)]) } else { dtype })
    });
    // `lattice_dtype(xs)`: The dtype that the array-likes `xs` promote to, a weak one as its own dtype ([1, 2.0] is
    // float32); leaves that are not array-like are converted by NumPy first, with its errors.
    members.function("lattice_dtype", |it, args| {
        let [xs] = args.exactly("lattice_dtype")?;
        let mut types = Vec::new();
        for x in it.to_vec(&xs)? {
            known(&x)?;
            if !is_arraylike(it, &x)? {
                let text = it.repr(x.base())?;
                let text = text.as_str().unwrap_or("…").trim_matches('\'').to_owned();
                return Err(match x.base() {
                    // What names a type has it.
                    Value::Str(name) if names_a_type(name) => Halt::value_error(format!("could not convert string to a number: '{name}'")),
                    Value::Str(_) => Halt::type_error(format!(
                        "Value '{text}' with dtype <U{} is not a valid JAX array type. Only arrays of numeric types are supported by JAX.",
                        text.chars().count()
                    )),
                    array if crate::frameworks::numpy::from_python::holds_no_numbers(array) => {
                        super::refused::no_array(it, array)
                    }
                    _ => Halt::unknown("an array of objects"),
                });
            }
            types.push(dtype_of(it, &x)?);
        }
        let (dtype, _) = promotion::lattice_result_type(&types, rules(it))?;
        Ok(dtypes::value(dtype))
    });
    // plain_leaves(x): the leaves of nested lists of numbers and arrays, and whether there are arrays; None for other ones.
    members.function("plain_leaves", |_, args| {
        let [x] = args.exactly("plain_leaves")?;
        let (mut leaves, mut has_array) = (Vec::new(), false);
        Ok(match plain_leaves(&x, &mut leaves, &mut has_array, 0) {
            Some(()) => Value::tuple([Value::list(leaves), Value::Bool(has_array)]),
            None => Value::None,
        })
    });
    // `promote_types(a, b)`: `jnp.promote_types`: the least upper bound of two dtypes.
    members.function("promote_types", |it, args| {
        let [a, b] = args.exactly("promote_types")?;
        // As wide as they are said to be: nothing is made of them.
        let typed = |value: &Value| -> Step<(DType, bool)> {
            let (dtype, weak) = dtype_of(it, value)?;
            Ok((if weak { dtype } else { dtypes::of(it, value)?.unwrap_or(dtype) }, weak))
        };
        let (a, b) = (typed(&a)?, typed(&b)?);
        Ok(dtypes::value(promotion::promote_types(a, b, rules(it))?.0))
    });
    // `canonical_dtype(d)`: 64-bit dtypes to their 32-bit ones unless x64 is enabled; no message.
    members.function("canonical_dtype", |it, args| {
        let [d] = args.exactly("canonical_dtype")?;
        Ok(dtypes::value(plain_dtype(it, &d)?.canonical(it.engine.x64())))
    });
    // `user_dtype(d, name)`: Checks a `dtype=` argument of a user and returns the canonical dtype. Python scalar types
    // give the defaults; an array raises ValueError; strings and objects raise TypeError `JAX only supports number,
    // bool, and string dtypes, got dtype … in {name}`; 64-bit ones warn (UserWarning `Explicitly requested dtype …
    // requested in {name} …`).
    members.function("user_dtype", user_dtype);
    // `to_inexact_dtype(d)`: Integers and bool to float32 (64-bit ones to float64); inexact ones unchanged.
    members.function("to_inexact_dtype", |it, args| {
        let [d] = args.exactly("to_inexact_dtype")?;
        let d = plain_dtype(it, &d)?;
        let numpy = it.engine.config().numpy_promotion;
        if numpy && d.is_part_of_byte() {
            return Err(Halt::unknown("what NumPy computes of integers of a few bits"));
        }
        Ok(dtypes::value(if numpy { d.numpy_inexact() } else { d.to_inexact(it.engine.x64()) }))
    });
    let unary: [(&'static str, fn(DType, bool) -> DType); 2] =
        [("to_numeric_dtype", |d, _| d.to_numeric()), ("to_complex_dtype", |d, x64| d.to_complex(x64))];
    for (name, to) in unary {
        members.function(name, move |it, args| {
            let [d] = args.exactly(name)?;
            Ok(dtypes::value(to(plain_dtype(it, &d)?, it.engine.x64())))
        });
    }
    // `issubdtype(d, kind)`: `jnp.issubdtype` (knows bfloat16, float8, int4 and the extended dtypes).
    members.function("issubdtype", |it, args| {
        let [d, kind] = args.exactly("issubdtype")?;
        is_subdtype(it, &d, &kind)
    });
    // `isdtype(d, kind)`: `jnp.isdtype`.
    members.function("isdtype", |it, args| {
        let [d, kind] = args.exactly("isdtype")?;
        is_dtype(it, &d, &kind)
    });
    // `is_key_dtype(dtype)`: Whether keys have this dtype.
    members.function("is_key_dtype", |it, args| {
        let [d] = args.exactly("is_key_dtype")?;
        Ok(Value::Bool(plain_dtype(it, &d)?.is_key()))
    });
    // `supports_inf(d)`: Whether a floating dtype has infinities (some narrow ones have none).
    members.function("supports_inf", |it, args| {
        let [d] = args.exactly("supports_inf")?;
        Ok(Value::Bool(plain_dtype(it, &d)?.narrow().is_none_or(|narrow| narrow.has_infinity())))
    });
    // `has_inf(dtype)`: Whether a float dtype has infinities.
    members.function("has_inf", |it, args| {
        let [d] = args.exactly("has_inf")?;
        Ok(Value::Bool(plain_dtype(it, &d)?.narrow().is_none_or(|narrow| narrow.has_infinity())))
    });
    // `default_int()`: int32, or int64 under x64.
    members.function("default_int", |it, _| Ok(dtypes::value(DType::I64.canonical(it.engine.x64()))));
    // `default_float()`: float32, or float64 under x64.
    members.function("default_float", |it, _| Ok(dtypes::value(DType::F64.canonical(it.engine.x64()))));
    // `x64_enabled()`: Whether `jax_enable_x64` is on.
    members.function("x64_enabled", |it, _| Ok(Value::Bool(it.engine.x64())));
    // `tangent_dtype(dtype)`: The dtype of tangents of an array of `dtype`: itself if inexact, else float0.
    members.function("tangent_dtype", |it, args| {
        let [d] = args.exactly("tangent_dtype")?;
        Ok(dtypes::value(plain_dtype(it, &d)?.tangent()))
    });
    // `safe_to_cast(x, dtype)`: Whether promotion allows the array-like `x` to become `dtype` without loss of kind or
    // width (weak types may).
    members.function("safe_to_cast", |it, args| {
        let [value, target] = args.exactly("safe_to_cast")?;
        has_type(&value)?;
        let (value, target) = (dtype_of(it, &value)?, dtype_of(it, &target)?);
        let loose = Promotion { strict: false, ..rules(it) };
        let joined = promotion::lattice_result_type(&[value, target], loose).map(|t| t.0);
        Ok(Value::Bool(joined.is_ok_and(|d| d == target.0) || value.0 == target.0))
    });
}

/// Whether NumPy reads a text as an element type: its name, or the letter for it.
fn names_a_type(text: &str) -> bool {
    dtypes::by_name(text).is_some() || text.len() == 1 && "?bBhHiIlLqQpPnNefdFD".contains(text)
}

/// The lattice in force.
pub fn rules(it: &Rc<Interp>) -> Promotion {
    let config = it.engine.config();
    Promotion { strict: config.strict_promotion, x64: config.enable_x64, numpy: config.numpy_promotion }
}

fn plain_dtype(it: &Rc<Interp>, value: &Value) -> Step<DType> {
    known(value)?;
    match dtypes::of(it, value)? {
        Some(dtype) => Ok(dtype),
        None => Ok(dtype_of(it, value)?.0),
    }
}

fn user_dtype(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [dtype, name] = args.exactly("user_dtype")?;
    known(&dtype)?;
    if let Value::Array(_) = &dtype {
        return Err(Halt::value_error(
            "Passing an array as a dtype argument is no longer supported; instead of dtype=arr use dtype=arr.dtype.",
        ));
    }
    match dtypes::of(it, &dtype)? {
        Some(found) => {
            let canonical = found.canonical(it.engine.x64());
            // Python's own types mean whatever the setting says.
            if canonical != found
                && !matches!(&dtype, Value::Class(class) if class.is_builtin())
                && let Some((site, _)) = it.user_stack.borrow().last()
            {
                it.events.note(Event::Truncated { site: *site, wanted: found.name(), found: canonical.name() });
            }
            Ok(dtypes::value(canonical))
        }
        None => {
            let text = it.repr(&dtype)?;
            // One of two types, of which nothing but their class is left.
            let Some(text) = text.as_str() else { return Err(Halt::unknown("a type that is not known")) };
            Err(match &dtype {
                Value::Str(asked) if dtypes::is_narrow(asked) => {
                    Halt::unknown(format!("the dtype `{asked}` is not modelled"))
                }
                Value::Str(asked) => dtypes::why_not(asked).unwrap_or_else(|| {
                    Halt::type_error(format!(
                        "JAX only supports number, bool, and string dtypes, got dtype {asked} in {}",
                        name.as_str().unwrap_or_default()
                    ))
                }),
                Value::Tuple(items) if !items.is_empty() => {
                    let first = it.repr(&items[0])?;
                    Halt::type_error(format!("Cannot interpret '{}' as a data type", first.as_str().unwrap_or("…")))
                }
                other if dtypes::is_of_others(other) => {
                    let text = it.str_of(other)?;
                    Halt::type_error(format!(
                        "JAX only supports number, bool, and string dtypes, got dtype {} in {}",
                        text.as_str().unwrap_or("…"),
                        name.as_str().unwrap_or_default()
                    ))
                }
                Value::Int(_) | Value::Float(_) | Value::Complex(_) | Value::Bool(_) | Value::Instance(_) => {
                    Halt::type_error(format!("Cannot interpret '{text}' as a data type"))
                }
                _ => Halt::type_error(format!(
                    "JAX only supports number, bool, and string dtypes, got dtype {text} in {}",
                    name.as_str().unwrap_or_default()
                )),
            })
        }
    }
}

fn arrays_of(it: &Rc<Interp>, xs: &[Value]) -> Step<Vec<Val>> {
    xs.iter()
        .map(|x| to_array(it, x)?.ok_or_else(|| Halt::type_error(format!("not array-like: {}", class_text(it, x)))))
        .collect()
}

/// What binary `jnp` functions do to their arguments.
///
/// # Errors
/// `TypeError` for what is no array, and for types and shapes that do not go together.
pub fn promote_args(it: &Rc<Interp>, name: &str, xs: &[Value], to: To) -> Step<Vec<Val>> {
    for (i, x) in xs.iter().enumerate() {
        if !is_arraylike(it, x)? {
            if let Some(halt) = super::refused::refused(it, name, x, i) {
                return Err(halt);
            }
            return Err(Halt::type_error(format!(
                "{name} requires ndarray or scalar arguments, got {} at position {i}.",
                class_text(it, x)
            )));
        }
    }
    // What promotion does to a Python scalar depends on the others: `x + 300` with `x` of uint8.
    let arrays = match scalars_last(it, xs) {
        Err(Halt::Raise(exception)) if it.is_exception(&exception, "OverflowError") => {
            return Err(overflow(it, name, xs)?.unwrap_or(Halt::Raise(exception)));
        }
        arrays => arrays?,
    };
    if arrays.iter().any(|array| array.aval.dtype == DType::Float0) {
        return Err(crate::primitives::rules::of_float0(name));
    }
    if arrays.iter().any(|a| a.aval.dtype.is_key()) {
        check_keys(name, &arrays, to)?;
    }
    let arrays = promote_dtypes(it, arrays, to)?;
    let arrays = promote_shapes(it, name, arrays)?;
    if !it.engine.is_top_level() {
        check_shapes(it, name, &arrays)?;
    }
    Ok(arrays)
}

/// What a row of the table of element-wise functions has in a column.
fn in_row(it: &Rc<Interp>, name: &str, column: usize) -> Step<Option<Value>> {
    let table = crate::frameworks::jax::prelude_member(it, "jax.numpy._ufuncs", "TABLE")?;
    let Value::Dict(table) = &table else { return Ok(None) };
    let row = table.read().get(&Key::str(name)).cloned();
    Ok(match row {
        Some(Value::Tuple(row)) => row.get(column).cloned(),
        _ => None,
    })
}

/// These functions are compiled ones in JAX, which say of which argument it is that an integer does not fit.
#[cold]
fn overflow(it: &Rc<Interp>, name: &str, xs: &[Value]) -> Step<Option<Halt>> {
    let Some(names) = in_row(it, name, 0)? else { return Ok(None) };
    let names = names.as_str().unwrap_or_default().split(' ');
    let too_large =
        xs.iter().zip(names).find(|(x, _)| matches!(x, Value::Int(_) | Value::BigInt(_)) && to_array(it, x).is_err());
    Ok(too_large.map(|(x, name)| overflowing_argument(it, name, x)))
}

/// These functions are compiled ones in JAX: shapes that do not go together are found in what `vmap` maps over, before their
/// primitive sees the batch.
fn check_shapes(it: &Rc<Interp>, name: &str, arrays: &[Val]) -> Step<()> {
    use crate::primitives::rules::broadcast_shape;
    let avals: SmallVec<[&Aval; 3]> = arrays.iter().map(|array| &array.aval).collect();
    if avals.windows(2).all(|pair| pair[0].shape == pair[1].shape)
        || !matches!(broadcast_shape(name, &avals), Err(Halt::Raise(_)))
    {
        return Ok(());
    }
    // What its row says that it binds.
    let Some(bound) = in_row(it, name, 2)? else { return Ok(()) };
    let quirk = in_row(it, name, 3)?;
    let primitive = match quirk.as_ref().and_then(Value::as_str) {
        Some(quirk @ ("or" | "and")) if arrays[0].aval.dtype == DType::Bool => quirk,
        _ => bound.as_str().unwrap_or(name),
    };
    broadcast_shape(primitive.trim_end_matches('_'), &avals).map(drop)
}

/// Keys go with keys alone, and only where types stay as they are.
#[cold]
fn check_keys(name: &str, arrays: &[Val], to: To) -> Step<()> {
    let types: Vec<&str> = arrays.iter().map(|a| a.aval.dtype.name()).collect();
    if types.iter().any(|t| *t != types[0]) {
        return Err(Halt::type_error(format!("{name} does not accept dtypes {}.", types.join(", "))));
    }
    match to {
        To::Any => Ok(()),
        _ => Err(Halt::type_error(format!("Cannot interpret '{}' as a data type", types[0]))),
    }
}

fn scalars_last(it: &Rc<Interp>, xs: &[Value]) -> Step<Vec<Val>> {
    arrays_of(it, xs)
}

fn promote_dtypes(it: &Rc<Interp>, arrays: Vec<Val>, to: To) -> Step<Vec<Val>> {
    let x64 = it.engine.x64();
    let types: Vec<Typed> = arrays.iter().map(|a| (a.aval.dtype, a.aval.weak)).collect();
    let (dtype, weak) = promotion::lattice_result_type(&types, rules(it))?;
    let dtype = match to {
        To::Any => dtype,
        To::Inexact if it.engine.config().numpy_promotion => match types.as_slice() {
            [_] => dtype.numpy_unary_inexact(),
            _ => dtype.numpy_inexact(),
        },
        To::Inexact => dtype.to_inexact(x64),
        To::Numeric => dtype.to_numeric(),
        To::Complex => dtype.to_complex(x64),
    };
    let dtype = dtype.canonical(x64);
    if let [one] = arrays.as_slice()
        && one.aval.dtype == dtype
    {
        return Ok(arrays);
    }
    arrays.iter().map(|a| convert(it, a, dtype, weak)).collect()
}

fn promote_shapes(it: &Rc<Interp>, name: &str, arrays: Vec<Val>) -> Step<Vec<Val>> {
    let ranks: Vec<usize> = arrays.iter().map(|a| a.aval.rank()).collect();
    let most = ranks.iter().copied().max().unwrap_or(0);
    let mut nonzero: Vec<usize> = ranks.iter().copied().filter(|r| *r > 0).collect();
    nonzero.dedup();
    nonzero.sort_unstable();
    nonzero.dedup();
    if nonzero.len() < 2 {
        return Ok(arrays);
    }
    if it.engine.config().rank_promotion == RankPromotion::Raise {
        let shapes: Vec<String> = arrays.iter().map(|a| a.aval.shape_tuple()).collect();
        return Err(Halt::value_error(format!(
            "Operands could not be broadcast together for {name} on shapes {} and with the config option \
             jax_numpy_rank_promotion='raise'. For more information, see \
             https://docs.jax.dev/en/latest/rank_promotion_warning.html.",
            shapes.join(" ")
        )));
    }
    let shapes: Vec<Shape> = arrays.iter().map(|a| a.aval.shape.clone()).collect();
    super::shapes::broadcast(&shapes)?;
    arrays
        .into_iter()
        .map(|array| {
            let rank = array.aval.rank();
            // Scalars are broadcast by the primitive itself.
            if rank == most || rank == 0 {
                return Ok(array);
            }
            let mut shape: Shape = std::iter::repeat_n(1usize.into(), most - rank).collect();
            shape.extend(array.aval.shape.iter().copied());
            let dims: Vec<usize> = (most - rank..most).collect();
            crate::transforms::broadcast(&it.engine, &array, &shape, &dims)
        })
        .collect()
}

/// `jnp.issubdtype`
fn is_subdtype(it: &Rc<Interp>, d: &Value, kind: &Value) -> Step<Value> {
    known(d)?;
    known(kind)?;
    // Objects and texts are of no kind that numbers are of.
    if matches!(d, Value::Instance(_)) && dtypes::is_of_others(d) {
        return match kind {
            Value::Class(class) if !matches!(class.name.as_str(), "generic" | "object" | "str") => {
                Ok(Value::Bool(false))
            }
            _ => Err(Halt::unknown("a kind of dtypes of what is no number")),
        };
    }
    if let (Value::Class(class), Value::Class(of)) = (d, kind)
        && dtypes::of(it, d)?.is_none()
    {
        return Ok(Value::Bool(class.derives(of)));
    }
    let dtype = plain_dtype(it, d)?;
    let name = match kind {
        Value::Class(class) => class.name.to_string(),
        Value::Str(name) => name.to_string(),
        Value::Object(_) | Value::Instance(_) => match it.find_attr(kind, "_abstract_name".into())? {
            Some(Value::Str(name)) => name.to_string(),
            _ => return Ok(Value::Bool(dtypes::of(it, kind)? == Some(dtype))),
        },
        _ => return Err(Halt::unknown("a kind of dtypes that is not known")),
    };
    let numeric = !matches!(dtype.kind(), Kind::Key | Kind::Float0 | Kind::Bool);
    Ok(Value::Bool(match name.as_str() {
        "generic" => !dtype.is_key(),
        "number" => numeric,
        "integer" => dtype.is_integer(),
        "signedinteger" => dtype.kind() == Kind::Signed,
        "unsignedinteger" => dtype.kind() == Kind::Unsigned,
        "inexact" => dtype.is_inexact(),
        "floating" => dtype.is_float(),
        "complexfloating" => dtype.is_complex(),
        "prng_key" | "extended" => dtype.is_key(),
        _ => match dtypes::of(it, kind)? {
            Some(other) => other == dtype,
            None => false,
        },
    }))
}

fn is_dtype(it: &Rc<Interp>, d: &Value, kind: &Value) -> Step<Value> {
    let dtype = plain_dtype(it, d)?;
    let one = |kind: &Value| -> Step<bool> {
        Ok(match kind.as_str() {
            Some("bool") => dtype == DType::Bool,
            Some("signed integer") => dtype.kind() == Kind::Signed,
            Some("unsigned integer") => dtype.kind() == Kind::Unsigned,
            Some("integral") => dtype.is_integer(),
            Some("real floating") => dtype.is_float(),
            Some("complex floating") => dtype.is_complex(),
            Some("numeric") => dtype.is_integer() || dtype.is_inexact(),
            _ => dtypes::of(it, kind)? == Some(dtype),
        })
    };
    Ok(Value::Bool(match kind {
        Value::Tuple(kinds) => {
            let mut any = false;
            for kind in kinds.iter() {
                any |= one(kind)?;
            }
            any
        }
        kind => one(kind)?,
    }))
}

fn plain_leaves(x: &Value, leaves: &mut Vec<Value>, has_array: &mut bool, depth: u32) -> Option<()> {
    const DEEPEST: u32 = 100;
    let mut each = |items: &[Value]| items.iter().try_for_each(|item| plain_leaves(item, leaves, has_array, depth + 1));
    match x {
        _ if depth > DEEPEST => None,
        Value::Tuple(items) => each(items),
        Value::List(list) if !list.is_vague() => each(&list.read()),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => {
            leaves.push(x.clone());
            Some(())
        }
        Value::Array(_) => {
            leaves.push(x.clone());
            *has_array = true;
            Some(())
        }
        _ => None,
    }
}

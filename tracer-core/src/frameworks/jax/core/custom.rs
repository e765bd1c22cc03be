//! Functions with differentiation rules of the program's.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use super::Members;
use super::autodiff::maybe_zero;
use super::graph::arrays;
use super::types::aval_value;
use crate::array::DType;
use crate::frameworks::jax::prelude_member;
use crate::frameworks::numpy::array::{NdArray, numbers_of};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Value};
use crate::trace::{Engine, Repr, Scalar, Val};
use crate::transforms::FlatRc;
use crate::transforms::custom_jvp::{CustomJvp, JvpRule, custom_jvp_call};
use crate::transforms::custom_vjp::{BackwardRule, CustomVjp, Forward, ForwardRule, custom_vjp_call};
use crate::transforms::custom_vmap::{CustomVmap, VmapRule};

/// Rules live in graphs that the interpreter keeps: they must not keep the interpreter.
#[derive(Clone)]
struct Back(Weak<Interp>);

impl Back {
    fn call(&self, f: &Value, args: impl IntoIterator<Item = Value>) -> Step<(Rc<Interp>, Vec<Value>)> {
        let it = self.0.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
        let args: Vec<Value> = args.into_iter().collect();
        let found = {
            let _typed = Typed::begin(&it, &args);
            match it.call(f, Args::of(args))? {
                Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
                found => it.to_vec(&found)?,
            }
        };
        Ok((it, found))
    }
}

/// While a function runs that was given numbers of Python's: what JAX hands to it are floats and integers that know their types.
struct Typed<'a>(Option<&'a Interp>);

impl<'a> Typed<'a> {
    fn begin(it: &'a Interp, args: &[Value]) -> Typed<'a> {
        let has_numbers = args.iter().any(|arg| matches!(arg, Value::Int(_) | Value::Float(_)));
        if has_numbers {
            it.typed_numbers.set(it.typed_numbers.get() + 1);
        }
        Typed(has_numbers.then_some(it))
    }
}

impl Drop for Typed<'_> {
    fn drop(&mut self) {
        if let Some(it) = self.0 {
            it.typed_numbers.set(it.typed_numbers.get() - 1);
        }
    }
}

/// `number.dtype` and `number.aval` of such a number.
pub fn typed_number(it: &Rc<Interp>, number: &Value, name: Symbol) -> Option<Value> {
    let dtype = match (number, it.engine.x64()) {
        (Value::Float(_), true) => DType::F64,
        (Value::Float(_), false) => DType::F32,
        (Value::Int(_), true) => DType::I64,
        (Value::Int(_), false) => DType::I32,
        _ => return None,
    };
    match name.as_str() {
        "dtype" => Some(crate::frameworks::dtypes::value(dtype)),
        "aval" => aval_value(it, &crate::array::Aval { dtype, shape: Default::default(), weak: true }).ok(),
        _ => None,
    }
}

/// An argument of a rule. What began as a Python number still is one outside of all traces.
pub(super) fn value(array: &Val) -> Value {
    match &array.repr {
        Repr::Literal(_, Scalar::Float(x)) if array.aval.weak => Value::Float(*x),
        Repr::Literal(_, Scalar::Int(x)) if array.aval.weak => {
            i64::try_from(*x).map_or_else(|_| Value::Array(array.clone()), Value::Int)
        }
        _ => Value::Array(array.clone()),
    }
}

/// What a value was before it became an array.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// An array of JAX's.
    Array,
    /// What a transformation took in. Outside of it, a number of Python's still is one.
    Tracer,
    /// An array or a scalar of NumPy's.
    Numpy,
    /// A number of Python's.
    Number,
}

impl Origin {
    fn of(value: &Value) -> Origin {
        match value {
            Value::Array(array) if array.is_tracer() => Origin::Tracer,
            Value::Array(_) => Origin::Array,
            value if numbers_of(value).is_some() => Origin::Numpy,
            _ => Origin::Number,
        }
    }
}

/// Which values are Python's numbers or NumPy's arrays: to the rules of a function they still are, where a trace has not taken them.
#[derive(Clone, Default)]
struct Numbers(Rc<RefCell<Vec<Origin>>>);

impl Numbers {
    fn set(&self, numbers: impl Iterator<Item = Origin>) {
        *self.0.borrow_mut() = numbers.collect();
    }
    fn among(it: &Rc<Interp>, values: &Value) -> Step<Numbers> {
        let numbers = Numbers::default();
        numbers.set(it.to_vec(values)?.iter().map(Origin::of));
        Ok(numbers)
    }
    fn at(&self, place: usize) -> Origin {
        self.0.borrow().get(place).copied().unwrap_or(Origin::Number)
    }
    fn values(&self, arrays: &[Val]) -> Vec<Value> {
        let numbers = self.0.borrow();
        let known = numbers.len() == arrays.len();
        let one = |(i, array): (usize, &Val)| match &array.repr {
            _ if known && numbers[i] == Origin::Numpy && !array.is_tracer() => NdArray::value(array.clone()),
            _ if known && !matches!(numbers[i], Origin::Number | Origin::Tracer) => Value::Array(array.clone()),
            Repr::Literal(_, Scalar::Bool(truth)) if known => Value::Bool(*truth),
            _ => value(array),
        };
        arrays.iter().enumerate().map(one).collect()
    }
}

fn flat(back: &Back, f: Value, numbers: &Numbers) -> FlatRc {
    let (back, numbers) = (back.clone(), numbers.clone());
    Rc::new(move |_: &Engine, args: &[Val]| {
        let (it, found) = back.call(&f, numbers.values(args))?;
        found.iter().map(|v| super::services::array_of(&it, v)).collect()
    })
}

/// A tangent or cotangent for a rule: a symbolic zero where there is none.
fn with_zero(it: &Rc<Interp>, found: &Option<Val>, aval: &crate::array::Aval) -> Step<Value> {
    match found {
        Some(found) => Ok(value(found)),
        None => {
            let class = prelude_member(it, "jax._engine", "SymbolicZero")?;
            it.call_with(&class, [aval_value(it, aval)?])
        }
    }
}

fn name(value: &Value) -> Rc<str> {
    value.as_str().unwrap_or_default().into()
}

fn jvp_rule(back: &Back, f: Value, numbers: &Numbers) -> JvpRule {
    let (back, numbers) = (back.clone(), numbers.clone());
    Rc::new(move |_, primals, tangents| {
        let it = back.0.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
        let mut args = numbers.values(primals);
        for (tangent, primal) in tangents.iter().zip(primals) {
            args.push(match tangent {
                // What has no tangents has zeros of NumPy's, which a graph takes in.
                Some(zero) if zero.aval.dtype == DType::Float0 && !zero.is_tracer() => match it.engine.staged(zero) {
                    staged if staged.is_tracer() => value(&staged),
                    zero => super::services::zero_value(&it, &zero.aval)?,
                },
                tangent => with_zero(&it, tangent, &primal.aval.tangent())?,
            });
        }
        let (it, mut found) = back.call(&f, args)?;
        let dots = found.split_off(found.len() / 2);
        let results = found.iter().map(|v| super::services::array_of(&it, v)).collect::<Step<Vec<_>>>()?;
        let dots = dots.iter().map(|v| maybe_zero(&it, v)).collect::<Step<Vec<_>>>()?;
        Ok((results, dots))
    })
}

fn forward_rule(back: &Back, f: Value, out_trees: Value, numbers: &Numbers, kept: &Numbers) -> ForwardRule {
    let (back, numbers, kept) = (back.clone(), numbers.clone(), kept.clone());
    Rc::new(move |_, args, nonzero| {
        let pairs = numbers.values(args).into_iter().zip(nonzero).flat_map(|(a, nz)| [a, Value::Bool(*nz)]);
        let (it, found) = back.call(&f, pairs)?;
        let (_, trees) = back.call(&out_trees, [])?;
        let [_, _, forwarded] = trees.as_slice() else { return Err(Halt::unknown("a rule without trees")) };
        let forwarded = it.to_vec(forwarded)?.iter().map(|f| f.as_int().map(|i| i as usize)).collect::<Vec<_>>();
        let count = forwarded.iter().filter(|f| f.is_none()).count();
        let mut residuals = found.iter().map(|v| super::services::array_of(&it, v)).collect::<Step<Vec<_>>>()?;
        if residuals.len() < count {
            return Err(Halt::unknown("a rule with too few residuals"));
        }
        let mut own = found[..count].iter();
        kept.set(forwarded.iter().map(|from| match from {
            Some(place) => numbers.at(*place),
            None => own.next().map_or(Origin::Number, Origin::of),
        }));
        let results = residuals.split_off(count);
        Ok(Forward { residuals, results, forwarded })
    })
}

fn backward_rule(
    back: &Back,
    f: Value,
    kept: &Numbers,
    primal_out: Rc<dyn Fn(&Rc<Interp>) -> Step<Vec<crate::array::Aval>>>,
) -> BackwardRule {
    let (back, kept) = (back.clone(), kept.clone());
    Rc::new(move |_, residuals, cotangents| {
        let it = back.0.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
        let mut args = kept.values(residuals);
        let zeros = cotangents.iter().any(Option::is_none);
        let avals = if zeros { primal_out(&it)? } else { Vec::new() };
        for (i, cotangent) in cotangents.iter().enumerate() {
            args.push(match (cotangent, avals.get(i)) {
                (Some(cotangent), _) => Value::Array(cotangent.clone()),
                (None, Some(aval)) => with_zero(&it, &None, &aval.tangent())?,
                (None, None) => return Err(Halt::unknown("a symbolic zero of unknown type")),
            });
        }
        let (it, found) = back.call(&f, args)?;
        found.iter().map(|v| maybe_zero(&it, v)).collect()
    })
}

fn vmap_rule(back: &Back, rule: Value, in_tree: super::tree::Def) -> VmapRule {
    let back = back.clone();
    Rc::new(move |_, size, batched, args| {
        let it = back.0.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
        let flags = super::tree::unflatten(&it, &in_tree, batched.iter().map(|b| Value::Bool(*b)).collect::<Vec<_>>())?;
        let args = super::tree::unflatten(&it, &in_tree, args.iter().map(value).collect::<Vec<_>>())?;
        let (it, found) = back.call(&rule, [Value::size(size), flags, args])?;
        let [outs, has] = found.as_slice() else { return Err(Halt::unknown("a rule that gives no pair")) };
        let outs = it.to_vec(outs)?.iter().map(|v| super::services::array_of(&it, v)).collect::<Step<Vec<_>>>()?;
        Ok((outs, super::graph::flags(&it, has)?))
    })
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `custom_jvp_call(fun, jvp, args, *, name, jvp_name, symbolic_zeros=False)`: Binds `custom_jvp_call`: both
    // functions take and return flat lists of arrays, `jvp(*primals, *tangents)` returns primals and tangents in one
    // list. Which of the two runs is up to the current trace; the result is a list.
    members.function("custom_jvp_call", |it, args| {
        let names = ["fun", "jvp", "args", "name", "jvp_name", "symbolic_zeros"];
        let [fun, jvp, inputs, fun_name, jvp_name, symbolic] = args.bind("custom_jvp_call", names, 5)?;
        let (back, numbers) = (Back(Rc::downgrade(it)), Numbers::among(it, &inputs)?);
        let call = CustomJvp {
            name: name(&fun_name),
            rule_name: name(&jvp_name),
            fun: flat(&back, fun, &numbers),
            rule: jvp_rule(&back, jvp, &numbers),
            symbolic_zeros: !symbolic.is_unbound() && it.truth(&symbolic)?,
            graph: None,
            consts: 0,
        };
        it.array_work.set(it.array_work.get() + 1);
        Ok(Value::list(custom_jvp_call(&it.engine, call, &arrays(it, &inputs)?)?.iter().map(value).collect()))
    });
    // `bind_custom_vmap(args, jaxpr, rule, num_consts, in_tree, out_tree)`: Binds `custom_vmap_call`: `args` are
    // constants and arguments; under vmap the engine calls `rule(axis_size, batched, args)` with the arguments (batched
    // ones along axis 0) and booleans in the structure `in_tree`, and takes `(flat outputs, batched)`.
    members.function("bind_custom_vmap", |it, args| {
        let names = ["args", "jaxpr", "rule", "num_consts", "in_tree", "out_tree"];
        let [inputs, jaxpr, rule, consts, in_tree, _] = args.bind("bind_custom_vmap", names, 6)?;
        let call = CustomVmap {
            graph: (*super::graph::graph_of(&jaxpr)?).clone(),
            consts: it.index(&consts)? as usize,
            rule: vmap_rule(&Back(Rc::downgrade(it)), rule, super::tree::def_of(&in_tree)?),
        };
        it.array_work.set(it.array_work.get() + 1);
        Ok(super::graph::list(it.engine.bind(Rc::new(call), &arrays(it, &inputs)?)?))
    });
    // `custom_vjp_call(fun, fwd, bwd, args, *, out_trees, name, fwd_name, bwd_name, symbolic_zeros=False)`: Binds
    // `custom_vjp_call`: `fun(*args)`; `fwd(*pairs)` takes each argument followed by whether it is perturbed and returns
    // residuals and outputs in one list; `bwd(*residuals, *cotangents)` returns cotangents of the arguments,
    // `core.Zero(aval)` where there is none. `out_trees()` gives, once `fwd` ran, `(out_tree, residual tree, for each
    // residual the index of the argument it is or None)`; forwarded residuals are not in what `fwd` returns.
    members.function("custom_vjp_call", |it, args| {
        let names = ["fun", "fwd", "bwd", "args", "out_trees", "name", "fwd_name", "bwd_name", "symbolic_zeros"];
        let [fun, fwd, bwd, inputs, out_trees, fun_name, fwd_name, bwd_name, symbolic] =
            args.bind("custom_vjp_call", names, 8)?;
        let (back, numbers, kept) = (Back(Rc::downgrade(it)), Numbers::among(it, &inputs)?, Numbers::default());
        let inputs = arrays(it, &inputs)?;
        let out_avals: Rc<std::cell::RefCell<Vec<crate::array::Aval>>> = Rc::default();
        let noted = out_avals.clone();
        let forward = forward_rule(&back, fwd, out_trees, &numbers, &kept);
        let call = CustomVjp {
            name: name(&fun_name),
            forward_name: name(&fwd_name),
            backward_name: name(&bwd_name),
            fun: flat(&back, fun, &numbers),
            forward: Rc::new(move |cx, args, nonzero| {
                let found = forward(cx, args, nonzero)?;
                *noted.borrow_mut() = found.results.iter().map(|r| r.aval.clone()).collect();
                Ok(found)
            }),
            backward: backward_rule(&back, bwd, &kept, Rc::new(move |_| Ok(out_avals.borrow().clone()))),
            symbolic_zeros: !symbolic.is_unbound() && it.truth(&symbolic)?,
            graph: None,
            consts: 0,
        };
        it.array_work.set(it.array_work.get() + 1);
        Ok(Value::list(custom_vjp_call(&it.engine, call, &inputs)?.iter().map(value).collect()))
    });
}

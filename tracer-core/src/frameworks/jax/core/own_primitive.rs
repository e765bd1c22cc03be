//! Primitives that a program or library defines for itself: every rule is a Python function.

use std::fmt;
use std::rc::{Rc, Weak};

use smallvec::SmallVec;

use super::Members;
use super::autodiff::maybe_zero;
use super::custom::value;
use super::graph::list;
use super::services::array_of;
use super::types::aval_value;
use crate::array::{Aval, Tensor};
use crate::frameworks::jax::prelude_member;
use crate::frameworks::jax::prims;
use crate::frameworks::numpy::array::numbers_of;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::primitives::{Avals, Dims, Operand, Param, Primitive, Tangents};
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::{Array, Axis, Engine, Val, Vals};

/// A primitive of the program's with its parameters.
#[derive(Clone)]
struct Own {
    it: Weak<Interp>,
    /// The program's object.
    primitive: Value,
    /// A dictionary.
    params: Value,
    name: &'static str,
    several: bool,
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// An array or None.
fn maybe(array: &Option<Val>) -> Value {
    array.as_ref().map_or(Value::None, value)
}

/// The arguments of a rule.
fn given(arrays: &[Val]) -> Value {
    Value::list(arrays.iter().map(value).collect())
}

/// A result of a rule. NumPy's would go on as such, out of transformations too.
fn result(it: &Rc<Interp>, value: &Value) -> Step<Val> {
    match numbers_of(value) {
        Some(_) => Err(Halt::unknown("a primitive that computes with NumPy")),
        None => array_of(it, value),
    }
}

impl Own {
    /// What the rule of this name gives: a list.
    fn ask(&self, rule: &str, args: Vec<Value>) -> Step<(Rc<Interp>, Vec<Value>)> {
        let it = self.it.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
        let rule = prelude_member(&it, "jax.extend.core._rules", rule)?;
        let found = it.call_with(&rule, [self.primitive.clone(), self.params.clone()].into_iter().chain(args))?;
        let found = match found {
            Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
            found => it.to_vec(&found)?,
        };
        Ok((it, found))
    }
    /// Notes that a transformation asks for a rule.
    fn note_rule(&self) {
        if let Some(it) = self.it.upgrade() {
            it.repro.asks_own(self.name);
        }
    }
    fn arrays(&self, rule: &str, args: Vec<Value>) -> Step<Vals> {
        let (it, found) = self.ask(rule, args)?;
        found.iter().map(|value| array_of(&it, value)).collect()
    }
}

impl Primitive for Own {
    fn lasts(&self) -> bool {
        false
    }
    fn name(&self) -> &'static str {
        self.name
    }
    fn multiple_results(&self) -> bool {
        self.several
    }
    fn own(&self) -> Option<(Value, Value)> {
        Some((self.primitive.clone(), self.params.clone()))
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        let Ok((_, found)) = self.ask("shown", Vec::new()) else { return Vec::new() };
        let pair = |value: &Value| match value {
            Value::Tuple(items) => match &**items {
                [name, text] => Some((Symbol::from(name.as_str()?).as_str(), Param::Text(text.as_str()?.to_owned()))),
                _ => None,
            },
            _ => None,
        };
        found.iter().filter_map(pair).collect()
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let it = self.it.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
        let avals = inputs.iter().map(|a| aval_value(&it, a)).collect::<Step<Vec<_>>>()?;
        let (it, found) = self.ask("types", vec![Value::list(avals)])?;
        found.iter().map(|value| super::conversion::aval_of(&it, value)).collect()
    }
    fn compute(&self, _: &Engine, inputs: &[Val]) -> Option<Step<Vals>> {
        let found = self.ask("computed", vec![given(inputs)]);
        Some(found.and_then(|(it, found)| found.iter().map(|value| result(&it, value)).collect()))
    }
    fn eval_in(&self, cx: &Engine, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let inputs = list(inputs.iter().map(|tensor| Array::known(tensor.clone(), false)));
        let found = cx.within(&cx.eval_trace(), || self.arrays("compiled", vec![inputs]))?;
        found.iter().map(|value| cx.force(value)).collect()
    }
    fn jvp(&self, _: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        self.note_rule();
        let dots = Value::list(tangents.iter().map(maybe).collect());
        let (it, mut found) = self.ask("with_tangents", vec![given(primals), dots])?;
        let dots = found.split_off(found.len() / 2);
        let results = found.iter().map(|value| result(&it, value)).collect::<Step<Vals>>()?;
        let dots = dots.iter().map(|value| maybe_zero(&it, value)).collect::<Step<Tangents>>()?;
        Ok((results, dots))
    }
    fn transpose(&self, _: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let it = self.it.upgrade().ok_or_else(|| Halt::unknown("the run is over"))?;
        let (mut operands, mut linear) = (Vec::with_capacity(inputs.len()), Vec::with_capacity(inputs.len()));
        for input in inputs {
            linear.push(Value::Bool(matches!(input, Operand::Linear(_))));
            operands.push(match input {
                Operand::Known(known) => value(known),
                Operand::Linear(aval) => aval_value(&it, aval)?,
            });
        }
        let cotangents = Value::list(cotangents.iter().map(maybe).collect());
        let (it, found) = self.ask("transposed", vec![cotangents, Value::list(operands), Value::list(linear)])?;
        let one = |value: &Value| if value.is_none() { Ok(None) } else { maybe_zero(&it, value) };
        found.iter().map(one).collect()
    }
    fn batch_in(&self, _: &Engine, axis: &Axis, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        self.note_rule();
        let at = Value::list(dims.iter().map(|dim| dim.map_or(Value::None, Value::size)).collect());
        let name = axis.name.as_ref().map_or(Value::None, Value::str);
        let args = vec![given(inputs), at, prims::dim_value(axis.size), name];
        let (it, mut found) = self.ask("batched", args)?;
        let at = found.split_off(found.len() / 2);
        let results = found.iter().map(|value| result(&it, value)).collect::<Step<Vals>>()?;
        let place = |(at, value): (&Value, &Val)| match at {
            Value::None => Ok(None),
            at => {
                let at = it.index(at)?;
                Ok(usize::try_from(if at < 0 { at + value.aval.rank() as i64 } else { at }).ok())
            }
        };
        let dims = at.iter().zip(&results).map(place).collect::<Step<Dims>>()?;
        Ok((results, dims))
    }
}

/// The services.
pub fn members(members: &mut Members) {
    // Whether a function is written in the program itself: what it shows when it runs is of interest.
    members.function("is_programs", |it, args| {
        let [f] = args.exactly("is_programs")?;
        let function = super::introspection::unwrapped(it, &f)?;
        Ok(Value::Bool(function.is_none_or(|function| function.module.unit.user)))
    });
    // bind_own(primitive, whether it has several results, arguments, parameters): the list of results.
    members.function("bind_own", |it, args| {
        let [primitive, several, inputs, params] = args.exactly("bind_own")?;
        let name = it.getattr(&primitive, sym!("name"))?;
        let name = Symbol::from(name.as_str().unwrap_or_default()).as_str();
        let inputs = it.to_vec(&inputs)?.iter().map(|v| prims::input(it, v)).collect::<Step<Vec<_>>>()?;
        let several = it.truth(&several)?;
        let own = Own { it: Rc::downgrade(it), primitive, params, name, several };
        it.array_work.set(it.array_work.get() + 1);
        Ok(list(it.engine.bind(Rc::new(own), &inputs)?))
    });
}

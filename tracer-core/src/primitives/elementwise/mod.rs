//! Elementwise operations without parameters: a table, one row each.

pub(super) mod complex;
pub(super) mod complex_steps;
mod derive;
pub(super) mod iterated;
pub mod kernel;
pub(super) mod scalar;
pub mod special;
pub mod stepwise;
pub mod table;

pub use derive::balanced;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::rules::{self, Class};
use super::{Avals, ByElement, Dims, Operand, Params, Primitive, Tangents, build, on_stretches};
use crate::array::tensor::Data;
use crate::array::{Aval, DType, Shape, Tensor, layout};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// How the type of the result follows from the inputs'.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// The type of the inputs, which all have to have the same.
    Same,
    /// Truth values.
    Bool,
    /// The real type of a complex one.
    Real,
    /// The complex type of a real one.
    Complex,
    /// The type of the base; the exponent may be an integer.
    Power,
}

impl ResultType {
    /// The type of the result where the first input has this type.
    fn of(self, dtype: DType) -> DType {
        match self {
            ResultType::Same | ResultType::Power => dtype,
            ResultType::Bool => DType::Bool,
            ResultType::Real => dtype.real(),
            ResultType::Complex if matches!(dtype, DType::F64 | DType::C128) => DType::C128,
            ResultType::Complex => DType::C64,
        }
    }
}

/// The derivative by one input, times a tangent. It sees the tangent, the result and the inputs.
pub type Partial = fn(&Engine, &Val, &Val, &[Val]) -> Step<Val>;

/// Results and tangents of a whole rule.
pub type Jvp = fn(&Engine, &[Val], &[Option<Val>]) -> Step<(Val, Option<Val>)>;

/// How a row is differentiated.
#[derive(Copy, Clone)]
pub enum Rule {
    /// The tangent is zero.
    Zero,
    /// JAX has no rule.
    Missing,
    /// The row is linear in all its inputs together.
    Linear,
    /// One derivative for each input; none where JAX has none.
    Partials(&'static [Option<Partial>]),
    /// A rule of its own.
    Own(Jvp),
}

/// The cotangents of the inputs for the cotangent of the result.
pub type Transpose = fn(&Engine, &Val, &[Operand]) -> Step<Tangents>;

/// One elementwise operation.
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// The types that it accepts at each position.
    pub accepts: &'static [&'static [Class]],
    /// The type of the result.
    pub result: ResultType,
    /// The numbers, for inputs of equal sizes (or one element).
    pub eval: fn(&[Tensor]) -> Option<Data>,
    /// The derivative.
    pub rule: Rule,
    /// The transpose of a linear row.
    pub transpose: Option<Transpose>,
    /// Scalar operations for an element.
    pub cost: u64,
}

/// An elementwise operation.
pub struct Elementwise(pub &'static Row);

/// A row as a primitive: one for all of a thread.
pub fn of(row: &'static Row) -> Rc<dyn Primitive> {
    thread_local! {
        static MADE: RefCell<FxHashMap<*const Row, Rc<dyn Primitive>>> = RefCell::default();
    }
    MADE.with_borrow_mut(|made| made.entry(row).or_insert_with(|| Rc::new(Elementwise(row))).clone())
}

/// From keyword parameters: `accuracy` and `out_dtype` may be given and are `None`. With `by_constant`, which is ours, `div` is
/// [`table::DIV_BY_CONSTANT`].
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    if params.primitive == table::DIV.name && params.get("by_constant").is_some() {
        return Ok(of(&table::DIV_BY_CONSTANT));
    }
    if let Some((name, value)) = params.values.iter().find(|(name, _)| params.get(name).is_some()) {
        return Err(Halt::unknown(format!("`{name}={value:?}` of `{}` is not modelled", params.primitive)));
    }
    static BY_NAME: LazyLock<FxHashMap<&str, &Row>> =
        LazyLock::new(|| table::ALL.iter().map(|row| (row.name, *row)).collect());
    match BY_NAME.get(params.primitive) {
        Some(row) => Ok(of(row)),
        None => Err(Halt::unknown(format!("the primitive `{}` is not modelled yet", params.primitive))),
    }
}

impl fmt::Debug for Elementwise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl Elementwise {
    fn result_dtype(&self, inputs: &[&Aval]) -> Step<DType> {
        let (name, row) = (self.0.name, self.0);
        if let ([accepts], [input]) = (row.accepts, inputs) {
            rules::check_unary(name, accepts, input)?;
            if name == "abs" && input.dtype.is_part_of_byte() {
                return Err(Halt::type_error(format!(
                    "abs does not accept dtype {}. Support for narrow-width integers is platform-dependent and limited to a \
                     few specific operations, e.g. basic arithmetic and type casting.",
                    input.dtype
                )));
            }
        } else {
            let keys = matches!(name, "eq" | "ne");
            rules::check_positions(name, row.accepts, inputs, keys)?;
            if row.result != ResultType::Power {
                rules::check_same_dtypes(name, inputs)?;
            }
        }
        let dtype = inputs[0].dtype;
        if row.result == ResultType::Power {
            let exponent = inputs[1].dtype;
            if exponent != dtype && !exponent.is_integer() {
                return Err(Halt::type_error(format!(
                    "the first argument to pow must have an inexact dtype (float or complex), and the second argument \
                     must have an inexact or integer dtype, and two inexact dtypes must match, but got {dtype} and \
                     {exponent} respectively."
                )));
            }
        }
        Ok(row.result.of(dtype))
    }
}

impl Primitive for Elementwise {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        if inputs.len() != self.0.accepts.len() {
            return Err(Halt::unknown(format!("`{}` takes {} arrays", self.0.name, self.0.accepts.len())));
        }
        let weak = inputs.iter().all(|a| a.weak);
        if inputs.len() == 1 {
            let dtype = self.result_dtype(inputs)?;
            return Ok(smallvec![Aval { dtype, shape: Shape::from_slice(&inputs[0].shape), weak }]);
        }
        // JAX checks shapes before types.
        let shape = if self.0.name == "add_any" {
            inputs[0].shape.clone()
        } else {
            rules::broadcast_shape(self.0.name, inputs)?
        };
        Ok(smallvec![Aval { dtype: self.result_dtype(inputs)?, shape, weak }])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let shape = match inputs {
            [only] => only.shape.clone(),
            [a, b] if a.shape == b.shape || b.shape.is_empty() => a.shape.clone(),
            [a, b] if a.shape.is_empty() => b.shape.clone(),
            _ => layout::broadcast_shapes(inputs.iter().map(|t| &t.shape[..]))
                .ok_or_else(|| Halt::unknown("shapes that do not fit"))?,
        };
        let dtype = self.0.result.of(inputs[0].dtype);
        let pair = inputs.len() == 2;
        let fits = |t: &Tensor| t.shape == shape || (pair && t.shape.iter().all(|&n| n == 1) && !t.dtype.is_key());
        let factors = table::factors(self.0, inputs, &shape);
        let (row, inputs) = factors.as_ref().map_or((self.0, inputs), |factors| (&table::MUL, &factors[..]));
        let data = match inputs.iter().all(fits) {
            true => (row.eval)(inputs),
            false => {
                let spread = inputs.iter().map(|t| if fits(t) { t.clone() } else { t.broadcast_to(&shape) });
                (row.eval)(&spread.collect::<SmallVec<[Tensor; 3]>>())
            }
        };
        let data = data
            .ok_or_else(|| Halt::unknown(format!("no evaluation of `{}` for {} yet", self.0.name, inputs[0].dtype)))?;
        Ok(smallvec![Tensor::with_data(dtype, shape, data)])
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        if let Rule::Own(rule) = self.0.rule {
            let (out, tangent) = rule(cx, primals, tangents)?;
            return Ok((smallvec![out], smallvec![tangent]));
        }
        let out = build::apply(cx, self.0, primals)?;
        let tangent = match self.0.rule {
            Rule::Zero => None,
            Rule::Linear => {
                let all = tangents.iter().zip(primals).map(|(t, x)| build::instantiate(cx, t, &x.aval));
                Some(build::apply(cx, self.0, &all.collect::<Step<Vec<_>>>()?)?)
            }
            Rule::Partials(partials) => {
                let mut parts: SmallVec<[Val; 2]> = SmallVec::new();
                for (partial, tangent) in partials.iter().zip(tangents) {
                    if let (Some(partial), Some(tangent)) = (partial, tangent) {
                        parts.push(partial(cx, tangent, &out, primals)?);
                    }
                }
                let mut sum: Option<Val> = None;
                for part in parts {
                    sum = build::add_tangents(cx, sum, Some(part))?;
                }
                sum
            }
            Rule::Missing | Rule::Own(_) => {
                return Err(Halt::raise(
                    "NotImplementedError",
                    format!("Differentiation rule for '{}' not implemented", self.0.name),
                ));
            }
        };
        Ok((smallvec![out], smallvec![tangent]))
    }

    fn transpose(&self, cx: &Engine, cotangents: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        match (self.0.transpose, cotangents.first()) {
            (Some(rule), Some(Some(cotangent))) => rule(cx, cotangent, inputs),
            (Some(_), _) => Ok(inputs.iter().map(|_| None).collect()),
            (None, _) => Err(Halt::raise(
                "NotImplementedError",
                format!("Transpose rule (for reverse-mode differentiation) for '{}' not implemented", self.0.name),
            )),
        }
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        if let ([x], [Some(dim)]) = (inputs, dims) {
            return Ok(rules::batched(build::apply(cx, self.0, &[x.clone()])?, *dim));
        }
        if self.0.name == "add_any" {
            return derive::batch_add_any(cx, inputs, dims);
        }
        let (inputs, dim) = rules::batch_broadcasting(cx, inputs, dims)?;
        Ok(rules::batched(build::apply(cx, self.0, &inputs)?, dim))
    }

    fn by_element(&self) -> Option<ByElement> {
        on_stretches(Elementwise(self.0))
    }

    fn in_numpy(&self) -> Option<Rc<dyn Primitive>> {
        (self.0.name == table::DIV.name).then(|| of(&table::DIV_EACH))
    }

    fn cost(&self, _inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        outputs.iter().filter_map(Aval::size).map(|n| self.0.cost.saturating_mul(n as u64)).sum()
    }
}

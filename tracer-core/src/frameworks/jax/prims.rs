//! `_jitlens.prims`: one function per primitive, called by the prelude.

use std::rc::Rc;

use super::core::conversion::to_array;
use crate::array::Dim;
use crate::frameworks::dtypes;
use crate::frameworks::numpy::from_python::holds_no_numbers;
use crate::interp::Interp;
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::primitives::{self, ParamValue, Primitive};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Attrs, Guess, ModuleObject, NativeFn, Value};
use crate::trace::Val;

/// The module: its functions are made when first asked for.
pub fn module(_: &Rc<Interp>) -> Rc<ModuleObject> {
    let mut members = Attrs::default();
    // One function for each name: they are compared by identity.
    let made: std::cell::RefCell<rustc_hash::FxHashMap<Symbol, Value>> = Default::default();
    members.insert(
        sym!("__getattr__"),
        NativeFn::value("__getattr__", move |_, args| {
            let [name] = args.exactly("__getattr__")?;
            let name = name.as_str().unwrap_or_default();
            let found = made.borrow_mut().entry(Symbol::from(name)).or_insert_with(|| function(Rc::from(name))).clone();
            Ok(found)
        }),
    );
    ModuleObject::native("_jitlens.prims", members)
}

/// The function of one primitive.
pub fn function(name: Rc<str>) -> Value {
    // Names that are Python keywords have an underscore behind.
    let primitive: Rc<str> = Rc::from(name.trim_end_matches('_'));
    let operands = Operands::of(&primitive);
    NativeFn::value(&name, move |it, args| super::hooks::of_model(call(it, &primitive, &operands, args)))
}

/// What a primitive is given, as far as its name tells.
struct Operands {
    /// How many, where that is one number that `jax.lax` looks at.
    count: Option<usize>,
    names: &'static [&'static str],
    /// How many at least and at most.
    limits: (usize, usize),
}

impl Operands {
    fn of(primitive: &str) -> Operands {
        let (count, names) = (operand_count(primitive), operand_names(primitive));
        Operands { count, names: &names[..count.unwrap_or(names.len())], limits: operand_limits(primitive) }
    }
}

fn call(it: &Rc<Interp>, name: &Rc<str>, operands: &Operands, args: Args) -> Step<Value> {
    let mut inputs: Vec<Val> = Vec::with_capacity(args.positional.len());
    for value in &args.positional {
        inputs.push(operand(it, name, inputs.len(), value)?);
    }
    let mut params = Vec::with_capacity(args.keyword.len());
    let names = operands.names;
    // As `jax.lax` names operands; a parameter has no such name but that of `integer_pow`.
    for operand_name in names.iter().skip(inputs.len()) {
        let Some((_, value)) = args.keyword.iter().find(|(key, _)| key.as_str() == *operand_name) else { break };
        inputs.push(operand(it, name, inputs.len(), value)?);
    }
    if operands.count.is_some_and(|count| inputs.len() != count) {
        return Err(wrong_count(public_name(name), names, &args));
    }
    for (key, value) in &args.keyword {
        match key.as_str() {
            key if names[args.positional.len().min(names.len())..inputs.len().min(names.len())].contains(&key) => {}
            "accuracy" if value.is_none() => {}
            key => params.push((Rc::from(key), param(it, value)?)),
        }
    }
    let (least, most) = operands.limits;
    if !(least..=most).contains(&inputs.len()) {
        return Err(Halt::unknown(format!("`{name}` of {} arrays", inputs.len())));
    }
    let primitive = primitives::from_params(name, params).map_err(|halt| match halt {
        Halt::Unknown(_) => unhashable(it, name, &args).unwrap_or(halt),
        halt => halt,
    })?;
    bind(it, primitive, &inputs)
}

/// How many operands a primitive takes, at least and at most: rules rely on it. Of elementwise ones their rows tell.
fn operand_limits(primitive: &str) -> (usize, usize) {
    match primitive {
        "cholesky_update"
        | "conv_general_dilated"
        | "dot_general"
        | "gather"
        | "householder_product"
        | "pad"
        | "random_fold_in"
        | "select_and_scatter_add"
        | "symmetric_product"
        | "triangular_solve" => (2, 2),
        "clamp" | "ormqr" | "ragged_dot_general" | "regularized_incomplete_beta" => (3, 3),
        name if name.starts_with("scatter") => (3, 3),
        "tridiagonal_solve" => (4, 4),
        "dynamic_update_slice" | "reduce" | "reduce_window" | "select_n" => (2, usize::MAX),
        "concatenate" | "cond" | "dynamic_slice" | "sort" => (1, usize::MAX),
        "argmax"
        | "argmin"
        | "bitcast_convert_type"
        | "broadcast_in_dim"
        | "cholesky"
        | "convert_element_type"
        | "copy"
        | "cumlogsumexp"
        | "cummax"
        | "cummin"
        | "cumprod"
        | "cumsum"
        | "eig"
        | "eigh"
        | "fft"
        | "geqrf"
        | "hessenberg"
        | "lu"
        | "lu_pivots_to_permutation"
        | "qr"
        | "random_bits"
        | "random_seed"
        | "random_unwrap"
        | "random_wrap"
        | "reduce_and"
        | "reduce_max"
        | "reduce_min"
        | "reduce_or"
        | "reduce_precision"
        | "reduce_prod"
        | "reduce_sum"
        | "reduce_xor"
        | "reduce_window_max"
        | "reduce_window_min"
        | "reduce_window_sum"
        | "reshape"
        | "rev"
        | "schur"
        | "slice"
        | "split"
        | "squeeze"
        | "svd"
        | "top_k"
        | "transpose"
        | "tridiagonal" => (1, 1),
        "after_all" | "axis_index" | "closed_call" | "create_token" | "dim_as_value" | "empty" | "empty2" | "iota"
        | "iota_2x32_shape" | "jit" | "platform_index" | "scan" | "while" => (0, usize::MAX),
        _ => (1, usize::MAX),
    }
}

/// How `jax.lax` names the operands of a primitive that it has as a function, in their order.
fn operand_names(primitive: &str) -> &'static [&'static str] {
    match primitive {
        "igamma" | "igammac" | "igamma_grad_a" => &["a", "x"],
        "nextafter" => &["x1", "x2"],
        "zeta" => &["x", "q"],
        "polygamma" => &["m", "x"],
        "integer_pow" => &["x"],
        _ => &["x", "y"],
    }
}

/// Primitives of one operand that are functions of `jax.lax` as they are.
const UNARY: &str = "abs acos acosh asin asinh atan atanh bessel_i0e bessel_i1e cbrt ceil clz cos cosh digamma erf erf_inv erfc exp exp2 \
    expm1 floor imag is_finite lgamma log log1p logistic neg not population_count real rsqrt sign sin sinh sqrt square tan tanh";

/// Those of two.
const BINARY: &str = "add and atan2 complex div eq ge gt igamma igamma_grad_a igammac le lt max min mul mulhi ne nextafter or \
    polygamma pow rem shift_left shift_right_arithmetic shift_right_logical sub xor zeta";

/// How many operands such a primitive takes.
fn operand_count(primitive: &str) -> Option<usize> {
    let is_in = |table: &str| table.split_ascii_whitespace().any(|name| name == primitive);
    is_in(BINARY).then_some(2).or_else(|| is_in(UNARY).then_some(1))
}

/// How `jax.lax` names it.
fn public_name(primitive: &str) -> &str {
    match primitive {
        "and" => "bitwise_and",
        "or" => "bitwise_or",
        "xor" => "bitwise_xor",
        "not" => "bitwise_not",
        name => name,
    }
}

/// The error of too few operands, or too many.
#[cold]
fn wrong_count(function: &str, names: &[&str], args: &Args) -> Halt {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let positional = args.positional.len();
    if positional > names.len() {
        let were = if positional == 1 { "was" } else { "were" };
        return Halt::type_error(format!(
            "{function}() takes {} positional argument{} but {positional} {were} given",
            names.len(),
            plural(names.len())
        ));
    }
    let is_given = |name: &str| args.keyword.iter().any(|(key, _)| key.as_str() == name);
    let missing = names[positional..].iter().filter(|name| !is_given(name));
    let missing: Vec<String> = missing.map(|name| format!("'{name}'")).collect();
    Halt::type_error(format!(
        "{function}() missing {} required positional argument{}: {}",
        missing.len(),
        plural(missing.len()),
        missing.join(" and ")
    ))
}

/// The error of a parameter that is an array or holds one.
#[cold]
fn unhashable(it: &Rc<Interp>, name: &str, args: &Args) -> Option<Halt> {
    // Shapes are looked at before.
    let params = args.keyword.iter().filter(|(key, _)| !matches!(key.as_str(), "shape" | "new_sizes"));
    let (key, value, array) = params.into_iter().find_map(|(key, value)| Some((key, value, array_in(value)?)))?;
    if !it.engine.is_staging() {
        return Some(Halt::type_error(format!("unhashable type: '{}'", array.qualified_type_name())));
    }
    Some(Halt::type_error(format!(
        "As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods. In a call to primitive {name}, \
         the value of parameter {key} was not hashable: {}",
        it.repr(value).ok()?.as_str()?
    )))
}

fn array_in(value: &Value) -> Option<&Val> {
    match value {
        Value::Array(array) => Some(array),
        Value::Tuple(items) => items.iter().find_map(array_in),
        _ => None,
    }
}

/// Applies a primitive, as the function of its name does: its result, or the list of them.
///
/// # Errors
/// What the primitive raises.
pub fn bind(it: &Rc<Interp>, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Value> {
    let multiple = primitive.multiple_results();
    super::jit::check_alive(it, inputs)?;
    it.array_work.set(it.array_work.get() + 1);
    let outputs = it.engine.bind(primitive, inputs)?;
    if multiple {
        return Ok(Value::list(outputs.into_iter().map(Value::Array).collect()));
    }
    match outputs.into_iter().next() {
        Some(output) => Ok(Value::Array(output)),
        None => Ok(Value::None),
    }
}

/// An operand of a primitive that the program may have given.
fn operand(it: &Rc<Interp>, name: &str, position: usize, value: &Value) -> Step<Val> {
    if let Some(array) = read(it, value)? {
        return Ok(array);
    }
    let class = it.repr(&Value::Class(it.class_of(value)))?;
    Err(Halt::type_error(format!(
        "Error interpreting argument to {name} as a JAX value. The problematic value is of type {} and was passed to {name} at position \
         {position}.\n",
        class.as_str().unwrap_or("…")
    )))
}

/// An array argument.
pub fn input(it: &Rc<Interp>, value: &Value) -> Step<Val> {
    if holds_no_numbers(value) {
        return Err(super::core::refused::no_type(it, value));
    }
    read(it, value)?.ok_or_else(|| Halt::type_error(format!("a primitive got a {}", it.type_name(value))))
}

/// An array argument; `None` for what is none.
fn read(it: &Rc<Interp>, value: &Value) -> Step<Option<Val>> {
    match value {
        Value::Array(array) => Ok(Some(array.clone())),
        other => match super::core::conversion::to_array(it, other)? {
            None if super::core::refs::is_ref(it, other) => {
                Err(Halt::unknown("a mutable array where an array is expected"))
            }
            found => Ok(found),
        },
    }
}

/// A parameter as a neutral value.
pub fn param(it: &Rc<Interp>, value: &Value) -> Step<ParamValue> {
    Ok(match value {
        Value::None => ParamValue::None,
        Value::Bool(flag) => ParamValue::Bool(*flag),
        Value::Int(number) => ParamValue::Int(*number),
        Value::Float(number) => ParamValue::Float(*number),
        Value::Str(text) => ParamValue::Str(text.clone()),
        Value::Tuple(items) => ParamValue::Tuple(items.iter().map(|i| param(it, i)).collect::<Step<_>>()?),
        Value::List(items) => ParamValue::Tuple(items.read().iter().map(|i| param(it, i)).collect::<Step<_>>()?),
        Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
        Value::Class(_) => match dtypes::of(it, value)? {
            Some(dtype) => ParamValue::DType(dtype),
            None => ParamValue::Opaque(Rc::new(value.clone())),
        },
        Value::Object(object) => {
            if let Some(dim) = object.downcast::<DimObject>() {
                return Ok(ParamValue::Dim(dim.0));
            }
            if let Some(graph) = object.downcast::<super::core::GraphObject>() {
                return Ok(ParamValue::Opaque(Rc::new((*graph.graph).clone())));
            }
            if let Some(scalar) = object.downcast::<crate::frameworks::numpy::scalar::NpScalar>() {
                let number = it.engine.force_for_python(&scalar.0)?;
                return param(it, &super::core::numpy_values::python_number(&number, 0)?);
            }
            if let Some(dtype) = dtypes::of(it, value)? {
                return Ok(ParamValue::DType(dtype));
            }
            match object.clone().number(it, "index")? {
                Some(Value::Int(number)) => ParamValue::Int(number),
                _ => ParamValue::Opaque(Rc::new(value.clone())),
            }
        }
        Value::Instance(instance) => match instance.payload() {
            Some(payload) => param(it, &payload.clone())?,
            None => named_fields(it, value)?,
        },
        other => ParamValue::Opaque(Rc::new(other.clone())),
    })
}

/// An object of the prelude with named fields (`GatherDimensionNumbers`): its `_fields`, in order; or an enum's member.
fn named_fields(it: &Rc<Interp>, value: &Value) -> Step<ParamValue> {
    if let Some(fields) = it.find_attr(value, sym!("_fields"))? {
        let mut items = Vec::new();
        for field in it.to_vec(&fields)? {
            let name = Symbol::from(field.as_str().unwrap_or_default());
            items.push(param(it, &it.getattr(value, name)?)?);
        }
        return Ok(ParamValue::Tuple(items));
    }
    if let Some(Value::Str(name)) = it.find_attr(value, sym!("name"))? {
        return Ok(ParamValue::Str(name));
    }
    Ok(ParamValue::Opaque(Rc::new(value.clone())))
}

/// Powers of a size up to this one are sizes.
const MOST_POWERS: usize = 8;

/// A symbolic size as a Python value.
pub struct DimObject(pub Dim);

impl crate::python::Object for DimObject {
    fn type_name(&self) -> String {
        "_DimExpr".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<crate::python::Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
    fn repr(self: Rc<Self>, _: &Rc<Interp>, _: bool) -> Step<Option<String>> {
        Ok(Some(self.0.to_string()))
    }
    fn binary(self: Rc<Self>, it: &Rc<Interp>, op: BinaryOp, other: &Value, reflected: bool) -> Step<Option<Value>> {
        if let Some(other) = dim_of(other) {
            let (a, b) = if reflected { (other, self.0) } else { (self.0, other) };
            let dim = match op {
                BinaryOp::Add => Some(a + b),
                BinaryOp::Sub => Some(a - b),
                BinaryOp::Mul => Some(a * b),
                BinaryOp::FloorDiv => Some(a.floor_div(b)?),
                BinaryOp::Mod => Some(a.modulo(b)?),
                BinaryOp::Pow => match b.known() {
                    Some(exponent @ 1..=MOST_POWERS) => Some((1..exponent).fold(a, |product, _| product * a)),
                    _ => None,
                },
                _ => None,
            };
            if let Some(dim) = dim {
                return Ok(Some(dim_value(dim)));
            }
        } else if !matches!(other, Value::Float(_)) {
            // Arrays, and numbers of NumPy, ask for its number themselves.
            return Ok(None);
        }
        // What is no size any more is a number.
        let Some(number) = to_array(it, &Value::Object(self))? else { return Ok(None) };
        let number = Value::Array(number);
        let (left, right) = if reflected { (other, &number) } else { (&number, other) };
        it.binary(op, left, right).map(Some)
    }
    fn unary(self: Rc<Self>, _: &Rc<Interp>, op: UnaryOp) -> Step<Option<Value>> {
        Ok(match op {
            UnaryOp::Neg => Some(dim_value(Dim::from(0i64) - self.0)),
            UnaryOp::Pos => Some(dim_value(self.0)),
            _ => None,
        })
    }
    fn compare(self: Rc<Self>, _: &Rc<Interp>, op: CompareOp, other: &Value, reflected: bool) -> Step<Option<Value>> {
        let Some(other) = dim_of(other) else { return Ok(None) };
        let (a, b) = if reflected { (other, self.0) } else { (self.0, other) };
        let (told, symbol) = match op {
            CompareOp::Eq => (a.equal(b), "=="),
            CompareOp::NotEq => (a.equal(b).map(|same| !same), "!="),
            CompareOp::GtE => (a.at_least(b), ">="),
            CompareOp::Gt => (b.at_least(a).map(|less| !less), ">"),
            CompareOp::LtE => (b.at_least(a), "<="),
            CompareOp::Lt => (a.at_least(b).map(|more| !more), "<"),
            _ => return Ok(None),
        };
        match told {
            Some(told) => Ok(Some(Value::Bool(told))),
            None if !a.is_general() && !b.is_general() => {
                Ok(Some(Value::unknown_of(Guess::Bool, format!("`{a} {symbol} {b}` depends on symbols"))))
            }
            None => Err(Halt::raise(
                "jax.core.InconclusiveDimensionOperation",
                format!("Symbolic dimension comparison '{a}' {symbol} '{b}' is inconclusive."),
            )),
        }
    }
    fn number(self: Rc<Self>, _: &Rc<Interp>, kind: &str) -> Step<Option<Value>> {
        match kind {
            "int" if self.0.is_general() => Err(no_constant(self.0)),
            // Those are no numbers for Python.
            "float" | "complex" if self.0.is_general() => Ok(None),
            _ => Err(Halt::unknown(format!("the number of the symbolic size `{}`", self.0))),
        }
    }
    fn equals(&self, other: &Value) -> Option<bool> {
        match other {
            Value::Object(object) => Some(object.downcast::<DimObject>().is_some_and(|d| d.0 == self.0)),
            _ => Some(false),
        }
    }
}

/// What JAX raises where a size that stands for every size is asked for its number.
pub fn no_constant(dim: Dim) -> Halt {
    Halt::raise(
        "jax.core.InconclusiveDimensionOperation",
        format!("Symbolic dimension '{dim}' used in a context that requires a constant"),
    )
}

/// A size as a Python value.
pub fn dim_value(dim: Dim) -> Value {
    match (dim.known(), dim.bounds()) {
        (Some(size), _) => Value::size(size),
        // A difference of sizes may be negative.
        (None, (Some(low), Some(high))) if low == high => Value::Int(low),
        _ => Value::Object(Rc::new(DimObject(dim))),
    }
}

/// The symbolic size that a value is.
pub fn dim_in(value: &Value) -> Option<Dim> {
    match value {
        Value::Object(object) => object.downcast::<DimObject>().map(|d| d.0),
        _ => None,
    }
}

/// A Python value as a size.
pub fn dim_of(value: &Value) -> Option<Dim> {
    match value {
        Value::Int(n) => Some(Dim::from(*n)),
        other => dim_in(other),
    }
}

/// The sizes of an array as a Python tuple.
pub fn shape_value(shape: &[Dim]) -> Value {
    Value::tuple(shape.iter().map(|d| dim_value(*d)))
}

//! `numpy.ndarray`.

use std::any::Any;
use std::rc::Rc;

use crate::array::{Aval, DType};
use crate::interp::Interp;
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::python::halt::{Halt, Step, Why};
use crate::python::journal::{Join, Mutable};
use crate::python::{Class, Guess, Object, Value};
use crate::trace::{Array, Val};

/// What an array holds: an eager array of the tracer's, replaced as a whole when the program writes into it.
#[derive(Clone)]
pub struct Contents {
    /// The numbers, deferred.
    pub array: Val,
}

impl Join for Contents {
    fn join(&self, other: &Self) -> Self {
        let array = match self.array.aval == other.array.aval {
            true => Array::joined(&self.array, &other.array).unwrap_or_else(|| self.array.clone()),
            false => self.array.clone(),
        };
        Contents { array }
    }
}

/// A NumPy array.
pub struct NdArray {
    /// What it holds.
    pub contents: Rc<Mutable<Contents>>,
}

impl NdArray {
    /// A NumPy array of these numbers.
    pub fn new(array: Val) -> Rc<NdArray> {
        Rc::new(NdArray { contents: Mutable::new(Contents { array }) })
    }
    /// As a Python value.
    pub fn value(array: Val) -> Value {
        Value::Object(NdArray::new(array))
    }
    /// The numbers now.
    pub fn array(&self) -> Val {
        self.contents.read().array.clone()
    }
}

/// The numbers of a NumPy array or scalar.
pub fn numbers_of(value: &Value) -> Option<Val> {
    match value {
        Value::Object(object) => object
            .downcast::<NdArray>()
            .map(NdArray::array)
            .or_else(|| object.downcast::<super::scalar::NpScalar>().map(|s| s.0.clone())),
        _ => None,
    }
}

impl Object for NdArray {
    fn type_name(&self) -> String {
        "ndarray".into()
    }
    fn qualified_type_name(&self) -> String {
        "numpy.ndarray".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.named_class(Symbol::from("numpy.ndarray")).unwrap_or_else(|_| it.types.object.clone())
    }
    fn forgotten(&self, why: &Why) -> Option<Value> {
        Array::forgotten(&self.array(), why).map(NdArray::value)
    }
    fn signature(&self) -> String {
        format!("ndarray {}", self.array().aval.long())
    }
    fn joined(&self, other: &dyn Object) -> Option<Value> {
        let (a, b) = (self.array(), other.downcast::<NdArray>()?.array());
        (a.aval == b.aval).then(|| Array::joined(&a, &b)).flatten().map(NdArray::value)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn shown(&self) -> Option<String> {
        Some(format!("np:{}", self.array().aval))
    }
    fn hash(&self) -> Option<u64> {
        None
    }
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        let array = self.array();
        Ok(Some(match name.as_str() {
            "shape" => crate::frameworks::jax::prims::shape_value(&array.aval.shape),
            "dtype" => crate::frameworks::dtypes::value(array.aval.dtype),
            "ndim" => Value::size(array.aval.rank()),
            "size" => Value::size(array.aval.size().unwrap_or(0)),
            "nbytes" => {
                let bytes = i64::from(array.aval.dtype.bits().div_ceil(8));
                Value::Int(array.aval.size().unwrap_or(0) as i64 * bytes)
            }
            "flags" | "strides" | "base" | "data" | "ctypes" => Value::unknown(format!("`ndarray.{name}`")),
            "__array_priority__" => Value::Float(0.0),
            "__jax_array__" | "__get__" => return Ok(None),
            "tolist" | "item" => crate::python::NativeFn::value("tolist", move |it, _| match it.engine.force(&array) {
                Ok(tensor) => nested(&tensor, 0, &mut 0),
                Err(Halt::Unknown(why)) => nested_unknown(&array.aval, &why),
                Err(halt) => Err(halt),
            }),
            _ => return super::methods::method(it, Value::Object(self), name),
        }))
    }
    fn binary(self: Rc<Self>, it: &Rc<Interp>, op: BinaryOp, other: &Value, reflected: bool) -> Step<Option<Value>> {
        super::methods::binary(it, Value::Object(self), op, other, reflected)
    }
    fn unary(self: Rc<Self>, it: &Rc<Interp>, op: UnaryOp) -> Step<Option<Value>> {
        super::methods::unary(it, Value::Object(self), op).map(Some)
    }
    fn compare(self: Rc<Self>, it: &Rc<Interp>, op: CompareOp, other: &Value, reflected: bool) -> Step<Option<Value>> {
        super::methods::compare(it, Value::Object(self), op, other, reflected)
    }
    fn getitem(self: Rc<Self>, it: &Rc<Interp>, index: &Value) -> Step<Option<Value>> {
        super::methods::getitem(it, Value::Object(self), index).map(Some)
    }
    fn setitem(self: Rc<Self>, it: &Rc<Interp>, index: &Value, value: Value) -> Step<bool> {
        super::methods::setitem(it, &self, index, &value)?;
        Ok(true)
    }
    fn len(&self, _: &Rc<Interp>) -> Step<Option<usize>> {
        match self.array().aval.shape.first() {
            Some(dim) => dim.get().map(Some),
            None => Err(Halt::type_error("len() of unsized object")),
        }
    }
    fn items(self: Rc<Self>, it: &Rc<Interp>) -> Step<Option<Vec<Value>>> {
        let Some(n) = self.array().aval.shape.first().copied() else {
            return Err(Halt::type_error("iteration over a 0-d array"));
        };
        let n = n.get()?;
        it.spend_many(n)?;
        let value = Value::Object(self);
        (0..n).map(|i| super::methods::getitem(it, value.clone(), &Value::size(i))).collect::<Step<Vec<_>>>().map(Some)
    }
    fn truth(self: Rc<Self>, it: &Rc<Interp>) -> Step<Option<bool>> {
        crate::frameworks::jax::core::concretize::truth(it, &self.array()).map(Some)
    }
    fn number(self: Rc<Self>, it: &Rc<Interp>, kind: &str) -> Step<Option<Value>> {
        crate::frameworks::jax::core::concretize::number(it, &self.array(), kind).map(Some)
    }
}

/// Nested lists of Python numbers.
/// A Python number of this element type that is not known.
pub fn unknown_number(aval: &Aval, why: &Why) -> Value {
    let guess = match aval.dtype {
        DType::Bool => Guess::Bool,
        dtype if dtype.is_integer() => Guess::Int,
        dtype if dtype.is_float() => Guess::Float,
        dtype if dtype.is_complex() => Guess::Complex,
        _ => Guess::Any,
    };
    Value::unknown_of(guess, why.0.clone())
}

/// Nested lists of unknown numbers, unless they are many.
fn nested_unknown(aval: &Aval, why: &Why) -> Step<Value> {
    let sizes: Option<Vec<usize>> = aval.shape.iter().map(|d| d.known()).collect();
    match sizes {
        Some(sizes) if sizes.iter().product::<usize>() <= MOST_LISTED => {
            let number = unknown_number(aval, why);
            Ok(sizes.iter().rev().fold(number, |inner, n| Value::list((0..*n).map(|_| fresh(&inner)).collect())))
        }
        _ => Err(Halt::Unknown(why.clone())),
    }
}

/// Numbers that are listed though they are not known.
const MOST_LISTED: usize = 4_096;

/// A copy of nested lists.
fn fresh(value: &Value) -> Value {
    match value {
        Value::List(list) => Value::list(list.read().iter().map(fresh).collect()),
        other => other.clone(),
    }
}

fn nested(tensor: &crate::array::Tensor, axis: usize, at: &mut usize) -> Step<Value> {
    if axis == tensor.shape.len() {
        *at += 1;
        return crate::frameworks::jax::core::numpy_values::python_number(tensor, *at - 1);
    }
    let items = (0..tensor.shape[axis]).map(|_| nested(tensor, axis + 1, at)).collect::<Step<Vec<_>>>()?;
    Ok(Value::list(items))
}

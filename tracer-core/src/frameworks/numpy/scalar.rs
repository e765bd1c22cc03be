//! NumPy's scalars: `numpy.float32(1)`.

use std::any::Any;
use std::rc::Rc;

use crate::array::DType;
use crate::frameworks::dtypes;
use crate::interp::Interp;
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::python::halt::{Halt, Step, Why};
use crate::python::key::values_equal;
use crate::python::{Args, Class, Guess, Object, Value};
use crate::trace::{Array, Val};

/// A scalar of NumPy: an eager array of rank 0.
pub struct NpScalar(pub Val);

impl NpScalar {
    /// As a Python value.
    pub fn value(array: Val) -> Value {
        Value::Object(Rc::new(NpScalar(array)))
    }
}

impl Object for NpScalar {
    fn type_name(&self) -> String {
        format!("numpy.{}", self.0.aval.dtype.name())
    }
    fn hash(&self) -> Option<u64> {
        self.0.tensor().map(|_| std::ptr::from_ref(self).cast::<()>() as u64)
    }
    fn settle(&self, it: &Rc<Interp>) -> Step<()> {
        it.engine.force_for_python(&self.0).map(drop)
    }
    fn plain(&self) -> Option<Value> {
        crate::frameworks::jax::core::numpy_values::python_number(self.0.tensor()?, 0).ok()
    }
    fn equals(&self, other: &Value) -> Option<bool> {
        let own = self.plain()?;
        Some(match other {
            Value::Object(object) => object.plain().is_some_and(|other| values_equal(&own, &other)),
            other => values_equal(&own, other),
        })
    }
    fn repr(self: Rc<Self>, it: &Rc<Interp>, plain: bool) -> Step<Option<String>> {
        let dtype = self.0.aval.dtype;
        let tensor = it.engine.force_for_python(&self.0)?;
        let text = crate::array::print::text(&tensor, &Default::default());
        let text = text.ok_or_else(|| Halt::unknown("the text of a NumPy scalar"))?;
        Ok(Some(match plain {
            true => text,
            // Types that are not NumPy's own.
            false if dtype.is_extension() => text,
            // A complex number has brackets of its own.
            false if text.starts_with('(') => format!("np.{}{text}", dtype.name()),
            false if dtype == DType::Bool => format!("np.{text}_"),
            false => format!("np.{}({text})", dtype.name()),
        }))
    }
    fn qualified_type_name(&self) -> String {
        format!("numpy.{}", self.0.aval.dtype.name())
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        dtypes::scalar_class(it, self.0.aval.dtype).unwrap_or_else(|| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        Ok(Some(match name.as_str() {
            "shape" => Value::tuple([]),
            "dtype" => dtypes::value(self.0.aval.dtype),
            "ndim" => Value::Int(0),
            "size" => Value::Int(1),
            "itemsize" | "nbytes" => Value::Int(i64::from(self.0.aval.dtype.bits().div_ceil(8))),
            "base" => Value::None,
            "strides" => Value::tuple([]),
            "T" => Value::Object(self),
            "__round__" => {
                let own = Value::Object(self);
                crate::python::NativeFn::value("__round__", move |it, args| {
                    let [digits] = args.bind("__round__", ["ndigits"], 0)?;
                    if digits.is_unbound() || digits.is_none() {
                        let whole = super::methods::method(it, own.clone(), sym!("__round__"))?;
                        return whole.map_or(Ok(Value::None), |whole| it.call_with(&whole, []));
                    }
                    let round = it.getattr(&own, sym!("round"))?;
                    it.call_with(&round, [digits])
                })
            }
            "__format__" => {
                let array = self.0.clone();
                crate::python::NativeFn::value("__format__", move |it, args| {
                    let [spec] = args.exactly("__format__")?;
                    let number = match it.engine.force_for_python(&array) {
                        Ok(tensor) => crate::frameworks::jax::core::numpy_values::python_number(&tensor, 0)?,
                        Err(Halt::Unknown(why)) => super::array::unknown_number(&array.aval, &why),
                        Err(halt) => return Err(halt),
                    };
                    it.format_with(&number, spec.as_str().unwrap_or_default())
                })
            }
            "is_integer" | "as_integer_ratio" | "hex" | "bit_count"
                if self.0.aval.dtype == DType::F64
                    || self.0.aval.dtype.is_integer()
                    || matches!(self.0.aval.dtype, DType::F16 | DType::F32)
                        && matches!(name.as_str(), "is_integer" | "as_integer_ratio") =>
            {
                let number = match it.engine.force_for_python(&self.0) {
                    Ok(tensor) => crate::frameworks::jax::core::numpy_values::python_number(&tensor, 0)?,
                    Err(Halt::Unknown(why)) => super::array::unknown_number(&self.0.aval, &why),
                    Err(halt) => return Err(halt),
                };
                it.getattr(&number, name)?
            }
            "__jax_array__" | "__get__" => return Ok(None),
            "item" | "tolist" => {
                let array = self.0.clone();
                crate::python::NativeFn::value("item", move |it, _| match it.engine.force_for_python(&array) {
                    Ok(tensor) => crate::frameworks::jax::core::numpy_values::python_number(&tensor, 0),
                    Err(Halt::Unknown(why)) => Ok(super::array::unknown_number(&array.aval, &why)),
                    Err(halt) => Err(halt),
                })
            }
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
        match index {
            Value::Tuple(items) if items.is_empty() => Ok(Some(Value::Object(self))),
            Value::Ellipsis | Value::None => {
                super::methods::getitem(it, super::array::NdArray::value(self.0.clone()), index).map(Some)
            }
            _ => Err(Halt::raise("IndexError", "invalid index to scalar variable.")),
        }
    }
    fn number(self: Rc<Self>, it: &Rc<Interp>, kind: &str) -> Step<Option<Value>> {
        use crate::frameworks::jax::core::concretize::number;
        if !self.0.aval.dtype.is_complex() || kind == "complex" {
            return number(it, &self.0, kind).map(Some);
        }
        // NumPy warns, and takes the real part.
        Ok(Some(match number(it, &self.0, "complex")? {
            Value::Complex(value) if kind == "float" => Value::Float(value.re),
            Value::Complex(value) => {
                it.call(&Value::Class(it.types.int.clone()), Args::of([Value::Float(value.re)]))?
            }
            _ => {
                Value::unknown_of(if kind == "float" { Guess::Float } else { Guess::Int }, "the real part of a number")
            }
        }))
    }
    fn joined(&self, other: &dyn Object) -> Option<Value> {
        let other = other.downcast::<NpScalar>()?;
        (self.0.aval == other.0.aval).then(|| Array::joined(&self.0, &other.0)).flatten().map(NpScalar::value)
    }
    fn forgotten(&self, why: &Why) -> Option<Value> {
        Array::forgotten(&self.0, why).map(NpScalar::value)
    }
    fn signature(&self) -> String {
        format!("np {}", self.0.aval.long())
    }
    fn truth(self: Rc<Self>, it: &Rc<Interp>) -> Step<Option<bool>> {
        crate::frameworks::jax::core::concretize::truth(it, &self.0).map(Some)
    }
}

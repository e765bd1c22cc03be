//! Dtype objects (`numpy.dtype`) and what stands for a dtype: scalar types, names.

use std::any::Any;
use std::rc::Rc;

use super::jax::prelude_member;
use crate::array::narrow::Narrow;
use crate::array::{DType, KeyImpl, Kind};
use crate::interp::Interp;
use crate::module::{CompareOp, Symbol};
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Attrs, Class, Object, Value};

/// A `numpy.dtype` of an element type.
pub struct DTypeObject(pub DType);

/// The dtype object.
pub fn value(dtype: DType) -> Value {
    Value::Object(Rc::new(DTypeObject(dtype)))
}

/// The element type of this name (`float32`, `f4`, `<f4`, `bf16` as JAX writes it is not one).
pub fn by_name(name: &str) -> Option<DType> {
    if let Some(dtype) = DType::NUMERIC.into_iter().find(|d| d.name() == name) {
        return Some(dtype);
    }
    Some(match name.trim_start_matches(['<', '=', '|']) {
        "bool_" | "?" | "b1" => DType::Bool,
        "int" | "i8" | "int_" | "l" | "q" | "p" | "long" | "longlong" | "intp" => DType::I64,
        "uint" | "u8" | "L" | "Q" | "P" | "ulong" | "ulonglong" | "uintp" => DType::U64,
        "float" | "f8" | "d" | "double" => DType::F64,
        "f4" | "f" | "single" => DType::F32,
        "f2" | "e" | "half" => DType::F16,
        "i4" | "i" | "intc" => DType::I32,
        "i2" | "h" | "short" => DType::I16,
        "i1" | "b" | "byte" => DType::I8,
        "u4" | "I" | "uintc" => DType::U32,
        "u2" | "H" | "ushort" => DType::U16,
        "u1" | "B" | "ubyte" => DType::U8,
        "complex" | "c16" | "D" | "cdouble" => DType::C128,
        "c8" | "F" | "csingle" => DType::C64,
        "float0" => DType::Float0,
        "key<fry>" => DType::Key(KeyImpl::Threefry),
        _ => return None,
    })
}

/// The element type that a value stands for where a dtype is asked for, as NumPy reads it (`float` is 64 bits wide).
///
/// # Errors
/// What reading a `dtype` attribute raises; unknown for an unknown value.
pub fn of(it: &Rc<Interp>, value: &Value) -> Step<Option<DType>> {
    Ok(match value {
        Value::Object(object) => match object.downcast::<DTypeObject>() {
            Some(dtype) => Some(dtype.0),
            None => match object.clone().getattr(it, sym!("dtype"))? {
                Some(Value::Object(inner)) => inner.downcast::<DTypeObject>().map(|d| d.0),
                _ => None,
            },
        },
        Value::Str(name) => by_name(name),
        Value::Class(class) => of_class(it, class),
        Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
        Value::Instance(_) => match it.find_attr(value, sym!("dtype"))? {
            Some(Value::Object(inner)) => inner.downcast::<DTypeObject>().map(|d| d.0),
            _ => None,
        },
        _ => None,
    })
}

/// Whether it stands for a type of objects or texts, of which `numpy/_types_of_texts.py` is the model.
pub fn is_of_others(value: &Value) -> bool {
    match value {
        Value::Class(class) => match class.module.as_str() {
            "builtins" => matches!(class.name.as_str(), "object" | "str" | "bytes"),
            "numpy" => matches!(class.name.as_str(), "object_" | "str_" | "bytes_"),
            _ => false,
        },
        Value::Str(name) => {
            let plain = name.trim_start_matches(['<', '=', '|']);
            let sized = plain.strip_prefix(['O', 'U', 'S']);
            matches!(plain, "object" | "str" | "bytes") || sized.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
        }
        Value::Instance(instance) => {
            let class = instance.class();
            let public = class.stands_for.borrow();
            public.as_ref().is_some_and(|public| public.name.as_str() == "dtype")
        }
        _ => false,
    }
}

/// The element type that an argument of NumPy's asks for.
///
/// # Errors
/// `TypeError` for what is no element type; unknown for one that is not modelled.
pub fn asked(it: &Rc<Interp>, value: &Value) -> Step<DType> {
    // An array of JAX's is asked for its `dtype`; NumPy's own are refused.
    if super::numpy::methods::array_of(value).is_some() {
        return Err(Halt::type_error("Cannot construct a dtype from an array"));
    }
    let cannot = || -> Step<Halt> {
        let text = it.repr(value)?;
        Ok(Halt::type_error(format!("Cannot interpret '{}' as a data type", text.as_str().unwrap_or("…"))))
    };
    match of(it, value)? {
        // NumPy has no keys.
        Some(DType::Key(_)) if matches!(value, Value::Object(_)) => return Err(cannot()?),
        Some(dtype) => return Ok(dtype),
        None => {}
    }
    if let Value::Array(array) = value {
        return Ok(array.aval.dtype);
    }
    Err(match value {
        Value::Str(name) => {
            why_not(name).unwrap_or_else(|| Halt::unknown(format!("the dtype `{name}` is not modelled")))
        }
        Value::Int(_) | Value::Float(_) | Value::Function(_) => cannot()?,
        _ => Halt::unknown("a dtype that is not modelled"),
    })
}

/// Whether it is the name of an element type of a few bits that JAX has, whether it is modelled or not.
pub fn is_narrow(name: &str) -> bool {
    ["float4_", "float6_", "float8_"].iter().any(|family| name.starts_with(family))
        || matches!(name, "int1" | "int2" | "uint1" | "uint2")
}

/// The error of a name that no element type has; none for one that only NumPy knows.
pub fn why_not(name: &str) -> Option<Halt> {
    let plain = name.trim_start_matches(['<', '=', '|']);
    if matches!(plain, "bool8" | "int0" | "uint0" | "object0" | "str0" | "bytes0" | "void0") {
        return Some(Halt::type_error(format!(
            "Alias '{name}' was removed in NumPy 2.0. Use a name without a digit at the end."
        )));
    }
    let letters = plain.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_of_numpy = !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        || name.starts_with(|c: char| c.is_ascii_digit())
        || matches!(letters, "S" | "U" | "V" | "a" | "M" | "m")
        || matches!(
            plain,
            "g" | "G"
                | "O"
                | "T"
                | "f16"
                | "c32"
                | "longdouble"
                | "clongdouble"
                | "float128"
                | "complex256"
                | "object"
                | "str"
                | "bytes"
                | "void"
                | "datetime64"
                | "timedelta64"
                | "str_"
                | "bytes_"
                | "object_"
                | "unicode"
        )
        || is_narrow(plain);
    (!is_of_numpy).then(|| Halt::type_error(format!("data type '{name}' not understood")))
}

fn of_class(it: &Rc<Interp>, class: &Rc<Class>) -> Option<DType> {
    let t = &it.types;
    if Rc::ptr_eq(class, &t.bool_) {
        return Some(DType::Bool);
    }
    if Rc::ptr_eq(class, &t.int) {
        return Some(DType::I64);
    }
    if Rc::ptr_eq(class, &t.float) {
        return Some(DType::F64);
    }
    if Rc::ptr_eq(class, &t.complex) {
        return Some(DType::C128);
    }
    match class.module.as_str() {
        "numpy" | "ml_dtypes" => by_name(class.name.trim_end_matches('_')),
        _ => None,
    }
}

/// NumPy's abstract scalar types with their bases, and the concrete ones under them.
const ABSTRACT: &[(&str, &str)] = &[
    ("generic", "object"),
    ("number", "generic"),
    ("integer", "number"),
    ("signedinteger", "integer"),
    ("unsignedinteger", "integer"),
    ("inexact", "number"),
    ("floating", "inexact"),
    ("complexfloating", "inexact"),
    ("flexible", "generic"),
    ("character", "flexible"),
    ("str_", "character"),
    ("bytes_", "character"),
    ("void", "flexible"),
    ("object_", "generic"),
];

/// The scalar type of an element type: `numpy.float32`.
pub fn scalar_class(it: &Rc<Interp>, dtype: DType) -> Option<Rc<Class>> {
    let name = match dtype {
        DType::Bool => "bool",
        other => other.name(),
    };
    match it.named_classes.borrow().get(&Symbol::from(format!("numpy.{name}").as_str())) {
        Some(Value::Class(class)) => Some(class.clone()),
        _ => None,
    }
}

/// Makes the class `numpy.dtype` and the scalar types.
pub fn install(it: &Rc<Interp>) {
    let define = |name: &str, bases: Vec<Rc<Class>>, root: Root, module: &str| {
        let class = Class::new(Symbol::from(name), Symbol::from(module), bases, Attrs::default(), root)
            .expect("the bases are in order");
        it.named_classes
            .borrow_mut()
            .insert(Symbol::from(format!("numpy.{name}").as_str()), Value::Class(class.clone()));
        class
    };
    let dtype_class = define("dtype", vec![it.types.object.clone()], Root::Other, "numpy");
    crate::interp::builtins::define_static(&dtype_class, "__new__", |it, args| match args.positional.get(1) {
        Some(asked_for) if is_of_others(asked_for) => {
            let of = super::jax::prelude_member(it, "numpy._types_of_texts", "of")?;
            it.call_with(&of, [asked_for.clone()])
        }
        Some(asked_for) => Ok(value(asked(it, asked_for)?)),
        None => Err(Halt::unknown("a dtype that is not modelled")),
    });
    let array_class = define("ndarray", vec![it.types.object.clone()], Root::Other, "numpy");
    array_class.attrs.write().insert(sym!("__hash__"), Value::None);
    array_class.attrs.write().insert(Symbol::from("__array_priority__"), Value::Float(0.0));
    for (name, base) in ABSTRACT {
        let base = match it.named_classes.borrow().get(&Symbol::from(format!("numpy.{base}").as_str())) {
            Some(Value::Class(base)) => base.clone(),
            _ => it.types.object.clone(),
        };
        // Scalars of texts are Python's texts as well.
        if let "str_" | "bytes_" = *name {
            let (text, root) =
                if *name == "str_" { (&it.types.str_, Root::Str) } else { (&it.types.bytes, Root::Bytes) };
            let class = define(name, vec![text.clone(), base], root, "numpy");
            crate::interp::builtins::define_method(&class, "__repr__", |it, args| {
                let [own] = args.exactly("__repr__")?;
                let text = it.repr(own.base())?;
                Ok(match text.as_str() {
                    Some(text) => Value::from(format!("np.{}({text})", it.type_name(&own))),
                    None => text,
                })
            });
            crate::interp::builtins::define_method(&class, "item", |_, args| {
                let [own] = args.exactly("item")?;
                Ok(own.base().clone())
            });
            continue;
        }
        let class = define(name, vec![base], Root::Other, "numpy");
        let new = crate::python::NativeFn::value("__new__", move |_, args| match (*name, args.positional.len()) {
            ("object_", 1) => Ok(Value::None),
            ("object_" | "void" | "datetime64" | "timedelta64", _) => {
                Err(Halt::unknown(format!("`numpy.{name}` is not modelled")))
            }
            _ => Err(Halt::type_error(format!("cannot create 'numpy.{name}' instances"))),
        });
        class.attrs.write().insert(sym!("__new__"), new);
    }
    let named = |name: &str| match it.named_classes.borrow().get(&Symbol::from(format!("numpy.{name}").as_str())) {
        Some(Value::Class(class)) => class.clone(),
        _ => unreachable!("defined above"),
    };
    for dtype in DType::NUMERIC {
        let ml = dtype.is_extension();
        let base = match dtype.kind() {
            _ if ml => named("generic"),
            Kind::Signed => named("signedinteger"),
            Kind::Unsigned => named("unsignedinteger"),
            Kind::Float => named("floating"),
            Kind::Complex => named("complexfloating"),
            _ => named("generic"),
        };
        let mut bases = vec![base];
        // numpy.float64 is a float, numpy.complex128 a complex.
        match dtype {
            DType::F64 => bases.push(it.types.float.clone()),
            DType::C128 => bases.push(it.types.complex.clone()),
            _ => {}
        }
        let class = define(dtype.name(), bases, Root::Other, if ml { "ml_dtypes" } else { "numpy" });
        let new = crate::python::NativeFn::value("__new__", move |it, args| {
            let value = args.positional.get(1).cloned().unwrap_or(Value::Int(0));
            scalar_of(it, dtype, &value)
        });
        class.attrs.write().insert(sym!("__new__"), new);
    }
}

impl DTypeObject {
    /// Types are ordered by what can be cast without loss.
    fn ordered(&self, it: &Rc<Interp>, op: CompareOp, other: &Value, reflected: bool) -> Step<Option<Value>> {
        if matches!(self.0, DType::Key(_)) || matches!(other, Value::Unknown(_)) {
            return Ok(None);
        }
        let other = match other {
            Value::None => Some(DType::F64),
            Value::Object(_) | Value::Str(_) | Value::Class(_) | Value::Instance(_) => match of(it, other) {
                Ok(found) => found.filter(|found| !matches!(found, DType::Key(_))),
                Err(Halt::Raise(_)) => None,
                Err(halt) => return Err(halt),
            },
            _ => None,
        };
        let Some(other) = other else { return Ok(None) };
        let upwards = matches!(op, CompareOp::Lt | CompareOp::LtE) != reflected;
        let (from, to) = if upwards { (self.0, other) } else { (other, self.0) };
        if from == to {
            return Ok(Some(Value::Bool(matches!(op, CompareOp::LtE | CompareOp::GtE))));
        }
        let can_cast = prelude_member(it, "numpy._types", "can_cast")?;
        it.call_with(&can_cast, [value(from), value(to)]).map(Some)
    }
}

impl Object for DTypeObject {
    fn type_name(&self) -> String {
        if matches!(self.0, DType::Key(_)) {
            return "KeyTy".into();
        }
        // NumPy 2 has one class per dtype.
        let name = self.0.name();
        format!("{}{}DType", name[..1].to_uppercase(), &name[1..])
    }
    fn qualified_type_name(&self) -> String {
        // That of keys is written in Python.
        let module = if matches!(self.0, DType::Key(_)) { "" } else { "numpy.dtypes." };
        format!("{module}{}", self.type_name())
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        let name = match self.0 {
            DType::Key(_) => sym!("jax._src.prng.KeyTy"),
            _ => sym!("numpy.dtype"),
        };
        it.named_class(name).unwrap_or_else(|_| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        let dtype = self.0;
        // What else NumPy's have, the types of keys have not.
        if matches!(dtype, DType::Key(_)) && !matches!(name.as_str(), "name" | "itemsize" | "type") {
            return Ok(None);
        }
        Ok(Some(match name.as_str() {
            "name" => Value::str(dtype.name()),
            "itemsize" => Value::Int(match dtype {
                DType::Key(key) => 4 * key.words() as i64,
                _ => i64::from(dtype.bits().div_ceil(8)),
            }),
            "kind" => Value::str(match dtype {
                // The one that `ml_dtypes` calls a float.
                DType::Narrow(Narrow::E5M2) => "f",
                _ if dtype.is_extension() || dtype == DType::Float0 => "V",
                _ => match dtype.kind() {
                    Kind::Bool => "b",
                    Kind::Signed => "i",
                    Kind::Unsigned => "u",
                    Kind::Float => "f",
                    Kind::Complex => "c",
                    _ => "O",
                },
            }),
            "type" if matches!(dtype, DType::Key(_)) => prelude_member(it, "jax._engine_arrays", "prng_key")?,
            "type" => match scalar_class(it, dtype) {
                Some(class) => Value::Class(class),
                None => return Ok(None),
            },
            "shape" => Value::tuple([]),
            "ndim" => Value::Int(0),
            "isbuiltin" => Value::Int(1),
            "names" | "fields" | "subdtype" => Value::None,
            "str" | "char" | "num" | "byteorder" | "descr" => Value::unknown(format!("`dtype.{name}`")),
            _ => return Ok(None),
        }))
    }
    fn compare(self: Rc<Self>, it: &Rc<Interp>, op: CompareOp, other: &Value, reflected: bool) -> Step<Option<Value>> {
        if matches!(op, CompareOp::Lt | CompareOp::LtE | CompareOp::Gt | CompareOp::GtE) {
            return self.ordered(it, op, other, reflected);
        }
        let same = match other {
            Value::None => Some(false),
            Value::Object(_) | Value::Str(_) | Value::Class(_) | Value::Instance(_) => {
                Some(of(it, other)? == Some(self.0))
            }
            Value::Unknown(_) => None,
            _ => Some(false),
        };
        Ok(match (op, same) {
            (CompareOp::Eq, Some(same)) => Some(Value::Bool(same)),
            (CompareOp::NotEq, Some(same)) => Some(Value::Bool(!same)),
            _ => None,
        })
    }
    fn repr(self: Rc<Self>, _: &Rc<Interp>, plain: bool) -> Step<Option<String>> {
        if self.0 == DType::Float0 {
            let fields = "[('float0', 'V')]";
            return Ok(Some(if plain { fields.into() } else { format!("dtype({fields})") }));
        }
        let name = self.0.name();
        let bare = plain || matches!(self.0, DType::Key(_));
        Ok(Some(if bare {
            name.to_owned()
        } else if self.0.is_extension() {
            format!("dtype({name})")
        } else {
            format!("dtype('{name}')")
        }))
    }
    fn hash(&self) -> Option<u64> {
        Some(0x6474_7970 ^ (self.0.name().len() as u64) << 8 ^ self.0.bits() as u64 ^ (self.0.kind() as u64) << 16)
    }
    fn equals(&self, other: &Value) -> Option<bool> {
        match other {
            Value::Object(object) => Some(object.downcast::<DTypeObject>().is_some_and(|d| d.0 == self.0)),
            Value::Str(name) => Some(by_name(name) == Some(self.0)),
            Value::Class(class) if matches!(class.module.as_str(), "numpy" | "ml_dtypes") => {
                Some(by_name(class.name.trim_end_matches('_')) == Some(self.0))
            }
            _ => Some(false),
        }
    }
    fn identity(&self, other: &dyn Object) -> bool {
        other.downcast::<DTypeObject>().is_some_and(|d| d.0 == self.0)
    }
}

/// `numpy.float32(value)`
fn scalar_of(it: &Rc<Interp>, dtype: DType, value: &Value) -> Step<Value> {
    use crate::frameworks::jax::core::conversion::{convert, to_array};
    use crate::frameworks::numpy::{array::NdArray, call::in_numpy, from_python, scalar::NpScalar};
    use crate::trace::Array;
    in_numpy(it, || {
        let array = match value {
            Value::Array(array) if array.is_tracer() => {
                return Err(crate::frameworks::numpy::call::not_numpy(array));
            }
            Value::Array(array) => array.clone(),
            // Python's numbers have to fit.
            Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Complex(_) | Value::Str(_)
                if !dtype.is_key() =>
            {
                Array::known(from_python::tensor_of(it, value, Some(dtype))?, false)
            }
            _ => match to_array(it, value)? {
                Some(array) => array,
                None => Array::known(from_python::tensor_of(it, value, Some(dtype))?, false),
            },
        };
        let array = convert(it, &array, dtype, false)?;
        let array = match array.tensor() {
            Some(tensor) => Array::known(tensor.clone(), false),
            None => array,
        };
        Ok(if array.aval.rank() == 0 { NpScalar::value(array) } else { NdArray::value(array) })
    })
}

//! Abstract values as Python sees them, and queries of types.

use std::any::Any;
use std::rc::Rc;

use super::Members;
use super::conversion::{aval_of, dtype_of, is_arraylike};
use crate::array::{Aval, DType, Dim, Kind, Shape};
use crate::frameworks::jax::prims::{dim_in, dim_of, dim_value, shape_value};
use crate::frameworks::{dtypes, numpy};
use crate::interp::{Event, Interp};
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Attrs, Class, Object, Value};

/// The names of this family.
pub fn members(it: &Rc<Interp>, members: &mut Members) {
    let any = Class::new(
        sym!("AbstractValue"),
        sym!("jax._src.core"),
        vec![it.types.object.clone()],
        Attrs::default(),
        Root::Other,
    )
    .expect("one base is always in order");
    members.value("AbstractValue", Value::Class(any.clone()));
    let shaped = Class::new(sym!("ShapedArray"), sym!("jax._src.core"), vec![any], Attrs::default(), Root::Other)
        .expect("one base is always in order");
    crate::interp::builtins::define_static(&shaped, "__new__", |it, mut args| {
        if !args.positional.is_empty() {
            args.positional.remove(0);
        }
        let names = ["shape", "dtype", "weak_type", "sharding", "manual_axis_type", "memory_space"];
        let [shape, dtype, weak, ..] = args.bind("ShapedArray", names, 2)?;
        let dtype = dtypes::of(it, &dtype)?.ok_or_else(|| Halt::type_error("not a dtype"))?;
        let shape = shape_of_value(it, &shape)?;
        let weak = !weak.is_unbound() && it.truth(&weak)?;
        let x64 = it.engine.x64();
        aval_value(it, &Aval { dtype: dtype.canonical(x64), shape, weak })
    });
    it.named_classes.borrow_mut().insert(sym!("jax.core.ShapedArray"), Value::Class(shaped.clone()));
    members.value("ShapedArray", Value::Class(shaped));
    for name in ["jax.Array", "jax.core.Tracer"] {
        if let Ok(class) = it.named_class(Symbol::from(name)) {
            members.value(name.rsplit('.').next().unwrap_or(name), Value::Class(class));
        }
    }
    members.value("float0", dtypes::value(DType::Float0));
    members.value("nan", Value::Float(crate::python::key::numpy_nan()));

    // `is_array(x)`: Whether `x` is a jax array or a tracer (`isinstance(x, jax.Array)`).
    members.function("is_array", |_, args| {
        let [x] = args.exactly("is_array")?;
        known(&x)?;
        Ok(Value::Bool(matches!(x, Value::Array(_))))
    });
    // `is_tracer(x)`: Whether `x` is a tracer.
    members.function("is_tracer", |_, args| {
        let [x] = args.exactly("is_tracer")?;
        known(&x)?;
        Ok(Value::Bool(matches!(x, Value::Array(a) if a.is_tracer())))
    });
    // `is_concrete(x)`: Whether the value of `x` can be read now: anything but a tracer without a known value.
    members.function("is_concrete", |_, args| {
        let [x] = args.exactly("is_concrete")?;
        known(&x)?;
        Ok(Value::Bool(!matches!(x, Value::Array(a) if a.concrete().is_none())))
    });
    // `tracer_class(name)`: The class of tracers of that name.
    members.function("tracer_class", |it, args| {
        let [name] = args.exactly("tracer_class")?;
        it.named_class(name.as_str().unwrap_or_default().into()).map(Value::Class)
    });
    members.function("trace_identity", |it, _| {
        Ok(Value::Int(std::rc::Rc::as_ptr(&it.engine.trace()).cast::<()>() as i64))
    });
    members.function("is_unknown", |_, args| {
        let [x] = args.exactly("is_unknown")?;
        Ok(Value::Bool(x.is_unknown()))
    });
    // `may_be_tree(x)`: Whether nothing is known of `x`: where a leaf is meant it may be a container.
    members.function("may_be_tree", |_, args| {
        let [x] = args.exactly("may_be_tree")?;
        let is_any = matches!(&x, Value::Unknown(unknown) if unknown.guess == crate::python::Guess::Any);
        Ok(Value::Bool(is_any))
    });
    // `any_unknown(xs)`: Whether a list has a value that is not known.
    members.function("any_unknown", |it, args| {
        let [xs] = args.exactly("any_unknown")?;
        Ok(Value::Bool(it.to_vec(&xs)?.iter().any(Value::is_unknown)))
    });
    // `is_unknown_scalar(x)`: Whether `x` is a scalar whose value is not known, which never happens here.
    members.function("is_unknown_scalar", |_, args| {
        let [x] = args.exactly("is_unknown_scalar")?;
        let guess = match &x {
            Value::Unknown(unknown) => unknown.guess,
            _ => crate::python::Guess::Any,
        };
        Ok(Value::Bool(guess != crate::python::Guess::Any))
    });
    // `surely(x)`: Whether `x` is known to be true. What is refused where numbers say so is not refused where they are not known.
    members.function("surely", |it, args| {
        let [x] = args.exactly("surely")?;
        Ok(Value::Bool(matches!(it.truth_or_unknown(&x)?, Ok(true))))
    });
    members.function("forgotten", |_, args| {
        let [x] = args.exactly("forgotten")?;
        Ok(crate::python::container::forgotten(&x, &crate::python::Why("depends on an unknown number".into())))
    });
    members.function("symbolic_dim", |_, args| {
        let [name] = args.exactly("symbolic_dim")?;
        let name = name.as_str().unwrap_or_default();
        Ok(dim_value(crate::array::Dim::general_symbol(name)))
    });
    // same_size(sizes): the one that all of them are; None where two of them differ for certain, unknown where that depends.
    members.function("same_size", |it, args| {
        let [sizes] = args.exactly("same_size")?;
        let sizes = it.to_vec(&sizes)?;
        let dims: Vec<Dim> = sizes.iter().filter_map(dim_of).collect();
        let Some((first, rest)) = dims.split_first().filter(|_| dims.len() == sizes.len()) else {
            return Err(Halt::unknown("sizes that are not known"));
        };
        let mut unclear = Ok(());
        for other in rest {
            match first.same(*other) {
                Ok(true) => {}
                Ok(false) => return Ok(Value::None),
                Err(halt) => unclear = Err(halt),
            }
        }
        unclear.map(|()| dim_value(*first))
    });
    // `is_shape(x, shape)`: Whether an array has this shape for all that symbols stand for.
    members.function("is_shape", |it, args| {
        let [x, shape] = args.exactly("is_shape")?;
        let Value::Array(array) = &x else { return Ok(Value::Bool(false)) };
        let (own, given) = (&array.aval.shape, it.to_vec(&shape)?);
        let same = |(own, given): (&Dim, &Value)| dim_of(given).is_some_and(|given| own.equal(given) == Some(true));
        Ok(Value::Bool(own.len() == given.len() && own.iter().zip(&given).all(same)))
    });
    // `may_be_equal(a, b)`: Whether two sizes are equal, or may be as far as symbols tell.
    members.function("may_be_equal", |_, args| {
        let [a, b] = args.exactly("may_be_equal")?;
        let (Some(a), Some(b)) = (dim_of(&a), dim_of(&b)) else {
            return Err(Halt::unknown("sizes that are not known"));
        };
        Ok(Value::Bool(a.equal(b) != Some(false)))
    });
    // is_symbolic_dim(x): whether a value is a size that is not a number.
    members.function("is_symbolic_dim", |_, args| {
        let [x] = args.exactly("is_symbolic_dim")?;
        Ok(Value::Bool(dim_in(&x).is_some()))
    });
    // holds_for_every_size(x): whether it is such a size whose symbols stand for every size, and not for one that is not known.
    members.function("holds_for_every_size", |_, args| {
        let [x] = args.exactly("holds_for_every_size")?;
        Ok(Value::Bool(dim_in(&x).is_some_and(Dim::is_general)))
    });
    // max_dim(a, b), min_dim(a, b): of sizes or integers, where comparing them may not be possible.
    members.function("max_dim", |it, args| extreme_dim(it, args, "max_dim", Dim::max));
    members.function("min_dim", |it, args| extreme_dim(it, args, "min_dim", Dim::min));
    members.function("unknown_dim", |_, args| {
        let [name] = args.exactly("unknown_dim")?;
        let name = name.as_str().unwrap_or_default();
        Ok(dim_value(crate::array::Dim::symbol(name)))
    });
    members.function("traced_description", |_, args| {
        let [x] = args.exactly("traced_description")?;
        let Value::Array(array) = &x else { return Ok(Value::str("")) };
        Ok(Value::from(format!("traced array with shape {}", array.aval.long())))
    });
    members.function("delete_array", |it, args| {
        let [x] = args.exactly("delete_array")?;
        if let Value::Array(array) = &x {
            it.extension::<super::super::jit::Gone>().delete(it, array);
        }
        Ok(Value::None)
    });
    // `is_arraylike(x)`: Whether `x` is array-like; lists, tuples and None are not.
    members.function("is_arraylike", |it, args| {
        let [x] = args.exactly("is_arraylike")?;
        known(&x)?;
        Ok(Value::Bool(is_arraylike(it, &x)?))
    });
    // `is_numpy_array(x)`: Whether `x` is a `numpy.ndarray`.
    members.function("is_numpy_array", |_, args| {
        let [x] = args.exactly("is_numpy_array")?;
        known(&x)?;
        Ok(Value::Bool(matches!(&x, Value::Object(o) if o.downcast::<numpy::array::NdArray>().is_some())))
    });
    // `note_out_of_bounds(index, size, update)`: Notes for the user that a constant index is out of bounds where an
    // element is read, or updated.
    members.function("note_out_of_bounds", |it, args| {
        let [index, size, update] = args.exactly("note_out_of_bounds")?;
        let update = matches!(update, Value::Bool(true));
        if let (Value::Int(index), Value::Int(size), Some((site, _))) = (index, size, it.user_stack.borrow().last()) {
            it.events.note(Event::OutOfBounds { site: *site, index, size, update });
        }
        Ok(Value::None)
    });
    // `note_zero_gradient()`: Notes for the user that a derivative is zero whatever the arguments.
    members.function("note_zero_gradient", |it, _| {
        if let Some((site, _)) = it.user_stack.borrow().last() {
            it.events.note(Event::ZeroGradient { site: *site });
        }
        Ok(Value::None)
    });
    // `losses()`: How often something of the program's, or of a library's, has ended as unknown.
    members.function("losses", |it, _| Ok(Value::Int(it.losses.get() as i64)));
    // `note_waited()`: Notes that the program waits for results.
    members.function("note_waited", |it, _| {
        it.note_waited();
        it.events.count();
        Ok(Value::None)
    });
    // `note_fixed_key()`: Notes for the user that a random key is made from a constant.
    members.function("note_fixed_key", |it, _| {
        it.note_fixed_key();
        Ok(Value::None)
    });
    // `is_static_integer(x)`: Whether `x` is a Python or NumPy integer scalar, and not a bool.
    members.function("is_static_integer", |_, args| {
        let [x] = args.exactly("is_static_integer")?;
        Ok(Value::Bool(match &x {
            Value::Int(_) | Value::BigInt(_) => true,
            // A member of an `IntEnum`.
            Value::Instance(instance) => matches!(instance.payload(), Some(Value::Int(_) | Value::BigInt(_))),
            // A position that is not known is as one that is computed.
            Value::Unknown(unknown) if unknown.guess != crate::python::Guess::Any => false,
            Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
            Value::Object(o) => o.downcast::<numpy::scalar::NpScalar>().is_some_and(|s| s.0.aval.dtype.is_integer()),
            _ => false,
        }))
    });
    // `is_scalar_or_numpy(x)`: Whether `x` is a Python int, float or complex, a NumPy number, or a (not masked) NumPy
    // array; not a NumPy bool.
    members.function("is_scalar_or_numpy", |_, args| {
        let [x] = args.exactly("is_scalar_or_numpy")?;
        known(&x)?;
        Ok(Value::Bool(match &x {
            Value::Int(_) | Value::BigInt(_) | Value::Bool(_) | Value::Float(_) | Value::Complex(_) => true,
            Value::Object(o) => {
                o.downcast::<numpy::array::NdArray>().is_some()
                    || o.downcast::<numpy::scalar::NpScalar>().is_some_and(|s| s.0.aval.dtype != DType::Bool)
            }
            _ => false,
        }))
    });
    // `is_operand(x)`: Whether an array combines with `x` under operators: Python numbers, NumPy arrays and scalars,
    // arrays. (Strings, lists, None and the rest give NotImplemented.)
    members.function("is_operand", |_, args| {
        let [x] = args.exactly("is_operand")?;
        Ok(Value::Bool(match &x {
            Value::Int(_)
            | Value::BigInt(_)
            | Value::Bool(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Array(_) => true,
            Value::Unknown(unknown) if unknown.guess != crate::python::Guess::Any => true,
            Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
            array if numpy::from_python::holds_no_numbers(array) => true,
            other => numpy::array::numbers_of(other).is_some() || dim_in(other).is_some(),
        }))
    });
    // `class_name(x)`: The class name in messages about operands: `ArrayImpl`, or the tracer's (`JitTracer`,
    // `JVPTracer`, …).
    members.function("class_name", |_, args| {
        let [x] = args.exactly("class_name")?;
        Ok(match &x {
            Value::Array(array) => Value::str(array.class_name()),
            _ => Value::str(""),
        })
    });
    for name in ["aval", "abstractify_arraylike"] {
        members.function(name, |it, args| {
            let [x] = args.exactly("aval")?;
            let aval = aval_of(it, &x)?;
            aval_value(it, &aval)
        });
    }
    // `shape(x)`: The shape of an array-like as a tuple, without converting it.
    members.function("shape", |it, args| {
        let [x] = args.exactly("shape")?;
        match &x {
            Value::Array(array) => Ok(shape_value(&array.aval.shape)),
            _ => Ok(shape_value(&numpy_shape(it, &x)?)),
        }
    });
    // `ndim(x)`: The rank of an array-like, without converting it.
    members.function("ndim", |it, args| {
        let [x] = args.exactly("ndim")?;
        match &x {
            Value::Array(array) => Ok(Value::size(array.aval.rank())),
            _ => Ok(Value::size(numpy_shape(it, &x)?.len())),
        }
    });
    // `size(x)`: The number of elements of an array-like, without converting it.
    members.function("size", |it, args| {
        let [x] = args.exactly("size")?;
        if let Value::Array(array) = &x {
            return Ok(dim_value(array.aval.count()));
        }
        Ok(dim_value(numpy_shape(it, &x)?.iter().copied().product()))
    });
    // `dtype(x)`: The (canonical) dtype that the array-like, scalar type or dtype `x` has as an array.
    members.function("dtype", |it, args| {
        let [x] = args.exactly("dtype")?;
        Ok(dtypes::value(dtype_of(it, &x)?.0))
    });
    // `weak_type(x)`: Whether the array-like `x` is weakly typed; Python scalars other than bool are.
    members.function("weak_type", |it, args| {
        let [x] = args.exactly("weak_type")?;
        known(&x)?;
        Ok(Value::Bool(match &x {
            Value::List(_) | Value::Tuple(_) | Value::None | Value::Str(_) => false,
            x => dtype_of(it, x)?.1,
        }))
    });
    // `type_name(x)`: How JAX prints the aval of `x`: `float32[2,3]`, as in its error messages.
    members.function("type_name", |it, args| {
        let [x] = args.exactly("type_name")?;
        let aval = aval_of(it, &x)?;
        Ok(Value::from(aval.long()))
    });
    // `aval_name(x)`: The same with a `~` in front where the type is weak, as others of its messages print it.
    members.function("aval_name", |it, args| {
        let [x] = args.exactly("aval_name")?;
        Ok(Value::from(aval_of(it, &x)?.long_or_weak()))
    });
    // `dtype_kind(dtype)`: `"extended"`, `"bool"`, `"int"` (signed or not), `"float"`, `"complex"`, or `"other"`
    // (strings).
    members.function("dtype_kind", |it, args| {
        let [d] = args.exactly("dtype_kind")?;
        let dtype = dtypes::of(it, &d)?.ok_or_else(|| Halt::unknown("not a dtype"))?;
        Ok(Value::str(match dtype.kind() {
            Kind::Bool => "bool",
            Kind::Signed | Kind::Unsigned => "int",
            Kind::Float => "float",
            Kind::Complex => "complex",
            Kind::Float0 => "float0",
            Kind::Key => "extended",
        }))
    });
}

/// An unknown value is unknown, whatever is asked of it.
pub fn known(value: &Value) -> Step<()> {
    match value {
        Value::Unknown(unknown) if unknown.guess == crate::python::Guess::Any => {
            Err(Halt::Unknown(unknown.why.clone()))
        }
        _ => Ok(()),
    }
}

/// The shape of an array-like or nested list, as `numpy.shape` sees it.
fn numpy_shape(it: &Rc<Interp>, value: &Value) -> Step<Shape> {
    match value {
        Value::Array(array) => Ok(array.aval.shape.clone()),
        Value::Tuple(_) | Value::List(_) | Value::Range(_) => {
            let items = it.to_vec(value)?;
            let mut shape = Shape::new();
            shape.push(items.len().into());
            if let Some(first) = items.first() {
                shape.extend(numpy_shape(it, first)?);
            }
            Ok(shape)
        }
        Value::Unknown(unknown) if unknown.guess != crate::python::Guess::Any => Ok(Shape::new()),
        _ => match it.find_attr(value, sym!("shape"))? {
            Some(shape) => shape_of_value(it, &shape),
            // A class of the program's that is a sequence.
            None => match value {
                Value::Instance(instance) if is_sequence(instance) => {
                    let mut shape = Shape::new();
                    shape.push(it.len(value)?.into());
                    if let Some(first) = it.to_vec(value)?.first() {
                        shape.extend(numpy_shape(it, first)?);
                    }
                    Ok(shape)
                }
                _ => Ok(Shape::new()),
            },
        },
    }
}

/// Whether NumPy takes an instance for a sequence of numbers.
fn is_sequence(instance: &crate::python::Instance) -> bool {
    let class = instance.class();
    let has = |name| class.lookup_defined(name).is_some();
    instance.payload().is_none() && has(sym!("__len__")) && has(sym!("__getitem__"))
}

fn extreme_dim(it: &Rc<Interp>, args: Args, name: &'static str, of: fn(Dim, Dim) -> Dim) -> Step<Value> {
    let [a, b] = args.exactly(name)?;
    let dim = |value: &Value| match dim_in(value) {
        Some(dim) => Ok(dim),
        None => it.index(value).map(Dim::from),
    };
    Ok(dim_value(of(dim(&a)?, dim(&b)?)))
}

/// A shape from a Python tuple of sizes.
///
/// # Errors
/// `TypeError` for what is no size.
pub fn shape_of_value(it: &Rc<Interp>, value: &Value) -> Step<Shape> {
    let mut shape = Shape::new();
    for item in it.to_vec(value)? {
        if let Value::Object(object) = &item
            && let Some(dim) = object.downcast::<crate::frameworks::jax::prims::DimObject>()
        {
            shape.push(dim.0);
            continue;
        }
        let size = it.index(&item)?;
        shape.push(usize::try_from(size).map_err(|_| Halt::value_error("negative dimensions are not allowed"))?.into());
    }
    Ok(shape)
}

/// A `ShapedArray`.
pub struct AvalObject(pub Aval);

/// The `ShapedArray` of an abstract value.
///
/// # Errors
/// None.
pub fn aval_value(_: &Rc<Interp>, aval: &Aval) -> Step<Value> {
    Ok(Value::Object(Rc::new(AvalObject(aval.clone()))))
}

/// The abstract value in a `ShapedArray`.
pub fn aval_in(value: &Value) -> Option<Aval> {
    match value {
        Value::Object(object) => object.downcast::<AvalObject>().map(|a| a.0.clone()),
        _ => None,
    }
}

impl Object for AvalObject {
    fn type_name(&self) -> String {
        "ShapedArray".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.named_class(sym!("jax.core.ShapedArray")).unwrap_or_else(|_| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        let aval = &self.0;
        let made = |name: &'static str, aval: Aval| {
            Some(crate::python::NativeFn::value(name, move |it, _| aval_value(it, &aval)))
        };
        Ok(match name.as_str() {
            "shape" => Some(shape_value(&aval.shape)),
            "dtype" => Some(dtypes::value(aval.dtype)),
            "weak_type" => Some(Value::Bool(aval.weak)),
            "ndim" => Some(Value::size(aval.rank())),
            "size" => Some(dim_value(aval.count())),
            "sharding" => {
                let sharding = crate::frameworks::jax::prelude_member(it, "jax._partition", "of_type")?;
                // Who asks for the attribute has not called that.
                let _quiet = it.repro.quiet(true);
                let found = it.call_with(&sharding, [Value::size(aval.rank())])?;
                Some(if found.is_none() { Value::unknown("`sharding` of a type") } else { found })
            }
            "manual_axis_type" | "memory_space" | "mat" => Some(Value::unknown(format!("`{name}` of a type"))),
            "str_short" => {
                let aval = aval.clone();
                Some(crate::python::NativeFn::value("str_short", move |it, args| {
                    let [short] = args.bind("str_short", ["short_dtypes"], 0)?;
                    let short = !short.is_unbound() && it.truth(&short)?;
                    Ok(Value::from(if short { aval.to_string() } else { aval.long() }))
                }))
            }
            "to_tangent_aval" | "to_ct_aval" | "to_cotangent_aval" | "at_least_vspace" => {
                made("to_tangent_aval", aval.tangent())
            }
            "strip_weak_type" => made("strip_weak_type", Aval { weak: false, ..aval.clone() }),
            "update" => {
                let aval = aval.clone();
                Some(crate::python::NativeFn::value("update", move |it, args| {
                    let mut new = aval.clone();
                    for (name, value) in &args.keyword {
                        match name.as_str() {
                            "shape" => new.shape = shape_of_value(it, value)?,
                            "dtype" => {
                                new.dtype = dtypes::of(it, value)?.ok_or_else(|| Halt::type_error("not a dtype"))?;
                            }
                            "weak_type" => new.weak = it.truth(value)?,
                            _ => {}
                        }
                    }
                    aval_value(it, &new)
                }))
            }
            _ => {
                let _ = it;
                None
            }
        })
    }
    fn repr(self: Rc<Self>, _: &Rc<Interp>, plain: bool) -> Step<Option<String>> {
        if plain {
            return Ok(Some(format!("{}{}", if self.0.weak { "~" } else { "" }, self.0.long())));
        }
        let weak = if self.0.weak { ", weak_type=True" } else { "" };
        Ok(Some(format!("ShapedArray({}{weak})", self.0.long())))
    }
    fn len(&self, _: &Rc<Interp>) -> Step<Option<usize>> {
        match self.0.shape.first() {
            Some(dim) => dim.get().map(Some),
            None => Err(Halt::type_error("len() of unsized object")),
        }
    }
    fn hash(&self) -> Option<u64> {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        self.0.hash(&mut hasher);
        Some(hasher.finish())
    }
    fn equals(&self, other: &Value) -> Option<bool> {
        Some(aval_in(other).is_some_and(|a| a == self.0))
    }
    fn compare(
        self: Rc<Self>,
        _: &Rc<Interp>,
        op: crate::module::CompareOp,
        other: &Value,
        _: bool,
    ) -> Step<Option<Value>> {
        use crate::module::CompareOp;
        let same = aval_in(other).is_some_and(|a| a == self.0);
        Ok(match op {
            CompareOp::Eq => Some(Value::Bool(same)),
            CompareOp::NotEq => Some(Value::Bool(!same)),
            _ => None,
        })
    }
}

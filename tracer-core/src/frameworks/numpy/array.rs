//! `numpy.ndarray`.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::scalar::NpScalar;
use super::view::{Layout, Link, Via};
use crate::array::{Aval, DType, Tensor};
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
    /// Of a view: the numbers of its base that they belong to.
    pub source: Option<Val>,
}

impl Join for Contents {
    fn join(&self, other: &Self) -> Self {
        let array = match self.array.aval == other.array.aval {
            true => Array::joined(&self.array, &other.array).unwrap_or_else(|| self.array.clone()),
            false => self.array.clone(),
        };
        let same = match (&self.source, &other.source) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        Contents { array, source: self.source.clone().filter(|_| same) }
    }
}

/// A NumPy array.
pub struct NdArray {
    /// What it holds; of a view, what it held when it was last read or written.
    contents: Rc<Mutable<Contents>>,
    /// What makes it a view.
    link: Option<Link>,
    /// How its numbers lie in memory.
    pub layout: Layout,
    /// Whether it refuses to be written.
    pub read_only: Cell<bool>,
    /// Whether its numbers took too much to be had before a write.
    is_dear: Cell<bool>,
}

/// So many elements are made before a part of them is written, where one takes few operations: writes in place follow.
const MOST_MADE: usize = 1 << 22;
const OPERATIONS_OF_ELEMENT: u64 = 4;

impl NdArray {
    /// A NumPy array of these numbers.
    pub fn new(array: Val) -> Rc<NdArray> {
        NdArray::laid_out(array, Layout::Rows)
    }
    /// A NumPy array of these numbers that lie in this way.
    pub fn laid_out(array: Val, layout: Layout) -> Rc<NdArray> {
        Rc::new(NdArray {
            contents: Mutable::new(Contents { array, source: None }),
            link: None,
            layout,
            read_only: Cell::new(false),
            is_dear: Cell::new(false),
        })
    }
    /// As a Python value.
    pub fn value(array: Val) -> Value {
        Value::Object(NdArray::new(array))
    }
    /// The numbers of an array of JAX's: NumPy shows them and refuses to write them.
    pub fn read_only(array: Val) -> Value {
        let new = NdArray::new(array);
        new.read_only.set(true);
        Value::Object(new)
    }
    /// A view of an array, with its numbers now.
    pub fn view(it: &Rc<Interp>, base: Rc<NdArray>, via: Via, array: Val, layout: Layout) -> Rc<NdArray> {
        let source = Some(base.array());
        let link = Link::new(it, base, via, array.aval.clone());
        let read_only = Cell::new(link.base.read_only.get());
        let contents = Mutable::new(Contents { array, source });
        Rc::new(NdArray { contents, link: Some(link), layout, read_only, is_dear: Cell::new(false) })
    }
    /// The numbers now.
    pub fn array(&self) -> Val {
        let Some(link) = &self.link else { return self.contents.read().array.clone() };
        let source = link.base.array();
        {
            let contents = self.contents.read();
            if contents.source.as_ref().is_some_and(|s| Rc::ptr_eq(s, &source)) {
                return contents.array.clone();
            }
        }
        let array = link.read(&source);
        *self.contents.write() = Contents { array: array.clone(), source: Some(source) };
        array
    }
    /// Writes all numbers: through to what it is a view of.
    pub fn set(&self, it: &Rc<Interp>, array: Val) {
        let source = self.link.as_ref().map(|link| {
            let whole = link.put(it, &link.base.array(), &array);
            link.base.set(it, whole);
            link.base.array()
        });
        *self.contents.write() = Contents { array, source };
    }
    /// Lets go of the numbers, and of those of what it is a view of.
    pub fn forget(&self, why: &str) {
        let array = Array::opaque(self.array().aval.clone(), why);
        let source = self.link.as_ref().map(|link| {
            link.base.forget(why);
            link.base.array()
        });
        *self.contents.write() = Contents { array, source };
    }
    /// What it is a view of.
    pub fn base(&self) -> Option<&Rc<NdArray>> {
        self.link.as_ref().map(|link| &link.base)
    }
    /// The array that owns the numbers.
    pub fn owner(self: &Rc<NdArray>) -> &Rc<NdArray> {
        let mut at = self;
        while let Some(base) = at.base() {
            at = base;
        }
        at
    }
    /// Whether it may be a view and may be a copy.
    pub fn is_doubtful(&self) -> bool {
        self.link.as_ref().is_some_and(|link| matches!(link.via, Via::Maybe) || link.base.is_doubtful())
    }
    /// Its numbers, `now`, computed where that takes little: a program that fills a table writes into it again and again.
    pub fn made(&self, it: &Rc<Interp>, now: Val) -> Val {
        let few = now.aval.size().filter(|size| *size <= MOST_MADE);
        let (Some(size), None, false) = (few, now.tensor(), self.is_dear.get()) else { return now };
        match it.engine.force_within(&now, OPERATIONS_OF_ELEMENT * size as u64) {
            Ok(tensor) => Array::known(tensor, false),
            Err(_) => {
                self.is_dear.set(true);
                now
            }
        }
    }
    /// Changes its numbers, `now`, in place where nobody else holds them: `None`, or those of a view that have still to be written.
    pub fn rewrite(&self, now: Val, change: impl FnOnce(Tensor) -> Tensor) -> Option<Val> {
        let Some(tensor) = now.tensor().cloned() else { return Some(now) };
        let aval = now.aval.clone();
        // Let go of the old array first: then its buffer is the tensor's alone, unless somebody else holds it.
        drop(now);
        if self.link.is_some() {
            return Some(Array::known(change(tensor), false));
        }
        let mut contents = self.contents.write();
        contents.array = Array::opaque(aval, "being written");
        contents.array = Array::known(change(tensor), false);
        None
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
        "numpy.ndarray".into()
    }
    fn qualified_type_name(&self) -> String {
        "numpy.ndarray".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.named_class(sym!("numpy.ndarray")).unwrap_or_else(|_| it.types.object.clone())
    }
    fn written(&self) -> Option<(u32, &'static str)> {
        // What owns the numbers is written.
        match self.base() {
            Some(base) => base.written(),
            None => Some((self.contents.born(), "a NumPy array from outside")),
        }
    }
    fn numbers_now(&self) -> Option<Val> {
        Some(self.array())
    }
    fn forget_numbers(&self, why: &Why) {
        self.forget(&why.0);
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
    fn shown(&self) -> Option<Rc<str>> {
        Some(text_of(&self.array().aval))
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
            "itemsize" => Value::Int(i64::from(array.aval.dtype.bits().div_ceil(8))),
            "strides" => match self.layout.strides(&array.aval.shape) {
                Some(strides) => {
                    let bytes = i64::from(array.aval.dtype.bits().div_ceil(8));
                    Value::tuple(strides.iter().map(|s| Value::Int(s * bytes)))
                }
                None => Value::unknown("the strides of such an array"),
            },
            "base" => match self.is_doubtful() {
                true => Value::unknown("whether NumPy copies here"),
                false if self.link.is_some() => Value::Object(self.owner().clone()),
                false => Value::None,
            },
            "__format__" => {
                let own = self.clone();
                crate::python::NativeFn::value("__format__", move |it, args| {
                    let [spec] = args.exactly("__format__")?;
                    let has_axes = own.array().aval.rank() > 0;
                    if has_axes && spec.as_str() == Some("") {
                        return it.str_of(&Value::Object(own.clone()));
                    }
                    if has_axes {
                        return Err(Halt::type_error("unsupported format string passed to numpy.ndarray.__format__"));
                    }
                    let scalar = super::scalar::NpScalar::value(own.array());
                    it.format_with(&scalar, spec.as_str().unwrap_or_default())
                })
            }
            "__array_priority__" => Value::Float(0.0),
            "__jax_array__" | "__get__" | "__round__" => return Ok(None),
            "tolist" => {
                crate::python::NativeFn::value("tolist", move |it, _| match it.engine.force_for_python(&array) {
                    Ok(tensor) => nested(&tensor, 0, &mut 0),
                    Err(Halt::Unknown(why)) => nested_unknown(&array.aval, &why),
                    Err(halt) => Err(halt),
                })
            }
            _ => return super::methods::method(it, Value::Object(self), name),
        }))
    }
    fn setattr(&self, it: &Rc<Interp>, name: Symbol, value: Value) -> Step<bool> {
        super::attributes::set(it, self, name, &value)
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
        if let (1, Some(tensor)) = (self.array().aval.rank(), self.array().tensor()) {
            let number = |i| Some(Array::known(Tensor::scalar_of(tensor.dtype, tensor.number(i)?), false));
            if let Some(items) = (0..tensor.len()).map(number).collect::<Option<Vec<Val>>>() {
                return Ok(Some(items.into_iter().map(NpScalar::value).collect()));
            }
        }
        let value = Value::Object(self);
        (0..n).map(|i| super::methods::getitem(it, value.clone(), &Value::size(i))).collect::<Step<Vec<_>>>().map(Some)
    }
    fn is_written(self: Rc<Self>) -> Option<Box<dyn Fn() -> bool>> {
        let before = self.array();
        // Items of more axes are views.
        (before.aval.rank() == 1)
            .then(|| Box::new(move || !Rc::ptr_eq(&self.array(), &before)) as Box<dyn Fn() -> bool>)
    }
    fn repr(self: Rc<Self>, it: &Rc<Interp>, plain: bool) -> Step<Option<String>> {
        let array = self.array();
        let text = crate::frameworks::jax::core::concretize::cheap(it, &array).and_then(|tensor| match plain {
            true => crate::array::print::text(&tensor, &super::printing::options(it)?),
            false => crate::array::print::numpy_repr(&tensor, &super::printing::options(it)?),
        });
        text.map(Some).ok_or_else(|| Halt::unknown("the text of an array"))
    }
    fn truth(self: Rc<Self>, it: &Rc<Interp>) -> Step<Option<bool>> {
        crate::frameworks::jax::core::concretize::truth(it, &self.array()).map(Some)
    }
    fn number(self: Rc<Self>, it: &Rc<Interp>, kind: &str) -> Step<Option<Value>> {
        let array = self.array();
        if array.aval.rank() > 0 {
            return Err(Halt::type_error(match kind {
                "index" => "only integer scalar arrays can be converted to a scalar index",
                _ => "only 0-dimensional arrays can be converted to Python scalars",
            }));
        }
        crate::frameworks::jax::core::concretize::number(it, &array, kind).map(Some)
    }
}

/// Types whose texts are kept at most.
const MOST_TEXTS: usize = 512;

thread_local! {
    /// Texts of types whose sizes are known: a loop shows the same few all the time.
    static TEXTS: RefCell<FxHashMap<Aval, Rc<str>>> = RefCell::default();
}

/// How the recorder shows an array of a type.
fn text_of(aval: &Aval) -> Rc<str> {
    let text = || Rc::from(format!("np:{aval}"));
    if aval.size().is_none() {
        return text();
    }
    TEXTS.with_borrow_mut(|texts| {
        if let Some(text) = texts.get(aval) {
            return text.clone();
        }
        if texts.len() >= MOST_TEXTS {
            texts.clear();
        }
        texts.entry(aval.clone()).or_insert_with(text).clone()
    })
}

/// A Python number of this element type that is not known.
pub fn unknown_number(aval: &Aval, why: &Why) -> Value {
    let guess = match aval.dtype {
        DType::Bool => Guess::Bool,
        dtype if dtype.is_integer() => Guess::Int,
        dtype if dtype.is_float() => Guess::Float,
        dtype if dtype.is_complex() => Guess::Complex,
        _ => Guess::Any,
    };
    Value::unknown_surely_of(guess, why.0.clone())
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

/// Nested lists of Python numbers.
fn nested(tensor: &crate::array::Tensor, axis: usize, at: &mut usize) -> Step<Value> {
    if axis == tensor.shape.len() {
        *at += 1;
        return crate::frameworks::jax::core::numpy_values::python_number(tensor, *at - 1);
    }
    let items = (0..tensor.shape[axis]).map(|_| nested(tensor, axis + 1, at)).collect::<Step<Vec<_>>>()?;
    Ok(Value::list(items))
}

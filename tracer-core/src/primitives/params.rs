//! Parameters of primitives as callers hand them over: keywords with plain values.

use std::any::Any;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::array::{DType, Dim, Shape};
use crate::python::{Halt, Step};

/// The value of one parameter, as the interpreter's native module `prims` passes it.
#[derive(Clone, Debug)]
pub enum ParamValue {
    /// `None`
    None,
    /// A Python bool.
    Bool(bool),
    /// A Python int: a size, axis or count.
    Int(i64),
    /// A size that may be symbolic.
    Dim(Dim),
    /// A Python float.
    Float(f64),
    /// A string, or the name of an enum's member.
    Str(Rc<str>),
    /// An element type.
    DType(DType),
    /// A tuple, list or named tuple (its fields in order).
    Tuple(Vec<ParamValue>),
    /// A graph, a mesh, a callback: what only the primitive itself can read.
    Opaque(Rc<dyn Any>),
}

/// The keyword parameters of one call. Reading one that was left out gives `None`.
#[derive(Clone, Debug)]
pub struct Params {
    /// The primitive's name.
    pub primitive: &'static str,
    /// Keyword and value, in the order given.
    pub values: SmallVec<[(Rc<str>, ParamValue); 4]>,
}

/// Axes of an array, already in range.
pub type Axes = SmallVec<[usize; 4]>;

impl Params {
    /// No parameters.
    pub fn none(primitive: &'static str) -> Params {
        Params { primitive, values: SmallVec::new() }
    }

    /// The value of a parameter; none if it is `None` or was left out.
    pub fn get(&self, name: &str) -> Option<&ParamValue> {
        let value = self.values.iter().find(|(key, _)| &**key == name).map(|(_, value)| value)?;
        (!matches!(value, ParamValue::None)).then_some(value)
    }

    /// The value of a parameter that has to be there.
    ///
    /// # Errors
    /// Unknown: only a prelude that disagrees with us leaves it out.
    pub fn need(&self, name: &str) -> Step<&ParamValue> {
        self.get(name).ok_or_else(|| Halt::unknown(format!("`{}` is called without its `{name}`", self.primitive)))
    }

    fn odd(&self, name: &str, value: &ParamValue) -> Halt {
        Halt::unknown(format!("`{}` is called with an unexpected `{name}`: {value:?}", self.primitive))
    }

    /// An integer.
    ///
    /// # Errors
    /// Unknown where it is missing or of another kind. So do all of the following.
    pub fn int(&self, name: &str) -> Step<i64> {
        let value = self.need(name)?;
        value.as_int().ok_or_else(|| self.odd(name, value))
    }
    /// An axis or count: an integer that is not negative.
    #[allow(missing_docs, clippy::missing_errors_doc)]
    pub fn index(&self, name: &str) -> Step<usize> {
        let value = self.need(name)?;
        value.as_index().ok_or_else(|| self.odd(name, value))
    }
    /// A bool; false when left out.
    #[allow(clippy::missing_errors_doc)]
    pub fn flag(&self, name: &str) -> Step<bool> {
        match self.get(name) {
            None => Ok(false),
            Some(ParamValue::Bool(flag)) => Ok(*flag),
            Some(value) => value.as_int().map(|n| n != 0).ok_or_else(|| self.odd(name, value)),
        }
    }
    /// An element type.
    #[allow(clippy::missing_errors_doc)]
    pub fn dtype(&self, name: &str) -> Step<DType> {
        self.dtype_or_none(name)?
            .ok_or_else(|| Halt::unknown(format!("`{}` is called without its `{name}`", self.primitive)))
    }
    /// An element type, or `None`.
    #[allow(clippy::missing_errors_doc)]
    pub fn dtype_or_none(&self, name: &str) -> Step<Option<DType>> {
        match self.get(name) {
            None => Ok(None),
            Some(ParamValue::DType(dtype)) => Ok(Some(*dtype)),
            Some(value) => Err(self.odd(name, value)),
        }
    }
    /// A string.
    #[allow(clippy::missing_errors_doc)]
    pub fn text(&self, name: &str) -> Step<Rc<str>> {
        match self.need(name)? {
            ParamValue::Str(text) => Ok(text.clone()),
            value => Err(self.odd(name, value)),
        }
    }
    /// A tuple.
    #[allow(clippy::missing_errors_doc)]
    pub fn tuple(&self, name: &str) -> Step<&[ParamValue]> {
        match self.need(name)? {
            ParamValue::Tuple(items) => Ok(items),
            value => Err(self.odd(name, value)),
        }
    }
    /// A tuple of integers.
    #[allow(clippy::missing_errors_doc)]
    pub fn ints(&self, name: &str) -> Step<SmallVec<[i64; 4]>> {
        let items = self.tuple(name)?;
        items
            .iter()
            .map(ParamValue::as_int)
            .collect::<Option<_>>()
            .ok_or_else(|| self.odd(name, &items.to_vec().into()))
    }
    /// A tuple of axes.
    #[allow(clippy::missing_errors_doc)]
    pub fn axes(&self, name: &str) -> Step<Axes> {
        let items = self.tuple(name)?;
        items
            .iter()
            .map(ParamValue::as_index)
            .collect::<Option<_>>()
            .ok_or_else(|| self.odd(name, &items.to_vec().into()))
    }
    /// A size, perhaps symbolic.
    #[allow(clippy::missing_errors_doc)]
    pub fn dim(&self, name: &str) -> Step<Dim> {
        let value = self.need(name)?;
        value.as_dim().ok_or_else(|| self.odd(name, value))
    }
    /// A tuple of sizes, some of them perhaps symbolic.
    #[allow(clippy::missing_errors_doc)]
    pub fn shape(&self, name: &str) -> Step<Shape> {
        let items = self.tuple(name)?;
        items
            .iter()
            .map(ParamValue::as_dim)
            .collect::<Option<_>>()
            .ok_or_else(|| self.odd(name, &items.to_vec().into()))
    }
}

impl ParamValue {
    /// An integer, if it is one (also a bool or a constant size).
    pub fn as_int(&self) -> Option<i64> {
        match self {
            ParamValue::Int(n) => Some(*n),
            ParamValue::Bool(flag) => Some(i64::from(*flag)),
            ParamValue::Dim(dim) => dim.known().map(|n| n as i64),
            _ => None,
        }
    }
    /// An integer that is not negative.
    pub fn as_index(&self) -> Option<usize> {
        self.as_int().and_then(|n| usize::try_from(n).ok())
    }
    /// A size.
    pub fn as_dim(&self) -> Option<Dim> {
        match self {
            ParamValue::Dim(dim) => Some(*dim),
            _ => self.as_index().map(Dim::from),
        }
    }
    /// The items of a tuple.
    pub fn as_tuple(&self) -> Option<&[ParamValue]> {
        match self {
            ParamValue::Tuple(items) => Some(items),
            _ => None,
        }
    }
}

impl From<Vec<ParamValue>> for ParamValue {
    fn from(items: Vec<ParamValue>) -> ParamValue {
        ParamValue::Tuple(items)
    }
}

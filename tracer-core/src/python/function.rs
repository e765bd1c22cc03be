//! Functions: of Python text, of ours, and bound methods.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::halt::{Halt, Step};
use super::instance::Attrs;
use super::journal::Mutable;
use super::module::ModuleObject;
use super::value::Value;
use crate::interp::Interp;
use crate::module::{Code, CodeId, ExprId, Symbol};

/// A variable that inner scopes capture.
pub type CellRef = Rc<Mutable<Value>>;

/// A function of Python text.
pub struct Function {
    /// The module that it was defined in: its globals and its code.
    pub module: Rc<ModuleObject>,
    /// Its code.
    pub code: CodeId,
    /// Default values of the last positional parameters.
    pub defaults: Box<[Value]>,
    /// Default values of keyword-only parameters ([`Value::Unbound`] where there is none).
    pub kw_defaults: Box<[Value]>,
    /// Captured cells.
    pub captured: Box<[CellRef]>,
    /// Return annotation.
    pub returns: Option<ExprId>,
    /// The class whose body defined it, for error messages (`__qualname__` comes from the code).
    pub attrs: OnceCell<Rc<Mutable<Attrs>>>,
}

impl Function {
    /// Its code.
    pub fn code(&self) -> &Code {
        self.module.unit.module.code(self.code)
    }
    /// `__name__`
    pub fn name(&self) -> Symbol {
        self.attrs
            .get()
            .and_then(|attrs| attrs.read().get(&Symbol::from("__name__")).and_then(|v| v.as_str().map(Symbol::from)))
            .unwrap_or_else(|| self.code().name)
    }
    /// `__qualname__`
    pub fn qualname(&self) -> Symbol {
        self.attrs
            .get()
            .and_then(|attrs| {
                attrs.read().get(&Symbol::from("__qualname__")).and_then(|v| v.as_str().map(Symbol::from))
            })
            .unwrap_or_else(|| self.code().qualname)
    }
    /// Attributes that the program gave it.
    pub fn attrs(&self) -> &Rc<Mutable<Attrs>> {
        self.attrs.get_or_init(|| Mutable::new(Attrs::default()))
    }
}

/// A method bound to its receiver.
#[derive(Debug)]
pub struct Method {
    /// `__self__`
    pub receiver: Value,
    /// `__func__`
    pub function: Value,
}

/// The body of a native function.
pub type NativeBody = Rc<dyn Fn(&Rc<Interp>, Args) -> Step<Value>>;

/// A function of ours.
pub struct NativeFn {
    /// Its name.
    pub name: Symbol,
    /// Whether it binds to an instance when looked up through its class.
    pub is_method: bool,
    /// What it does.
    pub body: NativeBody,
    /// Attributes that the program gave it.
    pub attrs: RefCell<Option<Attrs>>,
}

impl NativeFn {
    /// A function.
    pub fn value(name: &str, body: impl Fn(&Rc<Interp>, Args) -> Step<Value> + 'static) -> Value {
        Value::Native(Rc::new(NativeFn {
            name: Symbol::from(name),
            is_method: false,
            body: Rc::new(body),
            attrs: RefCell::new(None),
        }))
    }
    /// A function that binds like a method.
    pub fn method(name: &str, body: impl Fn(&Rc<Interp>, Args) -> Step<Value> + 'static) -> Value {
        Value::Native(Rc::new(NativeFn {
            name: Symbol::from(name),
            is_method: true,
            body: Rc::new(body),
            attrs: RefCell::new(None),
        }))
    }
}

/// Arguments of a call.
#[derive(Clone, Debug, Default)]
pub struct Args {
    /// Positional ones; a method's receiver comes first.
    pub positional: SmallVec<[Value; 4]>,
    /// Keyword ones, in the order of the call.
    pub keyword: SmallVec<[(Symbol, Value); 2]>,
}

impl Args {
    /// Positional arguments only.
    pub fn of(values: impl IntoIterator<Item = Value>) -> Args {
        Args { positional: values.into_iter().collect(), keyword: SmallVec::new() }
    }
    /// No arguments.
    pub fn none() -> Args {
        Args::default()
    }
    /// Puts a receiver in front.
    pub fn with_receiver(mut self, receiver: Value) -> Args {
        self.positional.insert(0, receiver);
        self
    }
    /// Takes a keyword argument out.
    pub fn take_keyword(&mut self, name: &str) -> Option<Value> {
        let at = self.keyword.iter().position(|(n, _)| n.as_str() == name)?;
        Some(self.keyword.remove(at).1)
    }
    /// Binds the arguments to parameters of a native function: `names` in order, the first `required` of them required.
    /// Missing optional ones are [`Value::Unbound`].
    ///
    /// # Errors
    /// `TypeError` as Python words it.
    pub fn bind<const N: usize>(self, function: &str, names: [&str; N], required: usize) -> Step<[Value; N]> {
        let mut bound: [Value; N] = std::array::from_fn(|_| Value::Unbound);
        let given = self.positional.len();
        if given > N {
            let s = if N == 1 { "" } else { "s" };
            return Err(Halt::type_error(format!("{function}() takes at most {N} argument{s} ({given} given)")));
        }
        for (slot, value) in bound.iter_mut().zip(self.positional) {
            *slot = value;
        }
        for (name, value) in self.keyword {
            match names.iter().position(|n| *n == name.as_str()) {
                Some(at) if bound[at].is_unbound() => bound[at] = value,
                Some(_) => {
                    return Err(Halt::type_error(format!("{function}() got multiple values for argument '{name}'")));
                }
                None => {
                    return Err(Halt::type_error(format!("{function}() got an unexpected keyword argument '{name}'")));
                }
            }
        }
        if let Some(at) = (0..required).find(|i| bound[*i].is_unbound()) {
            return Err(Halt::type_error(format!(
                "{function}() missing required argument '{}' (pos {})",
                names[at],
                at + 1
            )));
        }
        Ok(bound)
    }
    /// Exactly `N` positional arguments and no keywords.
    ///
    /// # Errors
    /// `TypeError` as Python words it.
    pub fn exactly<const N: usize>(self, function: &str) -> Step<[Value; N]> {
        if let Some((_, _)) = self.keyword.first() {
            return Err(Halt::type_error(format!("{function}() takes no keyword arguments")));
        }
        let given = self.positional.len();
        let values: Vec<Value> = self.positional.into_vec();
        <[Value; N]>::try_from(values).map_err(|_| {
            Halt::type_error(match N {
                0 => format!("{function}() takes no arguments ({given} given)"),
                1 => format!("{function}() takes exactly one argument ({given} given)"),
                _ => format!("{function} expected {N} arguments, got {given}"),
            })
        })
    }
}

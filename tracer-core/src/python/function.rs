//! Functions: of Python text, of ours, and bound methods.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::attrs::Attrs;
use super::container::{Dict, List};
use super::halt::{Halt, Step};
use super::journal::Mutable;
use super::key::Key;
use super::module::{ModuleObject, Unit};
use super::value::Value;
use crate::interp::{Flat, Interp};
use crate::module::{Code, CodeId, ExprId, Symbol};

/// A variable that inner scopes capture.
pub type CellRef = Rc<Mutable<Value>>;

/// The flat form of a function, with what that needs.
pub struct Hot {
    /// What its code is in.
    pub unit: Rc<Unit>,
    /// Its code as it is run.
    pub code: CodeId,
    /// The form.
    pub flat: Rc<Flat>,
}

/// The result of a function of a prelude for arguments that are plain values, which it may take; `None` where there is more to
/// do than that, and the arguments are as they were.
pub type Short = fn(&Rc<Interp>, &mut [Value]) -> Option<Value>;

/// What a function of a prelude keeps of calls of another one, and answers with: as `functools.lru_cache` does.
pub struct Memo {
    /// The function that is called for what is not kept.
    pub function: Rc<Function>,
    /// Results by the tuples of their arguments, the ones that were used last behind the others.
    pub results: Dict,
    /// How often there was one, and how often there was none.
    pub counts: List,
    /// So many are kept, where that is limited.
    pub most: Option<usize>,
}

/// A function of Python text.
pub struct Function {
    /// The module that it was defined in: its globals.
    pub module: Rc<ModuleObject>,
    /// What its code is in.
    pub unit: Rc<Unit>,
    /// Its code.
    pub code: CodeId,
    /// Its code with its body, where that came later.
    pub later: OnceCell<(Rc<Unit>, CodeId)>,
    /// Its flat form, once it was called often.
    pub hot: OnceCell<Hot>,
    /// Default values of the last positional parameters.
    pub defaults: Box<[Value]>,
    /// Default values of keyword-only parameters ([`Value::Unbound`] where there is none).
    pub kw_defaults: Box<[Value]>,
    /// Captured cells.
    pub captured: Box<[CellRef]>,
    /// The number of its parameters, where they are positional ones alone and a call runs the body at once.
    pub plain_arity: Option<u32>,
    /// What it does with plain values, where that is all there is to do.
    pub short: Cell<Option<Short>>,
    /// What it keeps of calls of another function, where that is all that it does.
    pub memo: OnceCell<Box<Memo>>,
    /// Return annotation.
    pub returns: Option<ExprId>,
    /// The class whose body defined it, for error messages (`__qualname__` comes from the code).
    pub attrs: OnceCell<Rc<Mutable<Attrs>>>,
}

impl Function {
    fn set_attr(&self, name: Symbol) -> Option<Value> {
        self.attrs.get().and_then(|attrs| attrs.read().get(&name).cloned())
    }
    /// `__defaults__`, where the program has set them.
    pub fn set_defaults(&self) -> Option<Rc<[Value]>> {
        match self.set_attr(sym!("__defaults__"))? {
            Value::Tuple(values) => Some(values.iter().cloned().collect()),
            Value::None => Some(Rc::from([])),
            Value::Unknown(unknown) => {
                let count = self.code().params.positional as usize;
                Some((0..count).map(|_| Value::unknown(unknown.why.0.clone())).collect())
            }
            _ => None,
        }
    }
    /// The default of a keyword-only parameter in `__kwdefaults__`, where the program has set them.
    pub fn set_default(&self, name: Symbol) -> Option<Value> {
        match self.set_attr(sym!("__kwdefaults__"))? {
            Value::Dict(dict) => dict.read().get(&Key::str(&name)).cloned(),
            Value::Unknown(unknown) => Some(Value::unknown(unknown.why.0.clone())),
            _ => None,
        }
    }
    /// Its code; of one whose body comes later what its header says.
    pub fn code(&self) -> &Code {
        self.unit.module.code(self.code)
    }
    /// Its code as it is run, and what that is in.
    #[inline]
    pub fn body(&self) -> (&Rc<Unit>, CodeId) {
        match self.unit.module.codes.later(self.code.index()) {
            Some(at) => self.later_body(at),
            None => (&self.unit, self.code),
        }
    }
    #[cold]
    fn later_body(&self, at: u32) -> (&Rc<Unit>, CodeId) {
        let (unit, code) = self.later.get_or_init(|| self.unit.later(at));
        (unit, *code)
    }
    /// `__name__`
    pub fn name(&self) -> Symbol {
        self.attrs
            .get()
            .and_then(|attrs| attrs.read().get(&sym!("__name__")).and_then(|v| v.as_str().map(Symbol::from)))
            .unwrap_or_else(|| self.code().name)
    }
    /// `__qualname__`
    pub fn qualname(&self) -> Symbol {
        self.attrs
            .get()
            .and_then(|attrs| attrs.read().get(&sym!("__qualname__")).and_then(|v| v.as_str().map(Symbol::from)))
            .unwrap_or_else(|| self.code().qualname)
    }
    /// A new function with its code, these defaults and captured variables.
    pub fn copy(&self, defaults: Box<[Value]>, captured: Box<[CellRef]>) -> Function {
        Function {
            module: self.module.clone(),
            unit: self.unit.clone(),
            code: self.code,
            later: self.later.clone(),
            hot: OnceCell::new(),
            plain_arity: self.plain_arity.filter(|_| defaults.is_empty() && self.defaults.is_empty()),
            defaults,
            kw_defaults: self.kw_defaults.iter().map(|_| Value::Unbound).collect(),
            captured,
            short: self.short.clone(),
            memo: OnceCell::new(),
            returns: self.returns,
            attrs: OnceCell::new(),
        }
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

/// What a native function does with so many positional arguments; a method's receiver comes first.
#[derive(Copy, Clone)]
pub struct Direct {
    /// The fewest and the most arguments.
    pub arity: (usize, usize),
    /// What it does.
    pub run: fn(&Rc<Interp>, &[Value]) -> Step<Value>,
}

impl Direct {
    /// A native function that takes positional arguments only.
    pub fn value(
        name: &'static str,
        is_method: bool,
        arity: (usize, usize),
        run: fn(&Rc<Interp>, &[Value]) -> Step<Value>,
    ) -> Value {
        let body = move |it: &Rc<Interp>, args: Args| {
            if !args.keyword.is_empty() {
                return Err(Halt::type_error(format!("{name}() takes no keyword arguments")));
            }
            let given = args.positional.len();
            if given < arity.0 || given > arity.1 {
                let receiver = is_method as usize;
                return Err(Args::miscounted(
                    name,
                    given - receiver.min(given),
                    (arity.0 - receiver, arity.1 - receiver),
                ));
            }
            run(it, &args.positional)
        };
        Value::Native(Rc::new(NativeFn {
            name: Symbol::from(name),
            is_method,
            body: Rc::new(body),
            direct: Some(Direct { arity, run }),
            quick: OnceCell::new(),
            attrs: RefCell::new(None),
        }))
    }
}

/// The body of a native function.
pub type NativeBody = Rc<dyn Fn(&Rc<Interp>, Args) -> Step<Value>>;

/// The result of a native function of positional arguments that are plain values; `None` where there is more to do than that.
pub type Quick = Box<dyn Fn(&Rc<Interp>, &[Value]) -> Option<Value>>;

/// A function of ours.
pub struct NativeFn {
    /// Its name.
    pub name: Symbol,
    /// Whether it binds to an instance when looked up through its class.
    pub is_method: bool,
    /// What it does.
    pub body: NativeBody,
    /// What it does with positional arguments alone, where there is a shorter way.
    pub direct: Option<Direct>,
    /// What it does with plain values, where that is all there is to do.
    pub quick: OnceCell<Quick>,
    /// Attributes that the program gave it.
    pub attrs: RefCell<Option<Attrs>>,
}

impl NativeFn {
    /// Gives a native function a shorter way for plain values.
    pub fn make_quick(value: &Value, quick: impl Fn(&Rc<Interp>, &[Value]) -> Option<Value> + 'static) {
        if let Value::Native(native) = value {
            // It has one way only.
            let _ = native.quick.set(Box::new(quick));
        }
    }
    /// A function.
    pub fn value(name: &str, body: impl Fn(&Rc<Interp>, Args) -> Step<Value> + 'static) -> Value {
        Value::Native(Rc::new(NativeFn {
            name: Symbol::from(name),
            is_method: false,
            body: Rc::new(body),
            direct: None,
            quick: OnceCell::new(),
            attrs: RefCell::new(None),
        }))
    }
    /// A function that binds like a method.
    pub fn method(name: &str, body: impl Fn(&Rc<Interp>, Args) -> Step<Value> + 'static) -> Value {
        Value::Native(Rc::new(NativeFn {
            name: Symbol::from(name),
            is_method: true,
            body: Rc::new(body),
            direct: None,
            quick: OnceCell::new(),
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
    pub keyword: Vec<(Symbol, Value)>,
}

impl Args {
    /// Positional arguments only.
    pub fn of(values: impl IntoIterator<Item = Value>) -> Args {
        Args { positional: values.into_iter().collect(), keyword: Vec::new() }
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
    /// The error of a call with too few or too many arguments.
    #[cold]
    fn miscounted(function: &str, given: usize, (least, most): (usize, usize)) -> Halt {
        Halt::type_error(match (least, most) {
            (0, 0) => format!("{function}() takes no arguments ({given} given)"),
            (1, 1) => format!("{function}() takes exactly one argument ({given} given)"),
            _ if least == most => format!("{function} expected {most} arguments, got {given}"),
            _ if given < least => {
                format!(
                    "{function} expected at least {least} argument{}, got {given}",
                    if least == 1 { "" } else { "s" }
                )
            }
            _ => {
                format!("{function} expected at most {most} argument{}, got {given}", if most == 1 { "" } else { "s" })
            }
        })
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
        if given != N {
            return Err(Args::miscounted(function, given, (N, N)));
        }
        let mut values = self.positional.into_iter();
        Ok(std::array::from_fn(|_| values.next().expect("counted above")))
    }
}

//! Calls: which of them are the framework's.

use std::rc::Rc;

use crate::frameworks::is_framework;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Value};
use crate::repro::is_short;
use crate::repro::record::linear::takes_function_apart;
use crate::repro::tree::{Level, Op, Origin, is_map_of_trees, place_of};

impl Interp {
    /// A call while a run is recorded.
    ///
    /// # Errors
    /// What the call raises.
    pub fn recorded_call(
        self: &Rc<Self>,
        callee: &Value,
        args: Args,
        run: impl FnOnce(Args) -> Step<Value>,
    ) -> Step<Value> {
        if !self.repro.listens() {
            let Some(def) = self.repro.walked_by(callee) else { return run(args) };
            // A function that walks over a tree calls what it was given: the program's own code might as well.
            self.repro.state.borrow_mut().stack.push(Level::Def(def));
            let outcome = self.recorded_call(callee, args, run);
            self.repro.pop(Level::Def(def));
            return outcome;
        }
        match self.kind_of_call(callee, &args) {
            Kind::Program => {
                if self.calls_given(callee, &args) {
                    return self.recorded_given(callee, args, run);
                }
                // Functions of Python, and what cannot be called.
                let of_python = !matches!(callee, Value::Function(_) | Value::Method(_) | Value::Class(_));
                let given = if of_python { args.positional.to_vec() } else { Vec::new() };
                let outcome = run(args);
                match callee {
                    Value::Native(_) if given.is_empty() => outcome,
                    Value::Native(_) => {
                        let all: Vec<&Value> = given.iter().collect();
                        self.blamed(|| Op::Call(callee.clone()), &all, outcome)
                    }
                    // What raises in the body of `__call__` is noted there.
                    Value::Instance(instance) if instance.class().lookup(sym!("__call__")).is_some() => outcome,
                    _ if of_python => {
                        let all: Vec<&Value> = std::iter::once(callee).chain(&given).collect();
                        self.blamed(|| Op::Apply, &all, outcome)
                    }
                    _ => outcome,
                }
            }
            Kind::Quiet => {
                let _quiet = self.repro.quiet(true);
                run(args)
            }
            Kind::Framework => {
                let (positional, keyword) = (args.positional.to_vec(), args.keyword.to_vec());
                let op = Op::Call(callee.clone());
                self.recorded(op, &positional, &keyword, || run(args), |value| Some(value.clone()))
            }
            Kind::Dispatch(functions) => {
                let walk = self.repro.walk(&functions);
                let outcome = run(args);
                if let Some(walk) = walk {
                    self.repro.pop(walk);
                }
                outcome
            }
            Kind::Walk => {
                let (positional, keyword) = (args.positional.to_vec(), args.keyword.to_vec());
                let walk = self.repro.walk(&positional);
                let outcome = run(args);
                if let Some(walk) = walk {
                    self.repro.pop(walk);
                }
                if let Err(halt) = &outcome
                    && let Some(raised) = self.raised(halt)
                {
                    if !self.last_failed_with(&raised) {
                        let again = Err::<Value, Halt>(halt.clone());
                        let _ = self.recorded(Op::Call(callee.clone()), &positional, &keyword, || again, |_| None);
                    }
                }
                outcome
            }
        }
    }

    /// Whether a call is a map over trees that is written as such.
    fn maps_alike(&self, callee: &Value, args: &Args) -> bool {
        let (Value::Function(map), Some(mapped)) = (callee, args.positional.first()) else { return false };
        let state = self.repro.state.borrow();
        // What says where leaves are is written as it stands.
        let is_written = |(name, given): &(Symbol, Value)| match given {
            Value::None => true,
            Value::Function(given) => name.as_str() == "is_leaf" && is_short(given),
            _ => false,
        };
        let Some(but) = state.maps.as_ref().filter(|_| is_map_of_trees(map) && args.keyword.iter().all(is_written))
        else {
            return false;
        };
        !matches!(mapped, Value::Function(mapped) if but.contains(&place_of(mapped)))
    }

    fn kind_of_call(self: &Rc<Self>, callee: &Value, args: &Args) -> Kind {
        let calls = |value: &Value| {
            matches!(value, Value::Function(_) | Value::Method(_) | Value::Native(_) | Value::Object(_))
        };
        if self.maps_alike(callee, args) {
            return Kind::Framework;
        }
        let walks = || match args.positional.iter().any(calls) && !takes_function_apart(self, args) {
            true => Kind::Walk,
            false => Kind::Framework,
        };
        let functions = dispatched_to(callee, args);
        if !functions.is_empty() {
            return Kind::Dispatch(functions);
        }
        let state = self.repro.state.borrow();
        let origin = state.origins.get(&callee.identity());
        if let Some(Origin::Path(path)) = origin
            && path.starts_with("jax.tree")
        {
            return walks();
        }
        match callee {
            Value::Function(function) if function.module.unit.ours => {
                if function.name().as_str() == "__getattr__" {
                    return Kind::Quiet;
                }
                let module = function.module.name.as_str();
                let binds_own =
                    module == "jax.extend.core._primitive" && matches!(function.name().as_str(), "bind" | "_called");
                match is_framework(module) {
                    // A function is called in the stead of the primitive.
                    true if binds_own && !state.inlined.is_empty() => Kind::Program,
                    true if module.starts_with("jax.tree") => walks(),
                    true => Kind::Framework,
                    false => Kind::Program,
                }
            }
            Value::Native(_) => match origin {
                Some(_) => Kind::Framework,
                // A method of an array, or what a call has made (`jax.jit(inline=True)`).
                None if state.methods.contains_key(&callee.identity()) => Kind::Framework,
                None if state.is_given_by_a_call(callee.identity()) => Kind::Framework,
                None => Kind::Program,
            },
            Value::Class(class) if is_framework(&class.module) => Kind::Framework,
            Value::Instance(instance)
                if is_framework(&instance.class_ref().module) || state.is_given_by_a_call(callee.identity()) =>
            {
                Kind::Framework
            }
            Value::Object(_) => Kind::Framework,
            _ => Kind::Program,
        }
    }
}

/// The functions of the program that a function of NumPy hands its work to, which are the ones that its own objects have for that.
fn dispatched_to(callee: &Value, args: &Args) -> Vec<Value> {
    let module = match callee {
        Value::Function(function) if function.module.unit.ours => function.module.name,
        Value::Instance(instance) => instance.class_ref().module,
        _ => return Vec::new(),
    };
    if module.split('.').next() != Some("numpy") {
        return Vec::new();
    }
    let of = |value: &Value| match value {
        Value::Instance(instance) if !is_framework(&instance.class_ref().module) => {
            instance.class().lookup(sym!("__array_ufunc__")).filter(|found| matches!(found, Value::Function(_)))
        }
        _ => None,
    };
    args.positional.iter().filter_map(of).collect()
}

enum Kind {
    /// The program's own, or Python's.
    Program,
    /// The framework's.
    Framework,
    /// What a module's `__getattr__` does.
    Quiet,
    /// What a function of NumPy hands to functions of the program: these are called in its stead.
    Dispatch(Vec<Value>),
    /// A walk over a tree: what it calls stands for it.
    Walk,
}

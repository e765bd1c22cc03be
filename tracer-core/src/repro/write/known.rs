//! The numbers that tracers stand for: what a function was given when it was traced.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Writer;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::Value;
use crate::repro::eager;
use crate::repro::emit::sorted;
use crate::repro::tree::{Arg, Op, Origin, ParamKind};
use crate::trace::{Repr, Val};

/// Values by the tracers that stand for them.
pub type Known = FxHashMap<usize, Value>;

impl Writer<'_> {
    /// The numbers that a function was given, as far as they can be told.
    pub fn given_to(&self, id: usize) -> Known {
        let mut known = Known::default();
        for id in self.state.around(id).into_iter().rev() {
            self.add_given(id, &mut known);
        }
        known
    }

    /// Whether the first of the numbers that lead to a function may have taken another branch, so that it was called with others.
    pub fn is_in_branch(&self, id: usize) -> bool {
        self.state.around(id).into_iter().any(|def| {
            let call = self.state.defs[def].parent.map(|call| &self.state.statements[call]);
            call.is_some_and(|call| match &call.op {
                Op::Call(Value::Function(callee)) => {
                    let is_one_of_many = matches!(callee.name().as_str(), "cond" | "switch");
                    let is_open = |arg: &Arg| matches!(arg, Arg::Leaf(Value::Array(array)) if array.is_tracer());
                    is_one_of_many && callee.module.unit.ours && call.args.first().is_some_and(is_open)
                }
                _ => false,
            })
        })
    }

    /// Adds the numbers that a run without compilation has told of a function.
    pub fn add_told(&mut self, id: usize) {
        for told in self.told {
            let Some(Arg::Leaf(value @ Value::Array(array))) = eager::end_of(self.state, id, &told.way) else {
                continue;
            };
            if let Some(tensor) = eager::as_type(&told.tensor, &array.aval)
                && array.is_tracer()
                && (self.is_unsure || !self.known.contains_key(&value.identity()))
            {
                self.known.insert(value.identity(), Value::from(self.it.engine.constant(tensor)));
            }
        }
    }

    fn add_given(&self, id: usize, known: &mut Known) {
        let def = &self.state.defs[id];
        let (mut given, mut asked) = (Vec::new(), Vec::new());
        def.params.iter().for_each(|param| numbers(&param.given, &mut asked));
        self.handed_on(id).iter().for_each(|arg| numbers(arg, &mut given));
        let given: Vec<Option<Value>> = given.iter().map(|value| self.standing_for(value, known)).collect();
        let bound = self.bound_by_name(id).map(|given| {
            given.iter().map(|value| value.as_ref().and_then(|value| self.standing_for(value, known))).collect()
        });
        let given = bound.unwrap_or(given);
        if given.len() < asked.len() {
            // The others are those of a partial function.
            asked.retain(|value| matches!(value, Value::Array(array) if array.is_tracer()));
        }
        let mut from_call = self.call_gives(&given, &asked, self.begins_at(id)).into_iter();
        for tracer in &asked {
            let given = from_call.next().flatten();
            if !matches!(tracer, Value::Array(array) if array.is_tracer()) {
                continue;
            }
            if let Some(value) = self.standing_for(tracer, known).or(given) {
                known.insert(tracer.identity(), value);
            }
        }
    }

    /// The arguments of the call of a function that it hands on to the function.
    fn handed_on(&self, id: usize) -> Vec<&Arg> {
        let def = &self.state.defs[id];
        let Some(call) = def.parent.map(|call| &self.state.statements[call]) else { return Vec::new() };
        let from = |at: usize| call.args.iter().skip(at).collect::<Vec<_>>();
        let all = || call.args.iter().chain(call.keywords.iter().map(|(_, arg)| arg)).collect::<Vec<_>>();
        // Arguments by their places and their names: the latter come in any order.
        let named = |wanted: &[(usize, &str)]| {
            let by_name = |name: &str| call.keywords.iter().find(|(of, _)| of.as_str() == name).map(|(_, arg)| arg);
            wanted.iter().filter_map(|(at, name)| call.args.get(*at).or_else(|| by_name(name))).collect::<Vec<_>>()
        };
        match &call.op {
            Op::Apply => from(1),
            Op::Call(callee) if matches!(self.state.origins.get(&callee.identity()), Some(Origin::Path(_))) => {
                let Value::Function(function) = callee else { return Vec::new() };
                match function.name().as_str() {
                    "scan" => named(&[(1, "init"), (2, "xs")]),
                    "map" => named(&[(1, "xs")]),
                    "vjp" | "linearize" | "eval_shape" => from(1),
                    "jvp" => named(&[(1, "primals")]),
                    "while_loop" => named(&[(2, "init_val")]),
                    "switch" => from(2),
                    "fori_loop" => named(&[(0, "lower"), (3, "init_val")]),
                    "cond" => from(3),
                    _ => Vec::new(),
                }
            }
            // A rule is given something else than the function that is differentiated.
            Op::Call(callee) if self.is_rule(id) => match self.ruled(callee) {
                true => all(),
                false => Vec::new(),
            },
            // Which of them is which is told by their names alone.
            Op::Call(_) if call.keywords.len() > 1 => Vec::new(),
            Op::Call(_) => all(),
            _ => Vec::new(),
        }
    }

    /// Whether a body is that of a rule of another function.
    pub(super) fn is_rule(&self, id: usize) -> bool {
        let Some(function) = &self.state.defs[id].function else { return false };
        let is_it = |arg: &Arg| match arg {
            Arg::Callable(value) => self.parts(value).is_some_and(|(rule, ..)| Rc::ptr_eq(function, &rule)),
            _ => false,
        };
        let mut rules = self.effects.values().flatten().flat_map(|effect| {
            let effect = &self.state.statements[*effect];
            effect.args.iter().chain(effect.keywords.iter().map(|(_, arg)| arg))
        });
        rules.any(is_it)
    }

    /// Whether a function has rules of its own.
    pub(super) fn ruled(&self, callee: &Value) -> bool {
        let id = callee.identity();
        self.effects.keys().any(|made| self.state.statements[*made].result.as_ref().is_some_and(|(of, _)| *of == id))
    }

    /// What a call hands to each array and number of a function's parameters, where its arguments are those of the function.
    fn bound_by_name(&self, id: usize) -> Option<Vec<Option<Value>>> {
        let def = &self.state.defs[id];
        let call = &self.state.statements[def.parent?];
        let is_path = |callee: &Value| matches!(self.state.origins.get(&callee.identity()), Some(Origin::Path(_)));
        match &call.op {
            Op::Call(callee) if !is_path(callee) && (!self.is_rule(id) || self.ruled(callee)) => {}
            _ => return None,
        }
        let mut all = Vec::new();
        let mut positional = &call.args[..];
        let mut keywords: Vec<_> = call.keywords.iter().collect();
        for param in &def.params {
            let (mut asked, mut given) = (Vec::new(), Vec::new());
            numbers(&param.given, &mut asked);
            let is_named = |keyword: &&(Symbol, Arg)| keyword.0 == param.name;
            match param.kind {
                ParamKind::Rest => std::mem::take(&mut positional).iter().for_each(|arg| numbers(arg, &mut given)),
                ParamKind::RestKeywords => {
                    // They come in the order of their names.
                    keywords.sort_by_key(|(name, _)| name.as_str());
                    keywords.drain(..).for_each(|(_, arg)| numbers(arg, &mut given));
                }
                ParamKind::Plain | ParamKind::KeywordOnly => {
                    let first = positional.split_first().filter(|_| param.kind == ParamKind::Plain);
                    if let Some((arg, rest)) = first {
                        positional = rest;
                        numbers(arg, &mut given);
                    } else if let Some(at) = keywords.iter().position(is_named) {
                        numbers(&keywords.remove(at).1, &mut given);
                    } else {
                        // Its default.
                        all.extend(asked.iter().map(|_| None));
                        continue;
                    }
                }
            }
            if given.len() != asked.len() {
                return None;
            }
            all.extend(given.into_iter().map(Some));
        }
        (keywords.is_empty() && positional.is_empty()).then_some(all)
    }

    /// The item that the first call of a function is given, of those that its call goes through: a scan may begin with the last one.
    fn begins_at(&self, id: usize) -> i64 {
        let call = self.state.defs[id].parent.map(|call| &self.state.statements[call]);
        let is_reversed = call.is_some_and(|call| match &call.op {
            Op::Call(Value::Function(function)) if function.name() == "scan" && function.module.unit.ours => {
                let by_name = call.keywords.iter().find(|(name, _)| name.as_str() == "reverse").map(|(_, arg)| arg);
                matches!(call.args.get(4).or(by_name), Some(Arg::Plain(Value::Bool(true))))
            }
            _ => false,
        });
        if is_reversed { -1 } else { 0 }
    }

    /// What arguments of a call are for the parameters of a function that it calls: the same, or the one of them that it begins with.
    fn call_gives(&self, given: &[Option<Value>], asked: &[Value], begins: i64) -> Vec<Option<Value>> {
        if given.len() < asked.len() {
            return Vec::new();
        }
        let pairs = given.iter().zip(asked).map(|(given, asked)| {
            let given = given.as_ref()?;
            let (sizes, wanted) = (shape(self.it, given)?, shape(self.it, asked)?);
            match () {
                () if sizes == wanted => Some(given.clone()),
                () if sizes.get(1..) == Some(&wanted[..]) => item(self.it, given, 0, begins),
                () => None,
            }
        });
        pairs.collect()
    }

    /// What a value stands for: itself, its primal, the first of its batch.
    pub fn standing_for(&self, value: &Value, known: &Known) -> Option<Value> {
        let Value::Array(array) = value else { return Some(value.clone()) };
        if let Some(value) = known.get(&value.identity()) {
            return Some(value.clone());
        }
        match &array.repr {
            Repr::Dual(_, primal, _) | Repr::Linear(_, primal, _) => {
                self.standing_for(&Value::from(primal.clone()), known)
            }
            Repr::Batched(_, all, axis) => {
                let all = self.standing_for(&Value::from(all.clone()), known)?;
                match axis {
                    Some(axis) => item(self.it, &all, *axis, 0),
                    None => Some(all),
                }
            }
            Repr::Staged(..) => None,
            _ => Some(value.clone()),
        }
    }
}

/// The arrays and numbers in an argument.
fn numbers(arg: &Arg, found: &mut Vec<Value>) {
    sorted(arg).numbers(found);
}

/// The array that a value of JAX or NumPy is.
fn array(it: &Rc<Interp>, value: &Value) -> Option<Val> {
    match value {
        Value::Array(array) => Some(array.clone()),
        value => it.hooks.borrow().as_ref()?.held(value),
    }
}

/// The sizes of an array or a number.
fn shape(it: &Rc<Interp>, value: &Value) -> Option<Vec<usize>> {
    match value {
        Value::Array(_) | Value::Object(_) => array(it, value)?.aval.shape.iter().map(|size| size.known()).collect(),
        _ => Some(Vec::new()),
    }
}

/// The part of an array at a position along an axis.
fn item(it: &Rc<Interp>, value: &Value, axis: usize, at: i64) -> Option<Value> {
    let array = array(it, value)?;
    let all = Value::Slice(Rc::new([Value::None, Value::None, Value::None]));
    let mut index = vec![all; axis];
    index.push(Value::Int(at));
    let hooks = it.hooks.borrow().clone()?;
    hooks.getitem(it, &array, &Value::tuple(index)).ok()
}

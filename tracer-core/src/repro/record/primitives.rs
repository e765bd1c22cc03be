//! The primitives that a call of the framework binds: where primitives are wanted, they stand for the call.

use std::rc::Rc;

use crate::array::Shape;
use crate::frameworks::dtypes::DTypeObject;
use crate::interp::Interp;
use crate::primitives::Primitive;
use crate::python::Value;
use crate::python::halt::Step;
use crate::repro::primitives::{compiled, is_expressible};
use crate::repro::tree::{Arg, Expanded, Level, Op, Open, Raised, Source, State, Statement};
use crate::trace::{TraceRef, Val, Vals};

impl Interp {
    /// Has every primitive that is bound noted.
    pub fn record_primitives(self: &Rc<Self>) {
        self.repro.state.borrow_mut().primitives = true;
        let it = Rc::downgrade(self);
        self.engine.recorder.listen(Rc::new(move |trace, primitive, inputs, outcome| {
            if let Some(it) = it.upgrade() {
                it.recorded_bind(trace, primitive, inputs, outcome);
            }
        }));
    }

    /// Begins to note the primitives of a statement.
    pub(super) fn open_statement(self: &Rc<Self>, state: &mut State, id: usize) {
        if state.primitives {
            let (trace, depth) = (self.engine.trace(), self.engine.recorder.depth());
            state.open.push(Open { of: id, trace, depth, binds: Vec::new(), filed: Vec::new(), whole: true });
        }
    }

    fn recorded_bind(
        self: &Rc<Self>,
        trace: &TraceRef,
        primitive: &Rc<dyn Primitive>,
        inputs: &[Val],
        outcome: &Step<Vals>,
    ) {
        if !self.repro.on.get() {
            return;
        }
        let depth = self.engine.recorder.depth();
        let is_wanted = {
            let state = self.repro.state.borrow();
            let is_it = |open: &Open| {
                state.stack.last() == Some(&Level::Statement(open.of))
                    && open.depth == depth
                    && Rc::ptr_eq(&open.trace, trace)
            };
            state.open.last().is_some_and(is_it)
        };
        if !is_wanted {
            return;
        }
        let error = outcome.as_ref().err().and_then(|halt| self.raised(halt));
        let outputs = outcome.as_ref().ok();
        let avals: Vec<_> = outputs.into_iter().flatten().map(|array| array.aval.clone()).collect();
        // A primitive of the program's own is asked by calling its functions, which are none of what is recorded.
        let listened = self.repro.on.replace(false);
        // What raises has no results whose types could be asked for.
        let is_whole = is_expressible(&**primitive, inputs.len(), &avals);
        self.repro.on.set(listened);
        let mut state = self.repro.state.borrow_mut();
        let state = &mut *state;
        let Some(open) = state.open.last_mut() else { return };
        let of = &state.statements[open.of];
        let (parent, site, top) = (of.parent, of.site, of.top);
        open.whole &= is_whole;
        // What somebody else has made under this trace is nothing that a body has.
        let is_known = |value: &Val| {
            let key = Value::from(value.clone()).identity();
            let is_bound =
                |level: &Level| matches!(level, Level::Def(def) if state.defs[*def].bound.contains_key(&key));
            !value.is_tracer() || state.stack.iter().any(is_bound)
        };
        open.whole &= inputs.iter().all(is_known);
        let leaf = |array: &Val| Arg::Leaf(Value::from(array.clone()));
        let result = outputs.map(|outputs| match &outputs[..] {
            [one] if !primitive.multiple_results() || compiled(&**primitive).is_some() => leaf(one),
            all => Arg::Tuple(all.iter().map(leaf).collect()),
        });
        let identity = match &result {
            Some(Arg::Leaf(value)) => value.identity(),
            _ => 0,
        };
        let id = state.statements.len();
        open.binds.push(id);
        for array in outputs.into_iter().flatten() {
            let key = Value::from(array.clone()).identity();
            if !state.defs[parent].bound.contains_key(&key) {
                open.filed.push(key);
            }
        }
        let contexts = of.contexts.clone();
        state.statements.push(Statement {
            parent,
            op: Op::Bind(primitive.clone(), avals),
            args: inputs.iter().map(leaf).collect(),
            keywords: Vec::new(),
            result: result.clone().map(|result| (identity, result)),
            gives: None,
            parts: Vec::new(),
            errors: error.into_iter().collect(),
            contexts,
            children: Vec::new(),
            answers: Vec::new(),
            site,
            top,
            frames: Vec::new(),
        });
        state.defs[parent].statements.push(id);
        if let Some(result) = &result {
            state.bind(parent, Source::Statement(id), result);
        }
    }

    /// Ends a statement: its primitives stand for it where they are all of it.
    pub(super) fn close_statement(&self, state: &mut State, id: usize, result: Option<&Arg>, error: Option<&Raised>) {
        if !state.primitives {
            return;
        }
        let Some(open) = state.open.pop().filter(|open| open.of == id) else { return };
        let statement = &state.statements[id];
        let (parent, bound) = (statement.parent, &state.defs[statement.parent].bound);
        let is_call = match &statement.op {
            Op::Call(callee) => {
                let key = callee.identity();
                state.origins.contains_key(&key) || state.methods.contains_key(&key)
            }
            Op::Binary(_) | Op::Compare(_) | Op::Unary(_) | Op::Attribute(_) | Op::Item => true,
            _ => false,
        };
        let args = || statement.args.iter().chain(statement.keywords.iter().map(|(_, arg)| arg));
        let mut plain = is_call && statement.children.is_empty() && !args().any(holds_function) && open.whole;
        // What NumPy gives no primitive gives.
        plain &= !result.is_some_and(holds_numpy);
        match (result, error) {
            (Some(result), _) => result.leaves(&mut Vec::new(), &mut |value, _| {
                plain &= !matches!(value, Value::Array(_)) || bound.contains_key(&value.identity());
            }),
            (None, Some(error)) => {
                plain &= open.binds.last().is_some_and(|last| state.statements[*last].failed_with(error));
            }
            (None, None) => plain = false,
        }
        let expanded = Expanded { binds: open.binds, filed: open.filed };
        match plain && !expanded.binds.is_empty() {
            true => drop(state.expanded.insert(id, expanded)),
            false => state.forget_primitives(parent, &expanded),
        }
    }
}

impl State {
    /// Takes primitives out of a body.
    fn forget_primitives(&mut self, def: usize, expanded: &Expanded) {
        for key in &expanded.filed {
            self.defs[def].bound.remove(key);
        }
        self.defs[def].statements.retain(|statement| !expanded.binds.contains(statement));
    }

    /// Has the calls stand in functions that a statement calls with arrays of several sizes (`associative_scan`): primitives have sizes in
    /// them, and one body stands for all of these calls.
    pub fn keep_calls_of_many_sizes(&mut self) {
        if !self.primitives {
            return;
        }
        let mut found: Vec<usize> = Vec::new();
        for statement in &self.statements {
            let calls = &statement.children;
            let is_other = |def: &usize| {
                let first = calls.iter().find(|other| self.is_same_function(*def, **other));
                first.is_some_and(|first| self.sizes(*def) != self.sizes(*first))
            };
            if calls.iter().any(is_other) {
                found.extend(calls);
            }
        }
        while let Some(def) = found.pop() {
            for id in self.defs[def].statements.clone() {
                found.extend(&self.statements[id].children);
                let Some(expanded) = self.expanded.remove(&id) else { continue };
                self.forget_primitives(def, &expanded);
                if let Some((_, result)) = self.statements[id].result.clone() {
                    self.bind(def, Source::Statement(id), &result);
                }
            }
        }
    }

    fn is_same_function(&self, def: usize, other: usize) -> bool {
        let (own, other) = (&self.defs[def].function, &self.defs[other].function);
        own.as_ref().zip(other.as_ref()).is_some_and(|(own, other)| Rc::ptr_eq(own, other))
    }

    /// The sizes of the arrays that a function was given.
    fn sizes(&self, def: usize) -> Vec<Shape> {
        let mut found = Vec::new();
        for param in &self.defs[def].params {
            param.given.leaves(&mut Vec::new(), &mut |value, _| {
                if let Value::Array(array) = value {
                    found.push(array.aval.shape.clone());
                }
            });
        }
        found
    }
}

/// Whether a function of the program is among arguments.
fn holds_function(arg: &Arg) -> bool {
    let mut any = false;
    arg.leaves(&mut Vec::new(), &mut |value, _| {
        any |= matches!(value, Value::Function(function) if !function.module.unit.ours)
            || matches!(value, Value::Method(_));
    });
    any
}

/// Whether an array of NumPy is in a result.
fn holds_numpy(arg: &Arg) -> bool {
    match arg {
        Arg::Plain(Value::Object(object)) => object.downcast::<DTypeObject>().is_none(),
        Arg::Tuple(items) | Arg::List(items) => items.iter().any(holds_numpy),
        Arg::Dict(items) => items.iter().any(|(_, item)| holds_numpy(item)),
        _ => false,
    }
}

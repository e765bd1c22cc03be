//! What Python itself raises over the framework's values: a member that is not there, operands that do not go together,
//! arrays that cannot be unpacked. No function of the framework is called then, so the failure is noted afterwards.

use std::rc::Rc;

use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::repro::Style;
use crate::repro::normalize::arg;
use crate::repro::tree::{Arg, Op};

impl Interp {
    /// Notes an operation that has failed, where the program's own code did it to something of the framework.
    #[inline]
    pub(crate) fn blamed<T>(self: &Rc<Self>, op: impl FnOnce() -> Op, args: &[&Value], outcome: Step<T>) -> Step<T> {
        match outcome {
            Err(halt) if self.repro.on.get() => self.blame(op(), args, halt),
            outcome => outcome,
        }
    }

    fn blames(&self) -> bool {
        self.repro.listens() && self.repro.state.borrow().style != Style::Raised
    }

    /// Notes that what has failed last was the call of a member that is not there.
    pub(crate) fn blamed_call(&self) {
        let mut state = self.repro.state.borrow_mut();
        if let Some(last) = state.body().and_then(|body| state.defs[body].statements.last().copied())
            && let statement = &mut state.statements[last]
            && !statement.errors.is_empty()
            && let Op::Attribute(name) = statement.op
        {
            statement.op = Op::Method(name);
        }
    }

    #[cold]
    fn blame<T>(self: &Rc<Self>, op: Op, args: &[&Value], halt: Halt) -> Step<T> {
        let Some(raised) = self.raised(&halt).filter(|_| self.blames()) else { return Err(halt) };
        let known = |value: &&Value| self.repro.state.borrow().origins.contains_key(&value.identity());
        if !args.iter().any(|value| known(value) || of_framework(&arg(self, value))) || self.last_failed_with(&raised) {
            return Err(halt);
        }
        let values: Vec<Value> = args.iter().map(|value| (*value).clone()).collect();
        self.recorded(op, &values, &[], || Err(halt), |_| None)
    }
}

/// Whether there is something of the framework, or an array of NumPy, in a value.
fn of_framework(value: &Arg) -> bool {
    match value {
        Arg::Leaf(Value::Class(class)) => !class.is_builtin(),
        Arg::Leaf(Value::Native(_)) => false,
        Arg::Leaf(_) => true,
        Arg::Plain(Value::Object(_)) => true,
        Arg::Tuple(items) | Arg::List(items) | Arg::Set(items) => items.iter().any(of_framework),
        Arg::Dict(items) => items.iter().any(|(_, item)| of_framework(item)),
        _ => false,
    }
}

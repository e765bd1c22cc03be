//! What comes up in the code of libraries and is the program's own mistake: classes that it makes instances of with other arguments than they
//! take, which libraries hand on, and sizes that libraries ask for.

use super::Run;
use crate::module::{Arg, Expr, ExprId, Module, Part, Place, StmtId};
use crate::python::{Exception, Raised, Value};

impl Run<'_> {
    /// Whether an exception says that a class does not take what a statement's own call hands to it.
    #[cold]
    pub(super) fn constructs_wrongly(&mut self, statement: StmtId, exception: &Exception) -> bool {
        let Raised::Native(class, message) = &exception.what else { return false };
        let Some((made, what)) = message.split_once(".__init__() ").filter(|_| class.as_str() == "TypeError") else {
            return false;
        };
        if self.it.losses.get() > 0 {
            return false;
        }
        let mut calls = Vec::new();
        calls_of(self.module, Part::Stmt(statement), &mut calls);
        calls.into_iter().any(|(callee, args)| {
            let is_it =
                |value: Value| matches!(value, Value::Class(class) if *class.qualname == *made || *class.name == *made);
            is_refused(args, what) && self.read_quietly(callee).is_some_and(is_it)
        })
    }

    /// Whether an exception says that a library's function does not take what a statement's own call hands to it: that is so, whatever
    /// else is not known.
    #[cold]
    pub(super) fn calls_wrongly(&mut self, statement: StmtId, exception: &Exception) -> bool {
        let Raised::Native(class, message) = &exception.what else { return false };
        let Some((called, what)) = message.split_once("() ").filter(|_| class.as_str() == "TypeError") else {
            return false;
        };
        let mut calls = Vec::new();
        calls_of(self.module, Part::Stmt(statement), &mut calls);
        calls.into_iter().any(|(callee, args)| {
            let is_it = |value: Value| matches!(value, Value::Function(f) if !f.unit.user && *f.qualname() == *called);
            is_refused(args, what) && self.is_of_module(callee) && self.read_quietly(callee).is_some_and(is_it)
        })
    }

    /// Whether an expression is a member of a module, or a global that is.
    fn is_of_module(&mut self, callee: ExprId) -> bool {
        match self.module.expr(callee) {
            Expr::Name(Place::Global(_), _) => true,
            Expr::Attribute(object, _) => matches!(self.read_quietly(*object), Some(Value::Module(_))),
            _ => false,
        }
    }

    /// Whether a test compares whole numbers, or tuples of them, without any calls but of `len`.
    pub(super) fn compares_sizes(&mut self, test: ExprId) -> bool {
        let Expr::Compare(first, rest) = self.module.expr(test) else { return false };
        let operands: Vec<_> = std::iter::once(*first).chain(rest.iter().map(|(_, operand)| *operand)).collect();
        let is_size = |value: &Value| match value {
            Value::Int(_) => true,
            Value::Tuple(items) => items.iter().all(|item| matches!(item, Value::Int(_))),
            _ => false,
        };
        let mut calls = Vec::new();
        calls_of(self.module, Part::Expr(test), &mut calls);
        let is_len = |value: Value| matches!(value, Value::Native(function) if &*function.name == "len");
        calls.iter().all(|(callee, _)| self.read_quietly(*callee).is_some_and(is_len))
            && operands.iter().all(|operand| self.eval(*operand).is_ok_and(|value| is_size(&value)))
    }
}

/// Whether arguments that are written out can be what Python says of them: an unknown name, one that lacks, or too many.
fn is_refused(args: &[Arg], what: &str) -> bool {
    let is_whole = args.iter().all(|arg| matches!(arg, Arg::Positional(_) | Arg::Keyword(..)));
    let named = |name: &str| args.iter().any(|arg| matches!(arg, Arg::Keyword(own, _) if own.as_str() == name));
    if let Some(rest) = what.strip_prefix("got an unexpected keyword argument '") {
        return rest.split('\'').next().is_some_and(named);
    }
    is_whole && (what.starts_with("missing ") || what.starts_with("takes ") && args.len() > 1)
}

/// The calls that stand in a part of a text, but for those in functions inside of it.
fn calls_of<'a>(module: &'a Module, part: Part, calls: &mut Vec<(ExprId, &'a [Arg])>) {
    match part {
        Part::Stmt(id) => module.stmt(id).parts(&mut |part| calls_of(module, part, calls)),
        Part::Expr(id) => {
            if let Expr::Call(callee, args) = module.expr(id) {
                calls.push((*callee, args));
            }
            module.expr(id).parts(&mut |part| calls_of(module, part, calls));
        }
        _ => {}
    }
}

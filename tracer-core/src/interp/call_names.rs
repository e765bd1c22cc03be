//! What calls and callables are named.

use super::Interp;
use super::function::Run;
use crate::module::{Expr, ExprId, Symbol};
use crate::python::Value;

impl Run<'_> {
    /// How an object is named that a call calls (`g`, `model.apply`).
    #[cold]
    pub(super) fn name_of_object(&self, call: ExprId, callee: &Value) -> Option<Symbol> {
        let (Value::Object(_), Expr::Call(function, _)) = (callee, self.module.expr(call)) else { return None };
        self.dotted_name(*function).map(|name| Symbol::from(&*name))
    }

    fn dotted_name(&self, expr: ExprId) -> Option<String> {
        match self.module.expr(expr) {
            Expr::Name(_, own) => Some(own.as_str().to_owned()),
            Expr::Attribute(value, own) => Some(format!("{}.{own}", self.dotted_name(*value)?)),
            _ => None,
        }
    }

    /// Whether what stands before the arguments of a call is this name (`g`, `model.apply`).
    #[cold]
    pub(super) fn is_called_by(&self, function: ExprId, name: Symbol) -> bool {
        let (before, last) = name.as_str().rsplit_once('.').map_or((None, name.as_str()), |(b, l)| (Some(b), l));
        match self.module.expr(function) {
            Expr::Name(_, own) => before.is_none() && own.as_str() == last,
            Expr::Attribute(value, own) => {
                own.as_str() == last && before.is_some_and(|before| self.is_called_by(*value, Symbol::from(before)))
            }
            _ => false,
        }
    }
}

impl Interp {
    /// The name of a callable, as messages print it.
    pub fn callable_name(&self, callee: &Value) -> String {
        match callee {
            Value::Function(function) => format!("{}.{}", function.module.name, function.qualname()),
            Value::Native(native) => native.name.to_string(),
            Value::Method(method) => self.callable_name(&method.function),
            Value::Class(class) => class.qualname.to_string(),
            other => self.type_name(other),
        }
    }
}

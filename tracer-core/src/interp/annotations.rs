//! Annotations are not evaluated, but what they name has to exist: `jnp.DeviceArray` raises where it is written.

use super::Run;
use crate::module::{BinaryOp, CodeKind, Const, Expr, ExprId, FunctionDef, Module, Part, Place, Symbol};
use crate::python::{Dict, DictItems, Key, Step, Value};

/// An annotation of a module whose annotations are postponed: its text.
pub(super) fn postponed(module: &Module, id: ExprId) -> Value {
    written(module, id).map_or_else(|| Value::unknown("the text of an annotation"), |text| Value::str(&text))
}

/// The text of an annotation, as a postponed one is kept; `None` for what is no type.
fn written(module: &Module, id: ExprId) -> Option<String> {
    let items = |items: &[ExprId]| -> Option<String> {
        Some(items.iter().map(|item| written(module, *item)).collect::<Option<Vec<_>>>()?.join(", "))
    };
    Some(match module.expr(id) {
        Expr::Name(_, name) => name.to_string(),
        Expr::Attribute(value, name) => format!("{}.{name}", written(module, *value)?),
        Expr::Subscript(value, index) => {
            let index = match module.expr(*index) {
                Expr::Tuple(parts) if !parts.is_empty() => items(parts)?,
                _ => written(module, *index)?,
            };
            format!("{}[{index}]", written(module, *value)?)
        }
        Expr::Binary(BinaryOp::BitOr, left, right) => {
            format!("{} | {}", written(module, *left)?, written(module, *right)?)
        }
        Expr::List(parts) => format!("[{}]", items(parts)?),
        Expr::Constant(Const::None) => "None".into(),
        Expr::Constant(Const::Ellipsis) => "...".into(),
        Expr::Constant(Const::Bool(value)) => if *value { "True" } else { "False" }.into(),
        Expr::Constant(Const::Int(value)) => value.to_string(),
        Expr::Constant(Const::Str(text)) if !text.contains(['\'', '\\', '\n']) => format!("'{text}'"),
        _ => return None,
    })
}

/// Whether an expression reads a variable of the function or class that it stands in, which has these names.
pub(super) fn names_variable(module: &Module, id: ExprId, of_class: &dyn Fn(Symbol) -> bool) -> bool {
    match module.expr(id) {
        Expr::Name(Place::Local(_) | Place::Cell(_) | Place::ClassOrCell(..), _) => true,
        Expr::Name(Place::ClassOrGlobal(name, _), _) => of_class(*name),
        expr => {
            let mut found = false;
            expr.parts(&mut |part| {
                if let Part::Expr(id) = part {
                    found |= names_variable(module, id, of_class);
                }
            });
            found
        }
    }
}

impl Run<'_> {
    /// Reads the names in the annotations of a function of the user's.
    ///
    /// # Errors
    /// `NameError`, and `AttributeError` for what a module does not have.
    pub(super) fn read_annotations(&mut self, def: &FunctionDef) -> Step<()> {
        if !self.user || self.module.future_annotations {
            return Ok(());
        }
        let module = self.module;
        for annotation in module.code(def.code).annotations().chain(def.returns) {
            self.read_names(annotation)?;
        }
        Ok(())
    }

    /// Keeps the annotations of a function that name variables of the function or class that it is defined in: they are asked for
    /// when these may be gone.
    pub(super) fn keep_annotations(&mut self, def: &FunctionDef, function: &Value) {
        let Value::Function(function) = function else { return };
        let (module, code) = (self.module, self.module.code(def.code));
        if self.code.kind == CodeKind::Module || module.future_annotations {
            return;
        }
        let names = self.frame.names.clone();
        let of_class = |name| names.as_ref().is_some_and(|names| names.read().get(&name).is_some());
        if !code.annotations().chain(def.returns).any(|annotation| names_variable(module, annotation, &of_class)) {
            return;
        }
        let named = code.params.names.iter().filter_map(|param| Some((param.name.as_str(), param.annotation?)));
        let (it, user) = (self.it, std::mem::replace(&mut self.user, false));
        let mut kept = DictItems::default();
        for (name, annotation) in named.chain(def.returns.map(|returns| ("return", returns))) {
            let value = it.while_catching(|| self.eval(annotation));
            kept.insert(Key::str(name), value.unwrap_or_else(|_| Value::unknown("an annotation")));
        }
        self.user = user;
        function.attrs().write().insert(sym!("__annotations__"), Value::Dict(Dict::new(kept)));
    }

    /// Reads the names in the annotation of a variable, where Python does.
    ///
    /// # Errors
    /// As [`Run::read_annotations`].
    pub(super) fn read_annotation(&mut self, annotation: ExprId) -> Step<()> {
        if self.user && !self.module.future_annotations && self.code.kind != CodeKind::Function {
            self.read_names(annotation)?;
        }
        Ok(())
    }

    /// The value of a dotted name, if it is one: what else stands there is only looked through.
    fn read_names(&mut self, id: ExprId) -> Step<Option<Value>> {
        let module = self.module;
        match module.expr(id) {
            Expr::Name(..) => return self.eval(id).map(Some),
            Expr::Attribute(value, _) => {
                if let Some(Value::Module(_)) = self.read_names(*value)? {
                    return self.eval(id).map(Some);
                }
            }
            Expr::Subscript(value, index) => {
                self.read_names(*value)?;
                self.read_names(*index)?;
            }
            Expr::Binary(_, left, right) => {
                self.read_names(*left)?;
                self.read_names(*right)?;
            }
            Expr::Tuple(items) | Expr::List(items) => {
                for item in items {
                    self.read_names(*item)?;
                }
            }
            _ => {}
        }
        Ok(None)
    }
}

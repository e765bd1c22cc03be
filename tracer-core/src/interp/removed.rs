//! Names that a library's earlier releases had: the program's error, after which the run goes on with what replaced them.

use std::rc::Rc;

use super::function::Run;
use super::{Event, Interp};
use crate::module::{ExprId, Symbol};
use crate::python::halt::{Exception, Halt, Step};
use crate::python::{Key, Value};
use crate::text::Span;

/// What stands in for a removed name.
struct Replacement {
    /// `jax.tree.map`; `None` where what stands in is not public.
    public: Option<String>,
    value: Value,
}

impl Run<'_> {
    /// What to go on with where `value.name` failed: the replacement of a removed name, after a report, or the failure.
    ///
    /// # Errors
    /// A stop.
    pub fn removed_name(&mut self, expr: ExprId, value: &Value, name: Symbol, halt: Halt) -> Step<Result<Value, Halt>> {
        let Halt::Raise(exception) = halt else { return Ok(Err(halt)) };
        let Value::Module(module) = value else { return Ok(Err(Halt::Raise(exception))) };
        let span = self.module.span(expr);
        self.go_on_with_replacement(module.name, name, span, exception)
    }

    /// The same for any place that named `module.name`.
    ///
    /// # Errors
    /// A stop.
    pub fn go_on_with_replacement(
        &mut self,
        module: Symbol,
        name: Symbol,
        span: Span,
        mut exception: Box<Exception>,
    ) -> Step<Result<Value, Halt>> {
        // Somebody may catch it: `try: … except AttributeError: …` is how programs support several releases.
        if !self.user || self.it.catching.get() > 0 {
            return Ok(Err(Halt::Raise(exception)));
        }
        let Some(found) = self.it.replacement(module, name) else { return Ok(Err(Halt::Raise(exception))) };
        self.place(&mut exception, span);
        let old = format!("{module}.{name}");
        if let Some(public) = &found.public {
            exception.help = Some(format!("`{old}` was removed from {}: use `{public}`", top(module)).into());
        }
        self.it.report(&exception);
        let (_, message) = self.it.describe_exception(&exception);
        self.it.events.note(Event::Removed { site: self.site(span), name: old, message });
        Ok(Ok(found.value))
    }
}

/// The package of a dotted name.
fn top(name: Symbol) -> &'static str {
    name.as_str().split('.').next().unwrap_or_default()
}

impl Interp {
    /// What a library's model says of a name that it once had: the table `REPLACEMENTS` of its module `_removed`.
    fn replacement(self: &Rc<Self>, module: Symbol, name: Symbol) -> Option<Replacement> {
        let table = Symbol::from(format!("{}._removed", top(module)).as_str());
        if !self.modules.borrow().contains_key(&table) && !self.loader.has(table.as_str()) {
            return None;
        }
        self.while_catching(|| {
            let home = self.import(table).ok()?;
            let Value::Module(model) = &home else { return None };
            if !model.unit.ours {
                return None;
            }
            let Some(Value::Dict(replacements)) = model.get(sym!("REPLACEMENTS")) else { return None };
            let target = replacements.read().get(&Key::str(&format!("{module}.{name}")))?.as_str()?.to_owned();
            let (home, member) = target.rsplit_once('.')?;
            let home = self.import(Symbol::from(home)).ok()?;
            let value = self.find_attr(&home, Symbol::from(member)).ok()??;
            let hidden = target.split('.').any(|part| part.starts_with('_'));
            let public = match hidden {
                false => Some(target),
                // What does the same is written differently: `WRITTEN` says how.
                true => match model.get(Symbol::from("WRITTEN")) {
                    Some(Value::Dict(written)) => {
                        let found = written.read().get(&Key::str(&format!("{module}.{name}"))).cloned();
                        found.and_then(|text| text.as_str().map(str::to_owned))
                    }
                    _ => None,
                },
            };
            Some(Replacement { public, value })
        })
    }
}

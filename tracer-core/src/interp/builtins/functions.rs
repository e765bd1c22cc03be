//! Builtin functions.

use std::rc::Rc;

use super::define_fn;
use crate::interp::Interp;
use crate::interp::events::{Effect, Event};
use crate::python::Value;

/// Adds the functions.
pub fn install(it: &Rc<Interp>) {
    define_fn(it, "print", |it, args| {
        for value in &args.positional {
            it.str_of(value)?;
        }
        if !it.engine.is_top_level()
            && let Some((site, _)) = it.user_stack.borrow().last()
        {
            it.events.note(Event::SideEffect { site: *site, effect: Effect::Print });
        }
        Ok(Value::None)
    });
    define_fn(it, "len", |it, args| {
        let [value] = args.exactly("len")?;
        Ok(Value::size(it.len(&value)?))
    });
}

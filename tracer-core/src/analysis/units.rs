//! Preludes as the interpreter runs them, kept on a thread for the runs that follow each other there.
//!
//! A unit of ours holds its lowered text and what came of that alone: values of its constants, bodies that were asked for,
//! flat forms of what ran often. So a run begins with the flat forms that the ones before it made, and counts on.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::module::{Module, Symbol};
use crate::python::{FileId, Unit};

/// Files of ours are numbered from here.
const OURS: u32 = 1 << 30;

/// Units by the names of their modules, and how many have been made.
#[derive(Default)]
struct Units {
    by_name: FxHashMap<Symbol, Rc<Unit>>,
    made: u32,
}

thread_local! {
    static UNITS: RefCell<Units> = RefCell::default();
}

/// The unit of a prelude's module.
pub fn of_ours(name: Symbol, module: Arc<Module>) -> Rc<Unit> {
    UNITS.with_borrow_mut(|units| {
        if let Some(unit) = units.by_name.get(&name)
            && Arc::ptr_eq(&unit.module, &module)
        {
            return unit.clone();
        }
        let mut unit = Unit::new(module, FileId(OURS + units.made), false);
        unit.ours = true;
        unit.standard = crate::frameworks::python::is_standard(&name);
        let unit = Rc::new(unit);
        units.made += 1;
        units.by_name.insert(name, unit.clone());
        unit
    })
}

/// Forgets what was kept: the next run translates code when its own limits say so.
pub fn forget() {
    UNITS.with_borrow_mut(|units| units.by_name.clear());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_kept_while_its_text_is_the_same() {
        let (name, module) = (Symbol::from("jax"), Arc::new(Module::default()));
        let first = of_ours(name, module.clone());
        assert!(first.ours && Rc::ptr_eq(&first, &of_ours(name, module.clone())));
        let other = of_ours(name, Arc::new(Module::default()));
        assert!(!Rc::ptr_eq(&first, &other) && first.file != other.file);
        let again = of_ours(name, module.clone());
        forget();
        assert!(!Rc::ptr_eq(&again, &of_ours(name, module)));
    }
}

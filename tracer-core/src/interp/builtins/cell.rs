//! The cells of functions as Python sees them: `__closure__`.

use std::any::Any;
use std::rc::Rc;

use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{CellRef, Class, Function, Object, Value};

/// A cell: what holds a variable that inner functions capture.
struct Cell(CellRef);

impl Object for Cell {
    fn type_name(&self) -> String {
        "cell".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn getattr(self: Rc<Self>, _: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        match (name.as_str(), self.0.read().clone()) {
            ("cell_contents", Value::Unbound) => Err(Halt::value_error("cell is empty")),
            ("cell_contents", value) => Ok(Some(value)),
            _ => Ok(None),
        }
    }
    fn setattr(&self, _: &Rc<Interp>, name: Symbol, value: Value) -> Step<bool> {
        if name.as_str() == "cell_contents" {
            *self.0.write() = value;
            return Ok(true);
        }
        Ok(false)
    }
}

/// The places of a function's captured variables in the order of their names; none where these are not known.
fn by_name(function: &Function) -> Option<Vec<usize>> {
    let frees = &function.code().frees;
    if frees.len() != function.captured.len() {
        return None;
    }
    let mut order: Vec<usize> = (0..frees.len()).collect();
    order.sort_by_key(|i| frees[*i].0.as_str());
    Some(order)
}

/// `__closure__`
pub fn closure(function: &Function) -> Value {
    match by_name(function) {
        _ if function.captured.is_empty() => Value::None,
        None => Value::unknown("`__closure__` of a function"),
        Some(order) => {
            Value::tuple(order.into_iter().map(|i| Value::Object(Rc::new(Cell(function.captured[i].clone())))))
        }
    }
}

/// The captured variables of a function that has the code of `function` and this `__closure__`.
///
/// # Errors
/// Unknown where they are not told apart.
pub fn captured(function: &Function, closure: &Value) -> Step<Box<[CellRef]>> {
    let mut captured = function.captured.clone();
    let (Value::Tuple(cells), Some(order)) = (closure, by_name(function)) else {
        return if captured.is_empty() { Ok(captured) } else { Err(Halt::unknown("the closure of a function")) };
    };
    if cells.len() != order.len() {
        let (name, wanted) = (function.name(), order.len());
        return Err(Halt::value_error(format!("{name} requires closure of length {wanted}, not {}", cells.len())));
    }
    for (place, cell) in order.into_iter().zip(cells.iter()) {
        let Value::Object(object) = cell else { return Err(Halt::unknown("a cell of a function")) };
        let cell = object.downcast::<Cell>().ok_or_else(|| Halt::unknown("a cell of a function"))?;
        captured[place] = cell.0.clone();
    }
    Ok(captured)
}

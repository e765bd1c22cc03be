//! Where eager arrays lie, as far as the program has said it.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::{Array, Layout, Repr, Val, layout};
use crate::array::Aval;
use crate::primitives::Primitive;
use crate::python::Value;

/// Where arrays lie that do not lie on the first device alone. An array that is not listed does, or follows what it is made of.
#[derive(Default)]
pub struct Places {
    /// By address: the array, and its sharding if that is known.
    of: RefCell<FxHashMap<usize, (Weak<Array>, Option<Value>)>>,
    /// Whether the program has said anything.
    any: Cell<bool>,
    /// By address: an array or tracer whose type names a mesh, or may.
    laid: RefCell<FxHashMap<usize, (Weak<Array>, Layout)>>,
    /// Whether there may be such arrays.
    any_laid: Cell<bool>,
    /// The mesh that the program has set, as types name it.
    context: RefCell<Option<Rc<str>>>,
}

/// How many arrays are listed before those that are gone are taken out.
const MANY: usize = 1 << 12;

impl Places {
    /// Whether the program has said of some array where it lies.
    pub fn any(&self) -> bool {
        self.any.get()
    }
    /// Notes that something within graphs has been told where to lie.
    pub fn within_graphs(&self) {
        self.any.set(true);
    }
    /// Notes where an array lies; `None` where that is not known.
    pub fn note(&self, array: &Val, sharding: Option<Value>) {
        self.any.set(true);
        let mut of = self.of.borrow_mut();
        if of.len() >= MANY && of.len().is_power_of_two() {
            of.retain(|_, (array, _)| array.strong_count() > 0);
        }
        of.insert(Rc::as_ptr(array) as usize, (Rc::downgrade(array), sharding));
    }
    /// What was noted of an array.
    pub fn get(&self, array: &Val) -> Option<Option<Value>> {
        if !self.any.get() {
            return None;
        }
        let of = self.of.borrow();
        let (noted, sharding) = of.get(&(Rc::as_ptr(array) as usize))?;
        // The address of one that is gone is not given to another as long as it is listed.
        (noted.strong_count() > 0).then(|| sharding.clone())
    }
    /// Notes that results lie where the compiler wants them if operands do, or a graph may say so.
    pub(super) fn follow(&self, primitive: &dyn Primitive, inputs: &[Val], results: &[Val]) {
        if !self.any.get() {
            return;
        }
        if !primitive.graphs().is_empty() || inputs.iter().any(|input| self.get(input).is_some()) {
            for result in results.iter().filter(|result| self.get(result).is_none()) {
                self.note(result, None);
            }
        }
    }

    /// Whether types of arrays may name meshes.
    pub fn any_laid(&self) -> bool {
        self.any_laid.get()
    }
    /// The mesh that the program sets, as types name it.
    pub fn set_context(&self, mesh: Option<Rc<str>>) {
        if mesh.is_some() {
            self.any_laid.set(true);
        }
        self.context.replace(mesh);
    }
    /// The layout of what is made now of nothing that lies over a mesh.
    pub fn of_new(&self) -> Layout {
        self.context.borrow().as_ref().map_or(Layout::Plain, |mesh| Layout::over(mesh.clone(), layout::Cut::new()))
    }
    /// Notes what the type of an array or tracer says of meshes.
    pub fn lay(&self, array: &Val, layout: Layout) {
        let mut laid = self.laid.borrow_mut();
        let at = Rc::as_ptr(array) as usize;
        if layout.is_plain() {
            laid.remove(&at);
            return;
        }
        self.any_laid.set(true);
        if laid.len() >= MANY && laid.len().is_power_of_two() {
            laid.retain(|_, (array, _)| array.strong_count() > 0);
        }
        laid.insert(at, (Rc::downgrade(array), layout));
    }
    /// Whether `vmap` goes along an axis of it that is cut.
    pub fn maps_over_devices(&self, array: &Val) -> bool {
        match &array.repr {
            Repr::Dual(_, inner, _) | Repr::Linear(_, inner, _) => self.maps_over_devices(inner),
            Repr::Batched(_, whole, axis) => {
                let is_cut = match (self.layout(whole), axis) {
                    (Layout::Over(_, cut), Some(axis)) => cut.get(*axis).is_some_and(Option::is_some),
                    _ => false,
                };
                is_cut || self.maps_over_devices(whole)
            }
            _ => false,
        }
    }
    /// What the type of an array or tracer says of meshes.
    pub fn layout(&self, array: &Val) -> Layout {
        if !self.any_laid.get() {
            return Layout::Plain;
        }
        match &array.repr {
            Repr::Dual(_, primal, _) | Repr::Linear(_, primal, _) => return self.layout(primal),
            Repr::Batched(_, whole, Some(axis)) => return self.layout(whole).of_row(*axis),
            Repr::Batched(_, whole, None) => return self.layout(whole),
            _ => {}
        }
        match self.laid.borrow().get(&(Rc::as_ptr(array) as usize)) {
            Some((noted, layout)) if noted.strong_count() > 0 => layout.clone(),
            // What stands for the arrays of several rounds or branches may lie as any of them.
            _ if matches!(array.repr, Repr::Opaque(_)) => Layout::Unknown,
            _ => Layout::Plain,
        }
    }
    /// Notes what the types of results say of meshes. What is compiled and run now (`eager`) gives all its results over the mesh of
    /// what it uses.
    pub(super) fn lay_results(&self, primitive: &dyn Primitive, inputs: &[Val], results: &[Val], eager: bool) {
        if !self.any_laid.get() {
            return;
        }
        let given: Vec<(Layout, &Aval)> = inputs.iter().map(|input| (self.layout(input), &input.aval)).collect();
        let avals: Vec<&Aval> = results.iter().map(|result| &result.aval).collect();
        let context = self.context.borrow().clone();
        let mut found = layout::of_results(primitive, &given, &avals, context.as_ref());
        if eager
            && primitive.name() == "jit"
            && found.iter().any(Layout::is_plain)
            && let [graph] = &primitive.graphs()[..]
        {
            let used =
                || given.iter().enumerate().filter(|(i, _)| layout::is_used(graph, *i)).map(|(_, (layout, _))| layout);
            let over = used().find(|layout| matches!(layout, Layout::Over(..)));
            let mesh = over.and_then(|layout| match layout {
                Layout::Over(mesh, _) => Some(mesh.clone()),
                _ => None,
            });
            let instead = match mesh.or(context) {
                Some(mesh) => Layout::over(mesh, layout::Cut::new()),
                None if used().any(|layout| *layout == Layout::Unknown) => Layout::Unknown,
                None => Layout::Plain,
            };
            found.iter_mut().filter(|layout| layout.is_plain()).for_each(|layout| *layout = instead.clone());
        }
        for (result, layout) in results.iter().zip(found) {
            // A result that is an input is what it was.
            if !inputs.iter().any(|input| Rc::ptr_eq(input, result)) {
                self.lay(result, layout);
            }
        }
    }
}

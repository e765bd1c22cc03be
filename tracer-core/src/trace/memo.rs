//! Remembered transformations of graphs: the same graph transformed the same way is the same graph.

use std::any::Any;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{ClosedJaxpr, Config, Engine, Jaxpr, Val};
use crate::python::Step;

/// What was asked of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// The transformation.
    pub what: &'static str,
    /// Its parameters, written out.
    pub flags: Box<[u64]>,
    /// Further parameters, such as the name of an axis.
    pub text: Option<Rc<str>>,
}

/// The identity of a graph, its constants and the settings, and what was asked.
type Key = (*const Jaxpr, *const Val, Rc<Config>, Request);

/// Remembered transformations. An entry keeps its graph, so that the address stays taken.
#[derive(Default)]
pub struct Memo {
    entries: FxHashMap<Key, (ClosedJaxpr, Rc<dyn Any>)>,
}

impl Engine {
    /// Transforms a graph, or gives the result of the same transformation before.
    ///
    /// # Errors
    /// Those of the transformation.
    pub fn memoized<T: Clone + 'static>(
        &self,
        jaxpr: &ClosedJaxpr,
        request: Request,
        make: impl FnOnce() -> Step<T>,
    ) -> Step<T> {
        let consts = if jaxpr.consts.is_empty() { std::ptr::null() } else { jaxpr.consts.as_ptr() };
        let key = (Rc::as_ptr(&jaxpr.jaxpr), consts, self.config(), request);
        let found = self.memo.borrow().entries.get(&key).and_then(|(_, any)| any.downcast_ref::<T>().cloned());
        if let Some(found) = found {
            return Ok(found);
        }
        let made = make()?;
        self.memo.borrow_mut().entries.insert(key, (jaxpr.clone(), Rc::new(made.clone())));
        Ok(made)
    }
}

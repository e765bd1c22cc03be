//! Where modules come from, as the interpreter sees it.

use std::rc::Rc;

use crate::python::{ModuleObject, Unit};

/// What a loader finds under a module's name.
pub enum Found {
    /// Python text, lowered.
    Source {
        /// The text.
        unit: Rc<Unit>,
        /// Whether it is a package (`__init__.py`).
        is_package: bool,
    },
    /// A folder without `__init__.py`.
    Namespace,
    /// A module of ours.
    Native(Rc<ModuleObject>),
}

/// What a file of data holds.
pub trait Contents: std::io::Read + std::io::Seek {}

impl<T: std::io::Read + std::io::Seek> Contents for T {}

/// Where modules come from: the project, the preludes, the user's environment.
pub trait Loader {
    /// The module of this dotted name.
    fn find(&self, name: &str) -> Option<Found>;
    /// Whether there is a module of this dotted name.
    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }
    /// The module of ours with functions that stand for those of the same names in a library's module.
    fn models_of(&self, name: &str) -> Option<&'static str> {
        let _ = name;
        None
    }
    /// Whether the import of a library's module may wait until somebody reads a name of it: it is there, and running it changes
    /// nothing but itself.
    fn may_wait(&self, name: &str) -> bool {
        let _ = name;
        false
    }
    /// Whether the user's environment is known not to have a package of this name.
    fn lacks(&self, name: &str) -> bool {
        let _ = name;
        false
    }
    /// The version of a distribution that the user's environment has.
    fn version(&self, distribution: &str) -> Option<String> {
        let _ = distribution;
        None
    }
    /// The path of the file that the user's environment has a module in, also where a model of ours stands for it.
    fn installed(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }
    /// Whether there may be a module of this dotted name that is no text.
    fn has_compiled(&self, name: &str) -> bool {
        let _ = name;
        true
    }
    /// Whether a module of the user's is in none of the folders where Python looks for modules, but in another one of the project.
    fn is_beside(&self, _name: &str) -> bool {
        false
    }
    /// Whether what asks for a module lies itself in a package of that name deep in the project: a library of the same name may be meant.
    fn is_namesake(&self, _name: &str) -> bool {
        false
    }
    /// Whether a folder that nobody knows comes before those of the user: a module of the user's may be meant that is another one.
    fn may_be_shadowed(&self) -> bool {
        false
    }
    /// Whether our model of a module has but the names that are used most.
    fn is_sketched(&self, _name: &str) -> bool {
        false
    }
    /// The path of a file and the line (counted from 1) of an offset in it, for messages.
    fn place(&self, file: crate::python::FileId, offset: u32) -> Option<(String, u32)> {
        let _ = (file, offset);
        None
    }
    /// A file of data that the program reads by this path, where it lies in the workspace.
    fn data(&self, path: &str) -> Option<Box<dyn Contents>> {
        let _ = path;
        None
    }
    /// An absolute path without links and dots in it, where something is there.
    fn resolved(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }
    /// Whether functions of a package leave what they are given as it is, whether it is there or not.
    fn only_reads(&self, package: &str) -> bool {
        let _ = package;
        false
    }
}

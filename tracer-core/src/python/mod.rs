//! Python's data model: values, classes, arguments, exceptions.

pub mod attrs;
pub mod class;
pub mod columns;
pub mod container;
pub mod cycles;
pub mod function;
pub mod halt;
pub mod instance;
pub mod iterator;
pub mod journal;
pub mod key;
pub mod live;
pub mod module;
pub mod object;
pub mod rounds;
pub mod set_order;
pub mod span;
pub mod tuples;
pub mod value;
mod walking;

pub use attrs::Attrs;
pub use class::{Class, Equality, Root};
pub use container::{Dict, DictItems, List, Set, SetItems, join_values};
pub use function::{Args, CellRef, Direct, Function, Memo, Method, NativeFn, Short};
pub use halt::{
    ArgumentLeaf, CarryKey, CarryPart, Exception, FileId, Halt, LeafKind, Raised, Site, Step, Stopped, Subject, Why,
};
pub use instance::Instance;
pub use iterator::Iter;
pub use journal::Mutable;
pub use key::{Asked, AskedItems, Key};
pub use module::{ModuleObject, Unit, Wanted};
pub use object::Object;
pub use value::{Guess, Range, Unknown, Value};

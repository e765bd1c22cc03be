//! Why an evaluation gave no value.
//!
//! Three things end an evaluation early: a Python exception (an outcome of the program), not knowing (an outcome of the
//! analysis) and a stop (budget or cancellation: our own affair). They share one type so that `?` carries them; what
//! catches them tells them apart: `try` statements see only exceptions, the door of expressions turns not-knowing into
//! an unknown value, and a stop passes everything.

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::instance::Instance;
use crate::array::Aval;
use crate::module::Symbol;
use crate::text::Span;

/// The result of an evaluation.
pub type Step<T> = Result<T, Halt>;

/// Why an evaluation gave no value.
#[derive(Clone, Debug)]
#[repr(u64)]
pub enum Halt {
    /// A Python exception.
    Raise(Box<Exception>),
    /// The value cannot be known, and why.
    Unknown(Why),
    /// The analysis was stopped.
    Stop(Stopped),
}

/// Our own reason to stop.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The budget is spent.
    Budget,
    /// An edit made the run pointless.
    Cancelled,
    /// The program called `sys.exit`.
    Exit,
    /// All that the run is for is known.
    Done,
}

/// Why a value is unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Why(pub Reason);

/// A sentence behind one pointer: results of evaluations carry it, and stay as small as a value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reason(Rc<Box<str>>);

impl std::ops::Deref for Reason {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}
impl AsRef<str> for Reason {
    fn as_ref(&self) -> &str {
        self
    }
}
impl<T: Into<Box<str>>> From<T> for Reason {
    fn from(text: T) -> Reason {
        Reason(Rc::new(text.into()))
    }
}
impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self)
    }
}
impl std::fmt::Debug for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

/// A file of a run: an index into the run's list of files.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A place in the user's source.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The file.
    pub file: FileId,
    /// The range.
    pub span: Span,
}

/// A Python exception on its way.
#[derive(Clone, Debug)]
pub struct Exception {
    /// What was raised.
    pub what: Raised,
    /// The user's frames that it passed, innermost first: the expression or statement, and the function's name.
    pub frames: SmallVec<[(Site, Symbol); 2]>,
    /// Whether a `raise` or `assert` statement of the innermost frame raised it (nothing after it in that frame runs).
    pub explicit: bool,
    /// Whether a `raise` or `assert` statement of the function that it has come up in, and not left yet, raised it.
    pub own: bool,
    /// Whether the program's own `raise` or `assert` raised it, with words of its own.
    pub by_program: bool,
    /// Whether a library's own `raise` raised it: what it complains about may be what we do not know.
    pub by_library: bool,
    /// Whether an operation raised it and no `raise` statement, though a handler has made an object of it since.
    pub native: bool,
    /// In whose code it came up.
    pub origin: Option<Origin>,
    /// More to say where the engine knows more than the framework does: a hint, and places related to it.
    pub help: Option<Rc<str>>,
    /// Places that explain the error, with what stands there.
    pub related: Vec<(Site, Rc<str>)>,
    /// What it is about, for what mends it.
    pub subject: Option<Rc<Subject>>,
}

/// What an exception is about, as data: its message says the same in the framework's words.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A part of an argument of a compiled function that is no array.
    Argument(ArgumentLeaf),
    /// The parts of a carry that leave the body of a loop with another type: where they stand, the type before, the type behind.
    Carry(Vec<CarryPart>),
    /// An array whose buffer is gone: the user's calls that were under way when it went, outermost first.
    Deleted(Arc<[Site]>),
    /// A static argument that has no hash: the name of its class.
    Unhashable(String),
    /// Names that are given for static or donated arguments, and that no parameter has.
    NoParameters(Vec<Symbol>),
    /// A result of a compiled function that is no array: the name of the function, and the class.
    Returned {
        /// The function.
        function: String,
        /// The class.
        class: String,
    },
}

/// A part of a carry that leaves the body of a loop with another type.
#[derive(Clone, Debug, PartialEq)]
pub struct CarryPart {
    /// Where it stands in the carry.
    pub path: Vec<CarryKey>,
    /// The type that it came in with.
    pub before: Aval,
    /// The type that it leaves with.
    pub behind: Aval,
}

/// A part of an argument of a compiled function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentLeaf {
    /// The qualified name of the function.
    pub function: String,
    /// The name of its parameter.
    pub parameter: String,
    /// Whether it is all of the argument, and not a part of it.
    pub whole: bool,
    /// Its class, with the name of the module.
    pub class: (Symbol, String),
    /// What it is.
    pub kind: LeafKind,
}

/// What a value is that is no array.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LeafKind {
    /// A text.
    Text,
    /// A function, a class or another thing to call.
    Function,
    /// Anything else.
    Other,
}

/// A step into a carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CarryKey {
    /// An item by its number.
    Index(usize),
    /// An item by its name.
    Name(String),
    /// An attribute, or what else there is.
    Other,
}

/// In whose code an exception came up first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user's.
    User,
    /// That of a model.
    Model,
    /// That of an installed library.
    Library,
}

/// What was raised.
#[derive(Clone, Debug)]
pub enum Raised {
    /// By the engine: the class by its name (`TypeError`, `jax.errors.TracerBoolConversionError`) and the message.
    Native(Symbol, Rc<str>),
    /// By the program, or caught once: an instance of an exception class.
    Instance(Rc<Instance>),
}

impl Halt {
    /// Whether nothing of the program is looked at any more. Where it calls `sys.exit` behind a condition that is not known, it
    /// goes on where that does not hold.
    pub fn is_final(&self) -> bool {
        matches!(self, Halt::Stop(stop) if *stop != Stopped::Exit)
    }
    /// A Python exception of this class with this message.
    #[cold]
    pub fn raise(class: &str, message: impl Into<String>) -> Halt {
        Halt::Raise(Box::new(Exception::new(Raised::Native(Symbol::from(class), message.into().into()))))
    }
    /// `TypeError(message)`
    #[cold]
    pub fn type_error(message: impl Into<String>) -> Halt {
        Halt::raise("TypeError", message)
    }
    /// `ValueError(message)`
    #[cold]
    pub fn value_error(message: impl Into<String>) -> Halt {
        Halt::raise("ValueError", message)
    }
    /// Not known, for this reason.
    #[cold]
    pub fn unknown(why: impl Into<String>) -> Halt {
        Halt::Unknown(Why(why.into().into()))
    }
    /// An exception that is the program's own doing, also where a library's code comes upon it first.
    #[must_use]
    pub fn certain_if(mut self, certain: bool) -> Halt {
        if let Halt::Raise(exception) = &mut self
            && certain
        {
            exception.origin.get_or_insert(Origin::User);
        }
        self
    }
    /// Says what an exception is about.
    pub fn about(mut self, subject: Subject) -> Halt {
        if let Halt::Raise(exception) = &mut self {
            exception.subject = Some(Rc::new(subject));
        }
        self
    }
    /// Adds a hint to an exception.
    pub fn help(mut self, help: impl Into<String>) -> Halt {
        if let Halt::Raise(exception) = &mut self {
            exception.help = Some(help.into().into());
        }
        self
    }
}

impl Exception {
    /// An exception that has passed no frame yet.
    pub fn new(what: Raised) -> Exception {
        Exception {
            what,
            frames: SmallVec::new(),
            explicit: false,
            own: false,
            by_program: false,
            by_library: false,
            native: false,
            origin: None,
            help: None,
            related: Vec::new(),
            subject: None,
        }
    }
}

//! The lowered program: what the interpreter runs.
//!
//! A [`Module`] is plain data: expressions and statements live in arenas and refer to each other by id, names are
//! resolved to [`Place`]s, and every expression has the source range that Python's own `ast` module gives it.
//! It holds no reference to the syntax tree, is `Send`, and can be serialized (the prelude is, at build time).

mod codes;
mod later;
mod spans;
mod symbol;
mod walk;

pub use codes::{Codes, DecodeCode, Head};
pub(crate) use later::{Globals, Part as LaterPart};
pub use later::{Later, LaterBody};
pub use symbol::{Names, Numbered, Symbol, numbered};
pub use walk::Part;

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use crate::text::Span;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            /// The position in its arena.
            #[inline]
            pub fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

id! {
    /// An expression of a module.
    ExprId;
    /// A statement of a module.
    StmtId;
    /// A code object (module body, function, lambda, class body, comprehension) of a module.
    CodeId;
}

/// A lowered file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Module {
    /// Every expression.
    pub exprs: Vec<Expr>,
    /// The range of each expression, as Python's `ast` gives it (parentheses excluded, except those of a tuple).
    #[serde(with = "spans")]
    pub expr_spans: Vec<Span>,
    /// Every statement.
    pub stmts: Vec<Stmt>,
    /// The range of each statement, decorators excluded (as `ast` does).
    #[serde(with = "spans")]
    pub stmt_spans: Vec<Span>,
    /// Every code object; the first is the module's body.
    pub codes: Codes,
    /// Names of the module's global slots: every name that a scope of the module reads or writes as a global.
    pub globals: Vec<Symbol>,
    /// What was wrong with the text.
    pub notes: Vec<Note>,
    /// Whether the file has `from __future__ import annotations`.
    pub future_annotations: bool,
    /// Bodies that have not been lowered yet: see [`Body::Later`].
    pub later: Later,
}

/// The id of the code object that is the module's own body.
pub const MODULE_CODE: CodeId = CodeId(0);

impl Module {
    /// The expression with this id.
    #[inline]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
    /// The source range of an expression.
    #[inline]
    pub fn span(&self, id: ExprId) -> Span {
        self.expr_spans[id.index()]
    }
    /// The statement with this id.
    #[inline]
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }
    /// The code object with this id.
    #[inline]
    pub fn code(&self, id: CodeId) -> &Code {
        &self.codes[id.index()]
    }
    /// What is asked of a code before it runs, without making it where it is stored.
    #[inline]
    pub fn head(&self, id: CodeId) -> Head {
        self.codes.head(id.index())
    }
    /// The decorators of the function with this code, outermost first; none for one that no statement defines.
    pub fn decorators_of(&self, id: CodeId) -> Option<&[ExprId]> {
        self.stmts.iter().find_map(|stmt| match stmt {
            Stmt::FunctionDef(def) if def.code == id => Some(&*def.decorators),
            _ => None,
        })
    }
}

/// Something that the front end found wrong: a syntax error, with Python's own words where they are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Where.
    pub span: Span,
    /// What, as Python's `SyntaxError` would say it where that is known ("invalid syntax" otherwise).
    pub message: String,
}

/// Where a name lives, seen from the code that uses it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// A slot of the running frame.
    Local(u32),
    /// A cell of the running frame: its own cells first ([`Code::cells`]), then those captured ([`Code::frees`]).
    Cell(u32),
    /// A slot of the module ([`Module::globals`]); when empty, a builtin of that name.
    Global(u32),
    /// A name of a class body: the class namespace first, then the module's slot or builtin.
    ClassOrGlobal(Symbol, u32),
    /// A name of a class body: the class namespace first, then a captured cell.
    ClassOrCell(Symbol, u32),
}

/// What kind of scope a [`Code`] is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodeKind {
    /// The body of a file.
    Module,
    /// A `def`.
    Function,
    /// A `lambda`.
    Lambda,
    /// The body of a `class`.
    Class,
    /// A list, set or dict comprehension; its only parameter `.0` is the iterator of the first clause.
    Comprehension,
    /// A generator expression; its only parameter `.0` is the iterator of the first clause.
    GeneratorExp,
}

/// A scope with its body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Code {
    /// The kind of scope.
    pub kind: CodeKind,
    /// `__name__` (`<lambda>`, `<listcomp>`, `<genexpr>`, `<module>` where Python says so).
    pub name: Symbol,
    /// `__qualname__`, such as `Outer.method.<locals>.inner`.
    pub qualname: Symbol,
    /// Parameters.
    pub params: Params,
    /// Names of the local slots. Parameters come first, in the order of [`Params::names`].
    pub locals: Vec<Symbol>,
    /// Names of the cells that this scope owns (variables that an inner scope captures).
    pub cells: Vec<Symbol>,
    /// For each captured variable, in order: its name and its cell's index in the enclosing frame's cells.
    /// Inside this code it is `Place::Cell(cells.len() + position)`.
    pub frees: Vec<(Symbol, u32)>,
    /// Parameters that are cells: (local slot, cell index). The call moves them over.
    pub cell_params: Vec<(u32, u32)>,
    /// What it runs.
    pub body: Body,
    /// Whether it contains `yield`.
    pub is_generator: bool,
    /// Whether it is `async`.
    pub is_async: bool,
    /// Whether a `return` gives something else than `None` or `False`.
    pub answers: bool,
    /// Whether an exception may end in it: it has a `try` with handlers, a `with`, or a `yield from`.
    pub handles: bool,
    /// Whether a class body must make the `__class__` cell (a method uses `super()` or `__class__`): its cell index.
    pub class_cell: Option<u32>,
    /// The whole definition (without decorators).
    pub span: Span,
    /// The name in the `def`/`class` line.
    pub name_span: Span,
    /// The docstring.
    pub docstring: Option<String>,
}

/// What a code object runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Body {
    /// Statements.
    Block(Vec<StmtId>),
    /// One expression (a lambda).
    Expr(ExprId),
    /// A comprehension or generator expression.
    Comprehension(Box<Comprehension>),
    /// A function's statements, elsewhere: [`Module::later_body`]. Of this code, its locals, cells and docstring are there as well.
    Later(u32),
}

/// What a comprehension collects.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Collect {
    /// `[element for …]`
    List(ExprId),
    /// `{element for …}`
    Set(ExprId),
    /// `{key: value for …}`
    Dict(ExprId, ExprId),
    /// `(element for …)`
    Generator(ExprId),
}

/// A comprehension. The iterable of the first clause is evaluated outside, in the enclosing scope.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comprehension {
    /// The element.
    pub collect: Collect,
    /// The clauses, outermost first. The first one's `iter` is `None` (it is parameter `.0`).
    pub clauses: Vec<Clause>,
}

/// One `for target in iter if … if …`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clause {
    /// What is bound.
    pub target: Target,
    /// The iterable (`None` for the first clause).
    pub iter: Option<ExprId>,
    /// The conditions.
    pub conditions: Vec<ExprId>,
    /// `async for`.
    pub is_async: bool,
}

/// Parameters of a function.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Params {
    /// Names in slot order: positional-only, positional-or-keyword, keyword-only, then `*args`, then `**kwargs`.
    pub names: Vec<Param>,
    /// How many of them are positional-only.
    pub positional_only: u32,
    /// How many take positional arguments (positional-only ones included).
    pub positional: u32,
    /// How many are keyword-only.
    pub keyword_only: u32,
    /// Slot of `*args`.
    pub var_positional: Option<u32>,
    /// Slot of `**kwargs`.
    pub var_keyword: Option<u32>,
}

/// One parameter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Its name (`.0` for a comprehension's iterator).
    pub name: Symbol,
    /// The range of the name alone.
    pub span: Span,
    /// Its annotation.
    pub annotation: Option<ExprId>,
}

/// A constant of the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Const {
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// `True`, `False`
    Bool(bool),
    /// An integer that fits.
    Int(i64),
    /// An integer that does not.
    BigInt(BigInt),
    /// A float.
    Float(f64),
    /// An imaginary literal such as `2j`.
    Imaginary(f64),
    /// A string, escapes decoded, adjacent literals joined.
    Str(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// Unary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Not,
    Neg,
    Pos,
    Invert,
}

/// Binary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    MatMul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    LShift,
    RShift,
    BitAnd,
    BitOr,
    BitXor,
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 13] = {
        use BinaryOp::*;
        [Add, Sub, Mul, MatMul, Div, FloorDiv, Mod, Pow, LShift, RShift, BitAnd, BitOr, BitXor]
    };
}

/// Comparison operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum CompareOp {
    Eq,
    NotEq,
    Lt,
    LtE,
    Gt,
    GtE,
    Is,
    IsNot,
    In,
    NotIn,
}

/// An argument of a call (or an item of a class statement's parentheses).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arg {
    /// `f(x)`
    Positional(ExprId),
    /// `f(*xs)`; the id is that of the iterable.
    Star(ExprId),
    /// `f(name=x)`
    Keyword(Symbol, ExprId),
    /// `f(**kw)`
    DoubleStar(ExprId),
}

/// A part of an f-string.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FStringPart {
    /// Text as it stands.
    Text(String),
    /// `{value!conversion:spec}`; for `{value=}` the text before is a `Text` part of its own.
    Value {
        /// The expression.
        value: ExprId,
        /// `r`, `s` or `a`.
        conversion: Option<char>,
        /// The format specification, itself with parts.
        spec: Vec<FStringPart>,
    },
}

/// An expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Expr {
    /// A constant.
    Constant(Const),
    /// A name that is read.
    Name(Place, Symbol),
    /// `value.attr`
    Attribute(ExprId, Symbol),
    /// `value[index]`
    Subscript(ExprId, ExprId),
    /// `lower:upper:step` inside a subscript.
    Slice(Option<ExprId>, Option<ExprId>, Option<ExprId>),
    /// A call.
    Call(ExprId, Box<[Arg]>),
    /// A unary operation.
    Unary(UnaryOp, ExprId),
    /// A binary operation.
    Binary(BinaryOp, ExprId, ExprId),
    /// `a and b and c`
    And(Box<[ExprId]>),
    /// `a or b or c`
    Or(Box<[ExprId]>),
    /// `a < b <= c`
    Compare(ExprId, Box<[(CompareOp, ExprId)]>),
    /// `body if test else orelse`
    IfExp {
        /// The condition.
        test: ExprId,
        /// The value when true.
        body: ExprId,
        /// The value when false.
        orelse: ExprId,
    },
    /// `lambda …: …`, with the default values of its parameters.
    Lambda(CodeId, Box<Defaults>),
    /// A tuple display; items may be [`Expr::Starred`].
    Tuple(Box<[ExprId]>),
    /// A list display.
    List(Box<[ExprId]>),
    /// A set display.
    Set(Box<[ExprId]>),
    /// A dict display; `None` as key is `**value`.
    Dict(Box<[(Option<ExprId>, ExprId)]>),
    /// A comprehension or generator expression, and the iterable of its first clause.
    Comprehension(CodeId, ExprId),
    /// `name := value`
    Walrus(Place, Symbol, ExprId),
    /// `*value` in a display or subscript.
    Starred(ExprId),
    /// An f-string.
    FString(Box<[FStringPart]>),
    /// `yield value`
    Yield(Option<ExprId>),
    /// `yield from value`
    YieldFrom(ExprId),
    /// `await value`
    Await(ExprId),
    /// What could not be parsed; evaluates to an unknown value.
    Error,
}

/// Default values of parameters, evaluated when the function is made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Defaults {
    /// For the last so many positional parameters.
    pub positional: Box<[ExprId]>,
    /// By position among the keyword-only parameters.
    pub keyword_only: Box<[Option<ExprId>]>,
}

/// What an assignment binds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Target {
    /// A name.
    Name(Place, Symbol, Span),
    /// `value.attr`; the span is the whole target's.
    Attribute(ExprId, Symbol, Span),
    /// `value[index]`
    Subscript(ExprId, ExprId, Span),
    /// `a, b, *c`
    Tuple(Box<[Target]>, Span),
    /// `*target` inside a tuple target.
    Starred(Box<Target>, Span),
    /// What could not be parsed.
    Error(Span),
}

/// One name of an import statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Alias {
    /// The dotted name (of the module, or the name in `from m import name`).
    pub name: Symbol,
    /// `as` name.
    pub asname: Option<Symbol>,
    /// Where it is bound (for `import a.b` without `as`: the place of `a`).
    pub place: Place,
    /// The range of the alias.
    pub span: Span,
}

/// A definition statement's common part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionDef {
    /// The function's code.
    pub code: CodeId,
    /// Decorators, outermost first.
    pub decorators: Box<[ExprId]>,
    /// Default values.
    pub defaults: Defaults,
    /// The return annotation.
    pub returns: Option<ExprId>,
    /// Where the name is bound.
    pub place: Place,
    /// The name.
    pub name: Symbol,
}

/// A class statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassDef {
    /// The body.
    pub code: CodeId,
    /// Decorators, outermost first.
    pub decorators: Box<[ExprId]>,
    /// Bases and keywords.
    pub args: Box<[Arg]>,
    /// Where the name is bound.
    pub place: Place,
    /// The name.
    pub name: Symbol,
}

/// One `except` clause.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Handler {
    /// The class or tuple of classes; `None` catches everything.
    pub class: Option<ExprId>,
    /// `as name`.
    pub name: Option<(Place, Symbol)>,
    /// What runs.
    pub body: Vec<StmtId>,
    /// The range of the clause.
    pub span: Span,
}

/// One `case`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Case {
    /// The pattern.
    pub pattern: Pattern,
    /// `if guard`.
    pub guard: Option<ExprId>,
    /// What runs.
    pub body: Vec<StmtId>,
}

/// A pattern of a `match` statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Pattern {
    /// A literal or dotted name, compared with `==`.
    Value(ExprId),
    /// `None`, `True`, `False`, compared with `is`.
    Singleton(Const),
    /// `name` or `_` (no place).
    Capture(Option<(Place, Symbol)>),
    /// `*name` inside a sequence.
    Star(Option<(Place, Symbol)>),
    /// `[a, b, *c]`
    Sequence(Vec<Pattern>),
    /// `{key: pattern, **rest}`
    Mapping {
        /// Keys with their patterns.
        items: Vec<(ExprId, Pattern)>,
        /// The rest.
        rest: Option<(Place, Symbol)>,
    },
    /// `Class(a, b=c)`
    Class {
        /// The class.
        class: ExprId,
        /// Positional patterns.
        positional: Vec<Pattern>,
        /// Keyword patterns.
        keyword: Vec<(Symbol, Pattern)>,
    },
    /// `a | b`
    Or(Vec<Pattern>),
    /// `pattern as name`
    As(Box<Pattern>, (Place, Symbol)),
}

/// One `expr as target` of a `with`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WithItem {
    /// The context manager.
    pub context: ExprId,
    /// What `__enter__` gives is bound to.
    pub target: Option<Target>,
}

/// A statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Stmt {
    /// An expression for its effect.
    Expr(ExprId),
    /// `a = b = value`
    Assign(Box<[Target]>, ExprId),
    /// `target op= value`; the expression reads the target (its range is the target's).
    AugAssign {
        /// What is read and bound. For attributes and subscripts, the parts are evaluated once.
        target: Target,
        /// The operator.
        op: BinaryOp,
        /// The right-hand side.
        value: ExprId,
    },
    /// `target: annotation = value`
    AnnAssign {
        /// What is bound.
        target: Target,
        /// The annotation.
        annotation: ExprId,
        /// The value.
        value: Option<ExprId>,
    },
    /// `for target in iter: body else: orelse`
    For {
        /// What is bound.
        target: Target,
        /// The iterable.
        iter: ExprId,
        /// The body.
        body: Vec<StmtId>,
        /// Runs unless `break`.
        orelse: Vec<StmtId>,
        /// `async for`.
        is_async: bool,
    },
    /// `while test: body else: orelse`
    While {
        /// The condition.
        test: ExprId,
        /// The body.
        body: Vec<StmtId>,
        /// Runs unless `break`.
        orelse: Vec<StmtId>,
    },
    /// `if test: body else: orelse` (`elif` is a nested `If`).
    If {
        /// The condition.
        test: ExprId,
        /// When true.
        body: Vec<StmtId>,
        /// When false.
        orelse: Vec<StmtId>,
    },
    /// `with items: body`
    With {
        /// The context managers.
        items: Vec<WithItem>,
        /// The body.
        body: Vec<StmtId>,
        /// `async with`.
        is_async: bool,
    },
    /// `try`
    Try {
        /// The body.
        body: Vec<StmtId>,
        /// `except` clauses.
        handlers: Vec<Handler>,
        /// `else`.
        orelse: Vec<StmtId>,
        /// `finally`.
        finalbody: Vec<StmtId>,
        /// `except*`.
        is_star: bool,
    },
    /// `raise exc from cause`
    Raise(Option<ExprId>, Option<ExprId>),
    /// `return value`
    Return(Option<ExprId>),
    /// `assert test, message`
    Assert(ExprId, Option<ExprId>),
    /// `del targets`
    Delete(Box<[Target]>),
    /// `import …`
    Import(Box<[Alias]>),
    /// `from ..module import …`
    ImportFrom {
        /// The dotted module name, empty for `from . import x`.
        module: Symbol,
        /// How many leading dots.
        level: u32,
        /// The names.
        names: Box<[Alias]>,
    },
    /// `from module import *`
    ImportStar {
        /// The dotted module name.
        module: Symbol,
        /// How many leading dots.
        level: u32,
    },
    /// `def`
    FunctionDef(Box<FunctionDef>),
    /// `class`
    ClassDef(Box<ClassDef>),
    /// `match`
    Match(ExprId, Vec<Case>),
    /// `pass`, `global`, `nonlocal`, and `type` aliases' remains.
    Pass,
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// What could not be parsed.
    Error,
}

//! Operations.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::builtin::Builtin;
use super::handlers::Handler;
use super::inline::{CallSite, Root, Window};
use super::methods::MethodSite;
use crate::interp::attr_cache::Found;
use crate::module::{BinaryOp, CompareOp, ExprId, Place, StmtId, Symbol, UnaryOp};
use crate::python::Value;

/// A register: a local slot, or a temporary behind them.
pub type Reg = u16;
/// A position among the operations.
pub type At = u32;

/// No statement: what fails there, fails as a whole.
pub const NOWHERE: u16 = u16::MAX;

/// No position: the operations end, and how stands in [`crate::interp::Interp::ended`].
pub const STOP: At = At::MAX;

/// No position: the body returns [`Run::result`].
///
/// [`Run::result`]: crate::interp::function::Run::result
pub const RETURN: At = At::MAX - 1;

/// No position: the copy of a form ends before [`Run::bailed`].
///
/// [`Run::bailed`]: crate::interp::function::Run::bailed
pub const BAIL: At = At::MAX - 2;

/// No position: another form goes on ([`Run::aim`]).
///
/// [`Run::aim`]: crate::interp::function::Run::aim
pub const SWITCH: At = At::MAX - 3;

/// No position: a generator rests at [`Run::bailed`], and hands [`Run::result`] on.
///
/// [`Run::bailed`]: crate::interp::function::Run::bailed
/// [`Run::result`]: crate::interp::function::Run::result
pub const REST: At = At::MAX - 4;

/// No register.
pub const NONE: Reg = Reg::MAX;

/// Where a variable is that is no local slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// In a cell.
    Cell(u16),
    /// Among the globals.
    Global(u32),
    /// Where the target says.
    Elsewhere,
}

impl Held {
    /// Where a place is.
    pub fn of(place: Place) -> Held {
        match place {
            Place::Cell(cell) => u16::try_from(cell).map_or(Held::Elsewhere, Held::Cell),
            Place::Global(slot) => Held::Global(slot),
            _ => Held::Elsewhere,
        }
    }
}

/// One operation. Where `expr` is given, it is the expression whose value the operation makes: what the operation cannot do
/// with its registers is done from there. A register of a local variable is read when the operation runs.
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)]
pub enum Op {
    /// Spends so much fuel.
    Spend(u32),
    /// Walks an expression.
    Eval { dst: Reg, expr: ExprId },
    /// Walks the statement that owns the operation.
    Walk,
    /// Reads a cell.
    Cell { dst: Reg, cell: u16, expr: ExprId },
    /// Reads a global.
    Global { dst: Reg, slot: u32, expr: ExprId },
    /// A constant.
    Constant { dst: Reg, index: u16 },
    /// Reads a local variable.
    Copy { dst: Reg, src: Reg, expr: ExprId },
    /// Reads a local variable that stays where it is: what comes before the operation that takes it may fail.
    Look { src: Reg, expr: ExprId },
    /// Moves a temporary.
    Take { dst: Reg, src: Reg },
    /// `left op right`
    Binary { op: BinaryOp, dst: Reg, left: Reg, right: Reg, site: u16, expr: ExprId },
    /// `left op number`
    BinaryInt { op: BinaryOp, dst: Reg, left: Reg, right: i16, site: u16, expr: ExprId },
    /// `op value`
    Unary { op: UnaryOp, dst: Reg, value: Reg, expr: ExprId },
    /// `left op right`
    Compare { op: CompareOp, dst: Reg, left: Reg, right: Reg, site: u16, expr: ExprId },
    /// Goes on where the comparison holds, and elsewhere where not.
    Branch { op: CompareOp, left: Reg, right: Reg, site: u16, expr: ExprId, otherwise: At },
    /// As `Branch`, with a number at the right.
    BranchInt { op: CompareOp, left: Reg, right: i16, expr: ExprId, otherwise: At },
    /// Where the comparison of plain values comes to `when`, goes to an aim, and behind so many operations where not. What is
    /// not plain is compared by these.
    Quick { op: CompareOp, when: bool, skip: u8, left: Reg, right: Reg, aim: At },
    /// As `Quick`, with a number at the right.
    QuickInt { op: CompareOp, when: bool, skip: u8, left: Reg, right: i16, aim: At },
    /// As `Quick`, of whether a value is `None`.
    QuickNone { when: bool, skip: u8, value: Reg, aim: At },
    /// As `Quick`, of the truth of a plain value.
    QuickTruth { when: bool, skip: u8, value: Reg, aim: At },
    /// `object[first][second]` of lists and tuples; goes on behind so many operations then. Everything else is done by these.
    QuickItem { skip: u8, dst: Reg, object: Reg, first: Reg, second: Reg },
    /// A call of a builtin method whose arguments are at hand: what is in a register (if that is given), and then a constant (if one
    /// is). Goes on behind so many operations then. Everything else is done by these.
    QuickMethod { builtin: Builtin, skip: u8, dst: Reg, object: Reg, first: Reg, constant: u16 },
    /// The comparison of a chain that has this number: goes on behind the next operation where it holds and is not the last
    /// one, and otherwise the register has what the chain comes to.
    Chain { op: CompareOp, number: u8, last: bool, dst: Reg, left: Reg, right: Reg, expr: ExprId },
    /// Goes on where the value is true, and elsewhere where not.
    Test { value: Reg, expr: ExprId, otherwise: At },
    /// Goes elsewhere.
    Jump(At),
    /// An operand of `and` or `or`, the one at this position: goes to the end where it decides.
    Choose { is_and: bool, value: Reg, at: u16, expr: ExprId, end: At },
    /// Records the value that an expression came to.
    Seen { value: Reg, expr: ExprId },
    /// `object.name`; names are kept by number, and what stands at the place for a property's function.
    Attribute { dst: Reg, object: Reg, named: u16, site: u16, expr: ExprId },
    /// `object[index]`
    Subscript { dst: Reg, object: Reg, index: Reg, site: u16, expr: ExprId },
    /// `object[number]`
    SubscriptInt { dst: Reg, object: Reg, index: i16, site: u16, expr: ExprId },
    /// The function and the receiver of a method call, into two registers; `expr` is the attribute. The function of a
    /// builtin method is left out.
    Method { builtin: Option<Builtin>, base: Reg, object: Reg, site: u16, expr: ExprId },
    /// As `Method`, of `super()`.
    SuperMethod { base: Reg, site: u16, expr: ExprId },
    /// Walks the call and goes to the end, if what is called does not read its arguments' texts.
    Unread { base: Reg, dst: Reg, expr: ExprId, end: At },
    /// A call: what is called is in the first register, a method's receiver in the second, then the arguments.
    /// Calls of functions are counted: what stands at the place is kept by number.
    Call { builtin: Option<Builtin>, dst: Reg, base: Reg, count: u8, method: bool, site: u16, expr: ExprId },
    /// A call with arguments given by name: their values come behind the others, their names are kept by number.
    CallNamed { dst: Reg, base: Reg, count: u8, method: bool, names: u16, expr: ExprId },
    /// A comprehension over what is in a register, or the generator of a generator expression.
    Comprehend { dst: Reg, iterable: Reg, expr: ExprId },
    /// Before a call whose only argument is a generator expression over what is in a register: does all of it and goes to the end
    /// where what is called uses the elements up, and makes the generator where not.
    Elements { base: Reg, method: bool, dst: Reg, iterable: Reg, expr: ExprId, end: At },
    /// `yield value`
    Yield { dst: Reg, value: Reg, expr: ExprId },
    /// `yield from value`; the iterator stays in a register meanwhile.
    Delegate { dst: Reg, iterator: Reg, value: Reg, expr: ExprId },
    /// `object[lower:upper]`; the bounds stand in two registers next to each other, `None` where there is none.
    Slice { dst: Reg, object: Reg, base: Reg, expr: ExprId },
    /// A slice of three registers.
    MakeSlice { dst: Reg, base: Reg },
    /// A dict of keys and values by turns: so many pairs.
    Dict { dst: Reg, base: Reg, count: u16, expr: ExprId },
    /// A set of registers.
    Set { dst: Reg, base: Reg, count: u16, expr: ExprId },
    /// A tuple of registers.
    Tuple { dst: Reg, base: Reg, count: u16 },
    /// A list of registers.
    List { dst: Reg, base: Reg, count: u16 },
    /// Binds the target of the statement that owns the operation.
    Assign { value: Reg },
    /// Binds this one of several targets of the statement that owns the operation; the value stays where it is.
    AssignTo { value: Reg, number: u16 },
    /// Reads the variable that the statement that owns the operation changes in place.
    LoadName { dst: Reg, held: Held },
    /// Binds the variable that is the target of the statement that owns the operation.
    AssignName { value: Reg, held: Held },
    /// Binds a part of the tuple target of the statement that owns the operation.
    AssignPart { value: Reg, part: u16 },
    /// Unpacks into local slots; the list of them is kept by number.
    Unpack { value: Reg, slots: u16 },
    /// Unpacks into local slots, tuples in tuples too; where they go is kept by number.
    UnpackShape { value: Reg, shape: u16 },
    /// Sets an attribute, or an item where there is an index: this one of the targets of the statement that owns the
    /// operation.
    Store { object: Reg, index: Reg, value: Reg, named: u16, site: u16, number: u8 },
    /// Reads the attribute or item that `Store` sets.
    Load { dst: Reg, object: Reg, index: Reg, named: u16 },
    /// `dst op= value`
    Augment { op: BinaryOp, dst: Reg, value: Reg },
    /// `dst op= number`
    AugmentInt { op: BinaryOp, dst: Reg, value: i16 },
    /// Begins a `for` loop.
    StartFor { rounds: u16, iterable: Reg },
    /// The next item of a `for` loop; spends so much fuel for its round.
    NextItem { rounds: u16, dst: Reg, cost: u32, over: At },
    /// The next item of a `for` loop, into a register, and a tuple into local slots too: `Unpack` comes next.
    NextParts { rounds: u16, dst: Reg, slots: u16, cost: u32, over: At },
    /// Begins a `while` loop.
    StartWhile { rounds: u16 },
    /// Behind that condition; spends so much fuel for the round.
    InRound { rounds: u16, cost: u32 },
    /// At the end of a round.
    EndRound { rounds: u16, head: At },
    /// `break`
    Break(At),
    /// `continue`
    Continue(At),
    /// The next item of a comprehension's last clause; spends so much fuel for it.
    NextElement { dst: Reg, cost: u32, over: At },
    /// The same, into a register, and a tuple into local slots too: `Unpack` comes next.
    NextElementParts { dst: Reg, slots: u16, cost: u32, over: At },
    /// Takes an element of a comprehension; the key of a dict's is in the other register.
    Collect { value: Reg, key: Reg, expr: ExprId },
    /// Begins the guarded part of a `try`.
    Guard,
    /// Ends it.
    Unguard,
    /// Goes on where this handler of the `try` that owns the operation takes what was caught, and elsewhere where not. The
    /// class is in the register, if it has one.
    Catches { class: Reg, handler: u16, otherwise: At },
    /// Ends that handler.
    Handled { handler: u16 },
    /// No handler takes what was caught.
    Uncaught,
    /// Begins the final part of a `try` whose guarded part ended as it should.
    Finally,
    /// Ends it: on with what it was begun for.
    EndFinally,
    /// `raise value`
    Raise { value: Reg, expr: ExprId },
    /// `return`; the value is that of the other expression too, a conditional one.
    Return { value: Reg, expr: ExprId, whole: ExprId },
    /// Enters the manager of a `with`; `expr` is its expression.
    Enter { dst: Reg, manager: Reg, site: u16, expr: ExprId },
    /// Begins the block of the manager that was entered.
    Within,
    /// Ends that block.
    EndWithin,
    /// Leaves the manager of a `with`, however its block ended.
    LeaveWith { site: u16 },
    /// `return` in a part of a `try`.
    Leave { value: Reg, expr: ExprId },
    /// Behind the last statement.
    End,
}

/// An operation with what runs it.
#[derive(Debug)]
pub struct Instruction {
    /// Runs it.
    pub run: Handler,
    /// The operation.
    pub op: Op,
}

/// Where a value goes, or its parts.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Into a register.
    Whole(Reg),
    /// Its parts go so.
    Parts(Box<[Shape]>),
}

/// What a condition decides, for the case that it is not known.
#[derive(Copy, Clone, Debug)]
pub enum Fork {
    /// Statements: those of the statement that owns the operation.
    Statement,
    /// Expressions: those of this conditional expression, whose value goes into the register.
    Expression(ExprId, Reg, At),
    /// Whether a comprehension has an element: which it has is not known then.
    Element,
}

/// Where a statement stands in the one around it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Within {
    /// In its body, or a branch.
    Body,
    /// In the `else` of a loop.
    Else,
    /// In the guarded part of a `try`.
    Guarded,
    /// In this handler of a `try`.
    Handler(u16),
    /// In the final part of a `try`.
    Final,
    /// In the block of a `with`.
    Managed,
}

/// A statement in the flat form.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The statement.
    pub id: StmtId,
    /// The statement around it.
    pub parent: Option<u16>,
    /// Whether it is a loop: where its rounds are kept, and where a round ends.
    pub looping: Option<(u16, At)>,
    /// Where in the statement around it it stands.
    pub within: Within,
    /// Of a `try`: where it goes on behind a guarded part that failed.
    pub caught: Option<Caught>,
    /// Whether it is only a part of the statement that the one around it stands for.
    pub part: bool,
    /// What comes behind it.
    pub after: At,
}

/// What comes behind the guarded part of a `try` that failed.
#[derive(Copy, Clone, Debug)]
pub enum Caught {
    /// Handlers.
    Handlers(At),
    /// The final part, however the guarded part ended.
    Final(At),
}

/// The flat form of a body or loop.
#[derive(Debug)]
pub struct Flat {
    /// Operations.
    pub steps: Box<[Instruction]>,
    /// The statement that owns each operation.
    pub owners: Box<[u16]>,
    /// Statements.
    pub pieces: Vec<Piece>,
    /// The statement whose failure is dealt with outside: a loop that is entered from its tree.
    pub outer: Option<u16>,
    /// Conditions, by the position of their operation.
    pub forks: FxHashMap<At, Fork>,
    /// Constants.
    pub constants: Vec<Value>,
    /// Names of attributes, with where each was found last.
    pub names: Vec<(Symbol, Cell<Found>)>,
    /// Places where methods are looked up.
    pub methods: Box<[MethodSite]>,
    /// Lists of local slots.
    pub slots: Vec<Box<[Reg]>>,
    /// Names of arguments.
    pub keywords: Vec<Box<[Symbol]>>,
    /// Where the parts of tuples in tuples go.
    pub shapes: Vec<Shape>,
    /// The number of registers.
    pub registers: usize,
    /// What it shares with the copies of functions that run in its frame.
    pub root: Rc<Root>,
    /// The number of local slots among them.
    pub locals: usize,
    /// The number of loops.
    pub loops: usize,
    /// Places where functions are called.
    pub sites: Box<[CallSite]>,
    /// Whether it is small enough to run in the frame of a caller.
    pub small: bool,
    /// Whether all that yields in it are operations: a generator rests between two of them.
    pub rests: bool,
    /// What it knows of itself where it is the copy of a form that runs so.
    pub window: Option<Rc<Window>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_stay_small() {
        assert_eq!(size_of::<Op>(), 16);
    }
}

//! What somebody unknown may do with what it is given: fill containers that are empty, and call functions. A function of a
//! package that is not there may change all that can be changed, unless the package is known to read what it is given.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Interp;
use super::builtins::forget_items;
use super::coroutine::Coroutine;
use super::effects::writes::container;
use super::function::Run;
use super::import::missing_module;
use super::open_call::Open;
use super::skipped::{Changes, changes_of, is_change};
use crate::module::{Body, Expr, ExprId, Module, Part, Place, Symbol};
use crate::python::halt::{Halt, Step};
use crate::python::journal::Branch;
use crate::python::value::Unknown;
use crate::python::{Args, CellRef, Class, Function, Instance, Value, Why};

/// Functions that functions capture are looked at so deep.
const DEPTH: usize = 2;
/// Containers in containers are let go of so deep.
const HELD: usize = 4;
/// Functions that may have been called run so deep in one another; behind that, only what they write themselves is let go of.
const MOST_PERHAPS: u32 = 2;
/// So many items of a list are looked at for functions.
const MOST_LISTED: usize = 64;

impl Interp {
    /// A function is called with arguments whose number is not known: forgets what it may have changed.
    #[cold]
    pub(super) fn lose_call(&self, callee: &Value, args: &Args) {
        hand(callee, DEPTH);
        self.lose_functions(&functions_of(callee, args));
        self.hand_over(args, None);
    }

    /// Functions of the program may have been called any number of times: forgets what they may have changed.
    #[cold]
    pub(crate) fn lose_functions(&self, functions: &[Value]) {
        functions.iter().for_each(|function| hand(function, DEPTH));
    }

    /// Whether what is unknown for this reason is of a package that is not there, and may change what it can reach.
    pub(super) fn may_write(&self, why: &Why) -> bool {
        let package = missing_module(&why.0).map(|name| name.split('.').next().unwrap_or(name));
        package.is_some_and(|package| !self.loader.only_reads(package))
    }

    /// Forgets what may have changed once an unknown callee has had these arguments; `why` says why it is unknown.
    pub(super) fn hand_over(&self, args: &Args, why: Option<&Why>) {
        let writes = why.is_some_and(|why| self.may_write(why));
        for value in args.positional.iter().chain(args.keyword.iter().map(|(_, value)| value)) {
            hand(value, DEPTH);
            if writes && let Some(why) = why {
                forget_all(value, why, HELD);
            }
        }
    }
}

/// The functions of the program's that a call of a library's function may call: those that it is given, also in a list, and those that
/// the function holds (`jax.vmap(f)`).
pub(super) fn functions_of(callee: &Value, args: &Args) -> SmallVec<[Value; 2]> {
    let mut found = SmallVec::new();
    let captured: &[CellRef] = match callee {
        Value::Function(library) if !library.unit.user => &library.captured,
        // `sorted(items, key=f)`
        Value::Native(_) => &[],
        // `np.vectorize(f)(x)`
        Value::Instance(object) if is_called_by(object, |call| !call.unit.user) => {
            found.extend(object.attrs().values().filter(|value| is_the_programs_own(value)).cloned());
            &[]
        }
        _ => return found,
    };
    let is_own = |value: &Value| is_the_programs_own(value) || is_called_like_one(value);
    let given = args.positional.iter().chain(args.keyword.iter().map(|(_, value)| value));
    for value in given {
        match value {
            // `lax.switch(index, [f, g])`
            Value::List(list) => {
                found.extend(list.read().iter().take(MOST_LISTED).filter(|value| is_own(value)).cloned());
            }
            Value::Tuple(items) => found.extend(items.iter().take(MOST_LISTED).filter(|value| is_own(value)).cloned()),
            value if is_own(value) => found.push(value.clone()),
            _ => {}
        }
    }
    for cell in captured {
        let held = cell.read();
        match &*held {
            value if is_own(value) => found.push(value.clone()),
            // `jax.jit(jax.vmap(f))`
            Value::Function(inner) if !inner.unit.user => {
                found.extend(inner.captured.iter().map(|cell| cell.read().clone()).filter(|value| is_own(value)));
            }
            _ => {}
        }
    }
    found
}

/// Whether it is a function or a method that the program has written.
pub(super) fn is_the_programs_own(value: &Value) -> bool {
    match value {
        Value::Function(function) => function.unit.user,
        Value::Method(method) => matches!(&method.function, Value::Function(function) if function.unit.user),
        _ => false,
    }
}

/// Whether it is an object of the program's or of a library's that can be called, and may change others by it: a layer.
fn is_called_like_one(value: &Value) -> bool {
    let may_change = |call: &Function| !call.unit.ours || call.unit.standard;
    match value {
        Value::Instance(object) => is_called_by(object, may_change),
        Value::Method(method) => match (&method.receiver, &method.function) {
            (Value::Instance(_), Value::Function(function)) => may_change(function),
            _ => false,
        },
        _ => false,
    }
}

/// Whether calling an instance calls a function of this kind.
fn is_called_by(object: &Instance, is: impl Fn(&Function) -> bool) -> bool {
    matches!(object.class().lookup_defined(sym!("__call__")), Some(Value::Function(call)) if is(&call))
}

impl Run<'_> {
    /// Functions that a library's function was given may have been called by it, with arguments that are not known: runs them as
    /// what may have happened or not. `given` is how many arguments the library's function had.
    #[cold]
    pub(super) fn perhaps_called(&mut self, functions: &[Value], given: usize, why: &Why) {
        if self.it.perhaps_deep.get() >= MOST_PERHAPS {
            return self.it.lose_functions(functions);
        }
        self.it.perhaps_deep.update(|deep| deep + 1);
        for function in functions {
            let function = std::slice::from_ref(function);
            self.it.note_branch(self.side());
            self.branches += 1;
            let branch = Branch::start();
            let result =
                self.doubtful(|run| run.it.while_catching(|| run.it.call_with_unknown(&function[0], given, why)));
            let outcome = branch.undo();
            let branch = Branch::start();
            self.branches -= 1;
            if matches!(result, Err(Halt::Unknown(_))) {
                self.it.lose_functions(function);
            }
            branch.keep_joined(outcome);
        }
        self.it.perhaps_deep.update(|deep| deep - 1);
    }
}

impl Interp {
    /// Calls with arguments of which nothing is known.
    fn call_with_unknown(self: &Rc<Self>, callee: &Value, given: usize, why: &Why) -> Step<Value> {
        if is_the_programs_own(callee) {
            return self.call_open(callee, Args::none(), &Open::unknown(why.clone()));
        }
        // A layer of a library's is given one argument for each that it has to be given.
        let call = match callee {
            Value::Instance(instance) => instance.class().lookup_defined(self.types.names.call),
            Value::Method(method) => Some(method.function.clone()),
            _ => None,
        };
        let Some(Value::Function(call)) = call else { return Err(Halt::Unknown(why.clone())) };
        let (unit, id) = call.body();
        let params = &unit.module.code(id).params;
        let needed = (params.positional as usize).saturating_sub(call.defaults.len() + 1);
        let count = if params.var_positional.is_some() { needed.max(given) } else { needed };
        self.call_with(callee, (0..count).map(|_| Value::unknown(why.0.clone())))
    }
}

/// Lets go of all that a value holds and that can be changed. What is let go of first is not found again in itself.
fn forget_all(value: &Value, why: &Why, depth: usize) {
    if depth == 0 {
        return;
    }
    let held: Vec<Value> = match value {
        Value::List(list) => {
            let held = list.read().clone();
            list.forget(why.clone());
            held
        }
        Value::Dict(dict) => {
            let held = dict.read().values().cloned().collect();
            dict.forget(why.clone());
            held
        }
        Value::Set(set) => {
            set.forget(why.clone());
            return;
        }
        Value::Tuple(items) => items.to_vec(),
        Value::Object(object) => return object.forget_numbers(why),
        Value::Instance(instance) => {
            let mut held: Vec<Value> = instance.payload().into_iter().cloned().collect();
            if is_the_programs(&instance.class()) {
                held.extend(instance.attrs().values().cloned());
                let names: Vec<Symbol> = instance.attrs().keys().copied().collect();
                names.into_iter().for_each(|name| instance.set(name, Value::unknown(why.0.clone())));
            }
            held
        }
        Value::Method(method) => return forget_all(&method.receiver, why, depth),
        Value::Unknown(unknown) if let Some(held) = &unknown.or_none => return forget_all(held, why, depth),
        Value::Unknown(unknown) if let Some(all) = &unknown.any_of => all.to_vec(),
        _ => return,
    };
    held.iter().for_each(|item| forget_all(item, why, depth - 1));
}

/// Whether a class is the program's own, and its instances can be changed.
fn is_the_programs(class: &Class) -> bool {
    let is_own = |value: &Value| matches!(value, Value::Function(function) if function.module.unit.user);
    !class.frozen.get() && class.metaclass.is_none() && class.attrs.read().values().any(is_own)
}

/// Whether instances of a class keep what is written to them.
fn is_stream(class: &Class) -> bool {
    class.mro.borrow().iter().any(|class| class.module.as_str() == "io" && class.name.as_str() == "IOBase")
}

impl Interp {
    /// A method of an object's is called that is not known: one that a decorator has made of a method of its class, or that of a base
    /// class that is not known, which may call any other method.
    #[cold]
    pub(super) fn calls_unknown_of(&self, object: &Value, method: &Value) {
        let Value::Instance(instance) = object else { return };
        if let Value::Unknown(unknown) = method {
            for function in unknown.any_of.iter().flat_map(|all| all.iter()) {
                if let Value::Function(function) = function {
                    hand_function(function, Some(object), DEPTH);
                }
            }
        }
        let class = instance.class();
        if !class.may_have_more() {
            return;
        }
        for class in class.mro.borrow().iter() {
            for (name, attribute) in class.attrs.read().iter() {
                if let Value::Function(method) = attribute
                    && name.as_str() != "__init__"
                {
                    hand_function(method, Some(object), 1);
                }
            }
        }
    }

    /// What may be any of these is called.
    pub(super) fn calls_any_of(&self, unknown: &Unknown) {
        unknown.any_of.iter().flat_map(|all| all.iter()).for_each(|callee| hand(callee, DEPTH));
    }
}

/// A method may be called on this object.
pub(super) fn hand_method(method: &Rc<Function>, object: &Value) {
    hand_function(method, Some(object), DEPTH);
}

fn hand(value: &Value, depth: usize) {
    match value {
        Value::Function(function) => hand_function(function, None, depth),
        // It may be called, too.
        Value::Instance(instance) => {
            if is_stream(&instance.class()) {
                instance.set(sym!("_lost"), Value::Bool(true));
            }
            if let Some(Value::Function(call)) = instance.class().lookup_defined(sym!("__call__")) {
                hand_function(&call, Some(value), depth);
                // `functools.partial(f)`
                if call.unit.standard && depth > 0 {
                    hand_items(instance.attrs().values(), depth - 1);
                }
            }
        }
        Value::Method(method) => match &method.function {
            Value::Function(function) => hand_function(function, Some(&method.receiver), depth),
            Value::Native(native) if is_change(native.name) => forget(&method.receiver),
            _ => {}
        },
        // It may run, with what it was given.
        Value::Object(object) => {
            if let Some((function, args)) = object.clone().downcast::<Coroutine>().and_then(|waiting| waiting.waiting())
            {
                let why = Why(format!("`{}` may be awaited by what is not known", function.name()).into());
                args.positional.iter().chain(args.keyword.iter().map(|(_, value)| value)).for_each(|value| {
                    forget_all(value, &why, HELD);
                });
                hand_function(&function, None, depth);
            }
        }
        // One that has something in it is mostly read, but the functions in it may be called.
        Value::List(list) if list.read().is_empty() => forget(value),
        Value::List(list) => hand_items(list.read().iter(), depth),
        Value::Tuple(items) => hand_items(items.iter(), depth),
        Value::Dict(dict) if !dict.read().is_empty() => hand_items(dict.read().values(), depth),
        Value::Unknown(unknown) => unknown
            .or_none
            .iter()
            .chain(unknown.any_of.iter().flat_map(|all| &**all))
            .for_each(|held| hand(held, depth)),
        Value::Dict(dict) if dict.read().is_empty() => forget(value),
        Value::Set(set) if set.read().is_empty() => forget(value),
        _ => {}
    }
}

/// Those of the first items that may be called are.
fn hand_items<'v>(items: impl Iterator<Item = &'v Value>, depth: usize) {
    let functions: Vec<Value> = items
        .take(MOST_LISTED)
        .filter(|item| matches!(item, Value::Function(_) | Value::Method(_) | Value::Instance(_)))
        .cloned()
        .collect();
    functions.iter().for_each(|item| hand(item, depth));
}

/// It may be called: what it binds and changes outside of itself is not known any more.
fn hand_function(function: &Rc<Function>, receiver: Option<&Value>, depth: usize) {
    if !function.unit.user || depth == 0 {
        return;
    }
    let (unit, code) = function.body();
    let module: &Module = &unit.module;
    let code = module.code(code);
    let mut changes = Changes::default();
    match &code.body {
        Body::Block(body) => body.iter().for_each(|stmt| changes_of(module, Part::Stmt(*stmt), &mut changes)),
        Body::Expr(value) => changes_of(module, Part::Expr(*value), &mut changes),
        _ => {}
    }
    let captured = |place: Place| match place {
        Place::Cell(index) => function.captured.get((index as usize).checked_sub(code.cells.len())?),
        _ => None,
    };
    let why = || Value::unknown(format!("`{}` may have been called by what is not known", code.name));
    for (place, name) in &changes.names {
        match place {
            Place::Global(_) => function.module.set(*name, why()),
            place => {
                if let Some(cell) = captured(*place) {
                    *cell.write() = why();
                }
            }
        }
    }
    let named = |id: ExprId| match module.expr(id) {
        Expr::Name(Place::Global(_), name) => function.module.get(*name),
        Expr::Name(Place::Local(0), _) => receiver.cloned(),
        Expr::Name(place, _) => captured(*place).map(|cell| cell.read().clone()),
        _ => None,
    };
    for container in &changes.containers {
        let found = match module.expr(*container) {
            Expr::Attribute(object, name) => match named(*object) {
                Some(Value::Instance(instance)) => instance.get(*name),
                _ => None,
            },
            _ => named(*container),
        };
        found.iter().for_each(forget);
    }
    for (object, name) in &changes.attributes {
        if let Some(Value::Instance(instance)) = named(*object) {
            instance.set(*name, why());
        }
    }
    for cell in &function.captured {
        let value = cell.read().clone();
        hand(&value, depth - 1);
    }
}

fn forget(value: &Value) {
    let value = value.unless_none().unwrap_or(value);
    forget_items(&container(value), &Why("it was given to what is not known".into()), true);
}

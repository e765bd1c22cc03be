//! Methods and functions of the standard library that programs call in every loop. The prelude's Python says what they do; where
//! all that they work on is plain, this does the same at once.

mod counted;
mod defaults;
mod iterators;
mod sorted;

use std::rc::Rc;

use crate::interp::{Interp, item};
use crate::module::Symbol;
use crate::python::live::{Live, Walked};
use crate::python::tuples::Again;
use crate::python::{Instance, Iter, List, Short, Value};

/// Methods by the names of their classes, functions by those of their modules. Each is given what the method is given, and leaves that
/// alone where there is more to do than this: `None`. What stands for `__init__` is given the class first, and makes an instance.
const SHORTER: &[(&str, &str, Short)] = &[
    ("Counter", "__init__", counted::made),
    ("Counter", "update", counted::update),
    ("Counter", "most_common", counted::most_common),
    ("Counter", "__missing__", counted::missing),
    ("defaultdict", "__missing__", defaults::missing),
    ("itertools", "product", iterators::product),
    ("itertools", "pairwise", iterators::pairwise),
    ("itertools", "combinations", |it, args| iterators::choices(it, args, "combinations", Again::Never)),
    ("itertools", "permutations", |it, args| iterators::choices(it, args, "permutations", Again::Earlier)),
    ("deque", "__init__", made),
    ("deque", "append", |it, args| with_items(args, |items, most, args| put(it, items, most, args, Side::Right))),
    ("deque", "appendleft", |it, args| with_items(args, |items, most, args| put(it, items, most, args, Side::Left))),
    ("deque", "pop", |it, args| with_items(args, |items, _, args| take(it, items, args, Side::Right))),
    ("deque", "popleft", |it, args| with_items(args, |items, _, args| take(it, items, args, Side::Left))),
    ("deque", "__len__", |_, args| with_items(args, |items, _, _| Some(Value::size(items.known()?.items.len())))),
    ("deque", "__iter__", |_, args| with_items(args, |items, _, _| walked(items, false))),
    ("deque", "__reversed__", |_, args| with_items(args, |items, _, _| walked(items, true))),
    ("deque", "__getitem__", |_, args| {
        with_items(args, |items, _, args| match args {
            [Value::Int(at)] => item(&items.known()?.items, *at).cloned(),
            _ => None,
        })
    }),
    ("heapq", "heappush", sorted::push),
    ("heapq", "heappop", sorted::pop),
    ("bisect", "bisect_left", |it, args| sorted::search(it, args, sorted::Equal::Before)),
    ("bisect", "bisect_right", |it, args| sorted::search(it, args, sorted::Equal::Behind)),
];

/// An end of a deque.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Gives the methods of a class, or a function, their shorter ways.
pub(super) fn shorten(item: &Value) {
    match item {
        Value::Class(class) => {
            let attrs = class.attrs.read();
            for (_, name, short) in SHORTER.iter().filter(|(of, ..)| *of == class.name.as_str()) {
                if let Some(Value::Function(function)) = attrs.get(&Symbol::from(*name)) {
                    function.short.set(Some(*short));
                    class.is_shortened.set(class.is_shortened.get() || *name == "__init__");
                }
            }
        }
        Value::Function(function) => {
            let is_it = |of: &str, name: &str| of == function.module.name.as_str() && name == function.name().as_str();
            function.short.set(SHORTER.iter().find(|(of, name, _)| is_it(of, name)).map(|(.., short)| *short));
        }
        _ => {}
    }
}

/// `deque()`, `deque(items)`
fn made(it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
    let (class, items) = match args {
        [Value::Class(class)] => (class, Vec::new()),
        [Value::Class(class), items @ (Value::List(_) | Value::Tuple(_) | Value::Range(_))] => {
            (class, it.to_vec(items).ok()?)
        }
        _ => return None,
    };
    let deque = Instance::new(class.clone());
    deque.set(sym!("_items"), Value::list(items));
    deque.set(sym!("maxlen"), Value::None);
    Some(Value::Instance(deque))
}

/// An iterator over a deque, from either end.
fn walked(items: &List, from_behind: bool) -> Option<Value> {
    let held = items.known()?.items.iter().cloned().collect();
    let name = if from_behind { "_collections._deque_reverse_iterator" } else { "_collections._deque_iterator" };
    Some(Iter::live(name, Live::new(Walked::Deque(items.clone()), held, from_behind)))
}

/// What is made of the items of a deque, how many it may hold, and the other arguments.
fn with_items(args: &mut [Value], make: impl FnOnce(&List, &Value, &mut [Value]) -> Option<Value>) -> Option<Value> {
    let [Value::Instance(deque), args @ ..] = args else { return None };
    let deque: &Instance = deque;
    let attrs = deque.attrs();
    match (attrs.get_index(0)?, attrs.get_index(1)?) {
        ((first, Value::List(items)), (second, most)) if *first == sym!("_items") && *second == sym!("maxlen") => {
            make(items, most, args)
        }
        _ => None,
    }
}

fn put(it: &Interp, items: &List, most: &Value, args: &mut [Value], side: Side) -> Option<Value> {
    let [new] = args else { return None };
    let most = match most {
        Value::None => usize::MAX,
        Value::Int(most) => usize::try_from(*most).ok().filter(|most| *most > 0)?,
        _ => return None,
    };
    let other = if side == Side::Left { Side::Right } else { Side::Left };
    if items.known()?.items.len() >= most {
        take(it, items, &mut [], other)?;
    }
    let at = if side == Side::Left { 0 } else { usize::MAX };
    items.quick_insert(it, at, new).then_some(Value::None)
}

fn take(it: &Interp, items: &List, args: &mut [Value], side: Side) -> Option<Value> {
    match side {
        _ if !args.is_empty() => None,
        Side::Left => items.quick_remove(it, 0),
        Side::Right => items.quick_pop(),
    }
}

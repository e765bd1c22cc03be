//! Streams of Python's `random`: the numbers of a stream that the program has seeded are Python's own, of any other they are not known.

use std::any::Any;
use std::rc::Rc;

use jitlens_random::{Bits, Mt19937};
use num_bigint::BigInt;

use super::Members;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::journal::{Join, Mutable};
use crate::python::{Class, Object, Value};

/// The state of a stream, where it is known.
#[derive(Clone)]
struct State(Option<Rc<Bits>>);

impl Join for State {
    fn join(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) || a == b => self.clone(),
            _ => State(None),
        }
    }
}

/// A stream of the program's.
struct Stream(Rc<Mutable<State>>);

impl Object for Stream {
    fn type_name(&self) -> String {
        "Random".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// So many bits may be drawn at once.
const MOST_BITS: i64 = 1 << 20;

fn stream_of(value: &Value) -> Step<&Stream> {
    match value {
        Value::Object(object) => {
            object.downcast::<Stream>().ok_or_else(|| Halt::unknown("not a stream of random numbers"))
        }
        _ => Err(Halt::unknown("not a stream of random numbers")),
    }
}

impl Stream {
    fn value(state: State) -> Value {
        Value::Object(Rc::new(Stream(Mutable::new(state))))
    }
    /// Draws from it; `None` where its state is not known.
    fn draw<T>(&self, draw: impl FnOnce(&mut Bits) -> T) -> Option<T> {
        self.0.read().0.as_ref()?;
        self.0.write().0.as_mut().map(|bits| draw(Rc::make_mut(bits)))
    }
}

/// A whole number of so many bits, the lowest 32 of them drawn first.
fn whole(bits: &mut Bits, count: usize) -> Value {
    if count <= 32 {
        return Value::Int(if count == 0 { 0 } else { i64::from(bits.next32() >> (32 - count)) });
    }
    let words = count.div_ceil(32);
    let digits = (0..words).map(|word| match count - 32 * word {
        rest @ 1..32 => bits.next32() >> (32 - rest),
        _ => bits.next32(),
    });
    let digits: Vec<u32> = digits.collect();
    Value::big(BigInt::from_slice(num_bigint::Sign::Plus, &digits))
}

/// Adds the functions.
pub(super) fn members(members: &mut Members) {
    // random_stream(): a stream whose state is not known.
    members.function("random_stream", |_, _| Ok(Stream::value(State(None))));
    // random_seed(stream, words): seeds it with the words of a whole number, lowest first; None: its state is not known any more.
    members.function("random_seed", |it, args| {
        let [stream, words] = args.exactly("random_seed")?;
        let words = match &words {
            Value::None | Value::Unknown(_) => None,
            words => Some(it.to_vec(words)?.iter().map(|word| Ok(it.index(word)? as u32)).collect::<Step<Vec<u32>>>()?),
        };
        let seeded = |words: Vec<u32>| Rc::new(Bits::Mt19937(Box::new(Mt19937::of_array(&words))));
        stream_of(&stream)?.0.write().0 = words.filter(|words| !words.is_empty()).map(seeded);
        Ok(Value::None)
    });
    // random_known(stream): whether its state is known.
    members.function("random_known", |_, args| {
        let [stream] = args.exactly("random_known")?;
        Ok(Value::Bool(stream_of(&stream)?.0.read().0.is_some()))
    });
    // random_bits(stream, count): a whole number of so many bits, of a stream whose state is known.
    members.function("random_bits", |it, args| {
        let [stream, count] = args.exactly("random_bits")?;
        let count = it.index(&count)?;
        if !(0..=MOST_BITS).contains(&count) {
            return Err(Halt::unknown("so many random bits"));
        }
        let drawn = stream_of(&stream)?.draw(|bits| whole(bits, count as usize));
        drawn.ok_or_else(|| Halt::unknown("a random number"))
    });
    // random_double(stream): a number of [0, 1), of a stream whose state is known.
    members.function("random_double", |_, args| {
        let [stream] = args.exactly("random_double")?;
        let drawn = stream_of(&stream)?.draw(Bits::double);
        drawn.map(Value::Float).ok_or_else(|| Halt::unknown("a random number"))
    });
    // random_position(stream): where it is, as a stream of its own; random_set_position(stream, from): sets it there.
    members.function("random_position", |_, args| {
        let [stream] = args.exactly("random_position")?;
        let state = stream_of(&stream)?.0.read().clone();
        Ok(Stream::value(state))
    });
    members.function("random_set_position", |_, args| {
        let [stream, from] = args.exactly("random_set_position")?;
        let state = stream_of(&from).map_or(State(None), |from| from.0.read().clone());
        *stream_of(&stream)?.0.write() = state;
        Ok(Value::None)
    });
}

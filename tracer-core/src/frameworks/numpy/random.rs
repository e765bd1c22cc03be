//! `numpy.random`: streams whose numbers are drawn when somebody asks for them.
//!
//! A stream is at a point; a draw moves it to the next one, whose numbers and state are made from the point before it. So
//! `rng.normal(size=(60000, 784))` costs nothing until a number that was drawn there or later is read.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use jitlens_random::{Bits, Bound, Draw, Era, Mt19937, Numbers, Pcg64, SeedSequence};
use num_traits::ToPrimitive;
use smallvec::{SmallVec, smallvec};

use super::array::NdArray;
use super::scalar::NpScalar;
use crate::array::{Aval, DType, Kind, Tensor};
use crate::frameworks::dtypes;
use crate::frameworks::jax::core::Members;
use crate::frameworks::jax::core::{concretize, shapes};
use crate::interp::{Effect, Interp};
use crate::primitives::{Avals, Primitive};
use crate::python::halt::{Halt, Step, Why};
use crate::python::journal::{Join, Mutable};
use crate::python::{Class, Object, Value};
use crate::trace::Array;

/// Why numbers of a stream without a seed are not known.
const UNSEEDED: &str = "random numbers of NumPy without a seed";

/// A place in a stream.
struct Point {
    /// How it is reached; nothing once its outcome is known.
    path: RefCell<Option<(Rc<Point>, Draw)>>,
    /// The state there, and what was drawn on the way.
    outcome: OnceCell<Result<(Bits, Option<Numbers>), Why>>,
}

impl Point {
    fn start(bits: Bits) -> Rc<Point> {
        Rc::new(Point { path: RefCell::new(None), outcome: OnceCell::from(Ok((bits, None))) })
    }
    fn lost(why: impl Into<crate::python::halt::Reason>) -> Rc<Point> {
        Rc::new(Point { path: RefCell::new(None), outcome: OnceCell::from(Err(Why(why.into()))) })
    }
    fn after(self: &Rc<Point>, draw: Draw) -> Rc<Point> {
        Rc::new(Point { path: RefCell::new(Some((self.clone(), draw))), outcome: OnceCell::new() })
    }
    /// The points that have to be drawn before this one and itself, the first one last.
    fn pending(self: &Rc<Point>) -> Vec<Rc<Point>> {
        let mut pending = Vec::new();
        let mut at = self.clone();
        while at.outcome.get().is_none() {
            let before = at.path.borrow().as_ref().map(|(before, _)| before.clone());
            pending.push(at);
            match before {
                Some(before) => at = before,
                None => break,
            }
        }
        pending
    }
    /// Draws up to here.
    fn reach(self: &Rc<Point>) {
        for point in self.pending().into_iter().rev() {
            let Some((before, draw)) = point.path.borrow_mut().take() else { continue };
            let outcome = match before.outcome.get() {
                Some(Ok((bits, _))) => {
                    let mut bits = bits.clone();
                    match draw.take(&mut bits) {
                        Some(numbers) => Ok((bits, Some(numbers))),
                        None => Err(Why("a method of NumPy's random numbers that is not modelled".into())),
                    }
                }
                Some(Err(why)) => Err(why.clone()),
                None => Err(Why(UNSEEDED.into())),
            };
            let _ = point.outcome.set(outcome);
        }
    }
}

impl Drop for Point {
    fn drop(&mut self) {
        // A long chain is let go without recursion.
        let mut next = self.path.borrow_mut().take().map(|(before, _)| before);
        while let Some(point) = next {
            next = match Rc::try_unwrap(point) {
                Ok(point) => point.path.borrow_mut().take().map(|(before, _)| before),
                Err(_) => None,
            };
        }
    }
}

/// Where a stream is.
#[derive(Clone)]
struct Position(Rc<Point>);

impl Join for Position {
    fn join(&self, other: &Self) -> Self {
        match Rc::ptr_eq(&self.0, &other.0) {
            true => self.clone(),
            false => Position(Point::lost("random numbers were drawn under an unknown condition")),
        }
    }
}

/// A bit generator of the program's.
pub struct Stream {
    at: Rc<Mutable<Position>>,
    era: Era,
}

impl Object for Stream {
    fn type_name(&self) -> String {
        "BitGenerator".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The numbers of a draw as a computation that waits.
struct Drawn {
    point: Rc<Point>,
    aval: Aval,
    count: usize,
}

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "numpy_random {:?}", self.aval)
    }
}

impl Primitive for Drawn {
    fn lasts(&self) -> bool {
        false
    }
    fn name(&self) -> &'static str {
        "numpy_random"
    }
    fn abstract_eval(&self, _inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![self.aval.clone()])
    }
    fn eval(&self, _inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        self.point.reach();
        let numbers = match self.point.outcome.get() {
            Some(Ok((_, Some(numbers)))) => numbers,
            Some(Err(why)) => return Err(Halt::Unknown(why.clone())),
            _ => return Err(Halt::unknown(UNSEEDED)),
        };
        let shape = self.aval.known_shape().ok_or_else(|| Halt::unknown("random numbers of a symbolic shape"))?;
        let count = self.count;
        let tensor = match numbers {
            Numbers::Doubles(x) => Tensor::new(shape, x[..count.min(x.len())].to_vec()),
            Numbers::Floats(x) => Tensor::new(shape, x[..count.min(x.len())].to_vec()),
            Numbers::Integers(x) => Tensor::new(shape, x[..count.min(x.len())].to_vec()),
        };
        Ok(smallvec![tensor.convert(self.aval.dtype)])
    }
    fn is_cheap(&self) -> bool {
        self.point.path.borrow().as_ref().is_none_or(|(before, _)| before.outcome.get().is_some())
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        let cost = |p: &Rc<Point>| p.path.borrow().as_ref().map_or(0, |(_, draw)| 4 * draw.len() as u64);
        self.point.pending().iter().map(cost).fold(0, u64::saturating_add)
    }
}

/// Draws from a stream: an array of this type, or a scalar.
fn drawn(it: &Rc<Interp>, stream: &Stream, draw: Option<Draw>, aval: Aval) -> Step<Value> {
    let before = stream.at.read().0.clone();
    let why = match (&draw, before.outcome.get()) {
        (_, Some(Err(why))) => Some(why.clone()),
        (None, _) => Some(Why("random numbers of NumPy that are not modelled".into())),
        _ => None,
    };
    let array = match (why, draw) {
        (None, Some(draw)) => {
            let count = aval.size().unwrap_or(0);
            let point = before.after(draw);
            stream.at.write().0 = point.clone();
            let primitive = Rc::new(Drawn { point, aval, count });
            it.engine.within(&it.engine.eval_trace(), || it.engine.bind(primitive, &[]))?.swap_remove(0)
        }
        (why, _) => {
            let why = why.map_or(UNSEEDED.into(), |why| why.0);
            if before.outcome.get().is_none_or(|o| o.is_ok()) {
                stream.at.write().0 = Point::lost(why.clone());
            }
            Array::opaque(aval, why.to_string())
        }
    };
    Ok(if array.aval.rank() == 0 { NpScalar::value(array) } else { NdArray::value(array) })
}

fn stream_of(value: &Value) -> Step<&Stream> {
    match value {
        Value::Object(object) => object.downcast::<Stream>().ok_or_else(|| Halt::unknown("not a bit generator")),
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        _ => Err(Halt::unknown("not a bit generator")),
    }
}

fn words_of(it: &Rc<Interp>, value: &Value) -> Step<Vec<u32>> {
    it.to_vec(value)?
        .iter()
        .map(|word| match word {
            Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
            word => Ok(it.index(word)? as u32),
        })
        .collect()
}

fn sequence_of(it: &Rc<Interp>, words: &Value, key: &Value) -> Step<SeedSequence> {
    Ok(SeedSequence { entropy: words_of(it, words)?, spawn_key: words_of(it, key)?, children: 0 })
}

/// The numbers of a parameter.
fn reals_of(it: &Rc<Interp>, value: &Value) -> Step<Vec<f64>> {
    if let Value::Unknown(unknown) = value {
        return Err(Halt::Unknown(unknown.why.clone()));
    }
    let tensor = concretize::tensor_of(it, value)?.convert(DType::F64);
    Ok(tensor.view::<f64>().map(<[f64]>::to_vec).unwrap_or_default())
}

fn count(it: &Rc<Interp>, value: &Value) -> Step<usize> {
    Ok(it.index(value)?.max(0) as usize)
}

/// An integer of any size that NumPy has.
fn wide(it: &Rc<Interp>, value: &Value) -> Step<i128> {
    match value {
        Value::BigInt(big) => big.to_i128().ok_or_else(|| Halt::value_error("high is out of bounds for int64")),
        value => Ok(it.index(value)?.into()),
    }
}

/// Whether integers between bounds (both included) are of the type.
fn check_bounds(low: i128, high: i128, dtype: DType) -> Step<()> {
    let bits = dtype.bits();
    let (least, most) = match dtype.kind() {
        Kind::Bool => (0, 1),
        Kind::Unsigned => (0, (1i128 << bits) - 1),
        _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    };
    if low < least {
        return Err(Halt::value_error(format!("low is out of bounds for {}", dtype.name())));
    }
    if high > most {
        return Err(Halt::value_error(format!("high is out of bounds for {}", dtype.name())));
    }
    if low > high {
        return Err(Halt::value_error("low >= high"));
    }
    Ok(())
}

/// Whether these are probabilities, and enough of them.
fn check_weights(p: &[f64], n: usize, replace: bool, era: Era) -> Step<()> {
    let new = era == Era::New;
    if p.iter().any(|p| p.is_nan()) {
        return Err(Halt::value_error(if new { "Probabilities contain NaN" } else { "probabilities contain NaN" }));
    }
    if p.iter().any(|p| *p < 0.0) {
        let text = if new { "Probabilities are not non-negative" } else { "probabilities are not non-negative" };
        return Err(Halt::value_error(text));
    }
    if (p.iter().sum::<f64>() - 1.0).abs() > f64::EPSILON.sqrt() {
        return Err(Halt::value_error(match era {
            Era::New => "Probabilities do not sum to 1. See Notes section of docstring for more information.",
            Era::Legacy => "probabilities do not sum to 1",
        }));
    }
    if !replace && p.iter().filter(|p| **p > 0.0).count() < n {
        return Err(Halt::value_error("Fewer non-zero entries in p than size"));
    }
    Ok(())
}

/// What `random_draw` draws: by the name of the kind and its parameters.
fn draw_of(
    it: &Rc<Interp>,
    (era, dtype): (Era, DType),
    kind: &str,
    parameters: &[Value],
    n: usize,
) -> Step<Option<Draw>> {
    let bound = if era == Era::New { Bound::Lemire } else { Bound::Masked };
    Ok(Some(match (kind, parameters) {
        ("integers", [low, high, width]) => {
            let (low, high) = (wide(it, low)?, wide(it, high)?);
            let width = it.index(width)? as u32;
            check_bounds(low, high, dtype)?;
            Draw::Integers { low: low as i64, max: (high - low) as u64, width, bound, n }
        }
        ("ranges", [low, high, width]) => {
            let integers = |x: &Value| -> Step<Vec<i64>> {
                let tensor = concretize::tensor_of(it, x)?.convert(DType::I64);
                Ok(tensor.view::<i64>().map(<[i64]>::to_vec).unwrap_or_default())
            };
            let (low, high) = (integers(low)?, integers(high)?);
            let bounds = low.iter().zip(&high).map(|(l, h)| (*l, h.wrapping_sub(*l) as u64)).collect();
            Draw::Ranges { bounds, width: it.index(width)? as u32, bound }
        }
        ("shuffle", [n]) => Draw::Shuffle { n: count(it, n)? },
        ("shuffles", [n, rows]) => Draw::Shuffles { n: count(it, n)?, rows: count(it, rows)? },
        ("sample", [population, n, shuffled]) => {
            Draw::Sample { population: count(it, population)?, n: count(it, n)?, shuffled: it.truth(shuffled)? }
        }
        ("weighted", [p, n, replace]) => {
            let (p, n, replace) = (reals_of(it, p)?, count(it, n)?, it.truth(replace)?);
            check_weights(&p, n, replace, era)?;
            Draw::Weighted { p, n, replace }
        }
        (name, parameters) => {
            if !jitlens_random::REALS.iter().any(|(known, _)| *known == name) {
                return Ok(None);
            }
            let parameters = parameters.iter().map(|p| reals_of(it, p)).collect::<Step<Vec<_>>>()?;
            if parameters.iter().any(|p| p.len() != 1 && p.len() != n) {
                return Ok(None);
            }
            Draw::Reals { name: name.into(), parameters, era, n }
        }
    }))
}

/// The services of the prelude's `numpy.random`.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // A stream of a kind (`pcg64`, `mt19937`, `legacy`) from the words of its seed; None: not seeded.
    members.function("random_stream", |it, args| {
        let [kind, words, key] = args.exactly("random_stream")?;
        let kind = kind.as_str().unwrap_or_default().to_owned();
        let era = if kind.starts_with("legacy") { Era::Legacy } else { Era::New };
        let point = match &words {
            Value::None => Point::lost(UNSEEDED),
            Value::Unknown(unknown) => Point::lost(unknown.why.0.clone()),
            words => match (kind.as_str(), sequence_of(it, words, &key)) {
                (_, Err(Halt::Unknown(why))) => Point::lost(why.0),
                (_, Err(halt)) => return Err(halt),
                ("pcg64", Ok(seed)) => Point::start(Bits::Pcg64(Pcg64::new(&seed))),
                ("legacy", Ok(seed)) => {
                    Point::start(Bits::Mt19937(Box::new(Mt19937::of_int(seed.entropy.first().copied().unwrap_or(0)))))
                }
                ("legacy_array", Ok(seed)) if !seed.entropy.is_empty() => {
                    Point::start(Bits::Mt19937(Box::new(Mt19937::of_array(&seed.entropy))))
                }
                ("mt19937" | "legacy_mt19937", Ok(seed)) => {
                    Point::start(Bits::Mt19937(Box::new(Mt19937::of_sequence(&seed))))
                }
                _ => Point::lost("a bit generator of NumPy that is not modelled"),
            },
        };
        Ok(Value::Object(Rc::new(Stream { at: Mutable::new(Position(point)), era })))
    });
    // The same place in the same stream, drawn from in the older or the newer way.
    members.function("random_again", |it, args| {
        let [stream, legacy] = args.exactly("random_again")?;
        let era = if it.truth(&legacy)? { Era::Legacy } else { Era::New };
        Ok(Value::Object(Rc::new(Stream { at: stream_of(&stream)?.at.clone(), era })))
    });
    // Where a stream is, and setting it there.
    members.function("random_position", |_, args| {
        let [stream] = args.exactly("random_position")?;
        let stream = stream_of(&stream)?;
        Ok(Value::Object(Rc::new(Stream { at: Mutable::new(stream.at.read().clone()), era: stream.era })))
    });
    members.function("random_set_position", |_, args| {
        let [stream, from] = args.exactly("random_set_position")?;
        let to = match stream_of(&from) {
            Ok(from) => from.at.read().clone(),
            Err(_) => Position(Point::lost("the state of a generator that is not modelled")),
        };
        *stream_of(&stream)?.at.write() = to;
        Ok(Value::None)
    });
    members.function("random_draw", |it, args| {
        let [stream, kind, parameters, shape, dtype] = args.exactly("random_draw")?;
        let stream = stream_of(&stream)?;
        if it.is_older_than_trace(stream.at.born()) {
            it.note_effect(Effect::Random);
        }
        let shape = shapes::canonical_shape(it, &shape, "")?;
        let dtype = dtypes::of(it, &dtype)?.ok_or_else(|| Halt::unknown("not a dtype"))?;
        let aval = Aval { dtype, shape, weak: false };
        let parameters = it.to_vec(&parameters)?;
        let draw = match aval.size() {
            Some(n) => match draw_of(it, (stream.era, dtype), kind.as_str().unwrap_or_default(), &parameters, n) {
                Ok(draw) => draw,
                Err(Halt::Unknown(_)) => None,
                Err(halt) => return Err(halt),
            },
            None => None,
        };
        drawn(it, stream, draw, aval)
    });
    members.function("random_words", |it, args| {
        let [words, key, n, wide] = args.exactly("random_words")?;
        let seed = sequence_of(it, &words, &key)?;
        let n = count(it, &n)?;
        it.spend_many(n)?;
        let tensor = match it.truth(&wide)? {
            true => Tensor::new(&[n][..], seed.generate64(n)),
            false => Tensor::new(&[n][..], seed.generate(n)),
        };
        Ok(NdArray::value(Array::known(tensor, false)))
    });
    // Whether the numbers of an array are known.
    members.function("random_known", |it, args| {
        let [x] = args.exactly("random_known")?;
        match concretize::tensor_of(it, &x) {
            Ok(_) => Ok(Value::Bool(true)),
            Err(Halt::Unknown(_)) => Ok(Value::Bool(false)),
            Err(halt) => Err(halt),
        }
    });
}

//! Integers that a widened loop counts: not known, but within evenly spaced numbers.
//!
//! `for i in range(0, n, 32)` gives `i` as `32 * k` with `k` in `0..=last`; what is computed from it by sums, products and
//! remainders stays such a number. So `x[i:i + 32]` has 32 rows although `i` is not known.

use std::hash::{Hash, Hasher};

use crate::module::CompareOp;

/// `factor * k + offset` for one unknown `k` in `0..=last`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Which `k` is meant: numbers of the same `k` have a known difference.
    base: u64,
    factor: i64,
    offset: i64,
    last: i64,
    /// The loop whose rounds `k` counts, which runs a round for itself if it is told that this one differs from those before.
    counted: Option<u64>,
    /// What it is the remainder of.
    part: Option<Part>,
}

/// `factor * k + offset` for the `k` in `0..=last` of a loop's rounds, of which a remainder was taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Part {
    number: u64,
    factor: i64,
    offset: i64,
    last: i64,
    divisor: i64,
}

/// A loop runs at most so many rounds for themselves because of a remainder.
const MOST_MET: i64 = 40;

impl Part {
    /// The first round in which the remainder is this number, if any; none if it is so too often.
    fn first_met(self, number: i64) -> Option<Option<i64>> {
        let period = self.divisor / num_integer::gcd(self.factor, self.divisor);
        let at = |k: i64| Some(self.factor.checked_mul(k)?.checked_add(self.offset)?.rem_euclid(self.divisor));
        if period > MOST_PERIOD {
            return None;
        }
        let met = (0..period.min(self.last + 1)).find(|k| at(*k) == Some(number));
        let often = met.map_or(0, |k| (self.last - k) / period);
        (often < MOST_MET).then_some(met)
    }
}

/// Rounds that are looked at for a remainder.
const MOST_PERIOD: i64 = 100_000;

/// What arithmetic makes of a span.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Spanned {
    /// Again a number that is not known.
    Within(Span),
    /// A number that is the same in all rounds.
    Exactly(i64),
}

/// What holds in the rounds of a loop.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Rounds<T> {
    /// In all of them.
    All(T),
    /// In those before a round, which the loop with this number has to run for itself.
    Before(T, Split),
}

/// A round of a loop before which something holds that need not hold from there on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The number of the loop.
    pub number: u64,
    /// The round, counted from where the loop was widened; not the first.
    pub round: i64,
}

impl Span {
    /// The numbers `first, first + step, …`, `count` of them, that the loop of this number gives to its rounds.
    pub fn of_loop(number: u64, first: i64, step: i64, count: i64) -> Option<Span> {
        (count > 0 && step != 0).then_some(Span {
            base: number,
            factor: step,
            offset: first,
            last: count - 1,
            counted: Some(number),
            part: None,
        })
    }

    /// The same number, with no loop that is told of rounds that differ.
    #[must_use]
    pub fn uncounted(self) -> Span {
        Span { counted: None, ..self }
    }

    /// Whether the loop of this number counts it.
    pub fn is_of(self, number: u64) -> bool {
        self.base == number
    }

    /// What it is in the next round.
    pub fn next(self) -> Option<Span> {
        self.plus(self.factor)
    }

    /// What it is in a round.
    pub fn at(self, k: i64) -> Option<i64> {
        self.factor.checked_mul(k)?.checked_add(self.offset)
    }

    /// The least and the greatest number.
    fn bounds(self) -> Option<(i64, i64)> {
        let (a, b) = (self.at(0)?, self.at(self.last)?);
        Some((a.min(b), a.max(b)))
    }

    /// Its sum with a number.
    pub fn plus(self, number: i64) -> Option<Span> {
        Some(Span { offset: self.offset.checked_add(number)?, part: None, ..self })
    }

    /// Its product with a number.
    pub fn times(self, number: i64) -> Option<Spanned> {
        if number == 0 {
            return Some(Spanned::Exactly(0));
        }
        let (factor, offset) = (self.factor.checked_mul(number)?, self.offset.checked_mul(number)?);
        Some(Spanned::Within(Span { factor, offset, part: None, ..self }))
    }

    /// Its sum with another number of the same `k`.
    pub fn plus_span(self, other: Span) -> Option<Spanned> {
        if self.base != other.base {
            return None;
        }
        let (factor, offset) = (self.factor.checked_add(other.factor)?, self.offset.checked_add(other.offset)?);
        Some(if factor == 0 {
            Spanned::Exactly(offset)
        } else {
            Spanned::Within(Span { factor, offset, part: None, ..self })
        })
    }

    /// What is left of it by a positive divisor.
    pub fn modulo(self, divisor: i64) -> Option<Spanned> {
        if divisor <= 0 {
            return None;
        }
        if self.bounds().is_some_and(|(low, high)| low >= 0 && high < divisor) {
            return Some(Spanned::Within(self));
        }
        let stride = num_integer::gcd(self.factor, divisor);
        let offset = self.offset.rem_euclid(stride);
        if stride == divisor {
            return Some(Spanned::Exactly(offset));
        }
        let mut hasher = rustc_hash::FxHasher::default();
        (self.base, self.factor, self.offset, divisor).hash(&mut hasher);
        let last = divisor / stride - 1;
        let Span { factor, offset: start, last: rounds, .. } = self;
        let part = self.counted.map(|number| Part { number, factor, offset: start, last: rounds, divisor });
        Some(Spanned::Within(Span { base: hasher.finish(), factor: stride, offset, last, counted: None, part }))
    }

    /// Its quotient by a positive divisor, rounded down.
    pub fn floor_div(self, divisor: i64) -> Option<Span> {
        let even = divisor > 0 && self.factor % divisor == 0;
        even.then(|| Span {
            factor: self.factor / divisor,
            offset: self.offset.div_euclid(divisor),
            part: None,
            ..self
        })
    }

    /// What is told of the rounds by what holds in those before a round, and whether that is all of them.
    fn until<T>(self, found: T, round: i64) -> Option<Rounds<T>> {
        if round > self.last {
            return Some(Rounds::All(found));
        }
        let number = self.counted?;
        (round > 0).then_some(Rounds::Before(found, Split { number, round }))
    }

    /// `self op number`, where it is the same in the first rounds, if not in all.
    pub fn compare(self, op: CompareOp, number: i64) -> Option<Rounds<bool>> {
        self.bounds()?;
        if let (Some(part), CompareOp::Eq | CompareOp::NotEq) = (self.part, op) {
            let equal = op == CompareOp::Eq;
            let met = part.first_met(number)?;
            let number = part.number;
            return match met {
                None => Some(Rounds::All(!equal)),
                Some(0) if part.last == 0 => Some(Rounds::All(equal)),
                Some(0) => Some(Rounds::Before(equal, Split { number, round: 1 })),
                Some(round) => Some(Rounds::Before(!equal, Split { number, round })),
            };
        }
        let apart = number.checked_sub(self.offset)?;
        // The round in which the number is met, and the first one in which it is passed or met.
        let met = (apart % self.factor == 0).then_some(apart / self.factor).filter(|k| (0..=self.last).contains(k));
        let reached = num_integer::div_ceil(apart, self.factor).max(0);
        let first = match op {
            CompareOp::Eq | CompareOp::NotEq => {
                let equal = met == Some(0);
                let round = if equal { 1 } else { met.unwrap_or(self.last + 1) };
                return self.until(equal == (op == CompareOp::Eq), round);
            }
            CompareOp::Lt => self.offset < number,
            CompareOp::LtE => self.offset <= number,
            CompareOp::Gt => self.offset > number,
            CompareOp::GtE => self.offset >= number,
            _ => return None,
        };
        let up = self.factor > 0;
        // Whether equality counts as not passed: then the round that meets the number is like those before.
        let stays = match op {
            CompareOp::LtE => up,
            CompareOp::GtE => !up,
            CompareOp::Lt => !up,
            _ => up,
        };
        let after = if stays && met == Some(reached) { reached + 1 } else { reached };
        // Before that round it is as in the first; if the first is behind it, it stays as it is.
        if after == 0 { Some(Rounds::All(first)) } else { self.until(first, after) }
    }

    /// The number of items of `x[low:high]` where `x` has `size` of them.
    pub fn sliced(low: Span, high: Span, size: i64) -> Option<Rounds<i64>> {
        if low.base != high.base || low.factor != high.factor || high.offset <= low.offset {
            return None;
        }
        let ((least, _), (_, greatest)) = (low.bounds()?, high.bounds()?);
        if least < 0 {
            return None;
        }
        let fits = match (greatest <= size, low.factor > 0) {
            (true, _) => low.last + 1,
            (false, true) => num_integer::div_floor(size.checked_sub(high.offset)?, low.factor) + 1,
            (false, false) => return None,
        };
        low.until(high.offset - low.offset, fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(first: i64, step: i64, count: i64) -> Span {
        Span::of_loop(7, first, step, count).unwrap()
    }

    fn before<T>(found: T, round: i64) -> Option<Rounds<T>> {
        Some(Rounds::Before(found, Split { number: 7, round }))
    }

    #[test]
    fn batches_have_a_size() {
        let i = span(0, 32, 10);
        let batch = |size| Span::sliced(i, i.plus(32).unwrap(), size);
        assert_eq!(batch(320), Some(Rounds::All(32)));
        assert_eq!(batch(300), before(32, 9));
        assert_eq!(batch(200), before(32, 6));
        assert_eq!(batch(20), None);
        assert_eq!(Span::sliced(i, i, 320), None);
        let Some(Spanned::Within(around)) = span(4, 1, 5000).times(16).and_then(|s| match s {
            Spanned::Within(s) => s.modulo(320),
            Spanned::Exactly(_) => None,
        }) else {
            panic!("a remainder that is not known")
        };
        assert_eq!(Span::sliced(around, around.plus(16).unwrap(), 320), Some(Rounds::All(16)));
        assert_eq!(Span::sliced(around, around.plus(17).unwrap(), 320), None);
        let down = span(288, -32, 10);
        assert_eq!(Span::sliced(down, down.plus(32).unwrap(), 320), Some(Rounds::All(32)));
        assert_eq!(Span::sliced(down, down.plus(32).unwrap(), 319), None);
    }

    /// Every comparison, held against what each round gives.
    #[test]
    fn compares_as_the_rounds_do() {
        use CompareOp::*;
        for (first, step, count) in [(3, 1, 7), (0, 2, 7), (9, -1, 7), (-5, -3, 4), (4, 5, 1)] {
            for number in -20..20 {
                for op in [Eq, NotEq, Lt, LtE, Gt, GtE] {
                    let at = |k: i64| {
                        let value = first + step * k;
                        match op {
                            Eq => value == number,
                            NotEq => value != number,
                            Lt => value < number,
                            LtE => value <= number,
                            Gt => value > number,
                            _ => value >= number,
                        }
                    };
                    let round = (0..count).find(|k| at(*k) != at(0));
                    let expected = round.map_or(Some(Rounds::All(at(0))), |round| before(at(0), round));
                    assert_eq!(
                        span(first, step, count).compare(op, number),
                        expected,
                        "{first} {step} {op:?} {number}"
                    );
                }
            }
        }
        assert_eq!(span(3, 1, 7).uncounted().compare(Lt, 5), None);
        assert_eq!(span(3, 1, 7).uncounted().compare(Lt, 50), Some(Rounds::All(true)));
    }

    #[test]
    fn arithmetic_keeps_the_relation() {
        let i = span(0, 1, 9);
        assert_eq!(
            i.plus(1).unwrap().plus_span(
                i.times(-1)
                    .map(|s| match s {
                        Spanned::Within(s) => s,
                        Spanned::Exactly(_) => i,
                    })
                    .unwrap()
            ),
            Some(Spanned::Exactly(1))
        );
        assert_eq!(i.times(0), Some(Spanned::Exactly(0)));
        assert_eq!(span(0, 4, 9).floor_div(2), span(0, 2, 9).floor_div(1));
        assert_eq!(i.floor_div(2), None);
        assert_eq!(span(5, 10, 9).modulo(10), Some(Spanned::Exactly(5)));
    }
}

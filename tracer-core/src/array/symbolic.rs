//! Expressions of symbolic sizes: sums of products of symbols, in a normal form that is interned.
//!
//! Terms and factors are ordered by size first and text second, as JAX orders them; that order is what is printed.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, RwLock};

use rustc_hash::FxHashMap;

/// Operations that a bound looks into, one inside the other, and side by side.
const MOST_OPERATIONS: usize = 3;
const MOST_TERMS: usize = 4;
/// So many terms and factors an expression has, with those of what its operations are of: a size that a loop makes of itself doubles each time.
const MOST_FACTORS: usize = 64;
/// So many bounds are kept.
const MOST_KEPT: usize = 4_096;

thread_local! {
    /// Bounds of expressions with operations, which are asked for once for each that they stand in.
    static BOUNDS: RefCell<FxHashMap<Expr, Bounds>> = RefCell::default();
}

/// The least and the greatest value, where there is one.
type Bounds = (Option<i64>, Option<i64>);

/// An operation that cannot be multiplied out.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    FloorDiv,
    Max,
    Min,
    Mod,
    /// A size of which nothing is known, since it would take too long to say: each is one of its own.
    Long,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::FloorDiv => "floordiv",
            Operation::Max => "max",
            Operation::Min => "min",
            Operation::Mod => "mod",
            Operation::Long => "…",
        }
    }
}

/// A symbol, or an operation applied to expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Factor {
    Variable(Variable),
    Operation(Operation, Vec<Expr>),
}

/// A symbol. Those of comments and annotations stand for one size that is not known; those of an export for every size: what holds
/// for some of them only does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Variable {
    name: Arc<str>,
    every: bool,
}

/// A product of factors with exponents, the largest factor first; no factors are the constant 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Term(Vec<(Factor, i64)>);

/// A sum of terms with coefficients that are not zero, the largest term first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr(Vec<(Term, i64)>);

#[derive(Default)]
struct Interner {
    expressions: Vec<Expr>,
    index: FxHashMap<Expr, usize>,
}

static INTERNER: RwLock<Option<Interner>> = RwLock::new(None);

/// The code of an expression.
pub fn intern(expr: Expr) -> usize {
    let mut guard = INTERNER.write().unwrap_or_else(|poisoned| poisoned.into_inner());
    let interner = guard.get_or_insert_with(Interner::default);
    if let Some(&code) = interner.index.get(&expr) {
        return code;
    }
    interner.expressions.push(expr.clone());
    interner.index.insert(expr, interner.expressions.len() - 1);
    interner.expressions.len() - 1
}

/// The expression of a code.
pub fn lookup(code: usize) -> Expr {
    let guard = INTERNER.read().unwrap_or_else(|poisoned| poisoned.into_inner());
    guard.as_ref().and_then(|i| i.expressions.get(code)).cloned().unwrap_or(Expr(Vec::new()))
}

impl Factor {
    fn size(&self) -> i64 {
        match self {
            Factor::Variable(_) => 1,
            Factor::Operation(_, operands) => 1 + operands.iter().map(Expr::size).sum::<i64>(),
        }
    }
    fn cmp(&self, other: &Factor) -> Ordering {
        self.size().cmp(&other.size()).then_with(|| match (self, other) {
            (Factor::Variable(a), Factor::Variable(b)) => a.cmp(b),
            (Factor::Variable(_), _) => Ordering::Less,
            (_, Factor::Variable(_)) => Ordering::Greater,
            (Factor::Operation(a, x), Factor::Operation(b, y)) => {
                a.name().cmp(b.name()).then_with(|| sequence(x, y, Expr::cmp))
            }
        })
    }
    fn bounds(&self) -> Bounds {
        let Factor::Operation(operation, operands) = self else { return (Some(1), None) };
        let [a, b] = &operands[..] else { return (None, None) };
        let ((a_low, a_high), (b_low, b_high)) = (a.bounds(), b.bounds());
        let least = |x: Option<i64>, y: Option<i64>| Some(x?.min(y?));
        match operation {
            // One bound that is missing leaves the other one in force.
            Operation::Max => (a_low.max(b_low), least(a_high, b_high).and(a_high.max(b_high))),
            Operation::Min => {
                let high = match (a_high, b_high) {
                    (Some(x), Some(y)) => Some(x.min(y)),
                    (x, y) => x.or(y),
                };
                (least(a_low, b_low), high)
            }
            Operation::Mod if b_low.is_some_and(|low| low > 0) => (Some(0), b_high.map(|high| high - 1)),
            Operation::FloorDiv if b_low.is_some_and(|low| low > 0) => {
                let divide = |x: i64, by: Option<i64>| by.map(|by| x.div_euclid(by));
                let low = a_low
                    .and_then(|low| if low >= 0 { Some(divide(low, b_high).unwrap_or(0)) } else { divide(low, b_low) });
                let high = a_high.and_then(|high| {
                    if high >= 0 { divide(high, b_low) } else { Some(divide(high, b_high).unwrap_or(-1)) }
                });
                (low, high)
            }
            _ => (None, None),
        }
    }
}

impl Term {
    /// The operation that it is, and what that is of.
    fn operation(&self) -> Option<(Operation, &[Expr])> {
        match &self.0[..] {
            [(Factor::Operation(operation, operands), 1)] => Some((*operation, operands)),
            _ => None,
        }
    }
    fn size(&self) -> i64 {
        self.0.iter().map(|(factor, exponent)| 1 + exponent * factor.size()).sum()
    }
    fn cmp(&self, other: &Term) -> Ordering {
        self.size()
            .cmp(&other.size())
            .then_with(|| sequence(&self.0, &other.0, |(f, n), (g, m)| f.cmp(g).then(n.cmp(m))))
    }
    /// The product, or with `sign` -1 the quotient, unless a factor would be divided away.
    fn times(&self, other: &Term, sign: i64) -> Option<Term> {
        let mut factors = self.0.clone();
        for (factor, exponent) in &other.0 {
            match factors.iter_mut().find(|(f, _)| f == factor) {
                Some((_, n)) => *n += sign * exponent,
                None => factors.push((factor.clone(), sign * exponent)),
            }
        }
        factors.retain(|(_, n)| *n != 0);
        factors.sort_by(|(f, _), (g, _)| g.cmp(f));
        factors.iter().all(|(_, n)| *n > 0).then_some(Term(factors))
    }
    fn bounds(&self) -> Bounds {
        let mut product = (Some(1i64), Some(1i64));
        for (factor, exponent) in &self.0 {
            for _ in 0..*exponent {
                product = multiply(product, factor.bounds());
            }
        }
        product
    }
}

/// Products of intervals; an open end that takes part opens the result, except between intervals that are not negative.
fn multiply(a: Bounds, b: Bounds) -> Bounds {
    if let ((Some(x), high_x), (Some(y), high_y)) = (a, b) {
        if x >= 0 && y >= 0 {
            let high = high_x.zip(high_y).and_then(|(p, q)| p.checked_mul(q));
            return (x.checked_mul(y), high);
        }
    }
    let (Some(p), Some(q), Some(r), Some(s)) = (a.0, a.1, b.0, b.1) else { return (None, None) };
    let products = [p.checked_mul(r), p.checked_mul(s), q.checked_mul(r), q.checked_mul(s)];
    match products.iter().copied().collect::<Option<Vec<_>>>() {
        Some(all) => (all.iter().min().copied(), all.iter().max().copied()),
        None => (None, None),
    }
}

impl Expr {
    pub fn constant(value: i64) -> Expr {
        Expr(if value == 0 { Vec::new() } else { vec![(Term::default(), value)] })
    }
    pub fn variable(name: &str, every: bool) -> Expr {
        let variable = Variable { name: name.into(), every };
        Expr(vec![(Term(vec![(Factor::Variable(variable), 1)]), 1)])
    }
    pub fn operation(operation: Operation, operands: Vec<Expr>) -> Expr {
        Expr(vec![(Term(vec![(Factor::Operation(operation, operands), 1)]), 1)])
    }
    pub fn as_constant(&self) -> Option<i64> {
        match &self.0[..] {
            [] => Some(0),
            [(term, value)] if term.0.is_empty() => Some(*value),
            _ => None,
        }
    }
    fn size(&self) -> i64 {
        self.0.iter().map(|(term, coefficient)| 1 + coefficient.abs() * term.size()).sum()
    }
    fn cmp(&self, other: &Expr) -> Ordering {
        self.size()
            .cmp(&other.size())
            .then_with(|| sequence(&self.0, &other.0, |(s, a), (t, b)| s.cmp(t).then(a.cmp(b))))
    }
    fn normal(mut terms: Vec<(Term, i64)>) -> Expr {
        terms.sort_by(|(s, _), (t, _)| t.cmp(s));
        let mut merged: Vec<(Term, i64)> = Vec::with_capacity(terms.len());
        for (term, coefficient) in terms {
            match merged.last_mut() {
                Some((last, sum)) if *last == term => *sum = sum.saturating_add(coefficient),
                _ => merged.push((term, coefficient)),
            }
        }
        merged.retain(|(_, coefficient)| *coefficient != 0);
        Expr(merged)
    }
    /// `self * a + other * b`
    pub fn combine(&self, a: i64, other: &Expr, b: i64) -> Expr {
        let scaled =
            |expr: &Expr, k: i64| expr.0.iter().map(|(t, c)| (t.clone(), c.saturating_mul(k))).collect::<Vec<_>>();
        let mut terms = scaled(self, a);
        terms.extend(scaled(other, b));
        Expr::normal(terms)
    }
    pub fn times(&self, other: &Expr) -> Expr {
        let pairs =
            self.0.iter().flat_map(|(s, a)| other.0.iter().map(move |(t, b)| (s.times(t, 1), a.saturating_mul(*b))));
        Expr::normal(pairs.filter_map(|(term, k)| term.map(|term| (term, k))).collect())
    }
    /// Polynomial division while it goes without rest; `floordiv(…)` and `mod(…)` where it does not.
    pub fn div_mod(&self, divisor: &Expr) -> (Expr, Expr) {
        let opaque = || {
            let operands = || vec![self.clone(), divisor.clone()];
            (Expr::operation(Operation::FloorDiv, operands()), Expr::operation(Operation::Mod, operands()))
        };
        let mut dividend = self.clone();
        let mut quotient = Expr::constant(0);
        let Some((lead, lead_k)) = divisor.0.first() else { return opaque() };
        while dividend.as_constant().is_none() {
            let (term, k) = &dividend.0[0];
            let Some(term) = term.times(lead, -1).filter(|_| k % lead_k == 0) else { return opaque() };
            let step = Expr(vec![(term, k / lead_k)]);
            dividend = dividend.combine(1, &step.times(divisor), -1);
            quotient = quotient.combine(1, &step, 1);
        }
        let rest = dividend.as_constant().unwrap_or(0);
        match divisor.as_constant() {
            Some(by) => {
                let floor = rest.div_euclid(by) - i64::from(by < 0 && rest.rem_euclid(by) != 0);
                (quotient.combine(1, &Expr::constant(floor), 1), Expr::constant(rest - floor * by))
            }
            None if rest == 0 => (quotient, Expr::constant(0)),
            None => opaque(),
        }
    }
    /// Whether it is too long to be kept.
    pub fn is_long(&self) -> bool {
        fn fits(expr: &Expr, left: &mut usize) -> bool {
            expr.0.iter().all(|(term, _)| {
                let Some(rest) = left.checked_sub(1 + term.0.len()) else { return false };
                *left = rest;
                term.0.iter().all(|(factor, _)| match factor {
                    Factor::Variable(_) => true,
                    Factor::Operation(_, operands) => operands.iter().all(|operand| fits(operand, left)),
                })
            })
        }
        let mut left = MOST_FACTORS;
        !fits(self, &mut left)
    }
    /// A size of which nothing is known.
    pub fn long() -> Expr {
        static NEXT: AtomicI64 = AtomicI64::new(0);
        Expr::operation(Operation::Long, vec![Expr::constant(NEXT.fetch_add(1, Relaxed))])
    }
    pub fn bounds(&self) -> Bounds {
        let operations = self.0.iter().filter(|(term, _)| term.operation().is_some()).count();
        if operations == 0 {
            return self.bounds_by_terms();
        }
        if let Some(kept) = BOUNDS.with_borrow(|all| all.get(self).copied()) {
            return kept;
        }
        let found = self.bounds_by_operations(operations);
        BOUNDS.with_borrow_mut(|all| {
            if all.len() >= MOST_KEPT {
                all.clear();
            }
            all.insert(self.clone(), found);
        });
        found
    }
    fn bounds_by_operations(&self, operations: usize) -> Bounds {
        let (low, high) = self.bounds_by_terms();
        // What there is of one operation is told where both ends are.
        if operations > MOST_TERMS || operations == 1 && low.is_some() && high.is_some() {
            return (low, high);
        }
        let negated = self.combine(-1, &Expr::constant(0), 0);
        let told = negated.low(MOST_OPERATIONS).and_then(i64::checked_neg);
        (low.max(self.low(MOST_OPERATIONS)), [high, told].into_iter().flatten().min())
    }
    /// A lower bound that takes what an operation is of for the operation: a quotient is no more than what is divided, a maximum no less than each of the two.
    fn low(&self, depth: usize) -> Option<i64> {
        let plain = self.bounds_by_terms().0;
        let Some(depth) = depth.checked_sub(1) else { return plain };
        (0..self.0.len()).fold(plain, |best, at| best.max(self.low_without(at, depth)))
    }
    /// [`Expr::low`] by one of its terms.
    fn low_without(&self, at: usize, depth: usize) -> Option<i64> {
        let (term, k) = &self.0[at];
        let (operation, [a, b]) = term.operation()? else { return None };
        let mut rest = self.0.clone();
        rest.remove(at);
        let rest = Expr(rest);
        let with = |operand: &Expr| rest.combine(1, operand, *k).low(depth);
        match operation {
            Operation::FloorDiv => {
                let by = b.as_constant().filter(|by| *by > 0)?;
                let least = if *k > 0 { a.combine(1, &Expr::constant(by - 1), -1) } else { a.clone() };
                let low = rest.combine(by, &least, *k).low(depth)?;
                Some(-low.checked_neg()?.div_euclid(by))
            }
            Operation::Max if *k > 0 => with(a).max(with(b)),
            Operation::Min if *k < 0 => with(a).max(with(b)),
            Operation::Max | Operation::Min => Some(with(a)?.min(with(b)?)),
            Operation::Mod if *k < 0 && b.bounds_by_terms().0 > Some(0) => with(&b.combine(1, &Expr::constant(1), -1)),
            Operation::Mod | Operation::Long => None,
        }
    }
    fn bounds_by_terms(&self) -> Bounds {
        let add = |x: Option<i64>, y: Option<i64>| x.zip(y).and_then(|(x, y)| x.checked_add(y));
        let bounds = self.0.iter().fold((Some(0), Some(0)), |sum, (term, k)| {
            let (low, high) = term.bounds();
            let scaled = |b: Option<i64>| b.and_then(|b| b.checked_mul(*k));
            let (low, high) = if *k >= 0 { (scaled(low), scaled(high)) } else { (scaled(high), scaled(low)) };
            (add(sum.0, low), add(sum.1, high))
        });
        if bounds.0.is_none() { (self.low_by_domination(), bounds.1) } else { bounds }
    }
    /// A lower bound where every negative term divides a positive one of at least its coefficient: `2*n*m - n`.
    fn low_by_domination(&self) -> Option<i64> {
        let mut positive: Vec<(Term, i64)> = Vec::new();
        for (term, k) in self.0.iter().filter(|(_, k)| *k > 0) {
            (term.bounds().0? >= 0).then_some(())?;
            positive.push((term.clone(), *k));
        }
        let mut low = 0i64;
        for (term, k) in self.0.iter().filter(|(_, k)| *k < 0) {
            match term.bounds() {
                (_, Some(high)) => low = low.checked_add(high.checked_mul(*k)?)?,
                // With all symbols at least 1, a multiple of the term is at least the term.
                _ => {
                    let of_symbols = term.0.iter().all(|(f, _)| matches!(f, Factor::Variable(_)));
                    let (_, spare) = positive.iter_mut().find(|(p, spare)| {
                        of_symbols && *spare >= -k && p.times(term, -1).is_some_and(|q| q.bounds().0 >= Some(1))
                    })?;
                    *spare += k;
                }
            }
        }
        positive.iter().try_fold(low, |sum, (term, spare)| sum.checked_add(term.bounds().0?.checked_mul(*spare)?))
    }
    /// The symbols in it, in alphabetical order.
    fn variables(&self) -> BTreeSet<&Variable> {
        fn collect<'a>(expr: &'a Expr, into: &mut BTreeSet<&'a Variable>) {
            for (factor, _) in expr.0.iter().flat_map(|(term, _)| &term.0) {
                match factor {
                    Factor::Variable(variable) => drop(into.insert(variable)),
                    Factor::Operation(_, operands) => operands.iter().for_each(|operand| collect(operand, into)),
                }
            }
        }
        let mut found = BTreeSet::new();
        collect(self, &mut found);
        found
    }
    /// Whether it has symbols that stand for every size.
    pub fn is_general(&self) -> bool {
        self.variables().iter().any(|variable| variable.every)
    }
    pub fn symbols(&self) -> Vec<String> {
        let names: BTreeSet<String> = self.variables().into_iter().map(|variable| variable.name.to_string()).collect();
        names.into_iter().collect()
    }
}

fn sequence<T>(a: &[T], b: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
    a.iter().zip(b).map(|(x, y)| compare(x, y)).find(|o| o.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Factor::Variable(variable) => f.write_str(&variable.name),
            Factor::Operation(operation @ Operation::Long, _) => f.write_str(operation.name()),
            Factor::Operation(operation, operands) => {
                let operands: Vec<_> = operands.iter().map(Expr::to_string).collect();
                write!(f, "{}({})", operation.name(), operands.join(", "))
            }
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (factor, exponent)) in self.0.iter().rev().enumerate() {
            f.write_str(if i == 0 { "" } else { "*" })?;
            write!(f, "{factor}")?;
            if *exponent != 1 {
                write!(f, "^{exponent}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        for (i, (term, k)) in self.0.iter().enumerate() {
            match (i, *k < 0) {
                (0, false) => {}
                (0, true) => f.write_str(if term.0.is_empty() { "-" } else { "- " })?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            match (term.0.is_empty(), k.unsigned_abs()) {
                (true, k) => write!(f, "{k}")?,
                (false, 1) => write!(f, "{term}")?,
                (false, k) => write!(f, "{k}*{term}")?,
            }
        }
        Ok(())
    }
}

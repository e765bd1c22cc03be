//! One dimension of a shape: a constant, or an expression over the symbols of a symbolic shape.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Sub};

use super::symbolic::{self, Expr};
use crate::python::{Halt, Step};

/// The size of one axis. A constant is kept as it is; a symbolic expression as a negative code, equal codes for equal
/// expressions. Every symbol stands for a size of at least 1.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dim(i64);

impl Dim {
    /// A symbol by its name: one size that is not known.
    pub fn symbol(name: &str) -> Dim {
        Dim::from_expr(Expr::variable(name, false))
    }

    /// A symbol that stands for every size, as those of an export do: sizes of which it cannot be told whether they are equal
    /// are different.
    pub fn general_symbol(name: &str) -> Dim {
        Dim::from_expr(Expr::variable(name, true))
    }

    /// A number for each size: equal ones have the same.
    pub fn code(self) -> u64 {
        self.0 as u64
    }

    /// Whether it has symbols that stand for every size.
    pub fn is_general(self) -> bool {
        self.known().is_none() && self.expr().is_general()
    }

    /// The constant size, if it is one.
    #[inline]
    pub fn known(self) -> Option<usize> {
        (self.0 >= 0).then_some(self.0 as usize)
    }

    /// The constant size.
    ///
    /// # Errors
    /// [`Halt::Unknown`] for a symbolic size.
    #[inline]
    pub fn get(self) -> Step<usize> {
        self.known().ok_or_else(|| Halt::unknown(format!("the size `{self}` of an axis is symbolic")))
    }

    /// The symbols in it, each once.
    pub fn symbols(self) -> Vec<String> {
        match self.known() {
            Some(_) => Vec::new(),
            None => self.expr().symbols(),
        }
    }

    /// Whether the two sizes are equal, if that can be told.
    pub fn equal(self, other: Dim) -> Option<bool> {
        if self.0 == other.0 {
            return Some(true);
        }
        if self.known().is_some() && other.known().is_some() {
            return Some(false);
        }
        let (low, high) = (self - other).bounds();
        match (low, high) {
            (Some(0), Some(0)) => Some(true),
            (Some(low), _) if low > 0 => Some(false),
            (_, Some(high)) if high < 0 => Some(false),
            _ if self.is_general() || other.is_general() => Some(false),
            _ => None,
        }
    }

    /// Whether the two sizes are equal.
    ///
    /// # Errors
    /// Unknown where that depends on what the symbols stand for.
    pub fn same(self, other: Dim) -> Step<bool> {
        self.equal(other).ok_or_else(|| {
            Halt::unknown(format!("whether the sizes `{self}` and `{other}` are equal depends on symbols"))
        })
    }

    /// How the two sizes compare, if that can be told. Equality is told only when it is certain.
    pub fn compare(self, other: Dim) -> Option<Ordering> {
        if let (Some(a), Some(b)) = (self.known(), other.known()) {
            return Some(a.cmp(&b));
        }
        match (self - other).bounds() {
            (Some(0), Some(0)) => Some(Ordering::Equal),
            (Some(low), _) if low > 0 => Some(Ordering::Greater),
            (_, Some(high)) if high < 0 => Some(Ordering::Less),
            _ => None,
        }
    }

    /// Whether it is at least as large as `other`, if that can be told.
    pub fn at_least(self, other: Dim) -> Option<bool> {
        match (self - other).bounds() {
            (Some(low), _) if low >= 0 => Some(true),
            (_, Some(high)) if high < 0 => Some(false),
            _ => None,
        }
    }

    /// The least and the greatest value that it can have, where there is one.
    pub fn bounds(self) -> (Option<i64>, Option<i64>) {
        match self.known() {
            Some(size) => (Some(size as i64), Some(size as i64)),
            None => self.expr().bounds(),
        }
    }

    /// The quotient rounded down; what divides without rest is divided term by term.
    ///
    /// # Errors
    /// `ZeroDivisionError` for a divisor that is the constant zero.
    pub fn floor_div(self, divisor: Dim) -> Step<Dim> {
        self.div_mod(divisor).map(|(quotient, _)| quotient)
    }

    /// The remainder of [`Dim::floor_div`].
    ///
    /// # Errors
    /// `ZeroDivisionError` for a divisor that is the constant zero.
    pub fn modulo(self, divisor: Dim) -> Step<Dim> {
        self.div_mod(divisor).map(|(_, remainder)| remainder)
    }

    fn div_mod(self, divisor: Dim) -> Step<(Dim, Dim)> {
        if divisor == 0 {
            return Err(Halt::raise("ZeroDivisionError", "integer division or modulo by zero"));
        }
        if let (Some(a), Some(b)) = (self.known(), divisor.known()) {
            return Ok((Dim::from(a / b), Dim::from(a % b)));
        }
        let (quotient, remainder) = self.expr().div_mod(&divisor.expr());
        Ok((Dim::from_expr(quotient), Dim::from_expr(remainder)))
    }

    /// The larger of the two.
    pub fn max(self, other: Dim) -> Dim {
        match (self.at_least(other), other.at_least(self)) {
            (Some(true), _) => self,
            (_, Some(true)) => other,
            _ => Dim::from_expr(Expr::operation(symbolic::Operation::Max, vec![self.expr(), other.expr()])),
        }
    }

    /// The smaller of the two.
    pub fn min(self, other: Dim) -> Dim {
        match (self.at_least(other), other.at_least(self)) {
            (Some(true), _) => other,
            (_, Some(true)) => self,
            _ => Dim::from_expr(Expr::operation(symbolic::Operation::Min, vec![self.expr(), other.expr()])),
        }
    }

    fn expr(self) -> Expr {
        match self.known() {
            Some(size) => Expr::constant(size as i64),
            None => symbolic::lookup((-1 - self.0) as usize),
        }
    }

    fn from_expr(expr: Expr) -> Dim {
        match expr.as_constant() {
            Some(value) if value >= 0 => Dim(value),
            _ if expr.is_long() => Dim(-1 - symbolic::intern(Expr::long()) as i64),
            _ => Dim(-1 - symbolic::intern(expr) as i64),
        }
    }
}

impl From<usize> for Dim {
    fn from(size: usize) -> Dim {
        Dim(size as i64)
    }
}

impl From<i64> for Dim {
    fn from(size: i64) -> Dim {
        Dim::from_expr(Expr::constant(size))
    }
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident $known:ident |$a:ident, $b:ident| $expr:expr;)*) => {$(
        impl $trait for Dim {
            type Output = Dim;
            fn $method(self, other: Dim) -> Dim {
                if let (Some(a), Some(b)) = (self.known(), other.known()) {
                    if let Some(size) = (a as i64).$known(b as i64) {
                        return Dim::from(size);
                    }
                }
                let ($a, $b) = (self.expr(), other.expr());
                Dim::from_expr($expr)
            }
        }
        impl $trait<usize> for Dim {
            type Output = Dim;
            fn $method(self, other: usize) -> Dim {
                self.$method(Dim::from(other))
            }
        }
    )*};
}

arithmetic! {
    Add add checked_add |a, b| a.combine(1, &b, 1);
    Sub sub checked_sub |a, b| a.combine(1, &b, -1);
    Mul mul checked_mul |a, b| a.times(&b);
}

impl std::iter::Sum for Dim {
    fn sum<I: Iterator<Item = Dim>>(dims: I) -> Dim {
        dims.fold(Dim::from(0usize), |sum, dim| sum + dim)
    }
}

impl std::iter::Product for Dim {
    fn product<I: Iterator<Item = Dim>>(dims: I) -> Dim {
        dims.fold(Dim::from(1usize), |product, dim| product * dim)
    }
}

impl PartialEq<usize> for Dim {
    fn eq(&self, other: &usize) -> bool {
        self.known() == Some(*other)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some(size) => write!(f, "{size}"),
            None => write!(f, "{}", self.expr()),
        }
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_jax_does() {
        let (n, m) = (Dim::symbol("n"), Dim::symbol("m"));
        assert_eq!((n * 2 + 1).to_string(), "2*n + 1");
        assert_eq!((n - m).to_string(), "n - m");
        assert_eq!((n * n * m - n * 3).to_string(), "m*n^2 - 3*n");
        assert_eq!(n.floor_div(Dim::from(2usize)).unwrap().to_string(), "floordiv(n, 2)");
        assert_eq!((n * 4).floor_div(Dim::from(2usize)).unwrap(), n * 2);
        assert_eq!(n.modulo(Dim::from(3usize)).unwrap().to_string(), "mod(n, 3)");
        assert_eq!((n + m - n), m);
        assert_eq!((n - n), 0);
        assert_eq!((n * m).floor_div(m).unwrap(), n);
        assert_eq!((Dim::from(2usize) - Dim::from(5usize)).to_string(), "-3");
    }

    #[test]
    fn bounds_look_into_operations() {
        let n = Dim::symbol("n");
        let (one, two, three) = (Dim::from(1usize), Dim::from(2usize), Dim::from(3usize));
        let half = n.floor_div(two).unwrap();
        assert_eq!(n.at_least(half), Some(true));
        assert_eq!(n.at_least(half * 2), Some(true));
        assert_eq!(n.at_least(half * 2 + 1), None);
        assert_eq!((half * 2 + 1).at_least(n), Some(true));
        assert_eq!(n.at_least(n.min(three)), Some(true));
        assert_eq!(three.at_least(n.min(three)), Some(true));
        assert_eq!(n.max(three).at_least(n), Some(true));
        assert_eq!(n.min(three).at_least(one), Some(true));
        assert_eq!(n.at_least(n.max(three)), None);
        assert_eq!(n.at_least(n.min(three) + half), None);
        let within = one + Dim::from(0usize).max(half - one);
        assert_eq!(n.at_least(within), Some(true));
        assert_eq!(within.at_least(one), Some(true));
        assert_eq!(n.min(Dim::from(5usize)).at_least(n.min(three)), Some(true));
    }

    #[test]
    fn sizes_that_grow_out_of_themselves_end() {
        let (n, two) = (Dim::symbol("n"), Dim::from(2usize));
        let (mut half, mut rest) = (n, n);
        for _ in 0..200 {
            half = half.floor_div(two).unwrap();
            rest = rest - rest.floor_div(two).unwrap();
            let _ = (half.at_least(two), rest.at_least(half), n.at_least(rest));
        }
        assert!(half.to_string().contains('…') && rest.to_string().contains('…'));
        assert_eq!((half.equal(rest), half.equal(half)), (None, Some(true)));
    }

    #[test]
    fn compares_in_three_values() {
        let (n, m) = (Dim::symbol("n"), Dim::symbol("m"));
        assert_eq!(n.equal(m), None);
        assert_eq!((n + 1).equal(n), Some(false));
        assert_eq!((n + 1).equal(Dim::from(1usize)), Some(false));
        assert_eq!((n + 1).equal(Dim::from(2usize)), None);
        assert_eq!(n.at_least(Dim::from(1usize)), Some(true));
        assert_eq!((n * 2).compare(n), Some(Ordering::Greater));
        assert_eq!(n.max(Dim::from(1usize)), n);
        let (every, other) = (Dim::general_symbol("n"), Dim::general_symbol("m"));
        assert_eq!(every.equal(other), Some(false));
        assert_eq!((every + 1).equal(Dim::from(2usize)), Some(false));
        assert_eq!((every + other - other).equal(every), Some(true));
    }
}

//! NumPy's random streams, bit for bit.
//!
//! A [`Bits`] is a generator's state; a [`Draw`] says what is taken from it. Logarithms and exponentials are the platform's,
//! as NumPy's are.

pub mod bits;
pub mod continuous;
pub mod counts;
pub mod integers;
pub mod seed;
pub mod tables;

pub use bits::{Bits, Mt19937, Pcg64};
pub use continuous::Era;
pub use integers::Bound;
pub use seed::SeedSequence;

/// What is drawn, and how many of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    /// Numbers of a distribution that is named, with its parameters: one number for all, or one each.
    Reals {
        /// The distribution.
        name: Box<str>,
        /// Its parameters.
        parameters: Vec<Vec<f64>>,
        /// Which methods are used.
        era: Era,
        /// How many.
        n: usize,
    },
    /// Integers `low..=low + max`.
    Integers {
        /// The least.
        low: i64,
        /// The greatest, above the least.
        max: u64,
        /// Bits of the type.
        width: u32,
        /// How they are bounded.
        bound: Bound,
        /// How many.
        n: usize,
    },
    /// Integers, each between bounds of its own.
    Ranges {
        /// The least and what is above it, of each.
        bounds: Vec<(i64, u64)>,
        /// Bits of the type.
        width: u32,
        /// How they are bounded.
        bound: Bound,
    },
    /// `0..n` in random order.
    Shuffle {
        /// How many.
        n: usize,
    },
    /// So many shuffles of `0..n`.
    Shuffles {
        /// How many in each.
        n: usize,
        /// How many.
        rows: usize,
    },
    /// Different numbers of `0..population`.
    Sample {
        /// Of how many.
        population: usize,
        /// How many.
        n: usize,
        /// Whether their order is random too.
        shuffled: bool,
    },
    /// Numbers of `0..p.len()` by probabilities.
    Weighted {
        /// The probabilities.
        p: Vec<f64>,
        /// How many.
        n: usize,
        /// Whether one may come twice.
        replace: bool,
    },
}

/// Numbers that were drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// In double precision.
    Doubles(Vec<f64>),
    /// In single precision.
    Floats(Vec<f32>),
    /// Whole.
    Integers(Vec<i64>),
}

/// Distributions of real numbers that are modelled, with how many parameters they take.
pub const REALS: &[(&str, usize)] = &[
    ("double", 0),
    ("float", 0),
    ("normal", 0),
    ("normal32", 0),
    ("exponential", 0),
    ("exponential32", 0),
    ("gamma", 1),
    ("beta", 2),
    ("laplace", 2),
    ("logistic", 2),
    ("gumbel", 2),
    ("power", 1),
    ("pareto", 1),
    ("weibull", 1),
    ("rayleigh", 1),
    ("cauchy", 0),
    ("t", 1),
    ("poisson", 1),
    ("binomial", 2),
];

impl Draw {
    /// How many numbers it makes.
    pub fn len(&self) -> usize {
        match self {
            Draw::Reals { n, .. } | Draw::Integers { n, .. } | Draw::Shuffle { n, .. } => *n,
            Draw::Sample { n, population, .. } => *n.max(population),
            Draw::Weighted { n, p, .. } => *n.max(&p.len()),
            Draw::Ranges { bounds, .. } => bounds.len(),
            Draw::Shuffles { n, rows } => n * rows,
        }
    }
    /// Whether it makes none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Takes it from a generator; `None` where the method is not modelled: the stream is lost from there.
    pub fn take(&self, bits: &mut Bits) -> Option<Numbers> {
        Some(match self {
            Draw::Reals { name, parameters, era, n } => return reals(bits, name, parameters, *era, *n),
            Draw::Integers { low, max, width, bound, n } => {
                Numbers::Integers(integers::fill(bits, *n, *low, *max, *width, *bound))
            }
            Draw::Ranges { bounds, width, bound } => Numbers::Integers(
                bounds.iter().flat_map(|(low, max)| integers::fill(bits, 1, *low, *max, *width, *bound)).collect(),
            ),
            Draw::Shuffle { n } => {
                let mut items: Vec<i64> = (0..*n as i64).collect();
                integers::shuffle(bits, &mut items, 1, Bound::Masked);
                Numbers::Integers(items)
            }
            Draw::Shuffles { n, rows } => {
                let mut all = Vec::with_capacity(n * rows);
                for _ in 0..*rows {
                    let mut items: Vec<i64> = (0..*n as i64).collect();
                    integers::shuffle(bits, &mut items, 1, Bound::Masked);
                    all.extend(items);
                }
                Numbers::Integers(all)
            }
            Draw::Sample { population, n, shuffled } => {
                Numbers::Integers(integers::sample(bits, *population, *n, *shuffled))
            }
            Draw::Weighted { p, n, replace } => Numbers::Integers(weighted(bits, p, *n, *replace)),
        })
    }
}

/// Sums so far, so that the last is 1.
fn cumulated(p: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums: Vec<f64> = p
        .iter()
        .map(|p| {
            sum += p;
            sum
        })
        .collect();
    let last = sums.last().copied().unwrap_or(1.0);
    sums.iter_mut().for_each(|s| *s /= last);
    sums
}

fn weighted(bits: &mut Bits, p: &[f64], n: usize, replace: bool) -> Vec<i64> {
    let place = |sums: &[f64], u: f64| sums.partition_point(|s| *s <= u) as i64;
    if replace {
        let sums = cumulated(p);
        return (0..n).map(|_| bits.double()).map(|u| place(&sums, u)).collect();
    }
    let mut p = p.to_vec();
    let mut found: Vec<i64> = Vec::with_capacity(n);
    while found.len() < n {
        let draws: Vec<f64> = (found.len()..n).map(|_| bits.double()).collect();
        found.iter().for_each(|i| p[*i as usize] = 0.0);
        let sums = cumulated(&p);
        let mut new: Vec<i64> = Vec::new();
        for u in draws {
            let at = place(&sums, u);
            if !new.contains(&at) {
                new.push(at);
            }
        }
        found.extend(new);
    }
    found
}

fn reals(bits: &mut Bits, name: &str, parameters: &[Vec<f64>], era: Era, n: usize) -> Option<Numbers> {
    let at = |k: usize, i: usize| {
        let values = parameters.get(k).map_or(&[][..], Vec::as_slice);
        values.get(if values.len() == 1 { 0 } else { i }).copied().unwrap_or(0.0)
    };
    let mut each =
        |one: &dyn Fn(&mut Bits, usize) -> f64| Some(Numbers::Doubles((0..n).map(|i| one(bits, i)).collect()));
    match name {
        "double" => each(&|b, _| b.double()),
        "float" => Some(Numbers::Floats((0..n).map(|_| bits.float()).collect())),
        "normal" => each(&|b, _| era.normal(b)),
        "normal32" => Some(Numbers::Floats((0..n).map(|_| bits.normal32()).collect())),
        "exponential" => each(&|b, _| era.exponential(b)),
        "exponential32" => Some(Numbers::Floats((0..n).map(|_| bits.exponential32()).collect())),
        "gamma" => each(&|b, i| era.gamma(b, at(0, i))),
        "beta" => each(&|b, i| era.beta(b, at(0, i), at(1, i))),
        "laplace" => each(&|b, i| Era::laplace(b, at(0, i), at(1, i))),
        "logistic" => each(&|b, i| Era::logistic(b, at(0, i), at(1, i))),
        "gumbel" => each(&|b, i| Era::gumbel(b, at(0, i), at(1, i))),
        "power" => each(&|b, i| match era {
            Era::New => (-(-era.exponential(b)).exp_m1()).powf(1.0 / at(0, i)),
            Era::Legacy => (1.0 - (-era.exponential(b)).exp()).powf(1.0 / at(0, i)),
        }),
        "pareto" => each(&|b, i| match era {
            Era::New => (era.exponential(b) / at(0, i)).exp_m1(),
            Era::Legacy => (era.exponential(b) / at(0, i)).exp() - 1.0,
        }),
        "weibull" => each(&|b, i| match at(0, i) {
            0.0 => 0.0,
            a => era.exponential(b).powf(1.0 / a),
        }),
        "rayleigh" => each(&|b, i| match era {
            Era::New => at(0, i) * (2.0 * era.exponential(b)).sqrt(),
            Era::Legacy => at(0, i) * (-2.0 * (-b.double()).ln_1p()).sqrt(),
        }),
        "cauchy" => each(&|b, _| {
            let x = era.normal(b);
            x / era.normal(b)
        }),
        "t" => each(&|b, i| {
            let df = at(0, i);
            let x = era.normal(b);
            let g = era.gamma(b, df / 2.0);
            (df / 2.0).sqrt() * x / g.sqrt()
        }),
        "poisson" => Some(Numbers::Integers((0..n).map(|i| counts::poisson(bits, at(0, i))).collect())),
        "binomial" => {
            let draws: Option<Vec<i64>> = (0..n).map(|i| counts::binomial(bits, at(0, i) as i64, at(1, i))).collect();
            draws.map(Numbers::Integers)
        }
        _ => None,
    }
}

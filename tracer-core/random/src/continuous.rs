//! Distributions of real numbers. Each takes draws in the order that NumPy's takes them.

use crate::Bits;
use crate::tables::{EXPONENTIAL_F, EXPONENTIAL_X, NORMAL_F, NORMAL_X};
use std::sync::OnceLock;

/// A ziggurat over numbers of `BITS` random bits.
struct Ziggurat {
    /// Draws below this lie under the layer's neighbour.
    inside: [u64; 256],
    /// What a draw is multiplied with.
    width: [f64; 256],
    /// The density at the cuts.
    height: [f64; 256],
}

impl Ziggurat {
    fn new(x: &[f64; 256], f: &[f64; 256], bits: i32) -> Ziggurat {
        let scale = 2f64.powi(bits);
        let mut inside = [0; 256];
        inside[0] = (x[255] / x[0] * scale).round() as u64;
        for i in 2..256 {
            inside[i] = (x[i - 1] / x[i] * scale).round() as u64;
        }
        Ziggurat { inside, width: x.map(|x| x / scale), height: *f }
    }
    /// In single precision.
    fn single(x: &[f64; 256], f: &[f64; 256]) -> Ziggurat {
        let wide = Ziggurat::new(x, f, 23);
        Ziggurat {
            width: wide.width.map(|w| f64::from(w as f32)),
            height: wide.height.map(|h| f64::from(h as f32)),
            ..wide
        }
    }
}

fn table(cell: &'static OnceLock<Ziggurat>, make: fn() -> Ziggurat) -> &'static Ziggurat {
    cell.get_or_init(make)
}
fn normal_table() -> &'static Ziggurat {
    static TABLE: OnceLock<Ziggurat> = OnceLock::new();
    table(&TABLE, || Ziggurat::new(&NORMAL_X, &NORMAL_F, 52))
}
fn normal_table32() -> &'static Ziggurat {
    static TABLE: OnceLock<Ziggurat> = OnceLock::new();
    table(&TABLE, || Ziggurat::single(&NORMAL_X, &NORMAL_F))
}
fn exponential_table() -> &'static Ziggurat {
    static TABLE: OnceLock<Ziggurat> = OnceLock::new();
    table(&TABLE, || Ziggurat::new(&EXPONENTIAL_X, &EXPONENTIAL_F, 53))
}
fn exponential_table32() -> &'static Ziggurat {
    static TABLE: OnceLock<Ziggurat> = OnceLock::new();
    table(&TABLE, || Ziggurat::single(&EXPONENTIAL_X, &EXPONENTIAL_F))
}

const NORMAL_R: f64 = NORMAL_X[255];
const NORMAL_INVERSE_R: f64 = 1.0 / NORMAL_R;
const EXPONENTIAL_R: f64 = EXPONENTIAL_X[255];

impl Bits {
    /// A normal number, by a ziggurat.
    pub fn normal(&mut self) -> f64 {
        let t = normal_table();
        loop {
            let r = self.next64();
            let layer = (r & 0xff) as usize;
            let negative = r >> 8 & 1 == 1;
            let size = (r >> 9) & 0x000f_ffff_ffff_ffff;
            let x = size as f64 * t.width[layer];
            let x = if negative { -x } else { x };
            if size < t.inside[layer] {
                return x;
            }
            if layer == 0 {
                loop {
                    let xx = -NORMAL_INVERSE_R * (-self.double()).ln_1p();
                    let yy = -(-self.double()).ln_1p();
                    if yy + yy > xx * xx {
                        return if size >> 8 & 1 == 1 { -(NORMAL_R + xx) } else { NORMAL_R + xx };
                    }
                }
            }
            let (below, above) = (t.height[layer], t.height[layer - 1]);
            if (above - below) * self.double() + below < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }
    /// A normal number in single precision.
    pub fn normal32(&mut self) -> f32 {
        let t = normal_table32();
        loop {
            let r = self.next32();
            let layer = (r & 0xff) as usize;
            let negative = r >> 8 & 1 == 1;
            let size = (r >> 9) & 0x007f_ffff;
            let x = size as f32 * t.width[layer] as f32;
            let x = if negative { -x } else { x };
            if u64::from(size) < t.inside[layer] {
                return x;
            }
            if layer == 0 {
                loop {
                    let xx = -(NORMAL_INVERSE_R as f32) * (-self.float()).ln_1p();
                    let yy = -(-self.float()).ln_1p();
                    if yy + yy > xx * xx {
                        let far = NORMAL_R as f32 + xx;
                        return if size >> 8 & 1 == 1 { -far } else { far };
                    }
                }
            }
            let (below, above) = (t.height[layer] as f32, t.height[layer - 1] as f32);
            if f64::from((above - below) * self.float() + below) < (-0.5 * f64::from(x) * f64::from(x)).exp() {
                return x;
            }
        }
    }
    /// An exponential number, by a ziggurat.
    pub fn exponential(&mut self) -> f64 {
        let t = exponential_table();
        loop {
            let r = self.next64() >> 3;
            let layer = (r & 0xff) as usize;
            let size = r >> 8;
            let x = size as f64 * t.width[layer];
            if size < t.inside[layer] {
                return x;
            }
            if layer == 0 {
                return EXPONENTIAL_R - (-self.double()).ln_1p();
            }
            let (below, above) = (t.height[layer], t.height[layer - 1]);
            if (above - below) * self.double() + below < (-x).exp() {
                return x;
            }
        }
    }
    /// An exponential number in single precision.
    pub fn exponential32(&mut self) -> f32 {
        let t = exponential_table32();
        loop {
            let r = self.next32() >> 1;
            let layer = (r & 0xff) as usize;
            let size = r >> 8;
            let x = size as f32 * t.width[layer] as f32;
            if u64::from(size) < t.inside[layer] {
                return x;
            }
            if layer == 0 {
                return EXPONENTIAL_R as f32 - (-self.float()).ln_1p();
            }
            let (below, above) = (t.height[layer] as f32, t.height[layer - 1] as f32);
            if (above - below) * self.float() + below < (-x).exp() {
                return x;
            }
        }
    }
    /// A normal number by the polar method; every second one is kept.
    pub fn gauss(&mut self) -> f64 {
        if let Bits::Mt19937(mt) = self
            && let Some(kept) = mt.gauss.take()
        {
            return kept;
        }
        loop {
            let x = 2.0 * self.double() - 1.0;
            let y = 2.0 * self.double() - 1.0;
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let f = (-2.0 * square.ln() / square).sqrt();
                if let Bits::Mt19937(mt) = self {
                    mt.gauss = Some(f * x);
                }
                return f * y;
            }
        }
    }
}

/// What the older and the newer generators make other distributions of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// `numpy.random.Generator`
    New,
    /// `numpy.random.RandomState`
    Legacy,
}

impl Era {
    /// A normal number.
    pub fn normal(self, bits: &mut Bits) -> f64 {
        match self {
            Era::New => bits.normal(),
            Era::Legacy => bits.gauss(),
        }
    }
    /// An exponential number.
    pub fn exponential(self, bits: &mut Bits) -> f64 {
        match self {
            Era::New => bits.exponential(),
            Era::Legacy => -(1.0 - bits.double()).ln(),
        }
    }
    /// A gamma number of this shape.
    pub fn gamma(self, bits: &mut Bits, shape: f64) -> f64 {
        if shape == 1.0 {
            return self.exponential(bits);
        }
        if shape == 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            loop {
                let u = bits.double();
                let v = self.exponential(bits);
                if u <= 1.0 - shape {
                    let x = u.powf(1.0 / shape);
                    if x <= v {
                        return x;
                    }
                } else {
                    let y = -((1.0 - u) / shape).ln();
                    let x = (1.0 - shape + shape * y).powf(1.0 / shape);
                    if x <= v + y {
                        return x;
                    }
                }
            }
        }
        let b = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * b).sqrt();
        loop {
            let (x, v) = loop {
                let x = self.normal(bits);
                let v = 1.0 + c * x;
                if v > 0.0 {
                    break (x, v);
                }
            };
            let v = v * v * v;
            let u = bits.double();
            if u < 1.0 - 0.0331 * (x * x) * (x * x) {
                return b * v;
            }
            if u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln()) {
                return b * v;
            }
        }
    }
    /// A beta number.
    pub fn beta(self, bits: &mut Bits, a: f64, b: f64) -> f64 {
        if a > 1.0 || b > 1.0 {
            let x = self.gamma(bits, a);
            let y = self.gamma(bits, b);
            return x / (x + y);
        }
        loop {
            let (u, v) = (bits.double(), bits.double());
            let (x, y) = (u.powf(1.0 / a), v.powf(1.0 / b));
            let sum = x + y;
            if sum <= 1.0 && (self == Era::Legacy || u + v > 0.0) {
                if sum > 0.0 {
                    return x / sum;
                }
                let (x, y) = (u.ln() / a, v.ln() / b);
                let most = x.max(y);
                let (x, y) = (x - most, y - most);
                return (x - (x.exp() + y.exp()).ln()).exp();
            }
        }
    }
    /// A Laplacian number around 0 of scale 1, before both are applied: the side and the logarithm.
    pub fn laplace(bits: &mut Bits, loc: f64, scale: f64) -> f64 {
        loop {
            let u = bits.double();
            if u >= 0.5 {
                return loc - scale * (2.0 - u - u).ln();
            }
            if u > 0.0 {
                return loc + scale * (u + u).ln();
            }
        }
    }
    /// A logistic number.
    pub fn logistic(bits: &mut Bits, loc: f64, scale: f64) -> f64 {
        loop {
            let u = bits.double();
            if u > 0.0 {
                return loc + scale * (u / (1.0 - u)).ln();
            }
        }
    }
    /// A number of Gumbel's distribution.
    pub fn gumbel(bits: &mut Bits, loc: f64, scale: f64) -> f64 {
        loop {
            let u = 1.0 - bits.double();
            if u < 1.0 {
                return loc - scale * (-u.ln()).ln();
            }
        }
    }
}

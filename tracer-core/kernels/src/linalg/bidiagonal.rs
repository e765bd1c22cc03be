//! Singular values of bidiagonal matrices: implicit steps without and with shift, chased in either direction, in the order of
//! LAPACK, so that vectors of small matrices come out with its signs.

use super::symmetric::rotation;
use crate::work::Stop;

/// Singular vectors in the making: left ones as columns of `u`, right ones as rows of `v`, both `n×n`.
struct Vectors {
    n: usize,
    u: Vec<f64>,
    v: Vec<f64>,
}

impl Vectors {
    /// Rotates columns `i` and `i + 1` of `u`.
    fn left(&mut self, i: usize, (cosine, sine): (f64, f64)) {
        for row in self.u.chunks_exact_mut(self.n) {
            let held = row[i + 1];
            row[i + 1] = cosine * held - sine * row[i];
            row[i] = sine * held + cosine * row[i];
        }
    }
    /// Rotates rows `i` and `i + 1` of `v`.
    fn right(&mut self, i: usize, (cosine, sine): (f64, f64)) {
        for j in 0..self.n {
            let (a, b) = (self.v[i * self.n + j], self.v[(i + 1) * self.n + j]);
            self.v[(i + 1) * self.n + j] = cosine * b - sine * a;
            self.v[i * self.n + j] = sine * b + cosine * a;
        }
    }
}

/// The singular values, descending, of the bidiagonal matrix with this diagonal and off-diagonal (above it, or below it if
/// `lower`), in place of the diagonal; left vectors as columns, right vectors as rows. None if the iteration does not end.
pub fn singular(d: &mut [f64], e: &mut [f64], lower: bool) -> Option<(Vec<f64>, Vec<f64>)> {
    let n = d.len();
    let identity = || (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    let mut z = Vectors { n, u: identity(), v: identity() };
    let mut turned = Vec::new();
    if lower {
        for i in 0..n.saturating_sub(1) {
            let (cosine, sine, r) = rotation(d[i], e[i]);
            d[i] = r;
            e[i] = sine * d[i + 1];
            d[i + 1] *= cosine;
            turned.push((cosine, -sine));
        }
    }
    iterate(d, e, &mut z)?;
    #[allow(clippy::needless_range_loop)]
    for i in 0..n {
        if d[i] < 0.0 {
            d[i] = -d[i];
            z.v[i * n..(i + 1) * n].iter_mut().for_each(|x| *x = -*x);
        }
    }
    sort(d, &mut z);
    for (i, &(cosine, sine)) in turned.iter().enumerate().rev() {
        // Rows of `u`, from the last rotation back.
        for j in 0..n {
            let (a, b) = (z.u[i * n + j], z.u[(i + 1) * n + j]);
            z.u[(i + 1) * n + j] = cosine * b - sine * a;
            z.u[i * n + j] = sine * b + cosine * a;
        }
    }
    Some((z.u, z.v))
}

fn iterate(d: &mut [f64], e: &mut [f64], z: &mut Vectors) -> Option<()> {
    const EPSILON: f64 = f64::EPSILON / 2.0;
    let n = d.len();
    if n < 2 {
        return Some(());
    }
    let tolerance = EPSILON.powf(-0.125).clamp(10.0, 100.0) * EPSILON;
    let mut least = d[0].abs();
    let mut mu = least;
    for i in 1..n {
        if least == 0.0 {
            break;
        }
        mu = d[i].abs() * (mu / (mu + e[i - 1].abs()));
        least = least.min(mu);
    }
    let count = n as f64;
    let threshold = (tolerance * least / count.sqrt()).max(6.0 * count * count * f64::MIN_POSITIVE);
    let mut left = 6 * n * n + 100;
    // The block that is worked on ends before `m`; what follows is done.
    let mut m = n;
    let mut last_block = (usize::MAX, 0);
    let mut down = true;
    let stop = Stop::here();
    'next: while m > 1 {
        if stop.asked() {
            return None;
        }
        left = left.checked_sub(1)?;
        let end = m - 1;
        let mut largest = d[end].abs();
        let mut first = 0;
        for l in (0..end).rev() {
            if e[l].abs() <= threshold {
                e[l] = 0.0;
                if l + 1 == end {
                    m -= 1;
                    continue 'next;
                }
                first = l + 1;
                break;
            }
            largest = largest.max(d[l].abs()).max(e[l].abs());
        }
        if first + 1 == end {
            two_by_two(d, e, z, first);
            m = m.saturating_sub(2);
            continue;
        }
        let (old_first, old_end) = last_block;
        if old_first == usize::MAX || first > old_end || end < old_first {
            down = d[first].abs() >= d[end].abs();
        }
        let Some(least) = converged(d, e, first, end, tolerance, down) else { continue };
        last_block = (first, end);
        let mut shift = 0.0;
        if count * tolerance * (least / largest) > EPSILON.max(0.01 * tolerance) {
            let size;
            (size, shift) = if down {
                (d[first].abs(), smaller(d[end - 1], e[end - 1], d[end]))
            } else {
                (d[end].abs(), smaller(d[first], e[first], d[first + 1]))
            };
            if size > 0.0 && (shift / size).powi(2) < EPSILON {
                shift = 0.0;
            }
        }
        match (shift == 0.0, down) {
            (true, true) => plain_down(d, e, z, first, end),
            (true, false) => plain_up(d, e, z, first, end),
            (false, true) => shifted_down(d, e, z, first, end, shift),
            (false, false) => shifted_up(d, e, z, first, end, shift),
        }
        let off = if down { end - 1 } else { first };
        if e[off].abs() <= threshold {
            e[off] = 0.0;
        }
    }
    Some(())
}

/// A lower bound of the least singular value of a block; none if an element of its off-diagonal could be dropped instead.
fn converged(d: &[f64], e: &mut [f64], first: usize, end: usize, tolerance: f64, down: bool) -> Option<f64> {
    let (edge, corner) = if down { (end - 1, end) } else { (first, first) };
    if e[edge].abs() <= tolerance * d[corner].abs() {
        e[edge] = 0.0;
        return None;
    }
    let mut mu = d[if down { first } else { end }].abs();
    let mut least = mu;
    for step in 0..end - first {
        let (i, next) = if down { (first + step, first + step + 1) } else { (end - 1 - step, end - 1 - step) };
        if e[i].abs() <= tolerance * mu {
            e[i] = 0.0;
            return None;
        }
        mu = d[next].abs() * (mu / (mu + e[i].abs()));
        least = least.min(mu);
    }
    Some(least)
}

fn plain_down(d: &mut [f64], e: &mut [f64], z: &mut Vectors, first: usize, end: usize) {
    let (mut cosine, mut old_cosine, mut old_sine) = (1.0, 1.0, 0.0);
    for i in first..end {
        let (c, s, r) = rotation(d[i] * cosine, e[i]);
        cosine = c;
        if i > first {
            e[i - 1] = old_sine * r;
        }
        (old_cosine, old_sine, d[i]) = rotation(old_cosine * r, d[i + 1] * s);
        z.right(i, (c, s));
        z.left(i, (old_cosine, old_sine));
    }
    let h = d[end] * cosine;
    d[end] = h * old_cosine;
    e[end - 1] = h * old_sine;
}

fn plain_up(d: &mut [f64], e: &mut [f64], z: &mut Vectors, first: usize, end: usize) {
    let (mut cosine, mut old_cosine, mut old_sine) = (1.0, 1.0, 0.0);
    for i in (first + 1..=end).rev() {
        let (c, s, r) = rotation(d[i] * cosine, e[i - 1]);
        cosine = c;
        if i < end {
            e[i] = old_sine * r;
        }
        (old_cosine, old_sine, d[i]) = rotation(old_cosine * r, d[i - 1] * s);
        z.left(i - 1, (c, -s));
        z.right(i - 1, (old_cosine, -old_sine));
    }
    let h = d[first] * cosine;
    d[first] = h * old_cosine;
    e[first] = h * old_sine;
}

fn shifted_down(d: &mut [f64], e: &mut [f64], z: &mut Vectors, first: usize, end: usize, shift: f64) {
    let mut f = (d[first].abs() - shift) * (1f64.copysign(d[first]) + shift / d[first]);
    let mut g = e[first];
    for i in first..end {
        let (c, s, r) = rotation(f, g);
        if i > first {
            e[i - 1] = r;
        }
        f = c * d[i] + s * e[i];
        e[i] = c * e[i] - s * d[i];
        g = s * d[i + 1];
        d[i + 1] *= c;
        z.right(i, (c, s));
        let (c, s, r) = rotation(f, g);
        d[i] = r;
        f = c * e[i] + s * d[i + 1];
        d[i + 1] = c * d[i + 1] - s * e[i];
        if i + 1 < end {
            g = s * e[i + 1];
            e[i + 1] *= c;
        }
        z.left(i, (c, s));
    }
    e[end - 1] = f;
}

fn shifted_up(d: &mut [f64], e: &mut [f64], z: &mut Vectors, first: usize, end: usize, shift: f64) {
    let mut f = (d[end].abs() - shift) * (1f64.copysign(d[end]) + shift / d[end]);
    let mut g = e[end - 1];
    for i in (first + 1..=end).rev() {
        let (c, s, r) = rotation(f, g);
        if i < end {
            e[i] = r;
        }
        f = c * d[i] + s * e[i - 1];
        e[i - 1] = c * e[i - 1] - s * d[i];
        g = s * d[i - 1];
        d[i - 1] *= c;
        z.left(i - 1, (c, -s));
        let (c, s, r) = rotation(f, g);
        d[i] = r;
        f = c * e[i - 1] + s * d[i - 1];
        d[i - 1] = c * d[i - 1] - s * e[i - 1];
        if i > first + 1 {
            g = s * e[i - 2];
            e[i - 2] *= c;
        }
        z.right(i - 1, (c, -s));
    }
    e[first] = f;
}

/// The smaller singular value of `[[f, g], [0, h]]`.
fn smaller(f: f64, g: f64, h: f64) -> f64 {
    let (f, g, h) = (f.abs(), g.abs(), h.abs());
    let (least, most) = (f.min(h), f.max(h));
    if least == 0.0 {
        return 0.0;
    }
    if g < most {
        let (a, b, c) = (1.0 + least / most, (most - least) / most, (g / most).powi(2));
        return least * (2.0 / ((a * a + c).sqrt() + (b * b + c).sqrt()));
    }
    let ratio = most / g;
    if ratio == 0.0 {
        return least * most / g;
    }
    let (a, b) = (1.0 + least / most, (most - least) / most);
    let c = 1.0 / ((1.0 + (a * ratio).powi(2)).sqrt() + (1.0 + (b * ratio).powi(2)).sqrt());
    2.0 * (least * c) * ratio
}

/// The singular values and vectors of the block at `i`.
fn two_by_two(d: &mut [f64], e: &mut [f64], z: &mut Vectors, i: usize) {
    let (f, g, h) = (d[i], e[i], d[i + 1]);
    let swap = h.abs() > f.abs();
    let (ft, ht) = if swap { (h, f) } else { (f, h) };
    let (fa, ha, ga) = (ft.abs(), ht.abs(), g.abs());
    let (mut largest, mut least) = (fa, ha);
    let (mut left, mut right) = ((1.0, 0.0), (1.0, 0.0));
    // Which element is the largest in size: it decides the sign.
    let mut peak = if swap { 3 } else { 1 };
    if ga != 0.0 {
        let mut usual = true;
        if ga > fa {
            peak = 2;
            if fa / ga < f64::EPSILON / 2.0 {
                usual = false;
                largest = ga;
                least = if ha > 1.0 { fa / (ga / ha) } else { (fa / ga) * ha };
                left = (1.0, ht / g);
                right = (ft / g, 1.0);
            }
        }
        if usual {
            let gap = fa - ha;
            let l = if gap == fa { 1.0 } else { gap / fa };
            let m = g / ft;
            let t = 2.0 - l;
            let (mm, tt) = (m * m, t * t);
            let s = (tt + mm).sqrt();
            let r = if l == 0.0 { m.abs() } else { (l * l + mm).sqrt() };
            let a = 0.5 * (s + r);
            least = ha / a;
            largest = fa * a;
            let t = if mm == 0.0 {
                if l == 0.0 { 2f64.copysign(ft) * 1f64.copysign(g) } else { g / gap.copysign(ft) + m / t }
            } else {
                (m / (s + t) + m / (r + l)) * (1.0 + a)
            };
            let l = (t * t + 4.0).sqrt();
            right = (2.0 / l, t / l);
            left = ((right.0 + right.1 * m) / a, (ht / ft) * right.1 / a);
        }
    }
    let (left, right) = if swap { ((right.1, right.0), (left.1, left.0)) } else { (left, right) };
    let sign = |x: f64| 1f64.copysign(x);
    let total = match peak {
        1 => sign(right.0) * sign(left.0) * sign(f),
        2 => sign(right.1) * sign(left.0) * sign(g),
        _ => sign(right.1) * sign(left.1) * sign(h),
    };
    d[i] = largest.copysign(total);
    d[i + 1] = least.copysign(total * sign(f) * sign(h));
    e[i] = 0.0;
    z.right(i, right);
    z.left(i, left);
}

/// Descending, the least one first put at the end.
fn sort(d: &mut [f64], z: &mut Vectors) {
    let n = z.n;
    for end in (1..n).rev() {
        let mut least = 0;
        for i in 1..=end {
            if d[i] <= d[least] {
                least = i;
            }
        }
        if least != end {
            d.swap(least, end);
            z.u.chunks_exact_mut(n).for_each(|row| row.swap(least, end));
            for j in 0..n {
                z.v.swap(least * n + j, end * n + j);
            }
        }
    }
}

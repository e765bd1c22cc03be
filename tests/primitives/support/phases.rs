//! Comparison of what is unique only up to phases and order: eigenvectors and singular vectors.

use num_complex::Complex;
use tracer_core::array::Tensor;

type C = Complex<f64>;

/// Matrices of a batch, row-major, with their sizes.
struct Stack {
    values: Vec<C>,
    rows: usize,
    columns: usize,
}

impl Stack {
    fn new(tensor: &Tensor) -> Stack {
        let rank = tensor.shape.len();
        let (rows, columns) = (tensor.shape[rank - 2], tensor.shape[rank - 1]);
        Stack { values: tensor.numbers().map(|x| x.as_complex()).collect(), rows, columns }
    }
    fn column(&self, item: usize, k: usize) -> Vec<C> {
        let start = item * self.rows * self.columns;
        (0..self.rows).map(|i| self.values[start + i * self.columns + k]).collect()
    }
    fn row(&self, item: usize, k: usize) -> Vec<C> {
        let start = (item * self.rows + k) * self.columns;
        self.values[start..start + self.columns].to_vec()
    }
}

fn vector(tensor: &Tensor) -> Vec<C> {
    tensor.numbers().map(|x| x.as_complex()).collect()
}

/// Whether two vectors are equal up to a factor of size 1.
fn parallel(a: &[C], b: &[C], tolerance: f64) -> Result<(), String> {
    let dot: C = a.iter().zip(b).map(|(x, y)| x.conj() * y).sum();
    let phase = if dot.norm() > 0.0 { dot / dot.norm() } else { C::new(1.0, 0.0) };
    match a.iter().zip(b).all(|(x, y)| (x * phase - y).norm() <= tolerance) {
        true => Ok(()),
        false => Err(format!("{a:?} is not along {b:?}")),
    }
}

fn same(a: &[C], b: &[C], tolerance: f64) -> Result<(), String> {
    let size = b.iter().map(|x| x.norm()).fold(1e-30, f64::max);
    match a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).norm() <= tolerance * size) {
        true => Ok(()),
        false => Err(format!("{a:?} is not {b:?}")),
    }
}

/// Compares the results of a primitive that has such; none for any other primitive.
pub fn compare(name: &str, got: &[Tensor], expected: &[Tensor], tolerance: f64) -> Option<Result<(), String>> {
    Some(match name {
        "eigh" => eigh(got, expected, tolerance),
        "svd" if got.len() == 3 => svd(got, expected, tolerance),
        "eig" => eig(got, expected, tolerance),
        _ => return None,
    })
}

fn eigh(got: &[Tensor], expected: &[Tensor], tolerance: f64) -> Result<(), String> {
    same(&vector(&got[1]), &vector(&expected[1]), tolerance)?;
    let (a, b) = (Stack::new(&got[0]), Stack::new(&expected[0]));
    for item in 0..a.values.len().checked_div(a.rows * a.columns).unwrap_or(0) {
        for k in 0..a.columns {
            parallel(&a.column(item, k), &b.column(item, k), 20.0 * tolerance)?;
        }
    }
    Ok(())
}

fn svd(got: &[Tensor], expected: &[Tensor], tolerance: f64) -> Result<(), String> {
    same(&vector(&got[0]), &vector(&expected[0]), tolerance)?;
    let count = *expected[0].shape.last().unwrap_or(&0);
    let (u, u2) = (Stack::new(&got[1]), Stack::new(&expected[1]));
    let (v, v2) = (Stack::new(&got[2]), Stack::new(&expected[2]));
    let values = vector(&got[0]);
    for item in 0..values.len().checked_div(count).unwrap_or(0) {
        for k in 0..count {
            parallel(&u.column(item, k), &u2.column(item, k), 20.0 * tolerance)?;
            parallel(&v.row(item, k), &v2.row(item, k), 20.0 * tolerance)?;
        }
        // Left and right vectors belong together.
        for i in 0..u.rows {
            for j in 0..v.columns {
                let entry = |u: &Stack, v: &Stack| -> C {
                    (0..count).map(|k| u.column(item, k)[i] * values[item * count + k] * v.row(item, k)[j]).sum()
                };
                if (entry(&u, &v) - entry(&u2, &v2)).norm() > 50.0 * tolerance {
                    return Err(format!("the product differs at {i}, {j}"));
                }
            }
        }
        // All columns are orthonormal, those without a value too.
        for (i, j) in (0..u.columns).flat_map(|i| (0..u.columns).map(move |j| (i, j))) {
            let dot: C = u.column(item, i).iter().zip(u.column(item, j)).map(|(x, y)| x.conj() * y).sum();
            if (dot.norm() - f64::from(u8::from(i == j))).abs() > 20.0 * tolerance {
                return Err(format!("columns {i} and {j} are not orthonormal"));
            }
        }
    }
    Ok(())
}

fn eig(got: &[Tensor], expected: &[Tensor], tolerance: f64) -> Result<(), String> {
    let (values, others) = (vector(&got[0]), vector(&expected[0]));
    for (k, value) in others.iter().enumerate() {
        let distance = |i: &usize| (values[*i] - value).norm();
        let nearest = (0..values.len()).min_by(|i, j| distance(i).total_cmp(&distance(j)));
        let Some(nearest) = nearest.filter(|i| distance(i) <= tolerance * 10.0) else {
            return Err(format!("no eigenvalue {value} in {values:?}"));
        };
        for (a, b) in got[1..].iter().zip(&expected[1..]) {
            parallel(&Stack::new(a).column(0, nearest), &Stack::new(b).column(0, k), 20.0 * tolerance)?;
        }
    }
    Ok(())
}

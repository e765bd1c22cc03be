//! Balancing, which comes before eigenvalues are iterated: rows and columns are exchanged so that what has an eigenvalue of its own
//! stands at the ends, and those between are scaled by powers of two, so that each row is about as long as its column. It goes as
//! LAPACK's, which decides about the order of eigenvalues.

use super::eigen::{Double, Precision};

/// Rows that shrink by less than this are left as they are.
const WORTH: f64 = 0.95;

/// A balanced matrix, and what was done to it.
pub struct Balanced<T> {
    /// The matrix.
    pub matrix: Vec<T>,
    /// The first row that was scaled, and the first one behind these.
    within: (usize, usize),
    /// Powers of two for the rows that were scaled, 1 for the others.
    scale: Vec<f64>,
    /// What each of the other rows was exchanged with.
    exchanged: Vec<usize>,
}

impl<T: Double> Balanced<T> {
    /// Balances an `n×n` matrix.
    pub fn new(a: &[T], n: usize, precision: &Precision) -> Balanced<T> {
        let mut it = Balanced { matrix: a.to_vec(), within: (0, n), scale: vec![1.0; n], exchanged: (0..n).collect() };
        it.permute(n);
        it.scale(n, precision);
        it
    }

    /// An eigenvector of the balanced matrix becomes one of the matrix: from the right, or from the left.
    pub fn back<V: Double>(&self, v: &mut [V], left: bool) {
        for (x, &scale) in v.iter_mut().zip(&self.scale) {
            *x = x.scale(if left { 1.0 / scale } else { scale });
        }
        let (low, high) = self.within;
        for i in (0..low).rev().chain(high..v.len()) {
            v.swap(i, self.exchanged[i]);
        }
    }

    fn exchange(&mut self, n: usize, with: usize, to: usize) {
        self.exchanged[to] = with;
        if with == to {
            return;
        }
        let (low, high) = self.within;
        self.matrix.chunks_exact_mut(n).take(high).for_each(|row| row.swap(with, to));
        (low..n).for_each(|j| self.matrix.swap(with * n + j, to * n + j));
    }

    /// Brings rows that are nothing but their diagonal to the end, and columns that are nothing else to the start.
    fn permute(&mut self, n: usize) {
        let mut again = true;
        while again {
            again = false;
            for i in (0..self.within.1).rev() {
                let high = self.within.1;
                if (0..high).all(|j| j == i || self.matrix[i * n + j].is_zero()) {
                    self.exchange(n, i, high - 1);
                    self.within.1 -= 1;
                    again = true;
                    if self.within.1 == 0 {
                        return;
                    }
                }
            }
        }
        again = true;
        while again {
            again = false;
            for j in self.within.0..self.within.1 {
                let (low, high) = self.within;
                if (low..high).all(|i| i == j || self.matrix[i * n + j].is_zero()) {
                    self.exchange(n, j, low);
                    self.within.0 += 1;
                    again = true;
                }
            }
        }
    }

    /// Scales until no row shrinks any more.
    fn scale(&mut self, n: usize, precision: &Precision) {
        let (low, high) = self.within;
        let least = precision.least / precision.epsilon * 2.0;
        let most = 1.0 / least;
        let norm = |of: &mut dyn Iterator<Item = T>| of.map(|x| x.modulus_squared()).sum::<f64>().sqrt();
        let largest = |of: &mut dyn Iterator<Item = T>| of.map(|x| x.modulus()).fold(0.0, f64::max);
        let mut again = true;
        while again {
            again = false;
            for i in low..high {
                let a = &self.matrix;
                let mut column = norm(&mut (low..high).map(|j| a[j * n + i]));
                let mut row = norm(&mut (low..high).map(|j| a[i * n + j]));
                let mut high_column = largest(&mut (0..high).map(|j| a[j * n + i]));
                let mut high_row = largest(&mut (low..n).map(|j| a[i * n + j]));
                if column == 0.0 || row == 0.0 {
                    continue;
                }
                let (before, mut by) = (column + row, 1.0f64);
                while column < row / 2.0
                    && by.max(column).max(high_column) < most
                    && f64::min(row / 2.0, high_row) > least
                {
                    (by, column, high_column) = (by * 2.0, column * 2.0, high_column * 2.0);
                    (row, high_row) = (row / 2.0, high_row / 2.0);
                }
                while column / 2.0 >= row && row.max(high_row) < most && by.min(column / 2.0).min(high_column) > least {
                    (by, column, high_column) = (by / 2.0, column / 2.0, high_column / 2.0);
                    (row, high_row) = (row * 2.0, high_row * 2.0);
                }
                let (own, edge) = (self.scale[i], least / 2.0);
                let too_far =
                    by < 1.0 && own < 1.0 && by * own <= edge || by > 1.0 && own > 1.0 && own >= 1.0 / edge / by;
                if column + row >= WORTH * before || too_far {
                    continue;
                }
                self.scale[i] *= by;
                again = true;
                self.matrix[i * n + low..(i + 1) * n].iter_mut().for_each(|x| *x = x.scale(1.0 / by));
                self.matrix.chunks_exact_mut(n).take(high).for_each(|row| row[i] = row[i].scale(by));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Zeros but for these.
    fn matrix(n: usize, of: &[(usize, usize, f64)]) -> Vec<f64> {
        let mut a = vec![0.0; n * n];
        of.iter().for_each(|(i, j, x)| a[i * n + j] = *x);
        a
    }

    #[test]
    fn a_triangular_matrix_is_all_ends() {
        let a = matrix(3, &[(0, 0, 1.0), (1, 0, 4.0), (1, 1, 2.0), (2, 0, 5.0), (2, 1, 6.0), (2, 2, 3.0)]);
        let balanced = Balanced::new(&a, 3, &Precision::DOUBLE);
        assert_eq!(balanced.within, (0, 0));
        assert_eq!(
            balanced.matrix,
            matrix(3, &[(0, 0, 3.0), (0, 1, 6.0), (0, 2, 5.0), (1, 1, 2.0), (1, 2, 4.0), (2, 2, 1.0)])
        );
    }

    #[test]
    fn rows_of_far_sizes_are_scaled_and_vectors_come_back() {
        let a = matrix(2, &[(0, 1, 1024.0), (1, 0, 1.0)]);
        let balanced = Balanced::new(&a, 2, &Precision::DOUBLE);
        let around = balanced.matrix[1] / balanced.matrix[2];
        assert!((0.25..=4.0).contains(&around), "{around}");
        // [1, 1] scaled back is an eigenvector of the eigenvalue 32 where all is balanced.
        let mut v = [balanced.matrix[1].sqrt(), balanced.matrix[2].sqrt()];
        balanced.back(&mut v, false);
        assert_eq!(a[1] * v[1] / v[0], a[2] * v[0] / v[1]);
    }
}

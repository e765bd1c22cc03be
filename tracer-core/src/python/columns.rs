//! Containers walked side by side from one position: what `zip` and `enumerate` give of containers that nobody else walks.

use std::rc::Rc;

use super::container::List;
use super::iterator::{Iter, IterKind};
use super::value::Value;

/// One of the containers.
enum Column {
    /// A list, live.
    List(List),
    /// Items that do not change.
    Items(Rc<[Value]>),
    /// A range: its first item, its step, how many items it has.
    Range(i64, i64, usize),
}

/// Containers walked side by side.
pub struct Columns {
    columns: Box<[Column]>,
    /// The position of the next items.
    at: usize,
}

impl Columns {
    /// Of iterators that stand at the beginning of containers, and that nobody else holds.
    pub fn of(iterators: &[Value]) -> Option<Columns> {
        let columns = iterators.iter().map(Column::of).collect::<Option<_>>()?;
        Some(Columns { columns, at: 0 })
    }
    /// Of such an iterator and the numbers of its items.
    pub fn numbered(iterator: &Value, first: i64) -> Option<Columns> {
        let numbers = Column::Range(first, 1, usize::MAX);
        Some(Columns { columns: Box::new([numbers, Column::of(iterator)?]), at: 0 })
    }
    /// How many there are.
    pub fn width(&self) -> usize {
        self.columns.len()
    }
    /// How many rows are left, where all containers are known.
    pub fn remaining(&self) -> Option<usize> {
        let least = self.columns.iter().map(Column::len).try_fold(usize::MAX, |least, len| Some(least.min(len?)))?;
        Some(least.saturating_sub(self.at))
    }
    /// Binds the parts of the next row, by their number: false at the end, `None` where a container is not known any more.
    #[inline(always)]
    pub fn advance(&mut self, mut bind: impl FnMut(usize, &Value)) -> Option<bool> {
        for column in &self.columns {
            if !column.reaches(self.at)? {
                return Some(false);
            }
        }
        for (i, column) in self.columns.iter().enumerate() {
            column.with(self.at, |item| bind(i, item));
        }
        self.at += 1;
        Some(true)
    }
    /// The next row: `Some(None)` at the end, `None` where a container is not known any more.
    pub fn row(&mut self) -> Option<Option<Value>> {
        for column in &self.columns {
            if !column.reaches(self.at)? {
                return Some(None);
            }
        }
        self.at += 1;
        Some(Some(self.row_at(self.at - 1)))
    }
    /// The row that was given last.
    pub fn last(&self) -> Option<Value> {
        let at = self.at.checked_sub(1)?;
        self.columns.iter().all(|column| column.reaches(at) == Some(true)).then(|| self.row_at(at))
    }
    fn row_at(&self, at: usize) -> Value {
        let item = |column: &Column| column.with(at, Value::clone).unwrap_or(Value::None);
        Value::Tuple(self.columns.iter().map(item).collect())
    }
    /// An iterator over each of the containers, from here on.
    pub fn iterators(&self) -> Box<[Value]> {
        let each = |column: &Column| match column {
            Column::List(list) => Iter::new("list_iterator", IterKind::List(list.clone(), self.at)),
            Column::Items(items) => Iter::new("tuple_iterator", IterKind::Items(items.clone(), self.at)),
            Column::Range(first, step, len) => {
                let left = i64::try_from(len.saturating_sub(self.at)).unwrap_or(i64::MAX);
                let next = first.wrapping_add(step.wrapping_mul(self.at as i64));
                Iter::new("range_iterator", IterKind::Range(next, *step, left))
            }
        };
        self.columns.iter().map(|column| Value::Iter(each(column))).collect()
    }
}

impl Column {
    /// Of an iterator that stands at the beginning of a container, and that nobody else holds.
    fn of(iterator: &Value) -> Option<Column> {
        let Value::Iter(iter) = iterator else { return None };
        if Rc::strong_count(iter) > 1 {
            return None;
        }
        iter.with_kind(|kind| match kind {
            IterKind::List(list, 0) => Some(Column::List(list.clone())),
            IterKind::Items(items, 0) => Some(Column::Items(items.clone())),
            IterKind::Range(next, step, left) => Some(Column::Range(*next, *step, usize::try_from(*left).ok()?)),
            _ => None,
        })
    }
    /// How many items there are, where they are known.
    fn len(&self) -> Option<usize> {
        Some(match self {
            Column::List(list) => list.known()?.items.len(),
            Column::Items(items) => items.len(),
            Column::Range(_, _, len) => *len,
        })
    }
    /// Whether there is an item at a position; `None` where that is not known any more.
    #[inline(always)]
    fn reaches(&self, at: usize) -> Option<bool> {
        Some(
            at < match self {
                Column::List(list) => list.known()?.items.len(),
                Column::Items(items) => items.len(),
                Column::Range(_, _, len) => *len,
            },
        )
    }
    /// What `take` makes of the item at a position, where there is one.
    #[inline(always)]
    fn with<T>(&self, at: usize, take: impl FnOnce(&Value) -> T) -> Option<T> {
        match self {
            Column::List(list) => list.known()?.items.get(at).map(take),
            Column::Items(items) => items.get(at).map(take),
            Column::Range(first, step, _) => Some(take(&Value::Int(first.wrapping_add(step.wrapping_mul(at as i64))))),
        }
    }
}

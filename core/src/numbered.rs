//! Lists whose items are found by ids.

use crate::units::Id;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut, Index, IndexMut};

/// A list in which the item of an id stands at the id's place. To ask for an id that was never given is our own bug, and
/// panics here, whoever asks: a place in the source for each who does would weigh more than what it does.
#[derive(Clone, Debug)]
pub struct Numbered<I, T> {
    items: Vec<T>,
    by: PhantomData<I>,
}

impl<I, T> Numbered<I, T> {
    /// An empty list, with room for so many.
    #[must_use]
    pub fn with_capacity(room: usize) -> Self {
        Self { items: Vec::with_capacity(room), by: PhantomData }
    }

    /// Adds an item, whose id is the next.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }
}

impl<I, T> From<Vec<T>> for Numbered<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, by: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Numbered<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        found(self.items.get(id.place()))
    }
}

impl<I: Id, T> IndexMut<I> for Numbered<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        found(self.items.get_mut(id.place()))
    }
}

/// `Index` tells its caller's place in the source; this does not.
#[inline]
fn found<T>(item: Option<T>) -> T {
    item.expect("an id that was given")
}

impl<I, T> Deref for Numbered<I, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> DerefMut for Numbered<I, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::SlabId;

    #[test]
    fn an_item_is_found_by_its_id() {
        let mut names: Numbered<SlabId, &str> = Numbered::with_capacity(2);
        names.push("first");
        names.push("second");
        names[SlabId::from_raw(0)] = "changed";
        assert_eq!((names[SlabId::from_raw(0)], names[SlabId::from_raw(1)], names.len()), ("changed", "second", 2));
    }
}

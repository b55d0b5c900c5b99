//! Lists whose items are found by ids.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut, Index, IndexMut};

/// What an item of a [`Numbered`] list is found by.
pub trait Id {
    /// Its place.
    fn place(self) -> usize;
}

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

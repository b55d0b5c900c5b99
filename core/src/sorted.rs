//! Sorting what there is little of, and maps. The standard library's sorts are made for much, and each type that is sorted
//! by them weighs some 4 KB on the page, as does each type of `BTreeMap`; collecting into one takes a sort too.

mod map;

pub use map::Map;

use std::cmp::Ordering;

/// `items` in order; what is equal keeps its order. Each is looked up in those before it and put into its place, so that
/// items that come in order are only appended.
#[must_use]
pub fn sorted_by<T>(items: impl IntoIterator<Item = T>, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut sorted: Vec<T> = Vec::new();
    for item in items {
        let place = sorted.partition_point(|before| order(before, &item) != Ordering::Greater);
        sorted.insert(place, item);
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_keep_their_order() {
        let items = [(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        let sorted = sorted_by(items, |one, other| one.0.cmp(&other.0));
        assert_eq!(sorted, [(0, 'e'), (1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }

    #[test]
    fn it_orders_as_the_standard_sort_does() {
        let items: Vec<u64> = (0..200).map(|nth| nth * 7919 % 211).collect();
        let mut standard = items.clone();
        standard.sort_unstable();
        assert_eq!(sorted_by(items, Ord::cmp), standard);
    }
}

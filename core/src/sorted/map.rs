//! A map whose clones share what did not change, and which weighs little on the page, where every type of key and value
//! brings its own code.
//!
//! ```text
//! runs ──► [k0 k1 … k31] [k32 … k60] [k61 … ]    each at most RUN long and shared with clones until it changes
//! ```
//! A look-up halves the runs, then the run. A change copies one run at most, and moves a pointer a run where a run
//! comes or goes, so that a hundred thousand entries are a few thousand pointers to move.

use std::rc::Rc;

/// Entries of a run at most; a longer one is halved.
const RUN: usize = 64;

/// A map in the order of its keys.
#[derive(Debug)]
pub struct Map<K, V> {
    /// None is empty.
    runs: Vec<Rc<Vec<(K, V)>>>,
}

/// Written out, so that it is a function of its own: all types of keys and values then have one on the page.
impl<K, V> Clone for Map<K, V> {
    #[inline(never)]
    fn clone(&self) -> Self {
        Self { runs: self.runs.clone() }
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self { runs: Vec::new() }
    }
}

impl<K: Ord + Clone, V: Clone> Map<K, V> {
    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.len()).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        let (run, place) = self.place(key);
        Some(&self.runs.get(run)?.get(place.ok()?)?.1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let (run, place) = self.place(key);
        Some(&mut Rc::make_mut(self.runs.get_mut(run)?).get_mut(place.ok()?)?.1)
    }

    /// Gives a key a value, in place of the one that it had.
    pub fn insert(&mut self, key: K, value: V) {
        let (at, place) = self.place(&key);
        if self.runs.is_empty() {
            self.runs.push(Rc::default());
        }
        let run = Rc::make_mut(&mut self.runs[at]);
        match place {
            Ok(place) => run[place].1 = value,
            Err(place) => run.insert(place, (key, value)),
        }
        if run.len() > RUN {
            let upper = run.split_off(RUN / 2);
            self.runs.insert(at + 1, Rc::new(upper));
        }
    }

    /// The value of a key, which is given this one if it has none, to be changed.
    pub fn or_insert(&mut self, key: K, value: &V) -> &mut V {
        if self.get(&key).is_none() {
            self.insert(key.clone(), value.clone());
        }
        self.get_mut(&key).expect("it has one now")
    }

    /// Takes a key out, if it is there.
    pub fn remove(&mut self, key: &K) {
        let (at, Ok(place)) = self.place(key) else { return };
        let run = Rc::make_mut(&mut self.runs[at]);
        run.remove(place);
        if run.is_empty() {
            self.runs.remove(at);
        }
    }

    /// The entries, the lowest key first.
    pub fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.runs.iter().flat_map(|run| run.iter())
    }

    /// The entries up to a key, which counts, the highest first.
    pub fn up_to(&self, key: K) -> impl Iterator<Item = &(K, V)> {
        let (at, _) = self.place(&key);
        let runs = self.runs.iter().take(at + 1).rev();
        runs.flat_map(|run| run.iter().rev()).skip_while(move |(other, _)| *other > key)
    }

    /// The run that a key is in or would come into, and its place there: where it is, or where it would come.
    fn place(&self, key: &K) -> (usize, Result<usize, usize>) {
        let at = self.runs.partition_point(|run| run.first().is_some_and(|(first, _)| first <= key)).saturating_sub(1);
        let run = self.runs.get(at).map_or(&[][..], |run| run);
        (at, run.binary_search_by(|(other, _)| other.cmp(key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Keys that come in no order, some of them often.
    fn keys() -> impl Iterator<Item = u32> {
        (0..4000_u32).map(|nth| nth.wrapping_mul(2_654_435_761) >> 22)
    }

    #[track_caller]
    fn check(map: &Map<u32, u32>, model: &BTreeMap<u32, u32>) {
        assert!(map.iter().map(|(key, value)| (key, value)).eq(model));
        assert_eq!((map.len(), map.is_empty()), (model.len(), model.is_empty()));
        assert!(map.runs.iter().all(|run| !run.is_empty() && run.len() <= RUN));
        for key in (0..1030).step_by(7) {
            assert_eq!(map.get(&key), model.get(&key));
            let (down, expected) = (map.up_to(key), model.range(..=key).rev());
            assert!(down.map(|(key, value)| (key, value)).eq(expected));
        }
    }

    #[test]
    fn it_holds_what_a_btree_map_holds() {
        let (mut map, mut model) = (Map::default(), BTreeMap::new());
        check(&map, &model);
        for (key, value) in keys().zip(0..) {
            if value % 3 == 2 {
                map.remove(&key);
                model.remove(&key);
            } else {
                map.insert(key, value);
                model.insert(key, value);
            }
            if value % 401 == 0 {
                check(&map, &model);
            }
        }
        for key in keys() {
            assert_eq!(map.get_mut(&key).map(core::mem::take), model.get_mut(&key).map(core::mem::take));
        }
        check(&map, &model);
        keys().for_each(|key| map.remove(&key));
        check(&map, &BTreeMap::new());
    }

    #[test]
    fn a_clone_keeps_what_it_had() {
        let mut map = Map::default();
        keys().for_each(|key| map.insert(key, key));
        let before: BTreeMap<u32, u32> = map.iter().copied().collect();
        let clone = map.clone();
        map.remove(&5);
        map.insert(9, 0);
        map.insert(2000, 1);
        *map.get_mut(&100).expect("it is there") = 0;
        check(&clone, &before);
        let shared = map.runs.iter().filter(|run| clone.runs.iter().any(|other| Rc::ptr_eq(run, other))).count();
        assert!(shared + 4 >= map.runs.len(), "what did not change is shared");
    }
}

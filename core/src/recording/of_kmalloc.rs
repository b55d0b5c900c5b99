//! Which caches of a boot are kmalloc's, by name: nothing else says so.

use crate::kernel::Model;
use crate::kmalloc::{CLASSES, COPIES, KmallocType, cache_name, copy_name};

/// Whether a cache of this name is one of kmalloc's: by each name that there is, since others begin alike.
pub(super) fn is_of_kmalloc(name: &str, model: &Model) -> bool {
    let is_copy = |size: u64| {
        (0..COPIES).any(|copy| {
            ["rnd", "part"]
                .into_iter()
                .any(|word| copy_name(copy, size, &Model { kmalloc_copy_word: word, ..model.clone() }) == name)
        })
    };
    let is_own = |size| KmallocType::EVERY.into_iter().any(|kind| cache_name(kind, size, model) == name);
    let is_internal = |size| {
        let ordinary = cache_name(KmallocType::Normal, size, model);
        ordinary.strip_prefix("kmalloc-").is_some_and(|size| name == format!("kmalloc-no-objext-{size}"))
    };
    CLASSES.into_iter().any(|size| is_own(size) || is_copy(size) || is_internal(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_only_begin_like_kmalloc_are_none_of_it() {
        let config = crate::kernel::KernelConfig::plain(crate::kernel::Version::release(7, 3));
        let model = config.model().expect("a kernel");
        let is = |name| is_of_kmalloc(name, &model);
        assert!(["kmalloc-64", "dma-kmalloc-8k", "kmalloc-part-15-1k", "kmalloc-no-objext-32"].into_iter().all(is));
        assert!(!["kmalloc_buckets", "kmalloc-65", "kmalloc-part-16-1k", "memdup_user-64"].into_iter().any(is));
    }
}

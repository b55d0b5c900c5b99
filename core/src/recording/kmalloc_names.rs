//! Which caches of a listing are kmalloc's: by each name that there is, since others begin alike.

use crate::kernel::Model;
use crate::kmalloc::{CLASSES, COPIES, KmallocType, cache_name, copy_name};

/// Whether a cache of this name is one of kmalloc's, in a kernel with or without copies of the ordinary ones.
pub(super) fn is_of_kmalloc(name: &str, model: &Model) -> bool {
    let internal = name.strip_prefix("kmalloc-no-objext-").map(|size| format!("kmalloc-{size}"));
    let ordinary = |name: &str| CLASSES.iter().any(|size| cache_name(KmallocType::Normal, *size, model) == name);
    let is_copy = || (1..COPIES).any(|copy| CLASSES.iter().any(|size| copy_name(copy, *size, model) == name));
    let is_own = |kind| CLASSES.iter().any(|size| cache_name(kind, *size, model) == name);
    KmallocType::all(model).any(is_own)
        || is_accounted(name, model)
        || is_copy()
        || internal.is_some_and(|of| ordinary(&of))
}

/// A listing does not say whether its kernel accounts.
fn is_accounted(name: &str, model: &Model) -> bool {
    name.strip_prefix("kmalloc-cg-")
        .is_some_and(|size| CLASSES.iter().any(|class| crate::kmalloc::class_name(*class, model) == size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Version};

    #[test]
    fn names_that_only_begin_like_kmalloc_are_none_of_it() {
        let model = KernelConfig::plain(Version::release(7, 3)).model().expect("a kernel");
        let is = |name| is_of_kmalloc(name, &model);
        let own = ["kmalloc-64", "dma-kmalloc-8k", "kmalloc-cg-96", "kmalloc-part-15-1k", "kmalloc-no-objext-32"];
        assert!(own.into_iter().all(is));
        assert!(!["kmalloc_buckets", "kmalloc-65", "kmalloc-part-16-1k", "memdup_user-64"].into_iter().any(is));
    }
}

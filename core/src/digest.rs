//! A hash of everything that a machine is: bytes, lists, names. Equal on every host.
//!
//! XXH3 (64 bits) over little-endian words, in an order that depends on the machine alone.

use crate::machine::{Machine, Source, Status};
use crate::pages::PageSource;
use crate::slub::{AfterGrace, Callback, Rcu, Sheaves};
use crate::units::{Order, VirtAddr};
use xxhash_rust::xxh3::Xxh3;

impl Machine {
    /// The hash.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut hash = Xxh3::new();
        word(&mut hash, status_word(self.status()));
        word(&mut hash, u64::from(self.kernel().cpu().raw()));
        for (pfn, page) in self.kernel().bytes().written() {
            // A page that was written and zeroed again is as one that never was.
            if page.iter().any(|byte| *byte != 0) {
                word(&mut hash, pfn.raw());
                hash.update(page);
            }
        }
        self.hash_caches(&mut hash);
        self.hash_slabs(&mut hash);
        hash_rcu(&mut hash, self.kernel().rcu());
        self.hash_names(&mut hash);
        self.hash_free_pages(&mut hash);
        hash.digest()
    }

    fn hash_caches(&self, hash: &mut Xxh3) {
        for (id, cache) in self.kernel().caches() {
            word(hash, u64::from(id.raw()));
            for name in &cache.names {
                hash.update(name.as_bytes());
            }
            word(hash, cache.code.random);
            for number in [cache.nr_partial, cache.nr_slabs, cache.total_objects] {
                word(hash, u64::from(number));
            }
            for slab in self.kernel().node_partial(id) {
                word(hash, u64::from(slab.raw()));
            }
            for (_, cpu) in cache.cpu_slabs().iter() {
                word(hash, cpu.freelist.raw());
                word(hash, cpu.slab.map_or(u64::MAX, |slab| u64::from(slab.raw())));
                for (slab, count) in &cpu.partial {
                    word(hash, u64::from(slab.raw()));
                    word(hash, u64::from(*count));
                }
            }
            if let Some(sheaves) = &cache.sheaves {
                hash_sheaves(hash, sheaves);
            }
        }
    }

    fn hash_slabs(&self, hash: &mut Xxh3) {
        for (id, slab) in self.kernel().slabs() {
            word(hash, u64::from(id.raw()));
            word(hash, slab.base.raw());
            word(hash, u64::from(slab.inuse));
            word(hash, u64::from(slab.frozen));
            word(hash, slab.freelist.raw());
        }
    }

    fn hash_free_pages(&self, hash: &mut Xxh3) {
        let PageSource::Allocator(pages) = self.kernel().pages() else { return };
        for order in (0..=Order::MAX.raw()).map(Order::from_raw) {
            word(hash, u64::MAX);
            pages.buddy().free_blocks(order).for_each(|block| word(hash, block.raw()));
        }
        for (cpu, block, order) in pages.on_cpus() {
            word(hash, u64::from(cpu.raw()));
            word(hash, block.raw());
            word(hash, u64::from(order.raw()));
        }
    }

    fn hash_names(&self, hash: &mut Xxh3) {
        for object in self.named() {
            hash.update(object.name.as_str().as_bytes());
            word(hash, object.address.raw());
            word(hash, u64::from(object.live));
            word(hash, object.len);
            let via_kmalloc = match object.source {
                Source::Kmalloc(_) => VirtAddr::NULL,
                Source::Cache(_) => VirtAddr::ZERO_SIZE_PTR,
            };
            word(hash, via_kmalloc.raw());
        }
    }
}

fn hash_sheaves(hash: &mut Xxh3, sheaves: &Sheaves) {
    for cpu in &sheaves.cpus {
        word(hash, u64::from(cpu.spare.is_some()) << 1 | u64::from(cpu.rcu_free.is_some()));
        cpu.iter().for_each(|sheaf| hash_objects(hash, sheaf));
    }
    sheaves.barn.full.iter().rev().for_each(|sheaf| hash_objects(hash, sheaf));
    word(hash, u64::from(sheaves.barn.empty));
}

fn hash_rcu(hash: &mut Xxh3, rcu: &Rcu) {
    for (cpu, callback) in &rcu.callbacks {
        word(hash, u64::from(cpu.raw()));
        match callback {
            Callback::FreeSlab(slab) => word(hash, u64::from(slab.raw())),
            Callback::FreeObject(object) => word(hash, object.raw()),
            Callback::FreeSheaf { cache, sheaf, to } => {
                word(hash, u64::from(cache.raw()));
                word(hash, u64::from(*to == AfterGrace::ToBarn));
                hash_objects(hash, sheaf);
            }
        }
    }
    for batch in &rcu.batches {
        batch.pages.iter().for_each(|page| hash_objects(hash, page));
        hash_objects(hash, &batch.list);
        word(hash, u64::from(batch.pages_at_hand));
    }
}

fn hash_objects(hash: &mut Xxh3, objects: &[VirtAddr]) {
    word(hash, u64::MAX);
    objects.iter().for_each(|object| word(hash, object.raw()));
}

const fn status_word(status: Status) -> u64 {
    match status {
        Status::Running => 0,
        Status::TaskKilled => 1,
        Status::Hung => 2,
    }
}

fn word(hash: &mut Xxh3, value: u64) {
    hash.update(&value.to_le_bytes());
}

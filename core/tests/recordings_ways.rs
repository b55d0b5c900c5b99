//! What the work queue chooses when `kfree_rcu` is freed on a machine of several CPUs: recordings of our own kernel, in
//! which the choice is known, replayed by one that has to find it.

use serde_json::{Value, json};
use slabscope_core::allocator::{FrameTable, Kernel, Recorder};
use slabscope_core::event::Event;
use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::layout::CacheArgs;
use slabscope_core::luck::{Luck, Seed};
use slabscope_core::memory::Paged;
use slabscope_core::pages::{Buddy, PageSource};
use slabscope_core::recording::{Report, Verdict, verify};
use slabscope_core::slub::CpuSlab;
use slabscope_core::units::{CacheId, CpuId, Pfn, SlabId, VirtAddr, count_from};
use std::io::Read;
use std::path::Path;

const CPUS: u32 = 4;

/// A kernel as `6.1-plain` was recorded, and what it did as records.
struct Writer {
    kernel: Kernel<Recorder, Paged>,
    cache: CacheId,
    objects: Vec<VirtAddr>,
    lines: Vec<String>,
}

impl Writer {
    /// Header, begin and the first cache, of 64 bytes, are those of a recording.
    fn new() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/6.1-plain/s10a-r1.jsonl.gz");
        let mut text = String::new();
        let bytes = std::fs::read(file).expect("a recording");
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzipped text");
        let model =
            KernelConfig { cpus: CPUS, ..KernelConfig::plain(Version::release(6, 1)) }.model().expect("a kernel");
        let first = Pfn::from_raw(0x4000);
        let mut kernel = Kernel::new(
            model.clone(),
            Luck::Keyed(Seed(1)),
            Paged::new(131_040, first, 4096),
            FrameTable::new(first, 4096),
            PageSource::booted(Buddy::new(first, 4096), &model),
            Recorder::default(),
        );
        kernel.wipe_fresh_pages();
        let args = CacheArgs { object_size: 64, ..CacheArgs::default() };
        let cache = kernel.create_cache("orc_A1_64_0", &args).expect("a cache");
        kernel.probe_mut().drain();
        let kept = |line: &&str| !line.contains("\"t\":\"mark\"");
        Self {
            kernel,
            cache,
            objects: Vec::new(),
            lines: text.lines().filter(kept).take(3).map(str::to_owned).collect(),
        }
    }

    fn line(&mut self, record: &Value) {
        self.lines.push(record.to_string());
    }

    fn cpu(&self, cpu: u32) -> CpuSlab {
        self.kernel.cache(self.cache).cpu_slabs().of(CpuId::from_raw(cpu)).cloned().unwrap_or_default()
    }

    /// A record with the counters after it, after what happened on the way.
    fn done(&mut self, mut record: Value, cpu: u32) {
        self.on_the_way();
        let (c, cache) = (self.cpu(cpu), self.kernel.cache(self.cache));
        let brief = json!({
            "c": 0, "cpu": cpu, "cs": c.slab.map_or(-1, |slab| i64::from(slab.raw())), "cp": c.partial_count(),
            "np": cache.nr_partial, "ns": cache.nr_slabs,
        });
        let fields = brief.as_object().expect("fields").clone();
        record.as_object_mut().expect("fields").extend(fields);
        self.line(&record);
    }

    fn on_the_way(&mut self) {
        for event in self.kernel.probe_mut().drain() {
            match event {
                Event::SlabMade { slab, base, cpu, .. } => self.line(&json!({
                    "t": "newslab", "c": 0, "s": slab.raw(), "va": base.to_string(), "order": 0, "objects": 64, "cpu": cpu.raw(),
                })),
                Event::SlabDiscarded { slab, base, cpu, .. } => self.line(&json!({
                    "t": "freeslab", "c": 0, "s": slab.raw(), "va": base.to_string(), "cpu": cpu.raw(),
                })),
                _ => {}
            }
        }
    }

    fn allocs(&mut self, cpu: u32, count: u32) {
        self.kernel.run_on(CpuId::from_raw(cpu));
        for _ in 0..count {
            let object = self.kernel.alloc(self.cache, false).expect("no oops");
            let slab = self.kernel.slab_at(object).expect("a slab");
            let offset = object.bytes_after(self.kernel.slab(slab).base).expect("in the slab");
            let id = self.objects.len();
            self.objects.push(object);
            self.done(json!({"t": "alloc", "id": id, "s": slab.raw(), "i": offset / 64, "off": offset}), cpu);
        }
    }

    fn kfree_rcu(&mut self, cpu: u32, ids: std::ops::Range<usize>) {
        self.kernel.run_on(CpuId::from_raw(cpu));
        for id in ids {
            self.kernel.kfree_rcu(self.objects[id]).expect("no oops");
            self.done(json!({"t": "kfree_rcu", "id": id}), cpu);
        }
    }

    /// A barrier in which these objects are freed in these portions, each by a work item on a CPU.
    fn barrier(&mut self, portions: &[(u32, Vec<VirtAddr>)]) {
        self.line(&json!({"t": "kvfree_rcu_barrier?", "c": 0}));
        for cpu in 0..CPUS {
            self.kernel.take_batch_of(CpuId::from_raw(cpu));
        }
        for (cpu, objects) in portions {
            self.kernel.run_on(CpuId::from_raw(*cpu));
            self.kernel.free_bulk(None, objects).expect("no oops");
        }
        self.on_the_way();
        self.line(&json!({"t": "kvfree_rcu_barrier", "c": 0}));
    }

    /// The pages of a CPU's batch, the newest first.
    fn pages(&self, cpu: usize) -> Vec<Vec<VirtAddr>> {
        self.kernel.rcu().batches[cpu].pages.iter().rev().cloned().collect()
    }

    fn chain(&self, head: VirtAddr) -> Vec<u64> {
        let cache = self.kernel.cache(self.cache);
        let read = |at: &VirtAddr| cache.code.read(self.kernel.bytes(), at.wrapping_add(cache.layout.offset)).ok();
        let chain = std::iter::successors(Some(head), read).take_while(|at| !at.is_null());
        chain.map(|at| at.raw() % 4096 / 64).collect()
    }

    fn state(&mut self) {
        let head = |at: VirtAddr| (!at.is_null()).then(|| at.to_string());
        let each = |cpu: u32| {
            let c = self.cpu(cpu);
            let partial: Vec<u32> = c.partial.iter().rev().map(|(slab, _)| slab.raw()).collect();
            json!({
                "cpu": cpu, "slab": c.slab.map(SlabId::raw), "fl": self.chain(c.freelist), "partial": partial,
                "partial_slabs": c.partial_count(),
            })
        };
        let cpus: Vec<Value> = (0..CPUS).map(each).collect();
        let mut first = cpus[0].clone();
        first.as_object_mut().expect("fields").remove("cpu");
        first["head"] = json!(head(self.cpu(0).freelist));
        let slabs: Vec<Value> = self
            .kernel
            .slabs()
            .map(|(id, slab)| {
                json!({
                    "s": id.raw(), "inuse": slab.inuse, "objects": slab.objects, "frozen": u32::from(slab.frozen),
                    "head": head(slab.freelist), "fl": self.chain(slab.freelist),
                })
            })
            .collect();
        let (cache, partial) = (self.kernel.cache(self.cache), self.kernel.node_partial(self.cache).map(SlabId::raw));
        let record = json!({
            "t": "state", "c": 0, "why": "", "cpu": first, "cpus": cpus, "nr_partial": cache.nr_partial,
            "partial": partial.collect::<Vec<_>>(), "full": [], "nr_slabs": cache.nr_slabs,
            "total_objects": cache.total_objects, "slabs": slabs,
        });
        self.line(&record);
    }

    fn verified(&mut self) -> Report {
        self.line(&json!({"t": "end", "scenario": "s10a"}));
        verify(self.lines.join("\n").as_bytes()).expect("a recording")
    }
}

/// After a first batch has made the kernel fetch pages for CPU 1: 520 objects, a page and some of another.
fn two_pages_waiting() -> Writer {
    let mut writer = Writer::new();
    writer.allocs(0, 700);
    writer.kfree_rcu(1, 699..700);
    writer.barrier(&[(1, vec![writer.objects[699]])]);
    writer.state();
    writer.kfree_rcu(1, 0..520);
    assert_eq!(writer.pages(1).iter().map(Vec::len).collect::<Vec<_>>(), [10, 510]);
    writer
}

#[test]
fn a_batch_is_freed_on_whichever_cpu_explains_the_state() {
    for cpu in 0..CPUS {
        let mut writer = Writer::new();
        writer.allocs(0, 70);
        writer.kfree_rcu(1, 3..6);
        writer.state();
        let freed: Vec<VirtAddr> = writer.objects[3..6].iter().rev().copied().collect();
        writer.barrier(&freed.iter().map(|object| (cpu, vec![*object])).collect::<Vec<_>>());
        writer.state();
        let report = writer.verified();
        assert_eq!(
            (report.verdict(), report.equal()),
            (Verdict::Equal, count_from(70 + 3 + 2 + 2 + 1 + 1)),
            "{report}"
        );
    }
}

#[test]
fn pages_are_freed_in_either_order_on_any_cpu() {
    for (newest_first, cpus) in [(true, [1, 1]), (true, [0, 2]), (false, [3, 0])] {
        let mut writer = two_pages_waiting();
        let mut pages = writer.pages(1);
        if !newest_first {
            pages.reverse();
        }
        writer.barrier(&cpus.into_iter().zip(pages).collect::<Vec<_>>());
        writer.state();
        writer.allocs(0, 100);
        let report = writer.verified();
        assert_eq!(report.verdict(), Verdict::Equal, "{report}");
        assert!(report.unknowable.is_empty(), "{report}");
    }
}

/// Object by object in turns: nobody can know how, so the cache is given up and counted, and nothing is called different.
#[test]
fn work_items_side_by_side_are_unknowable() {
    let mut writer = two_pages_waiting();
    let pages = writer.pages(1);
    let (old, new) = (pages[1].clone(), pages[0].clone());
    writer.barrier(&[(0, old[..255].to_vec()), (2, new), (0, old[255..].to_vec())]);
    writer.state();
    writer.allocs(0, 20);
    let report = writer.verified();
    assert_eq!((report.verdict(), &report.first), (Verdict::Equal, &None), "{report}");
    assert!(report.unknowable.values().sum::<u64>() >= 20, "{report}");
}

/// What was freed in another order than any kernel frees it is a difference.
#[test]
fn an_order_that_no_way_explains_differs() {
    let mut writer = Writer::new();
    writer.allocs(0, 70);
    writer.kfree_rcu(1, 3..6);
    let freed: Vec<VirtAddr> = writer.objects[3..6].to_vec();
    writer.barrier(&freed.iter().map(|object| (2, vec![*object])).collect::<Vec<_>>());
    writer.state();
    assert_eq!(writer.verified().verdict(), Verdict::Differs);
}

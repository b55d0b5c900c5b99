//! Free objects that lie on no freelist: in sheaves, and waiting for a grace period.

use super::{BatchView, CpuSheavesView, ObjectState, RcuView, SheafPlace, SheafView, SheavesView, WaitingSheaf};
use crate::machine::Machine;
use crate::slub::{AfterGrace, Callback, CpuSheaves, Sheaves};
use crate::sorted::Map;
use crate::units::{CpuId, VirtAddr, count_from};

/// Where each such object is.
pub(super) type Kept = Map<VirtAddr, ObjectState>;

/// The sheaves of a cache. Each CPU has a main one from the cache's creation on (`init_percpu_sheaves`, 6.18); the model
/// makes it when the CPU first runs there, and CPU 0's is shown from the start.
pub(super) fn view_sheaves(sheaves: &Sheaves) -> SheavesView {
    let unused = sheaves.cpus.is_empty().then(CpuSheaves::default);
    let cpus = sheaves.cpus.iter().chain(&unused).zip(0..).map(|(cpu, number)| CpuSheavesView {
        cpu: CpuId::from_raw(number),
        main: view_sheaf(&cpu.main),
        spare: cpu.spare.as_deref().map(view_sheaf),
        rcu_free: cpu.rcu_free.as_deref().map(view_sheaf),
    });
    SheavesView {
        cpus: cpus.collect(),
        full: sheaves.barn.full.iter().rev().map(|sheaf| view_sheaf(sheaf)).collect(),
        empty: sheaves.barn.empty,
    }
}

fn view_sheaf(sheaf: &[VirtAddr]) -> SheafView {
    SheafView { objects: sheaf.into() }
}

/// What waits for a grace period.
pub(super) fn view_rcu(machine: &Machine) -> RcuView {
    let rcu = machine.kernel().rcu();
    let mut view = RcuView::default();
    for (cpu, callback) in &rcu.callbacks {
        match callback {
            Callback::FreeSlab(slab) => view.slabs.push(*slab),
            Callback::FreeObject(object) => view.objects.push(*object),
            Callback::FreeSheaf { cache, sheaf, to } => view.sheaves.push(WaitingSheaf {
                cpu: *cpu,
                cache: *cache,
                sheaf: view_sheaf(sheaf),
                to_barn: *to == AfterGrace::ToBarn,
            }),
        }
    }
    for (batch, cpu) in rcu.batches.iter().zip(0..).filter(|(batch, _)| !batch.is_empty()) {
        view.batches.push(BatchView {
            cpu: CpuId::from_raw(cpu),
            pages: batch.pages.iter().rev().map(|page| view_sheaf(page)).collect(),
            list: batch.list.iter().rev().copied().collect(),
        });
    }
    view
}

/// Where every object is that lies in a sheaf or waits.
pub(super) fn kept(machine: &Machine) -> Kept {
    let mut kept = Kept::default();
    for (_, cache) in machine.kernel().caches() {
        let Some(sheaves) = &cache.sheaves else { continue };
        for (cpu, number) in sheaves.cpus.iter().zip(0..) {
            let id = CpuId::from_raw(number);
            keep(&mut kept, &cpu.main, SheafPlace::Main(id));
            keep(&mut kept, cpu.spare.as_deref().unwrap_or_default(), SheafPlace::Spare(id));
            wait(&mut kept, cpu.rcu_free.iter().flatten());
        }
        for (sheaf, number) in sheaves.barn.full.iter().rev().zip(1..) {
            keep(&mut kept, sheaf, SheafPlace::Barn { number });
        }
    }
    let waiting: Vec<VirtAddr> = machine.kernel().rcu().objects().collect();
    wait(&mut kept, &waiting);
    kept
}

/// The last of a sheaf is the first out; one that is in it twice is where it comes out first.
fn keep(kept: &mut Kept, sheaf: &[VirtAddr], place: SheafPlace) {
    for (object, at) in sheaf.iter().rev().zip(1_usize..) {
        kept.or_insert(*object, &ObjectState::InSheaf { sheaf: place, position: count_from(at) });
    }
}

fn wait<'a>(kept: &mut Kept, objects: impl IntoIterator<Item = &'a VirtAddr>) {
    for object in objects {
        kept.or_insert(*object, &ObjectState::Waiting);
    }
}

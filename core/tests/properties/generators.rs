//! Random kernels and commands, for properties.

use proptest::prelude::*;
use slabscope_core::command::{Base, Command, Gfp, Name, Origin, Place, Value};
use slabscope_core::kernel::{DebugFlags, KernelConfig, PointerPlace, RELEASES, SlubDebug, Switch};
use slabscope_core::layout::{CacheArgs, CacheFlags, Window};
use slabscope_core::usercopy::Direction;

/// `cases` tries, or as many as `PROPTEST_CASES` says; a failure prints its smallest input, and no file is written.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { cases };
    ProptestConfig { cases, failure_persistence: None, ..asked }
}

/// Any kernel that can be.
pub(crate) fn any_kernel() -> impl Strategy<Value = KernelConfig> {
    let place = prop_oneof![
        4 => Just(None),
        1 => Just(Some(PointerPlace::Start)),
        1 => any::<bool>().prop_map(|red_zone_counted| Some(PointerPlace::MiddleUp { red_zone_counted })),
        1 => Just(Some(PointerPlace::MiddleDown)),
    ];
    let version = prop::sample::select(RELEASES).prop_map(|release| release.version);
    let switches = any::<[bool; Switch::ALL.len()]>();
    let kernel = (version, 1..=64_u32, switches, place, any_slub_debug());
    kernel.prop_map(|(version, cpus, switches, pointer_place, slub_debug)| {
        let slub_debug = slub_debug.filter(|option| option.blocks().len() == 1 || version >= SlubDebug::BLOCKS);
        let mut config = KernelConfig { cpus, pointer_place, slub_debug, ..KernelConfig::plain(version) };
        for (switch, on) in Switch::ALL.into_iter().zip(switches) {
            let mut turned = config.clone();
            turned.turn(switch, on);
            // One that this version lacks, or that another one excludes, stays as it is.
            if turned.model().is_ok() {
                config = turned;
            }
        }
        config
    })
}

/// Any `slub_debug=` that no kernel complains about, or none.
fn any_slub_debug() -> impl Strategy<Value = Option<SlubDebug>> {
    let value = "[FZPUTAOfzputao-]{0,5}(,(kmalloc-[0-9]{1,2}|[a-z]{1,3})[*]?)?(;[FZPU-]{0,4}(,kmalloc-[*])?)?";
    prop_oneof![2 => Just(None), 1 => value.prop_map(|value| Some(SlubDebug::parse(&value)))]
}

/// Any command that has a text form.
pub(crate) fn any_command() -> impl Strategy<Value = Command> {
    let name = || "[A-Za-z_][A-Za-z0-9_.-]{0,12}".prop_filter_map("not a name", |text| Name::new(&text)).boxed();
    let place = (prop_oneof![3 => name().prop_map(Base::Object), 1 => any::<u64>().prop_map(Base::Address)], delta());
    let place = place.prop_map(|(base, delta)| Place { base, delta }).boxed();
    let window = any::<(u64, u64)>().prop_map(|(offset, size)| Window { offset, size });
    let args = (any::<u64>(), any::<u64>(), any_flags(), any::<bool>(), any::<u32>(), window);
    let args = args.prop_map(|(object_size, align, flags, ctor, sheaf_capacity, window)| CacheArgs {
        object_size,
        align,
        flags,
        ctor,
        pointer_at: None,
        window,
        sheaf_capacity,
    });
    let value = any_value(place.clone()).boxed();
    prop_oneof![
        (name(), args).prop_map(|(cache, args)| Command::CreateCache { cache, args }),
        name().prop_map(|cache| Command::DestroyCache { cache }),
        name().prop_map(|cache| Command::Shrink { cache }),
        any::<u32>().prop_map(|cpu| Command::Cpu { cpu }),
        name().prop_map(|cache| Command::FlushCpu { cache }),
        name().prop_map(|object| Command::KfreeRcu { object }),
        Just(Command::Grace),
        (name(), any::<u64>(), any_gfp(), any_origin(name())).prop_map(|(object, size, gfp, from)| Command::Kmalloc {
            object,
            size,
            gfp,
            from
        }),
        (name(), name(), any_gfp()).prop_map(|(object, cache, gfp)| Command::Alloc { object, cache, gfp }),
        (name(), name(), any::<u64>(), any_gfp()).prop_map(|(object, from, size, gfp)| Command::Krealloc {
            object,
            from,
            size,
            gfp
        }),
        name().prop_map(|object| Command::Ksize { object }),
        name().prop_map(|object| Command::Free { object }),
        place.clone().prop_map(|at| Command::Kfree { at }),
        (place.clone(), proptest::option::of(name())).prop_map(|(at, cache)| Command::CacheFree { at, cache }),
        (name(), any::<u32>(), name()).prop_map(|(prefix, count, cache)| Command::BulkAlloc { prefix, count, cache }),
        prop::collection::vec(name(), 1..5).prop_map(|objects| Command::BulkFree { objects: objects.into() }),
        (direction(), place.clone(), any::<u64>()).prop_map(|(direction, at, len)| Command::Copy {
            direction,
            at,
            len
        }),
        (place, any::<u64>(), value.clone()).prop_map(|(at, len, value)| Command::Write { at, len, value }),
        (name(), any::<u64>(), value).prop_map(|(object, len, value)| Command::Overflow { object, len, value }),
    ]
}

fn direction() -> impl Strategy<Value = Direction> {
    prop_oneof![Just(Direction::To), Just(Direction::From)]
}

fn any_origin(name: BoxedStrategy<Name>) -> impl Strategy<Value = Option<Origin>> {
    let origin = (name, any::<bool>()).prop_map(|(name, has_pointers)| Origin { name, has_pointers });
    prop::option::of(origin)
}

fn delta() -> impl Strategy<Value = i64> {
    prop_oneof![2 => Just(0), 2 => -64_i64..64, 1 => any::<i64>()]
}

pub(crate) fn any_value(place: BoxedStrategy<Place>) -> impl Strategy<Value = Value> {
    prop_oneof![
        place.prop_map(Value::AddressOf),
        Just(Value::AddressOf(Place { base: Base::Object(Name::new("zeros").expect("a name")), delta: 0 })),
        Just(Value::Zeros),
        any::<u8>().prop_map(Value::Letter),
        prop::collection::vec(any::<u8>(), 1..20).prop_map(|bytes| Value::Bytes(bytes.into())),
    ]
}

fn any_gfp() -> impl Strategy<Value = Gfp> {
    any::<[bool; 5]>().prop_map(|[atomic, zero, reclaimable, dma, account]| Gfp {
        atomic,
        zero,
        reclaimable,
        dma,
        account,
    })
}

fn any_flags() -> impl Strategy<Value = CacheFlags> {
    let plain = any::<[bool; 10]>();
    (plain, any::<[bool; 6]>(), any::<bool>()).prop_map(|(plain, checks, is_checked)| {
        let [hwcache_align, typesafe_by_rcu, reclaim, dma, dma32, account, panic, kmalloc, no_user_flags, no_merge] =
            plain;
        let [consistency, red_zone, poison, store_user, trace, failslab] = checks.map(|check| check && is_checked);
        CacheFlags {
            hwcache_align,
            typesafe_by_rcu,
            reclaim_account: reclaim,
            cache_dma: dma,
            cache_dma32: dma32,
            account,
            panic,
            kmalloc,
            no_user_flags,
            debug: DebugFlags { consistency, red_zone, poison, store_user, trace, failslab },
            no_merge,
        }
    })
}

/// Commands that mostly get carried out: few names, sizes that kmalloc has, places near objects.
pub(crate) fn any_act() -> impl Strategy<Value = Command> {
    prop_oneof![4 => any_honest_act(), 1 => any_damage()]
}

/// Commands that damage nothing, as long as nobody frees what is not theirs.
pub(crate) fn any_honest_act() -> impl Strategy<Value = Command> {
    let size = prop_oneof![8 => prop::sample::select(vec![1_u64, 8, 60, 64, 100, 192, 256, 1000, 4096, 8192]), 1 => 0..20_000_u64];
    let sheaf_capacity = prop_oneof![4 => Just(0), 1 => 1..40_u32];
    let window = prop_oneof![2 => Just(Window::default()), 1 => Just(Window { offset: 0, size: 1 })];
    let align = prop::sample::select(vec![0_u64, 8, 32, 64]);
    // Few sizes and mostly no flags, so that caches merge.
    let object_size = prop_oneof![3 => 57..=64_u64, 1 => 1..3000_u64];
    let flags = prop_oneof![2 => Just(CacheFlags::default()), 1 => any_flags()];
    let args = (object_size, align, flags, prop::bool::weighted(0.2), sheaf_capacity, window);
    let args = args.prop_map(|(object_size, align, flags, ctor, sheaf_capacity, window)| CacheArgs {
        object_size,
        align,
        flags,
        ctor,
        pointer_at: None,
        window,
        sheaf_capacity,
    });
    let site = "[a-c]|msg_msg".prop_map(|text| named(&text)).boxed();
    prop_oneof![
        10 => (object(), size, any_gfp(), any_origin(site))
            .prop_map(|(object, size, gfp, from)| Command::Kmalloc { object, size, gfp, from }),
        6 => (object(), cache(), any_gfp()).prop_map(|(object, cache, gfp)| Command::Alloc { object, cache, gfp }),
        1 => (own_cache(), args).prop_map(|(cache, args)| Command::CreateCache { cache, args }),
        1 => cache().prop_map(|cache| Command::Shrink { cache }),
        3 => (0..5_u32).prop_map(|cpu| Command::Cpu { cpu }),
        1 => cache().prop_map(|cache| Command::FlushCpu { cache }),
        1 => Just(Command::Grace),
        3 => (1..90_u32, cache()).prop_map(|(count, cache)| Command::BulkAlloc { prefix: named("b"), count, cache }),
    ]
}

fn any_damage() -> impl Strategy<Value = Command> {
    let place =
        (prop_oneof![8 => object().prop_map(Base::Object), 1 => any_address().prop_map(Base::Address)], delta());
    let place = place.prop_map(|(base, delta)| Place { base, delta }).boxed();
    let value = any_value(place.clone()).boxed();
    let len = || prop_oneof![6 => 1..100_u64, 1 => any::<u64>()];
    prop_oneof![
        6 => object().prop_map(|object| Command::Free { object }),
        2 => (object(), object(), 0..9000_u64, any_gfp())
            .prop_map(|(object, from, size, gfp)| Command::Krealloc { object, from, size, gfp }),
        1 => object().prop_map(|object| Command::Ksize { object }),
        3 => object().prop_map(|object| Command::KfreeRcu { object }),
        2 => place.clone().prop_map(|at| Command::Kfree { at }),
        2 => (place.clone(), proptest::option::of(cache())).prop_map(|(at, cache)| Command::CacheFree { at, cache }),
        2 => prop::collection::vec(object(), 1..6).prop_map(|objects| Command::BulkFree { objects: objects.into() }),
        1 => (direction(), place.clone(), len()).prop_map(|(direction, at, len)| Command::Copy { direction, at, len }),
        2 => (place, len(), value.clone()).prop_map(|(at, len, value)| Command::Write { at, len, value }),
        3 => (object(), len(), value).prop_map(|(object, len, value)| Command::Overflow { object, len, value }),
        1 => own_cache().prop_map(|cache| Command::DestroyCache { cache }),
    ]
}

/// NULL, the first pages, the direct map and its ends, and anywhere.
fn any_address() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0..5000_u64, 0xffff_8880_0000_0000..0xffff_8880_1000_0000_u64, any::<u64>()]
}

fn named(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn object() -> impl Strategy<Value = Name> {
    prop_oneof![4 => "o[0-7]", 1 => "b[0-9]"].prop_map(|text| named(&text))
}

fn own_cache() -> impl Strategy<Value = Name> {
    "c[0-2]".prop_map(|text| named(&text))
}

fn cache() -> impl Strategy<Value = Name> {
    let kmalloc = prop::sample::select(vec!["kmalloc-8", "kmalloc-64", "kmalloc-192", "kmalloc-512"]);
    prop_oneof![2 => own_cache(), 1 => kmalloc.prop_map(named)]
}
